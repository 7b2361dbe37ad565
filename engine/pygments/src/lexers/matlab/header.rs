//! The first line of a function in MATLAB: `results = name(parameters)`.

use std::ops::Range;

use crate::cursor::{Cursor, is_space};

/// The parentheses of the present line.
#[derive(Default)]
pub(super) struct Lines {
    line: Range<usize>,
    /// The last closing parenthesis of the line and the last opening one
    /// before it.
    parentheses: Option<(usize, usize)>,
}

impl Lines {
    /// The name of the function whose signature starts after the white space
    /// from `at` to `start`, and the position after the signature.
    ///
    /// The text before the name must contain no white space up to an equals sign, and the last
    /// possible equals sign counts; otherwise the text belongs to the name. The name extends to the
    /// last opening parenthesis that is closed on its line.
    pub fn signature(
        &mut self,
        cursor: Cursor,
        at: usize,
        start: usize,
    ) -> Option<(Range<usize>, usize)> {
        let end = cursor.run(start, |c| !is_space(c));
        let sign = cursor.space_end(end);
        if end > start && sign > end && cursor.byte(sign) == b'=' {
            let found = self.spaced_call(cursor, sign + 1, cursor.space_end(sign + 1));
            if found.is_some() {
                return found;
            }
        }
        let least = cursor.after(start);
        if end > least && cursor.byte(end - 1) == b'=' {
            let found = self.spaced_call(cursor, end, sign);
            if found.is_some() {
                return found;
            }
        }
        if let Some((open, _)) = self.parentheses(cursor, start) {
            let most = usize::min(end.saturating_sub(1), open.saturating_sub(1));
            let results = cursor.text.as_bytes().get(least..most).unwrap_or(&[]);
            if let Some(offset) = memchr::memrchr(b'=', results) {
                return self.call(cursor, least + offset + 1);
            }
        }
        self.spaced_call(cursor, at, start)
    }

    /// A name after white space; a blank before the parenthesis stands for a missing name.
    fn spaced_call(
        &mut self,
        cursor: Cursor,
        space: usize,
        start: usize,
    ) -> Option<(Range<usize>, usize)> {
        let blank = cursor.before(start).filter(|blank| start > space && *blank != '\n');
        let found = self.call(cursor, start);
        found.or_else(|| self.call(cursor, start - blank?.len_utf8()))
    }

    fn call(&mut self, cursor: Cursor, start: usize) -> Option<(Range<usize>, usize)> {
        let (open, close) = self.parentheses(cursor, start)?;
        (open > start).then(|| (start..open, cursor.space_end(close + 1)))
    }

    fn parentheses(&mut self, cursor: Cursor, at: usize) -> Option<(usize, usize)> {
        if !(self.line.start <= at && at < self.line.end) {
            self.line = at..cursor.line_end(at);
            let line = cursor.slice(self.line.clone());
            self.parentheses = line.rfind(')').and_then(|close| {
                let open = line.get(..close)?.rfind('(')?;
                Some((at + open, at + close))
            });
        }
        self.parentheses
    }
}
