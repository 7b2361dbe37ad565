//! C and C++, and everything that other C-like languages share with them.

mod annotations;
mod branches;
mod composite;
mod conditional;
mod declaration;
pub mod declarator;
mod enumerators;
mod facts;
mod linkage;
mod lone_macros;
mod macro_bodies;
mod macros;
mod namespace;
mod preprocessor;

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::walk::{Step, Visitor, Walk, folded};
use crate::symbol::SymbolKind;

/// The visitor of C and, with classes, of C++.
#[derive(Debug)]
pub struct C {
    /// Whether the file is C++.
    cpp: bool,
    /// Number of conditional branches that were left out.
    branches_left_out: usize,
    /// Indices of the members that are defined outside their class.
    defined_outside: BTreeSet<usize>,
}

/// Marks a branch that is never compiled; only its alternatives are looked at.
const DEAD: &str = "dead";

impl Visitor for C {
    fn enter(&mut self, walk: &mut Walk, node: Node) -> Step {
        let kind = node.kind();
        if kind.starts_with("preproc_") {
            return self.preprocessor(walk, node, kind);
        }
        if walk.scope().is_some_and(|scope| scope.mark == DEAD) {
            return Step::Skip;
        }
        match kind {
            "translation_unit"
            | "declaration_list"
            | "field_declaration_list"
            | "enumerator_list"
            | "linkage_specification"
            | "template_declaration"
            | "ERROR" => Step::Into,
            "function_definition" | "inline_method_definition" => self.definition(walk, node),
            "declaration" | "field_declaration" => self.declaration(walk, node),
            "type_definition" => declaration::type_definition(walk, node),
            "alias_declaration" => declaration::alias(walk, node),
            "struct_specifier" => self.composite(walk, node, SymbolKind::Struct),
            "union_specifier" => self.composite(walk, node, SymbolKind::Union),
            "class_specifier" => self.composite(walk, node, SymbolKind::Class),
            "enum_specifier" => self.composite(walk, node, SymbolKind::Enum),
            "enumerator" => composite::enumerator(walk, node),
            "namespace_definition" => namespace::namespace(walk, node),
            "access_specifier" => composite::access(walk, node),
            "using_declaration" => {
                let text = folded(walk.node_text(node));
                if let Some(name) = text.strip_prefix("using namespace ") {
                    walk.facts.push("using_namespaces", name.trim_end_matches(';'));
                }
                Step::Skip
            }
            // A class with a macro in its head is taken for a function; its body then consists of
            // these nodes.
            "compound_statement" | "labeled_statement"
                if walk.scope().is_some_and(|scope| scope.kind.is_some()) =>
            {
                Step::Into
            }
            _ => Step::Skip,
        }
    }

    fn prepare(&self, _: &str, text: &str) -> Option<String> {
        prepare(text, self.cpp)
    }

    fn finish(&mut self, walk: &mut Walk, _root: Node) {
        self.apply_linkage(walk);
        facts::set(walk, self.cpp);
    }
}

/// The text without the constructs that a grammar of C cannot parse.
fn prepare(text: &str, cpp: bool) -> Option<String> {
    let mut prepared = branches::balanced(text);
    let mut step = |change: fn(&str) -> Option<String>| {
        if let Some(changed) = change(prepared.as_deref().unwrap_or(text)) {
            prepared = Some(changed);
        }
    };
    step(macro_bodies::blanked);
    step(enumerators::named);
    step(lone_macros::blanked);
    step(if cpp {
        |text| annotations::blanked(text, true)
    } else {
        |text| annotations::blanked(text, false)
    });
    step(branches::plain_heads);
    prepared
}

impl C {
    /// The visitor of a C file or, if `cpp`, of a C++ file.
    pub const fn new(cpp: bool) -> Self {
        Self { cpp, branches_left_out: 0, defined_outside: BTreeSet::new() }
    }
}

/// Whether a type is defined here and not only named.
fn has_body(node: Node) -> bool {
    node.child_by_field_name("body").is_some()
}
