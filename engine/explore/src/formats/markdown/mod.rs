//! Markdown: CommonMark with tables, task lists and footnotes, front matter, and MDX.
//!
//! Blocks and links come from the syntax tree, so nothing inside a code block counts as a heading
//! or a link. Headings are shown as written.

pub mod fields;
mod front_matter;
mod mdx;
mod outline;

use std::io;

use pulldown_cmark::{CodeBlockKind, Event, LinkType, Options, Parser, Tag, TagEnd};

use crate::{
    Findings, Task,
    lines::LineStarts,
    plain,
    text::{Encoding, Text},
};
use fields::{
    CodeBlock, FrontMatter, Heading, Link, MarkdownFields, Mdx, Reference, Special, Target,
};

/// Number of words that a person reads per minute: the comparator's number.
const WORDS_PER_MINUTE: usize = 200;

/// The contents of a Markdown file.
#[derive(Debug, Default)]
struct Document {
    headings: Vec<Heading>,
    links: Vec<Link>,
    code_blocks: Vec<CodeBlock>,
    references: Vec<Reference>,
    footnotes: Vec<String>,
    special: Special,
    lists: usize,
    html_blocks: usize,
    mdx: Mdx,
}

/// Explores a Markdown file.
pub fn explore(task: &Task) -> io::Result<Findings> {
    let content = task.input.content()?;
    let text = Text::decode(&content.bytes);
    let mut findings = Findings::new(task);
    let (front_matter, body) = front_matter::read(&text.text);
    let mut document = read(&text.text, body, task.input.name.to_lowercase().ends_with(".mdx"));
    for link in &mut document.links {
        link.url = task.secrets.code(&link.url).into_owned();
        link.text = task.secrets.code(&link.text).into_owned();
    }
    if text.damaged {
        findings.malformed("parts of it are not valid in its encoding", None, None);
    }
    let words = text.text.get(body..).unwrap_or_default().split_whitespace().count();
    let minutes = words.div_ceil(WORDS_PER_MINUTE).max(1);
    let lines = if task.profile.is_parity() { text.pieces() } else { text.lines() };
    let counts = outline::Counts { words, minutes, lines };
    if content.sampled {
        findings.summary.line("[SAMPLED - Large Markdown File]");
    }
    outline::write(&mut findings, &document, front_matter.as_ref(), &counts);
    if text.encoding != Encoding::Utf8 {
        findings.summary.blank();
        findings.summary.line(&format!("Encoding: {}", text.encoding.name()));
    }
    if document.headings.is_empty() && document.links.is_empty() && document.code_blocks.is_empty()
    {
        let lines: Vec<&str> = text.text.lines().collect();
        plain::preview(&mut findings, task, &lines);
    }
    findings.facts = facts(document, front_matter, &counts, &text, content.sampled).into();
    Ok(findings)
}

fn facts(
    document: Document,
    frontmatter: Option<FrontMatter>,
    counts: &outline::Counts,
    text: &Text,
    sampled: bool,
) -> MarkdownFields {
    let level = |level: u8| {
        let of = document.headings.iter().filter(|heading| heading.level == level).count();
        (format!("h{level}"), of)
    };
    let links = |target| document.links.iter().filter(|link| link.target == target).count();
    let languages = outline::languages(&document);
    MarkdownFields {
        has_frontmatter: frontmatter.is_some(),
        frontmatter,
        heading_counts: (1..=6).map(level).collect(),
        total_headings: document.headings.len(),
        link_count: document.links.len() - links(Target::Image),
        internal_link_count: links(Target::Internal),
        external_link_count: links(Target::External),
        anchor_link_count: links(Target::Anchor),
        image_count: links(Target::Image),
        reference_count: document.references.len(),
        code_block_count: document.code_blocks.len(),
        fence_count: document.code_blocks.iter().filter(|block| block.fenced).count(),
        code_languages: languages.keys().cloned().collect(),
        code_language_histogram: languages,
        special_elements: document.special,
        list_count: document.lists,
        html_block_count: document.html_blocks,
        mdx: document.mdx,
        headings: document.headings,
        links: document.links,
        references: document.references,
        code_blocks: document.code_blocks,
        footnotes: document.footnotes,
        word_count: counts.words,
        reading_time_minutes: counts.minutes,
        line_count: counts.lines,
        encoding: text.encoding,
        sampled,
    }
}

