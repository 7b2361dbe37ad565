//! OCaml: implementations (`.ml`) and interfaces (`.mli`).
//!
//! Everything that a structure or signature defines is a symbol. Definitions inside expressions,
//! functor arguments, classes and module types are not.

use tree_sitter::Node;

use super::{
    doc::{self, Style},
    stdlib::Names,
    walk::{Scope, Step, Visitor, Walk, child, children, folded, line},
};
use crate::{
    import::ImportCategory,
    symbol::{Symbol, SymbolKind, Visibility},
};

/// OCaml implementations.
#[derive(Debug)]
pub struct OCaml;

/// OCaml interfaces.
#[derive(Debug)]
pub struct OCamlInterface;

/// Modules of the standard library and of the libraries that come with the compiler.
static STDLIB: Names = Names::embedded(include_str!("../../../../queries/ocaml/stdlib.txt"));

const COMMENTS: Style = Style { line: &[], block: Some(("(*", "*)")) };

impl Visitor for OCaml {
    fn enter(&mut self, walk: &mut Walk, node: Node) -> Step {
        match node.kind() {
            "compilation_unit"
            | "structure"
            | "typed_module_expression"
            | "functor"
            | "ERROR"
            | "module_definition" => Step::Into,
            "value_definition" => values(walk, node),
            "type_definition" => types(walk, node),
            "exception_definition" => exception(walk, node),
            "external" => external(walk, node),
            "module_binding" => module(walk, node),
            "module_type_definition" => module_type(walk, node),
            "class_definition" => classes(walk, node),
            "open_module" => open(walk, node),
            _ => Step::Skip,
        }
    }
}

impl Visitor for OCamlInterface {
    fn enter(&mut self, walk: &mut Walk, node: Node) -> Step {
        match node.kind() {
            "compilation_unit" | "ERROR" => Step::Into,
            "value_specification" | "external" => external(walk, node),
            "type_definition" => types(walk, node),
            "exception_definition" => exception(walk, node),
            // Recursive modules of a signature are declared together and have no meaning
            // separately.
            "module_definition" if !has_word(node, "rec") => Step::Into,
            "module_binding" => {
                module(walk, node);
                Step::Skip
            }
            "module_type_definition" => module_type(walk, node),
            "open_module" => open(walk, node),
            _ => Step::Skip,
        }
    }

    fn finish(&mut self, walk: &mut Walk, _root: Node) {
        for symbol in &mut walk.symbols {
            symbol.exported = Some(true);
            symbol.visibility = Some(Visibility::Public);
        }
    }
}

/// `let x = …`, `let rec f a = … and g = …`, `let a, b = …`.
fn values(walk: &mut Walk, node: Node) -> Step {
    // `let%test "…" = …` is an extension, not a value.
    if child(node, "attribute_id").is_some() {
        return Step::Skip;
    }
    for binding in children(node).filter(|found| found.kind() == "let_binding") {
        let Some(pattern) = binding.child_by_field_name("pattern") else { continue };
        let parameters: Vec<String> = children(binding)
            .filter(|found| found.kind() == "parameter")
            .map(|parameter| folded(walk.node_text(parameter)))
            .collect();
        let callable = !parameters.is_empty()
            || binding.child_by_field_name("body").is_some_and(|body| {
                matches!(body.kind(), "fun_expression" | "function_expression")
            });
        let kind = if callable { SymbolKind::Function } else { SymbolKind::Variable };
        let returned = walk.field_text(binding, "type").map(folded);
        let recursive = has_word(node, "rec");
        let mut patterns = vec![pattern];
        while let Some(pattern) = patterns.pop() {
            match pattern.kind() {
                "value_name" | "parenthesized_operator" => {
                    let Some((name, row)) = value_name(walk, pattern) else { continue };
                    let mut symbol = walk.named(kind, name, row, binding);
                    symbol.params.clone_from(&parameters);
                    symbol.return_type.clone_from(&returned);
                    symbol.modifiers.extend(recursive.then(|| "rec".to_owned()));
                    // The first binding begins at its `let`.
                    symbol.doc = doc::above(walk.text, node.start_byte(), COMMENTS)
                        .filter(|_| binding.prev_named_sibling().is_none());
                    walk.symbols.push(symbol);
                }
                "typed_pattern" => patterns.extend(pattern.child_by_field_name("pattern")),
                "tuple_pattern" | "parenthesized_pattern" => {
                    let mut inner: Vec<Node> = children(pattern).collect();
                    inner.reverse();
                    patterns.extend(inner);
                }
                _ => {}
            }
        }
    }
    Step::Skip
}

