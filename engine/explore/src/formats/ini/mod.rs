//! INI and similar formats: configuration files with sections and keys, systemd units, Java
//! properties and environment files.

mod dialect;
mod environment;
pub mod fields;
mod properties;
mod reader;

use std::{collections::BTreeSet, io};

use base::secrets::Secrets;

use super::shared::{
    beginning::{self, Stream},
    source::Source,
};
use crate::{
    Findings, Task,
    disclosure::{List, Marker, Summary},
    findings::cut,
    text::Encoding,
};
use dialect::Dialect;
use fields::{IniFields, Key, Section};
use reader::{Entry, Reader};

/// Maximum number of keys and sections that are listed; further ones are only counted.
const LISTED: usize = 100_000;
/// Longest value that is listed, and longest one in the summary, in characters.
const VALUE: usize = 1000;
const SHOWN_VALUE: usize = 50;
/// Maximum number of sections in the summary, and of keys in each.
const SHOWN_SECTIONS: usize = 15;
const SHOWN_KEYS: usize = 10;
/// Longest line that is read, in bytes; the rest of a longer one is skipped.
const LINE: usize = 64 * 1024;

/// The contents of a file.
#[derive(Default)]
struct Contents {
    sections: Vec<Section>,
    headers: u64,
    keys: u64,
    comments: u64,
    others: u64,
    listed: usize,
    /// True while the present section is beyond those that are listed.
    unlisted: bool,
    names: BTreeSet<(String, String)>,
    first_bad: Option<(String, u64)>,
}

/// Explores a file.
pub fn explore(task: &Task) -> io::Result<Findings> {
    let Stream { reader, encoding, damaged, sampled } = beginning::stream(task)?;
    let mut findings = Findings::new(task);
    let dialect = Dialect::of(task.input.base_name());
    let mut source = Source::new(reader);
    let mut lines = Reader::new(dialect);
    let mut contents = Contents::default();
    let mut line = Vec::new();
    let mut number = 0;
    while source.read_line(&mut line, LINE) {
        number += 1;
        lines.line(&String::from_utf8_lossy(&line), number, &mut |entry| {
            contents.add(entry, task.secrets);
        });
    }
    lines.finish(&mut |entry| contents.add(entry, task.secrets));
    if let Some(error) = source.error.take() {
        return Err(error);
    }
    if let Some((what, line)) = &contents.first_bad {
        findings.malformed(what.as_str(), Some(*line), Some(1));
    } else if contents.others > 0 && contents.keys == 0 {
        findings.malformed("no line of it is a section or a key with a value", Some(1), Some(1));
    }
    beginning::whole_only(&mut findings, damaged);

    findings.summary.line(&format!("Format: {}", dialect.title()));
    beginning::unusual(&mut findings, encoding, sampled, "INI");
    contents.limits(&mut findings.summary);
    contents.write(&mut findings);
    findings.facts = contents.facts(dialect, number, encoding, sampled).into();
    beginning::preview(&mut findings, task)?;
    Ok(findings)
}

impl Contents {
    fn add(&mut self, entry: Entry, secrets: Secrets) {
        match entry {
            Entry::Comment => self.comments += 1,
            Entry::Other => self.others += 1,
            Entry::Bad { what, line } => {
                self.first_bad.get_or_insert_with(|| (what.to_owned(), line));
            }
            Entry::Section { name, line } => {
                self.headers += 1;
                self.section(name, line);
            }
            Entry::Key { name, value, line } => {
                if self.sections.is_empty() {
                    self.section("(global)".to_owned(), line);
                }
                self.keys += 1;
                self.listed += 1;
                let listed = self.listed <= LISTED;
                if self.unlisted {
                    return;
                }
                let Some(section) = self.sections.last_mut() else { return };
                section.key_count += 1;
                if listed {
                    self.names.insert((section.name.clone(), name.clone()));
                    let value = value.map(|value| {
                        let above = [name.as_str(), section.name.as_str()];
                        cut(&secrets.below(above, &value), VALUE)
                    });
                    section.keys.push(Key { name, value, line });
                }
            }
        }
    }