/// Reads the text after the front matter.
fn read(whole: &str, body: usize, named_mdx: bool) -> Document {
    let text = whole.get(body..).unwrap_or_default();
    let starts = LineStarts::with_returns(whole);
    let line = |offset: usize| starts.line(body + offset);
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH;
    let mut events = Parser::new_ext(text, options).into_offset_iter();
    let mut document = Document::default();
    let mut open: Vec<usize> = Vec::new();
    let mut task_list = Vec::new();
    let mut reader = mdx::Reader::new(named_mdx);
    for (event, range) in events.by_ref() {
        let source = text.get(range.clone()).unwrap_or_default();
        match event {
            Event::Start(Tag::Heading { level, .. }) => document.headings.push(Heading {
                level: level as u8,
                text: heading_text(source),
                line: line(range.start),
            }),
            Event::Start(Tag::Link { link_type, dest_url, .. }) => {
                open.push(document.links.len());
                document.links.push(Link {
                    text: String::new(),
                    target: target(&dest_url, link_type),
                    url: match link_type {
                        LinkType::Email => format!("mailto:{dest_url}"),
                        _ => dest_url.into_string(),
                    },
                    style: style(link_type),
                    line: line(range.start),
                });
            }
            Event::Start(Tag::Image { link_type, dest_url, .. }) => {
                open.push(document.links.len());
                document.links.push(Link {
                    text: String::new(),
                    url: dest_url.into_string(),
                    target: Target::Image,
                    style: style(link_type),
                    line: line(range.start),
                });
            }
            Event::End(TagEnd::Link | TagEnd::Image) => {
                open.pop();
            }
            Event::Start(Tag::CodeBlock(kind)) => {
                let (language, fenced) = match &kind {
                    CodeBlockKind::Fenced(info) => (language(info), true),
                    CodeBlockKind::Indented => (None, false),
                };
                document.code_blocks.push(CodeBlock {
                    language,
                    fenced,
                    line_count: 0,
                    line: line(range.start),
                });
                reader.in_code = true;
            }
            Event::End(TagEnd::CodeBlock) => reader.in_code = false,
            Event::Text(part) => {
                if reader.in_code
                    && let Some(block) = document.code_blocks.last_mut()
                {
                    block.line_count += memchr::memchr_iter(b'\n', part.as_bytes()).count();
                } else {
                    extend(&mut document.links, &open, &part);
                }
            }
            Event::Code(part) => extend(&mut document.links, &open, &part),
            Event::SoftBreak | Event::HardBreak => extend(&mut document.links, &open, " "),
            Event::Html(part) | Event::InlineHtml(part) => reader.html(&part),
            Event::Start(Tag::HtmlBlock) => document.html_blocks += 1,
            Event::Start(Tag::Paragraph) => {
                reader.paragraph(source);
                let (blocks, inline) = mdx::math(source);
                document.special.math_blocks += blocks;
                document.special.math_inline += inline;
            }
            Event::Start(Tag::Table(_)) => document.special.tables += 1,
            Event::Start(Tag::BlockQuote(_)) => document.special.blockquotes += 1,
            Event::Start(Tag::FootnoteDefinition(label)) => {
                document.special.footnotes += 1;
                document.footnotes.push(label.into_string());
            }
            Event::Rule => document.special.horizontal_rules += 1,
            Event::Start(Tag::List(_)) => {
                document.lists += 1;
                task_list.push(false);
            }
            Event::End(TagEnd::List(_)) => {
                document.special.task_lists += usize::from(task_list.pop() == Some(true));
            }
            Event::TaskListMarker(checked) => {
                if checked {
                    document.special.task_lists_checked += 1;
                } else {
                    document.special.task_lists_unchecked += 1;
                }
                if let Some(list) = task_list.last_mut() {
                    *list = true;
                }
            }
            _ => {}
        }
    }
    document.references = events
        .reference_definitions()
        .iter()
        .map(|(label, definition)| Reference {
            label: label.to_owned(),
            url: definition.dest.to_string(),
            line: line(definition.span.start),
        })
        .collect();
    document.references.sort_by(|a, b| (a.line, &a.label).cmp(&(b.line, &b.label)));
    document.mdx = reader.finish();
    document
}

/// Adds text to the innermost open link; the text of an image inside a link belongs to the image.
fn extend(links: &mut [Link], open: &[usize], part: &str) {
    if let Some(link) = open.last().and_then(|index| links.get_mut(*index)) {
        link.text.push_str(part);
    }
}

/// A heading as written, without its marks.
fn heading_text(source: &str) -> String {
    let source = source.trim();
    if !source.starts_with('#') {
        // The last line of a Setext heading is its underline.
        let text = source.rsplit_once('\n').map_or(source, |(text, _)| text);
        return text.lines().map(str::trim).collect::<Vec<_>>().join(" ");
    }
    let text = source.trim_start_matches('#').trim();
    let closed = text.trim_end_matches('#');
    // Closing marks count only after a space.
    if closed.is_empty() || closed.ends_with([' ', '\t']) {
        closed.trim_end().to_owned()
    } else {
        text.to_owned()
    }
}

/// The language of a fence: the first word of its info string, without attribute signs.
fn language(info: &str) -> Option<String> {
    let word = info.trim().split([' ', '\t', ',', '{']).find(|word| !word.is_empty())?;
    let word = word.trim_start_matches('.').trim_end_matches('}');
    (!word.is_empty()).then(|| word.to_lowercase())
}

fn style(link: LinkType) -> &'static str {
    match link {
        LinkType::Inline => "inline",
        LinkType::Autolink | LinkType::Email => "autolink",
        _ => "reference",
    }
}

fn target(url: &str, link: LinkType) -> Target {
    let scheme = url.split_once(':').is_some_and(|(scheme, rest)| {
        rest.starts_with("//") || matches!(scheme, "mailto" | "tel" | "data" | "javascript")
    });
    if url.starts_with('#') {
        Target::Anchor
    } else if link == LinkType::Email || scheme || url.starts_with("//") {
        Target::External
    } else {
        Target::Internal
    }
}

#[cfg(test)]
mod tests;
