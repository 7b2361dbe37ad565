//! How much of a text a parser reads, how many steps it takes, and when that is too much.
//!
//! Some pinned scanners ask for the column of a token, and to compute it the parser reads the line
//! once more from its start: a hundred thousand brackets on one line are read thousands of times.
//! The text is handed out in pieces, so reading a long line again and again shows in their number.
//! Unlike a time, that number is the same on every machine.
//!
//! Where a text has errors, some grammars keep hundreds of readings of it apart, and try them all: OCaml has
//! files of 425 bytes that take more than eleven minutes. The parser reports after every hundred steps, and
//! these reports are counted.

use std::cell::Cell;

use crate::watch;

/// Bytes that are handed out at once.
const PIECE: usize = 4096;
/// Pieces of long lines that may be read of a text of any size: 12 MB, which takes about a second. No file of
/// 107 repositories reaches half of it.
const ANY_TEXT: usize = 3_000;
/// How often each piece of a larger text may be read where it belongs to a long line.
const TIMES: usize = 16;

/// Reports of a parser on a text of any size: 2,000,000 steps, which take about a second.
const ANY_STEPS: usize = 20_000;
/// Bytes of a larger text for each further report. Of 38,570 texts of code, the one with the most reports for
/// its size has one for 23 bytes.
const BYTES_A_REPORT: usize = 2;

/// Why a text that is read too often has no tree.
const EXCESSIVE: &str = "its parser reads it again and again";
/// Why a text that takes too many steps has none.
const ENDLESS: &str = "its parser takes too many steps";

/// A text that is read by a parser.
#[derive(Debug)]
pub struct Reading<'a> {
    text: &'a [u8],
    /// Pieces read so far that continue a line begun in the piece before.
    read: Cell<usize>,
    /// Reports of the parser so far.
    reports: Cell<usize>,
    /// Where the last piece ends, if no line ends in it.
    within_line: Cell<Option<usize>>,
}

impl<'a> Reading<'a> {
    /// A text of which nothing has been read yet.
    pub const fn of(text: &'a str) -> Self {
        Self {
            text: text.as_bytes(),
            read: Cell::new(0),
            reports: Cell::new(0),
            within_line: Cell::new(None),
        }
    }

    /// The piece that begins at byte `start`; empty past the end of the text.
    pub fn piece(&self, start: usize) -> &'a [u8] {
        if self.within_line.get() == Some(start) {
            self.read.set(self.read.get() + 1);
        }
        let end = self.text.len().min(start.saturating_add(PIECE));
        let piece = self.text.get(start..end).unwrap_or_default();
        self.within_line.set((!piece.contains(&b'\n')).then_some(end));
        piece
    }

    /// Counts a report of the parser.
    pub fn report(&self) {
        self.reports.set(self.reports.get() + 1);
    }

    /// Why the parser has to stop: it has read too much or taken too many steps, or the file was given
    /// up. `None` if it may go on.
    pub fn end(&self) -> Option<&'static str> {
        if self.read.get() > ANY_TEXT.max(self.text.len() / PIECE * TIMES) {
            Some(EXCESSIVE)
        } else if self.reports.get() > ANY_STEPS + self.text.len() / BYTES_A_REPORT {
            Some(ENDLESS)
        } else {
            watch::is_given_up().then_some(watch::TIMED_OUT)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ANY_STEPS, ANY_TEXT, BYTES_A_REPORT, PIECE, Reading, TIMES};

    #[test]
    fn a_text_is_handed_out_whole() {
        let text = "ab".repeat(PIECE);
        let reading = Reading::of(&text);
        assert_eq!(reading.piece(1).len(), PIECE);
        assert_eq!(reading.piece(2 * PIECE - 3), b"bab");
        assert_eq!(reading.piece(2 * PIECE), b"");
        assert_eq!(reading.piece(usize::MAX), b"");
    }

    #[test]
    fn a_parser_may_take_steps_for_each_byte() {
        let text = "ab".repeat(PIECE);
        let reading = Reading::of(&text);
        for _ in 0..ANY_STEPS + text.len() / BYTES_A_REPORT {
            reading.report();
        }
        assert_eq!(reading.end(), None);
        reading.report();
        assert!(reading.end().is_some());
    }

    #[test]
    fn a_long_line_may_not_be_read_again_and_again() {
        let read = |text: &str, times: usize| {
            let reading = Reading::of(text);
            for _ in 0..times {
                for start in (0..text.len()).step_by(PIECE) {
                    reading.piece(start);
                }
            }
            reading.end()
        };
        let line = "a".repeat(100 * PIECE);
        assert_eq!(read(&line, ANY_TEXT / 100), None);
        assert!(read(&line, ANY_TEXT / 99 + 1).is_some());
        assert_eq!(read(&"a\n".repeat(50 * PIECE), ANY_TEXT), None);
        let long = "a".repeat(PIECE * ANY_TEXT / TIMES * 2);
        assert_eq!(read(&long, TIMES), None);
        assert!(read(&long, TIMES + 1).is_some());
    }
}
