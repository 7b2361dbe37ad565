//! HTML, parsed as the standard prescribes for browsers: there is no malformed HTML, only odd
//! trees.

pub mod fields;
mod parse;
mod tree;

use std::{collections::BTreeMap, io};

use base::secrets::Secrets;

use super::shared::beginning;
use crate::{
    Findings, Task,
    disclosure::{List, Marker, Summary},
    input::WHOLE_LIMIT,
    masked::shortened,
    text::Text,
};
use fields::{Control, Form, Heading, HtmlFields, Image, Link, Meta, Script, Stylesheet};
use tree::Node;

/// Maximum number of headings, forms, fields of a form and links in the summary; longest text and
/// description.
const SHOWN_HEADINGS: usize = 10;
const SHOWN_FORMS: usize = 5;
const SHOWN_FIELDS: usize = 5;
const SHOWN_LINKS: usize = 5;
const SHOWN_TEXT: usize = 50;
const SHOWN_DESCRIPTION: usize = 100;
/// Longest listed text, in characters.
const TEXT: usize = 1000;
/// Semantic elements, which say what a part of a page is for.
const SEMANTIC: [&str; 7] = ["header", "nav", "main", "article", "section", "aside", "footer"];

/// The contents of a page.
#[derive(Default)]
struct Page {
    title: Option<String>,
    meta: Meta,
    lang: Option<String>,
    headings: Vec<Heading>,
    links: Vec<Link>,
    external: Vec<String>,
    anchors: u64,
    forms: Vec<Form>,
    images: Vec<Image>,
    scripts: Vec<Script>,
    stylesheets: Vec<Stylesheet>,
    styles: u64,
    tables: u64,
    elements: u64,
    semantic: BTreeMap<&'static str, u64>,
    secrets: Secrets,
}

/// Explores a page.
pub fn explore(task: &Task) -> io::Result<Findings> {
    let (bytes, sampled) = beginning::bytes(task, WHOLE_LIMIT)?;
    let text = Text::decode(&bytes);
    let mut findings = Findings::new(task);
    let (nodes, dropped) = parse::parse(&text.text, task.secrets);
    let page = Page::of(&nodes, task.secrets);
    beginning::whole_only(&mut findings, text.damaged);

    let lang = page.lang.as_ref().map_or_else(String::new, |lang| format!(" (lang: {lang})"));
    findings.summary.line(&format!("Format: HTML{lang}"));
    beginning::unusual(&mut findings, text.encoding, sampled, "HTML");
    if dropped > 0 {
        findings.summary.line(&format!("[Nested too deep or too large: {dropped} tags left out]"));
    }
    page.write(&mut findings);
    findings.facts = page.facts(dropped, &text, sampled).into();
    beginning::preview(&mut findings, task)?;
    Ok(findings)
}

impl Page {
    /// Visits the tree in document order.
    fn of(nodes: &[Node], secrets: Secrets) -> Self {
        let mut page = Self { secrets, ..Self::default() };
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
                    form.inputs.push(Control { name: name.to_owned(), kind: kind.to_owned() });
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
                let secrets = self.secrets;
                self.title.get_or_insert_with(|| folded(nodes, index, secrets));
            }
            "meta" => self.metadata(node),
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                let level = name.get(1..).and_then(|level| level.parse().ok()).unwrap_or(1);
                let text = folded(nodes, index, self.secrets);
                self.headings.push(Heading { level, text, line: node.line });
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
                let is_external = is_external(address);
                let text = folded(nodes, index, self.secrets);
                if is_external {
                    let shown = if text.is_empty() { address } else { &text };
                    self.external
                        .push(format!("{}: {address}", shortened(self.secrets, shown, SHOWN_TEXT)));
                }
                let href = address.to_owned();
                self.links.push(Link { href, text, is_external, line: node.line });
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
            "img" => self.images.push(Image {
                src: value("src"),
                alt: node.attribute("alt").map(str::to_owned),
                line: node.line,
            }),
            "script" => self.scripts.push(Script {
                src: value("src"),
                kind: value("type"),
                line: node.line,
            }),
            "link" => {
                let relations = value("rel").to_lowercase();
                if relations.split_whitespace().any(|one| one == "stylesheet") {
                    self.stylesheets.push(Stylesheet { href: value("href"), line: node.line });
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
            self.meta.charset.get_or_insert_with(|| charset.to_owned());
        }
        let Some(content) = node.attribute("content") else { return };
        let name = node.attribute("name").or_else(|| node.attribute("http-equiv"));
        let name = name.unwrap_or_default().to_lowercase();
        let (place, content) = match name.as_str() {
            "description" => (&mut self.meta.description, content),
            "viewport" => (&mut self.meta.viewport, content),
            "keywords" => (&mut self.meta.keywords, content),
            "author" => (&mut self.meta.author, content),
            "generator" => (&mut self.meta.generator, content),
            "content-type" => match content.split_once("charset=") {
                Some((_, charset)) => (&mut self.meta.charset, charset.trim()),
                None => return,
            },
            _ => return,
        };
        place.get_or_insert_with(|| content.to_owned());
    }

