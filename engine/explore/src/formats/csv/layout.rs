//! The layout of a table: comments before it, and the separator of its cells.

use std::io::{self, Read};

use super::{cells, kind};
use crate::formats::shared::source::Source;

/// Minimum number of records for a table that is recognised only by its regularity.
const RECORDS: usize = 3;

/// The layout of a table.
#[derive(Debug, PartialEq, Eq)]
pub struct Layout {
    /// Number of lines before the table that begin with `#`. If the last of them has as many cells
    /// as the line below it, it names the columns and belongs to the table.
    pub preamble: u64,
    /// The separator of cells; a space stands for any number of spaces.
    pub delimiter: u8,
}

impl Layout {
    /// Determines the layout from the beginning of a text; `whole` if that is all of it.
    pub fn of(beginning: &[u8], whole: bool, name: &str) -> Self {
        let (mut at, mut preamble, mut last) = (0, 0, 0);
        while let Some(rest) = beginning.get(at..).filter(|rest| rest.starts_with(b"#"))
            && let Some(end) = memchr::memchr(b'\n', rest)
        {
            last = at;
            at += end + 1;
            preamble += 1;
        }
        let table = beginning.get(at..).unwrap_or_default();
        let delimiter = delimiter(table, whole, name);
        if preamble > 0 {
            let width = |from: usize| {
                let line = beginning.get(from..)?.split(|byte| *byte == b'\n').next()?;
                let (_, width, _) = if delimiter == b' ' {
                    cells::regular(Spaced::new(Source::new(line)), true, delimiter)?
                } else {
                    cells::regular(line, true, delimiter)?
                };
                Some(width)
            };
            let names = width(last).is_some_and(|names| Some(names) == width(at))
                && !names_columns(table, delimiter);
            preamble -= u64::from(names);
        }
        Self { preamble, delimiter }
    }
}

/// Whether the first line of a table names its columns: it has no number or date, and the second
/// line has one. Then a comment before it does not name them.
fn names_columns(table: &[u8], delimiter: u8) -> bool {
    let mut lines = table.split(|byte| *byte == b'\n').take(2).map(|line| {
        let cells = line.split(|byte| *byte == delimiter).map(String::from_utf8_lossy);
        cells.filter(|cell| matches!(kind::of_cell(cell.trim()), "number" | "date")).count()
    });
    lines.next() == Some(0) && lines.next().is_some_and(|typed| typed > 0)
}

/// The delimiter of a table. The extension may promise tabs; if there are none, it is another sign
/// or, if every record has the same number of words, spaces.
fn delimiter(table: &[u8], whole: bool, name: &str) -> u8 {
    let name = name.to_lowercase();
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let promised = matches!(extension, "tsv" | "tab");
    if promised && (table.contains(&b'\t') || table.is_empty()) {
        return b'\t';
    }
    let found = cells::delimiter(table, whole);
    if matches!(extension, "tab" | "txt") && cells::regular(table, whole, found).is_none() {
        let spaces = cells::regular(Spaced::new(Source::new(table)), whole, b' ');
        if spaces.is_some_and(|(share, _, records)| share == 1000 && records >= RECORDS) {
            return b' ';
        }
    }
    let regular = cells::regular(table, whole, found).is_some();
    if promised && !regular { b'\t' } else { found }
}

