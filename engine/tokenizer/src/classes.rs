//! The classes of characters that text is split by.

#[allow(clippy::unreadable_literal, reason = "the build script writes them, nobody reads them")]
mod tables {
    include!(concat!(env!("OUT_DIR"), "/classes.rs"));
}

use tables::{LETTERS, NUMBERS};

/// What a character is to the splitting rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// `\p{L}`.
    Letter,
    /// `\p{N}`.
    Number,
    /// `\r` or `\n`.
    LineEnd,
    /// Any other `\s`.
    Space,
    /// Everything else.
    Symbol,
}

/// The class of a character.
pub fn class(character: char) -> Class {
    match character {
        'a'..='z' | 'A'..='Z' => Class::Letter,
        '0'..='9' => Class::Number,
        '\n' | '\r' => Class::LineEnd,
        _ if character.is_whitespace() => Class::Space,
        _ if character.is_ascii() => Class::Symbol,
        _ if within(LETTERS, character) => Class::Letter,
        _ if within(NUMBERS, character) => Class::Number,
        _ => Class::Symbol,
    }
}

fn within(ranges: &[(u32, u32)], character: char) -> bool {
    let code = u32::from(character);
    let after = ranges.partition_point(|(first, _)| *first <= code);
    after.checked_sub(1).and_then(|at| ranges.get(at)).is_some_and(|(_, last)| code <= *last)
}
