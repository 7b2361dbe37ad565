//! Signatures and documentation, as they stand in the source.

use std::ops::Range;

use tree_sitter::{Node, Tree};

/// Longest signature, in code points.
const SIGNATURE: usize = 1000;
/// Kinds of nodes that wrap a definition and belong to it.
const WRAPPERS: [&str; 6] = [
    "decorated_definition",
    "export_statement",
    "template_declaration",
    "lexical_declaration",
    "type_declaration",
    "variable_declaration",
];
/// Kinds of nodes that may stand between a doc comment and its definition.
const BETWEEN: [&str; 4] = ["attribute_item", "inner_attribute_item", "attribute", "decorator"];

/// The bytes of a definition without its body.
pub fn head(node: &Node) -> Range<usize> {
    let body = ["body", "block", "value"].iter().find_map(|field| node.child_by_field_name(field));
    node.start_byte()..body.map_or(node.end_byte(), |body| body.start_byte())
}

/// The text of a definition without its body, on one line.
pub fn signature(node: &Node, text: &str) -> String {
    let whole = text.get(head(node)).unwrap_or_default();
    let line = whole.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = line.trim_end_matches([' ', '{', '=', ';', ':']);
    line.chars().take(SIGNATURE).collect()
}

/// The statement that a definition is in: the largest node around it within the body, or the file,
/// that it stands in. Several names may be defined by one statement.
pub fn statement<'tree>(node: &Node<'tree>) -> Node<'tree> {
    let mut statement = *node;
    while let Some(parent) = statement.parent() {
        if parent.parent().is_none() || is_body(parent.kind()) {
            break;
        }
        statement = parent;
    }
    statement
}

/// Whether a node of this kind holds statements or members.
fn is_body(kind: &str) -> bool {
    kind.contains("body")
        || kind.contains("block")
        || kind.ends_with("declaration_list")
        || kind.ends_with("variant_list")
        || kind == "object_type"
}

/// The first row of a statement, from 0, with the comments and attributes directly before it.
pub fn first_row(statement: &Node) -> usize {
    let mut row = statement.start_position().row;
    let mut before = statement.prev_sibling();
    while let Some(node) = before {
        let belongs = node.kind().contains("comment") || BETWEEN.contains(&node.kind());
        if !belongs || last_row(&node) + 1 != row {
            break;
        }
        row = node.start_position().row;
        before = node.prev_sibling();
    }
    row
}

/// The last row of a node. A line comment may include its line end.
pub fn last_row(node: &Node) -> usize {
    let end = node.end_position();
    if end.column == 0 && end.row > 0 { end.row - 1 } else { end.row }
}

/// The whole documentation of a definition: in Python the string at the start of its body,
/// otherwise the comments directly before it.
pub fn documentation(node: &Node, text: &str) -> String {
    if let Some(inside) = node.child_by_field_name("body").and_then(|body| first_text(&body, text))
    {
        return inside;
    }
    let mut outer = *node;
    while let Some(parent) = outer.parent().filter(|parent| WRAPPERS.contains(&parent.kind())) {
        outer = parent;
    }
    let mut comments = Vec::new();
    let mut row = outer.start_position().row;
    let mut before = outer.prev_sibling();
    while let Some(node) = before {
        let is_comment = node.kind().contains("comment");
        if last_row(&node) + 1 < row || !is_comment && !BETWEEN.contains(&node.kind()) {
            break;
        }
        if is_comment {
            comments.push(text.get(node.byte_range()).unwrap_or_default());
        }
        row = node.start_position().row;
        before = node.prev_sibling();
    }
    let lines: Vec<&str> = comments.iter().rev().flat_map(|comment| comment.lines()).collect();
    let lines: Vec<&str> = lines.into_iter().map(without_marks).collect();
    lines.join("\n").trim().to_owned()
}

/// The documentation of a file: the string or the comment at its beginning.
pub fn of_file(tree: &Tree, text: &str) -> String {
    let root = tree.root_node();
    if let Some(inside) = first_text(&root, text) {
        return inside;
    }
    let first = root.child(0).filter(|first| first.kind().contains("comment"));
    let comment = first.and_then(|first| text.get(first.byte_range())).unwrap_or_default();
    comment.lines().map(without_marks).collect::<Vec<_>>().join("\n").trim().to_owned()
}

/// The string that a body begins with, as a Python docstring does.
fn first_text(body: &Node, text: &str) -> Option<String> {
    let first = body.named_child(0)?;
    // The pinned grammar puts the string directly into the body.
    let string = if first.kind() == "expression_statement" { first.named_child(0)? } else { first };
    if string.kind() != "string" {
        return None;
    }
    let whole = text.get(string.byte_range())?;
    let inner =
        whole.trim_start_matches(|c: char| c.is_ascii_alphabetic()).trim_matches(['"', '\'']);
    Some(dedent(inner))
}

/// Removes the indentation that all lines but the first have in common.
fn dedent(text: &str) -> String {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let rest = text.lines().skip(1).filter(|line| !line.trim().is_empty());
    let common = rest.map(indent).min().unwrap_or(0);
    let lines = text.lines().enumerate().map(|(number, line)| {
        if number == 0 { line.trim_start() } else { line.get(common..).unwrap_or("").trim_end() }
    });
    lines.collect::<Vec<_>>().join("\n").trim().to_owned()
}

/// A line of a comment without its comment marks.
fn without_marks(line: &str) -> &str {
    let line = line.trim();
    let line = line.strip_suffix("*/").map_or(line, str::trim_end);
    let marks = ["/**", "/*!", "///", "//!", "/*", "//", "--", "#", "*", ";"];
    let line = marks.iter().find_map(|mark| line.strip_prefix(mark)).unwrap_or(line);
    line.strip_prefix(' ').unwrap_or(line)
}
