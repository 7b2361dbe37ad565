//! Python.
//!
//! Symbols are functions and classes at any depth, and the names that a module or a class assigns
//! in its own body. Expressions hold none, so the walk never enters them.

use std::{collections::BTreeSet, sync::LazyLock};

use serde_json::json;
use tree_sitter::Node;

use super::{
    doc,
    walk::{Language, Scope, Step, Walk, child, children, end_line, folded, line},
};
use crate::{
    import::ImportCategory,
    symbol::{Symbol, SymbolKind},
};

/// Modules of the standard library.
static STDLIB: LazyLock<BTreeSet<&str>> = LazyLock::new(|| {
    include_str!("../../stdlib/python.txt").lines().filter(|line| !line.starts_with('#')).collect()
});

/// Marks of scopes. Below a compound statement names are no longer members of the class or
/// module; a decorated definition opens its scope at its decorators.
const CLASS: &str = "class";
const FUNCTION: &str = "function";
const COMPOUND: &str = "compound";
const DECORATED_CLASS: &str = "decorated class";
const DECORATED_FUNCTION: &str = "decorated function";

/// Python.
#[derive(Debug)]
pub struct Python;

impl Language for Python {
    fn enter(&self, walk: &mut Walk, node: Node) -> Step {
        match node.kind() {
            "module" => module(walk, node),
            "decorated_definition" => decorated(walk, node),
            "function_definition" | "class_definition" => definition(walk, node),
            "assignment" | "expression_statement" => statement(walk, node),
            "import_statement" => import(walk, node),
            "import_from_statement" | "future_import_statement" => import_from(walk, node),
            "if_statement" | "for_statement" | "while_statement" | "try_statement"
            | "with_statement" | "match_statement" => {
                main_block(walk, node);
                Step::Inside(Scope { mark: COMPOUND, ..Scope::default() })
            }
            "block"
            | "elif_clause"
            | "else_clause"
            | "except_clause"
            | "except_group_clause"
            | "finally_clause"
            | "case_clause"
            | "ERROR" => Step::Into,
            _ => Step::Skip,
        }
    }

    fn finish(&self, walk: &mut Walk, _: Node) {
        exports(walk);
        imported_sets(walk);
        let imports_typing = walk
            .imports
            .iter()
            .any(|one| matches!(one.path.as_str(), "typing" | "typing_extensions"));
        let annotated = walk.symbols.iter().any(|one| {
            one.return_type.is_some() || one.params.iter().any(|param| is_annotated(param))
        });
        walk.fields.insert("uses_typing".to_owned(), (imports_typing || annotated).into());
        let has_main = walk.fields.contains_key("has_main");
        walk.fields.insert("has_main".to_owned(), has_main.into());
        walk.fields.insert("is_stub_file".to_owned(), walk.file.ends_with(".pyi").into());
    }
}

fn module(walk: &mut Walk, node: Node) -> Step {
    if let Some(version) = shebang_version(walk.text) {
        walk.fields.insert("python_version".to_owned(), version.into());
    }
    if let Some(text) = docstring(walk, node) {
        walk.fields.insert("module_docstring".to_owned(), text.into());
    }
    Step::Into
}

/// The version in `#!/usr/bin/env python3.11`.
fn shebang_version(text: &str) -> Option<String> {
    let first = text.lines().next()?.strip_prefix("#!")?;
    let (_, version) = first.split_once("python")?;
    let end = version.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(version.len());
    let version = version.get(..end)?;
    (!version.is_empty()).then(|| version.to_owned())
}

fn decorated(walk: &mut Walk, node: Node) -> Step {
    let Some(definition) = walk.part(node, "definition") else { return Step::Into };
    let decorators = children(node)
        .filter(|one| one.kind() == "decorator")
        .map(|one| folded(walk.of(one).trim_start_matches('@')))
        .collect();
    let Some(mut scope) = declare(walk, definition, node, decorators) else { return Step::Into };
    scope.mark = if scope.callable { DECORATED_FUNCTION } else { DECORATED_CLASS };
    Step::Inside(scope)
}

fn definition(walk: &mut Walk, node: Node) -> Step {
    if let Some(scope) = walk.scope_mut() {
        // The decorated definition itself: its symbol is there already.
        let mark = match scope.mark {
            DECORATED_CLASS => CLASS,
            DECORATED_FUNCTION => FUNCTION,
            _ => "",
        };
        if !mark.is_empty() {
            scope.mark = mark;
            return Step::Into;
        }
    }
    declare(walk, node, node, Vec::new()).map_or(Step::Into, Step::Inside)
}

