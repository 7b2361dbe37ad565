//! The additions of JSX to the JavaScript scanner.

use super::{Scanner, State as ScriptState};
use crate::cursor::is_word;

/// States that only JSX has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    /// Inside `<name ...>`.
    Tag,
    /// Inside `</name...>` behind the name.
    ClosingTag,
    /// Behind the `=` of an attribute.
    Value,
    /// Code in braces.
    Braces,
}

impl Scanner<'_, '_> {
    fn enter(&mut self, state: State) {
        self.stack.push(ScriptState::Jsx(state));
    }

    /// A tag that starts at the current `<`; false if none does.
    pub fn element(&mut self) -> bool {
        let cursor = self.cursor;
        let closing = cursor.byte(self.at + 1) == b'/';
        let start = self.at + 1 + usize::from(closing);
        let end = cursor.word_end(start);
        if end == start {
            let is_fragment = cursor.byte(start) == b'>';
            self.at = if is_fragment { start + 1 } else { self.at };
            return is_fragment;
        }
        self.at = start;
        self.name(end);
        match cursor.byte(end) {
            b'>' if closing => self.at += 1,
            _ if closing => self.enter(State::ClosingTag),
            next => {
                self.at += usize::from(next == b'.');
                self.enter(State::Tag);
            }
        }
        true
    }

    /// One step in a state that only JSX has.
    pub fn jsx(&mut self, state: State) {
        match (state, self.byte()) {
            (State::Tag, _) => self.tag(),
            (State::ClosingTag, _) => self.closing_tag(),
            (State::Value, _) => self.value(),
            (State::Braces, b'{') => {
                self.at += 1;
                self.enter(State::Braces);
            }
            (State::Braces, b'}') => self.close(),
            (State::Braces, _) => self.code(),
        }
    }

    fn tag(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let space = cursor.space_end(at);
        if space > at {
            self.at = space;
            return;
        }
        let dashed = |character| character == '-' || is_word(character);
        let end = self.dashed.search(at, || cursor.run(at, dashed));
        let equals = cursor.space_end(end);
        if end > at && cursor.byte(equals) == b'=' {
            self.name(end);
            self.at = cursor.space_end(equals + 1);
            return self.enter(State::Value);
        }
        let end = cursor.run(at, |character| character == '.' || is_word(character));
        if end > at {
            return self.name(end);
        }
        let close = if self.byte() == b'/' { cursor.space_end(at + 1) } else { at };
        if cursor.byte(close) == b'>' {
            self.at = close + 1;
            self.pop();
        } else {
            self.at = cursor.after(at);
        }
    }

    fn closing_tag(&mut self) {
        let next = self.cursor.after(self.at);
        let end = self.cursor.word_end(next);
        if end > next {
            self.at = next;
            self.name(end);
            return;
        }
        match self.byte() {
            b'>' => self.pop(),
            b'\n' => self.stack.truncate(1),
            _ => {}
        }
        self.at = next;
    }

    fn value(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        if self.byte() == b'{' {
            self.at += 1;
            return self.enter(State::Braces);
        }
        let close = match self.byte() {
            b'"' => cursor.find(at + 1, b'"'),
            b'\'' => cursor.find(at + 1, b'\''),
            _ => None,
        };
        self.at = close.map_or(at, |close| close + 1);
        self.pop();
    }
}
