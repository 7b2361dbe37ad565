//! Scanner for Solidity.
//!
//! Only what a declaration introduces is a name: a contract, a function, an
//! event, an enumeration, a structure or a variable of a basic type.

use std::ops::Range;
use std::sync::LazyLock;

use super::cursor::{Cursor, Once, is_digit, is_word};
use super::words::Words;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    /// The next word is a name.
    Declares,
    /// A name by itself.
    Builtin,
    /// Before `solidity`, it starts a part without names.
    Pragma,
    /// A member behind its dot belongs to it.
    Global,
}

static WORDS: LazyLock<Words<Word>> = LazyLock::new(|| {
    Words::new(&[
        (Word::Declares, "contract enum event function struct"),
        (Word::Builtin, "keccak256"),
        (Word::Pragma, "pragma"),
        (Word::Global, "msg block tx"),
    ])
});

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    let cursor = Cursor::new(text);
    let mut unclosed = Once::default();
    let mut in_pragma = false;
    let mut at = 0;
    while at < cursor.len() {
        let byte = cursor.byte(at);
        at = match byte {
            b'/' => comment_end(cursor, at, &mut unclosed).unwrap_or(at + 1),
            b';' => {
                in_pragma = false;
                at + 1
            }
            _ if in_pragma => cursor.after(at),
            b'"' | b'\'' => cursor.loosely_quoted_end(at, byte, false).unwrap_or(at + 1),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                let end = cursor.word_end(at);
                if cursor.before(at).is_some_and(is_word) {
                    // Behind a digit or a letter beyond ASCII no word counts.
                    end
                } else if let Some(end) = pragma_end(cursor, at, end) {
                    in_pragma = true;
                    end
                } else {
                    word(cursor, at..end, names)
                }
            }
            _ => cursor.after(at),
        };
    }
}

fn comment_end(cursor: Cursor, at: usize, unclosed: &mut Once) -> Option<usize> {
    if cursor.byte(at + 1) == b'/' {
        // A line break behind a backslash continues the comment.
        return unclosed.search(|| {
            let mut from = at + 2;
            loop {
                let line_break = cursor.find(from, b'\n')?;
                if cursor.byte(line_break - 1) != b'\\' {
                    return Some(line_break + 1);
                }
                from = line_break + 1;
            }
        });
    }
    let continued = |at: usize| if cursor.starts(at, "\\\n") { at + 2 } else { at };
    let star = continued(at + 1);
    if cursor.byte(star) != b'*' {
        return None;
    }
    let mut from = star + 1;
    while let Some(star) = cursor.find(from, b'*') {
        let slash = if cursor.byte(star + 1) == b'/' { star + 1 } else { continued(star + 1) };
        if cursor.byte(slash) == b'/' {
            return Some(slash + 1);
        }
        from = star + 1;
    }
    Some(cursor.len())
}

/// Position behind `pragma solidity`.
fn pragma_end(cursor: Cursor, at: usize, end: usize) -> Option<usize> {
    let second = cursor.space_end(end);
    let second_end = cursor.word_end(second);
    let is_pragma = WORDS.get(cursor.slice(at..end)) == Some(Word::Pragma);
    (is_pragma && cursor.slice(second..second_end) == "solidity").then_some(second_end)
}

/// Takes a word with what it announces.
fn word(cursor: Cursor, word: Range<usize>, names: &mut Vec<Range<usize>>) -> usize {
    let end = word.end;
    let mut next = cursor.space_end(end);
    let identifier = |at: usize| {
        let starts = |c: char| c.is_ascii_alphabetic() || c == '_';
        (at > end && cursor.is(at, starts)).then(|| cursor.word_end(at))
    };
    let text = cursor.slice(word.clone());
    match WORDS.get(text) {
        Some(Word::Builtin) => {
            names.push(word);
            return end;
        }
        Some(Word::Global) => {
            let member = end + 1;
            let member_end = cursor.word_end(member);
            let ascii = cursor.slice(member..member_end).is_ascii();
            let fits = cursor.byte(end) == b'.' && !cursor.is(member, is_digit);
            return if fits && ascii && member_end > member { member_end } else { end };
        }
        Some(Word::Declares) => {}
        _ if is_type(text) => {
            let second = cursor.word_end(next);
            let third = cursor.space_end(second);
            let visibility = matches!(
                cursor.slice(next..second),
                "external" | "public" | "internal" | "private"
            );
            // A visibility without a name behind it is the name.
            if visibility && next > end && third > second && identifier(third).is_some() {
                next = third;
            }
        }
        _ => return end,
    }
    let Some(name_end) = identifier(next) else {
        return end;
    };
    names.push(next..name_end);
    name_end
}

/// Whether a word is a basic type: `bool`, `address` or one with a size.
fn is_type(word: &str) -> bool {
    let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
    let size = word.get(letters.len()..).unwrap_or("");
    match letters {
        "address" | "bool" => size.is_empty(),
        "bytes" | "hash" | "int" | "string" | "uint" => {
            let bits = size.parse::<u32>().unwrap_or(0);
            let fits = (8..=256).contains(&bits) && bits.is_multiple_of(8);
            size.is_empty() || fits && !size.starts_with('0')
        }
        _ => false,
    }
}
