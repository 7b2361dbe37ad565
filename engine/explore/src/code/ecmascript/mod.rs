//! What JavaScript and TypeScript share.
//!
//! Symbols are declarations of functions, classes and types with all their members at any depth,
//! methods and accessors of object literals, and the variables of the file's own statements. A
//! member is exported if its owner is and it is not private.

mod idioms;
mod modules;

use std::sync::LazyLock;

use tree_sitter::Node;

pub use idioms::{finish_javascript, finish_typescript};

use super::{
    doc,
    landmarks::Signs,
    walk::{Scope, Step, Walk, Wrapper, child, children, end_line, folded, line},
};
use crate::symbol::{Symbol, SymbolKind, Visibility};

/// What declares and imports, and the comments that document: expressions without any of these
/// hold nothing. `use` begins the names of hooks.
const SIGNS: [&str; 12] = [
    "{",
    "/*",
    "//",
    "declare",
    "export",
    "function",
    "import",
    "module",
    "namespace",
    "require",
    "type",
    "use",
];

/// The landmarks of TypeScript.
pub static LANDMARKS: LazyLock<Signs> = LazyLock::new(|| Signs::of(&SIGNS));

/// The same for the grammars that know JSX.
pub static LANDMARKS_OF_JSX: LazyLock<Signs> =
    LazyLock::new(|| Signs::of(&[&SIGNS[..], &["<"]].concat()));

/// Marks of scopes: the file's own statements, and the body of a class.
const TOP: &str = "top";
const CLASS_BODY: &str = "class body";

/// Looks at one node of a kind. `commonjs`: whether `module.exports` exports.
pub fn enter(walk: &mut Walk, node: Node, kind: &str, commonjs: bool) -> Step {
    match kind {
        "identifier"
        | "property_identifier"
        | "type_identifier"
        | "predefined_type"
        | "string"
        | "number"
        | "regex"
        | "this"
        | "null"
        | "true"
        | "false"
        | "undefined"
        | "jsx_text" => Step::Skip,
        // A file that the grammar cannot read as a whole has an error as its root.
        "program" | "ERROR" if walk.scope().is_none() => {
            modules::exported_names(walk, node, commonjs);
            Step::Inside(Scope { mark: TOP, ..Scope::default() })
        }
        "ERROR" => Step::Into,
        "type_annotation" | "type_arguments" | "extends_type_clause" | "implements_clause" => {
            walk.memo.types_before = walk.memo.types_before.max(node.end_byte());
            nested(walk)
        }
        "comment" => {
            walk.pass_comment(node);
            Step::Skip
        }
        "export_statement" => export(walk, node),
        "import_statement" => modules::import(walk, node),
        "call_expression" => modules::call(walk, node),
        "assignment_expression" => modules::assignment(walk, node, commonjs),
        "class_declaration" | "abstract_class_declaration" => {
            class(walk, walk.part(node, "name"), node)
        }
        "class" => default_value(walk, node, class),
        "class_body" => class_body(walk, node),
        "function_declaration" | "generator_function_declaration" | "function_signature" => {
            function(walk, walk.part(node, "name"), node)
        }
        "function_expression" | "generator_function" => default_value(walk, node, function),
        "method_definition" | "method_signature" | "abstract_method_signature" => {
            method(walk, node)
        }
        "public_field_definition" | "field_definition" | "property_signature" => {
            property(walk, node)
        }
        "lexical_declaration" | "variable_declaration" => variables(walk, node),
        "variable_declarator" => declarator(walk, node),
        "expression_statement" => statement(walk, node),
        "jsx_element" | "jsx_self_closing_element" | "jsx_fragment" => {
            walk.sight("jsx", node, "");
            nested(walk)
        }
        _ => nested(walk),
    }
}

/// Goes into a node that is no declaration: what is below is no statement of the file, and no
/// member of the class, any more.
pub fn nested(walk: &Walk) -> Step {
    match walk.scope() {
        Some(scope) if scope.mark == TOP || scope.mark == CLASS_BODY => {
            Step::Inside(Scope::default())
        }
        _ => Step::Into,
    }
}

fn is_top(walk: &Walk) -> bool {
    walk.scope().is_some_and(|scope| scope.mark == TOP)
}

