//! What is said about one symbol.

use std::collections::BTreeSet;

use base::secrets::Secrets;
use index::{
    Role, Symbols,
    nav::{Described, Meaning, Place},
};
use serde::Serialize;

use crate::graph::{Edge, Graph, Kind, Symbol, Tier, chain, is_symbol, symbol};

/// Most members of a class that are named.
const MOST_MEMBERS: usize = 30;

/// Another symbol that a symbol uses, or is used by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Other {
    /// The other symbol.
    #[serde(flatten)]
    pub symbol: Symbol,
    /// How the one uses the other.
    pub edge: Kind,
    /// How that is known.
    pub tier: Tier,
    /// Lines of the uses in the file of the symbol that uses, from 1.
    pub lines: Vec<u32>,
}

/// A type in the declaration of a symbol.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Type {
    /// Its name.
    pub name: String,
    /// The file that defines it; `None` if it comes from outside, or is not known.
    pub file: Option<String>,
}

/// What is said about one symbol.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Details {
    /// The symbol.
    #[serde(flatten)]
    pub symbol: Symbol,
    /// Its declaration on one line.
    pub signature: String,
    /// Whether its declaration says that it runs beside others.
    pub is_async: bool,
    /// Whether its declaration says that other files may use it; `None` if the language has no word
    /// for that.
    pub is_exported: Option<bool>,
    /// Number of uses of it, imports included.
    pub references: usize,
    /// Number of files with a use or import of it.
    pub reference_files: usize,
    /// The classes that it derives from.
    pub extends: Vec<Symbol>,
    /// The interfaces that it implements.
    pub implements: Vec<Symbol>,
    /// What it uses, each once for each way.
    pub uses: Vec<Other>,
    /// Who uses it, each once for each way.
    pub used_by: Vec<Other>,
    /// Types of its parameters.
    pub types_in: Vec<Type>,
    /// Other types in its declaration.
    pub types_out: Vec<Type>,
    /// What is defined directly in it, with `()` behind functions; at most 30.
    pub members: Vec<String>,
    /// Symbols that it may use: only their name says so, and no other has it.
    pub candidates: Vec<Symbol>,
    /// Number of names in it of which several symbols, or none, may be meant.
    pub unresolved: usize,
    /// Number of names in it from outside of the root.
    pub external: usize,
}

/// All that is said about a symbol.
pub fn details(graph: &mut Graph, place: &Place) -> Details {
    let itself = symbol(graph.walk, place);
    let (out, into) = (graph.outgoing(place), graph.incoming(place));
    let symbols = graph.walk.symbols(&place.file);
    let described = place
        .definition
        .and_then(|number| graph.walk.described(&place.file, &[number]).remove(&number));
    let (types_in, types_out) = match (&symbols, &described, place.definition) {
        (Some(symbols), Some(said), Some(number)) => {
            types(graph, &place.file, symbols, said, number)
        }
        _ => (Vec::new(), Vec::new()),
    };
    let before = described.as_ref().map(|said| first_line(graph, &place.file, said.head.0));
    let signature = described.map(|said| said.signature).unwrap_or_default();
    let signature = Secrets::Masked.code(&signature).into_owned();
    let family = graph.walk.family(&place.file);
    let derived = |kind: Kind| {
        let edges = out.edges.iter().filter(|edge| edge.kind == kind && edge.from == *place);
        edges.map(|edge| edge.to.clone()).collect::<BTreeSet<_>>()
    };
    let (extends, implements) = (derived(Kind::Extends), derived(Kind::Implements));
    let imported = into.imports.iter().map(|(file, _)| file.as_str());
    let files: BTreeSet<&str> =
        into.edges.iter().map(|edge| edge.from.file.as_str()).chain(imported).collect();
    let candidates: BTreeSet<&Place> = out.candidates.iter().map(|(place, _)| place).collect();
    Details {
        is_async: before
            .as_ref()
            .is_some_and(|line| line.split_whitespace().any(|word| word == "async")),
        is_exported: exported(family, &itself, &signature, before.as_deref().unwrap_or_default()),
        references: into.edges.len() + into.imports.len(),
        reference_files: files.len(),
        extends: extends.iter().map(|place| symbol(graph.walk, place)).collect(),
        implements: implements.iter().map(|place| symbol(graph.walk, place)).collect(),
        candidates: candidates.into_iter().map(|place| symbol(graph.walk, place)).collect(),
        uses: others(graph, &out.edges, |edge| &edge.to),
        used_by: others(graph, &into.edges, |edge| &edge.from),
        members: symbols
            .as_deref()
            .map(|symbols| members(graph, place, symbols))
            .unwrap_or_default(),
        unresolved: out.unresolved,
        external: out.external,
        symbol: itself,
        signature,
        types_in,
        types_out,
    }
}

