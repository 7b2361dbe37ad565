//! XML of any kind: SVG, property lists, feeds. Elements are counted while the file is streamed;
//! entities are never expanded and nothing is fetched.

mod elements;
pub mod fields;

use std::{
    borrow::Cow,
    collections::BTreeMap,
    io::{self, BufReader, Read},
};

use quick_xml::{
    Reader,
    events::{BytesDecl, BytesStart, Event},
};

use super::shared::{
    beginning::{self, Stream},
    distinct::Distinct,
};
use crate::{
    Findings, Task, disclosure::List, exploration::Entry, findings::grouped, text::Encoding,
};
use elements::Elements;
use fields::{Namespace, XmlFields};

/// Reading ends at a deeper nesting: each open element needs memory.
const MAX_DEPTH: usize = 1_000_000;
/// Reading ends at a longer tag or text, in bytes: the parser holds each in memory as a whole.
const MAX_TOKEN: usize = 64 << 20;
/// Maximum number of namespaces that are listed.
const LISTED_NAMESPACES: usize = 1000;
/// Maximum number of namespaces in the summary.
const SHOWN_NAMESPACES: usize = 5;

/// The state of reading, apart from the elements.
#[derive(Default)]
struct Reading {
    elements: Elements,
    declaration: Option<(Option<String>, Option<String>)>,
    namespaces: Vec<Namespace>,
    /// Namespaces that are not listed.
    more_namespaces: Distinct,
    doctype: Option<String>,
    entity_declarations: usize,
    /// The texts of `title` elements, which many vocabularies of documents have.
    titles: Vec<Entry>,
    comments: u64,
    instructions: u64,
    line: u64,
    defect: Option<(String, u64)>,
    /// Prefixes in scope, with the level of the element that declares them.
    prefixes: Vec<(usize, String)>,
    /// For each prefix in scope, the number of elements that declare it.
    in_force: BTreeMap<String, usize>,
}

/// Explores an XML text.
pub fn explore(task: &Task) -> io::Result<Findings> {
    let Stream { reader, encoding, damaged, sampled } = beginning::stream(task)?;
    let mut findings = Findings::new(task);
    let tokens = Tokens { reader, length: 0 };
    let mut reader = Reader::from_reader(BufReader::with_capacity(64 * 1024, tokens));
    let mut reading = Reading { line: 1, ..Reading::default() };
    reading.elements.secrets = task.secrets;
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer) {
            Ok(Event::Eof) => break,
            Ok(event) => {
                if reading.event(&event) {
                    break;
                }
            }
            Err(quick_xml::Error::Io(error)) if error.kind() != io::ErrorKind::Other => {
                return Err(io::Error::new(error.kind(), error.to_string()));
            }
            Err(error) => {
                let (line, column) = place(task, reader.error_position())?;
                if reading.defect.as_ref().is_none_or(|(_, earlier)| *earlier >= line) {
                    findings.malformed(error.to_string(), Some(line), Some(column));
                }
                break;
            }
        }
    }
    reading.end();
    if let Some((what, line)) = &reading.defect {
        findings.malformed(what.as_str(), Some(*line), None);
    }
    beginning::whole_only(&mut findings, damaged);

    let declared = match &reading.declaration {
        Some((version, encoding)) => format!(
            " (version {}, encoding {})",
            version.as_deref().unwrap_or("1.0"),
            encoding.as_deref().unwrap_or("UTF-8")
        ),
        None => String::new(),
    };
    findings.summary.line(&format!("Format: XML{declared}"));
    beginning::unusual(&mut findings, encoding, sampled, "XML");
    reading.write(&mut findings);
    if !task.profile.is_parity() && reading.titles.len() > 1 {
        findings.part(task, "Titles", std::mem::take(&mut reading.titles));
    }
    findings.facts = reading.facts(encoding, sampled).into();
    beginning::preview(&mut findings, task)?;
    Ok(findings)
}

