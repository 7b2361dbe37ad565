//! Rust: items of modules, and members of types, traits and impls. Declarations in the body of a
//! function are local to it.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::json;
use tree_sitter::Node;

use super::{
    stdlib::Names,
    walk::{Leading, Scope, Step, Visitor, Walk, child, children, folded, line},
};
use crate::{
    import::{Import, ImportCategory},
    project::cargo::Package,
    symbol::{Symbol, SymbolKind, Visibility},
};

/// Rust.
#[derive(Debug, Default)]
pub struct Rust {
    /// Whether the file states the crate type.
    says_crate_type: bool,
    /// Imports that are renamed with `as`.
    renamed: Vec<Renamed>,
}

/// An import that is renamed with `as`.
#[derive(Debug, Serialize)]
struct Renamed {
    /// The path that is imported.
    path: String,
    /// The new name.
    name: String,
}

static STDLIB: Names = Names::embedded(include_str!("../../../../queries/rust/stdlib.txt"));

/// What the members of a scope belong to.
const MODULE: &str = "module";
const TYPE: &str = "type";
const TRAIT: &str = "trait";
const IMPL: &str = "impl";
const TRAIT_IMPL: &str = "trait impl";

impl Visitor for Rust {
    fn enter(&mut self, walk: &mut Walk, node: Node) -> Step {
        let mark = walk.scope().map_or(MODULE, |scope| scope.mark);
        match (node.kind(), mark) {
            ("line_comment" | "block_comment", _) => walk.comment(node, &["///", "/**"]),
            ("attribute_item", _) => {
                let text = walk.node_text(node).trim_start_matches('#').trim();
                let text = text.strip_prefix('[').unwrap_or(text);
                walk.attribute(node, text.strip_suffix(']').unwrap_or(text));
            }
            ("inner_attribute_item", _) => self.crate_type(walk, node),
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
            ("use_declaration", MODULE) => self.uses(walk, node),
            ("extern_crate_declaration", MODULE) => extern_crate(walk, node),
            _ => {}
        }
        Step::Skip
    }

    fn finish(&mut self, walk: &mut Walk, _root: Node) {
        categorise(walk, &self.renamed);
        let exports: Vec<String> = walk
            .symbols
            .iter()
            .filter(|symbol| symbol.exported == Some(true) && symbol.parent.is_none())
            .map(|symbol| format!("{} {}", symbol.kind.as_str(), symbol.name))
            .collect();
        walk.facts.set("exports", exports);
        let base = walk.file.rsplit('/').next().unwrap_or_default();
        let (is_lib, is_main) = (base == "lib.rs", base == "main.rs");
        walk.facts.set("is_lib_rs", is_lib);
        walk.facts.set("is_main_rs", is_main);
        if (is_lib || is_main) && !self.says_crate_type {
            walk.facts.set("crate_type", if is_lib { "lib" } else { "bin" });
        }
        let has_main = walk.symbols.iter().any(|symbol| {
            symbol.kind == SymbolKind::Function && symbol.name == "main" && symbol.parent.is_none()
        });
        walk.facts.set("has_main", has_main);
    }
}

impl Rust {
    /// `#![crate_type = "lib"]`.
    fn crate_type(&mut self, walk: &mut Walk, node: Node) {
        let text = walk.node_text(node);
        if let Some((_, value)) = text.split_once("crate_type") {
            let is_sign = |sign: char| !sign.is_ascii_alphanumeric() && sign != '-';
            walk.facts.set("crate_type", value.trim_matches(is_sign));
            self.says_crate_type = true;
        }
    }