/// The other symbols of edges in the order of the first use, each once for each way.
fn others(graph: &mut Graph, edges: &[Edge], other: impl Fn(&Edge) -> &Place) -> Vec<Other> {
    let mut found: Vec<(Place, Other)> = Vec::new();
    for edge in edges {
        let place = other(edge);
        let known = found
            .iter_mut()
            .find(|(of, one)| of == place && one.edge == edge.kind && one.tier == edge.tier);
        if let Some((_, one)) = known {
            one.lines.push(edge.line);
            continue;
        }
        let symbol = symbol(graph.walk, place);
        let one = Other { symbol, edge: edge.kind, tier: edge.tier, lines: vec![edge.line] };
        found.push((place.clone(), one));
    }
    found.into_iter().map(|(_, one)| one).collect()
}

/// The types in a declaration: those of its parameters, and the others.
fn types(
    graph: &mut Graph,
    file: &str,
    symbols: &Symbols,
    said: &Described,
    number: u32,
) -> (Vec<Type>, Vec<Type>) {
    let (mut types_in, mut types_out) = (BTreeSet::new(), BTreeSet::new());
    let Some(definition) = symbols.definition(number) else { return (Vec::new(), Vec::new()) };
    let is_base = |at: u32| symbols.bases.iter().any(|(_, base)| *base == at);
    for (at, one) in symbols.occurrences.iter().enumerate() {
        let is_inside = definition.start <= one.start && one.start < said.body;
        if !is_inside || one.role != Role::Type || is_base(at as u32) {
            continue;
        }
        let meant = graph.walk.meaning(file, at as u32);
        let file_of = if let Meaning::Known(places, _) = meant {
            places.first().map(|place| place.file.clone())
        } else {
            None
        };
        let of_parameter = symbols.definitions.iter().any(|other| {
            other.kind() == "parameter" && other.start <= one.start && one.start < other.end
        });
        let found = Type { name: symbols.name(one).to_owned(), file: file_of };
        if of_parameter {
            types_in.insert(found)
        } else {
            types_out.insert(found)
        };
    }
    (types_in.into_iter().collect(), types_out.into_iter().collect())
}

fn members(graph: &mut Graph, place: &Place, symbols: &Symbols) -> Vec<String> {
    let Some(number) = place.definition else { return Vec::new() };
    let own = chain(symbols, number);
    let mut found: Vec<String> = Vec::new();
    for (other, definition) in symbols.definitions.iter().enumerate() {
        let of = chain(symbols, other as u32);
        let is_member = of.len() == own.len() + 1 && of.starts_with(&own) && is_symbol(definition);
        if !is_member {
            continue;
        }
        let kind = graph.walk.kind(&place.file, other as u32).unwrap_or_default();
        let is_called = matches!(kind, "constructor" | "function" | "method");
        let name = format!("{}{}", symbols.defined(definition), if is_called { "()" } else { "" });
        if !found.contains(&name) {
            found.push(name);
        }
        if found.len() == MOST_MEMBERS {
            break;
        }
    }
    found
}

fn first_line(graph: &mut Graph, file: &str, line: u32) -> String {
    let text = graph.walk.text(file);
    let found =
        text.as_deref().and_then(|text| text.split('\n').nth((line as usize).saturating_sub(1)));
    found.unwrap_or_default().to_owned()
}

/// Whether a declaration says that other files may use the symbol.
fn exported(family: &str, symbol: &Symbol, signature: &str, line: &str) -> Option<bool> {
    let says = |word: &str| {
        line.split(|c: char| !c.is_alphanumeric()).any(|found| found == word)
            || signature.split(|c: char| !c.is_alphanumeric()).any(|found| found == word)
    };
    match family {
        "ecmascript" => Some(says("export")),
        "rust" => Some(says("pub")),
        "java" | "csharp" | "kotlin" | "scala" => Some(says("public")),
        "go" => {
            let name = symbol.name.rsplit('.').next().unwrap_or_default();
            Some(name.chars().next().is_some_and(char::is_uppercase))
        }
        _ => None,
    }
}
