//! Delimited text: comma, tab, semicolon or bar as the delimiter, with quotes that may span lines.
//! The whole file is read in bounded memory, whatever its size.

mod cells;
pub mod fields;
mod kind;
mod layout;

use std::{
    collections::{BTreeMap, BTreeSet},
    hash::{DefaultHasher, Hash, Hasher},
    io,
};

use base::secrets::Secrets;

use super::shared::{
    beginning::{self, Stream},
    rows,
    source::{BUFFER, Source},
};
use crate::{
    Findings, Task, disclosure::List, findings::grouped, input::WHOLE_LIMIT, masked::shortened,
    text::Encoding,
};
use cells::{Cells, End};
use layout::{Layout, Spaced};

use fields::{Column, CsvFields};
pub use layout::looks_like_table;

/// Number of data rows that decide the kind of a column and whether there is a header.
const TYPED_ROWS: usize = 100;
/// Maximum number of listed columns; further ones are only counted.
const LISTED_COLUMNS: usize = 50_000;
/// Maximum number of distinct values that are counted, per column and over all columns.
const DISTINCT: usize = 1000;
const ALL_DISTINCT: usize = 2_000_000;
/// Maximum size of the first rows that are kept, in bytes.
const FIRST_BYTES: usize = 16 << 20;
/// Maximum number of different record widths that are counted.
const WIDTHS: usize = 1000;
/// Maximum number of columns and rows in the summary, and longest row, in bytes.
const SHOWN_COLUMNS: usize = 1000;
const SHOWN_ROWS: usize = 5;
const SHOWN_ROW: usize = 1_900;
/// Longest cell of the summary and longest header, in characters.
const SHOWN_CELL: usize = 50;
const LONGEST_HEADER: usize = 64;

/// The cells of a column in all rows but the first.
#[derive(Default)]
struct Counted {
    empty: u64,
    values: BTreeSet<u64>,
    many: bool,
}

/// A table.
#[derive(Default)]
struct Table {
    /// The first records, complete.
    first: Vec<Vec<String>>,
    columns: Vec<Counted>,
    first_bytes: usize,
    distinct: usize,
    /// True until the first cell with a value.
    blank: bool,
    records: u64,
    widths: BTreeMap<usize, (u64, u64)>,
}

/// Explores a delimited text.
pub fn explore(task: &Task) -> io::Result<Findings> {
    let Stream { reader, encoding, damaged, sampled } = beginning::stream(task)?;
    let mut findings = Findings::new(task);
    let mut source = Source::new(reader);
    let layout = {
        let window = source.window();
        // Decoded, or without its byte order mark, a text may be shorter than its file.
        let whole = task.input.size() <= WHOLE_LIMIT && window.len() < BUFFER;
        Layout::of(window, whole, task.input.base_name())
    };
    let delimiter = layout.delimiter;
    let mut comment = Vec::new();
    for _ in 0..layout.preamble {
        source.read_line(&mut comment, 0);
    }
    let reader: Box<dyn io::Read> =
        if delimiter == b' ' { Box::new(Spaced::new(source)) } else { Box::new(source) };
    let mut cells = Cells::new(Source::new(reader), delimiter, layout.preamble + 1);
    let table = Table::read(&mut cells);
    if let Some(error) = cells.error() {
        return Err(error);
    }
    if cells.open_quote {
        let what = "the text ends inside quotes";
        findings.malformed(what, Some(cells.line()), None);
    }
    beginning::whole_only(&mut findings, damaged);
    let shown = match delimiter {
        b'\t' => "TAB".to_owned(),
        b' ' => "SPACE".to_owned(),
        other => char::from(other).to_string(),
    };
    findings.summary.line(&format!("Format: CSV (delimiter: \"{shown}\")"));
    beginning::unusual(&mut findings, encoding, sampled, "CSV");
    if layout.preamble > 0 {
        findings.summary.line(&format!("Comments before it: {} lines", grouped(layout.preamble)));
    }
    let facts = table.facts(shown, &layout, cells.line().saturating_sub(1), encoding, sampled);
    table.write(&mut findings, &facts, task.secrets);
    findings.facts = facts.into();
    beginning::preview(&mut findings, task)?;
    Ok(findings)
}

impl Table {
    fn read(cells: &mut Cells<impl io::Read>) -> Self {
        let mut table = Self { blank: true, ..Self::default() };
        let mut keep = true;
        let mut row: Vec<String> = Vec::new();
        let mut width = 0;
        let mut line = cells.line();
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
        // White space alone is not a table.
        if table.blank { Self::default() } else { table }
    }

