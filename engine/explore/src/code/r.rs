//! R: the top-level assignments of a script or of a package's file.

use tree_sitter::Node;

use super::{
    doc::{self, Style},
    stdlib::Names,
    walk::{Step, Visitor, Walk, children, folded, line},
};
use crate::{import::ImportCategory, symbol::SymbolKind};

/// R.
#[derive(Debug)]
pub struct R;

/// Packages that come with R.
static STDLIB: Names = Names::embedded(include_str!("../../../../queries/r/stdlib.txt"));

const COMMENTS: Style = Style { line: &["#'", "#"], block: None };

impl Visitor for R {
    fn enter(&mut self, walk: &mut Walk, node: Node) -> Step {
        match node.kind() {
            "program" | "ERROR" => Step::Into,
            "binary_operator" => assignment(walk, node),
            "call" => import(walk, node),
            _ => Step::Skip,
        }
    }

    fn finish(&mut self, walk: &mut Walk, _root: Node) {
        let namespace = in_package(walk.file)
            .then(|| walk.project.above(walk.file, "NAMESPACE"))
            .flatten()
            .map(|text| Namespace::parse(&text));
        for symbol in &mut walk.symbols {
            let exported = match &namespace {
                Some(namespace) => namespace.exports(&symbol.name),
                None => !symbol.name.starts_with('.'),
            };
            symbol.set_exported(exported);
        }
    }
}

/// Whether a file belongs to the sources of a package, which its `NAMESPACE` applies to.
fn in_package(file: &str) -> bool {
    file.rsplit('/').nth(1) == Some("R")
}

/// The exports of a package.
struct Namespace {
    names: Vec<String>,
    /// Whether a pattern exports all names that do not begin with a dot.
    all: bool,
}

impl Namespace {
    /// Reads `export(a, "b")`, `S3method(generic, class)` and `exportPattern(…)`.
    fn parse(text: &str) -> Self {
        let mut found = Self { names: Vec::new(), all: false };
        let code: String = text
            .lines()
            .map(|line| line.split('#').next().unwrap_or_default())
            .collect::<Vec<_>>()
            .join("\n");
        for directive in code.split(')') {
            let Some((word, arguments)) = directive.rsplit_once('(') else { continue };
            let arguments = || {
                arguments
                    .split(',')
                    .map(|name| name.trim().trim_matches(['"', '`', '\'']).to_owned())
            };
            match word.trim() {
                "export" | "exportMethods" | "exportClasses" => found.names.extend(arguments()),
                "S3method" => {
                    found.names.push(arguments().take(2).collect::<Vec<_>>().join("."));
                }
                "exportPattern" => found.all = true,
                _ => {}
            }
        }
        found
    }

    fn exports(&self, name: &str) -> bool {
        self.all && !name.starts_with('.') || self.names.iter().any(|known| known == name)
    }
}

/// `name <- value`, in any of its spellings.
fn assignment(walk: &mut Walk, node: Node) -> Step {
    let field = |name: &str| node.child_by_field_name(name);
    let (Some(left), Some(right), Some(operator)) = (field("lhs"), field("rhs"), field("operator"))
    else {
        return Step::Skip;
    };
    let (target, value) = match walk.node_text(operator) {
        "<-" | "=" | "<<-" => (left, right),
        "->" | "->>" => (right, left),
        _ => return Step::Skip,
    };
    let name = match target.kind() {
        "identifier" => walk.node_text(target).trim_matches('`'),
        "string" => walk.field_text(target, "content").unwrap_or_default(),
        _ => return Step::Skip,
    };
    if name.is_empty() {
        return Step::Skip;
    }
    let callable = value.kind() == "function_definition";
    let kind = if callable { SymbolKind::Function } else { SymbolKind::Variable };
    let mut symbol = walk.named(kind, name, line(target), node);
    if let Some(parameters) = value.child_by_field_name("parameters").filter(|_| callable) {
        symbol.params = children(parameters)
            .filter(|found| found.kind() == "parameter")
            .map(|parameter| folded(walk.node_text(parameter)))
            .collect();
    }
    symbol.doc = doc::above(walk.text, node.start_byte(), COMMENTS);
    walk.symbols.push(symbol);
    Step::Skip
}

/// `library(x)`, `require("x")`, `requireNamespace("x")`, `source("file")`.
fn import(walk: &mut Walk, node: Node) -> Step {
    let word = walk.field_text(node, "function").unwrap_or_default();
    if !matches!(word, "library" | "require" | "requireNamespace" | "source") {
        return Step::Skip;
    }
    let first = node
        .child_by_field_name("arguments")
        .and_then(|arguments| children(arguments).find(|found| found.kind() == "argument"))
        .and_then(|argument| argument.child_by_field_name("value"));
    let Some(first) = first else { return Step::Skip };
    let path = match first.kind() {
        "string" => walk.field_text(first, "content").unwrap_or_default().to_owned(),
        "identifier" => walk.node_text(first).trim_matches('`').to_owned(),
        _ => folded(walk.node_text(first)),
    };
    let own = || {
        walk.project.above(walk.file, "DESCRIPTION").is_some_and(|text| {
            text.lines().any(|line| line.strip_prefix("Package:").map(str::trim) == Some(&path))
        })
    };
    let category = if word == "source" || own() {
        ImportCategory::Local
    } else if STDLIB.has(&path) {
        ImportCategory::Stdlib
    } else {
        ImportCategory::ThirdParty
    };
    let names = if word == "requireNamespace" { Vec::new() } else { vec!["*".to_owned()] };
    walk.import(&path, names, category, node);
    Step::Skip
}
