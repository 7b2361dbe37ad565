//! The summary of a Markdown file.

use std::collections::BTreeMap;

use super::{
    Document,
    fields::{FrontMatter, Heading, Target},
};
use crate::{
    Findings,
    disclosure::{List, Marker},
    findings::grouped,
    masked::shortened,
};

/// Longest heading, description and target that the summary shows, in characters.
const HEADING: usize = 80;
const DESCRIPTION: usize = 100;
const URL: usize = 120;

/// Counts over the whole text.
#[derive(Debug, Clone, Copy)]
pub struct Counts {
    pub words: usize,
    pub minutes: usize,
    pub lines: usize,
}

/// Number of code blocks in each language.
pub fn languages(document: &Document) -> BTreeMap<String, usize> {
    let mut languages = BTreeMap::new();
    for language in document.code_blocks.iter().filter_map(|block| block.language.as_ref()) {
        *languages.entry(language.clone()).or_default() += 1;
    }
    languages
}

/// Writes the summary: the comparator's sections in the parity profile. In the enhancement profile
/// the lists are longer, and references are added.
pub fn write(
    findings: &mut Findings,
    document: &Document,
    front_matter: Option<&FrontMatter>,
    counts: &Counts,
) {
    let format = if document.mdx.is_mdx { "MDX" } else { "Markdown" };
    findings.summary.line(&format!("Format: {format}"));
    if let Some(front) = front_matter {
        head(findings, front);
    }
    let summary = &mut findings.summary;
    summary.blank();
    summary.line("Statistics:");
    summary.line(&format!("  Words: {}", grouped(counts.words)));
    summary.line(&format!("  Reading time: ~{} min", counts.minutes));
    summary.line(&format!("  Lines: {}", grouped(counts.lines)));
    structure(findings, document);
    special(findings, document);
    lists(findings, document);
    if let Some(front) = front_matter.filter(|front| !front.other_keys.is_empty()) {
        let summary = &mut findings.summary;
        let list = List {
            section: "Other front matter keys",
            source: "/fields/frontmatter/other_keys",
            cap: 20,
            marker: Marker::CountedNoun("keys"),
        };
        let keys = summary.inline(&list, &front.other_keys);
        summary.blank();
        summary.line(&format!("Other front matter keys: {keys}"));
    }
}

fn head(findings: &mut Findings, front: &FrontMatter) {
    let summary = &mut findings.summary;
    let description = front.description.as_ref().map(|text| summary.short(text, DESCRIPTION));
    for (name, value) in [
        ("Title", &front.title),
        ("Author", &front.author),
        ("Date", &front.date),
        ("Description", &description),
    ] {
        if let Some(value) = value.as_ref().filter(|value| !value.is_empty()) {
            summary.line(&format!("{name}: {}", summary.short(value, 200)));
        }
    }
    if !front.tags.is_empty() {
        let list = List::counted("Tags", "/fields/frontmatter/tags", 30);
        let tags = summary.inline(&list, &front.tags);
        summary.line(&format!("Tags: {tags}"));
    }
}

fn structure(findings: &mut Findings, document: &Document) {
    let summary = &mut findings.summary;
    summary.blank();
    summary.line("Structure:");
    summary.line(&format!("  Headings: {}", grouped(document.headings.len())));
    let levels: Vec<String> = (1..=6)
        .filter_map(|level| {
            let count = document.headings.iter().filter(|heading| heading.level == level).count();
            (count > 0).then(|| format!("H{level}: {count}"))
        })
        .collect();
    if !levels.is_empty() {
        summary.line(&format!("    {}", levels.join(", ")));
    }
    let links = |target| document.links.iter().filter(|link| link.target == target).count();
    let (internal, external) = (links(Target::Internal), links(Target::External));
    let (anchors, images) = (links(Target::Anchor), links(Target::Image));
    let all = internal + external + anchors;
    let mut kinds = format!("{internal} internal, {external} external");
    if anchors > 0 {
        kinds.push_str(&format!(", {anchors} in the page"));
    }
    summary.line(&format!("  Links: {} ({kinds})", grouped(all)));
    if !document.references.is_empty() {
        summary.line(&format!("  Reference definitions: {}", grouped(document.references.len())));
    }
    if images > 0 {
        summary.line(&format!("  Images: {}", grouped(images)));
    }
    summary.line(&format!("  Code blocks: {}", grouped(document.code_blocks.len())));
    let languages: Vec<String> = languages(document)
        .into_iter()
        .map(|(language, count)| format!("{language} ({count})"))
        .collect();
    if !languages.is_empty() {
        let list = List::counted("Languages", "/fields/code_languages", 30);
        let languages = summary.inline(&list, &languages);
        summary.line(&format!("    Languages: {languages}"));
    }
}

