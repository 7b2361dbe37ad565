//! Tcl: procedures, namespaces, classes and variables.

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::{
    doc::{self, Style},
    walk::{Language, Scope, Sighting, Step, Walk, child, children, folded, line},
};
use crate::{import::ImportCategory, symbol::SymbolKind};

/// Tcl.
#[derive(Debug)]
pub struct Tcl;

const COMMENTS: Style = Style { line: &["#"], block: None };
/// Marks what `namespace export` names.
const EXPORT: &str = "export";

/// Packages that come with the language.
const STDLIB: &[&str] = &[
    "Tcl", "Tk", "http", "msgcat", "opt", "platform", "registry", "dde", "tcltest", "TclOO",
    "Thread",
];

/// Commands that make a widget of Tk.
const WIDGETS: &[&str] = &[
    "button",
    "canvas",
    "checkbutton",
    "entry",
    "frame",
    "label",
    "labelframe",
    "listbox",
    "menu",
    "menubutton",
    "message",
    "panedwindow",
    "radiobutton",
    "scale",
    "scrollbar",
    "spinbox",
    "text",
    "toplevel",
    "ttk::button",
    "ttk::checkbutton",
    "ttk::combobox",
    "ttk::entry",
    "ttk::frame",
    "ttk::label",
    "ttk::labelframe",
    "ttk::menubutton",
    "ttk::notebook",
    "ttk::panedwindow",
    "ttk::progressbar",
    "ttk::radiobutton",
    "ttk::scale",
    "ttk::scrollbar",
    "ttk::separator",
    "ttk::sizegrip",
    "ttk::spinbox",
    "ttk::treeview",
];

impl Language for Tcl {
    fn enter(&self, walk: &mut Walk, node: Node) -> Step {
        match node.kind() {
            "procedure" => procedure(walk, node),
            "namespace" => namespace(walk, node),
            "command" => command(walk, node),
            "global" => globals(walk, node),
            "set" => set(walk, node),
            "comment" => {
                let count = walk.fields.get("comment_count").and_then(serde_json::Value::as_u64);
                walk.fields.insert("comment_count".to_owned(), (count.unwrap_or(0) + 1).into());
                Step::Skip
            }
            _ => Step::Into,
        }
    }

    fn finish(&self, walk: &mut Walk, _root: Node) {
        let exports = Exports::of(&walk.memo.sightings);
        for symbol in walk.symbols.iter_mut().filter(|symbol| symbol.kind == SymbolKind::Function) {
            symbol.exported = Some(exports.have(&symbol.name));
        }
        if !exports.is_empty() {
            let exported = exports.patterns();
            walk.fields.insert("exported".to_owned(), exported.into());
        }
        let widgets = list(walk, "tk_widgets");
        let tk = !widgets.is_empty() || walk.imports.iter().any(|import| import.path == "Tk");
        let classes = walk.symbols.iter().any(|symbol| symbol.kind == SymbolKind::Class);
        walk.fields.insert("has_tk".to_owned(), tk.into());
        walk.fields.insert("has_oo".to_owned(), classes.into());
    }
}

/// What `namespace export` names: whole names, and what stands before a `*` at the end.
#[derive(Default)]
struct Exports<'s> {
    names: BTreeSet<&'s str>,
    prefixes: BTreeSet<&'s str>,
}

impl<'s> Exports<'s> {
    fn of(sightings: &'s [Sighting]) -> Self {
        let mut exports = Self::default();
        for seen in sightings.iter().filter(|seen| seen.what == EXPORT) {
            match seen.text.strip_suffix('*') {
                Some(prefix) => exports.prefixes.insert(prefix),
                None => exports.names.insert(&seen.text),
            };
        }
        exports
    }

    fn is_empty(&self) -> bool {
        self.names.is_empty() && self.prefixes.is_empty()
    }

