//! The facts of an XML text.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::{Encoding, masked::masked};

/// What is in an XML text. Lines are 1-based.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct XmlFields {
    /// Name of the first element.
    pub root_element: Option<String>,
    /// Elements.
    pub total_elements: u64,
    /// Attributes without declarations of namespaces.
    pub total_attributes: u64,
    /// Level of the deepest element; the root has level 0.
    pub max_depth: usize,
    /// Names of elements in order of appearance.
    pub unique_elements: Vec<String>,
    /// The same with their counts and attributes.
    pub elements: Vec<Element>,
    /// False if there are more names of elements or attributes than are listed.
    pub elements_complete: bool,
    /// Paths of elements, down to level 8; `truncated` says how many there are.
    pub hierarchy: Vec<Place>,
    /// The first address of each prefix of `namespace_list`; `default` is the one without a prefix.
    pub namespaces: BTreeMap<String, String>,
    /// The first thousand different pairs of prefix and address; `truncated` says how many there
    /// are.
    pub namespace_list: Vec<Namespace>,
    /// Whether the text begins with an XML declaration.
    pub has_declaration: bool,
    /// The version that the declaration names.
    pub version: Option<String>,
    /// The encoding that the declaration names.
    pub encoding: Option<String>,
    /// How the text is encoded in truth.
    pub text_encoding: Encoding,
    /// The name in the document type declaration.
    pub doctype: Option<String>,
    /// Entities that it declares; none is ever expanded.
    pub entity_declarations: usize,
    /// Comments.
    pub comment_count: u64,
    /// Processing instructions.
    pub instruction_count: u64,
    /// Lines.
    pub line_count: u64,
    /// True if only the beginning of the file was read.
    pub sampled: bool,
}

/// The elements of one name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Element {
    /// The name with its prefix.
    pub name: String,
    /// How many there are.
    pub count: u64,
    /// Where the first stands.
    pub line: u64,
    /// Their attributes in order of appearance.
    pub attributes: Vec<Attribute>,
}

/// The attributes of one name, on elements of one name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Attribute {
    /// The name with its prefix.
    pub name: String,
    /// How many there are.
    pub count: u64,
}

/// The elements at one path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The path, such as `/feed/entry`.
    pub path: String,
    /// The path above; absent at the root.
    pub parent: Option<String>,
    /// How many there are.
    pub count: u64,
    /// The first text in them, of at most 50 characters; `****` where it looks like a secret.
    pub sample: Option<String>,
}

/// A prefix and what it stands for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Namespace {
    /// The prefix; `default` for none.
    pub prefix: String,
    /// The address.
    pub uri: String,
    /// Where it is declared first.
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
