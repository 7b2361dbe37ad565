//! The shared toolkit of all scanners: character classes as the comparator's
//! regular expressions understand them, and a cursor over one text.
//!
//! Positions are byte offsets into the text. Reading outside the text gives 0, `None` or an empty
//! string, so a scanner cannot panic on odd input.

use std::ops::Range;

use unicode_general_category::{GeneralCategory as Category, get_general_category};

/// A letter, digit, other numeric character or underscore: `\w` in Python.
/// The category crate is pinned to Unicode 14, the version of CPython 3.11.
pub(crate) fn is_word(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphanumeric() || character == '_';
    }
    let category = get_general_category(character);
    is_letter(category) || matches!(category, Category::DecimalNumber | Category::OtherNumber)
}

/// A letter or a number made of letters.
pub(crate) fn is_letter(category: Category) -> bool {
    matches!(
        category,
        Category::UppercaseLetter
            | Category::LowercaseLetter
            | Category::TitlecaseLetter
            | Category::ModifierLetter
            | Category::OtherLetter
            | Category::LetterNumber
    )
}

/// White space as Python's `\s` sees it: unlike Rust's, it includes the four
/// information separators U+001C to U+001F.
pub(crate) fn is_space(character: char) -> bool {
    matches!(character, '\u{1c}'..='\u{1f}') || character.is_whitespace()
}

/// A decimal digit of any script: `\d` in Python.
pub(crate) fn is_digit(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_digit();
    }
    get_general_category(character) == Category::DecimalNumber
}

/// Whether a byte can start an identifier of most languages: an ASCII letter or
/// an underscore.
pub(crate) fn starts_identifier(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

/// A read-only view of one text with the questions that scanners ask of it.
#[derive(Clone, Copy, Default)]
pub(crate) struct Cursor<'t> {
    pub text: &'t str,
}

impl<'t> Cursor<'t> {
    /// Wraps a text.
    pub fn new(text: &'t str) -> Self {
        Self { text }
    }

    /// Length of the text in bytes.
    #[inline]
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// The byte at `at`, or 0 past the end of the text.
    #[inline]
    pub fn byte(&self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or(0)
    }

