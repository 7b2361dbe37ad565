//! Splits text into pieces. No token extends across the boundary of a piece.
//!
//! The rules of `cl100k_base`, as the encoding publishes them; the first that matches wins:
//!
//! 1. an apostrophe with `s`, `d`, `m`, `t`, `ll`, `ve` or `re`, in either case;
//! 2. letters, with at most one character before them that is neither letter, number nor line end;
//! 3. one to three numbers;
//! 4. symbols, with at most one space (U+0020) before them and all line ends after them;
//! 5. white space up to the end of the text;
//! 6. white space up to the last line end of its run;
//! 7. white space without the last character of its run;
//! 8. one white space.

use super::classes::{Class, class, class_of_ascii};

/// The pieces of a text in order; concatenated they give the text.
pub fn pieces(text: &str) -> impl Iterator<Item = &str> {
    split(text, length)
}

/// The pieces of a text by the rules of `length`, which gives the length in bytes of the first piece, and 0 only for
/// the empty text.
pub fn split(text: &str, length: impl Fn(&str) -> usize) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (piece, after) = rest.split_at_checked(length(rest))?;
        rest = after;
        (!piece.is_empty()).then_some(piece)
    })
}

/// Length in bytes of the first piece of a text; 0 only for the empty text.
fn length(text: &str) -> usize {
    let mut characters = text.chars();
    let Some(first) = characters.next() else { return 0 };
    if first == '\''
        && let Some(length) = contraction(characters.as_str())
    {
        return 1 + length;
    }
    let after_first = first.len_utf8();
    let rest = characters.as_str();
    match class(first) {
        Class::Letter => after_first + run(rest, Class::Letter),
        Class::Number => {
            let more = rest.char_indices().take(2).take_while(|(_, c)| class(*c) == Class::Number);
            after_first + more.map(|(_, number)| number.len_utf8()).sum::<usize>()
        }
        kind @ (Class::Space | Class::Symbol) => {
            let letters = run(rest, Class::Letter);
            if letters > 0 {
                return after_first + letters;
            }
            let symbols = run(rest, Class::Symbol);
            if kind == Class::Symbol || (first == ' ' && symbols > 0) {
                let end = after_first + symbols;
                return end + run(text.get(end..).unwrap_or_default(), Class::LineEnd);
            }
            white_space(text)
        }
        Class::LineEnd => white_space(text),
    }
}

/// Length in bytes of the letters of a contraction after its apostrophe.
fn contraction(text: &str) -> Option<usize> {
    let mut characters = text.chars();
    let first = characters.next()?;
    // The rule ignores case as Unicode defines it, so the long s counts as an s.
    if matches!(first, 's' | 'S' | 'd' | 'D' | 'm' | 'M' | 't' | 'T' | 'ſ') {
        return Some(first.len_utf8());
    }
    let second = characters.next()?;
    let pair = (first.to_ascii_lowercase(), second.to_ascii_lowercase());
    matches!(pair, ('l', 'l') | ('v' | 'r', 'e')).then_some(2)
}

/// Length in bytes of the run of characters of a class at the beginning of a text.
fn run(text: &str, wanted: Class) -> usize {
    let bytes = text.as_bytes();
    let other = |byte: &u8| !byte.is_ascii() || class_of_ascii(*byte) != wanted;
    let ascii = bytes.iter().position(other).unwrap_or(bytes.len());
    if bytes.get(ascii).is_none_or(u8::is_ascii) {
        return ascii;
    }
    let rest = text.get(ascii..).unwrap_or_default();
    ascii + rest.find(|character| class(character) != wanted).unwrap_or(rest.len())
}

/// Length in bytes of the piece at the beginning of a text that starts with white space.
fn white_space(text: &str) -> usize {
    let end = text.find(|character: char| !character.is_whitespace()).unwrap_or(text.len());
    if end == text.len() {
        return end;
    }
    let space = text.get(..end).unwrap_or_default();
    if let Some(line_end) = space.rfind(['\r', '\n']) {
        return line_end + 1;
    }
    let last = space.chars().next_back().map_or(0, char::len_utf8);
    if end > last { end - last } else { end }
}

#[cfg(test)]
mod tests {
    use super::pieces;

    // Worked out by hand from the rules above.
    #[test]
    fn each_rule_splits_as_written() {
        let of = |text| pieces(text).collect::<Vec<_>>();
        assert_eq!(of("it's WE'LL 'x"), ["it", "'s", " WE", "'LL", " '", "x"]);
        assert_eq!(of("a12345 b"), ["a", "123", "45", " b"]);
        assert_eq!(of("f(x) ->\n\ny"), ["f", "(x", ")", " ->\n\n", "y"]);
        assert_eq!(of("a  \n   b"), ["a", "  \n", "  ", " b"]);
        assert_eq!(of("a \t\n  "), ["a", " \t\n  "]);
        assert_eq!(of("│def ⋮\n"), ["│def", " ⋮\n"]);
    }
}
