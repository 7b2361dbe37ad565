//! HTML, parsed as the standard says browsers do: there is no malformed HTML, only odd trees.

mod parse;
mod tree;

use std::{collections::BTreeMap, io};

use serde_json::{Map, Value, json};

use super::beginning;
use crate::{
    Findings, Task,
    disclosure::{List, Marker},
    findings::cut,
    input::WHOLE_LIMIT,
    text::Text,
};
use tree::Node;

/// The summary's headings, forms, fields of a form and links; longest text and description.
const SHOWN_HEADINGS: usize = 10;
const SHOWN_FORMS: usize = 5;
const SHOWN_FIELDS: usize = 5;
const SHOWN_LINKS: usize = 5;
const SHOWN_TEXT: usize = 50;
const SHOWN_DESCRIPTION: usize = 100;
/// Longest listed text, in characters.
const TEXT: usize = 1000;
/// Elements that say what a part of a page is for.
const SEMANTIC: [&str; 7] = ["header", "nav", "main", "article", "section", "aside", "footer"];

/// What is found in a page.
#[derive(Default)]
struct Page {
    title: Option<String>,
    meta: BTreeMap<&'static str, String>,
    lang: Option<String>,
    headings: Vec<Value>,
    links: Vec<Value>,
    external: Vec<String>,
    anchors: u64,
    forms: Vec<Form>,
    images: Vec<Value>,
    scripts: Vec<Value>,
    stylesheets: Vec<Value>,
    styles: u64,
    tables: u64,
    elements: u64,
    semantic: BTreeMap<&'static str, u64>,
}

struct Form {
    action: String,
    method: String,
    line: u64,
    inputs: Vec<(String, String)>,
}

/// Explores a page.
pub fn explore(task: &Task) -> io::Result<Findings> {
    let (bytes, sampled) = beginning::bytes(task, WHOLE_LIMIT)?;
    let text = Text::decode(&bytes);
    let mut findings = Findings::new(task);
    let (nodes, dropped) = parse::parse(&text.text);
    let page = Page::of(&nodes);
    beginning::taken(&mut findings, text.encoding, text.damaged, sampled);
    findings.set("line_count", text.lines());
    findings.set("left_out_tags", dropped);
    page.fields(&mut findings);

    let lang = page.lang.as_ref().map_or_else(String::new, |lang| format!(" (lang: {lang})"));
    findings.summary.line(&format!("Format: HTML{lang}"));
    beginning::unusual(&mut findings, text.encoding, sampled, "HTML");
    if dropped > 0 {
        findings.summary.line(&format!("[Nested too deep or too large: {dropped} tags left out]"));
    }
    page.write(&mut findings);
    beginning::preview(&mut findings, task)?;
    Ok(findings)
}

impl Page {
    /// Goes through the tree in document order.
    fn of(nodes: &[Node]) -> Self {
        let mut page = Self::default();
        let mut forms: Vec<(u32, usize)> = Vec::new();
        let mut stack: Vec<(u32, bool)> = vec![(0, false)];
        while let Some((index, left)) = stack.pop() {
            let Some(node) = nodes.get(index as usize) else { continue };
            if left {
                forms.pop_if(|(form, _)| *form == index);
                continue;
            }
            page.elements += u64::from(node.element);
            if let Some(name) = &node.name {
                page.element(nodes, index, name, node);
                if &**name == "form" {
                    forms.push((index, page.forms.len() - 1));
                    stack.push((index, true));
                }
                if let Some((_, form)) = forms.last()
                    && matches!(&**name, "input" | "select" | "textarea" | "button")
                    && let Some(form) = page.forms.get_mut(*form)
                {
                    let kind = match &**name {
                        "input" => node.attribute("type").unwrap_or("text"),
                        other => other,
                    };
                    let name = node.attribute("name").unwrap_or_default();
                    form.inputs.push((name.to_owned(), kind.to_owned()));
                }
            }
            stack.extend(node.children.iter().rev().map(|child| (*child, false)));
        }
        page
    }