/// A declaration; without a name it is the file's default.
pub fn declare(walk: &Walk, kind: SymbolKind, name: Option<Node>, node: Node) -> Symbol {
    let wrapper = walk.memo.wrappers.get(&node.start_byte());
    let (start, first_line) =
        wrapper.map_or((node.start_byte(), line(node)), |wrapper| wrapper.start);
    let mut symbol = match name {
        Some(name) => walk.symbol(kind, name, node),
        None => walk.named(kind, "default", first_line, node),
    };
    symbol.decl_line = first_line;
    symbol.end_line = end_line(node);
    symbol.doc =
        walk.comment_before(start).filter(|text| text.starts_with("/*")).and_then(doc::comment);
    if let Some(wrapper) = wrapper {
        symbol.modifiers.clone_from(&wrapper.modifiers);
        symbol.decorators.clone_from(&wrapper.decorators);
    }
    let until = name.map_or(node.end_byte(), |name| name.start_byte());
    let mut cursor = node.walk();
    for word in node.children(&mut cursor).take_while(|one| one.start_byte() < until) {
        match word.kind() {
            "decorator" => symbol.decorators.push(folded(walk.of(word).trim_start_matches('@'))),
            "*" => symbol.idioms.push("generator".to_owned()),
            "static"
            | "async"
            | "get"
            | "set"
            | "readonly"
            | "abstract"
            | "declare"
            | "const"
            | "accessor"
            | "accessibility_modifier"
            | "override_modifier"
            | "override"
            | "static get" => symbol.modifiers.push(walk.of(word).to_owned()),
            _ => {}
        }
    }
    if node.kind().starts_with("generator") && !symbol.has_idiom("generator") {
        symbol.idioms.push("generator".to_owned());
    }
    member(walk, &mut symbol, start);
    symbol
}

/// Who may use it, and whether it is exported.
fn member(walk: &Walk, symbol: &mut Symbol, start: usize) {
    let private = symbol.has_modifier("private") || symbol.name.starts_with('#');
    let protected = symbol.has_modifier("protected");
    if walk.scope().is_some_and(|scope| scope.mark == CLASS_BODY) {
        symbol.visibility = Some(if private {
            Visibility::Private
        } else if protected {
            Visibility::Protected
        } else {
            Visibility::Public
        });
    }
    symbol.exported = Some(if let Some(exported) = owner(walk) {
        exported && !private && !protected
    } else {
        let named = symbol.has_modifier("export") || walk.memo.names.contains(&symbol.name);
        is_top(walk) && (named || behind_export(walk, start))
    });
}

/// Whether the word `export` stands before a declaration that an error has torn off it.
fn behind_export(walk: &Walk, start: usize) -> bool {
    let before = walk.text.get(..start).unwrap_or_default().trim_end();
    let words = before.rsplit(|c: char| c.is_whitespace() || c == ';' || c == '}');
    words.take(2).any(|word| word == "export")
}

/// Whether the owner is exported; none outside of any.
fn owner(walk: &Walk) -> Option<bool> {
    walk.owner().map(|scope| scope.exported.unwrap_or(false))
}

/// The scope of a symbol's members.
pub fn scope_of(symbol: &Symbol) -> Scope {
    let name = match &symbol.parent {
        Some(parent) => format!("{parent}.{}", symbol.name),
        None => symbol.name.clone(),
    };
    Scope {
        name: Some(name),
        kind: Some(symbol.kind),
        exported: symbol.exported,
        ..Scope::default()
    }
}

/// Adds a symbol and goes inside.
pub fn open(walk: &mut Walk, symbol: Symbol) -> Step {
    let scope = scope_of(&symbol);
    walk.symbols.push(symbol);
    Step::Inside(scope)
}

/// Remembers what stands around a declaration that begins inside another node.
pub fn wrap(walk: &mut Walk, outer: Node, inner: Option<Node>, words: &[&str]) {
    let Some(inner) = inner else { return };
    let mut wrapper =
        walk.memo.wrappers.get(&outer.start_byte()).cloned().unwrap_or_else(|| Wrapper {
            start: (outer.start_byte(), line(outer)),
            modifiers: Vec::new(),
            decorators: Vec::new(),
        });
    wrapper.modifiers.extend(words.iter().map(|word| (*word).to_owned()));
    let decorators = children(outer).filter(|one| one.kind() == "decorator");
    wrapper.decorators.extend(decorators.map(|one| folded(walk.of(one).trim_start_matches('@'))));
    walk.memo.wrappers.insert(inner.start_byte(), wrapper);
}

fn export(walk: &mut Walk, node: Node) -> Step {
    let mut cursor = node.walk();
    let is_default = node.children(&mut cursor).any(|one| one.kind() == "default");
    let words: &[&str] = if is_default { &["export", "default"] } else { &["export"] };
    let declaration = walk.part(node, "declaration");
    // `export default class {}` and `export default function () {}` are declarations, too.
    let value = walk.part(node, "value").filter(|one| {
        is_default && matches!(one.kind(), "class" | "function_expression" | "generator_function")
    });
    wrap(walk, node, declaration.or(value), words);
    modules::export(walk, node, is_default);
    Step::Into
}

