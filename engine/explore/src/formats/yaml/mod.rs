//! YAML 1.2 with any number of documents, from a parser's events: aliases are never expanded, so
//! the work is bounded by the length of the text.
//!
//! Plain scalars have the types of the core schema, YAML 1.2.2 section 10.3.2.

pub mod fields;
mod lenient;

use std::{collections::BTreeMap, io};

use saphyr_parser::{Event, Parser, ScalarStyle, Tag};

use super::shared::{
    beginning, decimal,
    distinct::Distinct,
    tree::{Kind, Tree},
};
use crate::{
    Findings, Task,
    disclosure::{List, Summary},
    findings::{cut, grouped},
    input::WHOLE_LIMIT,
    text::Text,
};
use fields::{Document, TagCount, YamlFields};

/// Maximum number of documents that are listed and of keys of all of them; maximum number of
/// documents, and of keys of one, in the summary.
const LISTED_DOCUMENTS: usize = 10_000;
const LISTED_KEYS: usize = 100_000;
const SHOWN_DOCUMENTS: usize = 10;
const SHOWN_KEYS: usize = 10;
/// Maximum number of distinct tags that are counted.
const LISTED_TAGS: usize = 1000;
/// Reading ends at a deeper nesting.
const MAX_DEPTH: usize = 1_000_000;

/// The state of reading, apart from the tree.
#[derive(Default)]
struct Reading {
    documents: Vec<Document>,
    count: u64,
    /// Number of keys that are listed, and the root keys of each document.
    listed_keys: usize,
    root_keys: Vec<u64>,
    anchors: u64,
    aliases: u64,
    tags: BTreeMap<String, u64>,
    /// Tags that are not listed.
    more_tags: Distinct,
    /// For each open container, whether a key comes next; `None` in sequences.
    keys: Vec<Option<bool>>,
    /// Number of open containers that are, or are inside, the key of a mapping.
    inside_key: usize,
}

/// Explores a YAML text.
pub fn explore(task: &Task) -> io::Result<Findings> {
    let (bytes, sampled) = beginning::bytes(task, WHOLE_LIMIT)?;
    let text = Text::decode(&bytes);
    let mut findings = Findings::new(task);
    let (mut tree, mut reading, mut defect) = read(task, &text.text);
    // Where the specification asks for more than libyaml does, readers expect what libyaml does.
    if let Some(first) = &defect
        && let Some(lenient) = lenient::indented(&text.text)
    {
        let (other, of_other, mut later) = read(task, &lenient);
        if later.as_ref().is_none_or(|later| later.line > first.line) {
            // The columns are those of the indented text.
            if let Some(later) = &mut later {
                later.column = None;
            }
            (tree, reading, defect) = (other, of_other, later);
        }
    }
    if let Some(Defect { what, line, column }) = defect {
        findings.malformed(what, Some(line), column);
    }
    tree.close_all();

    beginning::unicode_only(&mut findings, text.encoding);
    beginning::whole_only(&mut findings, text.damaged);

    findings.summary.line("Format: YAML");
    if reading.count > 1 {
        findings.summary.line(&format!("Documents: {}", grouped(reading.count)));
    }
    beginning::unusual(&mut findings, text.encoding, sampled, "YAML");
    reading.limits(&mut findings.summary);
    findings.summary.blank();
    findings.summary.line("Structure:");
    tree.structure(&mut findings);
    if reading.aliases > 0 {
        let (anchors, aliases) = (grouped(reading.anchors), grouped(reading.aliases));
        findings.summary.line(&format!("  Anchors: {anchors}, aliases: {aliases}"));
    }
    if !task.profile.is_parity() && reading.count > 1 {
        documents_section(&mut findings, &reading);
    }
    tree.schema(&mut findings, task, "Schema:");
    let tags = reading.tags.into_iter().map(|(tag, count)| TagCount { tag, count });
    findings.facts = YamlFields {
        tree: tree.facts(),
        document_count: reading.count,
        has_multiple_documents: reading.count > 1,
        anchor_count: reading.anchors,
        alias_count: reading.aliases,
        documents: reading.documents,
        tags: tags.collect(),
        line_count: text.lines(),
        encoding: text.encoding,
        sampled,
    }
    .into();
    beginning::preview(&mut findings, task)?;
    Ok(findings)
}

/// Where reading ends before the text does, and why.
struct Defect {
    what: String,
    line: u64,
    column: Option<u64>,
}