    fn element(&mut self, nodes: &[Node], index: u32, name: &str, node: &Node) {
        let value =
            |attribute: &str| node.attribute(attribute).unwrap_or_default().trim().to_owned();
        match name {
            "html" => self.lang = node.attribute("lang").map(str::to_owned).or(self.lang.take()),
            "title" => {
                self.title.get_or_insert_with(|| folded(nodes, index));
            }
            "meta" => self.metadata(node),
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                let level = name.get(1..).and_then(|level| level.parse::<u64>().ok());
                let text = folded(nodes, index);
                self.headings.push(json!({"level": level, "text": text, "line": node.line}));
            }
            "a" => {
                self.anchors += 1;
                let Some(address) = node.attribute("href").map(str::trim) else { return };
                let script = address
                    .get(..11)
                    .is_some_and(|start| start.eq_ignore_ascii_case("javascript:"));
                if address.is_empty() || address.starts_with('#') || script {
                    return;
                }
                let external = is_external(address);
                let text = folded(nodes, index);
                if external {
                    let shown = if text.is_empty() { address } else { &text };
                    self.external.push(format!("{}: {address}", cut(shown, SHOWN_TEXT)));
                }
                self.links.push(json!({
                    "href": address, "text": text, "is_external": external, "line": node.line,
                }));
            }
            "form" => {
                let method = node.attribute("method").unwrap_or("get").to_lowercase();
                self.forms.push(Form {
                    action: value("action"),
                    method,
                    line: node.line,
                    inputs: Vec::new(),
                });
            }
            "img" => self.images.push(json!({
                "src": value("src"), "alt": node.attribute("alt"), "line": node.line,
            })),
            "script" => self.scripts.push(json!({
                "src": value("src"), "type": value("type"), "line": node.line,
            })),
            "link" => {
                let relations = value("rel").to_lowercase();
                if relations.split_whitespace().any(|one| one == "stylesheet") {
                    self.stylesheets.push(json!({"href": value("href"), "line": node.line}));
                }
            }
            "style" => self.styles += 1,
            "table" => self.tables += 1,
            _ => {
                if let Some(name) = SEMANTIC.iter().find(|known| **known == name) {
                    *self.semantic.entry(name).or_default() += 1;
                }
            }
        }
    }

    fn metadata(&mut self, node: &Node) {
        if let Some(charset) = node.attribute("charset") {
            self.meta.entry("charset").or_insert_with(|| charset.to_owned());
        }
        let Some(content) = node.attribute("content") else { return };
        let name = node.attribute("name").or_else(|| node.attribute("http-equiv"));
        let name = name.unwrap_or_default().to_lowercase();
        let known = ["description", "viewport", "keywords", "author", "generator"];
        if let Some(known) = known.into_iter().find(|known| *known == name) {
            self.meta.entry(known).or_insert_with(|| content.to_owned());
        } else if name == "content-type"
            && let Some((_, charset)) = content.split_once("charset=")
        {
            self.meta.entry("charset").or_insert_with(|| charset.trim().to_owned());
        }
    }

    fn fields(&self, findings: &mut Findings) {
        findings.set("title", self.title.clone());
        for name in ["description", "charset", "viewport", "keywords", "author", "generator"] {
            findings.set(name, self.meta.get(name).cloned());
        }
        findings.set("lang", self.lang.clone());
        findings.set("heading_count", self.headings.len());
        findings.set("link_count", self.links.len());
        findings.set("external_link_count", self.external.len());
        findings.set("anchor_count", self.anchors);
        findings.set("form_count", self.forms.len());
        findings.set("image_count", self.images.len());
        findings.set("script_count", self.scripts.len());
        findings.set("stylesheet_count", self.stylesheets.len());
        findings.set("style_count", self.styles);
        findings.set("table_count", self.tables);
        findings.set("element_count", self.elements);
        let semantic: Map<String, Value> = SEMANTIC
            .iter()
            .map(|name| {
                let count = self.semantic.get(name).copied().unwrap_or(0);
                ((*name).to_owned(), Value::from(count))
            })
            .collect();
        findings.set("semantic_elements", semantic);
        findings.set("headings", self.headings.clone());
        findings.set("links", self.links.clone());
        findings.set("images", self.images.clone());
        findings.set("scripts", self.scripts.clone());
        findings.set("stylesheets", self.stylesheets.clone());
        let forms: Vec<Value> = self
            .forms
            .iter()
            .map(|form| {
                let inputs: Vec<Value> = form
                    .inputs
                    .iter()
                    .map(|(name, kind)| json!({"name": name, "type": kind}))
                    .collect();
                json!({
                    "action": form.action, "method": form.method, "line": form.line,
                    "inputs": inputs,
                })
            })
            .collect();
        findings.set("forms", forms);
    }

    fn write(&self, findings: &mut Findings) {
        let summary = &mut findings.summary;
        if let Some(title) = &self.title {
            summary.line(&format!("Title: {}", cut(title, 2 * SHOWN_DESCRIPTION)));
        }
        if let Some(description) = self.meta.get("description") {
            summary.line(&format!("Description: {}", cut(description, SHOWN_DESCRIPTION)));
        }
        if !summary.profile().is_parity() {
            for (name, title) in [("charset", "Charset"), ("viewport", "Viewport")] {
                if let Some(content) = self.meta.get(name) {
                    summary.line(&format!("{title}: {}", cut(content, SHOWN_DESCRIPTION)));
                }
            }
        }
        summary.blank();
        summary.line("Structure:");
        summary.line(&format!("  Headings: {}", self.headings.len()));
        summary.line(&format!("  Links: {} ({} external)", self.links.len(), self.external.len()));
        summary.line(&format!("  Forms: {}", self.forms.len()));
        summary.line(&format!("  Images: {}", self.images.len()));
        summary.line(&format!("  Scripts: {}", self.scripts.len()));
        summary.line(&format!("  Stylesheets: {}", self.stylesheets.len()));
        if !summary.profile().is_parity() {
            summary.line(&format!("  Tables: {}", self.tables));
            summary.line(&format!("  Elements: {}", self.elements));
        }
        if !self.semantic.is_empty() {
            summary.blank();
            summary.line("Semantic elements:");
            for name in SEMANTIC {
                if let Some(count) = self.semantic.get(name) {
                    summary.line(&format!("  {name}: {count}"));
                }
            }
        }
        if !self.headings.is_empty() {
            summary.blank();
            summary.line("Heading outline:");
            let lines: Vec<String> = self.headings.iter().map(outline).collect();
            let list = list("Heading outline", "/fields/headings", SHOWN_HEADINGS, "headings");
            summary.lines(&list, "  ", &lines);
        }
        if !self.forms.is_empty() {
            summary.blank();
            summary.line("Forms:");
            for (index, form) in self.forms.iter().take(SHOWN_FORMS).enumerate() {
                let action = if form.action.is_empty() { "(none)" } else { &form.action };
                let method = form.method.to_uppercase();
                summary.line(&format!("  {method} {}", cut(action, SHOWN_TEXT)));
                let fields: Vec<String> = form
                    .inputs
                    .iter()
                    .map(|(name, kind)| format!("{} ({kind})", cut(name, SHOWN_TEXT)))
                    .collect();
                let source = format!("/fields/forms/{index}/inputs");
                summary.lines(&list("Fields", &source, SHOWN_FIELDS, "fields"), "    ", &fields);
            }
            summary.mark(
                &list("Forms", "/fields/forms", SHOWN_FORMS, "forms"),
                "  ",
                self.forms.len(),
            );
        }
        if !self.external.is_empty() {
            summary.blank();
            summary.line("External links:");
            let lines: Vec<String> = self.external.iter().map(|link| cut(link, 200)).collect();
            let list = list(
                "External links",
                "/fields/links?is_external=true",
                SHOWN_LINKS,
                "external links",
            );
            summary.lines(&list, "  ", &lines);
        }
    }
}

const fn list<'a>(section: &'a str, source: &'a str, cap: usize, noun: &'static str) -> List<'a> {
    List { section, source, cap, marker: Marker::CountedNoun(noun) }
}

/// A heading of the outline.
fn outline(heading: &Value) -> String {
    let level = heading.get("level").and_then(Value::as_u64).unwrap_or(1);
    let text = heading.get("text").and_then(Value::as_str).unwrap_or_default();
    let indent = "  ".repeat(usize::try_from(level).unwrap_or(1).saturating_sub(1));
    format!("{indent}H{level}: {}", cut(text, SHOWN_TEXT))
}

/// Whether an address leads to another host.
fn is_external(address: &str) -> bool {
    let begins = |with: &str| {
        address.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with))
    };
    begins("http://") || begins("https://") || begins("//")
}

/// The text in an element, with white space folded.
fn folded(nodes: &[Node], index: u32) -> String {
    let mut text = String::new();
    let mut stack = vec![index];
    while let Some(index) = stack.pop() {
        let Some(node) = nodes.get(index as usize) else { continue };
        text.push_str(&node.text);
        if text.len() > 4 * TEXT {
            break;
        }
        stack.extend(node.children.iter().rev());
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().take(TEXT).collect()
}
