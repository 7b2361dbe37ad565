//! Racket: the top-level definitions of a module, of its submodules and inside `begin`.

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::{defined, elements, is_list, parameters, unquoted};
use crate::{
    code::{
        doc::{self, Style},
        stdlib::Names,
        walk::{Scope, Step, Visitor, Walk, child, end_line, line},
    },
    import::ImportCategory,
    symbol::SymbolKind,
};

/// Racket.
#[derive(Debug)]
pub struct Racket;

const COMMENTS: Style = Style { line: &[";"], block: None };

/// Collections that come with the language.
static STDLIB: Names = Names::embedded(include_str!("../../../../../queries/racket/stdlib.txt"));

/// Prefixes of words that define something.
const DEFINING: &[&str] = &["define", "struct", "module"];

/// Words that define other names than the one behind them.
const OTHERS: &[&str] =
    &["define-logger", "define-local-member-name", "define-member-name", "define-namespace-anchor"];

impl Visitor for Racket {
    fn enter(&mut self, walk: &mut Walk, node: Node) -> Step {
        match node.kind() {
            "program" | "ERROR" => Step::Into,
            "extension" => language(walk, node),
            "list" => form(walk, node),
            _ => Step::Skip,
        }
    }

    fn finish(&mut self, walk: &mut Walk, root: Node) {
        let provided = Provided::read(walk, root);
        for symbol in &mut walk.symbols {
            let exported = provided.all || provided.names.contains(&symbol.name);
            symbol.set_exported(exported);
        }
    }
}

/// `#lang racket`: the file is a module with the name of the file.
fn language(walk: &mut Walk, node: Node) -> Step {
    if let Some(name) = child(node, "lang_name") {
        walk.facts.set("lang", walk.node_text(name));
        let base = walk.file.rsplit('/').next().unwrap_or(walk.file);
        let stem = base.rsplit_once('.').map_or(base, |(stem, _)| stem);
        let mut symbol = walk.named(SymbolKind::Module, stem, line(node), node);
        symbol.end_line = node.parent().map_or(symbol.end_line, end_line);
        walk.symbols.push(symbol);
    }
    Step::Skip
}

fn form(walk: &mut Walk, node: Node) -> Step {
    let parts = elements(node);
    let Some(head) = parts.first().filter(|head| head.kind() == "symbol") else {
        return Step::Skip;
    };
    let word = walk.node_text(*head);
    match word {
        "require" => {
            for spec in parts.iter().skip(1) {
                import(walk, *spec);
            }
            Step::Skip
        }
        "begin" | "begin-for-syntax" | "#%module-begin" => Step::Into,
        _ if DEFINING.iter().any(|prefix| word.starts_with(prefix)) => {
            define(walk, node, word, &parts);
            if !matches!(word, "module" | "module*" | "module+") {
                return Step::Skip;
            }
            let name = parts.get(1).map(|name| walk.node_text(*name).to_owned());
            Step::Inside(Scope { name, kind: Some(SymbolKind::Module), ..Scope::default() })
        }
        _ => Step::Skip,
    }
}

fn define(walk: &mut Walk, node: Node, word: &str, parts: &[Node]) {
    let Some(target) = parts.get(1).copied() else { return };
    if OTHERS.contains(&word) {
        return;
    }
    if matches!(word, "define-values" | "define-syntaxes" | "define-values-for-syntax")
        && is_list(target)
    {
        let kind = if word == "define-syntaxes" { SymbolKind::Macro } else { SymbolKind::Variable };
        for name in elements(target).into_iter().filter(|name| name.kind() == "symbol") {
            let symbol = defined(walk, node, word, walk.node_text(name), name, kind);
            walk.symbols.push(symbol);
        }
        return;
    }
    // `(define ((curried a) b) …)` defines `curried`.
    let mut name = target;
    let mut arguments = None;
    while is_list(name) {
        arguments = Some(name);
        let Some(inner) = elements(name).first().copied() else { return };
        name = inner;
    }
    if name.kind() != "symbol" {
        return;
    }
    let lambda = parts.get(2).is_some_and(|value| {
        is_list(*value)
            && elements(*value).first().is_some_and(|head| {
                matches!(walk.node_text(*head), "lambda" | "λ" | "case-lambda" | "opt-lambda")
            })
    });
    let kind = match word {
        _ if word.starts_with("struct") || word.starts_with("define-struct") => SymbolKind::Struct,
        _ if word.starts_with("module") => SymbolKind::Module,
        _ if word.starts_with("define-syntax") => SymbolKind::Macro,
        "define-match-expander"
        | "define-sequence-syntax"
        | "define-simple-macro"
        | "define-require-syntax"
        | "define-provide-syntax" => SymbolKind::Macro,
        "define-generics" | "define-signature" => SymbolKind::Interface,
        _ if arguments.is_some() || lambda => SymbolKind::Function,
        _ => SymbolKind::Variable,
    };
    let mut symbol = defined(walk, node, word, walk.node_text(name), name, kind);
    if let Some(arguments) = arguments {
        symbol.params = parameters(walk, arguments).into_iter().skip(1).collect();
    }
    symbol.doc = doc::above(walk.text, node.start_byte(), COMMENTS);
    walk.symbols.push(symbol);
}