/// `external f : t = "c"` and `val f : t`.
fn external(walk: &mut Walk, node: Node) -> Step {
    let named = children(node)
        .find(|found| matches!(found.kind(), "value_name" | "parenthesized_operator"))
        .and_then(|name| value_name(walk, name));
    let Some((name, row)) = named else { return Step::Skip };
    let typed = node.child_by_field_name("type");
    let external = node.kind() == "external";
    let callable = external || typed.is_some_and(|typed| typed.kind() == "function_type");
    let kind = if callable { SymbolKind::Function } else { SymbolKind::Variable };
    let mut symbol = walk.named(kind, name, row, node);
    symbol.return_type = typed.map(|typed| folded(walk.node_text(typed)));
    symbol.modifiers.extend(external.then(|| "external".to_owned()));
    push(walk, symbol, node)
}

/// `type t = A | B and u = { a : int }` with its constructors and fields.
fn types(walk: &mut Walk, node: Node) -> Step {
    for binding in children(node).filter(|found| found.kind() == "type_binding") {
        // `type t += A` extends a type and `type t := u` replaces one: neither declares it.
        let Some(name) = binding.child_by_field_name("name") else { continue };
        if name.kind() != "type_constructor" || has_word(binding, ":=") {
            continue;
        }
        let mut symbol = walk.symbol(SymbolKind::Type, name, binding);
        symbol.return_type = walk.field_text(binding, "equation").map(folded);
        symbol.doc = doc::above(walk.text, node.start_byte(), COMMENTS)
            .filter(|_| binding.prev_named_sibling().is_none());
        let parent = symbol.name.clone();
        walk.symbols.push(symbol);
        let Some(body) = binding.child_by_field_name("body") else { continue };
        for part in children(body) {
            let (kind, name) = match part.kind() {
                "constructor_declaration" => {
                    (SymbolKind::Constructor, child(part, "constructor_name"))
                }
                "field_declaration" => (SymbolKind::Field, child(part, "field_name")),
                _ => continue,
            };
            let Some(name) = name else { continue };
            let mut symbol = walk.named(kind, constructor(walk, name, part), line(name), part);
            symbol.parent = Some(parent.clone());
            symbol.return_type = walk.field_text(part, "type").map(folded);
            symbol.modifiers.extend(has_word(part, "mutable").then(|| "mutable".to_owned()));
            walk.symbols.push(symbol);
        }
    }
    Step::Skip
}

/// The name of a constructor or field. For `[]` and `()` the grammar names only the first sign, and
/// for `(::)` also the parentheses.
fn constructor<'a>(walk: &Walk<'a>, name: Node, declaration: Node) -> &'a str {
    let whole = walk.text.get(name.start_byte()..declaration.end_byte()).unwrap_or_default();
    match whole.chars().next() {
        Some('[') => "[]",
        Some('(') => {
            let inside = whole.get(1..).and_then(|rest| rest.split(')').next());
            inside.map(str::trim).filter(|inside| !inside.is_empty()).unwrap_or("()")
        }
        _ => walk.node_text(name),
    }
}

