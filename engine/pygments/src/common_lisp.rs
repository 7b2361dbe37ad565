//! Scanner for Common Lisp.
//!
//! Every symbol that is not quoted, no keyword and no number is a name. The
//! words of the language are known in small letters only.

use std::ops::Range;
use std::sync::LazyLock;

use super::cursor::{Cursor, Once, Searched, is_digit, is_word};
use super::words::Words;

/// Special forms, markers of argument lists, declarations and types that are no
/// function: no names.
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

struct Scanner<'t, 'n> {
    cursor: Cursor<'t>,
    at: usize,
    names: &'n mut Vec<Range<usize>>,
    text: Once,
    path: Once,
    bar: Once,
    hashes: Searched,
}

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    let cursor = Cursor::new(text);
    let (text, path, bar) = (Once::default(), Once::default(), Once::default());
    let hashes = Searched::default();
    let mut scanner = Scanner { cursor, at: 0, names, text, path, bar, hashes };
    while scanner.at < cursor.len() {
        scanner.step();
    }
}

impl Scanner<'_, '_> {
    fn name(&mut self, range: Range<usize>) {
        self.at = range.end;
        self.names.push(range);
    }

    fn step(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let space = cursor.space_end(at);
        if space > at {
            self.at = space;
            return;
        }
        self.at = match cursor.byte(at) {
            b';' => cursor.line_end(at),
            b'"' => self.text.search(|| cursor.quoted_end(at, b'"')).unwrap_or(at + 1),
            b':' => self.keyword_end().unwrap_or(at + 1),
            b'\'' => self.symbol_end(at + 1).unwrap_or(at + 1),
            b'#' => return self.hash(),
            byte => match number_end(cursor, at) {
                Some(end) => end,
                None if byte == b',' && cursor.byte(at + 1) == b'@' => at + 2,
                None if matches!(byte, b',' | b'.') => at + 1,
                None => return self.symbol(),
            },
        };
    }

    fn keyword_end(&mut self) -> Option<usize> {
        let at = self.at;
        let marks = usize::from(matches!(self.cursor.byte(at + 1), b':' | b'#'));
        self.symbol_end(at + 1 + marks)
    }

    /// End of a symbol, which may stand between bars.
    fn symbol_end(&mut self, at: usize) -> Option<usize> {
        let cursor = self.cursor;
        if cursor.byte(at) == b'|' {
            let empty = cursor.byte(at + 1) == b'|';
            let close = if empty { None } else { self.bar.search(|| cursor.find(at + 1, b'|')) };
            return close.map(|close| close + 1);
        }
        let mut end = part_end(cursor, at, true)?;
        while let Some(next) = part_end(cursor, end, false) {
            end = next;
        }
        Some(end)
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
        if let Some(end) = self.global_end() {
            return self.name(at..end);
        }
        match self.symbol_end(at) {
            Some(end) if WORDS.has(cursor.slice(at..end)) => self.at = end,
            Some(end) => self.name(at..end),
            None => self.at = cursor.after(at),
        }
    }

    /// End of a symbol between stars, at the last star of the run.
    fn global_end(&mut self) -> Option<usize> {
        let (cursor, at) = (self.cursor, self.at);
        if cursor.byte(at) != b'*' {
            return None;
        }
        if cursor.byte(at + 1) == b'|' {
            let end = self.symbol_end(at + 1)?;
            return (cursor.byte(end) == b'*').then_some(end + 1);
        }
        let mut end = part_end(cursor, at + 1, true)?;
        let mut last = None;
        while let Some(next) = part_end(cursor, end, false) {
            if cursor.byte(end) == b'*' {
                last = Some(next);
            }
            end = next;
        }
        last
    }

