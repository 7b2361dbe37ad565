//! Scanner for Emacs Lisp.
//!
//! Every symbol that is not quoted and neither a special form nor a number is a name; keywords
//! include their colon.

use std::{ops::Range, sync::LazyLock};

use super::{global_end, is_escape, number_end, ratio_end, symbol_end};
use crate::{
    cursor::{Cursor, is_digit},
    scanner::Scanner,
    words::Words,
};

/// Special forms and the markers of argument lists, which are not names.
static WORDS: LazyLock<Words<()>> = LazyLock::new(|| {
    let words = "and catch cond condition-case defconst defvar function if interactive let let* or \
        prog1 prog2 progn quote save-current-buffer save-excursion save-restriction setq \
        setq-default subr-arity unwind-protect while \
        &allow-other-keys &aux &body &environment &key &optional &rest &whole";
    Words::new(&[((), words)])
});

/// Characters that a symbol may contain besides word characters.
const SIGNS: &[u8] = b"!$%&*+,-./<=>?@^{}~|";

/// What may follow a number.
const FOLLOWERS: &[u8] = b" \"()]'\n,;`";

/// The only state.
#[derive(Clone, Copy, Default)]
struct Code;

type EmacsLisp<'t, 'n> = Scanner<'t, 'n, Code>;

/// Appends the names of `text`, in order of appearance.
pub(in crate::lexers) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    EmacsLisp::new(text, names).run(EmacsLisp::step);
}

impl EmacsLisp<'_, '_> {
    #[inline]
    fn step(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let next = cursor.byte(at + 1);
        let symbol = |at: usize| symbol_end(cursor, at, SIGNS);
        self.at = match cursor.byte(at) {
            b';' => cursor.line_end(at),
            b'"' => cursor.quoted_end(at, b'"').unwrap_or(cursor.len()),
            b'?' if next != b'\\' && at + 1 < cursor.len() => cursor.after(at + 1),
            b'?' if next == b'\\' && is_escape(cursor, at + 1) => cursor.after(at + 2),
            b':' => match symbol(at + 1) {
                Some(end) => return self.name(at..end),
                None if next == b':' => symbol(at + 2).unwrap_or(at + 1),
                None => at + 1,
            },
            b'\'' => symbol(at + 1).unwrap_or(at + 1),
            b'#' if next == b'\'' => return self.name(at..at + 2),
            b'#' => hash_end(cursor, at).unwrap_or(at + 1),
            byte => {
                if let Some(end) = number_end(cursor, at, FOLLOWERS, |at| letter_end(cursor, at)) {
                    end
                } else if matches!(byte, b',' | b'.') {
                    at + 1 + usize::from(byte == b',' && next == b'@')
                } else {
                    return self.symbol();
                }
            }
        };
    }

    /// Reads a symbol, or one character if there is none.
    fn symbol(&mut self) {
        if self.space() {
            return;
        }
        let (cursor, at) = (self.cursor, self.at);
        // The constants `t` and `nil` end before a comma, symbols do not.
        if let Some(end) = cursor.any(at, &["t", "nil"])
            && cursor.byte(end) == b','
        {
            return self.name(at..end);
        }
        let end = global_end(cursor, at, SIGNS).or_else(|| symbol_end(cursor, at, SIGNS));
        match end {
            Some(end) if WORDS.has(cursor.slice(at..end)) => self.at = end,
            Some(end) => self.name(at..end),
            None => self.at = cursor.after(at),
        }
    }
}

/// End of the construct that a `#` starts.
fn hash_end(cursor: Cursor, at: usize) -> Option<usize> {
    let ratio = |from: usize, digit| ratio_end(cursor, from, digit);
    match cursor.byte(at + 1) {
        b':' => symbol_end(cursor, at + 2, SIGNS),
        b'^' => Some(cursor.optional(at + 2, b"^")),
        b'b' | b'B' => ratio(at + 2, |c| matches!(c, '0' | '1')),
        b'o' | b'O' => ratio(at + 2, |c| matches!(c, '0'..='7')),
        b'x' | b'X' => ratio(at + 2, |c| c.is_ascii_hexdigit()),
        _ => {
            let digits = cursor.run(at + 1, is_digit);
            match cursor.byte(digits) {
                _ if digits == at + 1 => None,
                b'r' => ratio(digits + 1, |c| c.is_ascii_alphanumeric()),
                b'=' | b'#' => Some(digits + 1),
                _ => None,
            }
        }
    }
}

/// End of the letter of an exponent.
fn letter_end(cursor: Cursor, at: usize) -> Option<usize> {
    b"defls".contains(&cursor.byte(at)).then_some(at + 1)
}
