//! Ruby's idioms: Rails, test and task blocks, magic comments, and mixins.

use serde_json::{Value, json};
use tree_sitter::Node;

use super::walk::{Walk, children, distinct, folded, line};
use crate::{findings::cut, import::ImportCategory};

const CALLBACKS: &[&str] = &[
    "before_action",
    "after_action",
    "around_action",
    "before_save",
    "after_save",
    "around_save",
    "before_create",
    "after_create",
    "before_update",
    "after_update",
    "before_destroy",
    "after_destroy",
    "before_validation",
    "after_validation",
    "after_commit",
    "after_rollback",
    "after_initialize",
];
const ASSOCIATIONS: &[&str] = &["belongs_to", "has_many", "has_one", "has_and_belongs_to_many"];

/// The kinds of blocks with a description, by the word that opens them.
const BLOCKS: &[(&str, &str)] = &[
    ("describe", "describe"),
    ("context", "context"),
    ("feature", "feature"),
    ("it", "it"),
    ("specify", "it"),
    ("example", "it"),
    ("scenario", "it"),
    ("before", "hook"),
    ("after", "hook"),
    ("let", "let"),
    ("let!", "let"),
    ("subject", "subject"),
    ("shared_examples", "shared"),
    ("shared_context", "shared"),
    ("task", "task"),
    ("namespace", "namespace"),
];

/// Longest description of a block, in characters.
const DESCRIPTION: usize = 80;

/// Looks at a call without a receiver.
pub fn call(walk: &mut Walk, node: Node, name: &str) {
    let first = node.child_by_field_name("arguments").and_then(|list| children(list).next());
    let argument = first.map(|first| folded(walk.node_text(first))).unwrap_or_default();
    if CALLBACKS.contains(&name) {
        walk.facts.push("callbacks", name);
    } else if ASSOCIATIONS.contains(&name) {
        walk.facts.push("associations", format!("{name} {argument}"));
    } else if name == "validate" || name.starts_with("validates") {
        walk.facts.push("validations", name);
    } else if name == "scope" && argument.starts_with(':') {
        walk.facts.push("scopes", &argument);
    } else if let ("include" | "extend" | "prepend", Some(list)) =
        (name, node.child_by_field_name("arguments"))
    {
        let mixed: Vec<String> =
            children(list).map(|each| format!("{name} {}", folded(walk.node_text(each)))).collect();
        if let Some(owner) = walk.enclosing_symbol() {
            owner.decorators.extend(mixed);
        }
    }
    let kind = BLOCKS.iter().find(|(word, _)| *word == name).map(|(_, kind)| *kind);
    if let (Some(kind), Some(_)) = (kind, node.child_by_field_name("block")) {
        let text = argument.trim_matches(['"', '\'', ':']);
        let entry = json!({
            "type": kind,
            "description": cut(text, DESCRIPTION),
            "line": line(node),
        });
        walk.facts.push("blocks", entry);
    }
}

/// The type of a constant's value.
pub fn value_type(walk: &Walk, value: Node) -> String {
    let inner = match value.kind() {
        // `[…].freeze` has the type of the frozen value.
        "call" if walk.field_text(value, "method") == Some("freeze") => {
            value.child_by_field_name("receiver").unwrap_or(value)
        }
        _ => value,
    };
    match inner.kind() {
        "array" | "string_array" | "symbol_array" => "Array",
        "hash" => "Hash",
        "string" | "heredoc_beginning" | "chained_string" => "String",
        "simple_symbol" | "delimited_symbol" => "Symbol",
        "integer" => "Integer",
        "float" => "Float",
        "true" | "false" => "Boolean",
        "nil" => "nil",
        "regex" => "Regexp",
        "constant" | "scope_resolution" => "Reference",
        _ => "unknown",
    }
    .to_owned()
}

/// Sets the facts of the whole file.
pub fn finish(walk: &mut Walk, root: Node) {
    let magic: Vec<String> = walk
        .text
        .lines()
        .take(5)
        .filter_map(|line| line.trim().strip_prefix('#').map(str::trim))
        .filter(|comment| {
            comment.split_once(':').is_some_and(|(key, value)| {
                let key = key.trim().to_ascii_lowercase();
                let known = [
                    "frozen_string_literal",
                    "encoding",
                    "coding",
                    "warn_indent",
                    "shareable_constant_value",
                    "-*- coding",
                ];
                known.contains(&key.as_str()) && !value.trim().is_empty()
            })
        })
        .map(str::to_owned)
        .collect();
    let frozen = magic.iter().any(|comment| {
        comment.split_once(':').is_some_and(|(key, value)| {
            key.trim() == "frozen_string_literal" && value.trim() == "true"
        })
    });
    let script = children(root).any(|node| {
        matches!(node.kind(), "if" | "if_modifier") && {
            let condition = walk.field_text(node, "condition").unwrap_or_default();
            condition.contains("__FILE__")
                && (condition.contains("$0") || condition.contains("$PROGRAM_NAME"))
        }
    });
    let paths = |category: ImportCategory| {
        let imports = walk.imports.iter().filter(|import| import.category == category);
        distinct(imports.map(|import| import.path.as_str()))
    };
    let requires = json!({
        "stdlib": paths(ImportCategory::Stdlib),
        "gems": paths(ImportCategory::ThirdParty),
        "local": paths(ImportCategory::Local),
    });
    let rails = rails(walk);
    for (name, value) in [
        ("magic_comments", json!(magic)),
        ("frozen_string_literal", json!(frozen)),
        ("has_main_code", json!(script)),
        ("requires", requires),
        ("rails", rails),
    ] {
        walk.facts.set(name, value);
    }
}

/// The part that the file plays in a Rails program, judged by its path or by its first class.
fn rails(walk: &Walk) -> Value {
    let by_path = [
        ("controllers/", "controller"),
        ("models/", "model"),
        ("db/migrate/", "migration"),
        ("mailers/", "mailer"),
        ("jobs/", "job"),
        ("serializers/", "serializer"),
        ("concerns/", "concern"),
        ("helpers/", "helper"),
        ("views/", "view"),
    ];
    let by_class = [
        ("ApplicationController", "controller"),
        ("ActionController::Base", "controller"),
        ("ApplicationRecord", "model"),
        ("ActiveRecord::Base", "model"),
        ("ActiveRecord::Migration", "migration"),
        ("ApplicationMailer", "mailer"),
        ("ApplicationJob", "job"),
    ];
    let path = format!("/{}", walk.file);
    let in_app = path.contains("/app/") || path.contains("/db/migrate/");
    let kind = by_path
        .iter()
        .find(|(folder, _)| in_app && path.contains(&format!("/{folder}")))
        .or_else(|| {
            by_class.iter().find(|(base, _)| {
                walk.symbols.iter().any(|symbol| {
                    symbol.bases.iter().any(|own| own.trim_start_matches("::").starts_with(base))
                })
            })
        })
        .map(|(_, kind)| *kind);
    json!({ "is_rails_file": kind.is_some(), "file_type": kind })
}
