//! Delimited text: comma, tab, semicolon or bar, with quotes over several lines. The whole file is
//! read in bounded memory, whatever its size.

mod cells;

use std::{
    collections::{BTreeMap, BTreeSet},
    hash::{DefaultHasher, Hash, Hasher},
    io,
};

use serde_json::{Value, json};

use super::{
    beginning::{self, Stream},
    source::Source,
};
use crate::{
    Findings, Task,
    disclosure::{List, Marker},
    findings::{cut, grouped},
};
use cells::{Cells, End};

/// Data rows that decide what a column holds and whether there is a header.
const TYPED_ROWS: usize = 100;
/// Columns that are listed; more are counted.
const LISTED_COLUMNS: usize = 50_000;
/// Distinct values of a column, and of all columns, that are told apart.
const DISTINCT: usize = 1000;
const ALL_DISTINCT: usize = 2_000_000;
/// Most bytes of first rows that are kept.
const FIRST_BYTES: usize = 16 << 20;
/// Different numbers of cells that are counted.
const WIDTHS: usize = 1000;
/// Columns and rows of the summary, and the longest row, in bytes.
const SHOWN_COLUMNS: usize = 1000;
const SHOWN_ROWS: usize = 5;
const SHOWN_ROW: usize = 1_900;
/// Longest cell of the summary and longest header, in characters.
const SHOWN_CELL: usize = 50;
const LONGEST_HEADER: usize = 64;

/// A column over all rows but the first.
#[derive(Default)]
struct Column {
    empty: u64,
    values: BTreeSet<u64>,
    many: bool,
}

/// A table.
#[derive(Default)]
struct Table {
    /// The first records, whole.
    first: Vec<Vec<String>>,
    columns: Vec<Column>,
    first_bytes: usize,
    distinct: usize,
    /// True as long as no cell held anything.
    blank: bool,
    records: u64,
    widths: BTreeMap<usize, (u64, u64)>,
}

/// Explores a delimited text.
pub fn explore(task: &Task) -> io::Result<Findings> {
    let Stream { reader, encoding, damaged, sampled } = beginning::stream(task)?;
    let mut findings = Findings::new(task);
    let mut source = Source::new(reader);
    let name = task.input.base_name().to_lowercase();
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let delimiter = if matches!(extension, "tsv" | "tab") {
        b'\t'
    } else {
        let window = source.window();
        cells::delimiter(window, window.len() as u64 >= task.input.size())
    };
    let mut cells = Cells::new(source, delimiter);
    let table = Table::read(&mut cells);
    if let Some(error) = cells.error() {
        return Err(error);
    }
    if cells.open_quote {
        let what = "the text ends inside quotes";
        findings.malformed(what, Some(cells.line()), None);
    }
    beginning::taken(&mut findings, encoding, damaged, sampled);
    findings.set("line_count", cells.line().saturating_sub(1));
    let shown = match delimiter {
        b'\t' => "TAB".to_owned(),
        other => char::from(other).to_string(),
    };
    findings.set("delimiter", shown.as_str());
    findings.summary.line(&format!("Format: CSV (delimiter: \"{shown}\")"));
    beginning::unusual(&mut findings, encoding, sampled, "CSV");
    table.write(&mut findings);
    beginning::preview(&mut findings, task)?;
    Ok(findings)
}

impl Table {
    fn read(cells: &mut Cells<impl io::Read>) -> Self {
        let mut table = Self { blank: true, ..Self::default() };
        let mut keep = true;
        let mut row: Vec<String> = Vec::new();
        let mut width = 0;
        let mut line = 1;
        while let Some(end) = cells.next() {
            if width < LISTED_COLUMNS {
                if keep {
                    table.first_bytes += cells.cell.len();
                    row.push(String::from_utf8_lossy(&cells.cell).into_owned());
                }
                if table.records > 0 {
                    table.column(width, &cells.cell);
                }
            }
            width += 1;
            table.blank &= width == 1 && cells.cell.trim_ascii().is_empty();
            if end == End::Record {
                if keep {
                    table.first.push(std::mem::take(&mut row));
                }
                table.records += 1;
                keep = table.first.len() <= TYPED_ROWS && table.first_bytes < FIRST_BYTES;
                if table.widths.len() < WIDTHS || table.widths.contains_key(&width) {
                    table.widths.entry(width).or_insert((0, line)).0 += 1;
                }
                width = 0;
                line = cells.line();
            }
        }
        // White space alone is no table.
        if table.blank { Self::default() } else { table }
    }

    fn column(&mut self, index: usize, cell: &[u8]) {
        while self.columns.len() <= index {
            self.columns.push(Column::default());
        }
        let Some(column) = self.columns.get_mut(index) else { return };
        column.empty += u64::from(cell.trim_ascii().is_empty());
        if !column.many {
            let mut hash = DefaultHasher::new();
            cell.hash(&mut hash);
            self.distinct += usize::from(column.values.insert(hash.finish()));
            if column.values.len() > DISTINCT || self.distinct > ALL_DISTINCT {
                column.many = true;
                column.values.clear();
            }
        }
    }

