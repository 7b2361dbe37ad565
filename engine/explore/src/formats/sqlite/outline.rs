//! The summary of a database.

use super::{
    fields::{Constraint, Header, Table},
    schema::Database,
};
use crate::{
    Findings, Task,
    disclosure::{List, Marker},
    findings::{cut, grouped},
    masked::shortened,
};

/// Longest line in the summary, in characters.
const WIDTH: usize = 400;
/// Maximum number of tables, and of entries in the other lists, in the enhancement profile. The
/// comparator shows all, which would make the summary of a schema with ten thousand tables
/// unreadable.
const TABLES: usize = 200;
const ENTRIES: usize = 100;
const SAMPLES: usize = 60;

/// The summary of a file that is not a database.
pub fn empty(findings: &mut Findings, size: u64, head: &[u8]) {
    let summary = &mut findings.summary;
    summary.line("Database: SQLite");
    summary.line(&format!("Size: {} bytes", grouped(size)));
    let start: String = head.iter().take(32).map(|byte| format!("{byte:02x} ")).collect();
    summary.line(&format!("First bytes: {start}"));
}

/// Writes the summary, and returns the names of the tables whose rows are shown, or would be shown
/// if there were more room.
pub fn write(
    findings: &mut Findings,
    task: &Task,
    database: &Database,
    header: &Header,
    log: bool,
) -> Vec<String> {
    let parity = task.profile.is_parity();
    let summary = &mut findings.summary;
    summary.line(&format!("Database: {}", task.input.base_name()));
    if !parity {
        summary.line(&format!(
            "Format: SQLite, {} pages of {} bytes, {}",
            grouped(header.page_count),
            header.page_size,
            header.encoding
        ));
    }
    if log {
        summary.line("A write-ahead log lies beside it; what only that holds is not shown.");
    }
    let tables: Vec<String> = database.tables.iter().map(|table| entry(table, parity)).collect();
    let cap = |enhanced: usize| if parity { usize::MAX } else { enhanced };
    section(findings, "Tables", "/fields/tables", cap(TABLES), &tables);
    let indexes: Vec<String> = database
        .indexes
        .iter()
        .map(|index| {
            let unique = if index.unique { " UNIQUE" } else { "" };
            format!("{} on {}({}){unique}", index.name, index.table_name, index.columns.join(", "))
        })
        .collect();
    section(findings, "Indexes", "/fields/indexes", cap(ENTRIES), &indexes);
    if !parity {
        more(findings, database);
    }
    samples(findings, database, cap(SAMPLES))
}

/// Shows the lists that the comparator does not show.
fn more(findings: &mut Findings, database: &Database) {
    let views: Vec<String> = database
        .views
        .iter()
        .map(|view| format!("{}: {}", view.name, findings.summary.short(&view.sql, 160)))
        .collect();
    section(findings, "Views", "/fields/views", ENTRIES, &views);
    let triggers: Vec<String> = database
        .triggers
        .iter()
        .map(|trigger| {
            let timing = trigger.timing.unwrap_or("?").replace('_', " ");
            let event = trigger.event.unwrap_or("?");
            format!("{}: {timing} {event} on {}", trigger.name, trigger.table_name)
        })
        .collect();
    section(findings, "Triggers", "/fields/triggers", ENTRIES, &triggers);
    let secrets = findings.summary.secrets();
    for (title, kind) in
        [("Foreign keys", "foreign_key"), ("Unique constraints", "unique"), ("Checks", "check")]
    {
        let entry = |one: &Constraint| match (&one.references, &one.expression) {
            (Some(target), _) => format!("{}({}) -> {target}", one.table, one.columns.join(", ")),
            (_, Some(expression)) => {
                format!("{}: {}", one.table, shortened(secrets, expression, 160))
            }
            _ => format!("{}({})", one.table, one.columns.join(", ")),
        };
        let entries: Vec<String> =
            database.constraints.iter().filter(|one| one.kind == kind).map(entry).collect();
        let source = format!("/fields/constraints?kind={kind}");
        section(findings, title, &source, ENTRIES, &entries);
    }
}

fn section(findings: &mut Findings, title: &str, source: &str, cap: usize, entries: &[String]) {
    if entries.is_empty() && title != "Tables" {
        return;
    }
    let summary = &mut findings.summary;
    summary.blank();
    summary.line(&format!("{title} ({}):", grouped(entries.len())));
    let list = List::counted(title, source, cap);
    summary.lines(&list, "  ", entries);
}

fn entry(table: &Table, parity: bool) -> String {
    let columns: Vec<String> = table
        .columns
        .iter()
        .map(|column| {
            let mut text = format!("{} {}", column.name, column.declared);
            if !parity && column.primary_key > 0 {
                text.push_str(" PRIMARY KEY");
            }
            if !parity && column.generated {
                text.push_str(" GENERATED");
            }
            text
        })
        .collect();
    let rows = table.row_count.map_or_else(|| "?".to_owned(), |rows| rows.to_string());
    let text = format!("{} ({}) - {rows} rows", table.name, columns.join(", "));
    if parity { text } else { cut(&text, WIDTH) }
}

/// A few rows of each table that has any.
fn samples(findings: &mut Findings, database: &Database, cap: usize) -> Vec<String> {
    let filled: Vec<&Table> =
        database.tables.iter().filter(|table| !table.sample_rows.is_empty()).collect();
    if filled.is_empty() {
        return Vec::new();
    }
    // This line names the tables whose rows follow, and says if there are more.
    let sampled: Vec<String> = filled.iter().map(|table| table.name.clone()).collect();
    let list = List {
        section: "Sample rows",
        source: "/fields/sampled_tables",
        cap,
        marker: Marker::Counted,
    };
    let summary = &mut findings.summary;
    if sampled.len() > cap {
        let line = summary.inline(&list, &sampled);
        summary.blank();
        summary.line(&format!("Sample rows of: {line}"));
    }
    for table in filled.iter().take(cap) {
        summary.blank();
        summary.line(&format!("Sample from {}:", table.name));
        let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
        summary.line(&format!("  {}", summary.short(&names.join(" | "), WIDTH)));
        for row in &table.sample_rows {
            summary.line(&format!("  {}", summary.short(&row.join(" | "), 5 * WIDTH)));
        }
    }
    sampled
}
