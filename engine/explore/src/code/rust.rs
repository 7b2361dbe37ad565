//! Rust: items of modules, members of types, traits and impls. What stands in the body of a
//! function is local to it.

use std::{collections::BTreeMap, sync::LazyLock};

use serde_json::json;
use tree_sitter::Node;

use super::{
    leading::Leading,
    walk::{Language, Scope, Step, Walk, child, children, folded, line},
};
use crate::{
    import::{Import, ImportCategory},
    project::cargo::Package,
    symbol::{Symbol, SymbolKind, Visibility},
};

/// The language.
pub struct Rust;

static STDLIB: LazyLock<Vec<&str>> = LazyLock::new(|| {
    include_str!("../../stdlib/rust.txt").lines().filter(|name| !name.starts_with('#')).collect()
});

/// What a scope's members are.
const MODULE: &str = "module";
const TYPE: &str = "type";
const TRAIT: &str = "trait";
const IMPL: &str = "impl";
const TRAIT_IMPL: &str = "trait impl";

impl Language for Rust {
    fn enter(&self, walk: &mut Walk, node: Node) -> Step {
        let mark = walk.scope().map_or(MODULE, |scope| scope.mark);
        match (node.kind(), mark) {
            ("line_comment" | "block_comment", _) => walk.comment(node, &["///", "/**"]),
            ("attribute_item", _) => {
                let text = walk.of(node).trim_start_matches('#').trim();
                let text = text.strip_prefix('[').unwrap_or(text);
                walk.attribute(node, text.strip_suffix(']').unwrap_or(text));
            }
            ("inner_attribute_item", _) => crate_type(walk, node),
            ("source_file" | "declaration_list" | "ERROR", _)
            | ("field_declaration_list" | "enum_variant_list", TYPE) => return Step::Into,
            ("mod_item", MODULE) => return module(walk, node),
            ("struct_item", MODULE) => return owner(walk, node, SymbolKind::Struct, TYPE),
            ("enum_item", MODULE) => return owner(walk, node, SymbolKind::Enum, TYPE),
            ("trait_item", MODULE) => return owner(walk, node, SymbolKind::Trait, TRAIT),
            ("impl_item", MODULE) => return implementation(walk, node),
            ("union_item", MODULE) => item(walk, node, SymbolKind::Union),
            ("type_item", MODULE) => item(walk, node, SymbolKind::Type),
            ("static_item", MODULE) => item(walk, node, SymbolKind::Static),
            ("const_item", MODULE | IMPL | TRAIT_IMPL) => item(walk, node, SymbolKind::Constant),
            ("field_declaration", TYPE) => item(walk, node, SymbolKind::Field),
            ("enum_variant", TYPE) => item(walk, node, SymbolKind::Variant),
            ("macro_definition", MODULE) => item(walk, node, SymbolKind::Macro),
            ("function_item", MODULE) => item(walk, node, SymbolKind::Function),
            ("function_item", _) | ("function_signature_item", TRAIT) => {
                item(walk, node, SymbolKind::Method);
            }
            ("use_declaration", MODULE) => uses(walk, node),
            ("extern_crate_declaration", MODULE) => extern_crate(walk, node),
            _ => {}
        }
        Step::Skip
    }

    fn finish(&self, walk: &mut Walk, _root: Node) {
        categorise(walk);
        let exports: Vec<String> = walk
            .symbols
            .iter()
            .filter(|symbol| symbol.exported == Some(true) && symbol.parent.is_none())
            .map(|symbol| format!("{} {}", symbol.kind.as_str(), symbol.name))
            .collect();
        walk.fields.insert("exports".to_owned(), exports.into());
        let base = walk.file.rsplit('/').next().unwrap_or_default();
        let (is_lib, is_main) = (base == "lib.rs", base == "main.rs");
        walk.fields.insert("is_lib_rs".to_owned(), is_lib.into());
        walk.fields.insert("is_main_rs".to_owned(), is_main.into());
        if is_lib || is_main {
            let word = if is_lib { "lib" } else { "bin" };
            walk.fields.entry("crate_type").or_insert_with(|| word.into());
        }
        let has_main = walk.symbols.iter().any(|symbol| {
            symbol.kind == SymbolKind::Function && symbol.name == "main" && symbol.parent.is_none()
        });
        walk.fields.insert("has_main".to_owned(), has_main.into());
    }
}

/// `#![crate_type = "lib"]`.
fn crate_type(walk: &mut Walk, node: Node) {
    let text = walk.of(node);
    if let Some((_, value)) = text.split_once("crate_type") {
        let value = value.trim_matches(|sign: char| !sign.is_ascii_alphanumeric() && sign != '-');
        walk.fields.insert("crate_type".to_owned(), value.into());
    }
}

/// Adds the symbol of a declaration that has nothing inside.
fn item(walk: &mut Walk, node: Node, kind: SymbolKind) {
    if let Some(symbol) = symbol(walk, node, kind) {
        walk.symbols.push(symbol);
    }
}

