//! D.

use tree_sitter::Node;

use super::{
    declarations::{Declarations, Rule, rule},
    doc::Style,
    walk::{Walk, child, children},
};
use crate::{import::ImportCategory, symbol::SymbolKind};

/// D.
pub const D: Declarations = Declarations {
    rules: &[
        rule("module_declaration", &["module_fqn"], SymbolKind::Module, false),
        rule("class_declaration", &["identifier"], SymbolKind::Class, true),
        rule("struct_declaration", &["identifier"], SymbolKind::Struct, true),
        rule("union_declaration", &["identifier"], SymbolKind::Union, true),
        rule("interface_declaration", &["identifier"], SymbolKind::Interface, true),
        rule("enum_declaration", &["identifier"], SymbolKind::Enum, true),
        rule("enum_member", &["identifier"], SymbolKind::EnumMember, false),
        rule("template_declaration", &["identifier"], SymbolKind::Mixin, true),
        rule("alias_initializer", &["identifier"], SymbolKind::Alias, false),
        rule("manifest_declarator", &["identifier"], SymbolKind::Constant, false),
        fixed("constructor", "this", SymbolKind::Constructor),
        fixed("destructor", "~this", SymbolKind::Destructor),
        within("function_declaration", SymbolKind::Function, SymbolKind::Method),
        within("auto_declaration", SymbolKind::Variable, SymbolKind::Field),
        within("declarator", SymbolKind::Variable, SymbolKind::Field),
    ],
    skipped: &[
        "function_body",
        "block_statement",
        "unittest_declaration",
        "expression",
        "parameters",
        "comment",
    ],
    comments: Style { line: &["///", "//"], block: Some(("/**", "*/")) },
    import,
    exported: |walk, node, _| {
        Some(!walk.node_text(node).starts_with("private") && child(node, "private").is_none())
    },
};

const fn within(node: &'static str, outside: SymbolKind, inside: SymbolKind) -> Rule {
    Rule { node, name: &["identifier"], fixed: "", kind: (outside, inside), scope: false }
}

const fn fixed(node: &'static str, name: &'static str, kind: SymbolKind) -> Rule {
    Rule { node, name: &[], fixed: name, kind: (kind, kind), scope: false }
}

/// `import std.stdio, a.b : c, d;`: the names belong to the last module.
fn import(walk: &mut Walk, node: Node) -> bool {
    if node.kind() != "import_declaration" {
        return false;
    }
    let modules: Vec<Node> = children(node)
        .filter(|found| found.kind() == "imported")
        .filter_map(|imported| child(imported, "module_fqn"))
        .collect();
    let names: Vec<String> = children(node)
        .filter(|found| found.kind() == "import_bind")
        .map(|name| walk.node_text(name).to_owned())
        .collect();
    let last = modules.len().saturating_sub(1);
    for (index, module) in modules.into_iter().enumerate() {
        let path = walk.node_text(module).to_owned();
        let file = path.replace('.', "/");
        let root = path.split('.').next().unwrap_or_default();
        let category = if walk.project.holds(&format!("{file}.d"))
            || walk.project.holds(&format!("{file}/package.d"))
        {
            ImportCategory::Local
        } else if matches!(root, "std" | "core" | "etc" | "object") {
            ImportCategory::Stdlib
        } else {
            ImportCategory::ThirdParty
        };
        let names =
            if index == last && !names.is_empty() { names.clone() } else { vec!["*".to_owned()] };
        walk.import(&path, names, category, node);
    }
    true
}
