//! TOML, with the parser that Cargo's crates share: it continues after an error.

pub mod fields;

use std::io;

use base::secrets::Secrets;
use toml::{
    Spanned,
    de::{DeString, DeTable, DeValue},
};

use super::shared::{
    beginning,
    tree::{Kind, Tree, fields::TreeFields, step},
};
use crate::{
    Findings, Task,
    disclosure::{List, Marker},
    findings::{cut, grouped},
    selector::escaped,
    text::Text,
};
use fields::{Table, TomlFields};

/// Size of the largest file that is parsed completely, in bytes; of larger ones the beginning is
/// parsed, because the parser needs about twenty bytes per byte.
const WHOLE: u64 = 16 << 20;
/// Maximum number of tables that the summary of the enhancement profile names.
const SHOWN_TABLES: usize = 30;
/// Limits of the parity profile's listing: keys per table, tables below a table, characters of a
/// sample, and lines in total.
const LISTED_KEYS: usize = 15;
const LISTED_TABLES: usize = 10;
const SAMPLE: usize = 50;
const SHOWN_LINES: usize = 400;

/// The next step of the walk through the document.
enum Next<'t, 'i> {
    Entry(&'t Spanned<DeString<'i>>, &'t Spanned<DeValue<'i>>),
    Item(&'t Spanned<DeValue<'i>>),
    Close,
}

/// Explores a TOML text.
pub fn explore(task: &Task) -> io::Result<Findings> {
    let (bytes, sampled) = beginning::bytes(task, WHOLE)?;
    let text = Text::decode(&bytes);
    let mut findings = Findings::new(task);
    let (document, errors) = DeTable::parse_recoverable(&text.text);
    if let Some(error) = errors.first() {
        let offset = error.span().map_or(text.text.len(), |span| span.start);
        let (line, column) = beginning::place(&text.text, offset);
        let what = error.message().lines().collect::<Vec<_>>().join(", ");
        findings.malformed(what, Some(line), Some(column));
    }
    let lines = Lines::of(&text.text);
    let mut tree = Tree::new(task.secrets);
    let (tables, bad_number) = walk(document.get_ref(), &text.text, &lines, &mut tree);
    if let Some(line) = bad_number {
        findings.malformed("the digits are none of a number", Some(line), None);
    }

    let arrays = tables.iter().filter(|table| table.form == "array").count();
    beginning::unicode_only(&mut findings, text.encoding);
    beginning::whole_only(&mut findings, text.damaged);

    findings.summary.line("Format: TOML");
    beginning::unusual(&mut findings, text.encoding, sampled, "TOML");
    let summary = &mut findings.summary;
    tree.limits(summary);
    summary.blank();
    summary.line("Structure:");
    summary.line(&format!("  Sections: {}", tables.len() - arrays));
    if arrays > 0 {
        summary.line(&format!("  Array tables: {arrays}"));
    }
    summary.line(&format!("  Total keys: {}", tree.totals.keys));
    summary.line(&format!("  Max depth: {}", tree.totals.max_depth));
    if task.profile.is_parity() {
        summary.blank();
        summary.line("Content:");
        let mut left = SHOWN_LINES;
        listing(&mut findings, task.secrets, document.get_ref(), "", 1, &mut left);
    } else {
        sections(&mut findings, &tables);
        tree.schema(&mut findings, task, "Schema:");
    }
    findings.facts = TomlFields {
        tree: TreeFields { root_type: None, ..tree.facts() },
        section_count: tables.len() - arrays,
        array_table_count: arrays,
        error_count: errors.len(),
        sections: tables.iter().map(|table| named(table).to_owned()).collect(),
        tables,
        line_count: text.lines(),
        encoding: text.encoding,
        sampled,
    }
    .into();
    beginning::preview(&mut findings, task)?;
    Ok(findings)
}

/// The name of a table: its path without the leading dot.
fn named(table: &Table) -> &str {
    table.path.trim_start_matches('.')
}

fn sections(findings: &mut Findings, tables: &[Table]) {
    let entries: Vec<String> = tables
        .iter()
        .map(|table| format!("line {}: {}", grouped(table.line), named(table)))
        .collect();
    let list = List::counted("Sections", "/fields/tables", SHOWN_TABLES);
    findings.summary.section("Sections:", &list, &entries);
}