/// Reads a text as far as it is YAML.
fn read(task: &Task, text: &str) -> (Tree, Reading, Option<Defect>) {
    let mut tree = Tree::new(task.secrets);
    let mut reading = Reading::default();
    let mut parser = Parser::new_from_str(text);
    let defect = loop {
        match parser.next_event() {
            None | Some(Ok((Event::StreamEnd, _))) => break None,
            Some(Ok((event, span))) => {
                let (line, column) = (span.start.line() as u64, span.start.col() as u64 + 1);
                if reading.keys.len() >= MAX_DEPTH {
                    let what = format!("nested more than {MAX_DEPTH} levels deep: not read on");
                    break Some(Defect { what, line, column: Some(column) });
                }
                reading.event(&mut tree, event, line);
            }
            Some(Err(error)) => {
                let (what, at) = (error.info().to_owned(), error.marker());
                let column = Some(at.col() as u64 + 1);
                break Some(Defect { what, line: at.line() as u64, column });
            }
        }
    };
    (tree, reading, defect)
}

fn documents_section(findings: &mut Findings, reading: &Reading) {
    let mut entries = Vec::new();
    for (index, document) in reading.documents.iter().enumerate() {
        let keys = if index < SHOWN_DOCUMENTS {
            let source = format!("/fields/documents/{index}/keys");
            let list = List::counted("Documents, keys", &source, SHOWN_KEYS);
            findings.summary.inline(&list, &document.keys)
        } else {
            String::new()
        };
        entries.push(format!("line {}: {} {keys}", grouped(document.line), document.root_type));
    }
    let list = List::counted("Documents", "/fields/documents", SHOWN_DOCUMENTS);
    findings.summary.section("Documents:", &list, &entries);
}

impl Reading {
    /// Records in a summary which lists are incomplete.
    fn limits(&self, summary: &mut Summary) {
        summary.capped("/fields/documents", self.documents.len(), self.count, false);
        for (index, (document, count)) in self.documents.iter().zip(&self.root_keys).enumerate() {
            let listed = document.keys.len();
            if listed as u64 != *count {
                summary.capped(&format!("/fields/documents/{index}/keys"), listed, *count, false);
            }
        }
        let listed = self.tags.len();
        let all = listed as u64 + self.more_tags.count();
        summary.capped("/fields/tags", listed, all, self.more_tags.at_least());
    }

    fn event(&mut self, tree: &mut Tree, event: Event, line: u64) {
        match event {
            Event::DocumentStart(_) => {
                self.count += 1;
                if self.documents.len() < LISTED_DOCUMENTS {
                    self.documents.push(Document { line, root_type: "empty", keys: Vec::new() });
                    self.root_keys.push(0);
                }
            }
            Event::DocumentEnd => tree.close_all(),
            Event::MappingStart(anchor, tag) => {
                self.marks(anchor, tag.as_deref());
                self.open(tree, Kind::Object, line);
            }
            Event::SequenceStart(anchor, tag) => {
                self.marks(anchor, tag.as_deref());
                self.open(tree, Kind::Array, line);
            }
            Event::MappingEnd | Event::SequenceEnd => {
                self.keys.pop();
                if self.inside_key > 0 {
                    self.inside_key -= 1;
                    if self.inside_key == 0 {
                        // The whole container was a key, and its value comes next.
                        self.turn();
                    }
                } else {
                    tree.close();
                    self.turn();
                }
            }
            Event::Scalar(text, style, anchor, tag) => {
                self.marks(anchor, tag.as_deref());
                let kind = kind(&text, style, tag.as_deref());
                self.scalar(tree, &text, kind, line);
            }
            Event::Alias(_) => {
                self.aliases += 1;
                self.scalar(tree, "*", Kind::Alias, line);
            }
            Event::Nothing | Event::StreamStart | Event::StreamEnd => {}
        }
    }

    fn marks(&mut self, anchor: usize, tag: Option<&Tag>) {
        self.anchors += u64::from(anchor > 0);
        if let Some(tag) = tag {
            let name = if tag.is_yaml_core_schema() {
                format!("!!{}", tag.suffix)
            } else {
                format!("{}{}", tag.handle, tag.suffix)
            };
            let name = cut(&name, 100);
            if self.tags.len() < LISTED_TAGS || self.tags.contains_key(&name) {
                *self.tags.entry(name).or_default() += 1;
            } else {
                self.more_tags.add(name);
            }
        }
    }