    fn facts(self, left_out_tags: u64, text: &Text, sampled: bool) -> HtmlFields {
        let count = |name: &&'static str| (*name, self.semantic.get(name).copied().unwrap_or(0));
        HtmlFields {
            semantic_elements: SEMANTIC.iter().map(count).collect(),
            title: self.title,
            meta: self.meta,
            lang: self.lang,
            heading_count: self.headings.len(),
            link_count: self.links.len(),
            external_link_count: self.external.len(),
            anchor_count: self.anchors,
            form_count: self.forms.len(),
            image_count: self.images.len(),
            script_count: self.scripts.len(),
            stylesheet_count: self.stylesheets.len(),
            style_count: self.styles,
            table_count: self.tables,
            element_count: self.elements,
            headings: self.headings,
            links: self.links,
            images: self.images,
            scripts: self.scripts,
            stylesheets: self.stylesheets,
            forms: self.forms,
            left_out_tags,
            line_count: text.lines(),
            encoding: text.encoding,
            sampled,
        }
    }

    fn write(&self, findings: &mut Findings) {
        let summary = &mut findings.summary;
        if let Some(title) = &self.title {
            summary.line(&format!("Title: {}", summary.short(title, 2 * SHOWN_DESCRIPTION)));
        }
        if let Some(description) = &self.meta.description {
            summary
                .line(&format!("Description: {}", summary.short(description, SHOWN_DESCRIPTION)));
        }
        if !summary.profile().is_parity() {
            for (title, content) in
                [("Charset", &self.meta.charset), ("Viewport", &self.meta.viewport)]
            {
                if let Some(content) = content {
                    summary
                        .line(&format!("{title}: {}", summary.short(content, SHOWN_DESCRIPTION)));
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
        let headings: Vec<String> = self.headings.iter().map(|one| outline(summary, one)).collect();
        let outline = list("Heading outline", "/fields/headings", SHOWN_HEADINGS, "headings");
        summary.section("Heading outline:", &outline, &headings);
        if !self.forms.is_empty() {
            summary.blank();
            summary.line("Forms:");
            for (index, form) in self.forms.iter().take(SHOWN_FORMS).enumerate() {
                let action = if form.action.is_empty() { "(none)" } else { &form.action };
                let method = form.method.to_uppercase();
                let line = at(summary, form.line);
                summary.line(&format!("  {method} {}{line}", summary.short(action, SHOWN_TEXT)));
                let fields: Vec<String> = form
                    .inputs
                    .iter()
                    .map(|input| {
                        format!("{} ({})", summary.short(&input.name, SHOWN_TEXT), input.kind)
                    })
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
        let links: Vec<String> =
            self.external.iter().map(|link| summary.short(link, 200)).collect();
        let source = "/fields/links?is_external=true";
        let external = list("External links", source, SHOWN_LINKS, "external links");
        summary.section("External links:", &external, &links);
    }
}

const fn list<'a>(section: &'a str, source: &'a str, cap: usize, noun: &'static str) -> List<'a> {
    List { section, source, cap, marker: Marker::CountedNoun(noun) }
}

/// The line of an entry, for the profile that shows it.
fn at(summary: &Summary, line: u64) -> String {
    if summary.profile().is_parity() { String::new() } else { format!(" [{line}]") }
}

/// A heading of the outline.
fn outline(summary: &Summary, heading: &Heading) -> String {
    let indent = "  ".repeat(usize::from(heading.level).saturating_sub(1));
    let text = summary.short(&heading.text, SHOWN_TEXT);
    format!("{indent}H{}: {text}{}", heading.level, at(summary, heading.line))
}

/// Whether a URL leads to another host.
fn is_external(address: &str) -> bool {
    let begins = |with: &str| {
        address.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with))
    };
    begins("http://") || begins("https://") || begins("//")
}

/// The text in an element, with runs of white space replaced by one space.
fn folded(nodes: &[Node], index: u32, secrets: Secrets) -> String {
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
    tree::bounded(secrets, &words.join(" "), TEXT)
}
