//! Pony.

use tree_sitter::Node;

use super::{
    declarations::{Declarations, rule},
    doc::Style,
    stdlib::Names,
    walk::{Walk, child},
};
use crate::{import::ImportCategory, symbol::SymbolKind};

/// Packages that come with the compiler.
static STDLIB: Names = Names::embedded(include_str!("../../../../queries/pony/stdlib.txt"));

/// Pony.
pub const PONY: Declarations = Declarations {
    rules: &[
        rule("actor_definition", &["identifier"], SymbolKind::Class, true),
        rule("class_definition", &["identifier"], SymbolKind::Class, true),
        rule("struct_definition", &["identifier"], SymbolKind::Struct, true),
        rule("primitive_definition", &["identifier"], SymbolKind::Object, true),
        rule("trait_definition", &["identifier"], SymbolKind::Trait, true),
        rule("interface_definition", &["identifier"], SymbolKind::Interface, true),
        rule("type_alias", &["identifier"], SymbolKind::Alias, false),
        rule("constructor", &["identifier"], SymbolKind::Constructor, false),
        rule("method", &["identifier"], SymbolKind::Method, false),
        rule("behavior", &["identifier"], SymbolKind::Method, false),
        rule("field", &["identifier"], SymbolKind::Field, false),
    ],
    skipped: &["block", "parameters", "string", "line_comment", "block_comment"],
    comments: Style { line: &["//"], block: Some(("/*", "*/")) },
    import,
    exported: |_, _, symbol| Some(!symbol.name.starts_with('_')),
};

fn import(walk: &mut Walk, node: Node) -> bool {
    if node.kind() != "use_statement" {
        return false;
    }
    if let Some(package) = child(node, "string") {
        let path = walk.node_text(package).trim_matches('"').to_owned();
        let root = path.split('/').next().unwrap_or_default();
        let category = if path.starts_with('.') {
            ImportCategory::Local
        } else if STDLIB.has(root) {
            ImportCategory::Stdlib
        } else {
            ImportCategory::ThirdParty
        };
        walk.import(&path, vec!["*".to_owned()], category, node);
    }
    true
}
