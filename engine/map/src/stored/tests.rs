//! The graph after random edits is the graph that is built of all files.

use std::{
    collections::BTreeSet,
    sync::{Arc, atomic::AtomicBool},
};

use base::text::folder::Folder;
use explore::{Import, ImportCategory};

use super::{Kept, StoredGraph, build, decoded, fitting, signatures};
use crate::{
    enhancement::{KnownLines, Scopes},
    facts::{Blobs, Facts},
    graph::{FileGraph, Network, RankingInput},
    language::registry,
    repo::RepoFile,
    sources::{Source, Sources},
    syntax::{Tag, TagKind},
    tag_cache::Stamps,
    text::{Late, Text},
};

/// Languages of two families, and one that describes interfaces and so has none.
const LANGUAGES: [(&str, &str); 4] =
    [("py", "python"), ("py", "python"), ("js", "javascript"), ("proto", "proto")];
/// Number of files.
const FILES: usize = 14;

/// What a file holds: names that it defines or refers to, in order, and imports.
type Code = (Vec<(TagKind, String)>, Vec<String>);

/// A repository that is only in memory.
struct Repository {
    code: Vec<Code>,
    folder: Arc<Folder>,
    random: fastrand::Rng,
}

impl Repository {
    fn new(seed: u64) -> Self {
        let place = tempfile::tempdir().unwrap();
        let folder = Arc::new(Folder::open(place.path()).unwrap());
        let code = vec![Code::default(); FILES];
        let mut new = Self { code, folder, random: fastrand::Rng::with_seed(seed) };
        for file in 0..FILES {
            for _ in 0..new.random.usize(1..8) {
                new.add(file);
            }
            for _ in 0..new.random.usize(0..3) {
                new.code[file].1.push(format!("file_{}", new.random.usize(0..FILES)));
            }
        }
        new
    }

    /// A name: some are in many files, some begin with an underscore, and some count as long.
    fn name(&mut self) -> String {
        let number = self.random.usize(0..12);
        match self.random.u8(0..5) {
            0 => format!("_own{number}"),
            1 => format!("long_name_{number}"),
            2 => format!("x{}", number % 2),
            3 => format!("rare{}", self.random.usize(0..300)),
            _ => format!("Name{number}"),
        }
    }

    /// Adds a definition or some references somewhere in a file.
    fn add(&mut self, file: usize) {
        let name = self.name();
        let (kind, times) = if self.random.bool() {
            (TagKind::Definition, 1)
        } else {
            (TagKind::Reference, self.random.usize(1..4))
        };
        for _ in 0..times {
            let at = self.random.usize(0..=self.code[file].0.len());
            self.code[file].0.insert(at, (kind, name.clone()));
        }
    }

    /// Changes the names of a file, or its lines alone.
    fn edit(&mut self, file: usize) {
        let names = self.code[file].0.len();
        match self.random.u8(0..8) {
            0..3 => self.add(file),
            3 | 4 if names > 0 => {
                let at = self.random.usize(0..names);
                self.code[file].0.remove(at);
            }
            5 if names > 0 => {
                let at = self.random.usize(0..names);
                self.code[file].0[at].1 = self.name();
            }
            6 if self.random.u8(0..4) == 0 => self.code[file].0.clear(),
            _ => {}
        }
    }

    fn source(&mut self, file: usize) -> Source {
        let (extension, key) = LANGUAGES[file % LANGUAGES.len()];
        let rel = format!("file_{file:02}.{extension}");
        let file_of = RepoFile { abs: format!("/r/{rel}"), rel, is_file: true }.into();
        let (tagged, imports) = &self.code[file];
        let mut names = String::new();
        let mut line = self.random.i32(-1..20);
        let tags: Vec<Tag> = tagged
            .iter()
            .map(|(kind, name)| {
                let (start, length) = (names.len() as u32, name.len() as u32);
                names.push_str(name);
                line += self.random.i32(-1..4);
                Tag { start, length, line: line.max(-1), kind: *kind }
            })
            .collect();
        let imports = imports.iter().map(|path| Import {
            path: path.clone(),
            names: Vec::new(),
            category: ImportCategory::Unknown,
            line: 1,
        });
        let facts = Facts {
            is_rival: false,
            length: 1,
            blobs: Blobs([[0; 20]; 2]),
            imports: imports.collect(),
        };
        let late = || Late {
            sha256: [0; 32],
            folder: Arc::clone(&self.folder),
            is_stale: Arc::new(AtomicBool::new(false)),
        };
        Source {
            key: Some(key),
            text: if tags.is_empty() { Text::default() } else { late().into() },
            sha256: Some([0; 32]),
            blobs: Some(facts.blobs),
            facts: Some(facts),
            names: Some(names),
            tags,
            ..Source::bare(&file_of, registry().by_key("python"))
        }
    }

    fn sources(&mut self) -> Sources {
        let files = (0..FILES).map(|file| Arc::new(self.source(file))).collect();
        Sources { files, skipped: Vec::new(), folder: Arc::clone(&self.folder) }
    }
}

fn input(sources: &Sources) -> RankingInput<'_> {
    RankingInput {
        sources,
        included: (0..sources.files.len()).collect(),
        chat: BTreeSet::new(),
        mentioned_files: BTreeSet::new(),
        mentioned_idents: BTreeSet::new(),
    }
}

fn stamps() -> Stamps {
    Stamps { code: [0; 32], of_files: vec![Some([0; 32]); FILES] }
}

