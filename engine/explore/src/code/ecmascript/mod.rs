//! The parts that JavaScript and TypeScript share.
//!
//! Symbols are declarations of functions, classes and types with all their members at any depth,
//! methods and accessors of object literals, and the variables of top-level statements. A member is
//! exported if its owner is exported and it is not private.

mod classes;
mod components;
mod declaration;
mod exports;
mod facts;
mod imports;
mod sighting;
mod statements;
mod types;
mod visitors;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};

use tree_sitter::Node;

use super::walk::{Scope, Signs, Step, Walk};
use declaration::Wrapper;
use exports::Export;
use sighting::{Sighting, What};

pub use visitors::{JavaScript, TypeScript};

/// The state of the walk over one file.
#[derive(Debug, Default)]
struct Ecmascript {
    /// Whether `module.exports` counts as an export.
    commonjs: bool,
    /// Local names that the file exports by a list, as default or through CommonJS.
    exported_names: BTreeSet<String>,
    /// The exports of the file; `None` until the first export statement.
    exports: Option<Vec<Export>>,
    /// The wrapper of the declaration that begins at a byte.
    wrappers: BTreeMap<usize, Wrapper>,
    /// Nodes that begin before this byte are skipped.
    skip_before: usize,
    /// Nodes that begin before this byte belong to a type.
    types_before: usize,
    /// Observations that are not symbols but say something about the symbols around them, in file
    /// order.
    sightings: Vec<Sighting>,
}

/// Signs of declarations, imports and doc comments: an expression without any of these holds
/// nothing of interest. `use` begins the names of hooks.
const SIGNS: [&str; 12] = [
    "{",
    "/*",
    "//",
    "declare",
    "export",
    "function",
    "import",
    "module",
    "namespace",
    "require",
    "type",
    "use",
];

/// The landmarks of TypeScript.
static LANDMARKS: LazyLock<Signs> = LazyLock::new(|| Signs::new(&SIGNS));

/// The landmarks of the grammars that know JSX.
static LANDMARKS_OF_JSX: LazyLock<Signs> =
    LazyLock::new(|| Signs::new(&[&SIGNS[..], &["<"]].concat()));

/// Marks of scopes: top-level statements, and the body of a class.
const TOP: &str = "top";
const CLASS_BODY: &str = "class body";

impl Ecmascript {
    /// Visits one named node, in preorder.
    fn enter(&mut self, walk: &mut Walk, node: Node) -> Step {
        if node.start_byte() < self.skip_before {
            return Step::Skip;
        }
        let kind = node.kind();
        match kind {
            "interface_declaration" => self.interface(walk, node),
            "type_alias_declaration" => self.alias(walk, node),
            "enum_declaration" => self.enumeration(walk, node),
            "internal_module" | "module" => self.namespace(walk, node),
            "ambient_declaration" => self.ambient(walk, node),
            _ => self.enter_shared(walk, node, kind),
        }
    }

    /// Visits a node of a kind that both languages have.
    fn enter_shared(&mut self, walk: &mut Walk, node: Node, kind: &str) -> Step {
        match kind {
            "identifier"
            | "property_identifier"
            | "type_identifier"
            | "predefined_type"
            | "string"
            | "number"
            | "regex"
            | "this"
            | "null"
            | "true"
            | "false"
            | "undefined"
            | "jsx_text" => Step::Skip,
            // If the grammar cannot parse a file as a whole, the root is an error.
            "program" | "ERROR" if walk.scope().is_none() => {
                self.add_exported_names(walk, node);
                Step::Inside(Scope { mark: TOP, ..Scope::default() })
            }
            "ERROR" => Step::Into,
            "type_annotation" | "type_arguments" | "extends_type_clause" | "implements_clause" => {
                self.types_before = self.types_before.max(node.end_byte());
                nested(walk)
            }
            "comment" => {
                walk.pass_comment(node);
                Step::Skip
            }
            "export_statement" => self.export(walk, node),
            "import_statement" => self.import(walk, node),
            "call_expression" => self.call(walk, node),
            "assignment_expression" => self.assignment(walk, node),
            "class_declaration" | "abstract_class_declaration" => {
                self.class(walk, walk.field(node, "name"), node)
            }
            "class" => self.default_value(walk, node, Self::class),
            "class_body" => self.class_body(walk, node),
            "function_declaration" | "generator_function_declaration" | "function_signature" => {
                self.function(walk, walk.field(node, "name"), node)
            }
            "function_expression" | "generator_function" => {
                self.default_value(walk, node, Self::function)
            }
            "method_definition" | "method_signature" | "abstract_method_signature" => {
                self.method(walk, node)
            }
            "public_field_definition" | "field_definition" | "property_signature" => {
                self.property(walk, node)
            }
            "lexical_declaration" | "variable_declaration" => self.variables(walk, node),
            "variable_declarator" => self.declarator(walk, node),
            "expression_statement" => self.statement(walk, node),
            "jsx_element" | "jsx_self_closing_element" | "jsx_fragment" => {
                self.note(walk, node, What::Jsx);
                nested(walk)
            }
            _ => nested(walk),
        }
    }
}

/// Enters a node that is not a declaration: nothing below it is a top-level statement or a member
/// of the class any more.
fn nested(walk: &Walk) -> Step {
    match walk.scope() {
        Some(scope) if scope.mark == TOP || scope.mark == CLASS_BODY => {
            Step::Inside(Scope::default())
        }
        _ => Step::Into,
    }
}

/// Whether the innermost scope is that of the top-level statements.
fn is_top(walk: &Walk) -> bool {
    walk.scope().is_some_and(|scope| scope.mark == TOP)
}
