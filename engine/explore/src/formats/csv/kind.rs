//! The kinds of cells and columns.

use crate::formats::shared::decimal;

/// The kind of a column's cells, ignoring empty ones.
pub fn of_column<'a>(cells: impl Iterator<Item = &'a str>) -> &'static str {
    let mut found = "empty";
    for cell in cells {
        match (of_cell(cell), found) {
            ("empty", _) => {}
            (kind, "empty") => found = kind,
            (kind, before) if kind == before => {}
            _ => return "mixed",
        }
    }
    found
}

/// The kind of a cell.
pub fn of_cell(cell: &str) -> &'static str {
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

/// Whether a record has at least two numbers, and all of its numbers are two-part versions, each
/// later than the one before: 1.10 is later than 1.9.
pub fn rise(record: &[String]) -> bool {
    let mut before: Option<(u64, u64)> = None;
    let mut count = 0;
    for cell in record.iter().map(|cell| cell.trim()).filter(|cell| of_cell(cell) == "number") {
        let mut parts = cell.split('.').map(str::parse::<u64>);
        let (Some(Ok(major)), minor, None) = (parts.next(), parts.next(), parts.next()) else {
            return false;
        };
        let now = match minor {
            Some(Ok(minor)) => (major, minor),
            _ => return false,
        };
        if before.is_some_and(|before| before >= now) {
            return false;
        }
        before = Some(now);
        count += 1;
    }
    count >= 2
}

/// Whether a cell is a decimal number; commas may separate groups of three digits.
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
    decimal::behind_whole(rest).is_some_and(|tail| whole + tail.fraction > 0)
}

/// Whether a cell is a date: year-month-day, optionally followed by a time, or day and month before
/// the year.
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
    use super::{of_cell, rise};

    #[test]
    fn versions_rise_and_other_numbers_do_not() {
        let record =
            |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
        assert!(rise(&record(&["package", "1.8", "1.9", "1.10", "2.0"])));
        for cells in [
            &["a", "1.2"][..],
            &["a", "2.5", "1.5"],
            &["a", "1960", "1961"],
            &["a", "1.5", "x", "9"],
        ] {
            assert!(!rise(&record(cells)), "{cells:?}");
        }
    }

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
                assert_eq!(of_cell(cell), expected, "{cell}");
            }
        }
    }
}
