//! What precedes a declaration: its documentation and, if they are nodes of their own, its
//! attributes.

use tree_sitter::Node;

use super::{Walk, folded, line};
use crate::code::doc;

/// The comments and attributes since the last declaration.
#[derive(Debug, Default)]
pub struct Leading {
    /// Documentation as written, with its markers.
    doc: String,
    /// Attributes, without their brackets.
    pub attributes: Vec<String>,
    /// First line of the attributes.
    pub line: Option<u32>,
    /// Byte offset of its end.
    end: usize,
}

impl Leading {
    /// First paragraph of the documentation, joined into one line.
    pub fn doc(&self) -> Option<String> {
        doc::comment(&self.doc).map(|text| folded(&text))
    }
}

impl Walk<'_> {
    /// Records a comment. A comment that begins with one of the markers is documentation; any other
    /// comment may stand between a declaration and its documentation.
    pub fn comment(&mut self, node: Node, markers: &[&str]) {
        let text = self.node_text(node);
        let ruler = text.starts_with("////") || text.starts_with("/***") || text == "/**/";
        if !ruler && markers.iter().any(|marker| text.starts_with(marker)) {
            // A block comment replaces earlier comments; line comments add up.
            if text.starts_with("/*") || !self.touches(node.start_byte()) {
                self.leading.doc.clear();
            }
            self.leading.doc.push_str(text.trim_end());
            self.leading.doc.push('\n');
            self.leading.end = node.end_byte();
        } else if self.touches(node.start_byte()) {
            self.leading.end = node.end_byte();
        }
    }

    /// Records an attribute of the following declaration.
    pub fn attribute(&mut self, node: Node, text: &str) {
        if !self.touches(node.start_byte()) {
            self.leading = Leading::default();
        }
        self.leading.attributes.push(folded(text));
        self.leading.line.get_or_insert(line(node));
        self.leading.end = node.end_byte();
    }

    /// Takes what precedes a declaration, and clears the record.
    pub fn leading(&mut self, node: Node) -> Leading {
        let touches = self.touches(node.start_byte());
        let leading = std::mem::take(&mut self.leading);
        if touches { leading } else { Leading::default() }
    }

    /// Whether only white space stands between the recorded text and a position.
    fn touches(&self, start: usize) -> bool {
        self.leading.end > 0
            && self.text.get(self.leading.end..start).is_some_and(|gap| gap.trim().is_empty())
    }
}
