//! Explorers: what is in a file that is too large to read.
//!
//! [`explore`] detects what a file is, lets the explorer of its language or format look at it and
//! returns an [`Exploration`]: symbols and imports of code, fields of data, and a summary in which
//! no list is cut silently. It needs no network, no clock and no model.

pub mod binary;
pub mod code;
pub mod data;
pub mod disclosure;
pub mod dispatch;
mod exploration;
mod findings;
mod import;
mod input;
pub mod lines;
mod plain;
pub mod project;
pub mod selector;
mod symbol;
pub mod text;

use base::{profile::Profile, tokens::Counter};

pub use exploration::{Exploration, Malformed, SCHEMA_VERSION, Truncation};
pub use findings::{Findings, Task, cut, grouped};
pub use import::{Import, ImportCategory};
pub use input::{Content, Input};
pub use project::Project;
pub use symbol::{Symbol, SymbolKind, Visibility};

use dispatch::{Dispatched, Family, dispatch};

/// Explores one file. It never fails: a file that cannot be read gives `success: false` and a
/// summary that says why.
pub fn explore(input: &Input, project: &Project, profile: Profile) -> Exploration {
    let dispatched = match dispatch(input, None) {
        Ok(dispatched) => dispatched,
        Err(error) => return unreadable(&input.name, &error),
    };
    let task = Task { input, project, profile, language: &dispatched.explorer.id };
    match look(&task, &dispatched) {
        Ok(findings) => finish(&task, &dispatched, findings),
        Err(error) => unreadable(&input.name, &error),
    }
}

/// The exploration of a file that could not be read.
pub fn unreadable(name: &str, error: &std::io::Error) -> Exploration {
    let why = format!("{name} cannot be read: {error}");
    Exploration {
        schema_version: SCHEMA_VERSION,
        file: name.to_owned(),
        language: None,
        explorer_used: "none".to_owned(),
        success: false,
        malformed: None,
        summary: format!("File: {name}\nError: {why}"),
        error: Some(why),
        token_count: 0,
        symbols: Vec::new(),
        imports: Vec::new(),
        fields: serde_json::Map::new(),
        truncated: Vec::new(),
    }
}

/// Lets the explorer look.
fn look(task: &Task, dispatched: &Dispatched) -> std::io::Result<Findings> {
    if let Some(why) = task.input.why_unparsed() {
        let mut findings = plain::explore(task)?;
        findings.malformed(format!("not parsed: {why}"), None, None);
        return Ok(findings);
    }
    match dispatched.explorer.family {
        Family::Code => code::explore(task),
        Family::Data => data::explore(task),
        Family::Binary => binary::explore(task),
        Family::Text => plain::explore(task),
    }
}

fn finish(task: &Task, dispatched: &Dispatched, mut findings: Findings) -> Exploration {
    if let Some(contradiction) = &dispatched.contradiction {
        let what = format!(
            "the name says {}, the content is {}",
            contradiction.promised, contradiction.found
        );
        findings.malformed(what, None, None);
    }
    if let Some(malformed) = &findings.malformed {
        let place = match (malformed.line, malformed.column) {
            (Some(line), Some(column)) => format!(" (line {line}, column {column})"),
            (Some(line), None) => format!(" (line {line})"),
            _ => String::new(),
        };
        let line = format!("Malformed: {}{place}", malformed.what);
        findings.summary.blank();
        findings.summary.line(&line);
    }
    let (summary, truncated) = findings.summary.finish();
    let token_count = if task.profile.is_parity() {
        // The comparator's estimate: a quarter of the UTF-16 length, rounded up.
        summary.encode_utf16().count().div_ceil(4)
    } else {
        Counter.count(&summary)
    };
    Exploration {
        schema_version: SCHEMA_VERSION,
        file: task.input.name.clone(),
        language: Some(task.language.to_owned()),
        explorer_used: task.language.to_owned(),
        success: true,
        malformed: findings.malformed,
        error: None,
        summary,
        token_count,
        symbols: findings.symbols,
        imports: findings.imports,
        fields: findings.fields,
        truncated,
    }
}