impl Reading {
    /// Handles one event; true if the reading must end.
    fn event(&mut self, event: &Event) -> bool {
        let text: &str = match event {
            Event::Start(start) => {
                self.start(start);
                start
            }
            Event::Empty(start) => {
                self.start(start);
                self.elements.close();
                start
            }
            Event::End(end) => {
                self.elements.close();
                end
            }
            Event::Text(text) => {
                self.text(text);
                text
            }
            Event::CData(text) => {
                self.text(text);
                text
            }
            Event::GeneralRef(reference) => {
                let known = ["amp", "lt", "gt", "quot", "apos"].contains(&reference.as_ref());
                if !known && !reference.starts_with('#') && self.doctype.is_none() {
                    let what = format!("the entity {} is not declared", reference.as_ref());
                    self.defect(what);
                }
                reference
            }
            Event::Comment(comment) => {
                self.comments += 1;
                comment
            }
            Event::PI(instruction) => {
                self.instructions += 1;
                instruction
            }
            Event::Decl(declaration) => {
                self.declare(declaration);
                declaration
            }
            Event::DocType(doctype) => {
                let name = doctype.split_ascii_whitespace().next().unwrap_or_default();
                let name = name.split('[').next().unwrap_or_default();
                self.doctype.get_or_insert_with(|| name.to_owned());
                self.entity_declarations += doctype.matches("<!ENTITY").count();
                doctype
            }
            Event::Eof => "",
        };
        self.line += memchr::memchr_iter(b'\n', text.as_bytes()).count() as u64;
        if self.elements.depth() >= MAX_DEPTH {
            self.defect(format!("nested more than {MAX_DEPTH} levels deep: not read on"));
            return true;
        }
        false
    }

    fn defect(&mut self, what: impl Into<String>) {
        let line = self.line;
        self.defect.get_or_insert_with(|| (what.into(), line));
    }

    fn declare(&mut self, declaration: &BytesDecl) {
        let version = declaration.version().ok().map(Cow::into_owned);
        let encoding = declaration.encoding().and_then(Result::ok).map(Cow::into_owned);
        self.declaration.get_or_insert((version, encoding));
    }

    fn text(&mut self, text: &str) {
        if self.elements.depth() > 0 {
            self.elements.text(text);
            let is_title = self.elements.innermost() == Some("title") && !text.trim().is_empty();
            if is_title {
                let before = text.len() - text.trim_start().len();
                let lines = text.get(..before).unwrap_or_default().matches('\n').count() as u64;
                let title = text.split_whitespace().collect::<Vec<_>>().join(" ");
                self.titles.push(Entry { line: self.line + lines, text: title });
            }
        } else if !text.trim().is_empty() {
            let before = text.len() - text.trim_start().len();
            let lines = text.get(..before).unwrap_or_default().matches('\n').count() as u64;
            let line = self.line + lines;
            self.defect.get_or_insert_with(|| {
                ("a text stands outside of the root element".to_owned(), line)
            });
        }
    }

    fn start(&mut self, start: &BytesStart) {
        if self.elements.depth() == 0 && self.elements.total > 0 {
            self.defect("a second root element");
        }
        let level = self.elements.depth();
        while self.prefixes.last().is_some_and(|(declared, _)| *declared >= level) {
            self.leave_prefix();
        }
        self.elements.open(start.name().into_inner(), self.line);
        let mut used = vec![start.name().prefix()];
        for attribute in start.attributes() {
            match attribute {
                Ok(attribute) => {
                    let name = attribute.key.into_inner();
                    let prefix = match name.strip_prefix("xmlns") {
                        Some("") => Some("default"),
                        Some(rest) => rest.strip_prefix(':'),
                        None => None,
                    };
                    if let Some(prefix) = prefix {
                        self.prefixes.push((level, prefix.to_owned()));
                        *self.in_force.entry(prefix.to_owned()).or_default() += 1;
                        self.namespace(prefix, &attribute.value);
                    } else {
                        self.elements.attribute(name);
                        used.push(attribute.key.prefix());
                    }
                    if attribute.value.contains('<') {
                        self.defect("a < stands in the value of an attribute");
                    }
                }
                Err(error) => {
                    self.defect(format!("an attribute: {error}"));
                    break;
                }
            }
        }
        for prefix in used.into_iter().flatten().filter(|prefix| !prefix.is_xml()) {
            let prefix = prefix.into_inner();
            if !self.in_force.contains_key(prefix) {
                self.defect(format!("the prefix {prefix} is not declared"));
            }
        }
    }

    /// Ends the scope of the innermost declaration of a prefix.
    fn leave_prefix(&mut self) {
        let Some((_, prefix)) = self.prefixes.pop() else { return };
        if let Some(count) = self.in_force.get_mut(&prefix) {
            *count -= 1;
            if *count == 0 {
                self.in_force.remove(&prefix);
            }
        }
    }