    /// Adds one import for each path at the leaves of a `use` tree. The category is decided after
    /// the walk, when all names of the file are known.
    fn uses(&mut self, walk: &mut Walk, node: Node) {
        let first = walk.leading(node).line.unwrap_or(line(node));
        let Some(argument) = walk.field(node, "argument") else { return };
        let mut open = vec![(String::new(), argument)];
        while let Some((before, node)) = open.pop() {
            let join = |path: &str| {
                let path: String = path.split_whitespace().collect();
                if before.is_empty() { path } else { format!("{before}::{path}") }
            };
            match node.kind() {
                "scoped_use_list" => {
                    let before = walk.field_text(node, "path").map_or(before.clone(), join);
                    open.extend(walk.field(node, "list").map(|list| (before, list)));
                }
                "use_list" => {
                    let inner: Vec<Node> = children(node).filter(|part| !part.is_extra()).collect();
                    open.extend(inner.into_iter().rev().map(|part| (before.clone(), part)));
                }
                "use_as_clause" => {
                    let path = join(walk.field_text(node, "path").unwrap_or_default());
                    let alias = walk.field_text(node, "alias").unwrap_or_default();
                    let renamed = Renamed {
                        path: path.trim_start_matches("::").to_owned(),
                        name: alias.to_owned(),
                    };
                    walk.facts.push("renamed_imports", &renamed);
                    self.renamed.push(renamed);
                    push(walk, &path, first);
                }
                _ => push(walk, &join(walk.node_text(node)), first),
            }
        }
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
        match walk.field(node, "body") {
            None => symbol.idioms.push("unit".to_owned()),
            Some(body) if body.kind() == "ordered_field_declaration_list" => {
                symbol.idioms.push("tuple".to_owned());
                let mut cursor = body.walk();
                let types = body.children_by_field_name("type", &mut cursor);
                symbol.params = types.map(|part| folded(walk.node_text(part))).collect();
            }
            Some(_) => {}
        }
    }
    let scope = Scope {
        name: Some(symbol.name.clone()),
        kind: Some(kind),
        // Variants and the methods of a trait are as visible as their owner; fields are not.
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
    if walk.field(node, "body").is_some() { step } else { Step::Skip }
}

/// An impl is not a symbol: its members belong to the type. An implementation of a trait is as
/// visible as the trait.
fn implementation(walk: &mut Walk, node: Node) -> Step {
    walk.leading(node);
    let Some(of) = walk.field(node, "type") else { return Step::Skip };
    let name = target(walk, of);
    let implemented = walk.field_text(node, "trait").map(folded);
    let methods: Vec<&str> = node
        .child_by_field_name("body")
        .into_iter()
        .flat_map(children)
        .filter(|member| member.kind() == "function_item")
        .filter_map(|member| walk.field_text(member, "name"))
        .collect();
    let inherited = implemented.is_some().then_some(Visibility::Inherited);
    let mark = if implemented.is_some() { TRAIT_IMPL } else { IMPL };
    let implementation = json!({
        "target_type": folded(walk.node_text(of)),
        "trait_name": implemented, "methods": methods, "line": line(node),
    });
    walk.facts.push("impls", implementation);
    Step::Inside(Scope { name: Some(name), visibility: inherited, mark, ..Scope::default() })
}

/// The name of the type that the members of an impl belong to: the last segment of a path, without
/// references, or the text of any other type.
fn target(walk: &Walk, node: Node) -> String {
    let mut node = node;
    loop {
        let inner = match node.kind() {
            "generic_type" | "reference_type" => walk.field(node, "type"),
            "scoped_type_identifier" => walk.field(node, "name"),
            _ => None,
        };
        match inner {
            Some(inner) => node = inner,
            None => return folded(walk.node_text(node)),
        }
    }
}

fn symbol(walk: &mut Walk, node: Node, kind: SymbolKind) -> Option<Symbol> {
    let leading = walk.leading(node);
    let mut symbol = walk.symbol(kind, walk.field(node, "name")?, node);
    let written = child(node, "visibility_modifier").map(|part| folded(walk.node_text(part)));
    let given = walk.scope().and_then(|scope| scope.visibility);
    let visibility = match written.as_deref() {
        _ if kind == SymbolKind::Macro => macro_visibility(&leading),
        None | Some("pub(self)") => given.unwrap_or(Visibility::Private),
        // The members of a trait are as visible as the trait, whatever they say.
        Some(_) if given == Some(Visibility::Inherited) => Visibility::Inherited,
        Some("pub") => Visibility::Public,
        Some(_) => Visibility::Restricted,
    };
    symbol.set_visibility(visibility);
    symbol.modifiers.extend(written);
    let modifiers =
        child(node, "function_modifiers").map(|part| walk.node_text(part)).unwrap_or_default();
    symbol.modifiers.extend(modifiers.split_whitespace().map(str::to_owned));
    symbol
        .modifiers
        .extend(child(node, "mutable_specifier").map(|part| walk.node_text(part).to_owned()));
    if let Some(parameters) = walk.field(node, "parameters") {
        symbol.params = children(parameters)
            .filter(|part| !part.is_extra() && part.kind() != "attribute_item")
            .map(|part| folded(walk.node_text(part)))
            .collect();
    }
    let returned = walk.field_text(node, "return_type").or_else(|| walk.field_text(node, "type"));
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

fn push(walk: &mut Walk, path: &str, line: u32) {
    let bare = path.trim_start_matches("::");
    let absolute = bare.len() < path.len();
    let category =
        if absolute { crate_category(walk, root(bare)) } else { ImportCategory::Unknown };
    walk.imports.push(Import { path: bare.to_owned(), names: Vec::new(), category, line });
}

fn extern_crate(walk: &mut Walk, node: Node) {
    let first = walk.leading(node).line.unwrap_or(line(node));
    let name = walk.field_text(node, "name").unwrap_or_default().to_owned();
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
    if STDLIB.has(name) {
        ImportCategory::Stdlib
    } else if walk.project.cargo().owns(package(walk), name) {
        ImportCategory::Local
    } else {
        ImportCategory::ThirdParty
    }
}

/// Decides the category of each import by its first segment. As in the language, a name that the
/// file declares or imports takes precedence over a crate of that name.
fn categorise(walk: &mut Walk, renamed: &[Renamed]) {
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
    for Renamed { path, name } in renamed {
        names.insert(name.clone(), Some(root(path).to_owned()));
    }
    for symbol in &walk.symbols {
        if !matches!(symbol.kind, SymbolKind::Field | SymbolKind::Variant | SymbolKind::Method) {
            names.insert(symbol.name.clone(), None);
        }
    }
    let package = package(walk);
    let old = |name: &str| {
        package.is_some_and(|found| found.edition_2015 && found.has_module(walk.project, name))
    };
    let mut known: BTreeMap<String, ImportCategory> = BTreeMap::new();
    let mut categories = Vec::with_capacity(walk.imports.len());
    for import in &walk.imports {
        if import.category != ImportCategory::Unknown {
            categories.push(import.category);
            continue;
        }
        let mut first = root(&import.path);
        // An import may begin with a name that another import binds. A chain of these ends in a
        // crate.
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
