//! Scanner for Solidity.
//!
//! Only declared names count: those of contracts, functions, events, enumerations, structures, and
//! variables of basic types.

use std::{ops::Range, sync::LazyLock};

use crate::{
    cursor::{Cursor, Once, is_digit, is_word, starts_identifier},
    scanner::Scanner,
    words::Words,
};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    /// The next word is a name.
    Declares,
    /// A name by itself.
    Builtin,
    /// A keyword before `solidity`, where a part without names starts.
    Pragma,
    /// A global, which is not a name; neither is a member after its dot.
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

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Code,
    /// After `pragma solidity`, up to the semicolon.
    Pragma,
}

type Solidity<'t, 'n> = Scanner<'t, 'n, State, Memory>;

#[derive(Default)]
struct Memory {
    line_comment: Once,
}

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    Solidity::new(text, names).run(Solidity::step);
}

impl Solidity<'_, '_> {
    #[inline]
    fn step(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        self.at = match cursor.byte(at) {
            b'/' => comment_end(cursor, at, &mut self.memory.line_comment).unwrap_or(at + 1),
            b';' => {
                self.state = State::Code;
                at + 1
            }
            _ if self.state == State::Pragma => cursor.after(at),
            quote @ (b'"' | b'\'') => cursor.loosely_quoted_end(at, quote, false).unwrap_or(at + 1),
            byte if starts_identifier(byte) => {
                let end = cursor.word_end(at);
                if cursor.before(at).is_some_and(is_word) {
                    // After a digit or a non-ASCII letter no word is recognised.
                    end
                } else if let Some(end) = pragma_end(cursor, at, end) {
                    self.state = State::Pragma;
                    end
                } else {
                    return self.word(end);
                }
            }
            _ => cursor.after(at),
        };
    }

    /// Reads a word that ends at `end`, with the name that it announces.
    fn word(&mut self, end: usize) {
        let (cursor, at) = (self.cursor, self.at);
        let mut next = cursor.space_end(end);
        let identifier = |at: usize| if at > end { cursor.identifier_end(at) } else { None };
        let text = cursor.slice(at..end);
        self.at = end;
        match WORDS.get(text) {
            Some(Word::Builtin) => return self.note(at..end),
            Some(Word::Global) => {
                let member = end + 1;
                let member_end = cursor.word_end(member);
                let ascii = cursor.slice(member..member_end).is_ascii();
                let fits = cursor.byte(end) == b'.' && !cursor.is(member, is_digit);
                if fits && ascii && member_end > member {
                    self.at = member_end;
                }
                return;
            }
            Some(Word::Declares) => {}
            _ if is_type(text) => {
                let second = cursor.word_end(next);
                let third = cursor.space_end(second);
                let visibility = matches!(
                    cursor.slice(next..second),
                    "external" | "public" | "internal" | "private"
                );
                // If no name follows a visibility, the visibility itself is the name.
                if visibility && next > end && third > second && identifier(third).is_some() {
                    next = third;
                }
            }
            _ => return,
        }
        if let Some(name_end) = identifier(next) {
            self.name(next..name_end);
        }
    }
}

fn comment_end(cursor: Cursor, at: usize, unclosed: &mut Once) -> Option<usize> {
    if cursor.byte(at + 1) == b'/' {
        // A line break after a backslash continues the comment.
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

/// Position after `pragma solidity`.
fn pragma_end(cursor: Cursor, at: usize, end: usize) -> Option<usize> {
    let second = cursor.space_end(end);
    let second_end = cursor.word_end(second);
    let is_pragma = WORDS.get(cursor.slice(at..end)) == Some(Word::Pragma);
    (is_pragma && cursor.slice(second..second_end) == "solidity").then_some(second_end)
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