/// Adds a function or a class and gives its scope.
fn declare(walk: &mut Walk, node: Node, whole: Node, decorators: Vec<String>) -> Option<Scope> {
    let name = walk.part(node, "name")?;
    let is_class = node.kind() == "class_definition";
    let kind = if is_class {
        SymbolKind::Class
    } else if walk.scope().is_some_and(|scope| scope.mark == CLASS) {
        SymbolKind::Method
    } else {
        SymbolKind::Function
    };
    let mut symbol = walk.symbol(kind, name, whole);
    symbol.end_line = end_line(last_statement(node));
    symbol.exported = Some(is_public(&symbol.name) && !walk.in_callable());
    symbol.doc = node
        .child_by_field_name("body")
        .and_then(|body| docstring(walk, body))
        .and_then(|text| doc::paragraph(&text));
    symbol.decorators = decorators;
    if is_class {
        symbol.bases = arguments(walk, walk.part(node, "superclasses"));
        symbol.idioms = class_idioms(&symbol);
    } else {
        symbol.params = arguments(walk, walk.part(node, "parameters"));
        symbol.return_type = walk.field(node, "return_type").map(folded);
        if node.child(0).is_some_and(|first| first.kind() == "async") {
            symbol.modifiers.push("async".to_owned());
        }
        symbol.idioms = function_idioms(&symbol);
        if walk.part(node, "body").is_some_and(|body| yields(walk, body)) {
            symbol.idioms.push("generator".to_owned());
        }
    }
    let scope = Scope {
        name: Some(walk.qualified(".", &symbol.name)),
        kind: Some(kind),
        callable: !is_class,
        mark: if is_class { CLASS } else { FUNCTION },
        ..Scope::default()
    };
    walk.symbols.push(symbol);
    Some(scope)
}

/// The last statement in a definition: comments behind it are no part of the definition.
fn last_statement(definition: Node) -> Node {
    let mut last = definition;
    while matches!(
        last.kind(),
        "function_definition"
            | "class_definition"
            | "decorated_definition"
            | "block"
            | "if_statement"
            | "for_statement"
            | "while_statement"
            | "try_statement"
            | "with_statement"
            | "match_statement"
            | "elif_clause"
            | "else_clause"
            | "except_clause"
            | "except_group_clause"
            | "finally_clause"
            | "case_clause"
    ) {
        let mut cursor = last.walk();
        let below = last.named_children(&mut cursor).filter(|one| one.kind() != "comment").last();
        match below {
            Some(below) => last = below,
            None => break,
        }
    }
    last
}

/// The entries of an argument or parameter list, as written.
fn arguments(walk: &Walk, list: Option<Node>) -> Vec<String> {
    list.into_iter()
        .flat_map(children)
        .filter(|one| one.kind() != "comment")
        .map(|one| folded(walk.of(one)))
        .collect()
}

fn class_idioms(class: &Symbol) -> Vec<String> {
    let decorated = |word: &str| class.decorators.iter().any(|text| last_name(text) == word);
    let based = |word: &str| class.bases.iter().any(|text| last_name(text) == word);
    let meta =
        class.bases.iter().any(|base| base.starts_with("metaclass") && base.ends_with("ABCMeta"));
    [
        ("dataclass", decorated("dataclass")),
        ("abstract", based("ABC") || meta || decorated("abstractmethod")),
        ("enum", ["Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"].into_iter().any(based)),
        ("named_tuple", based("NamedTuple")),
        ("typed_dict", based("TypedDict")),
        ("protocol", based("Protocol")),
        ("exception", based("Exception") || class.bases.iter().any(|base| base.ends_with("Error"))),
    ]
    .into_iter()
    .filter(|(_, is)| *is)
    .map(|(word, _)| word.to_owned())
    .collect()
}

fn function_idioms(function: &Symbol) -> Vec<String> {
    let words = [
        ("property", "property"),
        ("cached_property", "property"),
        ("setter", "setter"),
        ("staticmethod", "static"),
        ("classmethod", "class_method"),
        ("abstractmethod", "abstract"),
        ("overload", "overload"),
        ("fixture", "fixture"),
        ("contextmanager", "context_manager"),
        ("asynccontextmanager", "context_manager"),
    ];
    let has = |name: &str| function.decorators.iter().any(|text| last_name(text) == name);
    words.into_iter().filter(|(name, _)| has(name)).map(|(_, word)| word.to_owned()).collect()
}