/// Visits the document in the order of its text.
fn walk(
    document: &DeTable,
    text: &str,
    lines: &Lines,
    tree: &mut Tree,
) -> (Vec<Table>, Option<u64>) {
    let (mut tables, mut bad_number) = (Vec::new(), None);
    let mut path = vec![String::new()];
    let mut stack = Vec::new();
    tree.open(Kind::Object, 1);
    stack.push(Next::Close);
    entries(document, &mut stack);
    while let Some(next) = stack.pop() {
        let (value, named, key_line) = match next {
            Next::Close => {
                tree.close();
                path.pop();
                continue;
            }
            Next::Entry(key, value) => {
                let line = lines.of_offset(key.span().start);
                let mut below = path.last().cloned().unwrap_or_default();
                step(&mut below, key.get_ref());
                tree.key(key.get_ref(), line);
                path.push(below);
                (value, true, line)
            }
            Next::Item(value) => {
                let mut below = path.last().cloned().unwrap_or_default();
                below.push_str("[]");
                path.push(below);
                (value, false, lines.of_offset(value.span().start))
            }
        };
        let here = path.last().map(String::as_str).unwrap_or_default();
        let begins =
            |sign: char| text.get(value.span().start..).is_some_and(|at| at.starts_with(sign));
        match value.get_ref() {
            DeValue::Table(table) => {
                let form = if !named {
                    "array"
                } else if begins('{') {
                    "inline"
                } else {
                    "table"
                };
                let line =
                    if form == "inline" { lines.of_offset(value.span().start) } else { key_line };
                let above = path.len().checked_sub(2).and_then(|above| path.get(above));
                let parent = above.filter(|path| !path.is_empty()).cloned();
                tables.push(Table { path: here.to_owned(), parent, line, form });
                tree.open(Kind::Object, key_line);
                stack.push(Next::Close);
                entries(table, &mut stack);
                continue;
            }
            DeValue::Array(array) => {
                tree.open(Kind::Array, key_line);
                stack.push(Next::Close);
                stack.extend(array.iter().rev().map(Next::Item));
                continue;
            }
            DeValue::String(string) => {
                tree.scalar(Kind::String, key_line, || string.to_string());
            }
            DeValue::Integer(number) => {
                // The parser leaves the conversion of digits to its caller.
                let digits = number.as_str().trim_start_matches(['+', '-']);
                let radix = number.radix();
                if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
                    bad_number.get_or_insert(key_line);
                }
                tree.scalar(Kind::Number, key_line, || number.to_string());
            }
            DeValue::Float(number) => tree.scalar(Kind::Number, key_line, || number.to_string()),
            DeValue::Boolean(truth) => tree.scalar(Kind::Boolean, key_line, || truth.to_string()),
            DeValue::Datetime(time) => tree.scalar(Kind::Datetime, key_line, || time.to_string()),
        }
        path.pop();
    }
    (tables, bad_number)
}

/// The comparator's listing of a table: its keys, then the tables below it. Recursion is bounded,
/// because the parser nests at most 80 levels.
fn listing(
    findings: &mut Findings,
    secrets: Secrets,
    table: &DeTable,
    path: &str,
    level: usize,
    left: &mut usize,
) {
    let mut all: Vec<_> = table.iter().collect();
    all.sort_by_key(|(key, _)| key.span().start);
    let (tables, keys): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|(_, value)| value.get_ref().is_table());
    let indent = "  ".repeat(level);
    let parent = escaped(path);
    let of_keys =
        format!("/fields/keys?parent={parent}&types=array,boolean,datetime,number,string");
    let of_tables = format!("/fields/tables?parent={parent}");
    let lines: Vec<String> = keys
        .iter()
        .take(LISTED_KEYS.min(*left))
        .map(|(key, value)| {
            format!("{}: {}", key.get_ref(), listed(secrets, path, key.get_ref(), value.get_ref()))
        })
        .collect();
    let shown = lines.len();
    for line in &lines {
        findings.summary.line(&format!("{indent}{line}"));
    }
    *left -= shown;
    let list = List {
        section: "Content, keys",
        source: &of_keys,
        cap: shown,
        marker: Marker::CountedNoun("keys"),
    };
    findings.summary.mark(&list, &indent, keys.len());
    let mut shown = 0;
    for (key, value) in tables.iter().take(LISTED_TABLES) {
        let DeValue::Table(below) = value.get_ref() else { continue };
        if *left == 0 {
            break;
        }
        *left -= 1;
        shown += 1;
        let mut name = path.to_owned();
        step(&mut name, key.get_ref());
        findings.summary.line(&format!("{indent}[{}]", name.trim_start_matches('.')));
        listing(findings, secrets, below, &name, level + 1, left);
    }
    let list = List {
        section: "Content, sections",
        source: &of_tables,
        cap: shown,
        marker: Marker::CountedNoun("sections"),
    };
    findings.summary.mark(&list, &indent, tables.len());
}

/// Type and sample of a value that is not a table.
fn listed(secrets: Secrets, path: &str, name: &str, value: &DeValue) -> String {
    let names = || std::iter::once(name).chain(path.rsplit('.'));
    let shown = |text: &str| secrets.below(names(), text).into_owned();
    let kind = |value: &DeValue| match value {
        DeValue::String(_) => "string",
        DeValue::Integer(_) | DeValue::Float(_) => "number",
        DeValue::Boolean(_) => "boolean",
        DeValue::Datetime(_) => "datetime",
        DeValue::Array(_) => "array",
        DeValue::Table(_) => "table",
    };
    let sample = match value {
        DeValue::String(text) => format!("\"{}\"", cut(&shown(text), SAMPLE)),
        DeValue::Integer(number) => shown(&number.to_string()),
        DeValue::Float(number) => shown(&number.to_string()),
        DeValue::Boolean(truth) => truth.to_string(),
        DeValue::Datetime(time) => time.to_string(),
        DeValue::Array(array) => match array.first() {
            None => return "array (empty) = [0 items]".to_owned(),
            Some(first) => {
                let (count, of) = (array.len(), kind(first.get_ref()));
                return format!("array[{count}] of {of} = [{count} items]");
            }
        },
        DeValue::Table(_) => String::new(),
    };
    format!("{} = {sample}", kind(value))
}

/// Pushes the entries of a table on the stack, with the first in the text on top.
fn entries<'t, 'i>(table: &'t DeTable<'i>, stack: &mut Vec<Next<'t, 'i>>) {
    let mut all: Vec<_> = table.iter().collect();
    all.sort_by_key(|(key, _)| std::cmp::Reverse(key.span().start));
    stack.extend(all.into_iter().map(|(key, value)| Next::Entry(key, value)));
}

/// The offsets of the beginnings of lines.
struct Lines(Vec<usize>);

impl Lines {
    fn of(text: &str) -> Self {
        Self(memchr::memchr_iter(b'\n', text.as_bytes()).collect())
    }

    /// 1-based line of a byte offset.
    fn of_offset(&self, offset: usize) -> u64 {
        self.0.partition_point(|end| *end < offset) as u64 + 1
    }
}
