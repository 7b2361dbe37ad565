//! Tcl: procedures, namespaces, classes and variables.

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::{
    doc::{self, Style},
    walk::{Scope, Step, Visitor, Walk, child, children, folded, line},
};
use crate::{import::ImportCategory, symbol::SymbolKind};

/// Tcl.
#[derive(Debug, Default)]
pub struct Tcl {
    comment_count: usize,
    /// Global variables of the file.
    globals: BTreeSet<String>,
    /// Commands of Tk that the file calls.
    widgets: BTreeSet<&'static str>,
    exports: Exports,
}

const COMMENTS: Style = Style { line: &["#"], block: None };

/// Packages that come with the language.
const STDLIB: &[&str] = &[
    "Tcl", "Tk", "http", "msgcat", "opt", "platform", "registry", "dde", "tcltest", "TclOO",
    "Thread",
];

/// Commands that create a Tk widget.
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

impl Visitor for Tcl {
    fn enter(&mut self, walk: &mut Walk, node: Node) -> Step {
        match node.kind() {
            "procedure" => procedure(walk, node),
            "namespace" => self.namespace(walk, node),
            "command" => self.command(walk, node),
            "global" => self.globals(walk, node),
            "set" => self.set(walk, node),
            "comment" => {
                self.comment_count += 1;
                walk.facts.set("comment_count", self.comment_count);
                Step::Skip
            }
            _ => Step::Into,
        }
    }

    fn finish(&mut self, walk: &mut Walk, _root: Node) {
        for symbol in walk.symbols.iter_mut().filter(|symbol| symbol.kind == SymbolKind::Function) {
            symbol.exported = Some(self.exports.have(&symbol.name));
        }
        if !self.exports.is_empty() {
            walk.facts.set("exported", self.exports.patterns());
        }
        let tk = !self.widgets.is_empty() || walk.imports.iter().any(|import| import.path == "Tk");
        let classes = walk.symbols.iter().any(|symbol| symbol.kind == SymbolKind::Class);
        walk.facts.set("has_tk", tk);
        walk.facts.set("has_oo", classes);
    }
}

/// The names in `namespace export`: whole names, and prefixes before a `*` at the end.
#[derive(Debug, Default)]
struct Exports {
    names: BTreeSet<String>,
    prefixes: BTreeSet<String>,
}

impl Exports {
    fn add(&mut self, pattern: &str) {
        match pattern.strip_suffix('*') {
            Some(prefix) => self.prefixes.insert(prefix.to_owned()),
            None => self.names.insert(pattern.to_owned()),
        };
    }

    fn is_empty(&self) -> bool {
        self.names.is_empty() && self.prefixes.is_empty()
    }

    fn have(&self, name: &str) -> bool {
        let mut prefixes = (0..=name.len()).filter_map(|end| name.get(..end));
        self.names.contains(name)
            || !self.prefixes.is_empty() && prefixes.any(|prefix| self.prefixes.contains(prefix))
    }

    /// The patterns as written, in order.
    fn patterns(&self) -> Vec<String> {
        let prefixes = self.prefixes.iter().map(|prefix| format!("{prefix}*"));
        let mut all: Vec<String> = self.names.iter().cloned().chain(prefixes).collect();
        all.sort();
        all
    }
}

