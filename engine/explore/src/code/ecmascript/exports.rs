//! Exports, of ECMAScript and of CommonJS.

use serde::Serialize;
use tree_sitter::Node;

use super::{
    Ecmascript, What,
    imports::{category, specifiers, unquoted},
    nested,
};
use crate::code::walk::{Step, Walk, child, children, folded};

/// One thing that a file exports.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(super) enum Export {
    /// `export default …`.
    Default {
        /// Its name, if it has one.
        name: Option<String>,
    },
    /// A name in a list.
    #[serde(rename = "named")]
    Listed {
        /// The local name.
        name: String,
        /// The module that it comes from, if it is re-exported.
        source: Option<String>,
    },
    /// What an exported declaration declares.
    #[serde(rename = "named")]
    Declared {
        /// Its name.
        name: String,
    },
    /// `export * from …`.
    All {
        /// The name in `* as name`, if there is one.
        name: Option<String>,
        /// The module that everything comes from.
        source: String,
    },
    /// An assignment to `exports` or `module.exports`.
    CommonJs {
        /// The name; `module.exports` for the module itself.
        name: String,
    },
}

impl Export {
    fn commonjs(name: &str) -> Self {
        Self::CommonJs { name: name.to_owned() }
    }
}

impl Ecmascript {
    /// An `export …` statement.
    pub(super) fn export(&mut self, walk: &mut Walk, node: Node) -> Step {
        let mut cursor = node.walk();
        let is_default = node.children(&mut cursor).any(|one| one.kind() == "default");
        let words: &[&str] = if is_default { &["export", "default"] } else { &["export"] };
        let declaration = walk.field(node, "declaration");
        // `export default class {}` and `export default function () {}` are declarations, too.
        let value = walk.field(node, "value").filter(|one| {
            is_default
                && matches!(one.kind(), "class" | "function_expression" | "generator_function")
        });
        self.wrap(walk, node, declaration.or(value), words);
        self.add_exports_of(walk, node, is_default);
        Step::Into
    }

    /// Records the facts of an `export …` statement; a re-export is also an import.
    fn add_exports_of(&mut self, walk: &mut Walk, node: Node, is_default: bool) {
        self.note(walk, node, What::Esm);
        let source = walk.field(node, "source").filter(|one| one.kind() == "string");
        let clause = child(node, "export_clause");
        let namespace = child(node, "namespace_export");
        let path = source.map(|source| unquoted(walk, source));
        let taken = clause.map_or_else(|| vec!["*".to_owned()], |clause| specifiers(walk, clause));
        if let Some(path) = path {
            walk.import(path, taken.clone(), category(path), node);
        }
        let mut exports = Vec::new();
        if is_default {
            let declared = walk.field(node, "declaration").or_else(|| walk.field(node, "value"));
            let name = declared.and_then(|one| {
                if one.kind() == "identifier" {
                    Some(walk.node_text(one))
                } else {
                    walk.field_text(one, "name")
                }
            });
            exports.push(Export::Default { name: name.map(str::to_owned) });
        } else if clause.is_some() {
            let source = path.map(str::to_owned);
            exports.extend(
                taken.into_iter().map(|name| Export::Listed { name, source: source.clone() }),
            );
        } else if let Some(path) = path {
            let name = namespace.map(|one| folded(walk.node_text(one)));
            exports.push(Export::All { name, source: path.to_owned() });
        } else if let Some(declaration) = walk.field(node, "declaration") {
            let names = declared_names(walk, declaration).into_iter();
            exports.extend(names.map(|name| Export::Declared { name }));
        }
        // An export inside a namespace is a member of it, and not an export of the file.
        if walk.parent().is_none() {
            self.exports.get_or_insert_default().extend(exports);
        }
    }

    /// An assignment to `exports` or `module.exports`.
    pub(super) fn assignment(&mut self, walk: &Walk, node: Node) -> Step {
        let target = walk.field_text(node, "left").unwrap_or_default();
        if let Some(name) = commonjs_export(target).filter(|_| self.commonjs) {
            self.note(walk, node, What::CommonJs);
            let value = walk.field(node, "right");
            let exports: Vec<Export> =
                match value.filter(|value| value.kind() == "object" && name.is_empty()) {
                    Some(object) => children(object)
                        .filter_map(|one| match one.kind() {
                            "shorthand_property_identifier" => Some(walk.node_text(one)),
                            "pair" => walk.field_text(one, "key"),
                            "method_definition" => walk.field_text(one, "name"),
                            _ => None,
                        })
                        .map(Export::commonjs)
                        .collect(),
                    None if name.is_empty() => {
                        let name = value.filter(|value| value.kind() == "identifier");
                        let name = name.map_or("module.exports", |value| walk.node_text(value));
                        vec![Export::commonjs(name)]
                    }
                    None => vec![Export::commonjs(name)],
                };
            self.exports.get_or_insert_default().extend(exports);
        }
        nested(walk)
    }