    /// True if a key begins here.
    fn at_key(&self) -> bool {
        self.keys.last() == Some(&Some(true))
    }

    /// Switches between key and value in a mapping.
    fn turn(&mut self) {
        if let Some(Some(key)) = self.keys.last_mut() {
            *key = !*key;
        }
    }

    fn root(&mut self, kind: Kind) {
        let listed = self.documents.len() as u64 == self.count;
        if let Some(document) = self.documents.last_mut()
            && listed
            && self.keys.is_empty()
        {
            document.root_type = kind.as_str();
        }
    }

    /// Adds a top-level key of the present document.
    fn root_key(&mut self, name: &str) {
        if self.documents.len() as u64 != self.count {
            return;
        }
        let (Some(document), Some(count)) = (self.documents.last_mut(), self.root_keys.last_mut())
        else {
            return;
        };
        *count += 1;
        if self.listed_keys < LISTED_KEYS {
            self.listed_keys += 1;
            document.keys.push(cut(name, 50));
        }
    }

    fn open(&mut self, tree: &mut Tree, kind: Kind, line: u64) {
        self.root(kind);
        if self.inside_key > 0 {
            self.inside_key += 1;
        } else if self.at_key() {
            // A container as a key has no name that could be part of a path.
            tree.key("?", line);
            self.inside_key = 1;
        } else {
            tree.open(kind, line);
        }
        self.keys.push((kind == Kind::Object).then_some(true));
    }

    fn scalar(&mut self, tree: &mut Tree, text: &str, kind: Kind, line: u64) {
        self.root(kind);
        if self.inside_key == 0 {
            if self.at_key() {
                tree.key(text, line);
                if self.keys.len() == 1 {
                    self.root_key(text);
                }
            } else {
                tree.scalar(kind, line, || text.to_owned());
            }
        }
        self.turn();
    }
}

/// The kind of a scalar.
fn kind(text: &str, style: ScalarStyle, tag: Option<&Tag>) -> Kind {
    if let Some(tag) = tag {
        return match (tag.is_yaml_core_schema(), tag.suffix.as_str()) {
            (true, "int" | "float") => Kind::Number,
            (true, "bool") => Kind::Boolean,
            (true, "null") => Kind::Null,
            _ => Kind::String,
        };
    }
    if style != ScalarStyle::Plain {
        return Kind::String;
    }
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Kind::Null,
        "true" | "True" | "TRUE" | "false" | "False" | "FALSE" => Kind::Boolean,
        _ if number(text.as_bytes()) => Kind::Number,
        _ => Kind::String,
    }
}

/// Whether a plain scalar is an integer or a float of the core schema.
fn number(text: &[u8]) -> bool {
    let all = |digits: &[u8], fits: fn(&u8) -> bool| !digits.is_empty() && digits.iter().all(fits);
    if let Some(digits) = text.strip_prefix(b"0o") {
        return all(digits, |digit| (b'0'..=b'7').contains(digit));
    }
    if let Some(digits) = text.strip_prefix(b"0x") {
        return all(digits, u8::is_ascii_hexdigit);
    }
    if matches!(text, b".nan" | b".NaN" | b".NAN") {
        return true;
    }
    let text = text.strip_prefix(b"-").or_else(|| text.strip_prefix(b"+")).unwrap_or(text);
    if matches!(text, b".inf" | b".Inf" | b".INF") {
        return true;
    }
    let whole = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let tail = decimal::behind_whole(text.get(whole..).unwrap_or_default());
    tail.is_some_and(|tail| whole + tail.fraction > 0)
}

#[cfg(test)]
mod tests {
    use saphyr_parser::ScalarStyle;

    use super::{Kind, kind};

    #[test]
    fn plain_scalars_have_the_types_of_the_core_schema() {
        for (texts, expected) in [
            (&["", "~", "null"][..], Kind::Null),
            (&["true", "FALSE"], Kind::Boolean),
            (
                &["0", "-12", "0o17", "0xfF", "1.", ".5", "1e3", "-1.5E-3", ".inf", ".nan"],
                Kind::Number,
            ),
            (
                &["yes", "on", "1:30", "0b1", "1_000", ".", "-", "1e", "2024-01-01", "0o8"],
                Kind::String,
            ),
        ] {
            for text in texts {
                assert_eq!(kind(text, ScalarStyle::Plain, None), expected, "{text}");
            }
        }
        assert_eq!(kind("1", ScalarStyle::DoubleQuoted, None), Kind::String);
    }
}
