//! PHP's strings in double quotes, which hold variables and code in braces.

use std::ops::Range;

use super::{Scanner, State, is_space, plain_end, scan_part, starts_name};

impl Scanner<'_, '_> {
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

    /// Code in `{${` and `}}` or in `{` and `}`. It holds no such brace, so
    /// that parts nest three deep at most.
    fn braces(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        if cursor.starts(at, "{${")
            && let Some(close) = self.braces.search(|| cursor.find_text(at + 3, "}}"))
        {
            self.part(at + 3..close);
            self.at = close + 2;
        } else if cursor.starts(at, "{$")
            && let Some(close) = self.brace.search(|| cursor.find(at + 2, b'}'))
        {
            self.part(at + 1..close);
            self.at = close + 1;
        } else {
            self.at += 1;
        }
    }

    fn part(&mut self, range: Range<usize>) {
        let text = self.cursor.slice(range.clone());
        let stack = vec![State::Outside, State::Code];
        scan_part(text, self.base + range.start, stack, self.layers);
    }

    /// A variable with one index or member, which is no name, or a name in
    /// `${` and `}`.
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
        if cursor.byte(at + 1) != b'{' || self.no_brace.end(at + 2).is_some() {
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
                self.no_brace.search(at + 2, || solid);
            }
        }
    }

    /// End of an index without white space whose bracket is at `open`.
    fn index_end(&mut self, open: usize) -> Option<usize> {
        let cursor = self.cursor;
        if self.no_bracket.end(open).is_some() || cursor.is(open + 1, is_space) {
            return None;
        }
        let from = cursor.after(open + 1);
        let end = cursor.run(from, |character| character != ']' && !is_space(character));
        if cursor.byte(end) == b']' {
            return Some(end + 1);
        }
        self.no_bracket.search(open, || end);
        None
    }
}