/// A class or function expression, which is a symbol only as the file's default.
fn default_value(
    walk: &mut Walk,
    node: Node,
    declaration: fn(&mut Walk, Option<Node>, Node) -> Step,
) -> Step {
    let is_default = walk
        .memo
        .wrappers
        .get(&node.start_byte())
        .is_some_and(|wrapper| wrapper.modifiers.iter().any(|word| word == "default"));
    let direct = walk.scope().is_none_or(|scope| scope.mark == TOP || scope.name.is_some());
    if is_default && direct {
        declaration(walk, walk.part(node, "name"), node)
    } else {
        nested(walk)
    }
}

fn class(walk: &mut Walk, name: Option<Node>, node: Node) -> Step {
    let mut symbol = declare(walk, SymbolKind::Class, name, node);
    if let Some(heritage) = child(node, "class_heritage") {
        let mut typed = false;
        for clause in children(heritage) {
            let list = children(clause).filter(|one| one.kind() != "type_arguments");
            match clause.kind() {
                "implements_clause" => {
                    symbol.implements.extend(list.map(|one| folded(walk.of(one))));
                    typed = true;
                }
                "extends_clause" => {
                    let text = folded(walk.of(clause));
                    symbol.bases.push(text.trim_start_matches("extends").trim().to_owned());
                    typed = true;
                }
                _ => {}
            }
        }
        if !typed {
            let text = folded(walk.of(heritage));
            symbol.bases.push(text.trim_start_matches("extends").trim().to_owned());
        }
    }
    if walk.part(node, "type_parameters").is_some() {
        symbol.idioms.push("generic".to_owned());
    }
    open(walk, symbol)
}

/// Decorators of a member stand before it.
fn class_body(walk: &mut Walk, node: Node) -> Step {
    let mut first: Option<Node> = None;
    let mut decorators: Vec<String> = Vec::new();
    for member in children(node) {
        if member.kind() == "decorator" {
            first.get_or_insert(member);
            decorators.push(folded(walk.of(member).trim_start_matches('@')));
        } else if member.kind() != "comment"
            && let Some(first) = first.take()
        {
            let wrapper = Wrapper {
                start: (first.start_byte(), line(first)),
                modifiers: Vec::new(),
                decorators: std::mem::take(&mut decorators),
            };
            walk.memo.wrappers.insert(member.start_byte(), wrapper);
        }
    }
    Step::Inside(Scope { mark: CLASS_BODY, ..Scope::default() })
}

fn function(walk: &mut Walk, name: Option<Node>, node: Node) -> Step {
    let mut symbol = declare(walk, SymbolKind::Function, name, node);
    signature(walk, &mut symbol, node);
    open(walk, symbol)
}

/// Parameters, return type and type parameters.
fn signature(walk: &Walk, symbol: &mut Symbol, node: Node) {
    symbol.params = match walk.part(node, "parameters") {
        Some(list) => children(list)
            .filter(|one| one.kind() != "comment")
            .map(|one| folded(walk.of(one)))
            .collect(),
        None => walk.field(node, "parameter").map(folded).into_iter().collect(),
    };
    symbol.return_type = walk.field(node, "return_type").map(annotation);
    if walk.part(node, "type_parameters").is_some() {
        symbol.idioms.push("generic".to_owned());
    }
}

/// The type in `: type`.
fn annotation(text: &str) -> String {
    folded(text.trim_start_matches(':'))
}

fn method(walk: &mut Walk, node: Node) -> Step {
    let Some(name) = walk.part(node, "name") else { return nested(walk) };
    let mut symbol = declare(walk, SymbolKind::Method, Some(name), node);
    let in_class = walk.scope().is_some_and(|scope| scope.mark == CLASS_BODY);
    let plain = symbol.name.trim_matches(['"', '\'']);
    if symbol.has_modifier("get") {
        symbol.kind = SymbolKind::Getter;
    } else if symbol.has_modifier("set") {
        symbol.kind = SymbolKind::Setter;
    } else if in_class && plain == "constructor" && !symbol.has_modifier("static") {
        symbol.kind = SymbolKind::Constructor;
        "constructor".clone_into(&mut symbol.name);
    }
    signature(walk, &mut symbol, node);
    open(walk, symbol)
}

