//! Clojure: namespaces, definitions, protocols and records.

use tree_sitter::Node;

use super::{defined, elements, is_list, parameters, unquoted};
use crate::{
    code::{
        doc,
        walk::{Step, Visitor, Walk, child},
    },
    import::ImportCategory,
    symbol::{SymbolKind, Visibility},
};

/// Clojure.
#[derive(Debug)]
pub struct Clojure;

/// Words that define something.
const DEFINITIONS: &[(&str, SymbolKind)] = &[
    ("def", SymbolKind::Variable),
    ("defonce", SymbolKind::Variable),
    ("defn", SymbolKind::Function),
    ("defn-", SymbolKind::Function),
    ("defmacro", SymbolKind::Macro),
    ("defmulti", SymbolKind::Function),
    ("defmethod", SymbolKind::Method),
    ("definline", SymbolKind::Function),
    ("deftest", SymbolKind::Function),
    ("defprotocol", SymbolKind::Protocol),
    ("definterface", SymbolKind::Interface),
    ("defrecord", SymbolKind::Record),
    ("deftype", SymbolKind::Type),
    ("defstruct", SymbolKind::Struct),
];

impl Visitor for Clojure {
    fn enter(&mut self, walk: &mut Walk, node: Node) -> Step {
        match node.kind() {
            "source" | "ERROR" | "read_cond_lit" | "splicing_read_cond_lit" => Step::Into,
            "list_lit" => form(walk, node),
            _ => Step::Skip,
        }
    }
}

fn form(walk: &mut Walk, node: Node) -> Step {
    let parts = elements(node);
    let (Some(head), Some(name)) = (parts.first(), parts.get(1)) else { return Step::Skip };
    let word = walk.node_text(*head);
    match word {
        "ns" => namespace(walk, node, *name, &parts),
        "do" | "comment" => return if word == "do" { Step::Into } else { Step::Skip },
        "require" | "use" | "import" => {
            for spec in parts.iter().skip(1) {
                import(walk, *spec, word);
            }
        }
        _ => {
            if let Some((_, kind)) = DEFINITIONS.iter().find(|(known, _)| *known == word) {
                define(walk, node, word, *name, *kind, &parts);
            }
        }
    }
    Step::Skip
}

fn namespace(walk: &mut Walk, node: Node, name: Node, parts: &[Node]) {
    let mut symbol = walk.named(SymbolKind::Namespace, named(walk, name), super::line(name), node);
    symbol.exported = Some(true);
    walk.symbols.push(symbol);
    for clause in parts.iter().skip(2).filter(|part| is_list(**part)) {
        let inner = elements(*clause);
        let Some((head, specs)) = inner.split_first() else { continue };
        let word = walk.node_text(*head).trim_start_matches(':');
        if matches!(word, "require" | "use" | "import" | "require-macros") {
            for spec in specs {
                import(walk, *spec, word);
            }
        }
    }
}

/// `name`, `[name :as n :refer [a b]]`, `(package Class)`, each also quoted.
fn import(walk: &mut Walk, spec: Node, word: &str) {
    let spec =
        if spec.kind() == "quoting_lit" { spec.named_child(0).unwrap_or(spec) } else { spec };
    let (path, names) = match spec.kind() {
        "sym_lit" => (walk.node_text(spec), Vec::new()),
        "vec_lit" | "list_lit" => {
            let inner = elements(spec);
            let Some(first) = inner.first().filter(|first| first.kind() == "sym_lit") else {
                return;
            };
            let names = if word == "import" {
                inner.iter().skip(1).map(|name| walk.node_text(*name).to_owned()).collect()
            } else {
                let refer = inner.iter().position(|part| walk.node_text(*part) == ":refer");
                let list = refer.and_then(|at| inner.get(at + 1));
                match list {
                    Some(list) if list.kind() == "vec_lit" => parameters(walk, *list),
                    Some(_) => vec!["*".to_owned()],
                    None => Vec::new(),
                }
            };
            (walk.node_text(*first), names)
        }
        _ => return,
    };
    let file = path.replace('.', "/").replace('-', "_");
    let local = ["clj", "cljs", "cljc", "java"]
        .iter()
        .any(|extension| walk.project.holds(&format!("{file}.{extension}")));
    let category = if local {
        ImportCategory::Local
    } else if ["clojure.", "cljs.", "java.", "javax."].iter().any(|own| path.starts_with(own)) {
        ImportCategory::Stdlib
    } else {
        ImportCategory::ThirdParty
    };
    walk.import(path, names, category, spec);
}

fn define(walk: &mut Walk, node: Node, word: &str, name: Node, kind: SymbolKind, parts: &[Node]) {
    let text = named(walk, name).to_owned();
    let mut symbol = defined(walk, node, word, &text, name, kind);
    let list = parts.iter().skip(2).find(|part| part.kind() == "vec_lit");
    if let Some(list) = list.filter(|_| kind != SymbolKind::Variable) {
        symbol.params = parameters(walk, *list);
    }
    symbol.doc = parts
        .iter()
        .skip(2)
        .take(1)
        .find(|part| part.kind() == "str_lit" && parts.len() > 3)
        .and_then(|text| doc::paragraph(unquoted(walk.node_text(*text))));
    let private = word == "defn-"
        || child(name, "meta_lit").is_some_and(|meta| walk.node_text(meta).contains(":private"));
    symbol.set_exported(!private);
    walk.symbols.push(symbol);
    if matches!(kind, SymbolKind::Protocol | SymbolKind::Interface) {
        for method in parts.iter().skip(2).filter(|part| is_list(**part)) {
            let inner = elements(*method);
            let Some(name) = inner.first() else { continue };
            let mut symbol = walk.symbol(SymbolKind::Method, *name, *method);
            symbol.parent = Some(text.clone());
            symbol.params = inner.get(1).map_or_else(Vec::new, |list| parameters(walk, *list));
            symbol.exported = Some(true);
            symbol.visibility = Some(Visibility::Public);
            walk.symbols.push(symbol);
        }
    }
}

/// A symbol's text without the metadata before it.
fn named<'a>(walk: &Walk<'a>, node: Node) -> &'a str {
    child(node, "sym_name").map_or_else(
        || walk.node_text(node),
        |name| {
            let start = child(node, "sym_ns").map_or(name.start_byte(), |ns| ns.start_byte());
            walk.text.get(start..node.end_byte()).unwrap_or_default()
        },
    )
}