    /// The number of cells that most records have, and the first one's line if others differ.
    fn usual_width(&self) -> usize {
        let usual =
            self.widths.iter().max_by_key(|(_, (count, line))| (*count, std::cmp::Reverse(*line)));
        usual.map_or(0, |(width, _)| *width)
    }

    /// Whether the first record names the columns: none of its cells is a number or a date, those
    /// that are not empty differ, and either some column holds numbers, dates or truths below, or,
    /// in a table of texts alone, no name stands in its column again and none is long.
    fn has_header(&self) -> bool {
        let Some((first, rows)) = self.first.split_first() else { return false };
        let names: Vec<&str> =
            first.iter().map(|cell| cell.trim()).filter(|cell| !cell.is_empty()).collect();
        let distinct: BTreeSet<&str> = names.iter().copied().collect();
        if names.is_empty()
            || distinct.len() < names.len()
            || names.iter().any(|name| matches!(kind(name), "number" | "date"))
        {
            return false;
        }
        let typed = rows.iter().any(|row| {
            row.iter().zip(first).any(|(cell, name)| {
                !matches!(kind(cell), "string" | "empty") && kind(name) != kind(cell)
            })
        });
        typed
            || names.iter().all(|name| name.chars().count() <= LONGEST_HEADER)
                && rows.iter().all(|row| {
                    row.iter()
                        .zip(first)
                        .all(|(cell, name)| name.trim().is_empty() || cell.trim() != name.trim())
                })
    }

    fn write(&self, findings: &mut Findings) {
        let width = self.usual_width();
        let header = self.has_header();
        let rows = self.records - u64::from(header && self.records > 0);
        let ragged: u64 = self
            .widths
            .iter()
            .filter(|(other, _)| **other != width)
            .map(|(_, (count, _))| count)
            .sum();
        let first_ragged = self
            .widths
            .iter()
            .filter(|(other, _)| **other != width)
            .map(|(_, (_, line))| *line)
            .min();
        let data = self.first.get(usize::from(header)..).unwrap_or_default();
        let typed = data.get(..data.len().min(TYPED_ROWS)).unwrap_or_default();
        let first_row = self.first.first().map(Vec::as_slice).unwrap_or_default();
        let mut columns = Vec::new();
        let mut lines = Vec::new();
        for index in 0..width.min(LISTED_COLUMNS) {
            let name = first_row.get(index).filter(|_| header).cloned();
            let name = name.unwrap_or_else(|| format!("Column {}", index + 1));
            let kind =
                column_kind(typed.iter().filter_map(|row| row.get(index)).map(String::as_str));
            let column = self.columns.get(index);
            // The first record is data as well if it is no header.
            let first = first_row.get(index).filter(|_| !header);
            let missing = first.is_some_and(|cell| cell.trim().is_empty());
            let empty = column.map_or(0, |column| column.empty) + u64::from(missing);
            let mut entry = json!({"name": name, "type": kind, "empty_count": empty});
            entry["unique_values"] = match column {
                Some(column) if column.many => Value::Null,
                Some(column) => {
                    let more = first.is_some_and(|cell| {
                        let mut hash = DefaultHasher::new();
                        cell.as_bytes().hash(&mut hash);
                        !column.values.contains(&hash.finish())
                    });
                    (column.values.len() + usize::from(more)).into()
                }
                None => usize::from(first.is_some()).into(),
            };
            let share = if empty > 0 && rows > 0 {
                format!(", {}% empty", (empty as f64 * 100.0 / rows as f64).round())
            } else {
                String::new()
            };
            lines.push(format!("{}: {kind}{share}", cut(&name, SHOWN_CELL)));
            columns.push(entry);
        }
        findings.set("column_count", width);
        findings.set("row_count", rows);
        findings.set("has_header", header);
        findings.set("columns_complete", width <= LISTED_COLUMNS);
        let empty: u64 = columns.iter().filter_map(|one| one["empty_count"].as_u64()).sum();
        findings.set("empty_cells", empty);
        findings.set("columns", columns);
        findings.set("ragged_rows", ragged);
        findings.set("first_ragged_line", first_ragged);

        let summary = &mut findings.summary;
        if self.records == 0 {
            summary.blank();
            summary.line("Empty file");
            return;
        }
        summary.blank();
        summary.line("Structure:");
        summary.line(&format!("  Columns: {}", grouped(width)));
        let excluding = if header { " (excluding header)" } else { "" };
        summary.line(&format!("  Rows: {}{excluding}", grouped(rows)));
        if let Some(line) = first_ragged {
            let ragged = grouped(ragged);
            summary.line(&format!("  Rows of another width: {ragged} (first in line {line})"));
        }
        summary.blank();
        summary.line("Columns:");
        let list = List {
            section: "Columns",
            source: "/fields/columns",
            cap: SHOWN_COLUMNS,
            marker: Marker::Counted,
        };
        summary.lines(&list, "  ", &lines);
        summary.blank();
        let shown = data.len().min(SHOWN_ROWS);
        summary.line(&format!("Sample rows (first {shown}):"));
        let mut whole = lines.len();
        let heading = header.then_some(first_row);
        for row in heading.into_iter().chain(data.iter().take(SHOWN_ROWS).map(Vec::as_slice)) {
            let mut text = String::new();
            for (index, cell) in row.iter().enumerate() {
                let cell = cut(cell, SHOWN_CELL);
                if text.len() + cell.len() > SHOWN_ROW {
                    whole = whole.min(index);
                    break;
                }
                text.push_str(if index == 0 { "  " } else { " | " });
                text.push_str(&cell);
            }
            summary.line(&text);
        }
        // The columns that every row shown has to its end.
        let list = List {
            section: "Sample rows, cells",
            source: "/fields/columns",
            cap: whole,
            marker: Marker::Counted,
        };
        summary.mark(&list, "  ", lines.len());
    }
}

