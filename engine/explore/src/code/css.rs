//! CSS and SCSS: rules, variables, mixins, functions, media queries and keyframes.

use indexmap::IndexMap;
use serde_json::{Map, Value, json};
use tree_sitter::Node;

use super::{
    balance,
    doc::{self, Style},
    walk::{Language, Scope, Step, Walk, child, children, folded, line},
};
use crate::{
    findings::cut,
    import::ImportCategory,
    symbol::{Symbol, SymbolKind},
};

/// CSS.
#[derive(Debug)]
pub struct Css;

/// The dialects that are translated to CSS. The grammar knows most of one of them: what it cannot
/// read is not malformed for that.
#[derive(Debug)]
pub struct Scss;

const COMMENTS: Style = Style { line: &["//"], block: Some(("/*", "*/")) };

/// Longest value and source that the fields give, in characters.
const VALUE: usize = 80;
const SOURCE: usize = 50;

impl Language for Css {
    fn enter(&self, walk: &mut Walk, node: Node) -> Step {
        match node.kind() {
            "rule_set" => rule(walk, node),
            "declaration" => variable(walk, node),
            "media_statement" => media(walk, node),
            "keyframes_statement" => keyframes(walk, node),
            "at_rule" => at_rule(walk, node),
            "mixin_statement" => callable(walk, node, SymbolKind::Mixin),
            "function_statement" => callable(walk, node, SymbolKind::Function),
            "import_statement" | "use_statement" | "forward_statement" => import(walk, node),
            "stylesheet" | "block" | "ERROR" | "supports_statement" | "if_statement"
            | "if_clause" | "else_clause" | "each_statement" | "for_statement"
            | "while_statement" | "include_statement" => Step::Into,
            _ => Step::Skip,
        }
    }

    fn finish(&self, walk: &mut Walk, _root: Node) {
        let extension = walk.file.rsplit_once('.').map_or("", |(_, extension)| extension);
        let preprocessor = match extension {
            "sass" | "scss" | "less" => extension,
            "styl" | "stylus" => "stylus",
            _ => "css",
        };
        walk.fields.insert("preprocessor".to_owned(), preprocessor.into());
        let queries = media_queries(&walk.symbols);
        walk.fields.insert("media_queries".to_owned(), queries.into());
        for list in ["keyframes", "font_faces"] {
            walk.fields.entry(list).or_insert_with(|| Value::Array(Vec::new()));
        }
        let rules = walk.symbols.iter().filter(|symbol| is_rule(symbol)).count();
        walk.fields.insert("rule_count".to_owned(), rules.into());
        let mut counts: Map<String, Value> = walk
            .memo
            .counts
            .iter()
            .map(|(kind, count)| ((*kind).to_owned(), (*count).into()))
            .collect();
        for kind in ["class", "id", "element", "attribute", "pseudo", "total"] {
            counts.entry(kind).or_insert_with(|| 0.into());
        }
        walk.fields.insert("selector_counts".to_owned(), counts.into());
    }
}

impl Language for Scss {
    fn enter(&self, walk: &mut Walk, node: Node) -> Step {
        Css.enter(walk, node)
    }

    fn malformed(
        &self,
        file: &str,
        text: &str,
        _: Option<(String, u64, u64)>,
    ) -> Option<(String, u64, u64)> {
        // The dialects by indentation close nothing.
        let file = file.to_lowercase();
        let by_brackets = file.ends_with(".scss") || file.ends_with(".less");
        if by_brackets { balance::first_defect(text) } else { None }
    }

    fn finish(&self, walk: &mut Walk, root: Node) {
        Css.finish(walk, root);
    }
}

fn is_rule(symbol: &Symbol) -> bool {
    symbol.kind == SymbolKind::Rule && !symbol.name.starts_with('@')
}

/// How the name of a media query begins.
const MEDIA: &str = "@media ";