    /// The text between two positions; empty if the range is not valid.
    #[inline]
    pub fn slice(&self, range: Range<usize>) -> &'t str {
        self.text.get(range).unwrap_or("")
    }

    /// The text from a position to the end.
    #[inline]
    pub fn rest(&self, at: usize) -> &'t str {
        self.text.get(at..).unwrap_or("")
    }

    /// Whether `literal` is at `at`.
    #[inline]
    pub fn starts(&self, at: usize, literal: &str) -> bool {
        self.text.as_bytes().get(at..).is_some_and(|rest| rest.starts_with(literal.as_bytes()))
    }

    /// The character at a position.
    #[inline]
    pub fn character(&self, at: usize) -> Option<char> {
        self.rest(at).chars().next()
    }

    /// The character that ends at a position.
    #[inline]
    pub fn before(&self, at: usize) -> Option<char> {
        self.text.get(..at).and_then(|head| head.chars().next_back())
    }

    /// The position after the character at `at`; always greater than `at`.
    #[inline]
    pub fn after(&self, at: usize) -> usize {
        match self.byte(at) {
            0..0x80 => at + 1,
            _ => at + self.character(at).map_or(1, char::len_utf8),
        }
    }

    /// Whether a line starts here.
    #[inline]
    pub fn at_line_start(&self, at: usize) -> bool {
        at == 0 || self.byte(at - 1) == b'\n'
    }

    /// Whether the character at `at` is in the class `test`.
    #[inline]
    pub fn is(&self, at: usize, test: impl Fn(char) -> bool) -> bool {
        self.character(at).is_some_and(test)
    }

    /// Whether `at` lies between two word characters or two others: `\B`.
    pub fn inside_word(&self, at: usize) -> bool {
        self.before(at).is_some_and(is_word) == self.is(at, is_word)
    }

    /// End of the run of characters of one class that starts at `at`.
    #[inline]
    pub fn run(&self, at: usize, test: impl Fn(char) -> bool) -> usize {
        let rest = self.rest(at);
        rest.find(|character| !test(character)).map_or(self.len(), |length| at + length)
    }

    /// End of the run of bytes of one ASCII class that starts at `at`.
    #[inline]
    pub fn ascii_run(&self, at: usize, test: impl Fn(u8) -> bool) -> usize {
        let bytes = self.text.as_bytes().get(at..).unwrap_or(&[]);
        at + bytes.iter().position(|byte| !test(*byte)).unwrap_or(bytes.len())
    }

    /// As [`Cursor::run`], where the ASCII characters of the class are letters, digits and the
    /// underscore.
    #[inline]
    pub fn word_run(&self, at: usize, test: impl Fn(char) -> bool) -> usize {
        let end = self.ascii_run(at, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if self.byte(end) < 0x80 { end } else { self.run(end, test) }
    }

    /// End of the run of word characters that starts at `at`.
    #[inline]
    pub fn word_end(&self, at: usize) -> usize {
        self.word_run(at, is_word)
    }

    /// End of an identifier that starts with an ASCII letter or an underscore.
    #[inline]
    pub fn identifier_end(&self, at: usize) -> Option<usize> {
        starts_identifier(self.byte(at)).then(|| self.word_end(at))
    }

    /// End of the run of ASCII digits that starts at `at`.
    #[inline]
    pub fn digits_end(&self, at: usize) -> usize {
        self.ascii_run(at, |byte| byte.is_ascii_digit())
    }

    /// The position after the byte at `at` if it is one of `bytes`, else `at`.
    #[inline]
    pub fn optional(&self, at: usize, bytes: &[u8]) -> usize {
        at + usize::from(bytes.contains(&self.byte(at)))
    }

    /// End of an exponent: a letter, an optional sign, and digits, whose run `digits` measures.
    #[inline]
    pub fn exponent_end(
        &self,
        at: usize,
        letters: &[u8],
        digits: impl Fn(usize) -> usize,
    ) -> Option<usize> {
        if !letters.contains(&self.byte(at)) {
            return None;
        }
        let start = self.optional(at + 1, b"+-");
        let end = digits(start);
        (end > start).then_some(end)
    }

    /// The position after the first of these words that is at `at`.
    #[inline]
    pub fn any(&self, at: usize, words: &[&str]) -> Option<usize> {
        words.iter().find(|word| self.starts(at, word)).map(|word| at + word.len())
    }

    /// End of the run of white space that starts at `at`, if there is any.
    #[inline]
    pub fn spaced(&self, at: usize) -> Option<usize> {
        let end = self.space_end(at);
        (end > at).then_some(end)
    }

    /// End of the run of white space that starts at `at`.
    #[inline]
    pub fn space_end(&self, at: usize) -> usize {
        let end = self.ascii_run(at, |byte| matches!(byte, 9..=13 | 28..=32));
        if self.byte(end) < 0x80 { end } else { self.run(end, is_space) }
    }

    /// End of the run of white space without line breaks.
    pub fn blank_end(&self, at: usize) -> usize {
        let end = self.ascii_run(at, |byte| matches!(byte, 9 | 11..=13 | 28..=32));
        if self.byte(end) < 0x80 {
            end
        } else {
            self.run(end, |character| character != '\n' && is_space(character))
        }
    }

    /// Position of the next line break, or the end of the text.
    pub fn line_end(&self, at: usize) -> usize {
        self.find(at, b'\n').unwrap_or(self.len())
    }

    /// Position after the next line break, or the end of the text.
    pub fn next_line(&self, at: usize) -> usize {
        self.find(at, b'\n').map_or(self.len(), |line_break| line_break + 1)
    }

    /// Position of the next `byte`, from `at` on.
    #[inline]
    pub fn find(&self, at: usize, byte: u8) -> Option<usize> {
        let rest = self.text.as_bytes().get(at..)?;
        memchr::memchr(byte, rest).map(|offset| at + offset)
    }

    /// Position of the next `literal`, from `at` on.
    pub fn find_text(&self, at: usize, literal: &str) -> Option<usize> {
        let rest = self.text.as_bytes().get(at..)?;
        memchr::memmem::find(rest, literal.as_bytes()).map(|offset| at + offset)
    }

    /// End of the quoted text whose opening quote is at `at`; a backslash escapes the next
    /// character. `None` if it is not closed.
    pub fn quoted_end(&self, at: usize, quote: u8) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let mut position = at + 1;
        loop {
            let offset = memchr::memchr2(quote, b'\\', bytes.get(position..)?)?;
            position += offset;
            if self.byte(position) == quote {
                return Some(position + 1);
            }
            position = self.after(position + 1);
        }
    }

    /// End of the quoted text whose opening quote is at `at`. Only a quote directly after a
    /// backslash is escaped, and even that one closes the text if no other does. Without `lines`
    /// the text must be closed on its line.
    pub fn loosely_quoted_end(&self, at: usize, quote: u8, lines: bool) -> Option<usize> {
        let stop = if lines { quote } else { b'\n' };
        let mut last = None;
        let mut from = at + 1;
        while let Some(offset) = memchr::memchr2(quote, stop, self.rest(from).as_bytes()) {
            let found = from + offset;
            if self.byte(found) != quote {
                break;
            }
            last = Some(found + 1);
            if self.byte(found - 1) != b'\\' {
                break;
            }
            from = found + 1;
        }
        last
    }

    /// End of the quoted text whose opening quote is at `at`, in which two quotes stand for one. If
    /// the text is not closed, it ends within the last pair.
    pub fn doubled_end(&self, at: usize, quote: u8) -> Option<usize> {
        let mut from = at + 1;
        let mut pair = None;
        while let Some(found) = self.find(from, quote) {
            if self.byte(found + 1) != quote {
                return Some(found + 1);
            }
            pair = Some(found + 1);
            from = found + 2;
        }
        pair
    }

    /// End of a nestable comment that opens at `at`, or the end of the text if it is not closed.
    pub fn nested_end(&self, at: usize, open: [u8; 2], close: [u8; 2]) -> usize {
        let mut depth = 1usize;
        let mut at = at + 2;
        while depth > 0 && at < self.len() {
            let pair = [self.byte(at), self.byte(at + 1)];
            if pair == open {
                depth += 1;
                at += 2;
            } else if pair == close {
                depth -= 1;
                at += 2;
            } else {
                let marks = |byte| byte == open[0] || byte == close[0];
                at = self.ascii_run(at + 1, |byte| !marks(byte));
            }
        }
        at
    }

    /// Whether there are `count` hexadecimal digits at `at`.
    pub fn hex_digits(&self, at: usize, count: usize) -> bool {
        (at..at + count).all(|position| self.byte(position).is_ascii_hexdigit())
    }
}