/// What the cells of a column are, empty ones left out.
fn column_kind<'a>(cells: impl Iterator<Item = &'a str>) -> &'static str {
    let mut found = "empty";
    for cell in cells {
        match (kind(cell), found) {
            ("empty", _) => {}
            (kind, "empty") => found = kind,
            (kind, before) if kind == before => {}
            _ => return "mixed",
        }
    }
    found
}

/// What a cell is.
fn kind(cell: &str) -> &'static str {
    let cell = cell.trim();
    if cell.is_empty() {
        "empty"
    } else if number(cell.as_bytes()) {
        "number"
    } else if ["true", "false", "yes", "no"].iter().any(|word| word.eq_ignore_ascii_case(cell)) {
        "boolean"
    } else if date(cell) {
        "date"
    } else {
        "string"
    }
}

/// A decimal number; commas may stand between groups of three digits.
fn number(cell: &[u8]) -> bool {
    let cell = cell.strip_prefix(b"-").or_else(|| cell.strip_prefix(b"+")).unwrap_or(cell);
    let whole = cell.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b',').count();
    let (groups, rest) = cell.split_at(whole);
    let mut parts = groups.split(|byte| *byte == b',');
    let first = parts.next().unwrap_or_default().len();
    let mut grouped = false;
    for part in parts {
        grouped = true;
        if part.len() != 3 {
            return false;
        }
    }
    if grouped && !(1..=3).contains(&first) {
        return false;
    }
    let run = |bytes: &[u8]| bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (mut fraction, mut rest) = (0, rest);
    if let Some(behind) = rest.strip_prefix(b".") {
        fraction = run(behind);
        rest = behind.get(fraction..).unwrap_or_default();
    }
    if whole + fraction == 0 {
        return false;
    }
    match rest {
        [] => true,
        [b'e' | b'E', b'+' | b'-', digits @ ..] | [b'e' | b'E', digits @ ..] => {
            !digits.is_empty() && run(digits) == digits.len()
        }
        _ => false,
    }
}

/// Year-month-day, alone or with a time behind it, or day and month before the year.
fn date(cell: &str) -> bool {
    let digits = |part: &str, lengths: std::ops::RangeInclusive<usize>| {
        lengths.contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    let parts = |text: &str, sign: char, first: std::ops::RangeInclusive<usize>, last| {
        let mut parts = text.split(sign);
        matches!(
            (parts.next(), parts.next(), parts.next(), parts.next()),
            (Some(a), Some(b), Some(c), None) if digits(a, first) && digits(b, 1..=2) && digits(c, last)
        )
    };
    if parts(cell, '/', 1..=2, 4..=4)
        || parts(cell, '-', 1..=2, 4..=4)
        || parts(cell, '-', 4..=4, 1..=2)
    {
        return true;
    }
    match cell.split_once(['T', ' ']) {
        Some((day, time)) => {
            let mut clock = time.split(':');
            parts(day, '-', 4..=4, 1..=2)
                && clock.next().is_some_and(|hour| digits(hour, 1..=2))
                && clock.next().is_some_and(|minute| {
                    minute.get(..2).is_some_and(|minute| digits(minute, 2..=2))
                })
        }
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::kind;

    #[test]
    fn cells_have_kinds() {
        for (cells, expected) in [
            (&["", "  "][..], "empty"),
            (&["1", "-2.5", ".5", "1e9", "1,234,567.8", "+7."], "number"),
            (&["true", "No", "YES"], "boolean"),
            (
                &["2024-01-31", "1/2/2024", "31-12-1999", "2024-01-31T10:00:00Z", "2024-1-3 9:30"],
                "date",
            ),
            (&["x", "1,23", "12,34,567", "1.2.3", "-", "2024-01", "1e", "NaN"], "string"),
        ] {
            for cell in cells {
                assert_eq!(kind(cell), expected, "{cell}");
            }
        }
    }
}
