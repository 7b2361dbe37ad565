//! C and C++, and what C-like languages share with them.

use std::sync::LazyLock;

use serde_json::json;
use tree_sitter::Node;

use super::{
    branches, conditional,
    declarator::{Declared, declared, operator, path},
    doc, lone_macros,
    stdlib::Names,
    walk::{Language, Scope, Step, Walk, child, children, distinct, folded, line},
};
use crate::{
    import::ImportCategory,
    symbol::{Symbol, SymbolKind, Visibility},
};

/// The meaning of C or, with its classes, C++.
pub struct C {
    /// Whether it is C++.
    pub cpp: bool,
}

static C_HEADERS: LazyLock<Names> =
    LazyLock::new(|| Names::parse(include_str!("../../stdlib/c.txt")));
static CPP_HEADERS: LazyLock<Names> =
    LazyLock::new(|| Names::parse(include_str!("../../stdlib/cpp.txt")));

/// Marks a branch that is never compiled; only its alternatives are of interest.
const DEAD: &str = "dead";

impl Language for C {
    fn enter(&self, walk: &mut Walk, node: Node) -> Step {
        enter(walk, node, self.cpp)
    }

    fn prepare(&self, _: &str, text: &str) -> Option<String> {
        prepare(text, self.cpp)
    }

    fn finish(&self, walk: &mut Walk, _root: Node) {
        settle(walk);
        facts(walk, self.cpp);
    }
}

/// The text without what a grammar of C cannot understand.
pub fn prepare(text: &str, cpp: bool) -> Option<String> {
    let mut prepared = branches::balanced(text);
    let mut step = |change: fn(&str) -> Option<String>| {
        if let Some(changed) = change(prepared.as_deref().unwrap_or(text)) {
            prepared = Some(changed);
        }
    };
    step(lone_macros::blanked);
    if cpp {
        step(branches::plain_heads);
    }
    prepared
}

/// Looks at one node of C or C++.
pub fn enter(walk: &mut Walk, node: Node, cpp: bool) -> Step {
    let kind = node.kind();
    if kind.starts_with("preproc_") {
        return preprocessor(walk, node, kind, cpp);
    }
    if walk.scope().is_some_and(|scope| scope.mark == DEAD) {
        return Step::Skip;
    }
    match kind {
        "translation_unit"
        | "declaration_list"
        | "field_declaration_list"
        | "enumerator_list"
        | "linkage_specification"
        | "template_declaration"
        | "ERROR" => Step::Into,
        "function_definition" | "inline_method_definition" => definition(walk, node, cpp),
        "declaration" | "field_declaration" => declaration(walk, node, cpp),
        "type_definition" => type_definition(walk, node),
        "alias_declaration" => alias(walk, node),
        "struct_specifier" => composite(walk, node, SymbolKind::Struct, cpp),
        "union_specifier" => composite(walk, node, SymbolKind::Union, cpp),
        "class_specifier" => composite(walk, node, SymbolKind::Class, cpp),
        "enum_specifier" => composite(walk, node, SymbolKind::Enum, cpp),
        "enumerator" => enumerator(walk, node),
        "namespace_definition" => namespace(walk, node),
        "access_specifier" => access(walk, node),
        "using_declaration" => {
            let text = folded(walk.of(node));
            if let Some(name) = text.strip_prefix("using namespace ") {
                let list = walk.fields.entry("using_namespaces").or_insert_with(|| json!([]));
                if let Some(list) = list.as_array_mut() {
                    list.push(name.trim_end_matches(';').into());
                }
            }
            Step::Skip
        }
        // A class whose head holds a macro is taken for a function; its body is a list of these.
        "compound_statement" | "labeled_statement"
            if walk.scope().is_some_and(|scope| scope.kind.is_some()) =>
        {
            Step::Into
        }
        _ => Step::Skip,
    }
}

