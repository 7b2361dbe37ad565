//! What is not a symbol but tells of the symbols around it.

use tree_sitter::Node;

use super::Ecmascript;
use crate::code::walk::{Walk, line};

/// Something that was seen, and where.
#[derive(Debug)]
pub(super) struct Sighting {
    /// What it is.
    pub what: What,
    /// 1-based line.
    pub line: u32,
    /// How many symbols stand before it.
    pub behind: usize,
}

/// What was seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum What {
    /// An import or export of ECMAScript.
    Esm,
    /// A `require`, or an export of CommonJS.
    CommonJs,
    /// An element of JSX.
    Jsx,
    /// The call of a hook, by its name.
    Hook(String),
    /// The directive `"use strict"`.
    Strict,
    /// A function that is called where it is written.
    Iife,
    /// A call of the file's own.
    Run,
}

impl Ecmascript {
    /// Remembers something that is not a symbol.
    pub(super) fn note(&mut self, walk: &Walk, node: Node, what: What) {
        self.sightings.push(Sighting { what, line: line(node), behind: walk.symbols.len() });
    }

    /// Whether something was seen anywhere in the file.
    pub(super) fn has_seen(&self, what: &What) -> bool {
        self.sightings.iter().any(|seen| seen.what == *what)
    }
}
