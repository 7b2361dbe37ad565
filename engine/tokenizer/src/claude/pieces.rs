//! Splits text into pieces. No token extends across the boundary of a piece.
//!
//! The byte-level rules of the comparator's tokenizer library; the first that matches wins:
//!
//! 1. an apostrophe with `s`, `t`, `re`, `ve`, `m`, `ll` or `d`, in lower case;
//! 2. letters, or numbers, or symbols, with at most one space (U+0020) before them;
//! 3. white space up to the end of the text;
//! 4. white space without the last character of its run;
//! 5. one white space.

use crate::{
    classes::{Class, class},
    pieces::split,
};

/// The pieces of a text in order; concatenated they give the text.
pub fn pieces(text: &str) -> impl Iterator<Item = &str> {
    split(text, length)
}

/// Length in bytes of the first piece of a text; 0 only for the empty text.
fn length(text: &str) -> usize {
    let contraction = ["'s", "'t", "'re", "'ve", "'m", "'ll", "'d"];
    if let Some(found) = contraction.iter().find(|start| text.starts_with(**start)) {
        return found.len();
    }
    let space = usize::from(text.starts_with(' '));
    let behind = text.get(space..).unwrap_or_default();
    match behind.chars().next().map(class) {
        Some(kind @ (Class::Letter | Class::Number | Class::Symbol)) => {
            let end = behind.find(|character| class(character) != kind).unwrap_or(behind.len());
            space + end
        }
        _ => white_space(text),
    }
}

/// Length in bytes of the piece at the beginning of a text that starts with white space.
fn white_space(text: &str) -> usize {
    let end = text.find(|character: char| !character.is_whitespace()).unwrap_or(text.len());
    let last = text.get(..end).and_then(|run| run.chars().next_back()).map_or(0, char::len_utf8);
    if end < text.len() && end > last { end - last } else { end }
}

#[cfg(test)]
mod tests {
    use super::pieces;

    // Worked out by hand from the rules above.
    #[test]
    fn each_rule_splits_as_written() {
        let of = |text| pieces(text).collect::<Vec<_>>();
        assert_eq!(of("it's WE'LL 'x"), ["it", "'s", " WE", "'", "LL", " '", "x"]);
        assert_eq!(of("a12345 678"), ["a", "12345", " 678"]);
        assert_eq!(of("f(x) ->\n\ny"), ["f", "(", "x", ")", " ->", "\n", "\n", "y"]);
        assert_eq!(of("a  \n   b"), ["a", "  \n  ", " b"]);
        assert_eq!(of("a \t\n  "), ["a", " \t\n  "]);
        assert_eq!(of("│def ⋮\n"), ["│", "def", " ⋮", "\n"]);
    }
}