/// One specification of `require`: the modules in it, ignoring changes to their names.
fn import(walk: &mut Walk, spec: Node) {
    let mut waiting = vec![spec];
    while let Some(node) = waiting.pop() {
        match node.kind() {
            "string" => {
                let path = unquoted(walk.node_text(node)).to_owned();
                walk.import(&path, Vec::new(), ImportCategory::Local, node);
            }
            "symbol" => {
                let path = walk.node_text(node).to_owned();
                let category = collection(&path);
                walk.import(&path, Vec::new(), category, node);
            }
            // A module of the machine, or one of the file.
            "quote" => {
                let path = walk.node_text(node).trim_start_matches('\'').trim().to_owned();
                let machine = path.starts_with("#%");
                let category = if machine { ImportCategory::Stdlib } else { ImportCategory::Local };
                walk.import(&path, Vec::new(), category, node);
            }
            _ if is_list(node) => {
                let parts = elements(node);
                let modules: Vec<Node> = match parts.first().map(|head| walk.node_text(*head)) {
                    // `(lib "file" "collection")`: the last text has the collection.
                    Some("lib") => {
                        let texts: Vec<&str> = parts
                            .iter()
                            .filter(|part| part.kind() == "string")
                            .map(|part| unquoted(walk.node_text(*part)))
                            .collect();
                        if let (Some(path), Some(last)) = (texts.first(), texts.last()) {
                            walk.import(path, Vec::new(), collection(last), node);
                        }
                        Vec::new()
                    }
                    Some("prefix-in") => parts.into_iter().skip(2).take(1).collect(),
                    Some("only-in" | "except-in" | "rename-in" | "file" | "submod") => {
                        parts.into_iter().skip(1).take(1).collect()
                    }
                    Some("for-meta" | "only-meta-in" | "just-meta-in") => {
                        parts.into_iter().skip(2).collect()
                    }
                    Some("planet") | None => Vec::new(),
                    Some(_) => parts.into_iter().skip(1).collect(),
                };
                waiting.extend(modules.into_iter().rev());
            }
            _ => {}
        }
    }
}

/// Where a path that begins with a collection comes from.
fn collection(path: &str) -> ImportCategory {
    let name = path.split('/').next().unwrap_or_default();
    if STDLIB.has(name) { ImportCategory::Stdlib } else { ImportCategory::ThirdParty }
}

/// The exports of the top-level `provide` forms.
#[derive(Default)]
struct Provided {
    all: bool,
    names: BTreeSet<String>,
}

impl Provided {
    fn read(walk: &Walk, root: Node) -> Self {
        let mut provided = Self::default();
        let mut waiting: Vec<Node> =
            elements(root).into_iter().filter(|form| is_list(*form)).collect();
        while let Some(form) = waiting.pop() {
            let parts = elements(form);
            match parts.first().map(|head| walk.node_text(*head)) {
                Some("provide") => provided.add(walk, parts.get(1..).unwrap_or_default()),
                Some("module" | "begin" | "#%module-begin") => {
                    waiting.extend(parts.into_iter().filter(|part| is_list(*part)));
                }
                _ => {}
            }
        }
        provided
    }

    fn add(&mut self, walk: &Walk, specs: &[Node]) {
        let mut waiting = specs.to_vec();
        while let Some(spec) = waiting.pop() {
            if spec.kind() == "symbol" {
                self.names.insert(walk.node_text(spec).to_owned());
                continue;
            }
            if !is_list(spec) {
                continue;
            }
            let parts = elements(spec);
            match parts.first().map(|head| walk.node_text(*head)) {
                Some("all-defined-out") => self.all = true,
                Some("all-from-out" | "for-label") | None => {}
                // Each is `[name contract]` or `[internal external]`.
                Some("contract-out" | "rename-out") => {
                    for pair in parts.iter().skip(1).filter(|pair| is_list(**pair)) {
                        let inner = elements(*pair);
                        let structure =
                            inner.first().is_some_and(|head| walk.node_text(*head) == "struct");
                        let name = inner.get(usize::from(structure)).copied();
                        waiting.extend(name.filter(|name| name.kind() == "symbol"));
                    }
                }
                Some("prefix-out") => waiting.extend(parts.into_iter().skip(2)),
                Some("except-out") => waiting.extend(parts.into_iter().skip(1).take(1)),
                Some(_) => waiting.extend(parts.into_iter().skip(1)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Input, Profile, Project, explore};

    #[test]
    fn modules_hold_their_definitions_and_requires_have_their_own_lines() {
        let text = "(module shop racket/base\n  (require (for-syntax racket/base\n                       \
                    \"rules.rkt\")\n           '#%foreign (lib \"list.rkt\" \"racket\"))\n  \
                    (define-syntaxes (buy sell) (values 1 2))\n  (define-logger shop)\n  \
                    (module+ test\n    (define (check) 1))\n  (define price 2))\n";
        let input = Input::memory("a.rkt", text.as_bytes());
        let found = explore(&input, &Project::default(), Profile::Enhancement);
        let symbols: Vec<_> = found
            .symbols
            .iter()
            .map(|one| {
                let parent = one.parent.as_deref().unwrap_or("-");
                format!("{} {parent} {} {}", one.kind.as_str(), one.name, one.line)
            })
            .collect();
        assert_eq!(
            symbols,
            [
                "module - shop 1",
                "macro shop buy 5",
                "macro shop sell 5",
                "module shop test 7",
                "function test check 8",
                "variable shop price 9",
            ]
        );
        let imports: Vec<_> = found
            .imports
            .iter()
            .map(|one| format!("{} {} {}", one.path, one.category.as_str(), one.line))
            .collect();
        assert_eq!(
            imports,
            [
                "racket/base stdlib 2",
                "rules.rkt local 3",
                "#%foreign stdlib 4",
                "list.rkt stdlib 4",
            ]
        );
    }
}
