//! Ruby.

use std::collections::BTreeMap;

use tree_sitter::Node;

use super::{
    doc, ruby_facts,
    stdlib::Names,
    walk::{Scope, Step, Visitor, Walk, child, children, folded, holds_word, line},
};
use crate::{
    import::ImportCategory,
    symbol::{SymbolKind, Visibility},
};

/// Ruby.
#[derive(Debug, Default)]
pub struct Ruby {
    /// The last restriction for each name that was restricted after its definition.
    restrictions: BTreeMap<Restricted, Restriction>,
}

/// The method or constant that a restriction applies to.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Restricted {
    /// The name of the class or module.
    parent: Option<String>,
    kind: RestrictedKind,
    /// The name; the name of a writer ends in `=`.
    name: String,
}

/// The kind of thing that a restriction names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum RestrictedKind {
    Member,
    SingletonMember,
    Constant,
}

/// The visibility that a restriction gives.
#[derive(Debug)]
struct Restriction {
    visibility: Visibility,
    /// Number of symbols before it: only these are affected.
    before: usize,
}

static STDLIB: Names = Names::embedded(include_str!("../../../../queries/ruby/stdlib.txt"));

/// Marks a scope with definitions of the class itself: `class << self`.
const SINGLETON: &str = "singleton";
/// Marks the arguments of `private_class_method`.
const CLASS_METHOD: &str = "class_method";

impl Visitor for Ruby {
    fn finish(&mut self, walk: &mut Walk, root: Node) {
        self.apply_restrictions(walk);
        ruby_facts::finish(walk, root);
    }

    fn enter(&mut self, walk: &mut Walk, node: Node) -> Step {
        match node.kind() {
            "program" => body(walk.parent(), None, Visibility::Public, ""),
            "class" => definition(walk, node, SymbolKind::Class),
            "module" => definition(walk, node, SymbolKind::Module),
            "singleton_class" => body(None, None, Visibility::Public, SINGLETON),
            "method" => method(walk, node, false),
            "singleton_method" => method(walk, node, true),
            "assignment" => constant(walk, node),
            "call" => self.call(walk, node),
            "identifier" => switch(walk, node),
            "do_block" | "block" => inherit(walk, None),
            "comment" | "string" | "string_array" | "symbol_array" | "regex" | "heredoc_body"
            | "superclass" => Step::Skip,
            _ => Step::Into,
        }
    }
}

impl Ruby {
    /// A call without a receiver may be one of Ruby's declarations.
    fn call(&mut self, walk: &mut Walk, node: Node) -> Step {
        let name = walk.field_text(node, "method").unwrap_or_default();
        if let Some(receiver) = walk.field_text(node, "receiver") {
            let defines = matches!(name, "new" | "define")
                && matches!(receiver, "Class" | "Module" | "Struct" | "Data")
                && node.child_by_field_name("block").is_some();
            return if defines { body(None, None, Visibility::Public, "") } else { Step::Into };
        }
        if let "require" | "require_relative" | "load" | "autoload" = name {
            import(walk, node, name);
            return Step::Into;
        }
        if walk.in_callable() {
            return Step::Into;
        }
        ruby_facts::call(walk, node, name);
        match name {
            "attr_reader" => accessors(walk, node, SymbolKind::Getter),
            "attr_writer" => accessors(walk, node, SymbolKind::Setter),
            "attr_accessor" => accessors(walk, node, SymbolKind::Accessor),
            "private" => self.restrict(walk, node, Visibility::Private),
            "protected" => self.restrict(walk, node, Visibility::Protected),
            "public" => self.restrict(walk, node, Visibility::Public),
            "private_class_method" => {
                let kind = RestrictedKind::SingletonMember;
                self.restrict_named(walk, node, Visibility::Private, kind);
                body(None, None, Visibility::Private, CLASS_METHOD)
            }
            "private_constant" => {
                self.restrict_named(walk, node, Visibility::Private, RestrictedKind::Constant);
                Step::Skip
            }
            _ => Step::Into,
        }
    }

    fn restrict(&mut self, walk: &mut Walk, node: Node, visibility: Visibility) -> Step {
        if arguments(node).next().is_none() {
            if let Some(scope) = walk.scope_mut() {
                scope.visibility = Some(visibility);
            }
            return Step::Skip;
        }
        let singleton = walk.scope().is_some_and(|scope| scope.mark == SINGLETON);
        let kind = if singleton { RestrictedKind::SingletonMember } else { RestrictedKind::Member };
        self.restrict_named(walk, node, visibility, kind);
        inherit(walk, Some(visibility))
    }

