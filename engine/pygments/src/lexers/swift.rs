//! Scanner for Swift.
//!
//! Identifiers that are not keywords are names. After `import` every word up to the end of the line
//! is one; after `#if` hardly any word is.

use std::{ops::Range, sync::LazyLock};

use crate::{
    cursor::{Cursor, is_digit, is_word},
    scanner::Scanner,
    words::Words,
};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    Plain,
    /// A keyword whose next word is a name.
    Named,
    Import,
}

static WORDS: LazyLock<Words<Word>> = LazyLock::new(|| {
    let plain = "as async await break case catch continue default defer do else fallthrough for \
        guard if in is repeat return switch throw try where while associativity convenience \
        dynamic didSet final get indirect infix inout lazy left mutating none nonmutating optional \
        override postfix precedence prefix Protocol required rethrows right set throws Type unowned \
        weak willSet dynamicType false nil self Self super true __COLUMN__ __FILE__ __FUNCTION__ \
        __LINE__ _ actor associatedtype deinit init internal operator private public static \
        subscript typealias";
    Words::new(&[
        (Word::Plain, plain),
        (Word::Named, "class enum extension struct protocol func var let"),
        (Word::Import, "import"),
    ])
});

/// Words that are keywords if a `#` or `@` precedes them.
static MARKED: LazyLock<Words<()>> = LazyLock::new(|| {
    let words = "#selector #file #line #column #function @availability @autoclosure @noreturn \
        @NSApplicationMain @NSCopying @NSManaged @objc @UIApplicationMain @IBAction @IBDesignable \
        @IBInspectable @IBOutlet";
    Words::new(&[((), words)])
});

/// The construct that the scanner is in.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Code,
    Import,
    Condition,
    /// A string, with triple or single quotes.
    Text(bool),
    /// Interpolated code in a string.
    Insert,
}

type Swift<'t, 'n> = Scanner<'t, 'n, State>;

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    Swift::new(text, names).run(Swift::step);
}

impl Swift<'_, '_> {
    #[inline]
    fn step(&mut self) {
        match (self.state, self.byte()) {
            (State::Import | State::Condition, b'\n') | (State::Insert, b')') => {
                self.leave(self.at + 1);
            }
            (State::Insert, b'(') => self.enter(self.at + 1, State::Insert),
            (State::Text(triple), _) => self.text(triple),
            _ => self.code(),
        }
    }

    fn code(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let space = cursor.space_end(at);
        if space > at {
            // A line break alone is a token of its own, so that it can end an import; after other
            // white space it is read together with it.
            self.at = if cursor.byte(at) == b'\n' { at + 1 } else { space };
            return;
        }
        let next = cursor.byte(at + 1);
        match cursor.byte(at) {
            b'/' if next == b'/' => self.at = cursor.next_line(at),
            b'/' if next == b'*' => self.comment(),
            b'#' | b'@' => self.marked(),
            b'$' if cursor.is(at + 1, is_digit) => self.name(at..cursor.run(at + 1, is_digit)),
            b'0'..=b'9' => self.at = number_end(cursor, at),
            b'"' if cursor.starts(at, "\"\"\"") => self.enter(at + 3, State::Text(true)),
            b'"' => self.enter(at + 1, State::Text(false)),
            _ => match cursor.identifier_end(at) {
                Some(end) => self.word(end),
                None => self.at = operator_end(cursor, at),
            },
        }
    }

    fn word(&mut self, end: usize) {
        let (cursor, at, state) = (self.cursor, self.at, self.state);
        if state == State::Import {
            return self.name(at..end);
        }
        match WORDS.get(cursor.slice(at..end)) {
            Some(Word::Plain) => self.at = end,
            Some(Word::Named) => {
                let start = cursor.space_end(end);
                match cursor.identifier_end(start) {
                    Some(name_end) if start > end => self.name(start..name_end),
                    _ => self.at = end,
                }
            }
            Some(Word::Import) => self.enter(end, State::Import),
            None if state == State::Condition && cursor.byte(at) != b'_' => self.at = end,
            None => self.name(at..end),
        }
    }

