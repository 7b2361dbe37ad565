//! Character classes of Scala, as Pygments' own tables list them.
//!
//! The tables come from Unicode 11. Here they are derived from the general categories of Unicode
//! 14, minus the characters that were assigned in between.

use unicode_general_category::{GeneralCategory as Category, get_general_category};

use crate::{cursor::Cursor, identifiers::is_letter};

/// Ranges, as first and last code point, of symbols that Unicode 11 did not have.
#[rustfmt::skip]
static NEWER: &[(u32, u32)] = &[
    (0x166d, 0x166d), (0x2b97, 0x2b97), (0x2bc9, 0x2bc9), (0x2bff, 0x2bff), (0x2e50, 0x2e51),
    (0x32ff, 0x32ff), (0xfd40, 0xfdcf), (0xfdfe, 0xfdff), (0x1019c, 0x1019c), (0x11fd5, 0x11ff1),
    (0x1cf50, 0x1cfc3), (0x1d1e9, 0x1d1ea), (0x1e14f, 0x1e14f), (0x1ed2e, 0x1ed2e),
    (0x1f10d, 0x1f10f), (0x1f16c, 0x1f16f), (0x1f1ad, 0x1f1ad), (0x1f6d5, 0x1f6df),
    (0x1f6fa, 0x1f6fc), (0x1f7e0, 0x1f7f0), (0x1f8b0, 0x1f8b1), (0x1f90c, 0x1f90f),
    (0x1f93f, 0x1f93f), (0x1f971, 0x1f972), (0x1f977, 0x1f979), (0x1f97b, 0x1f97b),
    (0x1f9a3, 0x1f9af), (0x1f9ba, 0x1f9bf), (0x1f9c3, 0x1f9cf), (0x1fa00, 0x1fa53),
    (0x1fa70, 0x1fbca),
];

/// A character of an identifier made of symbols.
pub(super) fn is_symbol(character: char) -> bool {
    if character.is_ascii() {
        return "!#%&*-/:?@^+<=>|~".contains(character);
    }
    let code = u32::from(character);
    let index = NEWER.partition_point(|(_, last)| *last < code);
    let newer = NEWER.get(index).is_some_and(|(first, _)| *first <= code);
    let category = get_general_category(character);
    !newer && matches!(category, Category::MathSymbol | Category::OtherSymbol)
}

/// A character that may start an identifier of letters.
pub(super) fn is_start(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphabetic() || matches!(character, '_' | '$');
    }
    let modifier = get_general_category(character) == Category::ModifierLetter;
    // Two Vedic signs became letters only after Unicode 11.
    is_letter(character) && !modifier && !matches!(character, '\u{1cf2}' | '\u{1cf3}')
}

/// A character that may continue an identifier of letters.
pub(super) fn is_part(character: char) -> bool {
    character.is_ascii_digit() || is_start(character)
}

/// A character that starts the name of a class.
pub(super) fn is_upper(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_uppercase();
    }
    let category = get_general_category(character);
    is_start(character) && matches!(category, Category::UppercaseLetter | Category::TitlecaseLetter)
}

/// End of the letters, and end of the whole identifier of letters: symbols may follow an
/// underscore.
pub(super) fn letters_end(cursor: Cursor, at: usize) -> Option<(usize, usize)> {
    if !cursor.is(at, is_start) {
        return None;
    }
    let letters = cursor.run(at, is_part);
    let joins = cursor.byte(letters - 1) == b'_';
    Some((letters, if joins { cursor.run(letters, is_symbol) } else { letters }))
}
