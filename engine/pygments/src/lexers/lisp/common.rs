//! Scanner for Common Lisp.
//!
//! Every symbol that is not quoted and neither a keyword nor a number is a name. The words of the
//! language are recognised in lower case only.

use std::{ops::Range, sync::LazyLock};

use super::{global_end, number_end, ratio_end, symbol_end};
use crate::{
    cursor::{Cursor, Once, Searched, is_digit},
    scanner::Scanner,
    words::Words,
};

/// Special forms, markers of argument lists, declarations, and types that are not functions. None
/// of them is a name.
static WORDS: LazyLock<Words<()>> = LazyLock::new(|| {
    let words = "&allow-other-keys &aux &body &environment &key &optional &rest &whole \
        arithmetic-error base-char base-string bignum block boolean catch cell-error \
        compiled-function condition control-error declare division-by-zero double-float \
        dynamic-extent end-of-file eval-when extended-char file-error fixnum flet \
        floating-point-inexact floating-point-invalid-operation floating-point-overflow \
        floating-point-underflow ftype function go if ignorable ignore inline keyword labels lambda \
        let let* load-time-value locally long-float macrolet multiple-value-call \
        multiple-value-prog1 nil notinline optimize package-error parse-error print-not-readable \
        progn program-error progv quote reader-error return-from serious-condition setq short-float \
        signed-byte simple-array simple-base-string simple-bit-vector simple-condition simple-error \
        simple-string simple-type-error simple-vector simple-warning single-float special \
        standard-char storage-condition stream-error style-warning symbol-macrolet tagbody the \
        throw type type-error unbound-slot unbound-variable undefined-function unsigned-byte \
        unwind-protect warning";
    Words::new(&[((), words)])
});

/// Characters that a symbol may contain besides word characters.
const SIGNS: &[u8] = b"!$%&*+,-./<=>?@[]^{}~";

/// What may follow a constant or a number.
const FOLLOWERS: &[u8] = b" \"()'\n,;`";

type CommonLisp<'t, 'n> = Scanner<'t, 'n, (), Memory>;

#[derive(Default)]
struct Memory {
    path: Once,
    hashes: Searched,
}

/// Appends the names of `text`, in order of appearance.
pub(in crate::lexers) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    CommonLisp::new(text, names).run(CommonLisp::step);
}

impl CommonLisp<'_, '_> {
    #[inline]
    fn step(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        if self.space() {
            return;
        }
        self.at = match cursor.byte(at) {
            b';' => cursor.line_end(at),
            b'"' => self.quoted_end(at, b'"').unwrap_or(at + 1),
            b':' => self.keyword_end().unwrap_or(at + 1),
            b'\'' => self.any_symbol_end(at + 1).unwrap_or(at + 1),
            b'#' => return self.hash(),
            byte => match number_end(cursor, at, FOLLOWERS, |at| letter_end(cursor, at)) {
                Some(end) => end,
                None if byte == b',' && cursor.byte(at + 1) == b'@' => at + 2,
                None if matches!(byte, b',' | b'.') => at + 1,
                None => return self.symbol(),
            },
        };
    }

    fn keyword_end(&mut self) -> Option<usize> {
        let at = self.at;
        self.any_symbol_end(self.cursor.optional(at + 1, b":#"))
    }

    /// End of a symbol, which may stand between bars.
    fn any_symbol_end(&mut self, at: usize) -> Option<usize> {
        let cursor = self.cursor;
        if cursor.byte(at) != b'|' {
            return symbol_end(cursor, at, SIGNS);
        }
        let empty = cursor.byte(at + 1) == b'|';
        if empty { None } else { self.ending(at + 1, "|") }
    }

    fn symbol(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let constant = ["t", "nil"].iter().map(|word| at + word.len()).find(|end| {
            let word = cursor.slice(at..*end);
            (word.eq_ignore_ascii_case("t") || word.eq_ignore_ascii_case("nil") || is_dotless(word))
                && is_terminated(cursor, *end)
        });
        if let Some(end) = constant {
            return self.name(at..end);
        }
        if let Some(end) = self.any_global_end() {
            return self.name(at..end);
        }
        match self.any_symbol_end(at) {
            Some(end) if WORDS.has(cursor.slice(at..end)) => self.at = end,
            Some(end) => self.name(at..end),
            None => self.at = cursor.after(at),
        }
    }

    /// End of a symbol between stars, which may stand between bars.
    fn any_global_end(&mut self) -> Option<usize> {
        let (cursor, at) = (self.cursor, self.at);
        if !cursor.starts(at, "*|") {
            return global_end(cursor, at, SIGNS);
        }
        let end = self.any_symbol_end(at + 1)?;
        (cursor.byte(end) == b'*').then_some(end + 1)
    }

