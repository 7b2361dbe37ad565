//! PHP's double-quoted strings, which may contain variables, and code in braces.

use std::ops::Range;

use super::{Memory, Php, State, is_space, plain_end, starts_name};

impl Php<'_, '_> {
    /// One step in a string.
    pub(super) fn text(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        match cursor.byte(at) {
            b'"' => self.leave(at + 1),
            b'\\' => {
                let hidden = matches!(cursor.byte(at + 1), b'"' | b'$' | b'\\');
                self.at += 1 + usize::from(hidden);
            }
            b'{' => self.braces(),
            b'$' => self.variable(),
            _ => {
                let special = |byte| matches!(byte, b'{' | b'$' | b'"' | b'\\');
                self.at = cursor.ascii_run(at, |byte| !special(byte));
            }
        }
    }

    /// Code in `{${` and `}}` or in `{` and `}`. It contains no such brace, so parts nest at most
    /// three levels deep.
    fn braces(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        if cursor.starts(at, "{${")
            && let Some(end) = self.ending(at + 3, "}}")
        {
            self.part(at + 3..end - 2);
            self.at = end;
        } else if cursor.starts(at, "{$")
            && let Some(end) = self.ending(at + 2, "}")
        {
            self.part(at + 1..end - 1);
            self.at = end;
        } else {
            self.at += 1;
        }
    }

    fn part(&mut self, range: Range<usize>) {
        let outside = std::mem::take(&mut self.memory.outside);
        let mut part = self.inner(range, Memory { outside, ..Memory::default() });
        part.enter(0, State::Code);
        part.run(Php::step);
        self.memory.outside = part.memory.outside;
    }

    /// A variable with one index or member, which is not a name; or a name in `${` and `}`.
    fn variable(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let starts = |at: usize| starts_name(cursor.byte(at)) && cursor.byte(at) != b'\\';
        if starts(at + 1) {
            let end = plain_end(cursor, at + 1);
            self.at = match cursor.byte(end) {
                b'[' => self.index_end(end).unwrap_or(end),
                b'-' if cursor.byte(end + 1) == b'>' && starts(end + 2) => {
                    plain_end(cursor, end + 2)
                }
                _ => end,
            };
            return;
        }
        self.at += 1;
        if cursor.byte(at + 1) != b'{' || self.memory.no_brace.end(at + 2).is_some() {
            return;
        }
        let solid = cursor.run(at + 2, |character| !is_space(character));
        match cursor.slice(at + 2..solid).rfind('}') {
            Some(offset) if offset > 0 => {
                self.name(at + 2..at + 2 + offset);
                self.at += 1;
            }
            Some(_) => {}
            None => {
                self.memory.no_brace.search(at + 2, || solid);
            }
        }
    }

    /// End of an index without white space whose bracket is at `open`.
    fn index_end(&mut self, open: usize) -> Option<usize> {
        let cursor = self.cursor;
        if self.memory.no_bracket.end(open).is_some() || cursor.is(open + 1, is_space) {
            return None;
        }
        let from = cursor.after(open + 1);
        let end = cursor.run(from, |character| character != ']' && !is_space(character));
        if cursor.byte(end) == b']' {
            return Some(end + 1);
        }
        self.memory.no_bracket.search(open, || end);
        None
    }
}
