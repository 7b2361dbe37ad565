//! The classes of characters by which text is split.

#[allow(clippy::unreadable_literal, reason = "the build script writes them, nobody reads them")]
mod tables {
    include!(concat!(env!("OUT_DIR"), "/classes.rs"));
}

use tables::{LETTERS, NUMBERS};

/// The class of a character in the splitting rules.
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

/// The classes of the ASCII characters.
static ASCII: [Class; 128] = {
    let mut classes = [Class::Symbol; 128];
    let mut at = 0;
    while at < classes.len() {
        classes[at] = match at as u8 {
            b'a'..=b'z' | b'A'..=b'Z' => Class::Letter,
            b'0'..=b'9' => Class::Number,
            b'\n' | b'\r' => Class::LineEnd,
            // `\s` includes the vertical tab, which `u8::is_ascii_whitespace` does not.
            b' ' | b'\t' | 0x0b | 0x0c => Class::Space,
            _ => Class::Symbol,
        };
        at += 1;
    }
    classes
};

/// The class of an ASCII character.
pub fn class_of_ascii(byte: u8) -> Class {
    ASCII.get(usize::from(byte)).copied().unwrap_or(Class::Symbol)
}

/// The class of a character.
pub fn class(character: char) -> Class {
    match character {
        _ if character.is_ascii() => class_of_ascii(character as u8),
        _ if character.is_whitespace() => Class::Space,
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