    fn section(&mut self, name: String, line: u64) {
        self.unlisted = self.sections.len() >= LISTED;
        if !self.unlisted {
            self.sections.push(Section { name, line, key_count: 0, keys: Vec::new() });
        }
    }

    /// Records in a summary which lists are incomplete.
    fn limits(&self, summary: &mut Summary) {
        for list in ["/fields/sections", "/fields/parsed_sections"] {
            summary.capped(list, self.sections.len(), self.section_count(), false);
        }
        for (index, section) in self.sections.iter().enumerate() {
            let (listed, all) = (section.keys.len(), section.key_count);
            if listed as u64 != all {
                let list = format!("/fields/parsed_sections/{index}/keys");
                summary.capped(&list, listed, all, false);
            }
        }
    }

    /// Number of headers, and one more if there are keys before the first.
    fn section_count(&self) -> u64 {
        let global = self.sections.first().is_some_and(|first| first.name == "(global)");
        self.headers + u64::from(global)
    }

    fn facts(
        self,
        dialect: Dialect,
        line_count: u64,
        encoding: Encoding,
        sampled: bool,
    ) -> IniFields {
        IniFields {
            dialect: dialect.as_str(),
            section_count: self.section_count(),
            total_keys: self.keys,
            distinct_keys: self.names.len(),
            comment_count: self.comments,
            other_lines: self.others,
            keys_complete: self.listed <= LISTED && !self.unlisted,
            sections: self.sections.iter().map(|one| one.name.clone()).collect(),
            parsed_sections: self.sections,
            line_count,
            encoding,
            sampled,
        }
    }

    fn write(&self, findings: &mut Findings) {
        let sections = self.section_count();
        let summary = &mut findings.summary;
        let parity = summary.profile().is_parity();
        summary.blank();
        summary.line("Structure:");
        summary.line(&format!("  Sections: {sections}"));
        summary.line(&format!("  Total keys: {}", self.keys));
        if self.comments > 0 {
            summary.line(&format!("  Comments: {}", self.comments));
        }
        if self.others > 0 {
            summary.line(&format!("  Other lines: {}", self.others));
        }
        if self.sections.is_empty() {
            return;
        }
        summary.blank();
        summary.line("Sections:");
        let (most, most_keys) = (summary.cap(SHOWN_SECTIONS), summary.cap(SHOWN_KEYS));
        for (index, section) in self.sections.iter().take(most).enumerate() {
            let line = if parity { String::new() } else { format!(" [{}]", section.line) };
            summary.line(&format!("  [{}] ({} keys){line}", section.name, section.key_count));
            let source = format!("/fields/parsed_sections/{index}/keys");
            let list = List {
                section: "Keys",
                source: &source,
                cap: most_keys,
                marker: Marker::CountedNoun("keys"),
            };
            let lines: Vec<String> = section
                .keys
                .iter()
                .take(most_keys)
                .map(|key| shown(summary, key, parity))
                .collect();
            for line in &lines {
                summary.line(&format!("    {line}"));
            }
            summary.mark(&list, "    ", section.keys.len());
        }
        let list = List {
            section: "Sections",
            source: "/fields/parsed_sections",
            cap: most,
            marker: Marker::CountedNoun("sections"),
        };
        summary.mark(&list, "  ", self.sections.len());
    }
}

/// A key as the summary shows it.
fn shown(summary: &Summary, key: &Key, parity: bool) -> String {
    let line = if parity { String::new() } else { format!("{}: ", key.line) };
    match &key.value {
        Some(value) => format!("{line}{} = {}", key.name, summary.short(value, SHOWN_VALUE)),
        None => format!("{line}{}", key.name),
    }
}
