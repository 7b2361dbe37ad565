//! The arguments of Rust's macros. A grammar sees a list of tokens there; most macros are given
//! expressions, so they are parsed as such.

use tree_sitter::{Node, Parser, Range, Tree};

use super::identifier::next;

/// How deep calls of macros within arguments of macros are followed.
const DEEPEST: usize = 4;
/// Most calls in one file whose arguments are parsed.
const MOST: usize = 20_000;

/// The trees of all arguments that could contain more than names and numbers, calls within calls
/// included. `parse` parses the range that its parser is set to; where it fails there is no tree.
pub fn arguments(
    tree: &Tree,
    text: &str,
    mut parse: impl FnMut(&mut Parser, &[Range]) -> Option<Tree>,
) -> Vec<Tree> {
    let mut parser = Parser::new();
    if parser.set_language(&tree.language()).is_err() {
        return Vec::new();
    }
    let (mut trees, mut left) = (Vec::new(), MOST);
    let mut ranges = calls(tree, text);
    for _ in 0..DEEPEST {
        let mut inner = Vec::new();
        for range in std::mem::take(&mut ranges).into_iter().take(left) {
            left -= 1;
            let Some(parsed) = parse(&mut parser, &[range]) else { continue };
            inner.extend(calls(&parsed, text));
            trees.push(parsed);
        }
        ranges = inner;
    }
    trees
}

/// The place of the arguments of a call. Items between braces are read without these, because they
/// belong to the module around the call.
fn range(arguments: &Node, text: &str) -> Range {
    let mut range = arguments.range();
    let call = arguments.parent();
    let around = call.and_then(|call| call.parent()).map_or("", |around| around.kind());
    let is_braced = text.as_bytes().get(range.start_byte) == Some(&b'{');
    let is_closed = range.end_byte - range.start_byte >= 2 && range.end_point.column > 0;
    if is_braced && is_closed && matches!(around, "source_file" | "declaration_list") {
        range.start_byte += 1;
        range.start_point.column += 1;
        range.end_byte -= 1;
        range.end_point.column -= 1;
    }
    range
}

/// The places of the arguments of all calls of macros in a tree.
fn calls(tree: &Tree, text: &str) -> Vec<Range> {
    let mut found = Vec::new();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if node.kind() == "token_tree"
            && node.parent().is_some_and(|parent| parent.kind() == "macro_invocation")
            && text.get(node.byte_range()).is_some_and(|text| text.contains(['.', ':', '|', '{']))
        {
            found.push(range(&node, text));
        }
        if !next(&mut cursor) {
            return found;
        }
    }
}