fn special(findings: &mut Findings, document: &Document) {
    let special = &document.special;
    let tasks = special.task_lists_checked + special.task_lists_unchecked;
    let entries: Vec<String> = [
        ("Tables", special.tables),
        ("Task list items", tasks),
        ("Footnotes", special.footnotes),
        ("Math blocks", special.math_blocks),
        ("Inline math", special.math_inline),
        ("Blockquotes", special.blockquotes),
        ("Horizontal rules", special.horizontal_rules),
    ]
    .into_iter()
    .filter(|(_, count)| *count > 0)
    .map(|(name, count)| {
        if name == "Task list items" {
            format!("{name}: {count} ({} done)", special.task_lists_checked)
        } else {
            format!("{name}: {}", grouped(count))
        }
    })
    .collect();
    if entries.is_empty() {
        return;
    }
    let summary = &mut findings.summary;
    summary.blank();
    summary.line("Special elements:");
    for entry in entries {
        summary.line(&format!("  {entry}"));
    }
}

fn lists(findings: &mut Findings, document: &Document) {
    let parity = findings.summary.profile().is_parity();
    let secrets = findings.summary.secrets();
    let cut = |text: &str, limit: usize| shortened(secrets, text, limit);
    let mut section = |title: &str, source: &str, cap: usize, noun, entries: &[String]| {
        let list = List { section: title, source, cap, marker: Marker::CountedNoun(noun) };
        findings.summary.section(&format!("{title}:"), &list, entries);
    };
    let mdx = &document.mdx;
    let components: Vec<String> =
        mdx.component_usages.iter().map(|name| format!("<{name}>")).collect();
    let short = |lines: &[String]| lines.iter().map(|line| cut(line, URL)).collect::<Vec<_>>();
    section("MDX Imports", "/fields/mdx/imports", 10, "imports", &short(&mdx.imports));
    section("MDX Components", "/fields/mdx/component_usages", 10, "components", &components);
    section("MDX Exports", "/fields/mdx/exports", 10, "exports", &short(&mdx.exports));
    let top = document.headings.iter().map(|heading| heading.level).min().unwrap_or(1);
    let entry = |heading: &Heading| {
        let indent = "  ".repeat(usize::from(heading.level - top));
        let text = cut(&heading.text, HEADING);
        if parity {
            format!("{indent}{text}")
        } else {
            format!("{indent}{text} (line {})", heading.line)
        }
    };
    let headings: Vec<String> = document.headings.iter().map(entry).collect();
    let cap = if parity { 15 } else { 100 };
    section("Table of Contents", "/fields/headings", cap, "headings", &headings);
    let blocks: Vec<String> = document
        .code_blocks
        .iter()
        .map(|block| {
            let language = block.language.as_deref().unwrap_or("no language");
            format!("Line {}: {language} ({} lines)", block.line, block.line_count)
        })
        .collect();
    let cap = if parity { 10 } else { 30 };
    section("Code Blocks", "/fields/code_blocks", cap, "code blocks", &blocks);
    for (title, target, word, noun, shown) in [
        ("External Links", Target::External, "external", "external links", true),
        ("Internal Links", Target::Internal, "internal", "internal links", !parity),
    ] {
        let links: Vec<String> = document
            .links
            .iter()
            .filter(|link| shown && link.target == target)
            .map(|link| {
                let text = cut(link.text.trim(), HEADING);
                let url = cut(&link.url, URL);
                if text == url || text.is_empty() { url } else { format!("{text}: {url}") }
            })
            .collect();
        let source = format!("/fields/links?type={word}");
        section(title, &source, if parity { 10 } else { 30 }, noun, &links);
    }
}