    /// A token that starts with `#` or `@`.
    fn marked(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let end = cursor.word_end(at + 1);
        match cursor.slice(at..end) {
            "#if" | "#elseif" | "#else" | "#endif" | "#available" => {
                self.enter(end, State::Condition);
            }
            "@availability" if cursor.byte(end) == b'(' && cursor.byte(end + 1) != b')' => {
                self.at = self.ending(end + 1, ")").unwrap_or(end);
            }
            word => self.at = if MARKED.has(word) { end } else { at + 1 },
        }
    }

    /// A comment; comments nest. A `*/` directly after a star does not close one.
    fn comment(&mut self) {
        let cursor = self.cursor;
        let mut depth = 1usize;
        self.at += 2;
        while self.at < cursor.len() {
            if cursor.starts(self.at, "/*") {
                depth += 1;
                self.at += 2;
            } else if cursor.starts(self.at, "*/") {
                depth -= 1;
                self.at += 2;
                if depth == 0 {
                    return;
                }
            } else {
                let is_mark = |byte| matches!(byte, b'*' | b'/');
                let marks = cursor.ascii_run(self.at, is_mark);
                self.at = if marks > self.at {
                    marks
                } else {
                    cursor.ascii_run(self.at, |byte| !is_mark(byte))
                };
            }
        }
    }

    fn text(&mut self, triple: bool) {
        let (cursor, at) = (self.cursor, self.at);
        match cursor.byte(at) {
            b'"' if !triple => self.leave(at + 1),
            b'"' if cursor.starts(at, "\"\"\"") => self.leave(at + 3),
            b'"' => self.at += 1,
            b'\\' => match cursor.byte(at + 1) {
                b'(' => self.enter(at + 2, State::Insert),
                b'\'' | b'"' | b'\\' => self.at += 2,
                _ => self.at += 1,
            },
            _ => self.at = cursor.ascii_run(at, |byte| !matches!(byte, b'"' | b'\\')),
        }
    }
}

/// End of single punctuation, or of a run of operator characters.
fn operator_end(cursor: Cursor, at: usize) -> usize {
    let byte = cursor.byte(at);
    if byte == b'-' && cursor.byte(at + 1) == b'>' {
        return at + 2;
    }
    let opens = matches!(byte, b'<' | b'&') && cursor.is(at + 1, is_word);
    let closes = matches!(byte, b'>' | b'!') && cursor.before(at).is_some_and(is_word);
    if matches!(byte, b'=' | b'?') || opens || closes {
        return at + 1;
    }
    cursor.ascii_run(at, |byte| b"/=-+!*%<>&|^?~".contains(&byte)).max(cursor.after(at))
}

fn number_end(cursor: Cursor, at: usize) -> usize {
    let run = |from: usize, test: fn(u8) -> bool| {
        let end = cursor.ascii_run(from, test);
        (end > from).then_some(end)
    };
    let based = match (cursor.byte(at), cursor.byte(at + 1)) {
        (b'0', b'b') => run(at + 2, |byte| matches!(byte, b'0' | b'1' | b'_')),
        (b'0', b'o') => run(at + 2, |byte| matches!(byte, b'0'..=b'7' | b'_')),
        (b'0', b'x') => run(at + 2, |byte| byte.is_ascii_hexdigit() || byte == b'_'),
        _ => None,
    };
    if let Some(end) = based {
        return end;
    }
    let digits = |from: usize| run(from, |byte| byte.is_ascii_digit() || byte == b'_');
    let exponent = |from: usize| {
        cursor.exponent_end(from, b"eE", |from| digits(from).unwrap_or(from)).unwrap_or(from)
    };
    let whole = digits(at).unwrap_or(at + 1);
    if cursor.byte(whole) != b'.' {
        return exponent(whole);
    }
    match digits(whole + 1) {
        Some(end) => exponent(end),
        None => whole + 1,
    }
}
