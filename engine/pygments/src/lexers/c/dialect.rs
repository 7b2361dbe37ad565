//! The dialects of C: what differs between them, and how each is scanned.

use std::ops::Range;

use super::{
    C,
    parts::RawEndings,
    words::{self, Word},
};
use crate::{cursor::Searched, words::Words};

/// The language that is scanned.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    C,
    Cpp,
    ObjectiveC,
    Arduino,
}

impl Dialect {
    pub fn is_cpp(self) -> bool {
        matches!(self, Self::Cpp | Self::Arduino)
    }

    fn words(self) -> &'static Words<Word> {
        if self.is_cpp() { &words::CPP } else { &words::C }
    }
}

/// What is known about the text so far.
pub(super) struct Memory {
    pub dialect: Dialect,
    pub words: &'static Words<Word>,
    /// White space at the start of lines that are not preprocessor lines.
    pub no_directive: Searched,
    pub parameters: Searched,
    pub line_comment: Searched,
    pub raw: RawEndings,
}

impl Memory {
    pub fn new(dialect: Dialect) -> Self {
        Self {
            dialect,
            words: dialect.words(),
            no_directive: Searched::default(),
            parameters: Searched::default(),
            line_comment: Searched::default(),
            raw: RawEndings::default(),
        }
    }
}

/// Appends the names of C, in order of appearance.
pub(in crate::lexers) fn scan_c(text: &str, names: &mut Vec<Range<usize>>) {
    scan(text, Dialect::C, names);
}

/// Appends the names of C++, in order of appearance.
pub(in crate::lexers) fn scan_cpp(text: &str, names: &mut Vec<Range<usize>>) {
    scan(text, Dialect::Cpp, names);
}

/// Appends the names of Objective-C, in order of appearance.
pub(in crate::lexers) fn scan_objective(text: &str, names: &mut Vec<Range<usize>>) {
    scan(text, Dialect::ObjectiveC, names);
}

/// Appends the names of one dialect, in order of appearance.
pub(super) fn scan(text: &str, dialect: Dialect, names: &mut Vec<Range<usize>>) {
    C::with(text, 0, names, Memory::new(dialect)).run(C::step);
}
