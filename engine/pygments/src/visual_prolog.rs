//! Scanner for Visual Prolog, which the comparator takes most files ending in
//! `.cl` for.
//!
//! Every identifier that is no keyword is a name; a keyword needs no edge in
//! front, and `end` none at all.

use std::ops::Range;
use std::sync::LazyLock;

use super::cursor::{Cursor, is_digit, is_word};
use super::words::Words;

static WORDS: LazyLock<Words<()>> = LazyLock::new(|| {
    let words = "align anyflow as bitsize determ digits erroneous externally failure from guard multi \
        nondeterm or orelse otherwise procedure resolve single suspending \
        goal namespace interface class implement where open inherits supports delegate monitor \
        constants domains predicates constructors properties clauses facts \
        and catch do else elseif finally foreach if then try div mod rem quot";
    Words::new(&[((), words)])
});

static DIRECTIVES: LazyLock<Words<()>> = LazyLock::new(|| {
    let words = "bininclude else elseif endif error export externally from grammargenerate \
        grammarinclude if include message options orrequires requires stringinclude then";
    Words::new(&[((), words)])
});

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    let cursor = Cursor::new(text);
    let mut at = 0;
    while at < cursor.len() {
        let next = cursor.byte(at + 1);
        at = match cursor.byte(at) {
            b'%' => cursor.line_end(at),
            b'/' if next == b'*' => comment_end(cursor, at + 2),
            quote @ (b'"' | b'\'') => text_end(cursor, at + 1, quote),
            b'@' if cursor.is(at + 1, is_word) => {
                let end = cursor.word_end(at + 1);
                names.push(at..end);
                end
            }
            b'@' if next == b'"' => whole_text_end(cursor, at + 2),
            b'#' => {
                let end = cursor.word_end(at + 1);
                if DIRECTIVES.has(cursor.slice(at + 1..end)) { end } else { at + 1 }
            }
            b'.' if cursor.is(at + 1, is_digit) => number_end(cursor, at),
            byte if byte.is_ascii_alphabetic() || byte == b'_' => word(cursor, at, names),
            byte if is_operator(byte) => cursor.ascii_run(at, is_operator),
            byte if is_punctuation(byte) => cursor.ascii_run(at, is_punctuation),
            _ if cursor.is(at, is_digit) => number_end(cursor, at),
            _ => cursor.after(at),
        };
    }
}

/// Takes a word; gives the position behind it, or behind the keyword that it
/// starts with.
fn word(cursor: Cursor, at: usize, names: &mut Vec<Range<usize>>) -> usize {
    let end = cursor.word_end(at);
    if WORDS.has(cursor.slice(at..end)) {
        return end;
    }
    if cursor.starts(at, "end") {
        return at + 3;
    }
    names.push(at..end);
    end
}

fn is_operator(byte: u8) -> bool {
    b"-+*^/!?<>=~:".contains(&byte)
}

fn is_punctuation(byte: u8) -> bool {
    b"$,.[]|(){}\\".contains(&byte)
}

/// Position behind the comment whose content starts at `at`; comments nest.
fn comment_end(cursor: Cursor, at: usize) -> usize {
    let (mut at, mut depth) = (at, 1usize);
    while at < cursor.len() && depth > 0 {
        at = cursor.ascii_run(at, |byte| !matches!(byte, b'*' | b'/'));
        let mark = [b"/*", b"*/"].map(|mark| [cursor.byte(at), cursor.byte(at + 1)] == *mark);
        depth = depth + usize::from(mark[0]) - usize::from(mark[1]);
        at += if mark[0] || mark[1] { 2 } else { 1 };
    }
    at
}

/// Position behind the text whose content starts at `at`; the line's end ends
/// it too.
fn text_end(cursor: Cursor, at: usize, quote: u8) -> usize {
    let mut at = at;
    loop {
        at = cursor.ascii_run(at, |byte| byte != quote && !matches!(byte, b'\\' | b'\n'));
        let hidden = matches!(cursor.byte(at + 1), b'\'' | b'"' | b'\\');
        match cursor.byte(at) {
            b'\\' => at += 1 + usize::from(hidden),
            _ => return at + 1,
        }
    }
}

/// Position behind the text in which a quote hides a second one.
fn whole_text_end(cursor: Cursor, at: usize) -> usize {
    let mut at = at;
    while let Some(quote) = cursor.find(at, b'"') {
        if cursor.byte(quote + 1) != b'"' {
            return quote + 1;
        }
        at = quote + 2;
    }
    cursor.len()
}

fn number_end(cursor: Cursor, at: usize) -> usize {
    let digits = |from: usize| cursor.run(from, |c| c == '_' || is_digit(c));
    let hex = cursor.run(at + 2, |c| c == '_' || is_digit(c) || c.is_ascii_hexdigit());
    if cursor.byte(at) == b'0' && matches!(cursor.byte(at + 1), b'x' | b'o') && hex > at + 2 {
        return hex;
    }
    let whole = digits(at);
    let fraction = cursor.byte(whole) == b'.' && cursor.is(whole + 1, is_digit);
    let end = if fraction { digits(whole + 1) } else { whole };
    let sign = usize::from(matches!(cursor.byte(end + 1), b'+' | b'-'));
    let power = cursor.run(end + 1 + sign, is_digit);
    let fits = matches!(cursor.byte(end), b'e' | b'E') && power > end + 1 + sign;
    if fits { power } else { end }
}
