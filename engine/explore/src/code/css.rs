//! CSS and SCSS: rules, variables, mixins, functions, media queries and keyframes.

use indexmap::IndexMap;
use serde_json::{Value, json};
use tree_sitter::Node;

use super::{
    balance,
    defect::Defect,
    doc::{self, Style},
    walk::{Scope, Step, Visitor, Walk, child, children, folded, line},
};
use crate::{
    findings::cut,
    import::ImportCategory,
    symbol::{Symbol, SymbolKind},
};

/// CSS.
#[derive(Debug, Default)]
pub struct Css {
    /// Number of selectors of each kind, in the order in which the kinds first occur.
    selector_counts: IndexMap<&'static str, usize>,
}

/// The dialects that are compiled to CSS. The grammar covers most of SCSS; text that it cannot
/// parse is not necessarily malformed.
#[derive(Debug, Default)]
pub struct Scss(Css);

const COMMENTS: Style = Style { line: &["//"], block: Some(("/*", "*/")) };

/// Longest value and source shown in the fields, in characters.
const VALUE: usize = 80;
const SOURCE: usize = 50;

impl Visitor for Css {
    fn enter(&mut self, walk: &mut Walk, node: Node) -> Step {
        match node.kind() {
            "rule_set" => self.rule(walk, node),
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

    fn finish(&mut self, walk: &mut Walk, _root: Node) {
        let extension = walk.file.rsplit_once('.').map_or("", |(_, extension)| extension);
        let preprocessor = match extension {
            "sass" | "scss" | "less" => extension,
            "styl" | "stylus" => "stylus",
            _ => "css",
        };
        walk.facts.set("preprocessor", preprocessor);
        walk.facts.set("media_queries", media_queries(&walk.symbols));
        for list in ["keyframes", "font_faces"] {
            walk.facts.extend(list, [(); 0]);
        }
        let rules = walk.symbols.iter().filter(|symbol| is_rule(symbol)).count();
        walk.facts.set("rule_count", rules);
        for kind in ["class", "id", "element", "attribute", "pseudo", "total"] {
            self.selector_counts.entry(kind).or_default();
        }
        walk.facts.set("selector_counts", &self.selector_counts);
    }
}

impl Visitor for Scss {
    fn enter(&mut self, walk: &mut Walk, node: Node) -> Step {
        self.0.enter(walk, node)
    }

    fn malformed(&self, file: &str, text: &str, _: Option<Defect>) -> Option<Defect> {
        // The indentation-based dialects have no closing brackets.
        let file = file.to_lowercase();
        let by_brackets = file.ends_with(".scss") || file.ends_with(".less");
        if by_brackets { balance::first_defect(text) } else { None }
    }

    fn finish(&mut self, walk: &mut Walk, root: Node) {
        self.0.finish(walk, root);
    }
}

impl Css {
    /// A rule has its selectors as its name.
    fn rule(&mut self, walk: &mut Walk, node: Node) -> Step {
        let Some(selectors) = child(node, "selectors") else { return Step::Into };
        let name = folded(walk.node_text(selectors));
        let symbol = walk.named(SymbolKind::Rule, &name, line(selectors), node);
        push(walk, symbol, node);
        let mut cursor = selectors.walk();
        let mut waiting: Vec<Node> = selectors.named_children(&mut cursor).collect();
        if self.selector_counts.is_empty() {
            // This only fixes the position among the facts; the counts are set at the end.
            walk.facts.set("selector_counts", ());
        }
        let mut count = |kind: &'static str, number: usize| {
            *self.selector_counts.entry(kind).or_default() += number;
        };
        count("total", waiting.len());
        while let Some(selector) = waiting.pop() {
            match selector.kind() {
                "class_selector" => count("class", 1),
                "id_selector" => count("id", 1),
                // The name after two colons is not that of an element.
                "tag_name"
                    if !walk
                        .text
                        .get(..selector.start_byte())
                        .unwrap_or_default()
                        .ends_with(':') =>
                {
                    count("element", 1);
                }
                "attribute_selector" => count("attribute", 1),
                "pseudo_class_selector" | "pseudo_element_selector" => count("pseudo", 1),
                _ => {}
            }
            if selector.named_child_count() > 0 {
                waiting.extend(selector.named_children(&mut cursor));
            }
        }
        inside(walk, &name)
    }
}

fn is_rule(symbol: &Symbol) -> bool {
    symbol.kind == SymbolKind::Rule && !symbol.name.starts_with('@')
}

/// Beginning of the name of a media query.
const MEDIA: &str = "@media ";

/// The media queries of a file with their numbers of rules, largest first.
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
        // The name of the query is the last component of the parent's name.
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

/// `--name: value` and `$name: value`.
fn variable(walk: &mut Walk, node: Node) -> Step {
    let Some(name) = child(node, "property_name").or_else(|| child(node, "variable_name")) else {
        return Step::Skip;
    };
    let text = walk.node_text(name);
    if text.starts_with("--") || text.starts_with('$') || text.starts_with('@') {
        let value = walk.node_text(node).split_once(':').map_or("", |(_, value)| value);
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
    let text = format!("@keyframes {}", walk.node_text(name));
    let keyframes = json!({"name": walk.node_text(name), "step_count": steps});
    walk.facts.push("keyframes", keyframes);
    let symbol = walk.named(SymbolKind::Rule, &text, line(name), node);
    push(walk, symbol, node);
    Step::Skip
}

/// `@font-face { … }`; other rules of this form are walked into.
fn at_rule(walk: &mut Walk, node: Node) -> Step {
    if child(node, "at_keyword").is_none_or(|word| walk.node_text(word) != "@font-face") {
        return Step::Into;
    }
    let Some(block) = child(node, "block") else { return Step::Skip };
    let mut face = json!({});
    for declaration in children(block).filter(|found| found.kind() == "declaration") {
        let Some((key, value)) = walk.node_text(declaration).split_once(':') else { continue };
        let value = folded(value).trim_end_matches([';', ' ']).to_owned();
        match key.trim() {
            "font-family" => face["family"] = value.trim_matches(['"', '\'']).into(),
            "src" => face["src"] = cut(&value, SOURCE).into(),
            "font-weight" => face["weight"] = value.into(),
            "font-style" => face["style"] = value.into(),
            _ => {}
        }
    }
    walk.facts.push("font_faces", face);
    Step::Skip
}

fn callable(walk: &mut Walk, node: Node, kind: SymbolKind) -> Step {
    let Some(name) = node.child_by_field_name("name").or_else(|| child(node, "identifier")) else {
        return Step::Into;
    };
    let mut symbol = walk.symbol(kind, name, node);
    symbol.params = child(node, "parameters").map_or_else(Vec::new, |list| {
        children(list).map(|parameter| folded(walk.node_text(parameter))).collect()
    });
    push(walk, symbol, node);
    Step::Skip
}

/// `@import "a", url(b)`, `@use "a"`, `@forward "a"`: one import per file.
fn import(walk: &mut Walk, node: Node) -> Step {
    let word = walk.node_text(node).split_whitespace().next().unwrap_or_default().to_owned();
    let mut waiting: Vec<Node> = children(node).collect();
    waiting.reverse();
    while let Some(part) = waiting.pop() {
        if matches!(part.kind(), "string_value" | "plain_value" | "call_expression") {
            let text = walk.node_text(part);
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