    /// Records restrictions of names that were defined earlier. [`Ruby::apply_restrictions`]
    /// applies them all at once, because a search through the symbols for each call would be
    /// quadratic.
    fn restrict_named(
        &mut self,
        walk: &Walk,
        node: Node,
        visibility: Visibility,
        kind: RestrictedKind,
    ) {
        let before = walk.symbols.len();
        for name in names(walk, node) {
            let named = Restricted { parent: walk.parent(), kind, name: name.to_owned() };
            self.restrictions.insert(named, Restriction { visibility, before });
        }
    }

    /// Applies the last restriction of each name to the symbols that were defined before it.
    fn apply_restrictions(&self, walk: &mut Walk) {
        if self.restrictions.is_empty() {
            return;
        }
        for (index, symbol) in walk.symbols.iter_mut().enumerate() {
            let kind = match symbol.kind {
                SymbolKind::Constant | SymbolKind::Class | SymbolKind::Module => {
                    RestrictedKind::Constant
                }
                SymbolKind::SingletonMethod => RestrictedKind::SingletonMember,
                _ => RestrictedKind::Member,
            };
            let mut name = symbol.name.clone();
            if symbol.kind == SymbolKind::Setter {
                name.push('=');
            }
            let named = Restricted { parent: symbol.parent.clone(), kind, name };
            if let Some(restriction) = self.restrictions.get(&named)
                && index < restriction.before
            {
                symbol.set_visibility(restriction.visibility);
            }
        }
    }
}

fn body(
    name: Option<String>,
    kind: Option<SymbolKind>,
    visibility: Visibility,
    mark: &'static str,
) -> Step {
    Step::Inside(Scope { name, kind, visibility: Some(visibility), mark, ..Scope::default() })
}

/// A scope that starts like the one around it; changes in it do not reach outside.
fn inherit(walk: &Walk, visibility: Option<Visibility>) -> Step {
    let outer = walk.scope().cloned().unwrap_or_default();
    Step::Inside(Scope { name: None, visibility: visibility.or(outer.visibility), ..outer })
}

fn definition(walk: &mut Walk, node: Node, kind: SymbolKind) -> Step {
    let Some(name) = node.child_by_field_name("name") else { return Step::Into };
    let text = folded(walk.node_text(name));
    let scope = walk.qualified("::", &text);
    let symbol = (!walk.in_callable()).then_some(walk.symbols.len());
    if !walk.in_callable() {
        let mut symbol = walk.named(kind, &text, line(name), node);
        symbol.bases = walk
            .field_text(node, "superclass")
            .map(|base| folded(base.trim_start_matches('<')))
            .into_iter()
            .collect();
        symbol.doc = doc::above(walk.text, node.start_byte(), doc::HASH);
        symbol.exported = Some(true);
        walk.symbols.push(symbol);
    }
    Step::Inside(Scope {
        callable: walk.in_callable(),
        name: Some(scope),
        kind: Some(kind),
        visibility: Some(Visibility::Public),
        symbol,
        ..Scope::default()
    })
}

fn method(walk: &mut Walk, node: Node, of_object: bool) -> Step {
    let Some(name) = node.child_by_field_name("name") else { return Step::Into };
    if !walk.in_callable() {
        let scope = walk.scope().cloned().unwrap_or_default();
        let singleton = of_object || scope.mark == SINGLETON;
        let kind = if singleton {
            SymbolKind::SingletonMethod
        } else if walk.parent().is_some() {
            SymbolKind::Method
        } else {
            SymbolKind::Function
        };
        let visibility = if scope.mark == CLASS_METHOD {
            Visibility::Private
        } else if of_object {
            Visibility::Public
        } else {
            scope.visibility.unwrap_or(Visibility::Public)
        };
        let mut symbol = walk.symbol(kind, name, node);
        if let Some(parameters) = node.child_by_field_name("parameters") {
            symbol.params = children(parameters).map(|each| folded(walk.node_text(each))).collect();
        }
        symbol.doc = doc::above(walk.text, node.start_byte(), doc::HASH);
        symbol.set_visibility(visibility);
        walk.symbols.push(symbol);
    }
    // Definitions made while a method runs belong to no class that is known here; only the files
    // that it loads matter.
    let loads = holds_word(walk.node_text(node), &["require", "load", "autoload"]);
    if loads { Step::Inside(Scope { callable: true, ..Scope::default() }) } else { Step::Skip }
}

