//! QL, the query language of CodeQL.

use tree_sitter::Node;

use super::{
    declarations::{Declarations, rule},
    doc::Style,
    walk::{Walk, child, folded},
};
use crate::{import::ImportCategory, symbol::SymbolKind};

/// QL.
pub const QL: Declarations = Declarations {
    rules: &[
        rule("module", &["moduleName"], SymbolKind::Module, true),
        rule("dataclass", &["className"], SymbolKind::Class, true),
        rule("datatype", &["className"], SymbolKind::Type, true),
        rule("datatypeBranch", &["className"], SymbolKind::Constructor, false),
        rule("charpred", &["className"], SymbolKind::Constructor, false),
        rule("memberPredicate", &["predicateName"], SymbolKind::Method, false),
        rule("classlessPredicate", &["predicateName"], SymbolKind::Function, false),
    ],
    skipped: &["body", "select", "annotation", "qldoc", "line_comment", "block_comment"],
    comments: Style { line: &["//"], block: Some(("/**", "*/")) },
    import,
    exported: |walk, node, _| {
        // Annotations precede the declaration inside the member node around both.
        let member = node.parent()?;
        let mut cursor = member.walk();
        let private = member
            .named_children(&mut cursor)
            .any(|found| found.kind() == "annotation" && walk.node_text(found) == "private");
        Some(!private)
    },
};

fn import(walk: &mut Walk, node: Node) -> bool {
    if node.kind() != "importDirective" {
        return false;
    }
    if let Some(module) = child(node, "importModuleExpr") {
        let path = folded(walk.node_text(module));
        let file = path.replace('.', "/");
        let category = if walk.project.holds(&format!("{file}.qll")) {
            ImportCategory::Local
        } else {
            ImportCategory::Stdlib
        };
        walk.import(&path, vec!["*".to_owned()], category, node);
    }
    true
}
