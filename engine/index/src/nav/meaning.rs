//! What a name can mean.

use super::answer::Resolution;

/// A definition in a file, or a file as a module.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Path of the file, relative to the root.
    pub file: String,
    /// The definition; none for the file itself.
    pub definition: Option<u32>,
}

/// What a name means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meaning {
    /// These definitions, found so.
    Known(Vec<Place>, Resolution),
    /// Something from outside of the root.
    External,
    /// Nothing says.
    Unknown,
}

impl Meaning {
    /// One definition.
    pub fn one(file: &str, definition: u32, how: Resolution) -> Self {
        Self::Known(vec![Place { file: file.to_owned(), definition: Some(definition) }], how)
    }

    /// These definitions, if there are any.
    pub fn of(places: Vec<Place>, how: Resolution) -> Self {
        if places.is_empty() { Self::Unknown } else { Self::Known(places, how) }
    }
}

/// Files as a module; one that has none is from outside.
pub fn as_module(files: Vec<String>) -> Meaning {
    if files.is_empty() {
        return Meaning::External;
    }
    let place = |file| Place { file, definition: None };
    Meaning::Known(files.into_iter().map(place).collect(), Resolution::Import)
}
