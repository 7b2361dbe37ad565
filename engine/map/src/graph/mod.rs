//! The weighted multigraph of files: an edge leads from a file that refers to an identifier to
//! each file that defines it.

mod edges;
mod nodes;
mod renewal;
mod uses;
mod weights;

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Deref,
    sync::Arc,
};

use edges::Families;
pub use renewal::Before;
pub use uses::{References, Uses};
pub use weights::{Multiplier, PERSONALIZATION, multipliers};

use super::{
    adjacency::{Adjacency, OutEdge},
    enhancement::Scopes,
    pagerank::Transitions,
    sources::Sources,
};

/// Factor for references from a file in the chat.
pub const CHAT_FACTOR: f64 = 50.0;

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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Definition {
    /// Id of the file.
    pub file: usize,
    /// Id of the identifier, in order of first definition.
    pub ident: usize,
    /// Where its rows start and end in the list of all of them.
    pub rows: [u32; 2],
}

/// All definitions in order of their files, those of a file in order of the first tag.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Definitions {
    /// Every pair of a file and an identifier that it defines.
    pub list: Vec<Definition>,
    /// The 0-based rows of their definition tags, for each definition sorted and without duplicates.
    pub rows: Vec<i32>,
}

impl Definitions {
    /// The rows of a definition.
    #[inline]
    pub fn rows(&self, definition: &Definition) -> &[i32] {
        let [start, end] = definition.rows.map(|at| at as usize);
        self.rows.get(start..end).unwrap_or_default()
    }
}

/// The edges of a graph in the form that ranks are computed from, and the definitions that they lead to.
#[derive(Debug, PartialEq)]
pub struct Network {
    /// The file of each node, in order of first appearance.
    pub nodes: Vec<usize>,
    /// The edges.
    pub adjacency: Adjacency,
    /// The same as steps from node to node.
    pub transitions: Transitions,
    /// The definitions.
    pub defined: Definitions,
    /// The place of each identifier among all, sorted by name.
    pub places: Vec<u32>,
}

/// The graph, and the tables that its indices refer to.
#[derive(Debug)]
pub struct FileGraph<'a> {
    /// The edges and the definitions.
    network: Arc<Network>,
    /// The defined identifiers, in order of first definition.
    pub idents: Vec<&'a str>,
    /// Personalisation by file id, not normalised.
    pub personalization: BTreeMap<usize, f64>,
}

impl Deref for FileGraph<'_> {
    type Target = Network;

    fn deref(&self) -> &Network {
        &self.network
    }
}

impl<'a> FileGraph<'a> {
    /// Builds the graph of the included files. `by_family` leaves out edges between languages that
    /// have nothing in common but the name. With `scopes`, a reference to a name that its
    /// file does not define leads only to the definitions in files that this file can see, if there
    /// are any.
    pub fn build(input: &RankingInput<'a>, by_family: bool, scopes: Option<&Scopes>) -> Self {
        Self::of_uses(Uses::of(input), input, by_family, scopes)
    }

    /// As [`FileGraph::build`], from the names that are defined and referred to.
    pub fn of_uses(
        uses: Uses<'a>,
        input: &RankingInput<'a>,
        by_family: bool,
        scopes: Option<&Scopes>,
    ) -> Self {
        let edges = edges::of(&uses, input, &Families::of(input, by_family), scopes, None);
        let network = Network::of(&edges, input.sources.files.len(), uses.defined, &uses.sorted);
        Self::of_network(Arc::new(network), uses.idents, input)
    }

    /// The graph with this network.
    pub fn of_network(network: Arc<Network>, idents: Vec<&'a str>, input: &RankingInput) -> Self {
        Self { network, idents, personalization: weights::personalization(input) }
    }

    /// The network.
    pub const fn network(&self) -> &Arc<Network> {
        &self.network
    }
}

impl Network {
    /// The network of some edges, given in order of insertion, between so many files. `sorted` are the
    /// identifiers by name.
    fn of(
        edges: &[Vec<edges::Reference>],
        files: usize,
        defined: Definitions,
        sorted: &[u32],
    ) -> Self {
        let places = renewal::places(sorted);
        let edges = edges.iter().flatten();
        let target = |edge: &edges::Reference| defined.list[edge.definition as usize].file;
        let mut nodes = Vec::new();
        let mut node_of = vec![u32::MAX; files];
        for file in edges.clone().flat_map(|edge| [edge.file as usize, target(edge)]) {
            if node_of[file] == u32::MAX {
                node_of[file] = nodes.len() as u32;
                nodes.push(file);
            }
        }
        let edge = |edge: &edges::Reference| {
            let &edges::Reference { file, definition, weight } = edge;
            (node_of[file as usize], OutEdge { target: node_of[target(edge)], definition, weight })
        };
        let adjacency = Adjacency::of(nodes.len(), edges.map(edge));
        let transitions = Transitions::of(&adjacency);
        Self { nodes, adjacency, transitions, defined, places }
    }

    /// All definitions.
    pub fn definitions(&self) -> &[Definition] {
        &self.defined.list
    }

    /// The 0-based rows of the definition with this index, sorted, without duplicates.
    #[inline]
    pub fn rows(&self, definition: usize) -> &[i32] {
        self.defined.list.get(definition).map_or(&[], |one| self.defined.rows(one))
    }
}
