//! Text made safe to show to people.
//!
//! A file name may hold anything but `/` and NUL: line feeds, terminal escapes, direction overrides.
//! So may the lines of a source. What is printed for people goes through here; data that programs
//! read keeps its characters.

use std::{borrow::Cow, path::Path};

/// A name or a phrase on one line: every control, invisible and direction-changing character is
/// written as `\u{…}`, so that it can neither break a line, nor steer a terminal, nor reorder what
/// is around it.
pub fn visible(text: &str) -> Cow<'_, str> {
    escaped(text, is_hidden, |character, to| to.extend(character.escape_unicode()))
}

/// Several lines of text: as [`visible`], but line feeds and tabs stay, and so do characters that
/// are merely invisible, such as the joiners within emoji.
pub fn lines(text: &str) -> Cow<'_, str> {
    escaped(text, steers_text, |character, to| to.extend(character.escape_unicode()))
}

/// A JSON text: the characters that [`lines`] escapes are written as JSON's own `\uXXXX`, so that
/// the JSON keeps its meaning. Such characters occur only within its strings.
pub fn json(text: &str) -> Cow<'_, str> {
    escaped(text, steers_text, |character, to| {
        for unit in character.encode_utf16(&mut [0; 2]) {
            to.push_str(&format!("\\u{unit:04x}"));
        }
    })
}

/// The name of a file. A byte that is not UTF-8 is written as `\xNN`, so that names which differ
/// only in such bytes stay distinct. Other characters are left as they are.
pub fn name(path: &Path) -> String {
    let mut name = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        name.push_str(chunk.valid());
        for byte in chunk.invalid() {
            name.push_str(&format!("\\x{byte:02X}"));
        }
    }
    name
}

/// The name of a file in a message: [`name`] made [`visible`].
pub fn path(path: &Path) -> String {
    visible(&name(path)).into_owned()
}

fn escaped(
    text: &str,
    hidden: impl Fn(char) -> bool,
    escape: impl Fn(char, &mut String),
) -> Cow<'_, str> {
    // Nothing of printable ASCII is hidden, and most texts have nothing else.
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) || !text.chars().any(&hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if hidden(character) {
            escape(character, &mut shown);
        } else {
            shown.push(character);
        }
    }
    Cow::Owned(shown)
}

/// Whether a character has no visible shape of its own: it steers something, or is invisible.
fn is_hidden(character: char) -> bool {
    steers(character)
        || matches!(character,
            '\u{ad}' | '\u{180e}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}'
            | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{206f}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Whether a character steers a terminal, breaks a line or changes the direction of a text: C0, DEL
/// and C1 controls, line and paragraph separators, marks, embeddings, overrides and isolates.
fn steers(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The same as [`steers`] for text of several lines, where line feeds and tabs are allowed.
fn steers_text(character: char) -> bool {
    steers(character) && !matches!(character, '\n' | '\t')
}

#[cfg(test)]
mod tests {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt, path::Path};

    use super::{json, lines, name, path, visible};

    #[test]
    fn a_name_cannot_break_a_line_or_steer_a_terminal() {
        assert_eq!(visible("a\nb\x1b[31mc\u{9b}d"), r"a\u{a}b\u{1b}[31mc\u{9b}d");
        assert_eq!(visible("\u{202e}cod.exe"), r"\u{202e}cod.exe");
        assert_eq!(visible("größe/日本語.rs"), "größe/日本語.rs");
        let steering = "\u{0}\u{8}\t\r\u{7f}\u{80}\u{85}\u{9f}\u{61c}\u{200e}\u{200f}\u{2028}\u{2029}\
                        \u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\u{2066}\u{2067}\u{2068}\u{2069}";
        assert_eq!(visible(steering).matches(r"\u{").count(), steering.chars().count());
        assert!(visible("\u{200b}\u{feff}").is_ascii());
    }

    #[test]
    fn a_text_keeps_its_lines_and_nothing_that_steers() {
        assert_eq!(
            lines("a\tb\nc\r\n\x1b]0;x\x07\u{9b}"),
            "a\tb\nc\\u{d}\n\\u{1b}]0;x\\u{7}\\u{9b}"
        );
        assert_eq!(lines("\u{2066}x\u{2069}\u{2028}"), r"\u{2066}x\u{2069}\u{2028}");
        assert_eq!(lines("👩\u{200d}👧"), "👩\u{200d}👧");
    }

    #[test]
    fn a_json_text_says_the_same() {
        let value = "\u{9b}31m \u{202e}\u{7f} größe \x1b";
        let text = serde_json::to_string(value).unwrap();
        let shown = json(&text);
        assert!(!shown.contains(['\u{9b}', '\u{202e}', '\u{7f}']) && shown.contains("größe"));
        assert_eq!(serde_json::from_str::<String>(&shown).unwrap(), value);
    }

    #[test]
    fn bytes_that_are_no_text_stay_distinct() {
        let odd = |bytes: &'static [u8]| Path::new(OsStr::from_bytes(bytes));
        assert_eq!(name(odd(b"a\x9b\xff.py")), r"a\x9B\xFF.py");
        assert_eq!(path(odd(b"a\n\x9b")), r"a\u{a}\x9B");
    }
}
