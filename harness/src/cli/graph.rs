//! `parity graph`: which symbol of a file or folder uses which.

use std::path::PathBuf;

use base::{profile::Profile, text::paths::is_below};
use clap::Args;
use index::nav::{Walk, answer::Freshness};
use record::exit;
use semantic::graph::{self, Edge, Kind, Mark, Tier, Uses, symbol};
use serde::Serialize;

use super::{
    symbol::depth,
    work_tree::{WorkTree, all_below, fails},
};
use crate::{
    Failure,
    console::{Bar, Output, talk},
};

/// Version of the schema of the JSON.
const SCHEMA_VERSION: u32 = 1;

/// Show which symbols of files and folders use which: calls, new objects, classes that are derived from, and others.
///
/// An edge is `bound` if scopes and imports say what a name means, and `annotated` if the type of a variable or a
/// result says so. A name that only one symbol has is counted and listed as a candidate. Other names are counted as
/// unresolved or external. Exit code 4: no file there has symbols.
#[derive(Debug, Args)]
pub struct Graph {
    /// Files and folders.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Follow calls over this many steps, and show them as trees; -1 follows all.
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = depth)]
    call_depth: i32,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    work_tree: WorkTree,
}

/// The graph below the paths.
#[derive(Debug, Default, Serialize)]
struct Listing {
    schema_version: u32,
    /// Number of files.
    files: usize,
    /// Symbols that use others.
    symbols: Vec<Node>,
    #[serde(flatten)]
    counts: Counts,
    index: Option<Freshness>,
}

#[derive(Debug, Default, Clone, Copy, Serialize)]
struct Counts {
    bound: usize,
    annotated: usize,
    candidates: usize,
    unresolved: usize,
    external: usize,
}

#[derive(Debug, Serialize)]
struct Node {
    #[serde(flatten)]
    symbol: graph::Symbol,
    edges: Vec<Used>,
    candidates: Vec<Candidate>,
    unresolved: usize,
    external: usize,
    /// Calls over more than one step, each before its own calls.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    calls: Vec<Call>,
}

#[derive(Debug, Serialize)]
struct Used {
    to: graph::Symbol,
    edge: Kind,
    tier: Tier,
    /// Line and column of the use, from 1; the column in characters.
    line: u32,
    column: u32,
}

#[derive(Debug, Serialize)]
struct Candidate {
    to: graph::Symbol,
    line: u32,
}

#[derive(Debug, Serialize)]
struct Call {
    depth: usize,
    #[serde(flatten)]
    symbol: graph::Symbol,
    mark: Option<Mark>,
}

impl Graph {
    /// Prints the graph.
    pub fn run(self) -> Result<u8, Failure> {
        let mut navigator = self.work_tree.open()?;
        let paths = all_below(navigator.root(), &self.paths)?;
        let bar = Bar::spinner().named("graph");
        let listing = navigator
            .walk(|walk| self.listing(walk, &paths, &bar))
            .map_err(|error| fails(&error))?;
        bar.clear();
        navigator.notice().into_iter().for_each(talk);
        let mut out = Output::of(Profile::Enhancement).paged();
        if self.json {
            out.json(&listing)?;
        } else {
            listing.symbols.iter().try_for_each(|node| out.text(&node.text()))?;
            out.text(&listing.counts.text(listing.files))?;
        }
        let code = if listing.files == 0 { exit::NOTHING_RAN } else { exit::PASS };
        Failure::after(out.flush().map_err(Failure::from), code)
    }

    fn listing(&self, walk: &mut Walk, paths: &[String], bar: &Bar) -> Listing {
        let index = Some(walk.freshness());
        let mut listing = Listing { schema_version: SCHEMA_VERSION, index, ..Listing::default() };
        let files: Vec<String> = walk
            .files()
            .into_iter()
            .filter(|file| paths.iter().any(|path| is_below(file, path)))
            .collect();
        let mut graph = graph::Graph::new(walk);
        for (done, file) in files.iter().enumerate() {
            bar.say(&format!("{done} of {} files", files.len()));
            listing.files += 1;
            for (place, uses) in graph.of_file(file) {
                listing.counts.add(&uses);
                if uses.edges.is_empty() && uses.candidates.is_empty() {
                    continue;
                }
                let calls = if self.call_depth == 1 {
                    Vec::new()
                } else {
                    let depth = usize::try_from(self.call_depth).ok();
                    let tree = graph.tree(&place, depth);
                    tree.branches
                        .into_iter()
                        .map(|one| Call {
                            depth: one.depth,
                            symbol: symbol(graph.walk, &one.place),
                            mark: one.mark,
                        })
                        .collect()
                };
                let to = |edge: &Edge| Used {
                    to: symbol(graph.walk, &edge.to),
                    edge: edge.kind,
                    tier: edge.tier,
                    line: edge.line,
                    column: edge.column,
                };
                let edges = uses.edges.iter().map(to).collect();
                let candidate = |(place, line): &(_, u32)| Candidate {
                    to: symbol(graph.walk, place),
                    line: *line,
                };
                let candidates = uses.candidates.iter().map(candidate).collect();
                let itself = symbol(graph.walk, &place);
                let Uses { unresolved, external, .. } = uses;
                listing.symbols.push(Node {
                    symbol: itself,
                    edges,
                    candidates,
                    unresolved,
                    external,
                    calls,
                });
            }
        }
        listing
    }
}

impl Counts {
    fn add(&mut self, uses: &Uses) {
        let of = |tier: Tier| uses.edges.iter().filter(|edge| edge.tier == tier).count();
        self.bound += of(Tier::Bound);
        self.annotated += of(Tier::Annotated);
        self.candidates += uses.candidates.len();
        self.unresolved += uses.unresolved;
        self.external += uses.external;
    }

    fn text(&self, files: usize) -> String {
        let Self { bound, annotated, candidates, unresolved, external } = self;
        format!(
            "files: {files}; edges: {bound} bound, {annotated} annotated; no edges: {candidates} of a unique name, \
             {unresolved} unresolved, {external} from outside\n"
        )
    }
}

impl Node {
    fn text(&self) -> String {
        let graph::Symbol { name, kind, file, line } = &self.symbol;
        let mut out = format!("{file}:{line}: {kind} {name}\n");
        if self.calls.is_empty() {
            let mut seen = Vec::new();
            for edge in &self.edges {
                let to = format!("{} {} ({})", edge.edge.as_str(), edge.to.name, edge.to.file);
                if !seen.contains(&to) {
                    out.push_str(&format!(
                        "  → {to}, {}, line {}\n",
                        edge.tier.as_str(),
                        edge.line
                    ));
                    seen.push(to);
                }
            }
        }
        for call in &self.calls {
            let mark = match call.mark {
                Some(Mark::Cycle) => " [cycle]",
                Some(Mark::DepthLimit) => " [depth limit]",
                None => "",
            };
            let indent = "  ".repeat(call.depth);
            out.push_str(&format!("{indent}→ {} ({}){mark}\n", call.symbol.name, call.symbol.file));
        }
        for candidate in &self.candidates {
            let graph::Symbol { name, file, .. } = &candidate.to;
            out.push_str(&format!("  ? {name} ({file}), line {}\n", candidate.line));
        }
        out
    }
}
