//! The machine that drives every lexer: a position in a text, the construct that it is in, and the
//! names found so far.
//!
//! A lexer consists of its states `S`, its memory of the text `M`, and one step:
//!
//! ```text
//! type Kotlin<'t, 'n> = Scanner<'t, 'n, State, Memory>;
//!
//! pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
//!     Kotlin::new(text, names).run(Kotlin::step);
//! }
//! ```
//!
//! A step reads one token: it has to move the position or to change the state. The stack of states
//! is explicit, so that no text nests too deep. A lexer's methods are implemented for its own state
//! and memory types, so even a lexer that needs neither has a state of its own.

use std::ops::Range;

use crate::cursor::Cursor;

/// A scanner over one text, or over a part that is read on its own.
///
/// All positions are byte offsets into the scanned text. Only the names are
/// stored as offsets into the whole text.
pub(crate) struct Scanner<'t, 'n, S, M = ()> {
    /// The scanned text.
    pub cursor: Cursor<'t>,
    /// Where the next token starts.
    pub at: usize,
    /// The construct that the scanner is in.
    pub state: S,
    /// What the lexer remembers about the text.
    pub memory: M,
    /// The states around the current one, outermost first.
    around: Vec<S>,
    /// Offset of the scanned text in the whole text.
    base: usize,
    names: &'n mut Vec<Range<usize>>,
    /// Endings that do not occur any more. Mostly empty.
    missing: Vec<Ending>,
}

/// The end of a literal.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    /// A fixed text.
    Text(&'static str),
    /// A quote that is not escaped by a backslash.
    Quote(u8),
}

/// A scanner's place in one text, stored while a part of it is read.
pub(crate) struct Place<'t, S, M> {
    cursor: Cursor<'t>,
    at: usize,
    state: S,
    /// What the lexer remembers about that text.
    pub memory: M,
    around: Vec<S>,
    base: usize,
    missing: Vec<Ending>,
}

impl<'t, 'n, S: Copy + Default, M> Scanner<'t, 'n, S, M> {
    /// A scanner at the start of a whole text.
    pub fn new(text: &'t str, names: &'n mut Vec<Range<usize>>) -> Self
    where
        M: Default,
    {
        Self::with(text, 0, names, M::default())
    }

    /// A scanner at the start of a text that is at offset `base` of the whole one.
    pub fn with(text: &'t str, base: usize, names: &'n mut Vec<Range<usize>>, memory: M) -> Self {
        Self {
            cursor: Cursor::new(text),
            at: 0,
            state: S::default(),
            memory,
            around: Vec::new(),
            base,
            names,
            missing: Vec::new(),
        }
    }

    /// A scanner for a part of the text, which it reads as if it were a whole text.
    pub fn inner(&mut self, part: Range<usize>, memory: M) -> Scanner<'t, '_, S, M> {
        let base = self.base + part.start;
        Scanner::with(self.cursor.slice(part), base, self.names, memory)
    }

    /// Appends the names that another lexer finds in a part of the text.
    pub fn foreign(&mut self, part: Range<usize>, scan: impl FnOnce(&str, &mut Vec<Range<usize>>)) {
        let (start, from) = (self.base + part.start, self.names.len());
        scan(self.cursor.slice(part), self.names);
        for name in self.names.iter_mut().skip(from) {
            *name = name.start + start..name.end + start;
        }
    }

    /// Continues in another part of the whole text, with an empty stack; returns the place to come
    /// back to.
    pub fn suspend(&mut self, text: &'t str, base: usize, state: S, memory: M) -> Place<'t, S, M> {
        Place {
            cursor: std::mem::replace(&mut self.cursor, Cursor::new(text)),
            at: std::mem::take(&mut self.at),
            state: std::mem::replace(&mut self.state, state),
            memory: std::mem::replace(&mut self.memory, memory),
            around: std::mem::take(&mut self.around),
            base: std::mem::replace(&mut self.base, base),
            missing: std::mem::take(&mut self.missing),
        }
    }

    /// Continues at an earlier place.
    pub fn resume(&mut self, place: Place<'t, S, M>) {
        self.cursor = place.cursor;
        self.at = place.at;
        self.state = place.state;
        self.memory = place.memory;
        self.around = place.around;
        self.base = place.base;
        self.missing = place.missing;
    }

    /// Runs the step up to the end of the text. The step is inlined into this loop, which matters
    /// if tokens are single characters.
    #[inline]
    pub fn run(&mut self, step: impl Fn(&mut Self)) {
        while self.at < self.cursor.len() {
            step(self);
        }
    }

    /// The byte at the current position, or 0 at the end.
    #[inline]
    pub fn byte(&self) -> u8 {
        self.cursor.byte(self.at)
    }

    /// A range as offsets into the whole text.
    #[inline]
    pub fn whole(&self, range: Range<usize>) -> Range<usize> {
        self.base + range.start..self.base + range.end
    }

    /// Appends a name and moves after it.
    #[inline]
    pub fn name(&mut self, range: Range<usize>) {
        self.at = range.end;
        self.note(range);
    }

    /// Appends the text from the current position to `end` as a name, and moves there.
    #[inline]
    pub fn name_to(&mut self, end: usize) {
        self.name(self.at..end);
    }

    /// Appends a name without moving.
    #[inline]
    pub fn note(&mut self, range: Range<usize>) {
        let name = self.whole(range);
        self.names.push(name);
    }

    /// Moves to `at`, into a new state.
    #[inline]
    pub fn enter(&mut self, at: usize, state: S) {
        self.at = at;
        self.around.push(std::mem::replace(&mut self.state, state));
    }

    /// Moves to `at`, back to the previous state. If there is none, only the position changes.
    #[inline]
    pub fn leave(&mut self, at: usize) {
        self.at = at;
        if let Some(state) = self.around.pop() {
            self.state = state;
        }
    }

    /// Leaves all open states.
    pub fn leave_all(&mut self) {
        self.around.clear();
        self.state = S::default();
    }

    /// Skips one character that no rule reads. A line break also closes all open states.
    #[inline]
    pub fn skip(&mut self) {
        if self.byte() == b'\n' {
            self.leave_all();
        }
        self.at = self.cursor.after(self.at);
    }

    /// Skips white space; false if there is none.
    #[inline]
    pub fn space(&mut self) -> bool {
        let end = self.cursor.space_end(self.at);
        let moved = end > self.at;
        self.at = end;
        moved
    }

    /// Position after the next `ending`, from `from` on. A failure is remembered: a repeated
    /// unclosed opener would otherwise make the scanner quadratic.
    #[inline]
    pub fn ending(&mut self, from: usize, ending: &'static str) -> Option<usize> {
        if self.missing.contains(&Ending::Text(ending)) {
            return None;
        }
        let found = match *ending.as_bytes() {
            [byte] => self.cursor.find(from, byte),
            _ => self.cursor.find_text(from, ending),
        };
        if found.is_none() {
            self.missing.push(Ending::Text(ending));
        }
        found.map(|found| found + ending.len())
    }

    /// End of the quoted text whose opening quote is at `at`; a backslash escapes the next
    /// character. A failure is remembered, too.
    #[inline]
    pub fn quoted_end(&mut self, at: usize, quote: u8) -> Option<usize> {
        if self.missing.contains(&Ending::Quote(quote)) {
            return None;
        }
        let end = self.cursor.quoted_end(at, quote);
        if end.is_none() {
            self.missing.push(Ending::Quote(quote));
        }
        end
    }
}
