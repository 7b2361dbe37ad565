//! Identifier characters beyond ASCII, as Pygments' own tables list them.
//!
//! Pygments generated its tables from Unicode 11. Here they are derived from the general categories
//! of Unicode 14, minus the characters that were assigned in between.

use unicode_general_category::{GeneralCategory as Category, get_general_category};

use crate::cursor;

/// Ranges, as first and last code point, of letters, marks, digits and connectors that Unicode 11
/// did not have.
#[rustfmt::skip]
static NEWER: &[(u32, u32)] = &[
    (0x870, 0x89f), (0x8b5, 0x8b5), (0x8be, 0x8d2), (0xb55, 0xb55), (0xc3c, 0xc3c), (0xc5d, 0xc5d),
    (0xcdd, 0xcdd), (0xd04, 0xd04), (0xd81, 0xd81), (0xe86, 0xe86), (0xe89, 0xe89), (0xe8c, 0xe8c),
    (0xe8e, 0xe93), (0xe98, 0xe98), (0xea0, 0xea0), (0xea8, 0xea9), (0xeac, 0xeac), (0xeba, 0xeba),
    (0x170d, 0x170d), (0x1715, 0x171f), (0x180f, 0x180f), (0x1abf, 0x1ace), (0x1b4c, 0x1b4c),
    (0x1cfa, 0x1cfa), (0x1dfa, 0x1dfa), (0x2c2f, 0x2c2f), (0x2c5f, 0x2c5f), (0x31bb, 0x31bf),
    (0x4db6, 0x4dbf), (0x9ff0, 0x9fff), (0xa7ba, 0xa7f6), (0xa82c, 0xa82c), (0xab66, 0xab69),
    (0x10570, 0x105bc), (0x10780, 0x107ba), (0x10e80, 0x10eb1), (0x10f70, 0x10ff6),
    (0x11070, 0x11075), (0x110c2, 0x110c2), (0x11147, 0x11147), (0x111ce, 0x111cf),
    (0x1145f, 0x11461), (0x116b8, 0x116b8), (0x11740, 0x11746), (0x11900, 0x119e4),
    (0x11a84, 0x11a85), (0x11ab0, 0x11abf), (0x11fb0, 0x11fb0), (0x12f90, 0x12ff0),
    (0x16a70, 0x16ac9), (0x16f45, 0x16f4f), (0x16f7f, 0x16f87), (0x16fe3, 0x16ff1),
    (0x187f2, 0x187f7), (0x18af3, 0x1affe), (0x1b11f, 0x1b167), (0x1cf00, 0x1cf46),
    (0x1df00, 0x1df1e), (0x1e100, 0x1e7fe), (0x1e94b, 0x1e94b), (0x1fbf0, 0x1fbf9),
    (0x2a6d7, 0x2a6df), (0x2b735, 0x2b738), (0x30000, 0x3134a),
];

fn is_newer(character: char) -> bool {
    let code = u32::from(character);
    let index = NEWER.partition_point(|(_, last)| *last < code);
    NEWER.get(index).is_some_and(|(first, _)| *first <= code)
}

/// A character that may start an identifier of JavaScript.
pub(crate) fn starts_script_name(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphabetic() || matches!(character, '$' | '_');
    }
    // Two Vedic signs became letters only after Unicode 11.
    is_letter(character) && !matches!(character, '\u{1cf2}' | '\u{1cf3}')
}

/// A character that may continue an identifier of JavaScript.
pub(crate) fn continues_script_name(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphanumeric() || matches!(character, '$' | '_');
    }
    is_letter(character) || is_mark(character) || matches!(character, '\u{200c}' | '\u{200d}')
}

/// A character that may start an identifier of Python.
pub(crate) fn starts_python_name(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphabetic() || character == '_';
    }
    match character {
        '\u{1885}' | '\u{1886}' | '\u{2118}' | '\u{212e}' => true,
        '\u{e33}' | '\u{eb3}' | '\u{ff9e}' | '\u{ff9f}' | '\u{1cf2}' | '\u{1cf3}' => false,
        _ => is_letter(character) && !changes_when_normalised(character),
    }
}

/// A character that may continue an identifier of Python.
pub(crate) fn continues_python_name(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphanumeric() || character == '_';
    }
    match character {
        '\u{b7}' | '\u{387}' | '\u{1369}'..='\u{1371}' | '\u{19da}' | '\u{2118}' | '\u{212e}' => {
            true
        }
        _ => {
            let fits = is_letter(character) || is_mark(character);
            fits && !changes_when_normalised(character)
        }
    }
}

/// A character that may start an identifier of Kotlin or C#: letters of scripts without case are
/// excluded.
pub(crate) fn starts_cased_name(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphabetic() || character == '_';
    }
    is_letter(character) && get_general_category(character) != Category::OtherLetter
}

/// A character that may continue an identifier of Kotlin or C#.
pub(crate) fn continues_cased_name(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphanumeric() || character == '_';
    }
    match character {
        '\u{1cf2}' | '\u{1cf3}' => true,
        '\u{13430}'..='\u{13438}' => false,
        _ => {
            let format = get_general_category(character) == Category::Format;
            starts_cased_name(character) || is_mark(character) || format && !is_newer(character)
        }
    }
}

/// Letters whose compatibility form starts with a space or ends in a combining mark: they cannot be
/// part of a Python identifier.
fn changes_when_normalised(character: char) -> bool {
    matches!(
        character,
        '\u{37a}' | '\u{2e2f}' | '\u{fc5e}'
            ..='\u{fc63}'
                | '\u{fdfa}'
                | '\u{fdfb}'
                | '\u{fe70}'
                | '\u{fe72}'
                | '\u{fe74}'
                | '\u{fe76}'
                | '\u{fe78}'
                | '\u{fe7a}'
                | '\u{fe7c}'
                | '\u{fe7e}'
    )
}

/// A letter, or a number made of letters, that Unicode 11 had.
pub(crate) fn is_letter(character: char) -> bool {
    cursor::is_letter(get_general_category(character)) && !is_newer(character)
}

fn is_mark(character: char) -> bool {
    matches!(
        get_general_category(character),
        Category::NonspacingMark
            | Category::SpacingMark
            | Category::DecimalNumber
            | Category::ConnectorPunctuation
    ) && !is_newer(character)
}

/// An upper-case letter.
pub(crate) fn is_upper(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_uppercase();
    }
    get_general_category(character) == Category::UppercaseLetter && !is_newer(character)
}

/// A lower-case letter.
pub(crate) fn is_lower(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_lowercase();
    }
    get_general_category(character) == Category::LowercaseLetter && !is_newer(character)
}
