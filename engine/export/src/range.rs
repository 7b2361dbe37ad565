//! Where something stands in a file, as an occurrence says it.

use scip::types::{
    MultiLineRange, Occurrence, SingleLineRange,
    occurrence::{Typed_enclosing_range, Typed_range},
};

/// A range of a file; lines and columns from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// Line and column of the first character.
    pub start: (u32, u32),
    /// Line and column behind the last character.
    pub end: (u32, u32),
}

impl Range {
    /// Sets where an occurrence stands: in the form that the format asks for, and in the older one
    /// that most readers still want.
    pub fn set(self, one: &mut Occurrence) {
        one.range = self.numbers();
        one.typed_range = Some(match self.single() {
            Some(range) => Typed_range::SingleLineRange(range),
            None => Typed_range::MultiLineRange(self.multi()),
        });
    }

    /// Sets where the whole definition around an occurrence stands, in both forms.
    pub fn set_enclosing(self, one: &mut Occurrence) {
        one.enclosing_range = self.numbers();
        one.typed_enclosing_range = Some(match self.single() {
            Some(range) => Typed_enclosing_range::SingleLineEnclosingRange(range),
            None => Typed_enclosing_range::MultiLineEnclosingRange(self.multi()),
        });
    }

    fn numbers(self) -> Vec<i32> {
        let Self { start: (line, start), end: (end_line, end) } = self;
        let (line, start, end_line, end) = (line as i32, start as i32, end_line as i32, end as i32);
        if line == end_line { vec![line, start, end] } else { vec![line, start, end_line, end] }
    }

    fn single(self) -> Option<SingleLineRange> {
        (self.start.0 == self.end.0).then(|| SingleLineRange {
            line: self.start.0 as i32,
            start_character: self.start.1 as i32,
            end_character: self.end.1 as i32,
            ..SingleLineRange::default()
        })
    }

    fn multi(self) -> MultiLineRange {
        MultiLineRange {
            start_line: self.start.0 as i32,
            start_character: self.start.1 as i32,
            end_line: self.end.0 as i32,
            end_character: self.end.1 as i32,
            ..MultiLineRange::default()
        }
    }
}
