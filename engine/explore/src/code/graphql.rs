//! GraphQL: the types of a schema with their fields, and the operations and fragments of a client.

use tree_sitter::Node;

use super::{
    declarations::{Declarations, rule},
    doc::Style,
    walk::{Step, Visitor, Walk, child, children, folded, line},
};
use crate::{import::ImportCategory, symbol::SymbolKind};

/// GraphQL.
#[derive(Debug)]
pub struct GraphQl;

const NAME: &[&str] = &["name"];

static DECLARATIONS: Declarations = Declarations {
    rules: &[
        rule("object_type_definition", NAME, SymbolKind::Type, true),
        rule("interface_type_definition", NAME, SymbolKind::Interface, true),
        rule("input_object_type_definition", NAME, SymbolKind::Type, true),
        rule("enum_type_definition", NAME, SymbolKind::Enum, true),
        rule("union_type_definition", NAME, SymbolKind::Union, false),
        rule("scalar_type_definition", NAME, SymbolKind::Type, false),
        rule("object_type_extension", NAME, SymbolKind::Extension, true),
        rule("interface_type_extension", NAME, SymbolKind::Extension, true),
        rule("input_object_type_extension", NAME, SymbolKind::Extension, true),
        rule("enum_type_extension", NAME, SymbolKind::Extension, true),
        rule("union_type_extension", NAME, SymbolKind::Extension, false),
        rule("scalar_type_extension", NAME, SymbolKind::Extension, false),
        rule("field_definition", NAME, SymbolKind::Field, false),
        rule("input_value_definition", NAME, SymbolKind::Field, false),
        rule("enum_value_definition", &["enum_value", "name"], SymbolKind::EnumMember, false),
        rule("directive_definition", NAME, SymbolKind::Annotation, false),
        rule("operation_definition", NAME, SymbolKind::Function, false),
        rule("fragment_definition", &["fragment_name", "name"], SymbolKind::Mixin, false),
    ],
    skipped: &["selection_set", "variable_definitions", "directives", "description"],
    comments: Style { line: &["#"], block: None },
    import,
    exported: |_, _, _| None,
};

impl Visitor for GraphQl {
    fn enter(&mut self, walk: &mut Walk, node: Node) -> Step {
        let known = walk.symbols.len();
        let step = (&DECLARATIONS).enter(walk, node);
        complete(walk, node, known);
        step
    }
}

/// Completes the symbol that a declaration has just become, if it did, with everything besides its
/// name.
fn complete(walk: &mut Walk, node: Node, known: usize) {
    let description = child(node, "description").map(|found| walk.node_text(found));
    let below = node.child(1).filter(|_| description.is_some()).map(line);
    let returned = child(node, "type").map(|found| folded(walk.node_text(found)));
    let implemented = child(node, "implements_interfaces").map(|found| walk.node_text(found));
    let params =
        child(node, "arguments_definition").or_else(|| child(node, "variable_definitions"));
    let params = params.map_or_else(Vec::new, |list| {
        children(list)
            .filter(|one| matches!(one.kind(), "input_value_definition" | "variable_definition"))
            .map(|one| folded(walk.node_text(one)))
            .collect()
    });
    let operation = child(node, "operation_type").map(|found| walk.node_text(found).to_owned());
    let Some(symbol) = walk.symbols.get_mut(known) else { return };
    symbol.return_type = returned;
    symbol.params = params;
    symbol.modifiers.extend(operation);
    if let Some(list) = implemented.and_then(|text| text.strip_prefix("implements")) {
        let names = list.split('&').map(str::trim).filter(|name| !name.is_empty());
        symbol.implements = names.map(str::to_owned).collect();
    }
    if let Some(text) = description {
        let lines = text.trim_matches('"').lines().map(str::trim);
        let first = lines.skip_while(|line| line.is_empty()).take_while(|line| !line.is_empty());
        symbol.doc = Some(first.collect::<Vec<_>>().join("\n")).filter(|doc| !doc.is_empty());
    }
    // The description precedes the declaration.
    symbol.decl_line = below.unwrap_or(symbol.decl_line);
}

