//! What a name can mean.

use super::answer::Resolution;

/// A definition in a file, or a file as a module.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Path of the file, relative to the root.
    pub file: String,
    /// The position of the definition; `None` for the file itself.
    pub definition: Option<u32>,
}

/// What a name means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meaning {
    /// These definitions, and how they were found.
    Known(Vec<Place>, Resolution),
    /// Something from outside the root.
    External,
    /// Nothing tells what it means.
    Unknown,
}

impl Meaning {
    /// Exactly one definition.
    pub fn one(file: &str, definition: u32, how: Resolution) -> Self {
        Self::Known(vec![Place { file: file.to_owned(), definition: Some(definition) }], how)
    }

    /// These definitions, or [`Meaning::Unknown`] if there are none.
    pub fn of(places: Vec<Place>, how: Resolution) -> Self {
        if places.is_empty() { Self::Unknown } else { Self::Known(places, how) }
    }
}

/// A module that consists of these files; without files it is from outside the root.
pub fn as_module(files: Vec<String>) -> Meaning {
    if files.is_empty() {
        return Meaning::External;
    }
    let place = |file| Place { file, definition: None };
    Meaning::Known(files.into_iter().map(place).collect(), Resolution::Import)
}
