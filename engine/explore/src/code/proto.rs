//! Protocol Buffers: messages with their fields, enums, services with their methods, and extensions.

use tree_sitter::Node;

use super::{
    declarations::{Declarations, rule},
    doc,
    walk::{Step, Visitor, Walk, child, children, folded},
};
use crate::{import::ImportCategory, symbol::SymbolKind};

/// Protocol Buffers.
#[derive(Debug)]
pub struct Proto;

const NAME: &[&str] = &["identifier"];
/// Folder of the `.proto` files that come with the compiler.
const STDLIB: &str = "google/protobuf/";

static DECLARATIONS: Declarations = Declarations {
    rules: &[
        rule("message", &["message_name", "identifier"], SymbolKind::Struct, true),
        rule("enum", &["enum_name", "identifier"], SymbolKind::Enum, true),
        rule("service", &["service_name", "identifier"], SymbolKind::Interface, true),
        rule("rpc", &["rpc_name", "identifier"], SymbolKind::Method, false),
        rule("extend", &["full_ident"], SymbolKind::Extension, false),
        rule("oneof", NAME, SymbolKind::Union, false),
        rule("field", NAME, SymbolKind::Field, false),
        rule("map_field", NAME, SymbolKind::Field, false),
        rule("oneof_field", NAME, SymbolKind::Field, false),
        rule("enum_field", NAME, SymbolKind::EnumMember, false),
    ],
    skipped: &["option", "reserved", "extensions", "comment", "syntax", "edition", "package"],
    comments: doc::C,
    import,
    exported: |_, _, _| None,
};

impl Visitor for Proto {
    fn enter(&mut self, walk: &mut Walk, node: Node) -> Step {
        let known = walk.symbols.len();
        let step = (&DECLARATIONS).enter(walk, node);
        complete(walk, node, known);
        match node.kind() {
            // Declarations inside these belong to the message or file around them.
            "oneof" | "extend" => Step::Into,
            _ => step,
        }
    }
}

/// Completes the symbol that a declaration has just become, if it did, with everything besides its
/// name.
fn complete(walk: &mut Walk, node: Node, known: usize) {
    let types: Vec<String> = children(node)
        .filter(|found| matches!(found.kind(), "message_or_enum_type" | "type"))
        .map(|found| folded(walk.node_text(found)))
        .collect();
    let key = child(node, "key_type").map(|found| walk.node_text(found));
    let words = children_before(walk, node, "type");
    let Some(symbol) = walk.symbols.get_mut(known) else { return };
    match (node.kind(), &types[..]) {
        ("rpc", [request, response]) => {
            symbol.params = vec![request.clone()];
            symbol.return_type = Some(response.clone());
        }
        ("map_field", [value]) => {
            symbol.return_type = key.map(|key| format!("map<{key}, {value}>"));
        }
        ("field", [one]) => {
            symbol.return_type = Some(one.clone());
            symbol.modifiers = words;
        }
        ("oneof_field", [one]) => symbol.return_type = Some(one.clone()),
        _ => {}
    }
}

/// The words before the type of a field: `optional`, `required`, `repeated`.
fn children_before(walk: &Walk, node: Node, kind: &str) -> Vec<String> {
    let mut cursor = node.walk();
    let before = node.children(&mut cursor).take_while(|found| found.kind() != kind);
    before.map(|found| walk.node_text(found).to_owned()).collect()
}

fn import(walk: &mut Walk, node: Node) -> bool {
    if node.kind() != "import" {
        return false;
    }
    if let Some(path) = walk.field_text(node, "path") {
        let path = path.trim_matches(['"', '\'']);
        let category = if walk.project.holds(path) {
            ImportCategory::Local
        } else if path.starts_with(STDLIB) {
            ImportCategory::Stdlib
        } else {
            ImportCategory::ThirdParty
        };
        walk.import(path, vec!["*".to_owned()], category, node);
    }
    true
}

#[cfg(test)]
mod tests {
    use crate::{Input, Profile, Project, explore};

    const TEXT: &str = "\
syntax = \"proto3\";
package shop;
import \"google/protobuf/any.proto\";
import public \"other.proto\";
// A cart.
message Cart {
  enum Kind { KIND_UNSPECIFIED = 0; }
  repeated Item items = 1;
  map<string, Kind> kinds = 2;
  oneof payment {
    string card = 3;
  }
}
extend google.protobuf.FieldOptions {
  optional string hint = 50000;
}
service Shop {
  rpc Buy(stream Cart) returns (shop.Receipt) {}
}
";

    #[test]
    fn a_file_has_its_messages_services_and_imports() {
        let input = Input::memory("a.proto", TEXT.as_bytes());
        let found = explore(&input, &Project::default(), Profile::Enhancement);
        let symbols: Vec<String> = found
            .symbols
            .iter()
            .map(|one| {
                let parent = one.parent.as_deref().unwrap_or("-");
                let returned = one.return_type.as_deref().unwrap_or("-");
                format!("{} {parent} {} {} {returned}", one.kind.as_str(), one.name, one.line)
            })
            .collect();
        assert_eq!(
            symbols,
            [
                "struct - Cart 6 -",
                "enum Cart Kind 7 -",
                "enum_member Cart.Kind KIND_UNSPECIFIED 7 -",
                "field Cart items 8 Item",
                "field Cart kinds 9 map<string, Kind>",
                "union Cart payment 10 -",
                "field Cart card 11 string",
                "extension - google.protobuf.FieldOptions 14 -",
                "field - hint 15 string",
                "interface - Shop 17 -",
                "method Shop Buy 18 shop.Receipt",
            ]
        );
        assert_eq!(found.symbols[0].doc.as_deref(), Some("A cart."));
        assert_eq!(found.symbols[3].modifiers, ["repeated"]);
        assert_eq!(found.symbols[10].params, ["Cart"]);
        let imports: Vec<_> =
            found.imports.iter().map(|one| (one.path.as_str(), one.category.as_str())).collect();
        assert_eq!(
            imports,
            [("google/protobuf/any.proto", "stdlib"), ("other.proto", "third_party")]
        );
    }
}