fn preprocessor(walk: &mut Walk, node: Node, kind: &str, cpp: bool) -> Step {
    let dead = walk.scope().is_some_and(|scope| scope.mark == DEAD);
    match kind {
        "preproc_if" | "preproc_ifdef" | "preproc_elif" | "preproc_elifdef" | "preproc_else" => {
            let alternative = matches!(kind, "preproc_elif" | "preproc_elifdef" | "preproc_else");
            if dead && !alternative {
                return Step::Skip;
            }
            let taken = alternative
                && node
                    .parent()
                    .is_some_and(|before| conditional::truth(walk, before, cpp) == Some(true));
            if taken {
                return Step::Skip;
            }
            let outer = walk.scope().cloned().unwrap_or_default();
            match conditional::truth(walk, node, cpp) {
                Some(false) => {
                    let left_out =
                        walk.fields.get("branches_left_out").and_then(serde_json::Value::as_u64);
                    let left_out = left_out.unwrap_or(0) + 1;
                    walk.fields.insert("branches_left_out".to_owned(), left_out.into());
                    Step::Inside(Scope { name: None, mark: DEAD, ..outer })
                }
                _ if dead => Step::Inside(Scope { name: None, mark: "", ..outer }),
                _ => Step::Into,
            }
        }
        _ if dead => Step::Skip,
        "preproc_include" => include(walk, node),
        "preproc_def" | "preproc_function_def" => define(walk, node),
        _ => Step::Skip,
    }
}

fn include(walk: &mut Walk, node: Node) -> Step {
    let Some(path) = walk.part(node, "path") else { return Step::Skip };
    let text = walk.of(path);
    let quoted = text.starts_with('"');
    let header = text.trim_matches(['"', '<', '>']);
    if !quoted && !text.starts_with('<') {
        return Step::Skip;
    }
    let standard = C_HEADERS.has_above(header, '/') || CPP_HEADERS.has_above(header, '/');
    let category = match quoted {
        true if standard && !walk.project.has_header(walk.file, header) => ImportCategory::Stdlib,
        true => ImportCategory::Local,
        false if standard => ImportCategory::Stdlib,
        false if walk.project.has_header(walk.file, header) => ImportCategory::Local,
        false => ImportCategory::ThirdParty,
    };
    walk.import(header, Vec::new(), category, node);
    Step::Skip
}

fn define(walk: &mut Walk, node: Node) -> Step {
    let Some(name) = walk.part(node, "name") else { return Step::Skip };
    let mut symbol = walk.symbol(SymbolKind::Macro, name, node);
    if let Some(parameters) = walk.part(node, "parameters") {
        symbol.params = children(parameters).map(|each| folded(walk.of(each))).collect();
        symbol.modifiers.push("function-like".to_owned());
    }
    symbol.parent = None;
    symbol.exported = Some(false);
    symbol.return_type = walk.field(node, "value").map(|value| folded(&value.replace("\\\n", " ")));
    if guards(walk, node) {
        symbol.idioms.push("header_guard".to_owned());
    }
    symbol.doc = doc::above(walk.text, node.start_byte(), doc::C);
    walk.symbols.push(symbol);
    Step::Skip
}

/// Whether a macro without a value is what the `#ifndef` around the file asks for.
fn guards(walk: &Walk, node: Node) -> bool {
    walk.part(node, "value").is_none()
        && node.prev_named_sibling().is_some_and(|before| before.kind() == "identifier")
        && node.parent().is_some_and(|parent| {
            parent.kind() == "preproc_ifdef"
                && walk.field(parent, "name") == walk.field(node, "name")
                && parent.parent().is_some_and(|above| above.parent().is_none())
        })
}

fn definition(walk: &mut Walk, node: Node, cpp: bool) -> Step {
    if let Some(step) = disguised_class(walk, node, cpp) {
        return step;
    }
    if !walk.in_callable()
        && let Some(found) = walk.part(node, "declarator").and_then(declared)
    {
        push(walk, node, found, cpp);
    }
    // The inside of a function is of interest only for macros.
    let text = walk.of(node).as_bytes();
    let defines = memchr::memmem::find_iter(text, b"define")
        .any(|at| text.get(..at).is_some_and(|before| before.trim_ascii_end().ends_with(b"#")));
    if defines { Step::Inside(Scope { callable: true, ..Scope::default() }) } else { Step::Skip }
}

/// `class EXPORT Name : Base { … }`, where `EXPORT` is a macro, looks like a function to a parser
/// that knows no macros.
fn disguised_class(walk: &mut Walk, node: Node, cpp: bool) -> Option<Step> {
    let head = walk.part(node, "type")?;
    let kind = match head.kind() {
        "class_specifier" => SymbolKind::Class,
        "struct_specifier" => SymbolKind::Struct,
        _ => return None,
    };
    let name = walk.part(node, "declarator").filter(|name| name.kind() == "identifier")?;
    if !cpp || walk.part(head, "body").is_some() {
        return None;
    }
    Some(class(walk, node, name, kind, true))
}