/// `b` of `a.b(c)` or `a.b[c]`.
fn last_name(text: &str) -> &str {
    let end = text.find(['(', '[']).unwrap_or(text.len());
    let name = text.get(..end).unwrap_or_default().trim();
    name.rsplit('.').next().unwrap_or(name)
}

/// Whether a function's body yields; what its inner functions yield is theirs.
fn yields(walk: &Walk, body: Node) -> bool {
    let bytes = walk.text.as_bytes().get(body.byte_range()).unwrap_or_default();
    if memchr::memmem::find(bytes, b"yield").is_none() {
        return false;
    }
    let mut cursor = body.walk();
    loop {
        let kind = cursor.node().kind();
        if kind == "yield" {
            return true;
        }
        let own = !matches!(kind, "function_definition" | "class_definition" | "lambda");
        if own && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return false;
            }
        }
    }
}

/// The text of a body's first statement, if that is a string.
fn docstring(walk: &Walk, body: Node) -> Option<String> {
    let mut cursor = body.walk();
    let first = body.named_children(&mut cursor).find(|one| one.kind() != "comment")?;
    let string = if first.kind() == "string" { first } else { first.named_child(0)? };
    let alone = matches!(first.kind(), "string" | "expression_statement");
    if !alone || string.kind() != "string" || first.start_byte() != string.start_byte() {
        return None;
    }
    let start = child(string, "string_start")?;
    if walk.of(start).contains(['b', 'B', 'f', 'F']) {
        return None;
    }
    let end = child(string, "string_end")?;
    let text = walk.text.get(start.end_byte()..end.start_byte())?;
    Some(text.trim().to_owned())
}

fn statement(walk: &mut Walk, node: Node) -> Step {
    let top = walk.scope().is_none();
    if top || walk.scope().is_some_and(|scope| scope.mark == CLASS) {
        let mut next = assignment(node);
        while let Some(assignment) = next {
            assign(walk, node, assignment);
            next = walk.part(assignment, "right").filter(|one| one.kind() == "assignment");
        }
    }
    Step::Skip
}

/// The assignment that a statement is.
fn assignment(statement: Node) -> Option<Node> {
    let is = |one: &Node| one.kind() == "assignment";
    Some(statement).filter(is).or_else(|| statement.named_child(0).filter(is))
}

fn assign(walk: &mut Walk, statement: Node, assignment: Node) {
    let Some(left) = walk.part(assignment, "left") else { return };
    let annotation = walk.field(assignment, "type").map(folded);
    if left.kind() == "identifier" && walk.of(left) == "__all__" && walk.scope().is_none() {
        declare_exports(walk, statement, annotation.is_some());
    }
    let mut pending = vec![left];
    while let Some(target) = pending.pop() {
        match target.kind() {
            "identifier" => {
                let mut symbol = walk.symbol(SymbolKind::Variable, target, statement);
                symbol.exported = Some(is_public(&symbol.name));
                symbol.return_type.clone_from(&annotation);
                if is_constant(&symbol.name) {
                    symbol.idioms.push("constant".to_owned());
                }
                walk.symbols.push(symbol);
            }
            // Attributes and items are no names.
            "attribute" | "subscript" => {}
            _ => {
                let inner: Vec<Node> = children(target).collect();
                pending.extend(inner.into_iter().rev());
            }
        }
    }
}

/// Remembers a literal `__all__`.
fn declare_exports(walk: &mut Walk, statement: Node, annotated: bool) {
    let mut value = assignment(statement);
    while let Some(assignment) = value.filter(|one| one.kind() == "assignment") {
        value = walk.part(assignment, "right");
    }
    while let Some(inner) = value.filter(|one| one.kind() == "parenthesized_expression") {
        value = inner.named_child(0);
    }
    let is_list = |one: &Node| matches!(one.kind(), "list" | "tuple" | "set" | "expression_list");
    let Some(list) = value.filter(is_list) else { return };
    let names: Option<Vec<String>> = children(list)
        .filter(|one| one.kind() != "comment")
        .map(|one| literal(walk, one))
        .collect();
    if let Some(names) = names {
        walk.fields.insert("exports".to_owned(), json!(names));
        // An annotated list is shown; only a plain assignment decides what is exported.
        if !annotated {
            walk.fields.insert("decided".to_owned(), json!(names));
        }
    }
}

