//! Scanner for Emacs Lisp.
//!
//! Every symbol that is not quoted, no special form and no number is a name;
//! keywords count with their colon.

use std::ops::Range;
use std::sync::LazyLock;

use super::cursor::{Cursor, is_digit, is_word};
use super::words::Words;

/// Special forms and the markers of argument lists: no names.
static WORDS: LazyLock<Words<()>> = LazyLock::new(|| {
    let words = "and catch cond condition-case defconst defvar function if interactive let let* or \
        prog1 prog2 progn quote save-current-buffer save-excursion save-restriction setq \
        setq-default subr-arity unwind-protect while \
        &allow-other-keys &aux &body &environment &key &optional &rest &whole";
    Words::new(&[((), words)])
});

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    let cursor = Cursor::new(text);
    let mut at = 0;
    while at < cursor.len() {
        let next = cursor.byte(at + 1);
        at = match cursor.byte(at) {
            b';' => cursor.line_end(at),
            b'"' => string_end(cursor, at + 1),
            b'?' if next != b'\\' && at + 1 < cursor.len() => cursor.after(at + 1),
            b'?' if next == b'\\' && is_escape(cursor, at + 1) => cursor.after(at + 2),
            b':' => match symbol_end(cursor, at + 1) {
                Some(end) => {
                    names.push(at..end);
                    end
                }
                None if next == b':' => symbol_end(cursor, at + 2).unwrap_or(at + 1),
                None => at + 1,
            },
            b'\'' => symbol_end(cursor, at + 1).unwrap_or(at + 1),
            b'#' => hash(cursor, at, names),
            byte => {
                if let Some(end) = number_end(cursor, at) {
                    end
                } else if matches!(byte, b',' | b'.') {
                    at + 1 + usize::from(byte == b',' && next == b'@')
                } else {
                    symbol(cursor, at, names)
                }
            }
        };
    }
}

/// Takes a symbol, or one character if none starts here.
fn symbol(cursor: Cursor, at: usize, names: &mut Vec<Range<usize>>) -> usize {
    let space = cursor.space_end(at);
    if space > at {
        return space;
    }
    // The constants `t` and `nil` end in front of a comma, symbols do not.
    let constant = ["t", "nil"].iter().find(|word| cursor.starts(at, word));
    if let Some(end) = constant.map(|word| at + word.len())
        && cursor.byte(end) == b','
    {
        names.push(at..end);
        return end;
    }
    let Some(end) = global_end(cursor, at).or_else(|| symbol_end(cursor, at)) else {
        return cursor.after(at);
    };
    if !WORDS.has(cursor.slice(at..end)) {
        names.push(at..end);
    }
    end
}

/// What a `#` starts.
fn hash(cursor: Cursor, at: usize, names: &mut Vec<Range<usize>>) -> usize {
    let signed = |from: usize, test: fn(u8) -> bool| {
        let sign = usize::from(matches!(cursor.byte(from), b'+' | b'-'));
        let end = cursor.ascii_run(from + sign, test);
        if end == from + sign {
            return None;
        }
        let second = cursor.ascii_run(end + 1, test);
        Some(if cursor.byte(end) == b'/' && second > end + 1 { second } else { end })
    };
    let end = match cursor.byte(at + 1) {
        b':' => symbol_end(cursor, at + 2),
        b'^' => Some(at + 2 + usize::from(cursor.byte(at + 2) == b'^')),
        b'\'' => {
            names.push(at..at + 2);
            Some(at + 2)
        }
        b'b' | b'B' => signed(at + 2, |byte| matches!(byte, b'0' | b'1')),
        b'o' | b'O' => signed(at + 2, |byte| matches!(byte, b'0'..=b'7')),
        b'x' | b'X' => signed(at + 2, |byte| byte.is_ascii_hexdigit()),
        _ => {
            let digits = cursor.run(at + 1, is_digit);
            match cursor.byte(digits) {
                _ if digits == at + 1 => None,
                b'r' => signed(digits + 1, |byte| byte.is_ascii_alphanumeric()),
                b'=' | b'#' => Some(digits + 1),
                _ => None,
            }
        }
    };
    end.unwrap_or(at + 1)
}

/// Whether the backslash at `at` hides a character of the same line.
fn is_escape(cursor: Cursor, at: usize) -> bool {
    at + 1 < cursor.len() && cursor.byte(at + 1) != b'\n'
}

/// Position behind one character of a symbol; the first one must not be `#`
/// or a colon.
fn part_end(cursor: Cursor, at: usize, first: bool) -> Option<usize> {
    let byte = cursor.byte(at);
    if byte == b'\\' {
        return is_escape(cursor, at).then(|| cursor.after(at + 1));
    }
    let fits = cursor.is(at, is_word)
        || byte != 0 && b"!$%&*+,-./<=>?@^{}~|".contains(&byte)
        || !first && matches!(byte, b'#' | b':');
    fits.then(|| cursor.after(at))
}

fn symbol_end(cursor: Cursor, at: usize) -> Option<usize> {
    let mut end = part_end(cursor, at, true)?;
    while let Some(next) = part_end(cursor, end, false) {
        end = next;
    }
    Some(end)
}

/// End of a symbol between stars, at the last star of the run.
fn global_end(cursor: Cursor, at: usize) -> Option<usize> {
    if cursor.byte(at) != b'*' {
        return None;
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

/// Position behind the string whose content starts at `at`.
fn string_end(cursor: Cursor, at: usize) -> usize {
    cursor.quoted_end(at - 1, b'"').unwrap_or(cursor.len())
}

/// End of the number at `at`. Only some characters may follow it; before any
/// other one it is a symbol.
fn number_end(cursor: Cursor, at: usize) -> Option<usize> {
    let digits = |from: usize| cursor.run(from, is_digit);
    let sign = |at: usize| at + usize::from(matches!(cursor.byte(at), b'+' | b'-'));
    let ended = |end: usize| {
        (end < cursor.len() && b" \"()]'\n,;`".contains(&cursor.byte(end))).then_some(end)
    };
    let exponent = |at: usize| {
        let start = sign(at + 1);
        let fits = b"defls".contains(&cursor.byte(at)) && digits(start) > start;
        fits.then(|| digits(start))
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