fn declaration(walk: &mut Walk, node: Node, cpp: bool) -> Step {
    if walk.in_callable() {
        return Step::Into;
    }
    let mut cursor = node.walk();
    let declarators: Vec<Node> = node.children_by_field_name("declarator", &mut cursor).collect();
    // What a declarator holds is not walked, but a type that is defined on the way is.
    let opens = walk.part(node, "type").is_some_and(|of| {
        of.kind().ends_with("_specifier") && (has_body(of) || declarators.is_empty())
    });
    for declarator in declarators {
        if let Some(found) = declared(declarator) {
            push(walk, node, found, cpp);
        }
    }
    if opens { Step::Into } else { Step::Skip }
}

fn has_body(node: Node) -> bool {
    node.child_by_field_name("body").is_some()
}

fn type_definition(walk: &mut Walk, node: Node) -> Step {
    if walk.in_callable() {
        return Step::Skip;
    }
    let mut cursor = node.walk();
    let declarators: Vec<Node> = node.children_by_field_name("declarator", &mut cursor).collect();
    let of = walk.part(node, "type");
    for declarator in declarators {
        if let Some(found) = declared(declarator) {
            let mut symbol = walk.symbol(SymbolKind::Typedef, found.name, node);
            symbol.return_type = of.filter(|of| !has_body(*of)).map(|of| folded(walk.of(of)));
            member(walk, &mut symbol, false);
            symbol.doc = doc::above(walk.text, node.start_byte(), doc::C);
            walk.symbols.push(symbol);
        }
    }
    if of.is_some_and(has_body) { Step::Into } else { Step::Skip }
}

fn alias(walk: &mut Walk, node: Node) -> Step {
    if let Some(name) = walk.part(node, "name").filter(|_| !walk.in_callable()) {
        let mut symbol = walk.symbol(SymbolKind::Alias, name, node);
        symbol.return_type = walk.field(node, "type").map(folded);
        member(walk, &mut symbol, false);
        symbol.doc = doc::above(walk.text, node.start_byte(), doc::C);
        walk.symbols.push(symbol);
    }
    Step::Skip
}

/// A struct, union, class or enum.
fn composite(walk: &mut Walk, node: Node, kind: SymbolKind, cpp: bool) -> Step {
    let body = has_body(node);
    if walk.in_callable() {
        return if body { Step::Into } else { Step::Skip };
    }
    let name = walk.part(node, "name");
    if !body && !stands_alone(node) {
        return Step::Skip;
    }
    if let Some(name) = name {
        return class(walk, node, name, kind, cpp);
    }
    // The first plain name of `typedef struct { … } name` is the name of the type itself.
    let given = node
        .parent()
        .filter(|parent| parent.kind() == "type_definition")
        .and_then(|parent| walk.part(parent, "declarator"))
        .filter(|name| name.kind() == "type_identifier");
    match given {
        Some(name) => class(walk, node, name, kind, cpp),
        None => inside(walk, None, kind, cpp),
    }
}

/// Whether a type without a body is declared by itself: `struct s;`.
fn stands_alone(node: Node) -> bool {
    match node.parent() {
        Some(parent) if parent.kind() == "field_declaration" || parent.kind() == "declaration" => {
            parent.child_by_field_name("declarator").is_none()
        }
        Some(parent) => {
            matches!(
                parent.kind(),
                "translation_unit"
                    | "declaration_list"
                    | "field_declaration_list"
                    | "template_declaration"
                    | "linkage_specification"
            ) || parent.kind().starts_with("preproc_")
        }
        None => false,
    }
}