/// The value of a string literal, adjacent strings joined; none if it is something else.
fn literal(walk: &Walk, node: Node) -> Option<String> {
    match node.kind() {
        "string" => {
            if child(node, "interpolation").is_some() {
                return None;
            }
            Some(
                child(node, "string_content")
                    .map(|text| walk.of(text))
                    .unwrap_or_default()
                    .to_owned(),
            )
        }
        "concatenated_string" => children(node).map(|one| literal(walk, one)).collect(),
        _ => None,
    }
}

/// `__all__` decides what a module exports.
fn exports(walk: &mut Walk) {
    let decided = walk.fields.remove("decided");
    let Some(list) = decided.as_ref().and_then(|list| list.as_array()) else { return };
    let names: BTreeSet<&str> = list.iter().filter_map(|name| name.as_str()).collect();
    for symbol in walk.symbols.iter_mut().filter(|symbol| symbol.parent.is_none()) {
        symbol.exported = Some(names.contains(symbol.name.as_str()));
    }
}

fn import(walk: &mut Walk, node: Node) -> Step {
    for name in children(node) {
        let name = walk.part(name, "name").unwrap_or(name);
        if name.kind() == "dotted_name" {
            let path = folded(walk.of(name));
            let category = category(walk, &path);
            walk.import(&path, Vec::new(), category, node);
        }
    }
    Step::Skip
}

fn import_from(walk: &mut Walk, node: Node) -> Step {
    let module = walk.part(node, "module_name");
    let path = match module {
        Some(module) => walk.of(module).split_whitespace().collect::<String>(),
        None => "__future__".to_owned(),
    };
    let mut names = Vec::new();
    for name in children(node).filter(|one| Some(*one) != module) {
        match name.kind() {
            "dotted_name" => names.push(walk.of(name).to_owned()),
            "aliased_import" => names.extend(walk.field(name, "name").map(str::to_owned)),
            "wildcard_import" => names.push("*".to_owned()),
            _ => {}
        }
    }
    let category = category(walk, &path);
    walk.import(&path, names, category, node);
    Step::Skip
}

fn category(walk: &Walk, path: &str) -> ImportCategory {
    let first = path.split('.').next().unwrap_or_default();
    if first.is_empty() || walk.project.has_python_module(first) {
        ImportCategory::Local
    } else if STDLIB.contains(first) {
        ImportCategory::Stdlib
    } else {
        ImportCategory::ThirdParty
    }
}

/// The first segments of imported modules by category; relative ones as written.
fn imported_sets(walk: &mut Walk) {
    let mut sets = [BTreeSet::new(), BTreeSet::new(), BTreeSet::new()];
    for import in &walk.imports {
        let first = import.path.split('.').next().filter(|first| !first.is_empty());
        let name = first.unwrap_or(&import.path).to_owned();
        let [builtin, third_party, local] = &mut sets;
        match import.category {
            ImportCategory::Stdlib => builtin.insert(name),
            ImportCategory::Local => local.insert(name),
            _ => third_party.insert(name),
        };
    }
    let [builtin, third_party, local] = sets;
    walk.fields.insert(
        "imports".to_owned(),
        json!({ "builtin": builtin, "third_party": third_party, "local": local }),
    );
}

/// `if __name__ == "__main__":` at the top.
fn main_block(walk: &mut Walk, node: Node) {
    if walk.scope().is_some() || node.kind() != "if_statement" {
        return;
    }
    let condition = walk.field(node, "condition").unwrap_or_default();
    if condition.contains("__name__") && condition.contains("__main__") {
        walk.fields.insert("has_main".to_owned(), true.into());
        walk.fields.insert("main_line".to_owned(), line(node).into());
    }
}

fn is_public(name: &str) -> bool {
    !name.starts_with('_') || (name.starts_with("__") && name.ends_with("__"))
}

fn is_constant(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_uppercase())
        && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
}

fn is_annotated(param: &str) -> bool {
    let end = param.find('=').unwrap_or(param.len());
    param.get(..end).is_some_and(|head| head.contains(':'))
}