    fn have(&self, name: &str) -> bool {
        let mut prefixes = (0..=name.len()).filter_map(|end| name.get(..end));
        self.names.contains(name)
            || !self.prefixes.is_empty() && prefixes.any(|prefix| self.prefixes.contains(prefix))
    }

    /// As they were written, in order.
    fn patterns(&self) -> Vec<String> {
        let prefixes = self.prefixes.iter().map(|prefix| format!("{prefix}*"));
        let mut all: Vec<String> = self.names.iter().map(|&name| name.to_owned()).collect();
        all.extend(prefixes);
        all.sort();
        all
    }
}

fn procedure(walk: &mut Walk, node: Node) -> Step {
    let Some(name) = node.child_by_field_name("name") else { return Step::Into };
    // `::a::b` belongs to the namespace `a`, wherever it is written.
    let full = walk.of(name).trim_start_matches(':').to_owned();
    let (space, short) = match full.rsplit_once("::") {
        Some((space, short)) => (Some(space.to_owned()), short.to_owned()),
        None => (walk.parent(), full),
    };
    let mut symbol = walk.named(SymbolKind::Function, &short, line(name), node);
    symbol.parent = space;
    symbol.params = node.child_by_field_name("arguments").map_or_else(Vec::new, |list| {
        children(list).map(|parameter| folded(walk.of(parameter))).collect()
    });
    symbol.doc = doc::above(walk.text, node.start_byte(), COMMENTS);
    let scope = Scope { callable: true, kind: Some(SymbolKind::Function), ..Scope::default() };
    walk.symbols.push(symbol);
    Step::Inside(scope)
}

/// `namespace eval name { … }` and `namespace export pattern…`.
fn namespace(walk: &mut Walk, node: Node) -> Step {
    let words: Vec<Node> =
        child(node, "word_list").map_or_else(Vec::new, |list| children(list).collect());
    let word = |index: usize| words.get(index).map_or("", |word| walk.of(*word));
    match word(0) {
        "eval" => {
            let Some(name) = words.get(1) else { return Step::Into };
            let text = walk.of(*name).trim_start_matches(':').to_owned();
            let symbol = walk.named(SymbolKind::Namespace, &text, line(*name), node);
            let scope = Scope {
                name: Some(walk.qualified("::", &text)),
                kind: Some(SymbolKind::Namespace),
                ..Scope::default()
            };
            walk.symbols.push(symbol);
            Step::Inside(scope)
        }
        "export" => {
            for name in words.iter().skip(1) {
                let text = walk.of(*name);
                if !text.starts_with('-') {
                    walk.sight(EXPORT, *name, text);
                }
            }
            Step::Skip
        }
        _ => Step::Into,
    }
}

fn command(walk: &mut Walk, node: Node) -> Step {
    let word = walk.field(node, "name").unwrap_or_default();
    let words: Vec<Node> = node
        .child_by_field_name("arguments")
        .map_or_else(Vec::new, |list| children(list).collect());
    let text = |index: usize| words.get(index).map_or("", |word| walk.of(*word));
    let in_class = walk.scope().is_some_and(|scope| scope.kind == Some(SymbolKind::Class));
    match word {
        "package" if text(0) == "require" => {
            let path = if text(1) == "-exact" { text(2) } else { text(1) };
            let category = if STDLIB.contains(&path) {
                ImportCategory::Stdlib
            } else {
                ImportCategory::ThirdParty
            };
            walk.import(path, Vec::new(), category, node);
            Step::Skip
        }
        "source" if !words.is_empty() => {
            let path = words.last().map_or("", |path| walk.of(*path)).trim_matches('"');
            walk.import(path, Vec::new(), ImportCategory::Local, node);
            Step::Skip
        }
        "oo::class" | "::oo::class" if text(0) == "create" => class(walk, node, words.get(1)),
        "itcl::class" | "::itcl::class" | "class" if words.len() > 1 => {
            class(walk, node, words.first())
        }
        "method" | "constructor" | "destructor" if in_class => member(walk, node, word, &words),
        "variable" if !walk.in_callable() => {
            if let Some(name) = words.first() {
                let symbol = walk.symbol(SymbolKind::Variable, *name, node);
                if symbol.parent.is_none() {
                    walk.memo.names.insert(symbol.name.clone());
                }
                walk.symbols.push(symbol);
            }
            Step::Skip
        }
        _ if WIDGETS.contains(&word) && text(0).starts_with('.') => {
            add(walk, "tk_widgets", word);
            Step::Into
        }
        _ => {
            if !walk.in_callable()
                && node.parent().is_some_and(|parent| parent.kind() == "source_file")
            {
                walk.fields.insert("has_main_code".to_owned(), true.into());
            }
            Step::Into
        }
    }
}

