//! Character classes as Python's `str` methods and regular expressions define them.

use unicode_general_category::{
    GeneralCategory::{
        DecimalNumber, LetterNumber, LowercaseLetter, ModifierLetter, OtherLetter, OtherNumber,
        TitlecaseLetter, UppercaseLetter,
    },
    get_general_category,
};

/// `str.isspace`: Unicode white space and the four ASCII separators.
pub fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{1c}'..='\u{1f}')
}

/// `str.isalpha`: general category L, which leaves out letter-like marks and numbers.
pub fn is_alpha(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphabetic();
    }
    matches!(
        get_general_category(c),
        UppercaseLetter | LowercaseLetter | TitlecaseLetter | ModifierLetter | OtherLetter
    )
}

/// `\w` of Python's `re`: `str.isalnum` or the underscore.
pub fn is_word(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || c == '_';
    }
    is_alpha(c) || matches!(get_general_category(c), DecimalNumber | LetterNumber | OtherNumber)
}

/// True when a line is empty after `str.strip()`.
pub fn is_blank(line: &str) -> bool {
    line.chars().all(is_space)
}

/// The number of code points, which is Python's `len`.
pub fn length(text: &str) -> usize {
    text.chars().count()
}

/// The first `count` code points.
pub fn prefix(text: &str, count: usize) -> &str {
    text.char_indices().nth(count).map_or(text, |(end, _)| text.get(..end).unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::{is_alpha, is_blank, is_space, is_word, prefix};

    // Expected values are CPython 3.11's answers for these characters.
    #[test]
    fn classes_agree_with_python() {
        assert!(is_space('\u{1f}') && is_space('\u{a0}') && !is_space('\u{200b}'));
        assert!(is_alpha('é') && is_alpha('ª') && !is_alpha('Ⅷ') && !is_alpha('\u{345}'));
        assert!(is_word('²') && is_word('Ⅷ') && is_word('_') && !is_word('\u{301}'));
        assert!(is_blank(" \t\u{2003}") && !is_blank(" ."));
    }

    #[test]
    fn prefixes_count_code_points() {
        assert_eq!(prefix("äöü", 2), "äö");
        assert_eq!(prefix("ab", 5), "ab");
        assert_eq!(prefix("", 0), "");
    }
}
