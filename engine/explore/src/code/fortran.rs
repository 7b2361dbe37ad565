//! Fortran: modules, programs, procedures, derived types and interfaces.

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::{
    doc::{self, Style},
    fixed_form,
    stdlib::Names,
    walk::{Scope, Step, Visitor, Walk, child, children, folded, line},
};
use crate::{
    import::ImportCategory,
    symbol::{Symbol, SymbolKind, Visibility},
};

/// Fortran, free and fixed form.
#[derive(Debug, Default)]
pub struct Fortran {
    /// The names in `public` and `private` statements, in lower case.
    public: Vec<String>,
    private: Vec<String>,
}

/// Intrinsic modules.
static STDLIB: Names = Names::embedded(include_str!("../../../../queries/fortran/stdlib.txt"));

const COMMENTS: Style = Style { line: &["!", "C ", "c ", "*"], block: None };

impl Visitor for Fortran {
    fn enter(&mut self, walk: &mut Walk, node: Node) -> Step {
        match node.kind() {
            "translation_unit"
            | "internal_procedures"
            | "ERROR"
            | "submodule"
            | "preproc_if"
            | "preproc_ifdef"
            | "preproc_else"
            | "preproc_elif" => Step::Into,
            "module" => unit(walk, node, "module_statement", SymbolKind::Module),
            "program" => unit(walk, node, "program_statement", SymbolKind::Program),
            "subroutine" => unit(walk, node, "subroutine_statement", SymbolKind::Subroutine),
            "function" => unit(walk, node, "function_statement", SymbolKind::Function),
            "interface" => interface(walk, node),
            "derived_type_definition" => derived_type(walk, node),
            "use_statement" => import(walk, node),
            "private_statement" | "public_statement" => self.access(walk, node),
            _ => Step::Skip,
        }
    }

    fn prepare(&self, file: &str, text: &str) -> Option<String> {
        fixed_form::freed(file, text)
    }

    fn finish(&mut self, walk: &mut Walk, _root: Node) {
        self.apply_access(walk);
        // A module that this file defines is local, wherever it is used.
        let modules: Vec<String> = walk
            .symbols
            .iter()
            .filter(|symbol| symbol.kind == SymbolKind::Module)
            .map(|symbol| symbol.name.to_lowercase())
            .collect();
        for import in &mut walk.imports {
            if modules.contains(&import.path.to_lowercase()) {
                import.category = ImportCategory::Local;
            }
        }
    }
}

/// A program unit or procedure; its body is a scope.
fn unit(walk: &mut Walk, node: Node, statement: &str, kind: SymbolKind) -> Step {
    let Some(head) = child(node, statement) else { return Step::Into };
    let Some(name) = head.child_by_field_name("name").or_else(|| child(head, "name")) else {
        return Step::Into;
    };
    let mut symbol = walk.symbol(kind, name, node);
    symbol.params = head.child_by_field_name("parameters").map_or_else(Vec::new, |list| {
        children(list)
            .filter(|found| found.kind() == "identifier" && walk.node_text(*found) != "$")
            .map(|parameter| walk.node_text(parameter).to_owned())
            .collect()
    });
    symbol.return_type = walk.field_text(head, "type").map(folded);
    symbol.modifiers = children(head)
        .filter(|found| found.kind() == "procedure_qualifier")
        .map(|qualifier| walk.node_text(qualifier).to_lowercase())
        .collect();
    push(walk, symbol, node)
}

/// An interface block: with a name it is a generic procedure; without one it is not a symbol.
fn interface(walk: &mut Walk, node: Node) -> Step {
    let Some(head) = child(node, "interface_statement") else { return Step::Into };
    let spec = children(head).find(|found| found.kind() != "abstract_specifier");
    let name = spec.map_or_else(|| "None".to_owned(), |spec| folded(walk.node_text(spec)));
    let abstracted = child(head, "abstract_specifier").is_some();
    let name = if abstracted { "ABSTRACT".to_owned() } else { name };
    let mut symbol =
        walk.named(SymbolKind::Interface, &name, spec.map_or_else(|| line(head), line), node);
    symbol.modifiers.extend(abstracted.then(|| "abstract".to_owned()));
    push(walk, symbol, node)
}

