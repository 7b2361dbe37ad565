//! The weighted multigraph of files: an edge leads from a file that refers to an identifier to
//! each file that defines it.

use std::collections::{BTreeMap, BTreeSet};

use base::text::{characters, paths};
use indexmap::IndexMap;
use petgraph::{
    graph::{DiGraph, NodeIndex},
    visit::EdgeRef as _,
};
use rustc_hash::FxBuildHasher;
use serde::Serialize;

use super::{enhancement::Scopes, families::family, sources::Sources};
use crate::syntax::TagKind;

/// Weight of the self edge of an identifier that is defined but never referenced.
const UNREFERENCED_WEIGHT: f64 = 0.1;
/// Factor for an identifier that the current turn mentions.
const MENTIONED_FACTOR: f64 = 10.0;
/// Factor for a long identifier of several words.
const COMPOUND_FACTOR: f64 = 10.0;
/// Factor for an identifier that starts with an underscore.
const PRIVATE_FACTOR: f64 = 0.1;
/// Factor for an identifier that is defined in many files.
const COMMON_FACTOR: f64 = 0.1;
/// Factor for references from a file in the chat.
pub const CHAT_FACTOR: f64 = 50.0;
/// Shortest compound identifier that counts as long, in code points.
const LONG_IDENT: usize = 8;
/// An identifier with more definers than this counts as common.
const COMMON_DEFINERS: usize = 5;
/// The total personalisation that is shared out over all files.
pub const PERSONALIZATION: f64 = 100.0;

/// A factor that multiplies the weight of every reference to an identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Multiplier {
    /// The current turn mentions it.
    Mentioned,
    /// It is long and has several words.
    Compound,
    /// It starts with an underscore.
    Private,
    /// Many files define it.
    Common,
}

/// Everything that one ranking depends on.
#[derive(Debug)]
pub struct RankingInput<'a> {
    /// All sources.
    pub sources: &'a Sources,
    /// Ids of the files of this attempt, chat files included, in order.
    pub included: Vec<usize>,
    /// Ids of the chat files.
    pub chat: BTreeSet<usize>,
    /// Mentioned files, by their listed names.
    pub mentioned_files: BTreeSet<String>,
    /// Mentioned identifiers.
    pub mentioned_idents: BTreeSet<String>,
}

/// One identifier as defined in one file: the unit that is ranked.
#[derive(Debug, Clone)]
pub struct Definition {
    /// Id of the file.
    pub file: usize,
    /// Id of the identifier, in order of first definition.
    pub ident: usize,
    /// 0-based rows of its definition tags, sorted, without duplicates.
    pub lines: Vec<i32>,
}

impl Definition {
    /// Sorts the rows and removes duplicates.
    pub fn tidy(&mut self) {
        self.lines.sort_unstable();
        self.lines.dedup();
    }
}

/// An edge: the definition it leads to, and its weight.
#[derive(Debug, Clone, Copy)]
pub struct Reference {
    /// Index into [`FileGraph::definitions`].
    pub definition: usize,
    /// Weight.
    pub weight: f64,
}

/// The graph, and the tables that its indices refer to.
#[derive(Debug)]
pub struct FileGraph<'a> {
    /// The graph: nodes are file ids in order of first appearance, edges are in order of insertion.
    pub graph: DiGraph<usize, Reference>,
    /// The defined identifiers, in order of first definition.
    pub idents: Vec<&'a str>,
    /// Every pair of a file and an identifier that it defines.
    pub definitions: Vec<Definition>,
    /// Personalisation by file id, not normalised.
    pub personalization: BTreeMap<usize, f64>,
}

/// The definers of an identifier and the references to it.
#[derive(Debug, Default)]
struct Uses {
    /// Definition indices, in file order.
    definitions: Vec<usize>,
    /// Referring files in order, each with the number of its references.
    references: Vec<(usize, u32)>,
}

