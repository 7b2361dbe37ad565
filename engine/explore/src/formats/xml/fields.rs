//! The facts of an XML text.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::{Encoding, masked::masked};

/// The contents of an XML text. Lines are 1-based.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct XmlFields {
    /// Name of the first element.
    pub root_element: Option<String>,
    /// Number of elements.
    pub total_elements: u64,
    /// Number of attributes, without namespace declarations.
    pub total_attributes: u64,
    /// Level of the deepest element; the root has level 0.
    pub max_depth: usize,
    /// Names of elements in order of appearance.
    pub unique_elements: Vec<String>,
    /// The same names with their counts and attributes.
    pub elements: Vec<Element>,
    /// False if there are more names of elements or attributes than are listed.
    pub elements_complete: bool,
    /// Paths of elements, down to level 8; `truncated` gives their full number.
    pub hierarchy: Vec<Place>,
    /// The first URI of each prefix in `namespace_list`; `default` stands for no prefix.
    pub namespaces: BTreeMap<String, String>,
    /// The first thousand distinct pairs of prefix and URI; `truncated` gives their full number.
    pub namespace_list: Vec<Namespace>,
    /// Whether the text begins with an XML declaration.
    pub has_declaration: bool,
    /// The version that the declaration names.
    pub version: Option<String>,
    /// The encoding that the declaration names.
    pub encoding: Option<String>,
    /// How the text is really encoded.
    pub text_encoding: Encoding,
    /// The name in the document type declaration.
    pub doctype: Option<String>,
    /// Number of declared entities; none is ever expanded.
    pub entity_declarations: usize,
    /// Number of comments.
    pub comment_count: u64,
    /// Number of processing instructions.
    pub instruction_count: u64,
    /// Number of lines.
    pub line_count: u64,
    /// True if only the beginning of the file was read.
    pub sampled: bool,
}

/// The elements with one name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Element {
    /// The name with its prefix.
    pub name: String,
    /// Number of these elements.
    pub count: u64,
    /// The line of the first one.
    pub line: u64,
    /// Their attributes in order of appearance.
    pub attributes: Vec<Attribute>,
}

/// The attributes with one name, on elements with one name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Attribute {
    /// The name with its prefix.
    pub name: String,
    /// Number of these attributes.
    pub count: u64,
}

/// The elements at one path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The path, such as `/feed/entry`.
    pub path: String,
    /// The parent path; absent at the root.
    pub parent: Option<String>,
    /// Number of these elements.
    pub count: u64,
    /// The first text in them, cut to 50 characters; `****` if it looks like a secret.
    pub sample: Option<String>,
}

/// A prefix and its namespace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Namespace {
    /// The prefix; `default` for none.
    pub prefix: String,
    /// The URI of the namespace.
    pub uri: String,
    /// The line of its first declaration.
    pub line: u64,
}

masked! {
    XmlFields {
        root_element, total_elements, total_attributes, max_depth, unique_elements, elements,
        elements_complete, hierarchy, namespaces, namespace_list, has_declaration, version,
        encoding, text_encoding, doctype, entity_declarations, comment_count, instruction_count,
        line_count, sampled,
    }
    Element { name, count, line, attributes }
    Attribute { name, count }
    Place { path, parent, count, sample }
    Namespace { prefix, uri, line }
}