fn derived_type(walk: &mut Walk, node: Node) -> Step {
    let Some(head) = child(node, "derived_type_statement") else { return Step::Into };
    let Some(name) = child(head, "type_name") else { return Step::Into };
    let mut symbol = walk.symbol(SymbolKind::Type, name, node);
    symbol.modifiers = children(head)
        .filter(|found| matches!(found.kind(), "access_specifier" | "abstract_specifier"))
        .map(|word| walk.node_text(word).to_lowercase())
        .collect();
    if let Some(base) = head.child_by_field_name("base").and_then(|base| base.named_child(0)) {
        symbol.bases = vec![walk.node_text(base).to_owned()];
    }
    push(walk, symbol, node)
}

fn push(walk: &mut Walk, mut symbol: Symbol, node: Node) -> Step {
    symbol.doc = doc::above(walk.text, node.start_byte(), COMMENTS);
    let stated = symbol.modifiers.iter().find_map(|word| match word.as_str() {
        "public" => Some(Visibility::Public),
        "private" => Some(Visibility::Private),
        _ => None,
    });
    let inherited = walk.scope().and_then(|scope| scope.visibility);
    symbol.visibility = stated.or(inherited).or(Some(Visibility::Public));
    symbol.exported = Some(symbol.visibility == Some(Visibility::Public));
    let scope = Scope {
        name: Some(walk.qualified(".", &symbol.name)),
        kind: Some(symbol.kind),
        callable: matches!(symbol.kind, SymbolKind::Subroutine | SymbolKind::Function),
        ..Scope::default()
    };
    walk.symbols.push(symbol);
    Step::Inside(scope)
}

impl Fortran {
    /// `private` without a list hides everything that no `public` statement of the module names.
    /// Lists are applied at the end of the file, because they may come before or after the names in
    /// them.
    fn access(&mut self, walk: &mut Walk, node: Node) -> Step {
        let private = node.kind() == "private_statement";
        if node.named_child_count() == 0 {
            if let Some(scope) = walk.scope_mut().filter(|scope| !scope.callable && private) {
                scope.visibility = Some(Visibility::Private);
            }
            return Step::Skip;
        }
        let (field, named) =
            if private { ("private", &mut self.private) } else { ("public", &mut self.public) };
        let names = children(node).map(|name| folded(walk.node_text(name)).to_lowercase());
        let before = named.len();
        named.extend(names);
        walk.facts.extend(field, named.get(before..).unwrap_or_default());
        Step::Skip
    }

    /// Applies the lists of `public` and `private` statements.
    fn apply_access(&self, walk: &mut Walk) {
        for (names, visibility) in
            [(&self.public, Visibility::Public), (&self.private, Visibility::Private)]
        {
            let names: BTreeSet<&str> = names.iter().map(String::as_str).collect();
            for symbol in &mut walk.symbols {
                if symbol.parent.is_some() && names.contains(symbol.name.to_lowercase().as_str()) {
                    symbol.set_visibility(visibility);
                }
            }
        }
    }
}

/// `use m, only: a, b => c`.
fn import(walk: &mut Walk, node: Node) -> Step {
    let Some(path) = child(node, "module_name").map(|name| walk.node_text(name).to_owned()) else {
        return Step::Skip;
    };
    let names = child(node, "included_items").map_or_else(
        || vec!["*".to_owned()],
        |list| {
            children(list)
                .map(|item| {
                    let name = child(item, "local_name").unwrap_or(item);
                    folded(walk.node_text(name))
                })
                .collect()
        },
    );
    let name = path.to_lowercase();
    let category = if STDLIB.has(&name) {
        ImportCategory::Stdlib
    } else if ["f90", "F90", "f", "f95", "f03", "f08"].iter().any(|extension| {
        walk.project.holds(&format!("{name}.{extension}"))
            || walk.project.holds(&format!("{path}.{extension}"))
    }) {
        ImportCategory::Local
    } else {
        ImportCategory::Unknown
    };
    walk.import(&path, names, category, node);
    Step::Skip
}
