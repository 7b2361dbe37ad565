//! Nodes of a syntax tree: their lines, their children and their text.

use tree_sitter::Node;

/// 1-based first line of a node.
pub fn line(node: Node) -> u32 {
    u32::try_from(node.start_position().row).unwrap_or(u32::MAX - 1) + 1
}

/// 1-based last line of a node: a node that ends after a line feed ends on the line before it.
pub fn end_line(node: Node) -> u32 {
    let end = node.end_position();
    let behind = usize::from(end.column == 0 && end.row > node.start_position().row);
    u32::try_from(end.row - behind).unwrap_or(u32::MAX - 1) + 1
}

/// The named children of a node, in order.
pub fn children<'t>(node: Node<'t>) -> impl Iterator<Item = Node<'t>> {
    let mut cursor = node.walk();
    let children: Vec<Node<'t>> = node.named_children(&mut cursor).collect();
    children.into_iter()
}

/// The first named child of this kind.
pub fn child<'t>(node: Node<'t>, kind: &str) -> Option<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).find(|found| found.kind() == kind)
}

/// The text with runs of white space and line breaks replaced by single spaces, for signatures.
pub fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(word);
    }
    folded
}

/// Whether a text contains one of these words as the beginning of a statement or a call: after
/// white space or an opening bracket, and before white space, `_`, `(` or a quote. This is a cheap
/// test, with which bodies that cannot contain the wanted statements are skipped.
pub fn holds_word(text: &str, words: &[&str]) -> bool {
    let bytes = text.as_bytes();
    words.iter().any(|word| {
        memchr::memmem::find_iter(bytes, word.as_bytes()).any(|at| {
            let before = at.checked_sub(1).and_then(|at| bytes.get(at)).unwrap_or(&b' ');
            let behind = bytes.get(at + word.len()).unwrap_or(&b' ');
            (before.is_ascii_whitespace() || b"({[;=&|@!".contains(before))
                && (behind.is_ascii_whitespace() || b"_('\"".contains(behind))
        })
    })
}