impl Uses {
    /// The same by families of languages, in their order: definers of a family with the references
    /// that can mean them. A reference or a definer without a family fits all others.
    fn by_family(
        &self,
        family: impl Fn(usize) -> Option<&'static str>,
        file: impl Fn(usize) -> usize,
    ) -> Vec<Self> {
        let mut parts: BTreeMap<Option<&str>, Self> = BTreeMap::new();
        for definition in &self.definitions {
            parts.entry(family(file(*definition))).or_default().definitions.push(*definition);
        }
        for (of, part) in &mut parts {
            let fits = |(from, _): &&(usize, u32)| {
                of.is_none() || family(*from).is_none_or(|from| Some(from) == *of)
            };
            part.references = self.references.iter().filter(fits).copied().collect();
        }
        parts.into_values().collect()
    }

    /// The definitions that references in a file mean: those in files that it can see. `None` for
    /// all of them: if there are no such files, or if the file itself defines the name, because tags
    /// do not tell the file's own method from one of another object.
    fn meant(
        &self,
        from: usize,
        scopes: &Scopes,
        file: impl Fn(usize) -> usize,
    ) -> Option<Vec<usize>> {
        let all = &self.definitions;
        if all.len() == 1 || all.iter().any(|one| file(*one) == from) {
            return None;
        }
        let seen = all.iter().copied().filter(|one| scopes.sees(from, file(*one)));
        Some(seen.collect()).filter(|seen: &Vec<usize>| !seen.is_empty())
    }
}

impl<'a> FileGraph<'a> {
    /// Builds the graph of the included files. `by_family` leaves out edges between languages that
    /// have nothing in common but the name. With `scopes`, a reference to a name that its
    /// file does not define leads only to the definitions in files that this file can see, if there
    /// are any.
    pub fn build(input: &RankingInput<'a>, by_family: bool, scopes: Option<&Scopes>) -> Self {
        let (mut uses, definitions, any_reference) = collect_uses(input);
        if !any_reference {
            for uses in uses.values_mut() {
                uses.references =
                    uses.definitions.iter().map(|index| (definitions[*index].file, 1)).collect();
            }
        }
        // Definers are sorted by their relative names.
        let rel = |index: &usize| input.sources.files[definitions[*index].file].file.rel.as_str();
        for uses in uses.values_mut() {
            uses.definitions.sort_by(|a, b| rel(a).cmp(rel(b)));
        }
        let mut builder = Builder {
            graph: DiGraph::new(),
            nodes: vec![None; input.sources.files.len()],
            definitions: &definitions,
        };
        let family_of = |file: usize| input.sources.files[file].key.and_then(family);
        let families: BTreeSet<_> = input.included.iter().map(|file| family_of(*file)).collect();
        let by_family = by_family && families.len() > 1;
        let apart = |uses: &Uses| {
            by_family.then(|| uses.by_family(family_of, |index| definitions[index].file))
        };
        let apart: Vec<Option<Vec<Uses>>> = uses.values().map(apart).collect();
        // Each name with its definers and references; with families, once for each of them.
        let parts = || {
            uses.iter().zip(&apart).flat_map(|((ident, uses), apart)| {
                let parts = apart.as_deref().unwrap_or(std::slice::from_ref(uses));
                parts.iter().map(move |part| (*ident, uses.definitions.len(), part))
            })
        };
        for (_, _, uses) in parts().filter(|(_, _, uses)| uses.references.is_empty()) {
            for definition in &uses.definitions {
                let file = definitions[*definition].file;
                builder.add(file, *definition, UNREFERENCED_WEIGHT);
            }
        }
        let mut sorted: Vec<_> =
            parts().filter(|(_, _, uses)| !uses.references.is_empty()).collect();
        sorted.sort_by_key(|(ident, ..)| *ident);
        for (ident, definers, uses) in sorted {
            let factor = ident_factor(ident, definers, &input.mentioned_idents);
            for (file, count) in &uses.references {
                let mut factor = factor;
                if input.chat.contains(file) {
                    factor *= CHAT_FACTOR;
                }
                // The square root is applied again for each definer: the k-th one gets the count to
                // the power 1/2^k.
                let mut count = f64::from(*count);
                let of = |definition: usize| definitions[definition].file;
                let meant = scopes.and_then(|scopes| uses.meant(*file, scopes, of));
                for definition in meant.as_ref().unwrap_or(&uses.definitions) {
                    count = count.sqrt();
                    builder.add(*file, *definition, factor * count);
                }
            }
        }
        if scopes.is_some() {
            builder.keep_unreferenced();
        }
        let graph = builder.graph;
        let idents = uses.into_keys().collect();
        Self { graph, idents, definitions, personalization: personalization(input) }
    }

