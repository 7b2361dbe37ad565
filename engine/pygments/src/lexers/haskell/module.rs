//! Imports, module headers and their lists in Haskell.

use super::{Haskell, State, identifier_end, is_symbol};
use crate::{
    cursor::is_word,
    identifiers::{is_lower, is_upper},
};

impl Haskell<'_, '_> {
    /// End of a module name at `at`.
    fn module_end(&self, at: usize) -> Option<usize> {
        let in_path = |c: char| c == '.' || is_word(c);
        self.cursor.is(at, is_upper).then(|| self.cursor.run(at, in_path))
    }

    pub fn import(&mut self) {
        if self.space() {
            return;
        }
        let (cursor, at) = (self.cursor, self.at);
        match cursor.byte(at) {
            b'"' => return self.enter(at + 1, State::Text),
            b')' => return self.leave(at + 1),
            _ => {}
        }
        let word_end = cursor.word_end(at);
        if cursor.slice(at..word_end) == "qualified" {
            self.at = word_end;
            return;
        }
        if let Some(end) = self.module_end(at)
            && let Some(next) = cursor.spaced(end)
        {
            let renamed = cursor
                .spaced(next + 2)
                .filter(|_| cursor.starts(next, "as"))
                .and_then(|start| self.module_end(start).map(|end| start..end));
            if let Some(new) = renamed {
                self.name(at..end);
                self.name(new);
                return self.leave(self.at);
            }
            let hiding = cursor.spaced(next + 6).filter(|_| cursor.starts(next, "hiding"));
            let open = hiding.filter(|open| cursor.byte(*open) == b'(').unwrap_or(next);
            if cursor.byte(open) == b'(' {
                self.name(at..end);
                return self.enter(open + 1, State::List);
            }
        }
        let end = cursor.run(at, |c| c == '.' || is_word(c));
        if end > at {
            self.name(at..end);
            self.leave(end);
        } else {
            self.skip();
        }
    }

    pub fn module(&mut self) {
        if self.space() {
            return;
        }
        let (cursor, at) = (self.cursor, self.at);
        let Some(end) = self.module_end(at) else {
            return self.skip();
        };
        self.name(at..end);
        let open = cursor.space_end(end);
        if open > end && cursor.byte(open) == b'(' {
            self.enter(open + 1, State::List);
        } else {
            self.leave(end);
        }
    }

    pub fn list(&mut self) {
        if self.space() || self.comment() {
            return;
        }
        let (cursor, at) = (self.cursor, self.at);
        let end = identifier_end(cursor, at);
        match cursor.byte(at) {
            b'(' => {
                self.enter(at + 1, State::List);
                self.enter(at + 1, State::List);
            }
            b')' => {
                self.leave(at + 1);
                self.leave(at + 1);
            }
            byte if is_symbol(byte) => self.at = cursor.ascii_run(at, is_symbol),
            b'_' if end > at + 1 => self.name(at..end),
            _ if cursor.is(at, is_lower) => self.name(at..end),
            _ if cursor.is(at, is_upper) => self.at = cursor.word_end(at),
            _ => self.skip(),
        }
    }
}
