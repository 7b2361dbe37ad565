//! Preprocessor lines of the C family, which contain no names.

use super::{
    C, State,
    parts::{is_if_zero, spaced},
};

impl C<'_, '_> {
    /// A `#` at a line start, perhaps after white space and one comment.
    pub fn directive(&mut self) -> bool {
        if self.memory.no_directive.end(self.at).is_some() {
            return false;
        }
        let space = self.cursor.space_end(self.at);
        let mut places = vec![];
        if self.cursor.byte(space) == b'#' {
            places.push(space);
        } else if self.cursor.starts(space, "/*") {
            let line = self.cursor.slice(space + 2..self.cursor.line_end(space));
            places.extend(line.match_indices("*/").filter_map(|(offset, _)| {
                let place = self.cursor.space_end(space + 4 + offset);
                (self.cursor.byte(place) == b'#').then_some(place)
            }));
        }
        let disabled = places.iter().copied().find(|place| is_if_zero(self.cursor, *place));
        let Some(place) = disabled.or(places.first().copied()) else {
            self.memory.no_directive.set(self.at, space + 1);
            return false;
        };
        self.nested(self.at..place);
        self.at = place + 1;
        if disabled.is_some() {
            self.at = self.cursor.space_end(place + 3) + 1;
        }
        self.enter(self.at, if disabled.is_some() { State::Disabled } else { State::Macro });
        true
    }

    pub fn macro_line(&mut self) {
        if self.include() {
            return;
        }
        match self.byte() {
            b'/' if self.cursor.byte(self.at + 1) == b'*' => {
                self.at = self.ending(self.at + 2, "*/").unwrap_or(self.at + 1);
            }
            b'/' if self.cursor.byte(self.at + 1) == b'/'
                && self.cursor.find(self.at, b'\n').is_some() =>
            {
                self.leave(self.cursor.next_line(self.at));
            }
            b'/' => self.at += 1,
            b'\n' => {
                if self.at == 0 || self.cursor.byte(self.at - 1) != b'\\' {
                    self.leave(self.at);
                }
                self.at += 1;
            }
            _ => {
                let end = self.cursor.ascii_run(self.at, |byte| !matches!(byte, b'/' | b'\n'));
                self.piece(self.at..end);
                self.at = end;
            }
        }
    }

    /// `include "file"` or `include <file>`, whose file name may span lines.
    fn include(&mut self) -> bool {
        let word = spaced(self.cursor, self.at, &mut self.memory.line_comment);
        if !self.cursor.starts(word, "include") {
            return false;
        }
        let cursor = self.cursor;
        let open = spaced(cursor, word + 7, &mut self.memory.line_comment);
        let end = match cursor.byte(open) {
            b'"' => self.ending(open + 1, "\""),
            b'<' => self.ending(open + 1, ">"),
            _ => None,
        };
        match end {
            Some(end) if end > open + 2 => {
                self.at = self.cursor.line_end(end - 1);
                self.piece(end..self.at);
                true
            }
            _ => false,
        }
    }

    /// The text after `#if 0`, up to its `#else`, `#elif` or `#endif`.
    pub fn disabled(&mut self) {
        let cursor = self.cursor;
        let line_end = cursor.line_end(self.at);
        if line_end == cursor.len() {
            self.at = line_end;
            return;
        }
        if cursor.at_line_start(self.at) {
            let hash = cursor.space_end(self.at);
            let end = cursor.line_end(hash);
            let continued = end > 0 && cursor.byte(end - 1) == b'\\';
            let closed = end < cursor.len();
            let depth = if cursor.starts(hash, "#if") && !continued {
                1
            } else if cursor.starts(hash, "#else")
                || cursor.starts(hash, "#elif")
                || cursor.starts(hash, "#endif") && !continued
            {
                -1
            } else {
                0
            };
            if closed && depth != 0 {
                if depth > 0 {
                    self.enter(end + 1, State::Disabled);
                } else {
                    self.leave(end + 1);
                }
                return;
            }
            // Blank lines before this one were handled with it.
            let start = self
                .cursor
                .slice(self.at..hash)
                .rfind('\n')
                .map_or(self.at, |offset| self.at + offset + 1);
            if start > self.at {
                self.at = start;
                if !closed {
                    return;
                }
                self.at = end + 1;
                return;
            }
        }
        self.at = line_end + 1;
    }
}