fn class(walk: &mut Walk, node: Node, name: Option<&Node>) -> Step {
    let Some(name) = name else { return Step::Into };
    let text = walk.of(*name).trim_start_matches(':').to_owned();
    let mut symbol = walk.named(SymbolKind::Class, &text, line(*name), node);
    symbol.modifiers = vec![if walk.of(node).contains("itcl") { "itcl" } else { "oo" }.to_owned()];
    symbol.doc = doc::above(walk.text, node.start_byte(), COMMENTS);
    let scope = Scope {
        name: Some(walk.qualified("::", &text)),
        kind: Some(SymbolKind::Class),
        ..Scope::default()
    };
    walk.symbols.push(symbol);
    Step::Inside(scope)
}

fn member(walk: &mut Walk, node: Node, word: &str, words: &[Node]) -> Step {
    let method = word == "method";
    let kind = match word {
        "method" => SymbolKind::Method,
        "constructor" => SymbolKind::Constructor,
        _ => SymbolKind::Destructor,
    };
    let name = words.first().filter(|_| method);
    let (text, row) = name.map_or((word, line(node)), |name| (walk.of(*name), line(*name)));
    let mut symbol = walk.named(kind, text, row, node);
    let list = words.get(usize::from(method)).filter(|_| kind != SymbolKind::Destructor);
    symbol.params = list.map_or_else(Vec::new, |list| {
        let inner = walk.of(*list).trim_start_matches('{').trim_end_matches('}');
        inner.split_whitespace().map(str::to_owned).collect()
    });
    walk.symbols.push(symbol);
    Step::Inside(Scope { callable: true, kind: Some(kind), ..Scope::default() })
}

/// `global a b` names variables of the file wherever it stands.
fn globals(walk: &mut Walk, node: Node) -> Step {
    for name in children(node) {
        variable(walk, name, node);
    }
    Step::Skip
}

/// `set name value` outside procedures.
fn set(walk: &mut Walk, node: Node) -> Step {
    let top = node.parent().is_some_and(|parent| parent.kind() == "source_file");
    if let Some(name) = child(node, "id").filter(|_| top) {
        variable(walk, name, node);
    }
    Step::Into
}

fn variable(walk: &mut Walk, name: Node, node: Node) {
    if walk.memo.names.insert(walk.of(name).to_owned()) {
        let mut symbol = walk.symbol(SymbolKind::Variable, name, node);
        symbol.parent = None;
        symbol.modifiers = vec!["global".to_owned()];
        walk.symbols.push(symbol);
    }
}

fn list(walk: &Walk, field: &str) -> Vec<String> {
    let list = walk.fields.get(field).and_then(serde_json::Value::as_array);
    list.into_iter().flatten().filter_map(|name| name.as_str().map(str::to_owned)).collect()
}

/// Adds a word to a sorted list in the fields, once.
fn add(walk: &mut Walk, field: &str, word: &str) {
    let list = walk.fields.entry(field).or_insert_with(|| serde_json::Value::Array(Vec::new()));
    if let Some(list) = list.as_array_mut() {
        let place = list.partition_point(|known| known.as_str().unwrap_or_default() < word);
        if list.get(place).and_then(serde_json::Value::as_str) != Some(word) {
            list.insert(place, word.into());
        }
    }
}