    /// The graph with these edges, given in order of insertion as referring file, definition and
    /// weight.
    pub fn of_edges(
        input: &RankingInput,
        idents: Vec<&'a str>,
        definitions: Vec<Definition>,
        edges: impl ExactSizeIterator<Item = (usize, usize, f64)>,
    ) -> Self {
        let mut builder = Builder {
            graph: DiGraph::with_capacity(input.sources.files.len(), edges.len()),
            nodes: vec![None; input.sources.files.len()],
            definitions: &definitions,
        };
        for (file, definition, weight) in edges {
            builder.add(file, definition, weight);
        }
        let graph = builder.graph;
        Self { graph, idents, definitions, personalization: personalization(input) }
    }

    /// The edges as [`FileGraph::of_edges`] takes them.
    pub fn edges(&self) -> impl Iterator<Item = (usize, usize, f64)> {
        self.graph.edge_references().map(|edge| {
            let Reference { definition, weight } = *edge.weight();
            (self.graph[edge.source()], definition, weight)
        })
    }
}

struct Builder<'d> {
    graph: DiGraph<usize, Reference>,
    nodes: Vec<Option<NodeIndex>>,
    definitions: &'d [Definition],
}

impl Builder<'_> {
    fn add(&mut self, from: usize, definition: usize, weight: f64) {
        let source = self.node(from);
        let target = self.node(self.definitions[definition].file);
        self.graph.add_edge(source, target, Reference { definition, weight });
    }

    /// Gives each definition that no reference means the edge of a name that nothing refers to.
    fn keep_unreferenced(&mut self) {
        let mut referenced = vec![false; self.definitions.len()];
        for edge in self.graph.edge_weights() {
            referenced[edge.definition] = true;
        }
        for definition in (0..referenced.len()).filter(|definition| !referenced[*definition]) {
            self.add(self.definitions[definition].file, definition, UNREFERENCED_WEIGHT);
        }
    }

    fn node(&mut self, file: usize) -> NodeIndex {
        let graph = &mut self.graph;
        *self.nodes[file].get_or_insert_with(|| graph.add_node(file))
    }
}

type UsesByIdent<'a> = IndexMap<&'a str, Uses, FxBuildHasher>;

/// Collects definitions and the references to them. Also returns whether there is any reference at
/// all, to any name.
fn collect_uses<'a>(input: &RankingInput<'a>) -> (UsesByIdent<'a>, Vec<Definition>, bool) {
    let mut uses = UsesByIdent::default();
    let mut definitions: Vec<Definition> = Vec::new();
    for &id in &input.included {
        let source = &input.sources.files[id];
        for tag in source.tags.iter().filter(|tag| tag.kind == TagKind::Definition) {
            let entry = uses.entry(source.name(tag));
            let ident = entry.index();
            let known = &mut entry.or_default().definitions;
            match known.last() {
                Some(&last) if definitions[last].file == id => {
                    definitions[last].lines.push(tag.line);
                }
                _ => {
                    known.push(definitions.len());
                    definitions.push(Definition { file: id, ident, lines: vec![tag.line] });
                }
            }
        }
    }
    definitions.iter_mut().for_each(Definition::tidy);
    let mut any_reference = false;
    for &id in &input.included {
        let source = &input.sources.files[id];
        for tag in source.tags.iter().filter(|tag| tag.kind == TagKind::Reference) {
            any_reference = true;
            let Some(uses) = uses.get_mut(source.name(tag)) else { continue };
            match uses.references.last_mut() {
                Some((file, count)) if *file == id => *count += 1,
                _ => uses.references.push((id, 1)),
            }
        }
    }
    (uses, definitions, any_reference)
}

