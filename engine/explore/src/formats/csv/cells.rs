//! The cells of delimited text, read in bounded memory, and the delimiter of a text.

use std::io::Read;

use csv_core::{ReadFieldResult, ReaderBuilder};

use crate::formats::shared::source::Source;

/// Longest part of a cell that is kept, in bytes.
pub const KEPT: usize = 1024;
/// Delimiters; among equally good ones the first wins.
const DELIMITERS: [u8; 4] = [b',', b'\t', b';', b'|'];
/// Number of records that decide which delimiter it is.
const TRIED: usize = 100;

/// A reader of cells.
pub struct Cells<R> {
    source: Source<R>,
    reader: csv_core::Reader,
    output: Vec<u8>,
    /// True if a part of the next record has been read.
    begun: bool,
    /// The last cell, cut after [`KEPT`] bytes.
    pub cell: Vec<u8>,
    /// True if the text ended inside quotes.
    pub open_quote: bool,
    ended: bool,
}

/// What ends with a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Only the cell.
    Cell,
    /// The record as well.
    Record,
}

impl<R: Read> Cells<R> {
    /// A reader at the beginning of a line.
    pub fn new(source: Source<R>, delimiter: u8, line: u64) -> Self {
        let mut reader = ReaderBuilder::new().delimiter(delimiter).build();
        reader.set_line(line);
        let (output, cell) = (vec![0; KEPT], Vec::new());
        Self { source, reader, output, begun: false, cell, open_quote: false, ended: false }
    }

    /// Line of the next cell.
    pub fn line(&self) -> u64 {
        self.reader.line()
    }

    /// Takes the read error, if there was one.
    pub fn error(&mut self) -> Option<std::io::Error> {
        self.source.error.take()
    }

    /// Reads the next cell; `None` at the end.
    pub fn next(&mut self) -> Option<End> {
        self.cell.clear();
        loop {
            let mut window = self.source.window();
            let ends = window.is_empty() && !self.ended;
            let line = self.reader.line();
            if ends {
                // At the end of the text a record ends as if by a line feed, unless a quote is
                // open.
                self.ended = true;
                window = b"\n";
            }
            let (result, read, written) = self.reader.read_field(window, &mut self.output);
            if ends {
                self.open_quote = self.begun && result == ReadFieldResult::InputEmpty;
                self.reader.set_line(line);
            } else {
                let bytes = window.get(..read).unwrap_or_default();
                self.begun |= bytes.iter().any(|byte| !matches!(byte, b'\r' | b'\n'));
            }
            let room = KEPT.saturating_sub(self.cell.len()).min(written);
            self.cell.extend_from_slice(self.output.get(..room).unwrap_or_default());
            if !ends {
                self.source.advance(read);
            }
            match result {
                ReadFieldResult::InputEmpty | ReadFieldResult::OutputFull => {}
                ReadFieldResult::Field { record_end: true } => {
                    self.begun = false;
                    return Some(End::Record);
                }
                ReadFieldResult::Field { record_end: false } => return Some(End::Cell),
                ReadFieldResult::End => return None,
            }
        }
    }
}

/// How regular a text is with a delimiter: how many of a thousand records have the usual number of
/// cells, that number, and the number of records. `None` if most records have only one cell.
pub fn regular(beginning: impl Read, whole: bool, delimiter: u8) -> Option<(usize, usize, usize)> {
    let mut widths: Vec<usize> = Vec::new();
    let mut cells = Cells::new(Source::new(beginning), delimiter, 1);
    let mut width = 0;
    while let Some(end) = cells.next() {
        width += 1;
        if end == End::Record {
            widths.push(std::mem::take(&mut width));
            if widths.len() > TRIED {
                break;
            }
        }
    }
    // The last record may be cut off.
    if widths.len() > TRIED || !whole && widths.len() > 1 {
        widths.pop();
    }
    let count = |width: &usize| widths.iter().filter(|other| *other == width).count();
    let usual = widths.iter().copied().max_by_key(|width| (count(width), *width)).unwrap_or(0);
    let share = count(&usual) * 1000 / widths.len().max(1);
    (usual > 1).then_some((share, usual, widths.len()))
}

/// The delimiter with which most records at a text's beginning have the same number of cells, more
/// than one. Among equally good ones, the one with more cells wins, and then the first in the list.
pub fn delimiter(beginning: &[u8], whole: bool) -> u8 {
    let mut best = (0, 0, b',');
    for delimiter in DELIMITERS {
        if let Some((share, usual, _)) = regular(beginning, whole, delimiter)
            && (share, usual) > (best.0, best.1)
        {
            best = (share, usual, delimiter);
        }
    }
    best.2
}

#[cfg(test)]
mod tests {
    use super::delimiter;

    #[test]
    fn the_delimiter_is_that_of_the_most_regular_table() {
        for (text, expected) in [
            ("a,b\n1,2\n", b','),
            ("a;b\n1,5;2,5\n3,25;1\n", b';'),
            ("a\tb, c\n1\t2\n", b'\t'),
            ("a|b|c\n1|2|3\n", b'|'),
            ("\"a;b\",c\n\"d;e\",f\n", b','),
            ("one\ntwo\n", b','),
        ] {
            assert_eq!(delimiter(text.as_bytes(), true), expected, "{text}");
        }
    }
}