    /// What a `#` starts.
    fn hash(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let digits = cursor.run(at + 1, is_digit);
        let numbered = digits > at + 1;
        let end = match cursor.byte(at + 1) {
            b'|' => Some(comment_end(cursor, at + 2)),
            b'\\' => {
                let single = cursor.after(at + 2);
                let alone = cursor.byte(at + 2) != b'\n' && is_terminated(cursor, single);
                if alone { Some(single) } else { self.symbol_end(at + 2) }
            }
            b'(' | b'.' | b',' | b'+' | b'-' => Some(at + 2),
            b':' => self.symbol_end(at + 2),
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

    /// End of a path, at the last quote if all are hidden.
    fn path_end(&mut self, at: usize) -> Option<usize> {
        let cursor = self.cursor;
        let end = self.path.search(|| {
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

    /// End of a form behind `#nil`, which is as good as a comment.
    fn removed_end(&mut self) -> Option<usize> {
        let (cursor, at) = (self.cursor, self.at);
        let word = self.hashes.search(at, || cursor.ascii_run(at, |byte| byte == b'#'));
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

/// `nil` with the one letter beyond ASCII that Python takes for its `i`.
fn is_dotless(word: &str) -> bool {
    matches!(word.chars().collect::<Vec<_>>().as_slice(), ['n' | 'N', 'ı' | 'İ', 'l' | 'L'])
}

/// Whether a constant or a number may end here.
fn is_terminated(cursor: Cursor, at: usize) -> bool {
    at < cursor.len() && b" \"()'\n,;`".contains(&cursor.byte(at))
}

fn is_digit_of_any_base(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, 'ı' | 'İ' | 'ſ' | '\u{212a}')
}

/// End of one or two numbers with a slash between them, behind a sign.
fn ratio_end(cursor: Cursor, at: usize, test: fn(char) -> bool) -> Option<usize> {
    let start = at + usize::from(matches!(cursor.byte(at), b'+' | b'-'));
    let end = cursor.run(start, test);
    if end == start {
        return None;
    }
    let second = cursor.run(end + 1, test);
    Some(if cursor.byte(end) == b'/' && second > end + 1 { second } else { end })
}

/// Position behind one character of a symbol; the first one must not be `#`, a
/// dot or a colon.
fn part_end(cursor: Cursor, at: usize, first: bool) -> Option<usize> {
    let byte = cursor.byte(at);
    if byte == b'\\' {
        let hides = at + 1 < cursor.len() && cursor.byte(at + 1) != b'\n';
        return hides.then(|| cursor.after(at + 1));
    }
    let fits = cursor.is(at, is_word)
        || byte != 0 && b"!$%&*+,-./<=>?@[]^{}~".contains(&byte)
        || !first && matches!(byte, b'#' | b':');
    fits.then(|| cursor.after(at))
}

/// Position behind the comment whose content starts at `at`; comments nest.
fn comment_end(cursor: Cursor, at: usize) -> usize {
    let (mut at, mut depth) = (at, 1usize);
    while at < cursor.len() && depth > 0 {
        at = cursor.ascii_run(at, |byte| !matches!(byte, b'#' | b'|'));
        let mark = [b"#|", b"|#"].map(|mark| [cursor.byte(at), cursor.byte(at + 1)] == *mark);
        depth = depth + usize::from(mark[0]) - usize::from(mark[1]);
        at += if mark[0] || mark[1] { 2 } else { 1 };
    }
    at.min(cursor.len())
}

/// End of the number at `at`. Only some characters may follow it; before any
/// other one it is a symbol.
fn number_end(cursor: Cursor, at: usize) -> Option<usize> {
    let digits = |from: usize| cursor.run(from, is_digit);
    let sign = |at: usize| at + usize::from(matches!(cursor.byte(at), b'+' | b'-'));
    let ended = |end: usize| is_terminated(cursor, end).then_some(end);
    let exponent = |at: usize| {
        let letter = cursor.character(at)?;
        let start = sign(at + letter.len_utf8());
        let fits = "defls".contains(letter.to_ascii_lowercase()) || letter == 'ſ';
        (fits && digits(start) > start).then(|| digits(start))
    };
    let start = sign(at);
    let whole = digits(start);
    let has_whole = whole > start;
    let dot = cursor.byte(whole) == b'.';
    let fraction = if dot { digits(whole + 1) } else { whole };
    if has_whole && fraction <= whole + 1 {
        // An integer, which may end in a dot.
        if let Some(end) = ended(fraction).or_else(|| ended(whole)) {
            return Some(end);
        }
    }
    if has_whole && cursor.byte(whole) == b'/' && digits(whole + 1) > whole + 1 {
        return ended(digits(whole + 1));
    }
    if has_whole || dot && fraction > whole + 1 {
        let end = exponent(fraction).or((fraction > whole + 1).then_some(fraction))?;
        return ended(end);
    }
    None
}
