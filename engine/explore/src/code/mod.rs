//! Source code: parsed once, walked once, then written down in the house format or in the
//! comparator's.
//!
//! A language is one file here that implements [`walk::Language`], one row in [`LANGUAGES`] and
//! one row in `dispatch/explorers.toml`.

mod above;
mod arduino;
mod branches;
mod c;
mod conditional;
mod cuda;
mod declarator;
mod defect;
mod lua;
mod objc;
mod outline;
mod php;
mod ruby;
mod ruby_facts;
mod solidity;
mod stdlib;
pub mod volt;
pub mod walk;
mod zig;

use std::io;

use engine::syntax::guard;
use tree_sitter::{Parser, Tree};

use crate::{
    findings::{Findings, Task},
    plain,
    text::Text,
};
use walk::{Language, Walk};

/// Key, name for people, grammar and meaning of each language, by key.
const LANGUAGES: &[(&str, &str, &str, &dyn Language)] = &[
    ("arduino", "Arduino", "arduino", &arduino::Arduino),
    ("c", "C", "c", &c::C { cpp: false }),
    ("cpp", "C++", "cpp", &c::C { cpp: true }),
    ("cuda", "CUDA", "cuda", &cuda::Cuda),
    ("lua", "Lua", "lua", &lua::Lua),
    ("objc", "Objective-C", "objc", &objc::ObjectiveC),
    ("php", "PHP", "php", &php::Php),
    ("ruby", "Ruby", "ruby", &ruby::Ruby),
    ("solidity", "Solidity", "solidity", &solidity::Solidity),
    ("zig", "Zig", "zig", &zig::Zig),
];

/// Explores a file of the code family.
pub fn explore(task: &Task) -> io::Result<Findings> {
    let Some((_, title, grammar, language)) =
        LANGUAGES.iter().find(|(key, ..)| *key == task.language)
    else {
        return plain::explore(task);
    };
    let content = task.input.content()?;
    let text = Text::decode(&content.bytes);
    let mut findings = Findings::new(task);
    let mut walk = Walk::new(&text.text, &task.input.name, task.project);
    let prepared = language.prepare(&text.text);
    match parse(grammar, prepared.as_deref().unwrap_or(&text.text)) {
        Ok(tree) => {
            walk.run(*language, &tree);
            if let Some((what, line, column)) = defect::first(&tree) {
                findings.malformed(what, Some(line), Some(column));
            }
        }
        Err(why) => findings.malformed(why, None, None),
    }
    if text.damaged {
        findings.malformed("parts of it are not valid in its encoding", None, None);
    }
    let Walk { symbols, imports, fields, .. } = walk;
    (findings.symbols, findings.imports) = (symbols, imports);
    findings.fields = fields;
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
            volt::write(&mut findings, layout);
        }
        None => outline::write(&mut findings, title, &text, content.sampled),
    }
    if findings.symbols.is_empty() && findings.imports.is_empty() {
        let lines: Vec<&str> = text.text.lines().collect();
        plain::preview(&mut findings, &lines);
    }
    Ok(findings)
}

/// Parses a text, or says why not.
fn parse(grammar: &str, text: &str) -> Result<Tree, String> {
    if u32::try_from(text.len()).is_err() {
        return Err("the file is larger than 4 GiB".to_owned());
    }
    if let Some(why) = guard::refuse(grammar, text) {
        return Err(format!("not parsed: {why}"));
    }
    let mut parser = Parser::new();
    grammars::language(grammar)
        .and_then(|language| parser.set_language(&tree_sitter::Language::new(language)).ok())
        .and_then(|()| parser.parse(text, None))
        .ok_or_else(|| format!("the parser gave no tree for {grammar}"))
}
