//! Go.
//!
//! Symbols are the top-level declarations of a file, with the named fields of structs and the named
//! methods of interfaces. Function bodies contain no symbols, so the walk never enters them.

use serde_json::json;
use tree_sitter::Node;

use super::{
    doc,
    stdlib::Names,
    walk::{Step, Visitor, Walk, child, children, folded},
};
use crate::{
    import::ImportCategory,
    symbol::{Symbol, SymbolKind},
};

/// Packages of the standard library.
static STDLIB: Names = Names::embedded(include_str!("../../../../queries/go/stdlib.txt"));

/// Go.
#[derive(Debug, Default)]
pub struct Go {
    /// The name of the package, once its clause has been visited.
    package: Option<String>,
    /// The path of the file's module.
    module: Option<String>,
}

impl Visitor for Go {
    fn enter(&mut self, walk: &mut Walk, node: Node) -> Step {
        match node.kind() {
            "comment" => self.comment(walk, node),
            "package_clause" => self.package(walk, node),
            "import_spec" => import(walk, node, self.module.as_deref()),
            "function_declaration" | "method_declaration" => function(walk, node),
            "type_declaration" | "const_declaration" | "var_declaration" => {
                // A declaration of one name begins at its keyword; the declarations of a group do
                // not.
                let group = child(node, "var_spec_list").unwrap_or(node);
                let mut cursor = group.walk();
                if group.children(&mut cursor).any(|one| one.kind() == "(") {
                    return Step::Into;
                }
                children(node).for_each(|spec| specification(walk, spec, node));
                Step::Skip
            }
            "type_spec" | "type_alias" | "const_spec" | "var_spec" => {
                specification(walk, node, node);
                Step::Skip
            }
            "source_file" | "import_declaration" | "import_spec_list" | "var_spec_list"
            | "ERROR" => Step::Into,
            _ => Step::Skip,
        }
    }

    fn finish(&mut self, walk: &mut Walk, _: Node) {
        let exported: Vec<&str> = walk
            .symbols
            .iter()
            .filter(|one| one.exported == Some(true))
            .filter(|one| !matches!(one.kind, SymbolKind::Field) && !is_interface_method(one))
            .map(|one| one.name.as_str())
            .collect();
        let exports = json!(exported);
        let functions = |name: &str| {
            let is = |one: &&Symbol| one.kind == SymbolKind::Function && one.name == name;
            walk.symbols.iter().filter(is).count()
        };
        let (mains, inits) = (functions("main"), functions("init"));
        let mut sets = [Vec::new(), Vec::new(), Vec::new()];
        for import in &walk.imports {
            let [stdlib, third_party, local] = &mut sets;
            match import.category {
                ImportCategory::Stdlib => stdlib.push(import.path.clone()),
                ImportCategory::Local => local.push(import.path.clone()),
                _ => third_party.push(import.path.clone()),
            }
        }
        let [stdlib, third_party, local] = sets;
        let program = self.package.as_deref() == Some("main");
        for (field, value) in [
            ("exports", exports),
            ("has_main", json!(program && mains > 0)),
            ("init_count", json!(inits)),
            ("uses_cgo", json!(stdlib.iter().any(|path| path == "C"))),
            ("is_test_file", json!(walk.file.ends_with("_test.go"))),
            ("imports", json!({ "stdlib": stdlib, "third_party": third_party, "local": local })),
        ] {
            walk.facts.set(field, value);
        }
        if self.package.is_none() {
            walk.facts.set("package_name", "unknown");
        }
        walk.facts.extend("build_constraints", [""; 0]);
    }
}

fn is_interface_method(symbol: &Symbol) -> bool {
    symbol.has_idiom("interface_method")
}

impl Go {
    /// Build constraints come before the package clause.
    fn comment(&self, walk: &mut Walk, node: Node) -> Step {
        walk.pass_comment(node);
        let text = walk.node_text(node).trim_end();
        let is_constraint = text.starts_with("//go:build ") || text.starts_with("// +build ");
        if is_constraint && self.package.is_none() {
            walk.facts.push("build_constraints", text);
        }
        Step::Skip
    }

    fn package(&mut self, walk: &mut Walk, node: Node) -> Step {
        if let Some(text) = walk.comment_above(node).and_then(doc::comment) {
            walk.facts.set("package_doc", text);
        }
        if let Some(name) = child(node, "package_identifier") {
            let name = walk.node_text(name);
            walk.facts.set("package_name", name);
            self.package = Some(name.to_owned());
        }
        if let Some(module) = walk.project.go_module(walk.file) {
            walk.facts.set("module_path", &module);
            self.module = Some(module);
        }
        Step::Skip
    }
}

