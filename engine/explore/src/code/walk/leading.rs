//! What stands before a declaration: its documentation and, where they are nodes of their own, its
//! attributes.

use tree_sitter::Node;

use super::{Walk, folded, line};
use crate::code::doc;

/// What was seen since the last declaration.
#[derive(Debug, Default)]
pub struct Leading {
    /// Documentation as written, with its markers.
    doc: String,
    /// Attributes, without their brackets.
    pub attributes: Vec<String>,
    /// First line of the attributes.
    pub line: Option<u32>,
    /// Where it ends.
    end: usize,
}

impl Leading {
    /// First paragraph of the documentation, folded to one line.
    pub fn doc(&self) -> Option<String> {
        doc::comment(&self.doc).map(|text| folded(&text))
    }
}

impl Walk<'_> {
    /// Remembers a comment. Documentation is what begins with one of the markers; any other
    /// comment may stand between a declaration and what belongs to it.
    pub fn comment(&mut self, node: Node, markers: &[&str]) {
        let text = self.node_text(node);
        let ruler = text.starts_with("////") || text.starts_with("/***") || text == "/**/";
        if !ruler && markers.iter().any(|marker| text.starts_with(marker)) {
            // A block replaces what stands before it; line comments add up.
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

    /// Remembers an attribute of the declaration that follows.
    pub fn attribute(&mut self, node: Node, text: &str) {
        if !self.touches(node.start_byte()) {
            self.leading = Leading::default();
        }
        self.leading.attributes.push(folded(text));
        self.leading.line.get_or_insert(line(node));
        self.leading.end = node.end_byte();
    }

    /// What leads up to a declaration, which is then used up.
    pub fn leading(&mut self, node: Node) -> Leading {
        let touches = self.touches(node.start_byte());
        let leading = std::mem::take(&mut self.leading);
        if touches { leading } else { Leading::default() }
    }

    /// Whether only white space stands between what was remembered and a place.
    fn touches(&self, start: usize) -> bool {
        self.leading.end > 0
            && self.text.get(self.leading.end..start).is_some_and(|gap| gap.trim().is_empty())
    }
}