/// The queries of a file with the rules in them, those with the most first.
fn media_queries(symbols: &[Symbol]) -> Vec<Value> {
    let mut queries: IndexMap<&str, usize> = symbols
        .iter()
        .filter(|symbol| symbol.name.starts_with(MEDIA))
        .map(|media| (media.name.as_str(), 0))
        .collect();
    if queries.is_empty() {
        return Vec::new();
    }
    for rule in symbols.iter().filter(|symbol| is_rule(symbol)) {
        // The name of the query is the last part of the parent's.
        let parent = rule.parent.as_deref().unwrap_or_default();
        for (at, _) in parent.match_indices(MEDIA) {
            let begins = parent
                .get(..at)
                .is_some_and(|before| matches!(before.chars().next_back(), None | Some(' ')));
            let name = parent.get(at..).filter(|_| begins);
            if let Some(rules) = name.and_then(|name| queries.get_mut(name)) {
                *rules += 1;
            }
        }
    }
    let mut queries: Vec<(&str, usize)> = queries.into_iter().collect();
    queries.sort_by_key(|(_, rules)| std::cmp::Reverse(*rules));
    queries
        .into_iter()
        .map(|(query, rules)| {
            json!({"query": query.trim_start_matches("@media "), "rule_count": rules})
        })
        .collect()
}

fn inside(walk: &Walk, name: &str) -> Step {
    Step::Inside(Scope {
        name: Some(walk.qualified(" ", name)),
        kind: Some(SymbolKind::Rule),
        ..Scope::default()
    })
}

fn push(walk: &mut Walk, mut symbol: Symbol, node: Node) {
    symbol.doc = doc::above(walk.text, node.start_byte(), COMMENTS);
    walk.symbols.push(symbol);
}

/// A rule is named by its selectors.
fn rule(walk: &mut Walk, node: Node) -> Step {
    let Some(selectors) = child(node, "selectors") else { return Step::Into };
    let name = folded(walk.of(selectors));
    let symbol = walk.named(SymbolKind::Rule, &name, line(selectors), node);
    push(walk, symbol, node);
    let mut cursor = selectors.walk();
    let mut waiting: Vec<Node> = selectors.named_children(&mut cursor).collect();
    count(walk, "total", waiting.len());
    while let Some(selector) = waiting.pop() {
        match selector.kind() {
            "class_selector" => count(walk, "class", 1),
            "id_selector" => count(walk, "id", 1),
            // The name behind two colons is no element.
            "tag_name"
                if !walk.text.get(..selector.start_byte()).unwrap_or_default().ends_with(':') =>
            {
                count(walk, "element", 1);
            }
            "attribute_selector" => count(walk, "attribute", 1),
            "pseudo_class_selector" | "pseudo_element_selector" => count(walk, "pseudo", 1),
            _ => {}
        }
        if selector.named_child_count() > 0 {
            waiting.extend(selector.named_children(&mut cursor));
        }
    }
    inside(walk, &name)
}

/// Adds to one of the selector counts.
fn count(walk: &mut Walk, kind: &'static str, number: usize) {
    if walk.memo.counts.is_empty() {
        walk.fields.insert("selector_counts".to_owned(), Value::Null);
    }
    match walk.memo.counts.iter_mut().find(|(counted, _)| *counted == kind) {
        Some((_, count)) => *count += number,
        None => walk.memo.counts.push((kind, number)),
    }
}

/// `--name: value` and `$name: value`.
fn variable(walk: &mut Walk, node: Node) -> Step {
    let Some(name) = child(node, "property_name").or_else(|| child(node, "variable_name")) else {
        return Step::Skip;
    };
    let text = walk.of(name);
    if text.starts_with("--") || text.starts_with('$') || text.starts_with('@') {
        let value = walk.of(node).split_once(':').map_or("", |(_, value)| value);
        let mut symbol = walk.symbol(SymbolKind::Variable, name, node);
        symbol.return_type = Some(cut(folded(value).trim_end_matches([';', ' ']), VALUE));
        push(walk, symbol, node);
    }
    Step::Skip
}