    fn namespace(&mut self, prefix: &str, uri: &str) {
        let known = self.namespaces.iter().any(|one| one.prefix == prefix && one.uri == uri);
        if known {
            return;
        }
        if self.namespaces.len() < LISTED_NAMESPACES {
            let (prefix, uri) = (prefix.to_owned(), uri.to_owned());
            self.namespaces.push(Namespace { prefix, uri, line: self.line });
        } else {
            self.more_namespaces.add((prefix, uri));
        }
    }

    fn end(&mut self) {
        if let Some(name) = self.elements.innermost() {
            let what = format!("the element {name} is not closed");
            self.defect(what);
        } else if self.elements.total == 0 {
            self.defect("there is no root element");
        }
    }

    fn facts(self, text_encoding: Encoding, sampled: bool) -> XmlFields {
        let elements = &self.elements;
        let mut namespaces = BTreeMap::new();
        for one in &self.namespaces {
            namespaces.entry(one.prefix.clone()).or_insert_with(|| one.uri.clone());
        }
        let has_declaration = self.declaration.is_some();
        let (version, encoding) = self.declaration.unwrap_or_default();
        XmlFields {
            root_element: elements.root().map(str::to_owned),
            total_elements: elements.total,
            total_attributes: elements.attributes,
            max_depth: elements.max_depth,
            unique_elements: elements.names().map(str::to_owned).collect(),
            elements: elements.listed(),
            elements_complete: elements.complete,
            hierarchy: elements.hierarchy(),
            namespaces,
            namespace_list: self.namespaces,
            has_declaration,
            version,
            encoding,
            text_encoding,
            doctype: self.doctype,
            entity_declarations: self.entity_declarations,
            comment_count: self.comments,
            instruction_count: self.instructions,
            line_count: self.line,
            sampled,
        }
    }

    fn write(&self, findings: &mut Findings) {
        let elements = &self.elements;
        let summary = &mut findings.summary;
        elements.limits(summary);
        let listed = self.namespaces.len();
        let all = listed as u64 + self.more_namespaces.count();
        let at_least = self.more_namespaces.at_least();
        summary.capped("/fields/namespace_list", listed, all, at_least);
        summary.blank();
        summary.line("Structure:");
        summary.line(&format!("  Root element: {}", elements.root().unwrap_or("none")));
        summary.line(&format!("  Total elements: {}", grouped(elements.total)));
        summary.line(&format!("  Max depth: {}", elements.max_depth));
        summary.line(&format!("  Unique element types: {}", grouped(elements.name_count())));
        if !summary.profile().is_parity() {
            summary.line(&format!("  Attributes: {}", grouped(elements.attributes)));
        }
        if let Some(doctype) = &self.doctype {
            let entities = grouped(self.entity_declarations);
            summary
                .line(&format!("  Document type: {doctype}, {entities} entities (not expanded)"));
        }
        let namespaces: Vec<String> =
            self.namespaces.iter().map(|one| format!("{}: {}", one.prefix, one.uri)).collect();
        let list = List::counted("Namespaces", "/fields/namespace_list", SHOWN_NAMESPACES);
        summary.section("Namespaces:", &list, &namespaces);
        if elements.total > 0 {
            summary.blank();
            summary.line("Element hierarchy:");
            elements.write(summary);
        }
    }
}

/// Line and column of a byte offset in the decoded text.
fn place(task: &Task, offset: u64) -> io::Result<(u64, u64)> {
    let mut reader = beginning::stream(task)?.reader.take(offset);
    let (mut line, mut column) = (1, 1);
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let count = reader.read(&mut buffer)?;
        let Some(bytes) = buffer.get(..count).filter(|bytes| !bytes.is_empty()) else {
            return Ok((line, column));
        };
        line += memchr::memchr_iter(b'\n', bytes).count() as u64;
        let last = memchr::memrchr(b'\n', bytes);
        if last.is_some() {
            column = 1;
        }
        let behind = bytes.get(last.map_or(0, |at| at + 1)..).unwrap_or_default();
        column += behind.iter().filter(|byte| **byte & 0xc0 != 0x80).count() as u64;
    }
}

/// A reader that fails when a tag or text gets too long to be held in memory.
struct Tokens<R> {
    reader: R,
    length: usize,
}

impl<R: Read> Read for Tokens<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        let bytes = buffer.get(..count).unwrap_or_default();
        self.length = match memchr::memrchr2(b'<', b'>', bytes) {
            Some(at) => count - at,
            None => self.length + count,
        };
        if self.length > MAX_TOKEN {
            let limit = MAX_TOKEN >> 20;
            return Err(io::Error::other(format!(
                "a text is longer than {limit} MiB: not read on"
            )));
        }
        Ok(count)
    }
}