fn class(walk: &mut Walk, node: Node, name: Node, kind: SymbolKind, cpp: bool) -> Step {
    let (scopes, last) = path(name);
    let mut symbol = walk.symbol(kind, last, node);
    if name.parent().is_some_and(|parent| parent.kind() == "type_definition") {
        symbol.line = line(node);
    }
    symbol.parent = owner(walk, &scopes);
    symbol.bases = child(node, "base_class_clause")
        .into_iter()
        .flat_map(children)
        .filter(|base| base.kind() != "access_specifier")
        .map(|base| folded(walk.of(base)))
        .collect();
    member(walk, &mut symbol, false);
    symbol.decorators.extend(template(walk, node));
    if node.parent().is_some_and(|parent| parent.kind() == "type_definition") {
        symbol.idioms.push("typedef".to_owned());
    }
    symbol.doc = doc::above(walk.text, node.start_byte(), doc::C);
    let scope = match &symbol.parent {
        Some(parent) => format!("{parent}::{}", symbol.name),
        None => symbol.name.clone(),
    };
    walk.symbols.push(symbol);
    inside(walk, Some(scope), kind, cpp)
}

/// The scope of a type's members.
fn inside(walk: &Walk, name: Option<String>, kind: SymbolKind, cpp: bool) -> Step {
    let visibility = match kind {
        SymbolKind::Class => Some(Visibility::Private),
        SymbolKind::Enum => walk.scope().and_then(|scope| scope.visibility),
        _ => Some(Visibility::Public),
    };
    Step::Inside(Scope {
        name,
        kind: Some(kind),
        visibility: visibility.filter(|_| cpp),
        exported: walk.scope().and_then(|scope| scope.exported),
        ..Scope::default()
    })
}

fn enumerator(walk: &mut Walk, node: Node) -> Step {
    if let Some(name) = walk.part(node, "name").filter(|_| !walk.in_callable()) {
        let mut symbol = walk.symbol(SymbolKind::EnumMember, name, node);
        symbol.return_type = walk.field(node, "value").map(folded);
        symbol.exported = Some(false);
        symbol.visibility = walk.scope().and_then(|scope| scope.visibility);
        symbol.doc = doc::above(walk.text, node.start_byte(), doc::C);
        walk.symbols.push(symbol);
    }
    Step::Skip
}

fn namespace(walk: &mut Walk, node: Node) -> Step {
    let exported = walk.scope().and_then(|scope| scope.exported);
    let Some(name) = walk.part(node, "name") else {
        return Step::Inside(Scope { exported: Some(false), ..Scope::default() });
    };
    let parts: Vec<Node> = match name.kind() {
        "nested_namespace_specifier" => flat(name),
        _ => vec![name],
    };
    let mut scope = walk.parent();
    for part in parts {
        let mut symbol = walk.symbol(SymbolKind::Namespace, part, node);
        symbol.parent.clone_from(&scope);
        symbol.exported = Some(false);
        scope = Some(match scope {
            Some(outer) => format!("{outer}::{}", symbol.name),
            None => symbol.name.clone(),
        });
        walk.symbols.push(symbol);
    }
    Step::Inside(Scope { name: scope, exported, ..Scope::default() })
}

