//! Source code: parsed once, walked once, then written in our own format or in the
//! comparator's.
//!
//! A language is one file or folder here that implements `walk::Visitor`, and the part `[explorer]` of
//! its `queries/<key>/language.toml`, which names it.

mod balance;
mod csharp_directives;
mod declarations;
mod defect;
pub mod doc;
mod fixed_form;
mod kotlin_headers;
mod languages;
mod outline;
mod pieces;
mod ruby_facts;
mod stdlib;
mod tree;
mod volt;
mod walk;

// The languages: one `mod` for each visitor in the table of languages. `just fmt` formats these
// files, because `cargo fmt` does not find them.
include!(concat!(env!("OUT_DIR"), "/visitors.rs"));

use std::io;

use crate::{
    findings::{Findings, Task},
    masked::Mask,
    plain,
    text::{Encoding, Text},
};
pub use outline::capped as house_lists;
pub use pieces::PIECE as LONGEST_PIECE;
pub use tree::parse;
pub use volt::capped as comparator_lists;

use defect::Defect;
use languages::language;
use walk::Walk;

/// Explores a file of the code family.
pub fn explore(task: &Task) -> io::Result<Findings> {
    let Some(language) = language(task.language) else { return plain::explore(task) };
    let title = language.title;
    let mut visitor = (language.visitor)();
    let content = task.input.content()?;
    let text = Text::decode(&content.bytes);
    let mut findings = Findings::new(task);
    let mut walk = Walk::new(&text.text, &task.input.name, task.project);
    let mut not_understood = None;
    let prepared = visitor.prepare(&task.input.name, &text.text);
    let prepared = prepared.as_deref().unwrap_or(&text.text);
    match tree::walked(&mut walk, &mut *visitor, language.grammar, prepared) {
        Ok(found) => {
            let line = found.as_ref().map(|found| found.line);
            match visitor.malformed(&task.input.name, &text.text, found) {
                Some(Defect { what, line, column }) => {
                    findings.malformed(what, Some(line), Some(column));
                }
                None => not_understood = line,
            }
        }
        Err(why) => findings.malformed(why, None, None),
    }
    if text.damaged {
        findings.malformed("parts of it are not valid in its encoding", None, None);
    }
    let Walk { symbols, imports, facts, .. } = walk;
    (findings.symbols, findings.imports) = (symbols, imports);
    // This must come before the summary, which may cut a secret in two.
    findings.symbols.iter_mut().for_each(|symbol| symbol.mask(task.secrets));
    findings.imports.iter_mut().for_each(|import| import.mask(task.secrets));
    findings.fields = facts.into_fields();
    findings.fields.values_mut().for_each(|fact| fact.mask(task.secrets));
    findings.set("line_count", if task.profile.is_parity() { text.pieces() } else { text.lines() });
    findings.set("encoding", text.encoding.name());
    findings.set("sampled", content.sampled);
    let layout = volt::layout(task.language);
    if let Some(layout) = layout {
        volt::facts(&mut findings, layout);
    }
    match layout.filter(|_| task.profile.is_parity()) {
        Some(layout) => {
            if content.sampled {
                findings.summary.line(&format!("[SAMPLED - Large {title} File]"));
            }
            if text.encoding != Encoding::Utf8 {
                findings.summary.line(&format!("Encoding: {}", text.encoding.name()));
            }
            volt::write(&mut findings, layout);
        }
        None => outline::write(&mut findings, task, title, &text, content.sampled),
    }
    if let Some(line) = not_understood {
        findings.set("not_understood_line", line);
        findings.summary.line(&format!("Not understood in part: from line {line} on"));
    }
    if findings.symbols.is_empty() && findings.imports.is_empty() {
        let lines: Vec<&str> = text.text.lines().collect();
        plain::preview(&mut findings, task, &lines);
    }
    Ok(findings)
}

/// The key of a language's grammar; `None` if there is no such language.
pub fn grammar_of(key: &str) -> Option<&'static str> {
    language(key).map(|language| language.grammar)
}
