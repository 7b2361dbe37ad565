//! SQL: what its statements create, with the columns of tables, and the tables that rows are
//! inserted into.

use std::collections::BTreeMap;

use super::{Part, entry};
use crate::exploration::Entry;

/// What a statement can create, as written after `CREATE` and its adjectives.
const KINDS: &[&str] = &[
    "TABLE",
    "VIEW",
    "INDEX",
    "FUNCTION",
    "PROCEDURE",
    "TRIGGER",
    "TYPE",
    "SEQUENCE",
    "SCHEMA",
    "DATABASE",
    "EXTENSION",
    "DOMAIN",
    "POLICY",
    "ROLE",
    "USER",
    "EVENT",
    "PACKAGE",
];
/// Words that begin an entry of a table definition that is not a column.
const CONSTRAINTS: &[&str] = &[
    "PRIMARY",
    "FOREIGN",
    "UNIQUE",
    "CONSTRAINT",
    "CHECK",
    "KEY",
    "INDEX",
    "FULLTEXT",
    "SPATIAL",
    "EXCLUDE",
    "LIKE",
];
/// Longest part of a statement that is read, in bytes, and maximum number of columns that are
/// named.
const LONGEST: usize = 16 * 1024;
const COLUMNS: usize = 40;

/// The statements of a text.
pub fn statements(lines: &[&str]) -> Vec<Part> {
    let (mut made, mut altered) = (Vec::new(), Vec::new());
    let mut inserted: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for (index, statement) in split(lines) {
        let words: Vec<&str> = statement.split_whitespace().take(12).collect();
        let upper: Vec<String> = words.iter().map(|word| word.to_uppercase()).collect();
        match upper.first().map(String::as_str) {
            Some("CREATE") => made.extend(create(index, &statement, &words, &upper)),
            Some("ALTER" | "DROP") => altered.push(entry(index, &words.join(" "))),
            Some("INSERT") if upper.get(1).is_some_and(|word| word == "INTO") => {
                let table = words.get(2).map_or("?", |word| word.split('(').next().unwrap_or(word));
                inserted.entry(table.to_owned()).or_insert((index, 0)).1 += 1;
            }
            _ => {}
        }
    }
    let mut rows: Vec<Entry> = inserted
        .into_iter()
        .map(|(table, (index, count))| entry(index, &format!("{table}: {count} statements")))
        .collect();
    rows.sort_by_key(|row| row.line);
    vec![("Statements", made), ("Changes", altered), ("Inserted rows", rows)]
}

fn create(index: usize, statement: &str, words: &[&str], upper: &[String]) -> Option<Entry> {
    let at = upper.iter().position(|word| KINDS.contains(&word.as_str()))?;
    let kind = upper.get(at)?;
    let skip = ["IF", "NOT", "EXISTS", "CONCURRENTLY", "OR", "REPLACE"];
    let name = (at + 1..words.len())
        .find(|at| upper.get(*at).is_some_and(|word| !skip.contains(&word.as_str())))?;
    let name = words.get(name)?.split('(').next()?.trim_end_matches(';');
    let columns = if kind == "TABLE" { columns(statement) } else { Vec::new() };
    let text = if columns.is_empty() {
        format!("{kind} {name}")
    } else {
        format!("{kind} {name} ({})", columns.join(", "))
    };
    Some(entry(index, &text))
}

/// The names of a table's columns: the first words between commas in its outer parentheses.
fn columns(statement: &str) -> Vec<&str> {
    let Some((_, inside)) = statement.split_once('(') else { return Vec::new() };
    let mut columns = Vec::new();
    let (mut depth, mut start) = (1_usize, 0);
    for (at, sign) in inside.char_indices() {
        depth = match sign {
            '(' => depth + 1,
            ')' => depth - 1,
            _ => depth,
        };
        if depth == 0 || depth == 1 && sign == ',' {
            let word = inside.get(start..at).and_then(|part| part.split_whitespace().next());
            start = at + 1;
            let word = word.filter(|word| {
                !CONSTRAINTS.contains(&word.to_uppercase().split('(').next().unwrap_or_default())
            });
            columns.extend(word);
        }
        if depth == 0 || columns.len() >= COLUMNS {
            break;
        }
    }
    columns
}

/// The statements, without comments and string literals, each with the index of its first line.
fn split(lines: &[&str]) -> Vec<(usize, String)> {
    let mut statements = Vec::new();
    let mut statement = String::new();
    let (mut first, mut comment, mut quote) = (0, false, None);
    for (index, line) in lines.iter().enumerate() {
        let mut signs = line.chars().peekable();
        while let Some(sign) = signs.next() {
            let next = signs.peek().copied();
            if comment {
                comment = !(sign == '*' && next == Some('/'));
                if !comment {
                    signs.next();
                }
            } else if let Some(open) = quote {
                quote = (sign != open).then_some(open);
            } else if sign == '-' && next == Some('-') {
                break;
            } else if sign == '/' && next == Some('*') {
                comment = true;
            } else if sign == '\'' {
                quote = Some(sign);
            } else if sign == ';' {
                if !statement.trim().is_empty() {
                    statements.push((first, std::mem::take(&mut statement)));
                }
                statement.clear();
            } else if statement.len() < LONGEST {
                if statement.is_empty() {
                    if sign.is_whitespace() {
                        continue;
                    }
                    first = index;
                }
                statement.push(sign);
            }
        }
        if !statement.is_empty() {
            statement.push(' ');
        }
    }
    if !statement.trim().is_empty() {
        statements.push((first, statement));
    }
    statements
}