/// The names of `a::b::c`, whose parts some grammars nest.
fn flat(name: Node<'_>) -> Vec<Node<'_>> {
    let mut names = Vec::new();
    let mut waiting = vec![name];
    while let Some(node) = waiting.pop() {
        if node.kind() == "nested_namespace_specifier" {
            let mut parts: Vec<Node> = children(node).collect();
            parts.reverse();
            waiting.extend(parts);
        } else {
            names.push(node);
        }
    }
    names
}

fn access(walk: &mut Walk, node: Node) -> Step {
    let word = walk.of(node);
    let visibility = if word.starts_with("private") {
        Visibility::Private
    } else if word.starts_with("protected") {
        Visibility::Protected
    } else {
        Visibility::Public
    };
    if let Some(scope) = walk.scope_mut() {
        scope.visibility = Some(visibility);
    }
    Step::Skip
}

/// The qualified name of what a symbol belongs to: the scopes written before its name, seen from
/// the scope around it.
fn owner(walk: &Walk, scopes: &[Node]) -> Option<String> {
    let mut name = walk.parent();
    for scope in scopes {
        let (_, last) = path(*scope);
        let part = walk.of(last);
        name = Some(match name {
            Some(outer) => format!("{outer}::{part}"),
            None => part.to_owned(),
        });
    }
    name
}

/// `template<…>` before a declaration.
fn template(walk: &Walk, node: Node) -> Option<String> {
    let parent = node.parent().filter(|parent| parent.kind() == "template_declaration")?;
    walk.field(parent, "parameters").map(|parameters| format!("template{}", folded(parameters)))
}

/// A function, method, field or variable.
fn push(walk: &mut Walk, node: Node, found: Declared, cpp: bool) {
    let (scopes, last) = path(found.name);
    let name = match last.kind() {
        "operator_name" | "operator_cast" => operator(walk.of(last)),
        _ => folded(walk.of(last)).replace("~ ", "~"),
    };
    let type_scope =
        walk.scope().is_some_and(|scope| scope.kind.is_some_and(|kind| kind != SymbolKind::Enum));
    let owned = type_scope || !scopes.is_empty();
    let class = match scopes.last() {
        Some(scope) => Some(walk.of(path(*scope).1).to_owned()),
        None if type_scope => {
            walk.parent().map(|parent| parent.rsplit("::").next().unwrap_or(&parent).to_owned())
        }
        None => None,
    };
    let modifiers = modifiers(walk, node);
    let is_static = modifiers.iter().any(|word| word == "static");
    let callable = found.function.is_some() || last.kind() == "operator_cast";
    let kind = if last.kind() == "destructor_name" {
        SymbolKind::Destructor
    } else if callable && class.as_deref() == Some(name.as_str()) {
        SymbolKind::Constructor
    } else if callable && owned {
        SymbolKind::Method
    } else if callable {
        SymbolKind::Function
    } else if type_scope && !is_static {
        SymbolKind::Field
    } else {
        SymbolKind::Variable
    };
    let mut symbol = walk.named(kind, &name, line(last), node);
    symbol.parent = owner(walk, &scopes);
    if let Some(parameters) = found.function.and_then(|function| walk.part(function, "parameters"))
    {
        symbol.params = children(parameters)
            .filter(|each| each.kind() != "comment")
            .map(|each| folded(walk.of(each)))
            .collect();
    }
    symbol.return_type = returned(walk, node, found);
    let constant = modifiers.iter().any(|word| word == "constexpr")
        || found.pointer.unwrap_or_else(|| modifiers.iter().any(|word| word == "const"));
    let shared = modifiers.iter().any(|word| matches!(word.as_str(), "extern" | "inline"))
        || node.parent().is_some_and(|parent| parent.kind() == "template_declaration");
    let internal =
        !owned && (is_static || (cpp && kind == SymbolKind::Variable && constant && !shared));
    symbol.modifiers = modifiers;
    member(walk, &mut symbol, internal);
    symbol.decorators.extend(template(walk, node));
    if found.function.is_some() && node.kind() != "function_definition" {
        symbol.idioms.push("declaration".to_owned());
    }
    if last.kind() == "operator_name" || last.kind() == "operator_cast" {
        symbol.idioms.push("operator".to_owned());
    }
    if cpp && symbol.visibility.is_none() && !scopes.is_empty() {
        // Where a member is defined outside its class, the class says who may use it; most are
        // public. If the class is in this file, it is asked in the end.
        symbol.visibility = Some(Visibility::Public);
        symbol.modifiers.push(OUTSIDE.to_owned());
    }
    symbol.doc = doc::above(walk.text, node.start_byte(), doc::C);
    walk.symbols.push(symbol);
}

/// Marks a member that is defined outside its class until all classes are known.
const OUTSIDE: &str = "\0outside";

fn modifiers(walk: &Walk, node: Node) -> Vec<String> {
    let words = |node: Node| {
        matches!(
            node.kind(),
            "storage_class_specifier"
                | "type_qualifier"
                | "virtual"
                | "virtual_function_specifier"
                | "explicit_function_specifier"
                | "inline"
        )
    };
    let mut found: Vec<String> = children(node)
        .take_while(|part| !part.kind().ends_with("declarator"))
        .filter(|part| words(*part))
        .map(|part| walk.of(part).to_owned())
        .collect();
    if node.child(0).is_some_and(|first| !first.is_named() && walk.of(first) == "virtual") {
        found.insert(0, "virtual".to_owned());
    }
    found
}

/// The type of a value or of what a function returns, with the stars that stand at the name.
fn returned(walk: &Walk, node: Node, found: Declared) -> Option<String> {
    let mut text = folded(walk.field(node, "type")?);
    if walk.part(node, "type").is_some_and(has_body) {
        let bare = text.split('{').next().unwrap_or_default().trim().len();
        text.truncate(bare);
    }
    let stars = node
        .child_by_field_name("declarator")
        .map(|declarator| walk.of(declarator))
        .unwrap_or_default()
        .chars()
        .take_while(|sign| matches!(sign, '*' | '&' | ' '))
        .filter(|sign| *sign != ' ')
        .collect::<String>();
    if found.function.is_some() || found.pointer.is_some() {
        text.push_str(&stars);
    }
    Some(text)
}

/// Who may use a symbol, and whether other units can.
fn member(walk: &Walk, symbol: &mut Symbol, internal: bool) {
    let scope = walk.scope();
    symbol.visibility = scope.and_then(|scope| scope.visibility);
    let hidden = symbol.visibility.is_some_and(|visibility| visibility != Visibility::Public);
    let buried = scope.is_some_and(|scope| scope.exported == Some(false));
    // A field has no linkage.
    let linked = symbol.kind != SymbolKind::Field;
    symbol.exported = Some(linked && !hidden && !internal && !buried);
}

/// Once all is seen: members that are defined outside their class get its word, and a function
/// that was declared `static` before is so everywhere.
pub fn settle(walk: &mut Walk) {
    use std::collections::{BTreeMap, BTreeSet};
    let mut inside: BTreeMap<(String, String), (Option<Visibility>, Option<bool>)> =
        BTreeMap::new();
    let mut statics: BTreeSet<String> = BTreeSet::new();
    for symbol in &walk.symbols {
        let outside = symbol.has_modifier(OUTSIDE);
        if let Some(parent) = symbol.parent.clone().filter(|_| !outside) {
            inside
                .entry((parent, symbol.name.clone()))
                .or_insert((symbol.visibility, symbol.exported));
        }
        if symbol.kind == SymbolKind::Function && symbol.has_modifier("static") {
            statics.insert(symbol.name.clone());
        }
    }
    for symbol in &mut walk.symbols {
        if symbol.has_modifier(OUTSIDE) {
            symbol.modifiers.retain(|word| word != OUTSIDE);
            let key = (symbol.parent.clone().unwrap_or_default(), symbol.name.clone());
            if let Some((visibility, exported)) = inside.get(&key) {
                (symbol.visibility, symbol.exported) = (*visibility, *exported);
            }
        }
        if symbol.kind == SymbolKind::Function && statics.contains(&symbol.name) {
            symbol.exported = Some(false);
        }
    }
}

/// What the comparator tells of a whole file.
pub fn facts(walk: &mut Walk, cpp: bool) {
    let mut lists: [Vec<&str>; 4] = Default::default();
    for import in &walk.imports {
        let list = match import.category {
            ImportCategory::Local => 3,
            ImportCategory::Stdlib if cpp && CPP_HEADERS.has_above(&import.path, '/') => 0,
            ImportCategory::Stdlib => 1,
            _ => 2,
        };
        if let Some(list) = lists.get_mut(list) {
            list.push(&import.path);
        }
    }
    let [cpp_stdlib, stdlib, system, local] = lists.map(distinct);
    let includes = if cpp {
        json!({ "cpp_stdlib": cpp_stdlib, "c_stdlib": stdlib, "system": system, "local": local })
    } else {
        json!({ "stdlib": stdlib, "system": system, "local": local })
    };
    let main = walk
        .symbols
        .iter()
        .any(|symbol| symbol.kind == SymbolKind::Function && symbol.name == "main");
    let guard = walk
        .symbols
        .iter()
        .find(|symbol| symbol.has_idiom("header_guard"))
        .map(|symbol| symbol.name.clone());
    let once = walk.text.lines().any(|line| line.trim_start().starts_with("#pragma once"));
    let extension = walk.file.rsplit_once('.').map_or("", |(_, extension)| extension);
    let header = extension.starts_with('h') || matches!(extension, "inl" | "ipp" | "tpp" | "cuh");
    let facts = [
        ("includes", includes),
        ("include_count", walk.imports.len().into()),
        ("has_main", main.into()),
        ("is_header", header.into()),
        ("header_guard", guard.into()),
        ("has_pragma_once", once.into()),
    ];
    for (name, value) in facts {
        walk.fields.insert(name.to_owned(), value);
    }
}
