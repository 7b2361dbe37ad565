//! The additions of JSX to the JavaScript scanner.

use super::{Script, State as Outer};
use crate::cursor::is_word;

/// States that only JSX has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// Inside `<name ...>`.
    Tag,
    /// Inside `</name...>` after the name.
    ClosingTag,
    /// After the `=` of an attribute.
    Value,
    /// Code in braces.
    Braces,
}

impl Script<'_, '_> {
    /// Moves to `at`, into a construct of JSX.
    fn enter_jsx(&mut self, at: usize, state: State) {
        self.enter(at, Outer::Jsx(state));
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
        self.name(start..end);
        match cursor.byte(end) {
            b'>' if closing => self.at += 1,
            _ if closing => self.enter_jsx(end, State::ClosingTag),
            _ => self.enter_jsx(cursor.optional(end, b"."), State::Tag),
        }
        true
    }

    /// One step in a state that only JSX has.
    pub fn jsx(&mut self, state: State) {
        match (state, self.byte()) {
            (State::Tag, _) => self.tag(),
            (State::ClosingTag, _) => self.closing_tag(),
            (State::Value, _) => self.value(),
            (State::Braces, b'{') => self.enter_jsx(self.at + 1, State::Braces),
            (State::Braces, b'}') => self.leave(self.at + 1),
            (State::Braces, _) => self.code(),
        }
    }

    fn tag(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        if self.space() {
            return;
        }
        let dashed = |character| character == '-' || is_word(character);
        let end = self.memory.dashed.search(at, || cursor.run(at, dashed));
        let equals = cursor.space_end(end);
        if end > at && cursor.byte(equals) == b'=' {
            self.name_to(end);
            return self.enter_jsx(cursor.space_end(equals + 1), State::Value);
        }
        let end = cursor.run(at, |character| character == '.' || is_word(character));
        if end > at {
            return self.name_to(end);
        }
        let close = if self.byte() == b'/' { cursor.space_end(at + 1) } else { at };
        if cursor.byte(close) == b'>' {
            self.leave(close + 1);
        } else {
            self.at = cursor.after(at);
        }
    }

    fn closing_tag(&mut self) {
        let next = self.cursor.after(self.at);
        let end = self.cursor.word_end(next);
        if end > next {
            return self.name(next..end);
        }
        match self.byte() {
            b'>' => self.leave(next),
            _ => self.skip(),
        }
    }

    fn value(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        if self.byte() == b'{' {
            return self.enter_jsx(at + 1, State::Braces);
        }
        let close = match self.byte() {
            b'"' => cursor.find(at + 1, b'"'),
            b'\'' => cursor.find(at + 1, b'\''),
            _ => None,
        };
        self.leave(close.map_or(at, |close| close + 1));
    }
}