/// Adds the symbol of a type or trait, whose members follow.
fn owner(walk: &mut Walk, node: Node, kind: SymbolKind, mark: &'static str) -> Step {
    let Some(mut symbol) = symbol(walk, node, kind) else { return Step::Skip };
    if kind == SymbolKind::Struct {
        match walk.part(node, "body") {
            None => symbol.idioms.push("unit".to_owned()),
            Some(body) if body.kind() == "ordered_field_declaration_list" => {
                symbol.idioms.push("tuple".to_owned());
                let mut cursor = body.walk();
                let types = body.children_by_field_name("type", &mut cursor);
                symbol.params = types.map(|of| folded(walk.of(of))).collect();
            }
            Some(_) => {}
        }
    }
    let scope = Scope {
        name: Some(symbol.name.clone()),
        kind: Some(kind),
        // Variants and a trait's methods are as visible as what they belong to; fields are not.
        visibility: symbol
            .visibility
            .filter(|_| matches!(kind, SymbolKind::Enum | SymbolKind::Trait)),
        mark,
        ..Scope::default()
    };
    walk.symbols.push(symbol);
    Step::Inside(scope)
}

fn module(walk: &mut Walk, node: Node) -> Step {
    let step = owner(walk, node, SymbolKind::Module, MODULE);
    if walk.part(node, "body").is_some() { step } else { Step::Skip }
}

/// An impl is no symbol: it files its members under the type. What implements a trait is as
/// visible as the trait.
fn implementation(walk: &mut Walk, node: Node) -> Step {
    walk.leading(node);
    let Some(of) = walk.part(node, "type") else { return Step::Skip };
    let name = target(walk, of);
    let implemented = walk.field(node, "trait").map(folded);
    let methods: Vec<&str> = node
        .child_by_field_name("body")
        .into_iter()
        .flat_map(children)
        .filter(|member| member.kind() == "function_item")
        .filter_map(|member| walk.field(member, "name"))
        .collect();
    let inherited = implemented.is_some().then_some(Visibility::Inherited);
    let mark = if implemented.is_some() { TRAIT_IMPL } else { IMPL };
    let impls = walk.fields.entry("impls").or_insert_with(|| json!([]));
    if let Some(impls) = impls.as_array_mut() {
        impls.push(json!({
            "target_type": folded(walk.text.get(of.byte_range()).unwrap_or_default()),
            "trait_name": implemented, "methods": methods, "line": line(node),
        }));
    }
    Step::Inside(Scope { name: Some(name), visibility: inherited, mark, ..Scope::default() })
}

/// The name under which the members of an impl are filed: the last segment of a path behind
/// references, the text of any other type.
fn target(walk: &Walk, node: Node) -> String {
    let mut node = node;
    loop {
        let inner = match node.kind() {
            "generic_type" | "reference_type" => walk.part(node, "type"),
            "scoped_type_identifier" => walk.part(node, "name"),
            _ => None,
        };
        match inner {
            Some(inner) => node = inner,
            None => return folded(walk.of(node)),
        }
    }
}

fn symbol(walk: &mut Walk, node: Node, kind: SymbolKind) -> Option<Symbol> {
    let leading = walk.leading(node);
    let mut symbol = walk.symbol(kind, walk.part(node, "name")?, node);
    let written = child(node, "visibility_modifier").map(|of| folded(walk.of(of)));
    let given = walk.scope().and_then(|scope| scope.visibility);
    let visibility = match written.as_deref() {
        _ if kind == SymbolKind::Macro => macro_visibility(&leading),
        None | Some("pub(self)") => given.unwrap_or(Visibility::Private),
        // A trait's members are as visible as the trait, whatever they say.
        Some(_) if given == Some(Visibility::Inherited) => Visibility::Inherited,
        Some("pub") => Visibility::Public,
        Some(_) => Visibility::Restricted,
    };
    symbol.visibility = Some(visibility);
    symbol.exported = Some(visibility == Visibility::Public);
    symbol.modifiers.extend(written);
    let modifiers = child(node, "function_modifiers").map(|of| walk.of(of)).unwrap_or_default();
    symbol.modifiers.extend(modifiers.split_whitespace().map(str::to_owned));
    symbol.modifiers.extend(child(node, "mutable_specifier").map(|of| walk.of(of).to_owned()));
    if let Some(parameters) = walk.part(node, "parameters") {
        symbol.params = children(parameters)
            .filter(|of| !of.is_extra() && of.kind() != "attribute_item")
            .map(|of| folded(walk.of(of)))
            .collect();
    }
    let returned = walk.field(node, "return_type").or_else(|| walk.field(node, "type"));
    symbol.return_type = returned.map(folded);
    symbol.doc = leading.doc();
    symbol.decl_line = leading.line.unwrap_or(symbol.decl_line);
    symbol.decorators = leading.attributes;
    Some(symbol)
}

fn macro_visibility(leading: &Leading) -> Visibility {
    if leading.attributes.iter().any(|attribute| attribute == "macro_export") {
        Visibility::Public
    } else {
        Visibility::Private
    }
}

