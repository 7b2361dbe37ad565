//! The machine that every lexer drives: a position in a text, what it is
//! inside of, and the names found so far.
//!
//! A lexer is its states `S`, what it remembers about the text `M`, and one
//! step:
//!
//! ```text
//! type Kotlin<'t, 'n> = Scanner<'t, 'n, State, Memory>;
//!
//! pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
//!     Kotlin::new(text, names).run(Kotlin::step);
//! }
//! ```
//!
//! A step takes one token: it has to move the position on or to change the
//! state. The stack of states is explicit, so that no text nests too deep.
//! Since a lexer's methods belong to its states and its memory, one that has
//! neither has a state of its own all the same.

use std::ops::Range;

use crate::cursor::Cursor;

/// A scanner over one text, or over a part of one that is read by itself.
///
/// All positions are byte offsets into the scanned text. Only the names are
/// stored as offsets into the whole text.
pub(crate) struct Scanner<'t, 'n, S, M = ()> {
    /// The scanned text.
    pub cursor: Cursor<'t>,
    /// Where the next token starts.
    pub at: usize,
    /// What the scanner is inside of.
    pub state: S,
    /// What the lexer remembers about the text.
    pub memory: M,
    /// The states around the current one, outermost first.
    around: Vec<S>,
    /// Offset of the scanned text in the whole text.
    base: usize,
    names: &'n mut Vec<Range<usize>>,
    /// What does not follow any more. Mostly empty.
    missing: Vec<Ending>,
}

/// The end of a literal.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    /// A fixed text.
    Text(&'static str),
    /// A quote that no backslash hides.
    Quote(u8),
}

/// A scanner's place in one text, set aside while a part of it is read.
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

    /// A scanner at the start of a text that lies `base` bytes inside the
    /// whole one.
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

    /// A scanner for a part of the text, which reads it as if it were whole.
    pub fn inner(&mut self, part: Range<usize>, memory: M) -> Scanner<'t, '_, S, M> {
        let base = self.base + part.start;
        Scanner::with(self.cursor.slice(part), base, self.names, memory)
    }

    /// Lets another lexer append the names of a part of the text.
    pub fn foreign(&mut self, part: Range<usize>, scan: impl FnOnce(&str, &mut Vec<Range<usize>>)) {
        let (start, from) = (self.base + part.start, self.names.len());
        scan(self.cursor.slice(part), self.names);
        for name in self.names.iter_mut().skip(from) {
            *name = name.start + start..name.end + start;
        }
    }

    /// Goes on in another part of the whole text, with nothing around it;
    /// gives the place to come back to.
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

    /// Goes on where the scanner was before.
    pub fn resume(&mut self, place: Place<'t, S, M>) {
        self.cursor = place.cursor;
        self.at = place.at;
        self.state = place.state;
        self.memory = place.memory;
        self.around = place.around;
        self.base = place.base;
        self.missing = place.missing;
    }

    /// Takes steps up to the end of the text. A step is inlined into this loop,
    /// which matters where a token is a character.
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

    /// A range as it lies in the whole text.
    #[inline]
    pub fn whole(&self, range: Range<usize>) -> Range<usize> {
        self.base + range.start..self.base + range.end
    }

    /// Appends a name and moves behind it.
    #[inline]
    pub fn name(&mut self, range: Range<usize>) {
        self.at = range.end;
        self.note(range);
    }

    /// Appends what reaches from the current position to `end`, and moves
    /// there.
    #[inline]
    pub fn name_to(&mut self, end: usize) {
        self.name(self.at..end);
    }

    /// Appends a name and stays where it is.
    #[inline]
    pub fn note(&mut self, range: Range<usize>) {
        let name = self.whole(range);
        self.names.push(name);
    }

    /// Moves to `at`, inside of something new.
    #[inline]
    pub fn enter(&mut self, at: usize, state: S) {
        self.at = at;
        self.around.push(std::mem::replace(&mut self.state, state));
    }

    /// Moves to `at`, out of what was entered last. Outside of everything only
    /// the position changes.
    #[inline]
    pub fn leave(&mut self, at: usize) {
        self.at = at;
        if let Some(state) = self.around.pop() {
            self.state = state;
        }
    }

    /// Leaves everything that is open.
    pub fn leave_all(&mut self) {
        self.around.clear();
        self.state = S::default();
    }

    /// Moves over one character that no rule takes. If it is a line break, it
    /// closes everything that is open.
    #[inline]
    pub fn skip(&mut self) {
        if self.byte() == b'\n' {
            self.leave_all();
        }
        self.at = self.cursor.after(self.at);
    }

    /// Moves over white space; false if there is none.
    #[inline]
    pub fn space(&mut self) -> bool {
        let end = self.cursor.space_end(self.at);
        let moved = end > self.at;
        self.at = end;
        moved
    }

    /// Position behind the next `ending`, from `from` on. That there is none
    /// is remembered: an unclosed opener, repeated, would otherwise make the
    /// scanner quadratic.
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

    /// End of a quoted text whose opening quote is at `at`, where a backslash
    /// hides the next character. That there is none is remembered, too.
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