/// The product of the multipliers of an identifier.
fn ident_factor(ident: &str, definers: usize, mentioned: &BTreeSet<String>) -> f64 {
    multipliers(ident, definers, mentioned).fold(1.0, |product, (_, factor)| product * factor)
}

/// The multipliers of an identifier, in the order in which they are applied. Python's Unicode
/// predicates classify its characters.
pub fn multipliers(
    ident: &str,
    definers: usize,
    mentioned: &BTreeSet<String>,
) -> impl Iterator<Item = (Multiplier, f64)> + use<> {
    let has_letter = || ident.chars().any(characters::is_alpha);
    let is_snake = ident.contains('_') && has_letter();
    let is_kebab = ident.contains('-') && has_letter();
    let is_camel = ident.chars().any(char::is_uppercase) && ident.chars().any(char::is_lowercase);
    let is_compound = (is_snake || is_kebab || is_camel) && characters::length(ident) >= LONG_IDENT;
    [
        (mentioned.contains(ident), Multiplier::Mentioned, MENTIONED_FACTOR),
        (is_compound, Multiplier::Compound, COMPOUND_FACTOR),
        (ident.starts_with('_'), Multiplier::Private, PRIVATE_FACTOR),
        (definers > COMMON_DEFINERS, Multiplier::Common, COMMON_FACTOR),
    ]
    .into_iter()
    .filter_map(|(applies, name, factor)| applies.then_some((name, factor)))
}

/// Personalisation: each chat file and each mentioned file gets a share. A file also gets one share
/// if a component of its path, or its name without extension, is a mentioned identifier.
fn personalization(input: &RankingInput) -> BTreeMap<usize, f64> {
    let share = PERSONALIZATION / input.included.len() as f64;
    let mut weights = BTreeMap::new();
    for &id in &input.included {
        let file = &input.sources.files[id].file;
        if !file.is_file {
            continue;
        }
        let mut weight = 0.0;
        if input.chat.contains(&id) {
            weight += share;
        }
        if input.mentioned_files.contains(&file.rel) {
            weight = share.max(weight);
        }
        let stem = paths::split_extension(paths::basename(&file.rel)).0;
        if paths::parts(&file.rel)
            .chain([stem])
            .any(|component| input.mentioned_idents.contains(component))
        {
            weight += share;
        }
        if weight > 0.0 {
            weights.insert(id, weight);
        }
    }
    weights
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::ident_factor;

    // Worked out by hand from the measured rules.
    #[test]
    fn factors_multiply_independently() {
        let none = BTreeSet::new();
        assert_eq!(ident_factor("run", 1, &none), 1.0);
        assert_eq!(ident_factor("run_all", 1, &none), 1.0);
        assert_eq!(ident_factor("run_them", 1, &none), 10.0);
        assert_eq!(ident_factor("runThems", 1, &none), 10.0);
        assert_eq!(ident_factor("RUNTHEMS", 1, &none), 1.0);
        assert_eq!(ident_factor("run-them", 1, &none), 10.0);
        assert_eq!(ident_factor("_run", 6, &none), 0.1 * 0.1);
        assert_eq!(ident_factor("________", 1, &none), 0.1);
        assert_eq!(ident_factor("run", 1, &BTreeSet::from(["run".to_owned()])), 10.0);
    }
}