/// Adds one import for each path at the leaves of a `use` tree. Its category is decided behind
/// the walk, when all names of the file are known.
fn uses(walk: &mut Walk, node: Node) {
    let first = walk.leading(node).line.unwrap_or(line(node));
    let Some(argument) = walk.part(node, "argument") else { return };
    let mut open = vec![(String::new(), argument)];
    while let Some((before, node)) = open.pop() {
        let join = |path: &str| {
            let path: String = path.split_whitespace().collect();
            if before.is_empty() { path } else { format!("{before}::{path}") }
        };
        match node.kind() {
            "scoped_use_list" => {
                let before = walk.field(node, "path").map_or(before.clone(), join);
                open.extend(walk.part(node, "list").map(|list| (before, list)));
            }
            "use_list" => {
                let inner: Vec<Node> = children(node).filter(|of| !of.is_extra()).collect();
                open.extend(inner.into_iter().rev().map(|of| (before.clone(), of)));
            }
            "use_as_clause" => {
                let path = join(walk.field(node, "path").unwrap_or_default());
                let alias = walk.field(node, "alias").unwrap_or_default();
                let renamed = walk.fields.entry("renamed_imports").or_insert_with(|| json!([]));
                if let Some(renamed) = renamed.as_array_mut() {
                    renamed.push(json!({"path": path.trim_start_matches("::"), "name": alias}));
                }
                push(walk, &path, first);
            }
            _ => push(walk, &join(walk.of(node)), first),
        }
    }
}

fn push(walk: &mut Walk, path: &str, line: u32) {
    let bare = path.trim_start_matches("::");
    let absolute = bare.len() < path.len();
    let category =
        if absolute { crate_category(walk, root(bare)) } else { ImportCategory::Unknown };
    walk.imports.push(Import { path: bare.to_owned(), names: Vec::new(), category, line });
}

fn extern_crate(walk: &mut Walk, node: Node) {
    let first = walk.leading(node).line.unwrap_or(line(node));
    let name = walk.field(node, "name").unwrap_or_default().to_owned();
    let category = if name == "self" { ImportCategory::Local } else { crate_category(walk, &name) };
    walk.imports.push(Import { path: name, names: Vec::new(), category, line: first });
}

fn root(path: &str) -> &str {
    path.split("::").next().unwrap_or_default()
}

fn package<'a>(walk: &Walk<'a>) -> Option<&'a Package> {
    let file = walk.project.relative(walk.file)?;
    walk.project.cargo().package(&file)
}

fn crate_category(walk: &Walk, name: &str) -> ImportCategory {
    if STDLIB.contains(&name) {
        ImportCategory::Stdlib
    } else if walk.project.cargo().owns(package(walk), name) {
        ImportCategory::Local
    } else {
        ImportCategory::ThirdParty
    }
}

/// Decides the category of each import by its first segment: a name that the file declares or
/// imports comes before a crate of that name, as in the language.
fn categorise(walk: &mut Walk) {
    let mut names: BTreeMap<String, Option<String>> = BTreeMap::new();
    for import in &walk.imports {
        let mut segments = import.path.rsplit("::");
        let bound = match segments.next() {
            Some("self") => segments.next(),
            last => last,
        };
        let first = root(&import.path);
        if let Some(bound) = bound.filter(|bound| *bound != first) {
            names.insert(bound.to_owned(), Some(first.to_owned()));
        }
    }
    let renamed = walk.fields.get("renamed_imports").and_then(|of| of.as_array());
    for entry in renamed.into_iter().flatten() {
        let text = |key: &str| entry.get(key).and_then(|of| of.as_str()).unwrap_or_default();
        names.insert(text("name").to_owned(), Some(root(text("path")).to_owned()));
    }
    for symbol in &walk.symbols {
        if !matches!(symbol.kind, SymbolKind::Field | SymbolKind::Variant | SymbolKind::Method) {
            names.insert(symbol.name.clone(), None);
        }
    }
    let package = package(walk);
    let old =
        |name: &str| package.is_some_and(|of| of.edition_2015 && of.has_module(walk.project, name));
    let mut known: BTreeMap<String, ImportCategory> = BTreeMap::new();
    let mut categories = Vec::with_capacity(walk.imports.len());
    for import in &walk.imports {
        if import.category != ImportCategory::Unknown {
            categories.push(import.category);
            continue;
        }
        let mut first = root(&import.path);
        // An import may begin with a name that another one binds; a chain ends in a crate.
        for _ in 0..8 {
            match names.get(first) {
                Some(Some(from)) => first = from,
                Some(None) => first = "self",
                None => break,
            }
        }
        let category = known.entry(first.to_owned()).or_insert_with(|| {
            if matches!(first, "crate" | "self" | "super" | "$crate") || old(first) {
                ImportCategory::Local
            } else {
                crate_category(walk, first)
            }
        });
        categories.push(*category);
    }
    for (import, category) in walk.imports.iter_mut().zip(categories) {
        import.category = category;
    }
}