    /// Records the local names that the file exports by a list, as default or through CommonJS.
    pub(super) fn add_exported_names(&mut self, walk: &Walk, program: Node) {
        for statement in children(program) {
            match statement.kind() {
                "export_statement" => self.add_exported_by_statement(walk, statement),
                "expression_statement" if self.commonjs => {
                    if let Some(expression) = statement.named_child(0) {
                        self.add_exported_by_commonjs(walk, expression);
                    }
                }
                _ => {}
            }
        }
    }

    fn add_exported_by_statement(&mut self, walk: &Walk, statement: Node) {
        if walk.field(statement, "source").is_some() {
            return;
        }
        let list = child(statement, "export_clause");
        for one in list.into_iter().flat_map(children) {
            if let Some(name) = walk.field_text(one, "name") {
                self.exported_names.insert(name.to_owned());
            }
        }
        // `export default name` and `export = name`.
        let single = walk.field(statement, "value").or_else(|| statement.named_child(0));
        if let Some(name) = single.filter(|one| one.kind() == "identifier") {
            self.exported_names.insert(walk.node_text(name).to_owned());
        }
    }

    /// `module.exports = f`, `exports.f = f`, `module.exports = { f, g: h }` and chains of them.
    fn add_exported_by_commonjs(&mut self, walk: &Walk, expression: Node) {
        let (mut exported, mut value) = (false, expression);
        while value.kind() == "assignment_expression" {
            let left = walk.field_text(value, "left").unwrap_or_default();
            exported = exported || commonjs_export(left).is_some();
            let Some(right) = walk.field(value, "right") else { return };
            value = right;
        }
        if !exported {
            return;
        }
        match value.kind() {
            "identifier" => {
                self.exported_names.insert(walk.node_text(value).to_owned());
            }
            "object" => {
                for one in children(value) {
                    let name = match one.kind() {
                        "shorthand_property_identifier" => Some(one),
                        "pair" => one
                            .child_by_field_name("value")
                            .filter(|value| value.kind() == "identifier"),
                        _ => None,
                    };
                    self.exported_names.extend(name.map(|name| walk.node_text(name).to_owned()));
                }
            }
            _ => {}
        }
    }
}

/// The name that an assignment to this target exports; empty for the module itself.
fn commonjs_export(target: &str) -> Option<&str> {
    let rest = target.strip_prefix("module.exports").or_else(|| target.strip_prefix("exports"))?;
    match rest.strip_prefix('.') {
        Some(name) => name.chars().all(is_name_character).then_some(name),
        None => rest.is_empty().then_some(""),
    }
}

fn is_name_character(character: char) -> bool {
    character.is_alphanumeric() || character == '_' || character == '$'
}

/// The names that an exported declaration declares.
fn declared_names(walk: &Walk, declaration: Node) -> Vec<String> {
    let mut inner = declaration;
    while inner.kind() == "ambient_declaration" {
        match children(inner).next() {
            Some(next) => inner = next,
            None => break,
        }
    }
    if let Some(name) = walk.field_text(inner, "name") {
        return vec![name.to_owned()];
    }
    let mut names = Vec::new();
    let mut pending: Vec<Node> = children(inner)
        .filter(|one| one.kind() == "variable_declarator")
        .filter_map(|one| walk.field(one, "name"))
        .collect();
    pending.reverse();
    while let Some(target) = pending.pop() {
        match target.kind() {
            "identifier" | "shorthand_property_identifier_pattern" => {
                names.push(walk.node_text(target).to_owned());
            }
            "pair_pattern" => pending.extend(walk.field(target, "value")),
            "assignment_pattern" | "object_assignment_pattern" => {
                pending.extend(walk.field(target, "left"));
            }
            _ => {
                let below: Vec<Node> = children(target).collect();
                pending.extend(below.into_iter().rev());
            }
        }
    }
    names
}