fn exception(walk: &mut Walk, node: Node) -> Step {
    let name = child(node, "constructor_declaration")
        .and_then(|declaration| child(declaration, "constructor_name"));
    if let Some(name) = name {
        let symbol = walk.symbol(SymbolKind::Exception, name, node);
        return push(walk, symbol, node);
    }
    Step::Skip
}

/// `module M = struct … end`: its body is a scope, unless it is the result of a functor.
fn module(walk: &mut Walk, node: Node) -> Step {
    let Some(name) = child(node, "module_name").filter(|name| walk.node_text(*name) != "_") else {
        return Step::Skip;
    };
    let mut symbol = walk.symbol(SymbolKind::Module, name, node);
    symbol.params = children(node)
        .filter(|found| found.kind() == "module_parameter")
        .map(|parameter| folded(walk.node_text(parameter)))
        .collect();
    symbol.return_type = children(node)
        .find(|found| found.kind() == "module_type_path")
        .map(|path| folded(walk.node_text(path)));
    let scope = Scope {
        name: Some(symbol.name.clone()),
        kind: Some(SymbolKind::Module),
        ..Scope::default()
    };
    let declaration = node.parent().unwrap_or(node);
    push(walk, symbol, declaration);
    Step::Inside(scope)
}

fn module_type(walk: &mut Walk, node: Node) -> Step {
    let Some(name) = child(node, "module_type_name") else { return Step::Skip };
    let symbol = walk.symbol(SymbolKind::Interface, name, node);
    push(walk, symbol, node)
}

fn classes(walk: &mut Walk, node: Node) -> Step {
    for binding in children(node).filter(|found| found.kind() == "class_binding") {
        let Some(name) = child(binding, "class_name") else { continue };
        let mut symbol = walk.symbol(SymbolKind::Class, name, binding);
        symbol.doc = doc::above(walk.text, node.start_byte(), COMMENTS);
        walk.symbols.push(symbol);
    }
    Step::Skip
}

/// `open A.B`; an opened structure or functor application has no module name.
fn open(walk: &mut Walk, node: Node) -> Step {
    let module = node.child_by_field_name("module").filter(|module| module.kind() == "module_path");
    if let Some(path) = module.map(|module| folded(walk.node_text(module))) {
        let category = category(walk, path.split('.').next().unwrap_or_default());
        walk.import(&path, vec!["*".to_owned()], category, node);
    }
    Step::Skip
}

/// The file of a module has the module's name in lower case.
fn category(walk: &mut Walk, module: &str) -> ImportCategory {
    let file = |extension: &str| {
        let mut letters = module.chars();
        let first = letters.next().map(|letter| letter.to_ascii_lowercase());
        format!("{}{}.{extension}", first.unwrap_or_default(), letters.as_str())
    };
    if walk.project.holds(&file("ml")) || walk.project.holds(&file("mli")) {
        ImportCategory::Local
    } else if STDLIB.has(module) {
        ImportCategory::Stdlib
    } else if walk.has_symbol(module) {
        ImportCategory::Local
    } else {
        ImportCategory::ThirdParty
    }
}

fn push(walk: &mut Walk, mut symbol: Symbol, declaration: Node) -> Step {
    symbol.doc = doc::above(walk.text, declaration.start_byte(), COMMENTS);
    walk.symbols.push(symbol);
    Step::Skip
}

/// The name of a value and its line; an operator's name is without parentheses.
fn value_name<'a>(walk: &Walk<'a>, node: Node) -> Option<(&'a str, u32)> {
    let text = walk.node_text(node);
    let name = match node.kind() {
        "parenthesized_operator" => {
            text.strip_prefix('(').and_then(|text| text.strip_suffix(')'))?.trim()
        }
        _ => text,
    };
    (!name.is_empty() && name != "_").then(|| (name, line(node)))
}

/// Whether a word stands directly in a node.
fn has_word(node: Node, word: &str) -> bool {
    let mut cursor = node.walk();
    node.children(&mut cursor).any(|found| found.kind() == word)
}