impl Tcl {
    /// `namespace eval name { … }` and `namespace export pattern…`.
    fn namespace(&mut self, walk: &mut Walk, node: Node) -> Step {
        let words: Vec<Node> =
            child(node, "word_list").map_or_else(Vec::new, |list| children(list).collect());
        let word = |index: usize| words.get(index).map_or("", |word| walk.node_text(*word));
        match word(0) {
            "eval" => {
                let Some(name) = words.get(1) else { return Step::Into };
                let text = walk.node_text(*name).trim_start_matches(':').to_owned();
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
                    let text = walk.node_text(*name);
                    if !text.starts_with('-') {
                        self.exports.add(text);
                    }
                }
                Step::Skip
            }
            _ => Step::Into,
        }
    }

    fn command(&mut self, walk: &mut Walk, node: Node) -> Step {
        let word = walk.field_text(node, "name").unwrap_or_default();
        let words: Vec<Node> = node
            .child_by_field_name("arguments")
            .map_or_else(Vec::new, |list| children(list).collect());
        let text = |index: usize| words.get(index).map_or("", |word| walk.node_text(*word));
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
                let path = words.last().map_or("", |path| walk.node_text(*path)).trim_matches('"');
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
                        self.globals.insert(symbol.name.clone());
                    }
                    walk.symbols.push(symbol);
                }
                Step::Skip
            }
            _ => {
                let widget = WIDGETS.iter().find(|known| **known == word);
                if let Some(widget) = widget.filter(|_| text(0).starts_with('.')) {
                    if self.widgets.insert(widget) {
                        walk.facts.set("tk_widgets", &self.widgets);
                    }
                    return Step::Into;
                }
                if !walk.in_callable()
                    && node.parent().is_some_and(|parent| parent.kind() == "source_file")
                {
                    walk.facts.set("has_main_code", true);
                }
                Step::Into
            }
        }
    }

    /// `global a b` names global variables, wherever it occurs.
    fn globals(&mut self, walk: &mut Walk, node: Node) -> Step {
        for name in children(node) {
            self.variable(walk, name, node);
        }
        Step::Skip
    }

    /// `set name value` outside procedures.
    fn set(&mut self, walk: &mut Walk, node: Node) -> Step {
        let top = node.parent().is_some_and(|parent| parent.kind() == "source_file");
        if let Some(name) = child(node, "id").filter(|_| top) {
            self.variable(walk, name, node);
        }
        Step::Into
    }

    /// A global variable, added where it first occurs.
    fn variable(&mut self, walk: &mut Walk, name: Node, node: Node) {
        if self.globals.insert(walk.node_text(name).to_owned()) {
            let mut symbol = walk.symbol(SymbolKind::Variable, name, node);
            symbol.parent = None;
            symbol.modifiers = vec!["global".to_owned()];
            walk.symbols.push(symbol);
        }
    }
}

fn procedure(walk: &mut Walk, node: Node) -> Step {
    let Some(name) = node.child_by_field_name("name") else { return Step::Into };
    // `::a::b` belongs to the namespace `a`, wherever it occurs.
    let full = walk.node_text(name).trim_start_matches(':').to_owned();
    let (space, short) = match full.rsplit_once("::") {
        Some((space, short)) => (Some(space.to_owned()), short.to_owned()),
        None => (walk.parent(), full),
    };
    let mut symbol = walk.named(SymbolKind::Function, &short, line(name), node);
    symbol.parent = space;
    symbol.params = node.child_by_field_name("arguments").map_or_else(Vec::new, |list| {
        children(list).map(|parameter| folded(walk.node_text(parameter))).collect()
    });
    symbol.doc = doc::above(walk.text, node.start_byte(), COMMENTS);
    let scope = Scope { callable: true, kind: Some(SymbolKind::Function), ..Scope::default() };
    walk.symbols.push(symbol);
    Step::Inside(scope)
}

fn class(walk: &mut Walk, node: Node, name: Option<&Node>) -> Step {
    let Some(name) = name else { return Step::Into };
    let text = walk.node_text(*name).trim_start_matches(':').to_owned();
    let mut symbol = walk.named(SymbolKind::Class, &text, line(*name), node);
    symbol.modifiers =
        vec![if walk.node_text(node).contains("itcl") { "itcl" } else { "oo" }.to_owned()];
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
    let (text, row) = name.map_or((word, line(node)), |name| (walk.node_text(*name), line(*name)));
    let mut symbol = walk.named(kind, text, row, node);
    let list = words.get(usize::from(method)).filter(|_| kind != SymbolKind::Destructor);
    symbol.params = list.map_or_else(Vec::new, |list| {
        let inner = walk.node_text(*list).trim_start_matches('{').trim_end_matches('}');
        inner.split_whitespace().map(str::to_owned).collect()
    });
    walk.symbols.push(symbol);
    Step::Inside(Scope { callable: true, kind: Some(kind), ..Scope::default() })
}