    /// What a `#` starts.
    fn hash(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let digits = cursor.run(at + 1, is_digit);
        let numbered = digits > at + 1;
        let end = match cursor.byte(at + 1) {
            b'|' => Some(cursor.nested_end(at, *b"#|", *b"|#")),
            b'\\' => {
                let single = cursor.after(at + 2);
                let alone = cursor.byte(at + 2) != b'\n' && is_terminated(cursor, single);
                if alone { Some(single) } else { self.any_symbol_end(at + 2) }
            }
            b'(' | b'.' | b',' | b'+' | b'-' => Some(at + 2),
            b':' => self.any_symbol_end(at + 2),
            b'\'' => return self.name(at..at + 2),
            b'b' | b'B' => ratio_end(cursor, at + 2, |c| matches!(c, '0' | '1')),
            b'o' | b'O' => ratio_end(cursor, at + 2, |c| matches!(c, '0'..='7')),
            b'x' | b'X' => ratio_end(cursor, at + 2, |c| c.is_ascii_hexdigit()),
            b'c' | b'C' | b's' | b'S' if cursor.byte(at + 2) == b'(' => Some(at + 3),
            b'p' | b'P' if cursor.byte(at + 2) == b'"' => self.path_end(at + 2),
            b'"' => self.path_end(at + 1),
            _ => None,
        };
        let end = end.or_else(|| match cursor.byte(digits) {
            b'y' | b'Y' => Some(cursor.line_end(digits)),
            b'*' => Some(cursor.ascii_run(digits + 1, |byte| matches!(byte, b'0' | b'1'))),
            b'r' | b'R' if numbered => ratio_end(cursor, digits + 1, is_digit_of_any_base),
            b'a' | b'A' if numbered && cursor.byte(digits + 1) == b'(' => Some(digits + 2),
            b'=' | b'#' if numbered => Some(digits + 1),
            _ => None,
        });
        self.at = end.or_else(|| self.removed_end()).unwrap_or(at + 1);
    }

    /// End of a path; if all quotes are escaped, it is at the last one.
    fn path_end(&mut self, at: usize) -> Option<usize> {
        let cursor = self.cursor;
        let end = self.memory.path.search(|| {
            let mut end = at + 1;
            loop {
                end = cursor.ascii_run(end, |byte| !matches!(byte, b'"' | b'\\'));
                match cursor.byte(end) {
                    b'"' => return Some(end + 1),
                    b'\\' if cursor.byte(end + 1) == b'\n' => end += 1,
                    b'\\' => end = cursor.after(end + 1),
                    _ => return None,
                }
            }
        });
        end.or_else(|| cursor.rest(at + 1).rfind('"').map(|offset| at + offset + 2))
    }

    /// End of a form after `#nil`, which has the effect of a comment.
    fn removed_end(&mut self) -> Option<usize> {
        let (cursor, at) = (self.cursor, self.at);
        let word = self.memory.hashes.search(at, || cursor.ascii_run(at, |byte| byte == b'#'));
        let nil = cursor.slice(word..word + 3).eq_ignore_ascii_case("nil");
        let open = cursor.space_end(word + 3);
        if !nil || !is_terminated(cursor, word + 3) || cursor.byte(open) != b'(' {
            return None;
        }
        let (mut at, mut depth) = (open + 1, 1usize);
        while at < cursor.len() && depth > 0 {
            match cursor.byte(at) {
                b'(' => depth += 1,
                b')' => depth -= 1,
                _ => {}
            }
            at += 1;
        }
        Some(at)
    }
}

/// Whether a word is `nil` with the one non-ASCII letter that Python takes for its `i`.
fn is_dotless(word: &str) -> bool {
    matches!(word.chars().collect::<Vec<_>>().as_slice(), ['n' | 'N', 'ı' | 'İ', 'l' | 'L'])
}

/// Whether a constant or a number may end here.
fn is_terminated(cursor: Cursor, at: usize) -> bool {
    FOLLOWERS.contains(&cursor.byte(at))
}

fn is_digit_of_any_base(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, 'ı' | 'İ' | 'ſ' | '\u{212a}')
}

/// End of the letter of an exponent.
fn letter_end(cursor: Cursor, at: usize) -> Option<usize> {
    let letter = cursor.character(at)?;
    let fits = "defls".contains(letter.to_ascii_lowercase()) || letter == 'ſ';
    fits.then(|| cursor.after(at))
}
