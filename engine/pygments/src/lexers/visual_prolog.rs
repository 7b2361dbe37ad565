//! Scanner for Visual Prolog, as which the comparator reads most files with the extension `.cl`.
//!
//! Every identifier that is not a keyword is a name. A keyword is recognised even after a word
//! character, and `end` even at the beginning of a longer word.

use std::{ops::Range, sync::LazyLock};

use crate::{
    cursor::{Cursor, is_digit, is_word, starts_identifier},
    scanner::Scanner,
    words::Words,
};

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

/// The only state.
#[derive(Clone, Copy, Default)]
struct Code;

type VisualProlog<'t, 'n> = Scanner<'t, 'n, Code>;

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    VisualProlog::new(text, names).run(VisualProlog::step);
}

impl VisualProlog<'_, '_> {
    #[inline]
    fn step(&mut self) {
        if self.space() {
            return;
        }
        let (cursor, at) = (self.cursor, self.at);
        let next = cursor.byte(at + 1);
        self.at = match cursor.byte(at) {
            b'%' => cursor.line_end(at),
            b'/' if next == b'*' => cursor.nested_end(at, *b"/*", *b"*/"),
            quote @ (b'"' | b'\'') => text_end(cursor, at + 1, quote),
            b'@' if cursor.is(at + 1, is_word) => return self.name(at..cursor.word_end(at + 1)),
            b'@' if next == b'"' => whole_text_end(cursor, at + 2),
            b'#' => {
                let end = cursor.word_end(at + 1);
                if DIRECTIVES.has(cursor.slice(at + 1..end)) { end } else { at + 1 }
            }
            b'.' if cursor.is(at + 1, is_digit) => number_end(cursor, at),
            byte if starts_identifier(byte) => return self.word(),
            byte if is_operator(byte) => cursor.ascii_run(at, is_operator),
            byte if is_punctuation(byte) => cursor.ascii_run(at, is_punctuation),
            _ if cursor.is(at, is_digit) => number_end(cursor, at),
            _ => cursor.after(at),
        };
    }

    /// A word, or the keyword that it starts with.
    fn word(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let end = cursor.word_end(at);
        if WORDS.has(cursor.slice(at..end)) {
            self.at = end;
        } else if cursor.starts(at, "end") {
            self.at = at + 3;
        } else {
            self.name(at..end);
        }
    }
}

fn is_operator(byte: u8) -> bool {
    b"-+*^/!?<>=~:".contains(&byte)
}

fn is_punctuation(byte: u8) -> bool {
    b"$,.[]|(){}\\".contains(&byte)
}

/// Position after the string whose content starts at `at`; the end of the line ends it, too.
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

/// Position after a string in which a doubled quote stands for one.
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
    cursor.exponent_end(end, b"eE", |at| cursor.run(at, is_digit)).unwrap_or(end)
}
