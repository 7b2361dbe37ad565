//! The facts of a web page.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::{Encoding, masked::masked};

/// What is in a page. Lines are 1-based; texts are folded to one line and bounded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HtmlFields {
    /// The title.
    pub title: Option<String>,
    /// What the page says of itself.
    #[serde(flatten)]
    pub meta: Meta,
    /// The language that the root element names.
    pub lang: Option<String>,
    /// Length of `headings`.
    pub heading_count: usize,
    /// Length of `links`.
    pub link_count: usize,
    /// Links to other hosts.
    pub external_link_count: usize,
    /// Elements `a`, with or without an address.
    pub anchor_count: u64,
    /// Length of `forms`.
    pub form_count: usize,
    /// Length of `images`.
    pub image_count: usize,
    /// Length of `scripts`.
    pub script_count: usize,
    /// Length of `stylesheets`.
    pub stylesheet_count: usize,
    /// Elements `style`.
    pub style_count: u64,
    /// Elements `table`.
    pub table_count: u64,
    /// Elements of any name.
    pub element_count: u64,
    /// How often each element that says what a part is for occurs, zeros included.
    pub semantic_elements: BTreeMap<&'static str, u64>,
    /// Headings in order.
    pub headings: Vec<Heading>,
    /// Links that lead out of the page, in order.
    pub links: Vec<Link>,
    /// Images in order.
    pub images: Vec<Image>,
    /// Scripts in order.
    pub scripts: Vec<Script>,
    /// Linked style sheets in order.
    pub stylesheets: Vec<Stylesheet>,
    /// Forms in order.
    pub forms: Vec<Form>,
    /// Tags that were left out because they nest too deep or are too many.
    pub left_out_tags: u64,
    /// Lines.
    pub line_count: usize,
    /// How the text is encoded.
    pub encoding: Encoding,
    /// True if only the beginning of the file was read.
    pub sampled: bool,
}

/// The contents of a page's `meta` elements.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Meta {
    /// What the page is about.
    pub description: Option<String>,
    /// The encoding that it claims.
    pub charset: Option<String>,
    /// How it wants to be scaled.
    pub viewport: Option<String>,
    /// Its keywords, as they are written.
    pub keywords: Option<String>,
    /// Who wrote it.
    pub author: Option<String>,
    /// What made it.
    pub generator: Option<String>,
}

/// A heading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Heading {
    /// 1 to 6.
    pub level: u8,
    /// Its text.
    pub text: String,
    /// Where its tag ends.
    pub line: u64,
}

/// A link that leads out of the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Link {
    /// Its address.
    pub href: String,
    /// Its text.
    pub text: String,
    /// Whether it leads to another host.
    pub is_external: bool,
    /// Where its tag ends.
    pub line: u64,
}

/// An image.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Image {
    /// Its address; empty if it has none.
    pub src: String,
    /// The text in its place.
    pub alt: Option<String>,
    /// Where its tag ends.
    pub line: u64,
}

/// A script.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Script {
    /// Its address; empty if it stands in the page.
    pub src: String,
    /// Its type, as it is written.
    #[serde(rename = "type")]
    pub kind: String,
    /// Where its tag ends.
    pub line: u64,
}

/// A linked style sheet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Stylesheet {
    /// Its address.
    pub href: String,
    /// Where its tag ends.
    pub line: u64,
}

/// A form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Form {
    /// Where it is sent to; empty if it does not say.
    pub action: String,
    /// How it is sent, in lower case.
    pub method: String,
    /// Where its tag ends.
    pub line: u64,
    /// What can be filled in or pressed.
    pub inputs: Vec<Control>,
}

/// A control of a form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Control {
    /// Its name; empty if it has none.
    pub name: String,
    /// The type of an `input`, else the name of its element.
    #[serde(rename = "type")]
    pub kind: String,
}

masked! {
    HtmlFields {
        title, meta, lang, heading_count, link_count, external_link_count, anchor_count, form_count,
        image_count, script_count, stylesheet_count, style_count, table_count, element_count,
        semantic_elements, headings, links, images, scripts, stylesheets, forms, left_out_tags,
        line_count, encoding, sampled,
    }
    Meta { description, charset, viewport, keywords, author, generator }
    Heading { level, text, line }
    Link { href, text, is_external, line }
    Image { src, alt, line }
    Script { src, kind, line }
    Stylesheet { href, line }
    Form { action, method, line, inputs }
    Control { name, kind }
}
