//! Scanner for SuperCollider, as which the comparator reads Scala scripts.
//!
//! Every identifier that is not a keyword is a name. As in JavaScript, a slash opens a regular
//! expression after operators, opening brackets and most keywords, and at a line start. If none can
//! be read there, the rest of the line is lost.

use std::{ops::Range, sync::LazyLock};

use super::script::Expressions;
use crate::{
    cursor::{Cursor, is_space},
    scanner::Scanner,
    words::Words,
};

/// Keywords, and whether a slash after one opens a regular expression.
static WORDS: LazyLock<Words<bool>> = LazyLock::new(|| {
    let operand = "for in while do break return continue switch case default if else throw try catch \
        finally new delete typeof instanceof void var let with function arg";
    let plain = "boolean byte char class const debugger double enum export extends final float goto \
        implements import int interface long native package private protected public short static \
        super synchronized throws transient volatile true false nil inf";
    Words::new(&[(true, operand), (false, plain)])
});

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Code,
    /// A place where a slash opens a regular expression.
    Operand,
}

type SuperCollider<'t, 'n> = Scanner<'t, 'n, State, Expressions>;

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    SuperCollider::new(text, names).run(SuperCollider::step);
}

impl SuperCollider<'_, '_> {
    #[inline]
    fn step(&mut self) {
        let (cursor, at, byte) = (self.cursor, self.at, self.byte());
        let starts_line = byte == b'/' || cursor.starts(at, "<!--") || cursor.is(at, is_space);
        if starts_line && cursor.at_line_start(at) {
            self.state = State::Operand;
        }
        if self.blank() {
            return;
        }
        if std::mem::take(&mut self.state) == State::Operand && byte == b'/' {
            let end = self.memory.end(cursor, at, b"gim");
            self.at = end.unwrap_or_else(|| cursor.next_line(at));
            return;
        }
        let next = cursor.byte(at + 1);
        self.at = match byte {
            b'{' | b'(' | b'[' | b';' | b',' | b'~' | b'?' | b':' | b'<' | b'>' | b'=' | b'!'
            | b'-' | b'+' | b'*' | b'%' | b'&' | b'|' | b'^' | b'/' => {
                self.state = State::Operand;
                at + 1
            }
            b'\\' if next == b'\n' => {
                self.state = State::Operand;
                at + 1
            }
            b'\\' if starts_name(next) => cursor.word_end(at + 2),
            b'0'..=b'9' => number_end(cursor, at),
            b'"' | b'\'' => self.quoted_end(at, byte).unwrap_or(at + 1),
            _ if starts_name(byte) => return self.word(),
            _ => cursor.after(at),
        };
    }

    /// Skips white space or a comment, which do not change the meaning of a slash.
    fn blank(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        if self.space() {
            return true;
        }
        let end = match cursor.byte(at) {
            b'<' => cursor.any(at, &["<!--"]),
            b'/' if cursor.byte(at + 1) == b'/' => Some(cursor.next_line(at)),
            b'/' if cursor.byte(at + 1) == b'*' => self.ending(at + 2, "*/"),
            _ => None,
        };
        self.at = end.unwrap_or(at);
        end.is_some()
    }

    fn word(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let end = cursor.word_end(at + 1);
        match WORDS.get(cursor.slice(at..end)) {
            Some(opens) => {
                self.state = if opens { State::Operand } else { State::Code };
                self.at = end;
            }
            None => self.name(at..end),
        }
    }
}

fn starts_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'$' | b'_')
}

fn number_end(cursor: Cursor, at: usize) -> usize {
    let digits = |from: usize| cursor.digits_end(from);
    let whole = digits(at);
    let fraction = digits(whole + 1);
    if cursor.byte(whole) == b'.' && fraction > whole + 1 {
        let power = digits(fraction + 1);
        let fits = matches!(cursor.byte(fraction), b'e' | b'E') && power > fraction + 1;
        let end = if fits { power } else { fraction };
        return cursor.optional(end, b"fd");
    }
    let hex = cursor.ascii_run(at + 2, |byte| byte.is_ascii_hexdigit());
    if cursor.starts(at, "0x") && hex > at + 2 { hex } else { whole }
}
