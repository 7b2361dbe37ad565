//! Dart.

use tree_sitter::Node;

use super::{
    declarations::{Declarations, Rule, rule},
    doc::Style,
    walk::{Walk, child, children},
};
use crate::{import::ImportCategory, symbol::SymbolKind};

/// Dart.
pub const DART: Declarations = Declarations {
    rules: &[
        rule("class_definition", &["identifier"], SymbolKind::Class, true),
        rule("enum_declaration", &["identifier"], SymbolKind::Enum, true),
        rule("enum_constant", &["identifier"], SymbolKind::EnumMember, false),
        rule("mixin_declaration", &["identifier"], SymbolKind::Mixin, true),
        rule("extension_declaration", &["identifier"], SymbolKind::Extension, true),
        rule("type_alias", &["type_identifier"], SymbolKind::Alias, false),
        rule("constructor_signature", &["identifier"], SymbolKind::Constructor, false),
        rule("constant_constructor_signature", &["identifier"], SymbolKind::Constructor, false),
        rule("factory_constructor_signature", &["identifier"], SymbolKind::Constructor, false),
        rule("getter_signature", &["identifier"], SymbolKind::Getter, false),
        rule("setter_signature", &["identifier"], SymbolKind::Setter, false),
        rule("operator_signature", &["binary_operator"], SymbolKind::Operator, false),
        Rule {
            node: "function_signature",
            name: &["identifier"],
            fixed: "",
            kind: (SymbolKind::Function, SymbolKind::Method),
            scope: false,
        },
        Rule {
            node: "initialized_identifier",
            name: &["identifier"],
            fixed: "",
            kind: (SymbolKind::Variable, SymbolKind::Field),
            scope: false,
        },
        rule("static_final_declaration", &["identifier"], SymbolKind::Constant, false),
    ],
    skipped: &["function_body", "arguments", "documentation_comment", "comment", "annotation"],
    comments: Style { line: &["///"], block: Some(("/**", "*/")) },
    import,
    exported: |_, _, symbol| {
        Some(!symbol.name.rsplit('.').next().unwrap_or_default().starts_with('_'))
    },
};

/// `import 'package:a/b.dart' as c show D;`, also `export` and `part`.
fn import(walk: &mut Walk, node: Node) -> bool {
    if !matches!(node.kind(), "import_or_export" | "part_directive") {
        return false;
    }
    let mut holder = node;
    let mut names = Vec::new();
    while let Some(inner) =
        ["library_import", "library_export", "import_specification", "configurable_uri", "uri"]
            .iter()
            .find_map(|kind| child(holder, kind))
    {
        for combinator in children(holder).filter(|found| found.kind() == "combinator") {
            if walk.node_text(combinator).starts_with("show") {
                names.extend(children(combinator).map(|name| walk.node_text(name).to_owned()));
            }
        }
        holder = inner;
    }
    let path = walk.node_text(holder).trim_matches(['\'', '"']).to_owned();
    let own = || {
        let package = path.strip_prefix("package:").and_then(|rest| rest.split('/').next());
        let pubspec = walk.project.above(walk.file, "pubspec.yaml").unwrap_or_default();
        let name = pubspec.lines().find_map(|line| line.strip_prefix("name:")).map(str::trim);
        package.is_some() && package == name
    };
    let category = if path.starts_with("dart:") {
        ImportCategory::Stdlib
    } else if !path.contains(':') || own() {
        ImportCategory::Local
    } else {
        ImportCategory::ThirdParty
    };
    walk.import(&path, names, category, node);
    true
}
