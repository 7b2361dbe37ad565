//! Observations that are not symbols but say something about the symbols around them.

use tree_sitter::Node;

use super::Ecmascript;
use crate::code::walk::{Walk, line};

/// An observation, and its place.
#[derive(Debug)]
pub(super) struct Sighting {
    /// What it is.
    pub what: What,
    /// 1-based line.
    pub line: u32,
    /// Number of symbols found before it.
    pub behind: usize,
}

/// What can be observed.
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
    /// A function that is called where it is defined.
    Iife,
    /// A call among the top-level statements.
    Run,
}

impl Ecmascript {
    /// Records an observation.
    pub(super) fn note(&mut self, walk: &Walk, node: Node, what: What) {
        self.sightings.push(Sighting { what, line: line(node), behind: walk.symbols.len() });
    }

    /// Whether something was observed anywhere in the file.
    pub(super) fn has_seen(&self, what: &What) -> bool {
        self.sightings.iter().any(|seen| seen.what == *what)
    }
}
