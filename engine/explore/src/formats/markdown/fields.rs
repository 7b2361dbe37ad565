//! The facts of a Markdown text.

use std::collections::BTreeMap;

use base::secrets::Secrets;
use serde::Serialize;

use crate::{
    Encoding,
    masked::{Mask, masked},
};

/// What is in a Markdown text. Lines are 1-based.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MarkdownFields {
    /// Whether it begins with front matter.
    pub has_frontmatter: bool,
    /// What that says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frontmatter: Option<FrontMatter>,
    /// Headings of each level, `h1` to `h6`, zeros included.
    pub heading_counts: BTreeMap<String, usize>,
    /// Length of `headings`.
    pub total_headings: usize,
    /// Links without images.
    pub link_count: usize,
    /// Links to other files of the same place.
    pub internal_link_count: usize,
    /// Links to addresses.
    pub external_link_count: usize,
    /// Links into the same text.
    pub anchor_link_count: usize,
    /// Images.
    pub image_count: usize,
    /// Length of `references`.
    pub reference_count: usize,
    /// Length of `code_blocks`.
    pub code_block_count: usize,
    /// Code blocks in fences.
    pub fence_count: usize,
    /// Languages of code blocks, by name.
    pub code_languages: Vec<String>,
    /// Code blocks of each language.
    pub code_language_histogram: BTreeMap<String, usize>,
    /// What is only counted.
    pub special_elements: Special,
    /// Lists, those inside of others included.
    pub list_count: usize,
    /// Blocks of HTML.
    pub html_block_count: usize,
    /// What MDX adds.
    pub mdx: Mdx,
    /// Headings in order.
    pub headings: Vec<Heading>,
    /// Links and images in order.
    pub links: Vec<Link>,
    /// Definitions of targets, by line.
    pub references: Vec<Reference>,
    /// Code blocks in order.
    pub code_blocks: Vec<CodeBlock>,
    /// Labels of footnotes in order.
    pub footnotes: Vec<String>,
    /// Words behind the front matter.
    pub word_count: usize,
    /// Minutes that reading them takes, at 200 words a minute; at least 1.
    pub reading_time_minutes: usize,
    /// Lines; in the parity profile a trailing line feed begins one more.
    pub line_count: usize,
    /// How the text is encoded.
    pub encoding: Encoding,
    /// True if only pieces of a large file were read.
    pub sampled: bool,
}

/// What the front matter says.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize)]
pub struct FrontMatter {
    /// The title.
    pub title: Option<String>,
    /// Who wrote it; several are separated by commas.
    pub author: Option<String>,
    /// The date, as it is written.
    pub date: Option<String>,
    /// What it is about.
    pub description: Option<String>,
    /// The tags.
    pub tags: Vec<String>,
    /// The keys of the outermost level that are none of the above.
    pub other_keys: Vec<String>,
    /// All keys of the outermost level, in their order.
    pub keys: Vec<String>,
}

/// A heading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Heading {
    /// 1 to 6.
    pub level: u8,
    /// Its text, as it is written.
    pub text: String,
    /// Where it begins.
    pub line: u64,
}

/// Where a link or an image points to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// Another file of the same place.
    Internal,
    /// An address.
    External,
    /// A place in the same text.
    Anchor,
    /// It is an image.
    Image,
}

/// A link or an image.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Link {
    /// Its text, or the text in place of the image.
    pub text: String,
    /// What it points to.
    pub url: String,
    /// Where that is.
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
    /// The first word behind the fence, in lower case.
    pub language: Option<String>,
    /// Whether it stands in a fence.
    pub fenced: bool,
    /// Its lines without the fence.
    pub line_count: usize,
    /// Where it begins.
    pub line: u64,
}

/// A definition of a link's target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reference {
    /// What links call it.
    pub label: String,
    /// What it points to.
    pub url: String,
    /// Where it stands.
    pub line: u64,
}

/// Things that are only counted.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize)]
pub struct Special {
    /// Tables.
    pub tables: usize,
    /// Lists with boxes to check.
    pub task_lists: usize,
    /// Their items that are checked.
    pub task_lists_checked: usize,
    /// Their items that are not.
    pub task_lists_unchecked: usize,
    /// Footnotes that are defined.
    pub footnotes: usize,
    /// Formulas in `$$`.
    pub math_blocks: usize,
    /// Formulas in `$`.
    pub math_inline: usize,
    /// Quotations.
    pub blockquotes: usize,
    /// Rules between parts.
    pub horizontal_rules: usize,
}

/// MDX: modules and components inside of Markdown.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize)]
pub struct Mdx {
    /// Whether the text is MDX; if not, the lists are empty.
    pub is_mdx: bool,
    /// Lines that import.
    pub imports: Vec<String>,
    /// Names of components that are used, in order, each once.
    pub component_usages: Vec<String>,
    /// Lines that export.
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