fn property(walk: &mut Walk, node: Node) -> Step {
    let name = walk.part(node, "name").or_else(|| walk.part(node, "property"));
    let Some(name) = name else { return nested(walk) };
    let mut symbol = declare(walk, SymbolKind::Property, Some(name), node);
    symbol.return_type = walk.field(node, "type").map(annotation);
    let mut cursor = node.walk();
    if walk.of(node).contains('?') && node.children(&mut cursor).any(|one| one.kind() == "?") {
        symbol.idioms.push("optional".to_owned());
    }
    if walk.field(node, "value").is_some_and(|value| value.contains("=>")) {
        symbol.idioms.push("arrow".to_owned());
    }
    open(walk, symbol)
}

/// The variables of the file's own statements.
fn variables(walk: &mut Walk, node: Node) -> Step {
    if walk.owner().is_some() {
        return Step::Into;
    }
    if !is_top(walk) {
        let in_loop = node.parent().is_some_and(|one| one.kind() == "for_statement");
        // The head of a loop is no statement: names below it keep their owner.
        return if in_loop {
            Step::Inside(Scope { mark: "loop", ..Scope::default() })
        } else {
            Step::Into
        };
    }
    let keyword = node.child(0).map(|one| walk.of(one)).unwrap_or_default();
    for one in children(node).filter(|one| one.kind() == "variable_declarator") {
        let Some(name) = walk.part(one, "name").filter(|one| one.kind() == "identifier") else {
            continue;
        };
        let value = walk.part(one, "value");
        let callable = value.filter(|value| {
            matches!(
                value.kind(),
                "arrow_function" | "function_expression" | "generator_function" | "function"
            )
        });
        let kind = if callable.is_some() { SymbolKind::Function } else { SymbolKind::Variable };
        let mut symbol = declare(walk, kind, Some(name), node);
        symbol.modifiers.retain(|word| word != "const");
        symbol.modifiers.push(keyword.to_owned());
        symbol.end_line = end_line(one);
        symbol.return_type = walk.field(one, "type").map(annotation);
        if let Some(value) = callable {
            signature(walk, &mut symbol, value);
            symbol.idioms.extend(callable_idioms(walk, &mut symbol.modifiers, value));
            symbol.return_type =
                symbol.return_type.or_else(|| walk.field(one, "type").map(annotation));
        }
        if value.is_some() {
            symbol.idioms.push("initialised".to_owned());
        }
        walk.symbols.push(symbol);
    }
    Step::Into
}

fn callable_idioms(walk: &Walk, modifiers: &mut Vec<String>, value: Node) -> Vec<String> {
    let mut idioms = Vec::new();
    if value.kind() == "arrow_function" {
        idioms.push("arrow".to_owned());
    }
    if value.kind() == "generator_function" {
        idioms.push("generator".to_owned());
    }
    if value.child(0).is_some_and(|first| walk.of(first) == "async") {
        modifiers.push("async".to_owned());
    }
    idioms
}

/// The value of a variable outside of any owner: what is in it belongs to the variable.
fn declarator(walk: &mut Walk, node: Node) -> Step {
    if walk.owner().is_some() || walk.scope().is_some_and(|scope| scope.mark == "loop") {
        return Step::Into;
    }
    let (Some(name), Some(value)) = (walk.part(node, "name"), walk.part(node, "value")) else {
        return Step::Skip;
    };
    walk.memo.skip_before = value.start_byte();
    let name = Some(walk.of(name).to_owned());
    Step::Inside(Scope { name, exported: Some(false), ..Scope::default() })
}

/// A statement that is an expression: directives, calls of the file itself, namespaces.
fn statement(walk: &mut Walk, node: Node) -> Step {
    let Some(first) = node.named_child(0).filter(|_| is_top(walk)) else { return nested(walk) };
    match first.kind() {
        // TypeScript's namespaces are parsed as expressions.
        "internal_module" => return Step::Into,
        "string" if walk.of(first).trim_matches(['"', '\'']) == "use strict" => {
            walk.sight("strict", node, "");
        }
        "call_expression" | "await_expression" | "new_expression" | "unary_expression" => {
            let text = walk.of(first);
            let called = walk.part(first, "function");
            let is_iife = called.is_some_and(|one| one.kind() == "parenthesized_expression")
                && (text.contains("function") || text.contains("=>"))
                || first.kind() == "unary_expression" && text.contains("function");
            walk.sight(if is_iife { "iife" } else { "run" }, node, "");
        }
        "parenthesized_expression"
            if walk.of(first).trim_end_matches([')', ' ']).ends_with('(') =>
        {
            walk.sight("iife", node, "");
        }
        _ => {}
    }
    nested(walk)
}
