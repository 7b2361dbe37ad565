//! The facts of a web page.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::{Encoding, masked::masked};

/// The contents of a page. Lines are 1-based; texts are on one line and limited in length.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HtmlFields {
    /// The title.
    pub title: Option<String>,
    /// What its `meta` elements say.
    #[serde(flatten)]
    pub meta: Meta,
    /// The language given by the root element.
    pub lang: Option<String>,
    /// Length of `headings`.
    pub heading_count: usize,
    /// Length of `links`.
    pub link_count: usize,
    /// Number of links to other hosts.
    pub external_link_count: usize,
    /// Number of `a` elements, with or without a URL.
    pub anchor_count: u64,
    /// Length of `forms`.
    pub form_count: usize,
    /// Length of `images`.
    pub image_count: usize,
    /// Length of `scripts`.
    pub script_count: usize,
    /// Length of `stylesheets`.
    pub stylesheet_count: usize,
    /// Number of `style` elements.
    pub style_count: u64,
    /// Number of `table` elements.
    pub table_count: u64,
    /// Number of all elements.
    pub element_count: u64,
    /// Number of occurrences of each semantic element, including zeros.
    pub semantic_elements: BTreeMap<&'static str, u64>,
    /// Headings in order.
    pub headings: Vec<Heading>,
    /// Links that lead out of the page, in order. Links within it are left out.
    pub links: Vec<Link>,
    /// Images in order.
    pub images: Vec<Image>,
    /// Scripts in order.
    pub scripts: Vec<Script>,
    /// Linked style sheets in order.
    pub stylesheets: Vec<Stylesheet>,
    /// Forms in order.
    pub forms: Vec<Form>,
    /// Number of tags that were left out because they are nested too deep or there are too many.
    pub left_out_tags: u64,
    /// Number of lines.
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
    /// How it should be scaled.
    pub viewport: Option<String>,
    /// Its keywords, as written.
    pub keywords: Option<String>,
    /// Who wrote it.
    pub author: Option<String>,
    /// The program that made it.
    pub generator: Option<String>,
}

/// A heading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Heading {
    /// Its level, from 1 to 6.
    pub level: u8,
    /// Its text.
    pub text: String,
    /// The line where its tag ends.
    pub line: u64,
}

/// A link that leads out of the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Link {
    /// Its URL.
    pub href: String,
    /// Its text.
    pub text: String,
    /// Whether it leads to another host.
    pub is_external: bool,
    /// The line where its tag ends.
    pub line: u64,
}

/// An image.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Image {
    /// Its URL; empty if it has none.
    pub src: String,
    /// The alternative text.
    pub alt: Option<String>,
    /// The line where its tag ends.
    pub line: u64,
}

/// A script.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Script {
    /// Its URL; empty if it is inline.
    pub src: String,
    /// Its type, as written.
    #[serde(rename = "type")]
    pub kind: String,
    /// The line where its tag ends.
    pub line: u64,
}

/// A linked style sheet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Stylesheet {
    /// Its URL.
    pub href: String,
    /// The line where its tag ends.
    pub line: u64,
}

/// A form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Form {
    /// The URL that it is sent to; empty if none is given.
    pub action: String,
    /// The HTTP method, in lower case.
    pub method: String,
    /// The line where its tag ends.
    pub line: u64,
    /// Its controls.
    pub inputs: Vec<Control>,
}

/// A control of a form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Control {
    /// Its name; empty if it has none.
    pub name: String,
    /// The type of an `input`, or else the name of its element.
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