/// `#import "file"` and `# import Name from "file"`: the language has no imports, but its tools
/// accept these comments.
fn import(walk: &mut Walk, node: Node) -> bool {
    if node.kind() != "comment" {
        return false;
    }
    let text = walk.node_text(node).trim_start_matches('#').trim_start();
    let Some(rest) = text.strip_prefix("import ") else { return true };
    let mut parts = rest.splitn(3, ['"', '\'']);
    if let (Some(before), Some(path), Some(_)) = (parts.next(), parts.next(), parts.next()) {
        let names = before.trim().trim_end_matches("from").split(',').map(str::trim);
        let mut names: Vec<String> =
            names.filter(|name| !name.is_empty()).map(str::to_owned).collect();
        if names.is_empty() {
            names.push("*".to_owned());
        }
        walk.import(path, names, ImportCategory::Local, node);
    }
    true
}

#[cfg(test)]
mod tests {
    use crate::{Exploration, Input, Profile, Project, explore};

    fn look(text: &str) -> Exploration {
        let input = Input::memory("a.graphql", text.as_bytes());
        explore(&input, &Project::default(), Profile::Enhancement)
    }

    fn symbols(found: &Exploration) -> Vec<String> {
        let symbol = |one: &crate::Symbol| {
            let parent = one.parent.as_deref().unwrap_or("-");
            format!("{} {parent} {} {}", one.kind.as_str(), one.name, one.line)
        };
        found.symbols.iter().map(symbol).collect()
    }

    #[test]
    fn a_schema_has_its_types_fields_and_extensions() {
        let found = look(
            "\"\"\"\nA cart.\n\"\"\"\ntype Cart implements Node & Priced @key(fields: \"id\") {\n  id: ID!\n  \
             items(first: Int = 10): [Item!]!\n}\nenum Kind { NEW OLD }\ninput Filter { kind: Kind }\n\
             union Thing = Cart | Item\nscalar Date\nextend type Query { cart: Cart }\n\
             directive @key(fields: String!) on OBJECT\n",
        );
        assert_eq!(
            symbols(&found),
            [
                "type - Cart 4",
                "field Cart id 5",
                "field Cart items 6",
                "enum - Kind 8",
                "enum_member Kind NEW 8",
                "enum_member Kind OLD 8",
                "type - Filter 9",
                "field Filter kind 9",
                "union - Thing 10",
                "type - Date 11",
                "extension - Query 12",
                "field Query cart 12",
                "annotation - key 13",
            ]
        );
        let [cart, _, items] = &found.symbols[..3] else { panic!("three symbols") };
        assert_eq!((cart.doc.as_deref(), cart.decl_line), (Some("A cart."), 4));
        assert_eq!(cart.implements, ["Node", "Priced"]);
        assert_eq!(items.params, ["first: Int = 10"]);
        assert_eq!(items.return_type.as_deref(), Some("[Item!]!"));
    }

    #[test]
    fn a_client_has_its_operations_fragments_and_imports() {
        let found = look(
            "#import \"./a.graphql\"\n# import Line, Tax from 'b.graphql'\n# important: nothing\n\
             query Carts($id: ID!) { cart(id: $id) { ...Line } }\n{ anonymous }\n\
             fragment Line on Item { id }\n",
        );
        assert_eq!(symbols(&found), ["function - Carts 4", "mixin - Line 6"]);
        assert_eq!(found.symbols[0].params, ["$id: ID!"]);
        assert_eq!(found.symbols[0].modifiers, ["query"]);
        let imports: Vec<_> = found
            .imports
            .iter()
            .map(|one| (one.path.as_str(), one.names.join(" "), one.line))
            .collect();
        assert_eq!(imports, [("./a.graphql", "*".into(), 1), ("b.graphql", "Line Tax".into(), 2)]);
    }
}
