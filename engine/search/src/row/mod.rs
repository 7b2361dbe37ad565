//! What is kept of a file: its chunks without their text, and the places of each term.
//!
//! `names` of the row lists the terms. `data` holds, in this order: the number of entries; the sum
//! of the lengths of each field; the language; the entries; and for each term, in the order of
//! `names`, its postings, preceded by their size in bytes. A posting is the distance to the
//! previous entry, the fields as bits, and how often the term occurs in each of them.

mod make;
mod read;

pub use make::make;
pub use read::{Hit, Row};

use semantic::Place;

use crate::weights::KEPT;

/// A chunk as a row keeps it. Lines are 1-based.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its kind, such as `function`.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// Whether it is a symbol.
    pub is_symbol: bool,
    /// The enclosing scope, as the language joins names.
    pub parent: Option<String>,
    /// The declaration in one line.
    pub signature: String,
    /// Index of the enclosing chunk.
    pub inside: Option<usize>,
    /// Line of the name.
    pub line: u32,
    /// First line.
    pub start: u32,
    /// Last line.
    pub end: u32,
    /// Number of terms in each field.
    pub lengths: [u32; KEPT],
}

impl Entry {
    /// Its place among the chunks of its file.
    pub fn place(&self) -> Place<'_> {
        Place {
            kind: &self.kind,
            name: &self.name,
            parent: self.parent.as_deref(),
            inside: self.inside,
            line: self.line,
            start: self.start,
            end: self.end,
            signature: &self.signature,
        }
    }
}
