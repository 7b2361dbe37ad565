//! The text of a connection graph.

use std::collections::BTreeSet;

use base::text::number::grouped;

use super::{
    Details, Other, Type,
    patterns::{patterns, shared},
};
use crate::graph::{Branch, Kind, Mark, Symbol, Tree};

/// Most symbols that one line of details names.
const MOST: usize = 12;
/// Characters that count as one token here, as the format says.
const CHARACTERS_OF_TOKEN: usize = 4;

/// The first line of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// What was asked for.
    pub query: String,
    /// Most tokens that the answer may have.
    pub budget: usize,
}

impl Summary {
    /// The line, with the number of tokens of the whole answer: of this line and of `rest`.
    pub fn line(&self, results: &[Details], rest: &str) -> String {
        let files: BTreeSet<&str> = results.iter().map(|one| one.symbol.file.as_str()).collect();
        let counted = match results {
            [_] => "1 result".to_owned(),
            all => {
                let plural = if files.len() == 1 { "" } else { "s" };
                format!("{} results across {} file{plural}", all.len(), files.len())
            }
        };
        let line = |tokens: usize| {
            let (tokens, budget) = (grouped(tokens), grouped(self.budget));
            format!("Search: \"{}\" | {counted} | {tokens}/{budget} tokens\n", self.query)
        };
        // The line counts itself; another digit can make it longer once.
        let first = tokens(&(line(0) + rest));
        line(tokens(&(line(first) + rest)))
    }
}

/// The number of tokens of a text, as this format counts them.
pub fn tokens(text: &str) -> usize {
    text.chars().count().div_ceil(CHARACTERS_OF_TOKEN)
}

/// The graph of calls, what stands out, and the details, behind an empty line. `trees` has the calls of each result.
pub fn text(
    results: &[Details],
    trees: &[Tree],
    name: &mut dyn FnMut(&Branch) -> Symbol,
) -> String {
    let mut out = String::new();
    let is_deep = trees.iter().any(|tree| tree.branches.iter().any(|one| one.depth > 1));
    if results.len() > 1 || is_deep {
        out.push_str("\nGraph:\n");
        graph(&mut out, results, trees, name);
    }
    let patterns = if results.len() > 1 { patterns(results) } else { Vec::new() };
    if !patterns.is_empty() {
        out.push_str("\nPatterns:\n");
        for line in patterns {
            out.push_str(&format!("  {line}\n"));
        }
    }
    for (number, one) in results.iter().enumerate() {
        let mark = if results.len() > 1 { format!("[{}] ", number + 1) } else { String::new() };
        out.push_str(&format!(
            "\n{mark}{} — {}:{}\n",
            one.symbol.name, one.symbol.file, one.symbol.line
        ));
        for line in lines(one, results.len() == 1) {
            out.push_str(&format!("    {line}\n"));
        }
    }
    out
}

fn graph(
    out: &mut String,
    results: &[Details],
    trees: &[Tree],
    name: &mut dyn FnMut(&Branch) -> Symbol,
) {
    let shared = shared(results);
    for (number, (one, tree)) in results.iter().zip(trees).enumerate() {
        let mark = if results.len() > 1 { format!("[{}] ", number + 1) } else { String::new() };
        let alone = if tree.branches.is_empty() {
            format!(" (standalone {})", one.symbol.kind)
        } else {
            String::new()
        };
        out.push_str(&format!("  {mark}{} ({}){alone}\n", one.symbol.name, one.symbol.file));
        for branch in &tree.branches {
            let symbol = name(branch);
            let is_result = results.iter().any(|other| other.symbol == symbol);
            let sign = match () {
                () if is_result && results.len() > 1 => " ★",
                () if shared.contains_key(&symbol) => " ◆",
                () => "",
            };
            let end = match branch.mark {
                Some(Mark::Cycle) => " [cycle]",
                Some(Mark::DepthLimit) => " [depth limit]",
                None => "",
            };
            let indent = "  ".repeat(branch.depth + 1);
            out.push_str(&format!("{indent}→ {} ({}){sign}{end}\n", symbol.name, symbol.file));
        }
        if tree.is_cut {
            out.push_str("    → … [cut]\n");
        }
    }
}

/// What is said about a symbol, a line each.
fn lines(one: &Details, with_calls: bool) -> Vec<String> {
    let run = if one.is_async { "async " } else { "" };
    let exported = if one.is_exported == Some(true) { " | exported" } else { "" };
    let plural = if one.reference_files == 1 { "" } else { "s" };
    let mut lines = vec![format!(
        "{run}{}{exported} | refs: {} in {} file{plural}",
        one.symbol.kind, one.references, one.reference_files
    )];
    if !one.signature.is_empty() {
        lines.push(format!("Signature: {}", one.signature));
    }
    let named = |symbols: &[Symbol]| symbols.iter().map(at).collect::<Vec<_>>();
    add(&mut lines, "Extends", &named(&one.extends));
    add(&mut lines, "Implements", &named(&one.implements));
    if with_calls {
        let calls = |others: &[Other]| {
            let calls = others.iter().filter(|other| other.edge.is_call());
            calls.map(|other| at(&other.symbol)).collect::<Vec<_>>()
        };
        add(&mut lines, "Calls", &calls(&one.uses));
        add(&mut lines, "Called by", &calls(&one.used_by));
        let derived = one
            .used_by
            .iter()
            .filter(|other| matches!(other.edge, Kind::Extends | Kind::Implements));
        add(&mut lines, "Subtypes", &derived.map(|other| at(&other.symbol)).collect::<Vec<_>>());
    }
    add(&mut lines, "May use", &named(&one.candidates));
    let types = |types: &[Type]| types.iter().map(type_at).collect::<Vec<_>>().join(", ");
    let types = [("Types in", types(&one.types_in)), ("Types out", types(&one.types_out))];
    let types = types.iter().filter(|(_, names)| !names.is_empty());
    let types: Vec<String> = types.map(|(what, names)| format!("{what}: {names}")).collect();
    if !types.is_empty() {
        lines.push(types.join(" | "));
    }
    add(&mut lines, "Members", &one.members);
    lines
}

fn add(lines: &mut Vec<String>, what: &str, names: &[String]) {
    if names.is_empty() {
        return;
    }
    let shown: Vec<&str> = names.iter().take(MOST).map(String::as_str).collect();
    let more = names.len() - shown.len();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    lines.push(format!("{what}: {}{more}", shown.join(", ")));
}

fn at(symbol: &Symbol) -> String {
    if symbol.kind == "module" && symbol.name == symbol.file {
        return symbol.file.clone();
    }
    format!("{} ({})", symbol.name, symbol.file)
}

fn type_at(of: &Type) -> String {
    of.file.as_ref().map_or_else(|| of.name.clone(), |file| format!("{} ({file})", of.name))
}