fn import(walk: &mut Walk, node: Node, module: Option<&str>) -> Step {
    let Some(literal) = walk.field(node, "path") else { return Step::Skip };
    let path = walk.node_text(literal).trim_matches(['"', '`']).to_owned();
    let below = |module: &str| {
        path.strip_prefix(module).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let category = if path.starts_with('.') || module.is_some_and(below) {
        ImportCategory::Local
    } else if STDLIB.has(path.as_str()) {
        ImportCategory::Stdlib
    } else {
        ImportCategory::ThirdParty
    };
    walk.import(&path, Vec::new(), category, literal);
    Step::Skip
}

fn function(walk: &mut Walk, node: Node) -> Step {
    let Some(name) = walk.field(node, "name") else { return Step::Skip };
    let receiver = walk.field(node, "receiver");
    let kind = if receiver.is_some() { SymbolKind::Method } else { SymbolKind::Function };
    let mut symbol = walk.symbol(kind, name, node);
    if let Some(receiver) = receiver {
        let receiver_type = child(receiver, "parameter_declaration")
            .and_then(|one| walk.field(one, "type"))
            .map_or("", |part| walk.node_text(part));
        symbol.parent = Some(base_type(receiver_type));
        if receiver_type.trim_start().starts_with('*') {
            symbol.idioms.push("pointer_receiver".to_owned());
        }
    }
    complete(walk, &mut symbol, node, node);
    walk.symbols.push(symbol);
    Step::Skip
}

/// The name `T` in `*T[K]` or `(T)`; `?` if there is no name.
fn base_type(text: &str) -> String {
    let text = text.trim_matches(|c: char| c == '*' || c == '(' || c == ')' || c.is_whitespace());
    let end = text.find('[').unwrap_or(text.len());
    let name = text.get(..end).unwrap_or_default().trim();
    if name.is_empty() || name.contains('.') { "?".to_owned() } else { name.to_owned() }
}

/// Sets what all declarations have in common: parameters, result, type parameters, export, comment.
fn complete(walk: &Walk, symbol: &mut Symbol, node: Node, whole: Node) {
    symbol.exported = Some(symbol.name.starts_with(char::is_uppercase));
    symbol.doc = walk.comment_above(whole).and_then(doc::comment);
    if walk.field(node, "type_parameters").is_some() {
        symbol.idioms.push("generic".to_owned());
    }
    if let Some(params) = walk.field(node, "parameters") {
        symbol.params = children(params)
            .filter(|one| one.kind() != "comment")
            .map(|one| folded(walk.node_text(one)))
            .collect();
    }
    symbol.return_type = walk.field_text(node, "result").map(folded);
}

/// One type, or the names in one constant or variable specification.
fn specification(walk: &mut Walk, node: Node, whole: Node) {
    match node.kind() {
        "comment" => walk.pass_comment(node),
        "type_spec" | "type_alias" => type_declaration(walk, node, whole),
        "const_spec" => values(walk, node, whole, SymbolKind::Constant),
        "var_spec" => values(walk, node, whole, SymbolKind::Variable),
        _ => {}
    }
}

fn values(walk: &mut Walk, node: Node, whole: Node, kind: SymbolKind) {
    let mut cursor = node.walk();
    let names: Vec<Node> = node.children_by_field_name("name", &mut cursor).collect();
    for name in names.into_iter().filter(|name| name.kind() == "identifier") {
        if walk.node_text(name) == "_" {
            continue;
        }
        let mut symbol = walk.symbol(kind, name, whole);
        symbol.end_line = super::walk::end_line(node);
        complete(walk, &mut symbol, node, whole);
        symbol.return_type = walk.field_text(node, "type").map(folded);
        walk.symbols.push(symbol);
    }
}

fn type_declaration(walk: &mut Walk, node: Node, whole: Node) {
    let (Some(name), Some(shape)) = (walk.field(node, "name"), walk.field(node, "type")) else {
        return;
    };
    let kind = match shape.kind() {
        "struct_type" => SymbolKind::Struct,
        "interface_type" => SymbolKind::Interface,
        _ => SymbolKind::Type,
    };
    let mut symbol = walk.symbol(kind, name, whole);
    symbol.end_line = super::walk::end_line(node);
    complete(walk, &mut symbol, node, whole);
    if node.kind() == "type_alias" {
        symbol.idioms.push("alias".to_owned());
    }
    let members = match kind {
        SymbolKind::Struct => child(shape, "field_declaration_list"),
        SymbolKind::Interface => Some(shape),
        _ => {
            symbol.return_type = Some(folded(walk.node_text(shape)));
            None
        }
    };
    let parent = symbol.name.clone();
    // The scope of the named members is not walked; they are read here.
    let (symbols, embedded) = members_of(walk, members, &parent);
    symbol.bases = embedded;
    walk.symbols.push(symbol);
    walk.symbols.extend(symbols);
}

/// The named members of a struct or an interface, and the types that it embeds.
fn members_of(walk: &mut Walk, list: Option<Node>, parent: &str) -> (Vec<Symbol>, Vec<String>) {
    let (mut symbols, mut embedded) = (Vec::new(), Vec::new());
    for member in list.into_iter().flat_map(children) {
        let mut cursor = member.walk();
        let names: Vec<Node> = member.children_by_field_name("name", &mut cursor).collect();
        let kind = match member.kind() {
            "comment" => {
                walk.pass_comment(member);
                continue;
            }
            "field_declaration" if names.is_empty() => {
                let end = member
                    .child_by_field_name("tag")
                    .map_or(member.end_byte(), |tag| tag.start_byte());
                embedded.extend(walk.text.get(member.start_byte()..end).map(folded));
                continue;
            }
            "type_elem" => {
                embedded.push(folded(walk.node_text(member)));
                continue;
            }
            "field_declaration" => SymbolKind::Field,
            "method_elem" | "method_spec" => SymbolKind::Method,
            _ => continue,
        };
        for name in names.into_iter().filter(|name| name.kind() == "field_identifier") {
            let mut symbol = walk.symbol(kind, name, member);
            symbol.parent = Some(parent.to_owned());
            complete(walk, &mut symbol, member, member);
            if kind == SymbolKind::Field {
                symbol.return_type = walk.field_text(member, "type").map(folded);
                symbol.decorators.extend(walk.field_text(member, "tag").map(folded));
            } else {
                symbol.idioms.push("interface_method".to_owned());
            }
            symbols.push(symbol);
        }
    }
    (symbols, embedded)
}
