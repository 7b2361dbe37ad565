//! Scanner for Django and Jinja templates, which the comparator guesses for JavaScript that
//! contains `{{...}}` or `{%...%}`.

use std::sync::LazyLock;

use super::layers::{Layers, Outside};
use crate::{
    cursor::{Cursor, Once, is_space, is_word},
    scanner::Scanner,
    words::Words,
};

static WORDS: LazyLock<Words<()>> = LazyLock::new(|| {
    let words = "_ true false none True False None in as reversed recursive not and or is if else \
        import with withcontext withoutcontext scoped";
    Words::new(&[((), words)])
});

type Django<'t, 'n> = Scanner<'t, 'n, (), Memory>;

#[derive(Default)]
struct Memory {
    outside: Outside,
    /// Closing tags of comments and of raw blocks.
    closing: [Once; 2],
}

/// Splits a text into the template's parts and the rest.
pub(super) fn split(text: &str) -> Layers {
    let mut names = Vec::new();
    let mut django = Django::new(text, &mut names);
    django.run(Django::outside);
    let outside = django.memory.outside;
    Layers { names, outside }
}

impl Django<'_, '_> {
    fn outside(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let brace = cursor.ascii_run(at, |byte| byte != b'{');
        if brace > at {
            self.memory.outside.add(at..brace);
            self.at = brace;
            return;
        }
        match cursor.byte(at + 1) {
            b'{' => {
                self.at += 2;
                self.inside("}}");
            }
            b'#' => match self.ending(at + 2, "#}") {
                Some(end) => self.at = end,
                None => self.brace(),
            },
            b'%' => self.block(),
            _ => self.brace(),
        }
    }

    fn brace(&mut self) {
        self.memory.outside.add(self.at..self.at + 1);
        self.at += 1;
    }

    fn block(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let dash = at + 2 + usize::from(cursor.byte(at + 2) == b'-');
        let start = cursor.space_end(dash);
        let Some(end) = cursor.identifier_end(start) else {
            return self.brace();
        };
        for (index, word) in ["comment", "raw"].into_iter().enumerate() {
            if cursor.starts(start, word)
                && let Some(body) = tag_end(cursor, start + word.len())
                && let Some(end) =
                    self.memory.closing[index].search(|| closing_tag_end(cursor, body, word))
            {
                self.at = end;
                return;
            }
        }
        let name = cursor.space_end(start + 6);
        if cursor.starts(start, "filter")
            && name > start + 6
            && cursor.identifier_end(name).is_some()
        {
            let end = cursor.word_end(name);
            self.name(name..end);
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
            mark @ (b'"' | b'\'') => self.quoted_end(quote, mark),
            _ => None,
        };
        if let Some(end) = text {
            self.at = end;
            return;
        }
        match cursor.byte(at) {
            b'|' => {
                let start = cursor.space_end(at + 1);
                match cursor.identifier_end(start) {
                    Some(end) => self.name(start..end),
                    None => self.at += 1,
                }
            }
            b'.' if cursor.is(at + 1, is_word) => self.name(at..cursor.word_end(at + 1)),
            b'0'..=b'9' => self.number(),
            _ => match cursor.identifier_end(at) {
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
            end = cursor.digits_end(end + 1);
        }
        let sign = cursor.starts(end, "eE+") || cursor.starts(end, "eE-");
        if sign && cursor.byte(end + 3).is_ascii_digit() {
            end += 4;
        }
        self.at = cursor.optional(end, b"flFLdD");
    }

    fn word(&mut self, end: usize) {
        let (cursor, at) = (self.cursor, self.at);
        if let Some(test) = self.test(at) {
            return self.name(test..cursor.word_end(test));
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
            self.name(at..end);
        } else {
            self.name_to(cursor.run(at, |c| c == '-' || is_word(c)));
        }
    }

    /// Start of the name of a test, as in `is name` and `is not name`.
    fn test(&self, at: usize) -> Option<usize> {
        let cursor = self.cursor;
        let start = cursor.run(at + 2, is_space);
        if !cursor.starts(at, "is") || start == at + 2 {
            return None;
        }
        if cursor.starts(start, "not") {
            let name = cursor.space_end(start + 3);
            if cursor.identifier_end(name).is_some() {
                return Some(name);
            }
        }
        cursor.identifier_end(start).map(|_| start)
    }
}

/// Position after `%}`, with optional white space and a dash before it.
fn tag_end(cursor: Cursor, at: usize) -> Option<usize> {
    let end = cursor.space_end(at);
    let end = end + usize::from(cursor.byte(end) == b'-');
    cursor.starts(end, "%}").then_some(end + 2)
}

/// Position after the tag that closes a comment or raw block.
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
