//! Gleam.

use tree_sitter::Node;

use super::{
    declarations::{Declarations, rule},
    doc::Style,
    walk::{Walk, child, children},
};
use crate::{
    import::ImportCategory,
    symbol::{Symbol, SymbolKind},
};

/// Gleam.
pub const GLEAM: Declarations = Declarations {
    rules: &[
        rule("function", &["identifier"], SymbolKind::Function, false),
        rule("external_function", &["identifier"], SymbolKind::Function, false),
        rule("type_definition", &["type_name", "type_identifier"], SymbolKind::Type, true),
        rule("external_type", &["type_name", "type_identifier"], SymbolKind::Type, false),
        rule("data_constructor", &["constructor_name"], SymbolKind::Constructor, false),
        rule("type_alias", &["type_name", "type_identifier"], SymbolKind::Alias, false),
        rule("constant", &["identifier"], SymbolKind::Constant, false),
    ],
    skipped: &["block", "attribute", "comment", "statement_comment", "module_comment"],
    comments: Style { line: &["///"], block: None },
    import,
    exported,
};

/// `pub`; constructors are exported with their type, unless the type is opaque.
#[expect(clippy::unnecessary_wraps, reason = "the table asks every language the same way")]
fn exported(walk: &Walk, node: Node, symbol: &Symbol) -> Option<bool> {
    if symbol.kind == SymbolKind::Constructor {
        let opaque = node
            .parent()
            .and_then(|list| list.parent())
            .is_some_and(|owner| child(owner, "opacity_modifier").is_some());
        return Some(!opaque && walk.scope().and_then(|scope| scope.exported) == Some(true));
    }
    Some(child(node, "visibility_modifier").is_some())
}

fn import(walk: &mut Walk, node: Node) -> bool {
    if node.kind() != "import" {
        return false;
    }
    let path = walk.field_text(node, "module").unwrap_or_default().to_owned();
    let names = child(node, "unqualified_imports").map_or_else(Vec::new, |list| {
        children(list).filter_map(|item| walk.field_text(item, "name")).map(str::to_owned).collect()
    });
    let category = if walk.project.holds(&format!("{path}.gleam")) {
        ImportCategory::Local
    } else if path.starts_with("gleam/") {
        ImportCategory::Stdlib
    } else {
        ImportCategory::ThirdParty
    };
    walk.import(&path, names, category, node);
    true
}
