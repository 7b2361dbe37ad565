#![doc = include_str!("../README.md")]

// Tests and benchmarks of the workspace need layouts, caps and grammars; users do not.
#[doc(hidden)]
pub mod code;
#[doc(hidden)]
pub mod disclosure;
pub mod dispatch;
mod exploration;
mod findings;
mod fit;
mod formats;
mod hidden;
mod import;
mod input;
mod lines;
mod masked;
mod project;
mod selector;
mod symbol;
mod text;
mod value;
mod words;

use base::{text::visible::visible, tokens::Counter};

pub use base::profile::Profile;
pub use base::secrets::Secrets;
pub use exploration::{Entry, Exploration, Malformed, Part, SCHEMA_VERSION, Truncation};
pub use formats::{Fields, fields};
pub use import::{Import, ImportCategory};
pub use input::Input;
pub use project::Project;
pub use symbol::{Symbol, SymbolKind, Visibility};
pub use text::Encoding;
pub use value::{Record, Value};

use disclosure::Shown;
use dispatch::{Dispatched, Evidence, Family, dispatch};
use findings::{Findings, Task, cut, grouped};
use formats::plain;
use masked::Mask;
use value::record;

/// How a file is explored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// The profile, which decides the layout of the summary.
    pub profile: Profile,
    /// Maximum number of tokens of the summary, by the tokenizer; without it, only the caps of the
    /// lists apply.
    pub budget: Option<usize>,
    /// Whether secrets are shown.
    pub secrets: Secrets,
    /// Whether the summary has to be short compared with its file: its lists end at half the size
    /// of a data file, and a file that is shorter than its summary replaces it. Ignored in the
    /// parity profile, whose lists have the comparator's caps.
    pub short: bool,
}

impl From<Profile> for Options {
    fn from(profile: Profile) -> Self {
        Self { profile, budget: None, secrets: Secrets::Masked, short: !profile.is_parity() }
    }
}

/// Explores one file. It never fails: for a file that cannot be read, the result has
/// `success: false` and a summary that gives the reason.
pub fn explore(input: &Input, project: &Project, options: impl Into<Options>) -> Exploration {
    let options = options.into();
    let dispatched = match dispatch(input, None) {
        Ok(dispatched) => dispatched,
        Err(error) => return unreadable(&input.name, &error),
    };
    let task = Task {
        input,
        project,
        profile: options.profile,
        secrets: options.secrets,
        short: options.short,
        budget: options.budget.filter(|_| options.short),
        language: &dispatched.explorer.id,
        family: dispatched.explorer.family,
    };
    match look(&task, &dispatched) {
        Ok(findings) => {
            let (found, lists) = finish(&task, &dispatched, findings);
            fit::fitted(&task, found, lists, options)
        }
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
        parts: Vec::new(),
        fields: Fields::None,
        truncated: Vec::new(),
    }
}

/// Number of tokens of a summary, as the profile counts them.
fn tokens(summary: &str, profile: Profile) -> usize {
    if profile.is_parity() {
        // The comparator's estimate: a quarter of the UTF-16 length, rounded up.
        summary.encode_utf16().count().div_ceil(4)
    } else {
        Counter.count(summary)
    }
}

/// Runs the explorer.
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

/// The exploration, and the lists in its summary.
fn finish(
    task: &Task,
    dispatched: &Dispatched,
    mut findings: Findings,
) -> (Exploration, Vec<Shown>) {
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
    let mut fields = match findings.facts {
        Fields::None => Fields::Code(record(findings.fields)),
        facts => facts,
    };
    fields.mask(task.secrets);
    if let Some(malformed) = &mut findings.malformed {
        malformed.what.mask(task.secrets);
    }
    let (summary, truncated, lists) = findings.summary.finish();
    // Explorers have masked every value whose name they know; only tokens and URLs can be left.
    let summary = task.secrets.code(&summary).into_owned();
    let token_count = tokens(&summary, task.profile);
    // Facts of a language are masked before they are shown.
    if task.family != Family::Code {
        findings.symbols.iter_mut().for_each(|symbol| symbol.mask(task.secrets));
        findings.imports.iter_mut().for_each(|import| import.mask(task.secrets));
    }
    let found = Exploration {
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
        parts: findings.parts,
        fields,
        truncated,
    };
    (found, lists)
}