/// Remembers the stretch of text in which a search found nothing.
///
/// This is for searches that end at a line break or at one of several bytes: a search that starts
/// inside a stretch already searched need not be repeated.
#[derive(Clone, Copy, Default)]
pub(crate) struct Searched {
    from: usize,
    to: usize,
}

impl Searched {
    /// End of the known stretch without a match around `at`, if there is one.
    pub fn end(&self, at: usize) -> Option<usize> {
        (self.from <= at && at < self.to).then_some(self.to)
    }

    /// Records that there is no match between two positions.
    pub fn set(&mut self, from: usize, to: usize) {
        *self = Self { from, to };
    }

    /// Runs a search that returns the end of the stretch without a match, unless that end is
    /// already known.
    pub fn search(&mut self, at: usize, search: impl FnOnce() -> usize) -> usize {
        if let Some(end) = self.end(at) {
            return end;
        }
        *self = Self { from: at, to: search() };
        self.to
    }
}

/// Remembers that a search failed, so that no text is searched twice.
///
/// A search for a fixed ending that fails from one position also fails from every later one.
/// Without this memory, a repeated unclosed opener would make a scanner quadratic.
#[derive(Clone, Copy, Default)]
pub(crate) struct Once {
    failed: bool,
}

impl Once {
    /// Runs the search unless it has failed before.
    pub fn search(&mut self, search: impl FnOnce() -> Option<usize>) -> Option<usize> {
        if self.failed {
            return None;
        }
        let found = search();
        self.failed = found.is_none();
        found
    }
}