/// Whether a text whose name does not tell is a table: it has several lines, all with the same
/// number of cells, at least three, and a column in which all cells but the first are numbers.
pub fn looks_like_table(beginning: &[u8], whole: bool) -> bool {
    let Layout { preamble, delimiter } = Layout::of(beginning, whole, "a.txt");
    let mut lines = beginning.split(|byte| *byte == b'\n');
    let rest: Vec<&[u8]> = lines.by_ref().skip(usize::try_from(preamble).unwrap_or(0)).collect();
    let table = rest.join(&b'\n');
    let spaced: Box<dyn Read> = if delimiter == b' ' {
        Box::new(Spaced::new(Source::new(table.as_slice())))
    } else {
        Box::new(table.as_slice())
    };
    let mut text = Vec::new();
    if Source::new(spaced).read_to_end(&mut text).is_err() {
        return false;
    }
    let regular = cells::regular(text.as_slice(), whole, delimiter);
    if !regular.is_some_and(|(share, width, count)| share == 1000 && width >= 3 && count >= 5) {
        return false;
    }
    let text = String::from_utf8_lossy(&text);
    let rows: Vec<Vec<&str>> = text
        .lines()
        .skip(1)
        .take(4)
        .map(|row| row.split(char::from(delimiter)).collect())
        .collect();
    let columns = rows.iter().map(Vec::len).min().unwrap_or(0);
    let number = |cell: &&str| super::kind::of_cell(cell) == "number";
    (0..columns).any(|column| rows.iter().all(|row| row.get(column).is_some_and(number)))
}

/// A text in which runs of spaces become one space, with none at the start or end of a line. Spaces
/// inside quotes stay.
pub struct Spaced<R> {
    source: Source<R>,
    quoted: bool,
    /// Whether a space has to be written before the next sign.
    space: bool,
    /// Whether the line has begun with a sign.
    begun: bool,
}

impl<R: Read> Spaced<R> {
    /// A reader that wraps a source.
    pub const fn new(source: Source<R>) -> Self {
        Self { source, quoted: false, space: false, begun: false }
    }
}

impl<R: Read> Read for Spaced<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut count = 0;
        // A sign may need a space before it, so there must be room for two bytes.
        while count + 2 <= buffer.len() {
            let Some(byte) = self.source.peek() else { break };
            self.source.bump();
            match byte {
                b' ' | b'\t' | b'\r' if !self.quoted => {
                    self.space = self.begun;
                    continue;
                }
                b'\n' if !self.quoted => (self.space, self.begun) = (false, false),
                _ => {
                    self.quoted ^= byte == b'"';
                    self.begun = true;
                    if std::mem::take(&mut self.space) {
                        if let Some(place) = buffer.get_mut(count) {
                            *place = b' ';
                        }
                        count += 1;
                    }
                }
            }
            if let Some(place) = buffer.get_mut(count) {
                *place = byte;
            }
            count += 1;
        }
        self.source.error.take().map_or(Ok(count), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::{Layout, looks_like_table};

    #[test]
    fn comments_before_a_table_and_its_delimiter_are_found() {
        for (name, text, preamble, delimiter) in [
            ("a.csv", "# made by hand, today\n# twice\na,b\n1,2\n", 2, b','),
            ("a.tsv", "#x\n#a\tb\n1\t2\n", 1, b'\t'),
            ("a.csv", "# by hand, today\na,b\nx,2\n", 1, b','),
            ("a.csv", "#a,b\nx,y\nz,w\n", 0, b','),
            ("a.csv", "a,b\n#1,2\n", 0, b','),
            ("a.tab", "a,b\n1,2\n", 0, b','),
            ("a.tab", "a   b  c\n1   2  3\n 4 5 6\n", 0, b' '),
            ("a.tab", "one\ntwo words\n", 0, b'\t'),
            ("a.csv", "a b\n1 2\n3 4\n", 0, b','),
            ("a.tsv", "", 0, b'\t'),
        ] {
            let layout = Layout::of(text.as_bytes(), true, name);
            assert_eq!(layout, Layout { preamble, delimiter }, "{name} {text:?}");
        }
    }

    #[test]
    fn tables_are_told_from_prose() {
        for (text, expected) in [
            ("n x y\na 1 2\nb 3 4\nc 5 6\nd 7 8\n", true),
            ("# c\nn,x,y\na,1,2\nb,3,4\nc,5,6\nd,7,8\n", true),
            ("one two three\na b c\nd e f\ng h i\nj k l\n", false),
            ("Words, and more words.\nAnother line.\n", false),
            ("n x y\na 1 2\n", false),
        ] {
            assert_eq!(looks_like_table(text.as_bytes(), true), expected, "{text:?}");
        }
    }
}