    fn column(&mut self, index: usize, cell: &[u8]) {
        while self.columns.len() <= index {
            self.columns.push(Counted::default());
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

    /// The number of cells that most records have, and the line of the first record that differs.
    fn usual_width(&self) -> usize {
        let usual =
            self.widths.iter().max_by_key(|(_, (count, line))| (*count, std::cmp::Reverse(*line)));
        usual.map_or(0, |(width, _)| *width)
    }

    /// Whether the first record names the columns. None of its cells is a number or a date, unless
    /// they are rising versions and those of the rows are not. Its non-empty cells are distinct. In
    /// addition, some column below holds numbers, dates or Booleans, or, in a table of text only,
    /// no name occurs again in its column and none is long.
    fn has_header(&self) -> bool {
        let Some((first, rows)) = self.first.split_first() else { return false };
        let names: Vec<&str> =
            first.iter().map(|cell| cell.trim()).filter(|cell| !cell.is_empty()).collect();
        let distinct: BTreeSet<&str> = names.iter().copied().collect();
        if names.is_empty() || distinct.len() < names.len() {
            return false;
        }
        if names.iter().any(|name| matches!(kind::of_cell(name), "number" | "date")) {
            return kind::rise(first)
                && !rows.is_empty()
                && !rows.iter().all(|row| kind::rise(row));
        }
        let typed = rows.iter().any(|row| {
            row.iter().zip(first).any(|(cell, name)| {
                !matches!(kind::of_cell(cell), "string" | "empty")
                    && kind::of_cell(name) != kind::of_cell(cell)
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

    /// All facts about the table.
    fn facts(
        &self,
        delimiter: String,
        layout: &Layout,
        line_count: u64,
        encoding: Encoding,
        sampled: bool,
    ) -> CsvFields {
        let width = self.usual_width();
        let header = self.has_header();
        let others = || self.widths.iter().filter(|(other, _)| **other != width);
        let columns = self.columns(width, header);
        CsvFields {
            delimiter,
            has_header: header,
            column_count: width,
            row_count: self.records - u64::from(header && self.records > 0),
            columns_complete: width <= LISTED_COLUMNS,
            empty_cells: columns.iter().map(|column| column.empty_count).sum(),
            columns,
            ragged_rows: others().map(|(_, (count, _))| count).sum(),
            first_ragged_line: others().map(|(_, (_, line))| *line).min(),
            comment_lines: layout.preamble,
            line_count,
            encoding,
            sampled,
        }
    }

    /// The records below the header.
    fn data(&self, header: bool) -> &[Vec<String>] {
        self.first.get(usize::from(header)..).unwrap_or_default()
    }

    fn first_row(&self) -> &[String] {
        self.first.first().map(Vec::as_slice).unwrap_or_default()
    }

    fn columns(&self, width: usize, header: bool) -> Vec<Column> {
        let data = self.data(header);
        let typed = data.get(..data.len().min(TYPED_ROWS)).unwrap_or_default();
        let first_row = self.first_row();
        let mut columns = Vec::new();
        for index in 0..width.min(LISTED_COLUMNS) {
            let name = first_row.get(index).filter(|_| header).cloned();
            let name = name.unwrap_or_else(|| format!("Column {}", index + 1));
            let kind =
                kind::of_column(typed.iter().filter_map(|row| row.get(index)).map(String::as_str));
            let column = self.columns.get(index);
            // Without a header the first record is data as well.
            let first = first_row.get(index).filter(|_| !header);
            let missing = first.is_some_and(|cell| cell.trim().is_empty());
            let empty_count = column.map_or(0, |column| column.empty) + u64::from(missing);
            let unique_values = match column {
                Some(column) if column.many => None,
                Some(column) => {
                    let more = first.is_some_and(|cell| {
                        let mut hash = DefaultHasher::new();
                        cell.as_bytes().hash(&mut hash);
                        !column.values.contains(&hash.finish())
                    });
                    Some(column.values.len() + usize::from(more))
                }
                None => Some(usize::from(first.is_some())),
            };
            columns.push(Column { name, kind, empty_count, unique_values });
        }
        columns
    }

    fn write(&self, findings: &mut Findings, facts: &CsvFields, secrets: Secrets) {
        let (header, rows) = (facts.has_header, facts.row_count);
        let (data, first_row) = (self.data(header), self.first_row());
        let share = |empty: u64| {
            if empty > 0 && rows > 0 {
                format!(", {}% empty", (empty as f64 * 100.0 / rows as f64).round())
            } else {
                String::new()
            }
        };
        let lines: Vec<String> = facts
            .columns
            .iter()
            .map(|column| {
                let name = shortened(secrets, &column.name, SHOWN_CELL);
                format!("{name}: {}{}", column.kind, share(column.empty_count))
            })
            .collect();
        let summary = &mut findings.summary;
        let width = facts.column_count as u64;
        summary.capped("/fields/columns", facts.columns.len(), width, false);
        if self.records == 0 {
            summary.blank();
            summary.line("Empty file");
            return;
        }
        summary.blank();
        summary.line("Structure:");
        summary.line(&format!("  Columns: {}", grouped(facts.column_count)));
        let excluding = if header { " (excluding header)" } else { "" };
        summary.line(&format!("  Rows: {}{excluding}", grouped(rows)));
        if let Some(line) = facts.first_ragged_line {
            let ragged = grouped(facts.ragged_rows);
            summary.line(&format!("  Rows of another width: {ragged} (first in line {line})"));
        }
        summary.blank();
        summary.line("Columns:");
        let list = List::counted("Columns", "/fields/columns", SHOWN_COLUMNS);
        summary.lines(&list, "  ", &lines);
        summary.blank();
        let shown = data.len().min(SHOWN_ROWS);
        summary.line(&format!("Sample rows (first {shown}):"));
        let mut whole = lines.len();
        let heading = header.then_some(first_row);
        let names: &[String] = if header { first_row } else { &[] };
        let rows = data.iter().take(SHOWN_ROWS);
        let rows = rows.map(|row| rows::masked(secrets, names, row));
        for row in heading.map(<[String]>::to_vec).into_iter().chain(rows) {
            let mut text = String::new();
            for (index, cell) in row.into_iter().enumerate() {
                let cell = summary.short(&cell, SHOWN_CELL);
                if text.len() + cell.len() > SHOWN_ROW {
                    whole = whole.min(index);
                    break;
                }
                text.push_str(if index == 0 { "  " } else { " | " });
                text.push_str(&cell);
            }
            summary.line(&text);
        }
        // The columns whose cells every shown row contains completely.
        let list = List::counted("Sample rows, cells", "/fields/columns", whole);
        summary.mark(&list, "  ", lines.len());
    }
}
