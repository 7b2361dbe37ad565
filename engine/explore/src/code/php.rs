//! PHP.

use std::{collections::BTreeSet, sync::LazyLock};

use tree_sitter::Node;

use super::{
    doc,
    stdlib::Names,
    walk::{Scope, Step, Visitor, Walk, child, children, folded, holds_word},
};
use crate::{
    import::ImportCategory,
    symbol::{Symbol, SymbolKind, Visibility},
};

/// PHP.
#[derive(Debug, Default)]
pub struct Php {
    /// The file's first namespace.
    namespace: Option<String>,
}

static STDLIB: Names = Names::embedded(include_str!("../../../../queries/php/stdlib.txt"));

/// Names in PHP are case-insensitive.
static STDLIB_IN_LOWER_CASE: LazyLock<BTreeSet<String>> =
    LazyLock::new(|| STDLIB.iter().map(str::to_ascii_lowercase).collect());

impl Visitor for Php {
    fn enter(&mut self, walk: &mut Walk, node: Node) -> Step {
        match node.kind() {
            "namespace_definition" => self.namespace(walk, node),
            "namespace_use_declaration" => uses(walk, node),
            "class_declaration" => definition(walk, node, SymbolKind::Class),
            "interface_declaration" => definition(walk, node, SymbolKind::Interface),
            "trait_declaration" => definition(walk, node, SymbolKind::Trait),
            "enum_declaration" => definition(walk, node, SymbolKind::Enum),
            "function_definition" => callable(walk, node, SymbolKind::Function),
            "method_declaration" => match walk.field_text(node, "name") {
                Some("__construct") => callable(walk, node, SymbolKind::Constructor),
                _ => callable(walk, node, SymbolKind::Method),
            },
            "property_declaration" => values(walk, node, "property_element", SymbolKind::Property),
            "const_declaration" => values(walk, node, "const_element", SymbolKind::Constant),
            "enum_case" => values(walk, node, "", SymbolKind::EnumMember),
            "include_expression"
            | "include_once_expression"
            | "require_expression"
            | "require_once_expression" => include(walk, node),
            "comment" | "text" | "string" | "encapsed_string" | "heredoc" | "nowdoc"
            | "attribute_list" | "use_declaration" => Step::Skip,
            _ => Step::Into,
        }
    }

    fn finish(&mut self, walk: &mut Walk, _root: Node) {
        self.categorise(walk);
    }
}

impl Php {
    fn namespace(&mut self, walk: &mut Walk, node: Node) -> Step {
        if let Some(name) = walk.field_text(node, "name").filter(|_| self.namespace.is_none()) {
            walk.facts.set("namespace", name);
            self.namespace = Some(name.to_owned());
        }
        Step::Into
    }

    /// The origin of the used names: PHP itself, a namespace that composer maps to a folder, or, if
    /// composer does not say, the vendor name at the beginning of the file's own namespace.
    fn categorise(&self, walk: &mut Walk) {
        if walk.imports.iter().all(|import| import.names.is_empty()) {
            return;
        }
        let own = self.namespace.as_deref().and_then(|name| name.split('\\').next());
        let prefixes = walk
            .project
            .php_namespaces(walk.file)
            .unwrap_or_else(|| own.map(str::to_owned).into_iter().collect());
        for import in walk.imports.iter_mut().filter(|import| !import.names.is_empty()) {
            let below = |prefix: &String| {
                import
                    .path
                    .strip_prefix(prefix.as_str())
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('\\'))
            };
            import.category = if STDLIB_IN_LOWER_CASE.contains(&import.path.to_ascii_lowercase()) {
                ImportCategory::Stdlib
            } else if prefixes.iter().any(below) {
                ImportCategory::Local
            } else if import.path.contains('\\') {
                ImportCategory::ThirdParty
            } else {
                ImportCategory::Unknown
            };
        }
    }
}

fn definition(walk: &mut Walk, node: Node, kind: SymbolKind) -> Step {
    let Some(name) = node.child_by_field_name("name") else { return Step::Into };
    if walk.in_callable() {
        return Step::Into;
    }
    let mut symbol = walk.symbol(kind, name, node);
    describe(walk, node, &mut symbol);
    walk.symbols.push(symbol);
    let scope = walk.qualified(".", walk.node_text(name));
    Step::Inside(Scope { name: Some(scope), kind: Some(kind), ..Scope::default() })
}

