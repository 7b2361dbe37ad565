//! Scanner for Django and Jinja templates, the comparator's guess for
//! JavaScript that holds `{{...}}` or `{%...%}`.

use std::sync::LazyLock;

use super::layers::Layers;
use crate::cursor::{Cursor, Once, is_space, is_word};
use crate::words::Words;

static WORDS: LazyLock<Words<()>> = LazyLock::new(|| {
    let words = "_ true false none True False None in as reversed recursive not and or is if else \
        import with withcontext withoutcontext scoped";
    Words::new(&[((), words)])
});

/// Splits a text into the template's parts and the rest.
pub(super) fn split(text: &str) -> Layers {
    let cursor = Cursor::new(text);
    let mut scanner = Scanner {
        cursor,
        at: 0,
        layers: Layers::default(),
        double: Once::default(),
        single: Once::default(),
        comment: Once::default(),
        closing: [Once::default(); 2],
    };
    while scanner.at < cursor.len() {
        scanner.outside();
    }
    scanner.layers
}

struct Scanner<'t> {
    cursor: Cursor<'t>,
    at: usize,
    layers: Layers,
    double: Once,
    single: Once,
    comment: Once,
    /// Closing tags of comments and of raw blocks.
    closing: [Once; 2],
}

impl Scanner<'_> {
    fn name(&mut self, start: usize, end: usize) {
        self.layers.names.push(start..end);
        self.at = end;
    }

    /// End of an identifier at `at`; it starts with an ASCII letter or `_`.
    fn identifier(&self, at: usize) -> Option<usize> {
        let first = self.cursor.byte(at);
        (first.is_ascii_alphabetic() || first == b'_').then(|| self.cursor.word_end(at))
    }

    fn outside(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let brace = cursor.ascii_run(at, |byte| byte != b'{');
        if brace > at {
            self.layers.leave(at..brace);
            self.at = brace;
            return;
        }
        match cursor.byte(at + 1) {
            b'{' => {
                self.at += 2;
                self.inside("}}");
            }
            b'#' => match self.comment.search(|| cursor.find_text(at + 2, "#}")) {
                Some(close) => self.at = close + 2,
                None => self.brace(),
            },
            b'%' => self.block(),
            _ => self.brace(),
        }
    }

    fn brace(&mut self) {
        self.layers.leave(self.at..self.at + 1);
        self.at += 1;
    }

    fn block(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let dash = at + 2 + usize::from(cursor.byte(at + 2) == b'-');
        let start = cursor.space_end(dash);
        let Some(end) = self.identifier(start) else {
            return self.brace();
        };
        for (index, word) in ["comment", "raw"].into_iter().enumerate() {
            if cursor.starts(start, word)
                && let Some(body) = tag_end(cursor, start + word.len())
                && let Some(end) =
                    self.closing[index].search(|| closing_tag_end(cursor, body, word))
            {
                self.at = end;
                return;
            }
        }
        let name = cursor.space_end(start + 6);
        if cursor.starts(start, "filter") && name > start + 6 && self.identifier(name).is_some() {
            let end = cursor.word_end(name);
            self.name(name, end);
        } else {
            self.at = end;
        }
        self.inside("%}");
    }

    /// The content of a tag up to its end.
    fn inside(&mut self, close: &str) {
        let cursor = self.cursor;
        while self.at < cursor.len() {
            self.at = cursor.space_end(self.at);
            let dash = usize::from(cursor.byte(self.at) == b'-');
            if cursor.starts(self.at + dash, close) {
                self.at += dash + close.len();
                return;
            }
            self.token();
        }
    }

    fn token(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let colon = usize::from(cursor.byte(at) == b':');
        let quote = at + colon;
        let text = match cursor.byte(quote) {
            b'"' => self.double.search(|| cursor.quoted_end(quote, b'"')),
            b'\'' => self.single.search(|| cursor.quoted_end(quote, b'\'')),
            _ => None,
        };
        if let Some(end) = text {
            self.at = end;
            return;
        }
        match cursor.byte(at) {
            b'|' => {
                let start = cursor.space_end(at + 1);
                match self.identifier(start) {
                    Some(end) => self.name(start, end),
                    None => self.at += 1,
                }
            }
            b'.' if cursor.is(at + 1, is_word) => self.name(at, cursor.word_end(at + 1)),
            b'0'..=b'9' => self.number(),
            _ => match self.identifier(at) {
                Some(end) => self.word(end),
                None => self.at = cursor.after(at),
            },
        }
    }

    /// One digit, its fraction and a type letter.
    fn number(&mut self) {
        let cursor = self.cursor;
        let mut end = self.at + 1;
        if cursor.byte(end) == b'.' {
            end = cursor.ascii_run(end + 1, |byte| byte.is_ascii_digit());
        }
        let sign = cursor.starts(end, "eE+") || cursor.starts(end, "eE-");
        if sign && cursor.byte(end + 3).is_ascii_digit() {
            end += 4;
        }
        self.at = end + usize::from(b"flFLdD".contains(&cursor.byte(end)));
    }

    fn word(&mut self, end: usize) {
        let (cursor, at) = (self.cursor, self.at);
        if let Some(test) = self.test(at) {
            return self.name(test, cursor.word_end(test));
        }
        let word = cursor.slice(at..end);
        let space = cursor.space_end(end);
        let next = cursor.word_end(space);
        let pair = matches!(
            (word, cursor.slice(space..next)),
            ("with" | "without", "context") | ("ignore", "missing")
        );
        if pair {
            self.at = next;
        } else if WORDS.has(word) {
            self.at = end;
        } else if matches!(word, "loop" | "block" | "super" | "forloop") {
            self.name(at, end);
        } else {
            self.name(at, cursor.run(at, |c| c == '-' || is_word(c)));
        }
    }

    /// Start of the name of a test: `is name`, `is not name`.
    fn test(&self, at: usize) -> Option<usize> {
        let cursor = self.cursor;
        let start = cursor.run(at + 2, is_space);
        if !cursor.starts(at, "is") || start == at + 2 {
            return None;
        }
        if cursor.starts(start, "not") {
            let name = cursor.space_end(start + 3);
            if self.identifier(name).is_some() {
                return Some(name);
            }
        }
        self.identifier(start).map(|_| start)
    }
}

/// Position behind `%}`, with white space and a dash in front.
fn tag_end(cursor: Cursor, at: usize) -> Option<usize> {
    let end = cursor.space_end(at);
    let end = end + usize::from(cursor.byte(end) == b'-');
    cursor.starts(end, "%}").then_some(end + 2)
}

/// Position behind the tag that closes a comment or raw block.
fn closing_tag_end(cursor: Cursor, from: usize, word: &str) -> Option<usize> {
    let mut at = from;
    loop {
        at = cursor.find_text(at, "{%")? + 2;
        let start = cursor.space_end(at + usize::from(cursor.byte(at) == b'-'));
        if cursor.starts(start, "end")
            && cursor.starts(start + 3, word)
            && let Some(end) = tag_end(cursor, start + 3 + word.len())
        {
            return Some(end);
        }
    }
}