fn constant(walk: &mut Walk, node: Node) -> Step {
    let Some(name) = node.child_by_field_name("left").filter(|left| left.kind() == "constant")
    else {
        return Step::Into;
    };
    if !walk.in_callable() {
        let mut symbol = walk.symbol(SymbolKind::Constant, name, node);
        symbol.exported = Some(true);
        symbol.return_type =
            node.child_by_field_name("right").map(|value| ruby_facts::value_type(walk, value));
        symbol.doc = doc::above(walk.text, node.start_byte(), doc::HASH);
        walk.symbols.push(symbol);
    }
    Step::Into
}

/// `private` without arguments: the following definitions in this body are private.
fn switch(walk: &mut Walk, node: Node) -> Step {
    let visibility = match walk.node_text(node) {
        "private" => Visibility::Private,
        "protected" => Visibility::Protected,
        "public" => Visibility::Public,
        _ => return Step::Skip,
    };
    let statement = node.parent().is_some_and(|parent| {
        matches!(parent.kind(), "program" | "body_statement" | "block_body" | "then" | "else")
    });
    if statement && let Some(scope) = walk.scope_mut() {
        scope.visibility = Some(visibility);
    }
    Step::Skip
}

fn accessors(walk: &mut Walk, node: Node, kind: SymbolKind) -> Step {
    let visibility = walk.scope().and_then(|scope| scope.visibility).unwrap_or(Visibility::Public);
    for argument in arguments(node) {
        if let Some(name) = literal(walk, argument) {
            let mut symbol = walk.named(kind, name, line(argument), argument);
            symbol.doc = doc::above(walk.text, node.start_byte(), doc::HASH);
            symbol.set_visibility(visibility);
            walk.symbols.push(symbol);
        }
    }
    Step::Skip
}

fn import(walk: &mut Walk, node: Node, how: &str) {
    let given: Vec<Node> = arguments(node).collect();
    let Some(module) = given
        .last()
        .filter(|last| last.kind() == "string")
        .and_then(|last| literal(walk, *last))
        .filter(|module| !module.is_empty())
    else {
        return;
    };
    let relative =
        how == "require_relative" || module.starts_with("./") || module.starts_with("../");
    let category = if relative || walk.project.has_ruby(walk.file, module) {
        ImportCategory::Local
    } else if STDLIB.has_above(module.trim_end_matches(".rb").trim_end_matches(".so"), '/') {
        ImportCategory::Stdlib
    } else {
        ImportCategory::ThirdParty
    };
    let names = match given.as_slice() {
        [name, _] if how == "autoload" => {
            literal(walk, *name).map(str::to_owned).into_iter().collect()
        }
        _ => Vec::new(),
    };
    walk.import(module, names, category, node);
}

/// The arguments of a call.
fn arguments(call: Node) -> impl Iterator<Item = Node> {
    call.child_by_field_name("arguments").into_iter().flat_map(children)
}

/// The names that arguments spell out: symbols, strings and arrays of them.
fn names<'a>(walk: &Walk<'a>, call: Node) -> Vec<&'a str> {
    let mut names = Vec::new();
    for argument in arguments(call) {
        let argument = match argument.kind() {
            "splat_argument" => children(argument).next().unwrap_or(argument),
            _ => argument,
        };
        match argument.kind() {
            "symbol_array" | "string_array" => {
                names.extend(children(argument).map(|each| walk.node_text(each)));
            }
            "array" => names.extend(children(argument).filter_map(|each| literal(walk, each))),
            _ => names.extend(literal(walk, argument)),
        }
    }
    names
}

/// The text of a symbol or a string without interpolation.
fn literal<'a>(walk: &Walk<'a>, node: Node) -> Option<&'a str> {
    match node.kind() {
        "simple_symbol" => walk.node_text(node).strip_prefix(':'),
        "string" | "delimited_symbol" if child(node, "interpolation").is_none() => {
            Some(child(node, "string_content").map_or("", |content| walk.node_text(content)))
        }
        _ => None,
    }
}