fn callable(walk: &mut Walk, node: Node, kind: SymbolKind) -> Step {
    let Some(name) = node.child_by_field_name("name") else { return Step::Into };
    if !walk.in_callable() {
        let mut symbol = walk.symbol(kind, name, node);
        if let Some(parameters) = node.child_by_field_name("parameters") {
            symbol.params = children(parameters)
                .filter(|each| each.kind() != "comment")
                .map(|each| folded(walk.node_text(each)))
                .collect();
        }
        symbol.return_type = walk.field_text(node, "return_type").map(folded);
        describe(walk, node, &mut symbol);
        walk.symbols.push(symbol);
    }
    // Declarations in a body exist only once it has run; only the files that it loads matter.
    let loads = holds_word(walk.node_text(node), &["require", "include", "REQUIRE", "INCLUDE"]);
    if loads { Step::Inside(Scope { callable: true, ..Scope::default() }) } else { Step::Skip }
}

/// Properties, constants and cases of one declaration; if `element` is empty, the node itself is
/// the element.
fn values(walk: &mut Walk, node: Node, element: &str, kind: SymbolKind) -> Step {
    if walk.in_callable() {
        return Step::Skip;
    }
    let elements: Vec<Node> = if element.is_empty() {
        vec![node]
    } else {
        children(node).filter(|each| each.kind() == element).collect()
    };
    for each in elements {
        let name = each.child_by_field_name("name").or_else(|| child(each, "name"));
        let Some(name) = name.map(|name| child(name, "name").unwrap_or(name)) else { continue };
        let mut symbol = walk.symbol(kind, name, node);
        symbol.return_type = walk.field_text(node, "type").map(folded);
        describe(walk, node, &mut symbol);
        walk.symbols.push(symbol);
    }
    Step::Into
}

/// Modifiers, attributes, documentation and visibility.
fn describe(walk: &Walk, node: Node, symbol: &mut Symbol) {
    let mut visibility = Visibility::Public;
    for part in children(node) {
        match part.kind() {
            "visibility_modifier" => {
                visibility = match walk.node_text(part).to_ascii_lowercase().as_str() {
                    "private" => Visibility::Private,
                    "protected" => Visibility::Protected,
                    _ => Visibility::Public,
                };
                symbol.modifiers.push(walk.node_text(part).to_owned());
            }
            "abstract_modifier" | "final_modifier" | "static_modifier" | "readonly_modifier"
            | "var_modifier" => symbol.modifiers.push(walk.node_text(part).to_owned()),
            "attribute_list" => {
                symbol.decorators = children(part)
                    .flat_map(children)
                    .map(|attribute| folded(walk.node_text(attribute)))
                    .collect();
            }
            _ => {}
        }
    }
    symbol.set_visibility(visibility);
    symbol.doc = doc::above(walk.text, node.start_byte(), doc::C);
}

/// `use a\b`, `use function a\b, c`, `use a\{b, c as d}`.
fn uses(walk: &mut Walk, node: Node) -> Step {
    let prefix = child(node, "namespace_name").map(|prefix| walk.node_text(prefix));
    let clauses: Vec<Node> = node
        .child_by_field_name("body")
        .map_or_else(|| children(node).collect(), |group| children(group).collect());
    for clause in clauses.into_iter().filter(|clause| clause.kind() == "namespace_use_clause") {
        let Some(name) = children(clause)
            .find(|part| matches!(part.kind(), "name" | "qualified_name" | "namespace_name"))
        else {
            continue;
        };
        let name = walk.node_text(name);
        let module = match prefix {
            Some(prefix) => format!("{prefix}\\{name}"),
            None => name.to_owned(),
        };
        let module = module.trim_start_matches('\\');
        let last = module.rsplit('\\').next().unwrap_or(module).to_owned();
        walk.import(module, vec![last], ImportCategory::Unknown, clause);
    }
    Step::Skip
}

/// An included file: it is local if its path is built from the file's own folder, or if it exists
/// below the project.
/// project.
fn include(walk: &mut Walk, node: Node) -> Step {
    let mut target = children(node).find(|part| part.kind() != "comment");
    while let Some(inner) = target.filter(|target| target.kind() == "parenthesized_expression") {
        target = children(inner).next();
    }
    let Some(target) = target else { return Step::Skip };
    let plain = child(target, "interpolation").is_none()
        && children(target).all(|part| part.kind().contains("string"));
    let literal = matches!(target.kind(), "string" | "encapsed_string") && plain;
    let (path, local) = if literal {
        let path = child(target, "string_content").map_or("", |content| walk.node_text(content));
        (path.to_owned(), walk.project.has_php(walk.file, path))
    } else {
        let path = folded(walk.node_text(target));
        let start = path.to_ascii_lowercase();
        let own = start.starts_with("__dir__")
            || start.starts_with("dirname(__file__")
            || start.starts_with("dirname(__dir__");
        (path, own)
    };
    let category = if local { ImportCategory::Local } else { ImportCategory::Unknown };
    walk.import(&path, Vec::new(), category, node);
    Step::Skip
}