fn media(walk: &mut Walk, node: Node) -> Step {
    let end = child(node, "block").map_or(node.end_byte(), |block| block.start_byte());
    let name = folded(walk.text.get(node.start_byte()..end).unwrap_or_default());
    let symbol = walk.named(SymbolKind::Rule, &name, line(node), node);
    push(walk, symbol, node);
    inside(walk, &name)
}

fn keyframes(walk: &mut Walk, node: Node) -> Step {
    let Some(name) = child(node, "keyframes_name") else { return Step::Skip };
    let steps = child(node, "keyframe_block_list").map_or(0, |list| children(list).count());
    let text = format!("@keyframes {}", walk.of(name));
    add(walk, "keyframes", json!({"name": walk.of(name), "step_count": steps}));
    let symbol = walk.named(SymbolKind::Rule, &text, line(name), node);
    push(walk, symbol, node);
    Step::Skip
}

/// `@font-face { … }`; other rules of this form are gone into.
fn at_rule(walk: &mut Walk, node: Node) -> Step {
    if child(node, "at_keyword").is_none_or(|word| walk.of(word) != "@font-face") {
        return Step::Into;
    }
    let Some(block) = child(node, "block") else { return Step::Skip };
    let mut face = json!({});
    for declaration in children(block).filter(|found| found.kind() == "declaration") {
        let Some((key, value)) = walk.of(declaration).split_once(':') else { continue };
        let value = folded(value).trim_end_matches([';', ' ']).to_owned();
        match key.trim() {
            "font-family" => face["family"] = value.trim_matches(['"', '\'']).into(),
            "src" => face["src"] = cut(&value, SOURCE).into(),
            "font-weight" => face["weight"] = value.into(),
            "font-style" => face["style"] = value.into(),
            _ => {}
        }
    }
    add(walk, "font_faces", face);
    Step::Skip
}

fn add(walk: &mut Walk, field: &str, entry: Value) {
    let list = walk.fields.entry(field).or_insert_with(|| Value::Array(Vec::new()));
    if let Some(list) = list.as_array_mut() {
        list.push(entry);
    }
}

fn callable(walk: &mut Walk, node: Node, kind: SymbolKind) -> Step {
    let Some(name) = node.child_by_field_name("name").or_else(|| child(node, "identifier")) else {
        return Step::Into;
    };
    let mut symbol = walk.symbol(kind, name, node);
    symbol.params = child(node, "parameters").map_or_else(Vec::new, |list| {
        children(list).map(|parameter| folded(walk.of(parameter))).collect()
    });
    push(walk, symbol, node);
    Step::Skip
}

/// `@import "a", url(b)`, `@use "a"`, `@forward "a"`: one import per file.
fn import(walk: &mut Walk, node: Node) -> Step {
    let word = walk.of(node).split_whitespace().next().unwrap_or_default().to_owned();
    let mut waiting: Vec<Node> = children(node).collect();
    waiting.reverse();
    while let Some(part) = waiting.pop() {
        if matches!(part.kind(), "string_value" | "plain_value" | "call_expression") {
            let text = walk.of(part);
            let inner = text.strip_prefix("url(").and_then(|text| text.strip_suffix(')'));
            let path = inner.unwrap_or(text).trim_matches(['"', '\'', ' ']);
            let category = if path.starts_with("sass:") {
                ImportCategory::Stdlib
            } else if path.contains("//") || path.starts_with('~') {
                ImportCategory::ThirdParty
            } else {
                ImportCategory::Local
            };
            walk.import(path, vec![word.clone()], category, node);
        } else if part.kind() == "ERROR" {
            let mut inner: Vec<Node> = children(part).collect();
            inner.reverse();
            waiting.extend(inner);
        }
    }
    Step::Skip
}