/// Rows stand in another order in memory after an edit.
fn same(one: &FileGraph, other: &FileGraph) -> bool {
    let rows = |graph: &FileGraph| -> Vec<Vec<i32>> {
        (0..graph.definitions().len()).map(|at| graph.rows(at).to_vec()).collect()
    };
    let of = |graph: &FileGraph| -> Vec<(usize, usize)> {
        graph.definitions().iter().map(|definition| (definition.file, definition.ident)).collect()
    };
    one.idents == other.idents
        && of(one) == of(other)
        && rows(one) == rows(other)
        && one.nodes == other.nodes
        && one.adjacency == other.adjacency
        && one.transitions == other.transitions
        && one.places == other.places
}

#[test]
fn after_random_edits_the_graph_is_that_of_all_files() {
    let (mut same_names, mut patched, mut renewed, mut anew) = (0, 0, 0, 0);
    for seed in 0..600 {
        let mut repository = Repository::new(seed);
        let (by_family, is_scoped) = (seed % 4 != 0, seed % 3 != 0);
        let before = repository.sources();
        let scopes = is_scoped.then(|| Scopes::of(&input(&before)));
        let (_, built) = build(&input(&before), by_family, scopes.as_ref(), &stamps());
        let (bytes, postings) = built.unwrap();
        let mut changed = BTreeSet::new();
        for step in 0..12 {
            let file = repository.random.usize(0..FILES);
            changed.insert(file);
            repository.edit(file);
            let now = repository.sources();
            // Files that were not edited have no tags, as they are not read.
            let bare = |(file, source): (usize, &Arc<Source>)| {
                if changed.contains(&file) {
                    return Arc::clone(source);
                }
                Arc::new(Source { key: source.key, ..Source::bare(&source.file, source.language) })
            };
            let files = now.files.iter().enumerate().map(bare).collect();
            let read = Sources { files, skipped: Vec::new(), folder: Arc::clone(&now.folder) };
            let graph = StoredGraph::of(&bytes).unwrap();
            let list: Vec<usize> = changed.iter().copied().collect();
            let kept = fitting(decoded(graph, postings.as_deref()), &read, &list);
            let what = format!("seed {seed}, step {step}");
            // Lines of other files move in memory alone.
            let mut whole = now.files.clone();
            for (file, source) in whole.iter_mut().enumerate() {
                if !changed.contains(&file) {
                    source.clone_from(&before.files[file]);
                }
            }
            let whole = Sources { files: whole, ..read_again(&now) };
            let scopes = is_scoped.then(|| Scopes::of(&input(&whole)));
            let cold = FileGraph::build(&input(&whole), by_family, scopes.as_ref());
            match kept {
                Some(Kept::Same(graph)) => {
                    same_names += 1;
                    assert!(same(&graph.graph(&input(&read)), &cold), "{what}");
                }
                Some(Kept::Patched(patch)) => {
                    patched += 1;
                    assert!(same(&patch.graph(&input(&read), by_family), &cold), "{what}");
                    let (mut uses, before) = patch.uses(&read);
                    let scopes = patch.postings.scopes.as_ref();
                    let input = input(&read);
                    let network = Network::renewed(&before, &mut uses, &input, by_family, scopes);
                    renewed += usize::from(network.is_some());
                }
                None => anew += 1,
            }
        }
    }
    // A file without names has no imports either, so the graph is built anew if it had some.
    let counts = format!(
        "{same_names} with the same names, {patched} patched, {renewed} of these renewed, {anew} anew"
    );
    assert!(same_names > 100 && patched > 4000 && renewed > 5000 && anew < 2000, "{counts}");
}

fn read_again(sources: &Sources) -> Sources {
    Sources { files: Vec::new(), skipped: Vec::new(), folder: Arc::clone(&sources.folder) }
}

#[test]
fn damaged_postings_and_those_of_another_graph_are_not_used() {
    let mut repository = Repository::new(1);
    let (one, other) = {
        let before = repository.sources();
        let one = build(&input(&before), true, None, &stamps()).1.unwrap();
        (0..FILES).for_each(|file| repository.add(file));
        let after = repository.sources();
        (one, build(&input(&after), true, None, &stamps()).1.unwrap())
    };
    let now = repository.sources();
    let all: Vec<usize> = (0..FILES).collect();
    let fits = |postings: Option<Vec<u8>>| {
        let graph = StoredGraph::of(&one.0).unwrap();
        fitting(decoded(graph, postings.as_deref()), &now, &all).is_some()
    };
    let own = one.1.unwrap();
    assert!(fits(Some(own.clone())));
    assert!(!fits(None) && !fits(other.1) && !fits(Some(Vec::new())));
    for at in 0..own.len() {
        let mut damaged = own.clone();
        damaged[at] ^= 1;
        assert!(!fits(Some(damaged)), "{at}");
    }
}

#[test]
fn lines_are_kept_by_the_content_of_their_files() {
    let mut repository = Repository::new(2);
    let mut sources = repository.sources();
    let shown = |text: &str| -> Arc<[(usize, String)]> { Arc::from([(3, text.to_owned())]) };
    let all: KnownLines = (0..16).map(|row| ((row % 2, row), shown(&row.to_string()))).collect();
    let row = signatures::encode(&all, 0, &sources).unwrap();
    assert_eq!(signatures::lines(&row, &sources), all);
    // Few new ones are not worth a row.
    assert!(signatures::encode(&all, 14, &sources).is_none());
    assert!(signatures::encode(&KnownLines::new(), 0, &sources).is_none());
    let source = repository.source(0);
    sources.files[0] = Arc::new(Source { sha256: Some([1; 32]), ..source });
    let known = signatures::lines(&row, &sources);
    assert_eq!(known.len(), 8);
    assert!(known.keys().all(|(file, _)| *file == 1));
    for at in 0..row.len() {
        let mut damaged = row.clone();
        damaged[at] ^= 1;
        assert!(signatures::lines(&damaged, &sources).is_empty());
    }
}
