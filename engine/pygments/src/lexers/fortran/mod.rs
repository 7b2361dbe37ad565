//! Scanner for Fortran, in free and in fixed form.
//!
//! Case does not matter. Identifiers that are not keywords are names. A built-in procedure is a
//! name that includes the white space after it, if a word follows. In fixed form, the first five
//! columns of a line of code are a name of their own, even if they are blank.

mod words;

use std::ops::Range;

use self::words::{WORDS, Word};
use crate::{
    cursor::{Cursor, is_digit, is_word},
    scanner::Scanner,
};

/// The only state.
#[derive(Clone, Copy, Default)]
struct Code;

type Fortran<'t, 'n> = Scanner<'t, 'n, Code>;

/// Appends the names of a text in free form.
pub(super) fn scan_free(text: &str, names: &mut Vec<Range<usize>>) {
    Fortran::new(text, names).run(Fortran::step);
}

/// Appends the names of a text in fixed form.
pub(super) fn scan_fixed(text: &str, names: &mut Vec<Range<usize>>) {
    let cursor = Cursor::new(text);
    let mut line = 0;
    while line < cursor.len() {
        let end = cursor.line_end(line);
        fixed_line(cursor, line..end, names);
        line = end + 1;
    }
}

/// One line in fixed form, without its line break.
fn fixed_line(cursor: Cursor, line: Range<usize>, names: &mut Vec<Range<usize>>) {
    let text = cursor.slice(line.clone());
    let blanks = cursor.ascii_run(line.start, |byte| byte == b' ') - line.start;
    if text.starts_with(['C', 'c', '*', '#'])
        || blanks < 5 && cursor.byte(line.start + blanks) == b'!'
    {
        return;
    }
    let column =
        |number: usize| text.char_indices().nth(number).map(|(offset, _)| line.start + offset);
    let Some(continuation) = column(5).or_else(|| (text.chars().count() == 5).then_some(line.end))
    else {
        return free_line(cursor, line, names);
    };
    names.push(line.start..continuation);
    if continuation < line.end {
        let code = cursor.after(continuation);
        free_line(cursor, code..column(72).unwrap_or(line.end), names);
    }
}

/// Scans a piece of one line in free form.
fn free_line(cursor: Cursor, piece: Range<usize>, names: &mut Vec<Range<usize>>) {
    // A `#` or `!` that starts or ends the piece is recognised only before a line break.
    let text = [cursor.slice(piece.clone()), "\n"].concat();
    Fortran::with(&text, piece.start, names, ()).run(Fortran::step);
}

impl Fortran<'_, '_> {
    #[inline]
    fn step(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        match cursor.byte(at) {
            b'#' if cursor.at_line_start(at) => self.at = cursor.next_line(at),
            b'!' => self.at = cursor.next_line(at),
            quote @ (b'"' | b'\'') => self.at = self.quoted_end(at, quote).unwrap_or(at + 1),
            byte if byte.is_ascii_alphabetic() => self.word(),
            // Case folding makes these four characters equal to ASCII letters.
            _ if cursor.is(at, |c| matches!(c, 'ſ' | '\u{212a}' | 'İ' | 'ı')) => self.word(),
            _ if cursor.is(at, is_digit) => self.at = number_end(cursor, at),
            _ => {
                let space = cursor.space_end(at);
                self.at = if space > at { space } else { cursor.after(at) };
            }
        }
    }

    fn word(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let end = cursor.word_end(at);
        if !cursor.before(at).is_some_and(is_word) {
            let word = fold(cursor.slice(at..end));
            if let Some(end) = pair_end(cursor, &word, end) {
                self.at = end;
                return;
            }
            match WORDS.get(&word) {
                Some(Word::Keyword) => {
                    self.at = end;
                    return;
                }
                Some(Word::Intrinsic) => {
                    let space = cursor.space_end(end);
                    return self.name_to(if cursor.is(space, is_word) { space } else { end });
                }
                None => {}
            }
        }
        self.name_to(cursor.run(at, |character| character == '$' || is_word(character)));
    }
}

/// The word in lower case, with the letters that case folding makes equal.
fn fold(word: &str) -> String {
    let fold = |character: char| match character {
        'ſ' => 's',
        '\u{212a}' => 'k',
        'İ' | 'ı' => 'i',
        _ => character.to_ascii_lowercase(),
    };
    word.chars().map(fold).collect()
}

/// End of a keyword of two words whose first word ends at `end`.
fn pair_end(cursor: Cursor, word: &str, end: usize) -> Option<usize> {
    let seconds: &[&str] = match word {
        "goto" => return Some(end),
        "go" => &["to"],
        "do" => &["concurrent"],
        "error" => &["stop"],
        "double" => &["precision", "complex"],
        _ => return None,
    };
    let space = cursor.space_end(end);
    let fits = match word {
        "go" => true,
        "do" => space > end,
        _ => cursor.slice(end..space) == " ",
    };
    let second_end = cursor.word_end(space);
    let second = fold(cursor.slice(space..second_end));
    (fits && seconds.contains(&second.as_str())).then_some(second_end)
}

/// End of the number at `at`. The last digit before a dot or an `e` belongs to the next number; a
/// `d` without a dot is not an exponent.
fn number_end(cursor: Cursor, at: usize) -> usize {
    let digits = |from: usize| cursor.run(from, is_digit);
    let kind = |end: usize| {
        let first = cursor.byte(end + 1);
        if cursor.byte(end) != b'_' {
            end
        } else if first.is_ascii_alphabetic() {
            cursor.word_end(end + 1)
        } else {
            end + 2 * usize::from(matches!(first, b'1'..=b'9'))
        }
    };
    let exponent = |from: usize| cursor.exponent_end(from, b"eEdD", digits);
    let whole = digits(at);
    if !matches!(cursor.byte(whole), b'.' | b'e' | b'E') {
        return kind(whole);
    }
    if cursor.after(at) < whole {
        let last = cursor.before(whole).map_or(1, char::len_utf8);
        return whole - last;
    }
    let fraction = if cursor.byte(whole) == b'.' { digits(whole + 1) } else { whole };
    match exponent(fraction) {
        Some(end) => kind(end),
        None if fraction > whole => kind(fraction),
        None => cursor.after(at),
    }
}
