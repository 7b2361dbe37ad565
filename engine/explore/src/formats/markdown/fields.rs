//! The facts of a Markdown text.

use std::collections::BTreeMap;

use base::secrets::Secrets;
use serde::Serialize;

use crate::{
    Encoding,
    masked::{Mask, masked},
};

/// The contents of a Markdown text. Lines are 1-based.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MarkdownFields {
    /// Whether it begins with front matter.
    pub has_frontmatter: bool,
    /// The contents of the front matter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frontmatter: Option<FrontMatter>,
    /// Number of headings of each level, `h1` to `h6`, including zeros.
    pub heading_counts: BTreeMap<String, usize>,
    /// Length of `headings`.
    pub total_headings: usize,
    /// Number of links, without images.
    pub link_count: usize,
    /// Number of links to other files of the same site.
    pub internal_link_count: usize,
    /// Number of links to URLs.
    pub external_link_count: usize,
    /// Number of links within the text.
    pub anchor_link_count: usize,
    /// Number of images.
    pub image_count: usize,
    /// Length of `references`.
    pub reference_count: usize,
    /// Length of `code_blocks`.
    pub code_block_count: usize,
    /// Number of fenced code blocks.
    pub fence_count: usize,
    /// Languages of code blocks, by name.
    pub code_languages: Vec<String>,
    /// Number of code blocks in each language.
    pub code_language_histogram: BTreeMap<String, usize>,
    /// Elements that are only counted.
    pub special_elements: Special,
    /// Number of lists, including nested ones.
    pub list_count: usize,
    /// Number of HTML blocks.
    pub html_block_count: usize,
    /// The elements that MDX adds.
    pub mdx: Mdx,
    /// Headings in order.
    pub headings: Vec<Heading>,
    /// Links and images in order.
    pub links: Vec<Link>,
    /// Link reference definitions, by line.
    pub references: Vec<Reference>,
    /// Code blocks in order.
    pub code_blocks: Vec<CodeBlock>,
    /// Labels of footnotes in order.
    pub footnotes: Vec<String>,
    /// Number of words after the front matter.
    pub word_count: usize,
    /// Reading time of these words in minutes, at 200 words per minute; at least 1.
    pub reading_time_minutes: usize,
    /// Number of lines; in the parity profile a trailing line feed begins one more.
    pub line_count: usize,
    /// How the text is encoded.
    pub encoding: Encoding,
    /// True if only pieces of a large file were read.
    pub sampled: bool,
}

/// The contents of front matter.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize)]
pub struct FrontMatter {
    /// The title.
    pub title: Option<String>,
    /// Who wrote it; several are separated by commas.
    pub author: Option<String>,
    /// The date, as written.
    pub date: Option<String>,
    /// What it is about.
    pub description: Option<String>,
    /// The tags.
    pub tags: Vec<String>,
    /// The other top-level keys.
    pub other_keys: Vec<String>,
    /// All top-level keys, in their order.
    pub keys: Vec<String>,
}

/// A heading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Heading {
    /// Its level, from 1 to 6.
    pub level: u8,
    /// Its text, as written.
    pub text: String,
    /// Where it begins.
    pub line: u64,
}

/// The kind of a link's target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// Another file of the same site.
    Internal,
    /// A URL.
    External,
    /// A place within the text.
    Anchor,
    /// An image.
    Image,
}

/// A link or an image.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Link {
    /// Its text; for an image, the alternative text.
    pub text: String,
    /// Its target.
    pub url: String,
    /// The kind of its target.
    #[serde(rename = "type")]
    pub target: Target,
    /// `inline`, `reference` or `autolink`.
    pub style: &'static str,
    /// Where it begins.
    pub line: u64,
}

/// A code block; indented ones have no language and no fence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CodeBlock {
    /// The first word after the opening fence, in lower case.
    pub language: Option<String>,
    /// Whether it is fenced.
    pub fenced: bool,
    /// Number of its lines, without the fences.
    pub line_count: usize,
    /// Where it begins.
    pub line: u64,
}

/// A link reference definition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reference {
    /// Its label.
    pub label: String,
    /// Its target.
    pub url: String,
    /// Its line.
    pub line: u64,
}

/// Numbers of elements that are only counted.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize)]
pub struct Special {
    /// Tables.
    pub tables: usize,
    /// Task lists.
    pub task_lists: usize,
    /// Checked items of task lists.
    pub task_lists_checked: usize,
    /// Unchecked items of task lists.
    pub task_lists_unchecked: usize,
    /// Footnotes that are defined.
    pub footnotes: usize,
    /// Formulas in `$$`.
    pub math_blocks: usize,
    /// Formulas in `$`.
    pub math_inline: usize,
    /// Block quotes.
    pub blockquotes: usize,
    /// Horizontal rules.
    pub horizontal_rules: usize,
}

/// MDX: modules and components within Markdown.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize)]
pub struct Mdx {
    /// Whether the text is MDX; if not, the lists are empty.
    pub is_mdx: bool,
    /// Import lines.
    pub imports: Vec<String>,
    /// Names of components that are used, in order, each once.
    pub component_usages: Vec<String>,
    /// Export lines.
    pub exports: Vec<String>,
}

impl Mask for Target {
    fn mask(&mut self, _: Secrets) {}
}

masked! {
    MarkdownFields {
        has_frontmatter, frontmatter, heading_counts, total_headings, link_count,
        internal_link_count, external_link_count, anchor_link_count, image_count, reference_count,
        code_block_count, fence_count, code_languages, code_language_histogram, special_elements,
        list_count, html_block_count, mdx, headings, links, references, code_blocks, footnotes,
        word_count, reading_time_minutes, line_count, encoding, sampled,
    }
    FrontMatter { title, author, date, description, tags, other_keys, keys }
    Heading { level, text, line }
    Link { text, url, target, style, line }
    CodeBlock { language, fenced, line_count, line }
    Reference { label, url, line }
    Special {
        tables, task_lists, task_lists_checked, task_lists_unchecked, footnotes, math_blocks,
        math_inline, blockquotes, horizontal_rules,
    }
    Mdx { is_mdx, imports, component_usages, exports }
}
