#![doc = include_str!("../README.md")]

// Tests and benches of the workspace look at layouts, caps and grammars; users have no need to.
#[doc(hidden)]
pub mod code;
#[doc(hidden)]
pub mod disclosure;
pub mod dispatch;
mod exploration;
mod findings;
mod formats;
mod import;
mod input;
mod lines;
mod project;
mod selector;
mod symbol;
mod text;
mod value;
mod words;

use base::{text::visible::visible, tokens::Counter};

pub use base::profile::Profile;
pub use exploration::{Exploration, Malformed, SCHEMA_VERSION, Truncation};
pub use formats::{Fields, fields, without_secrets};
pub use import::{Import, ImportCategory};
pub use input::Input;
pub use project::Project;
pub use symbol::{Symbol, SymbolKind, Visibility};
pub use text::Encoding;
pub use value::{Record, Value};

use dispatch::{Dispatched, Evidence, Family, dispatch};
use findings::{Findings, Task, cut, grouped};
use formats::plain;
use value::record;

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
    let why = format!("{} cannot be read: {error}", visible(name));
    Exploration {
        schema_version: SCHEMA_VERSION,
        file: name.to_owned(),
        language: None,
        explorer_used: "none".to_owned(),
        dispatched_by: Evidence::None,
        success: false,
        malformed: None,
        summary: format!("File: {}\nError: {why}", visible(name)),
        error: Some(why),
        token_count: 0,
        symbols: Vec::new(),
        imports: Vec::new(),
        fields: Fields::None,
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
        Family::Data | Family::Binary | Family::Text => formats::explore(task),
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
    if dispatched.evidence == Evidence::None && !task.profile.is_parity() {
        let read = if task.language == "text" { "plain text" } else { "bytes" };
        findings.summary.blank();
        findings.summary.line(&format!("Not recognised by name or content: read as {read}."));
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
    let fields = match findings.facts {
        Fields::None => Fields::Code(record(findings.fields)),
        facts => facts,
    };
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
        dispatched_by: dispatched.evidence,
        success: true,
        malformed: findings.malformed,
        error: None,
        summary,
        token_count,
        symbols: findings.symbols,
        imports: findings.imports,
        fields,
        truncated,
    }
}
