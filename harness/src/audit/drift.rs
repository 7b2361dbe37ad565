//! Drift: where the comparator's environment says something else than we record or compiled.

use std::collections::{BTreeMap, BTreeSet};

use base::profile::Profile;
use map::language::{Detected, GrammarShape, manifest_text, query_text, registry};
use record::digest::sha256;
use serde::Serialize;

use super::recorded::RecordedLanguage;
use super::revisions::{Catalogue, Definitions};
use super::{Facts, Recorded};

/// Run after the comparator moved on purpose.
const UPDATE: &str = "if the comparator was meant to move, run `cargo parity audit update`, read the difference, then `cargo parity audit verify`; else restore its lock with git checkout";
/// Needs a person.
const BY_HAND: &str = "change queries/languages.json by hand as queries/README.md says, then run `cargo parity audit verify`";
/// The compiled tables differ from the checkout.
const REBUILD: &str = "build this program again from this checkout";
/// A grammar differs.
const GRAMMAR: &str =
    "pin the grammar anew as engine/grammars/README.md says, then run `cargo parity audit verify`";

/// One difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Drift {
    /// What kind of fact differs: `version`, `query`, `inherits`, `language`, `detection`,
    /// `revision`, `grammar`, `exception` or `build`.
    pub what: &'static str,
    /// The package, language or file name concerned.
    pub subject: String,
    /// What is recorded or compiled here.
    pub ours: String,
    /// What the environment says.
    pub theirs: String,
    /// What to do about it.
    pub next: &'static str,
}

/// A language with where its query and its grammar come from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Resolved {
    /// The language key.
    pub key: String,
    /// The comparator's query.
    pub query: String,
    /// The grammar's repository.
    pub upstream: String,
    /// Its commit.
    pub revision: String,
    /// Why it is an exception; absent for what resolves by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// What was compared, and what came out.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Survey {
    /// All differences.
    pub drift: Vec<Drift>,
    /// Languages resolved from the comparator and its language pack alone.
    pub auto_resolved: Vec<Resolved>,
    /// Languages pinned by hand, each with its reason.
    pub manual_exceptions: Vec<Resolved>,
    /// How many languages the comparator makes tags for.
    pub running: usize,
    /// How many languages it maps without having a query: neither side gives them tags.
    pub without_query: usize,
    /// How many file names were detected by both sides.
    pub names: usize,
    /// What could not be compared, and why.
    pub unchecked: Vec<String>,
}

/// Everything that is pinned here, beside what the environment says.
#[derive(Debug)]
pub struct Pins<'a> {
    /// The manifest's text in the checkout.
    pub manifest: &'a str,
    /// The same, read.
    pub recorded: &'a Recorded,
    /// Versions that the comparator's definition expects.
    pub expected_versions: &'a BTreeMap<String, String>,
    /// The pinned grammars.
    pub catalogue: &'a Catalogue,
    /// The language pack's own list; absent if its archive is not at hand.
    pub definitions: Option<&'a Definitions>,
    /// The text of `Cargo.lock`.
    pub cargo_lock: &'a str,
}

/// Compares everything.
pub fn survey(pins: &Pins, facts: &Facts) -> Survey {
    let mut survey = Survey {
        running: facts.running().count(),
        without_query: facts.without_query().len(),
        names: facts.detected.len(),
        ..Survey::default()
    };
    if pins.manifest != manifest_text() {
        let (ours, theirs) = ("another text".to_owned(), "the checkout's".to_owned());
        survey.add("build", "queries/languages.json", ours, theirs, REBUILD);
    }
    survey.versions(pins, facts);
    survey.language_set(pins.recorded, facts);
    survey.detection(pins.recorded, facts);
    for row in &pins.recorded.languages {
        survey.query(row, facts);
        survey.grammar(row, pins, facts);
    }
    survey
}

impl Survey {
    fn add(
        &mut self,
        what: &'static str,
        subject: &str,
        ours: String,
        theirs: String,
        next: &'static str,
    ) {
        self.drift.push(Drift { what, subject: subject.to_owned(), ours, theirs, next });
    }

    fn equal(
        &mut self,
        what: &'static str,
        subject: &str,
        ours: &str,
        theirs: Option<&str>,
        next: &'static str,
    ) {
        if theirs != Some(ours) {
            let theirs = theirs.unwrap_or("nothing").to_owned();
            self.add(what, subject, ours.to_owned(), theirs, next);
        }
    }

    fn versions(&mut self, pins: &Pins, facts: &Facts) {
        let sources = [
            ("queries/languages.json", &pins.recorded.comparator),
            ("comparator.toml", pins.expected_versions),
        ];
        for (file, versions) in sources {
            for (package, version) in &facts.versions {
                let ours = versions.get(package).map_or("nothing", String::as_str);
                self.equal("version", &format!("{package} in {file}"), ours, Some(version), UPDATE);
            }
        }
        for (package, version) in &pins.recorded.comparator {
            let found = facts.versions.get(package).map(String::as_str);
            self.equal("version", package, version, found, UPDATE);
        }
        let core = &pins.recorded.parser_core;
        let locked = locked_versions(pins.cargo_lock, &core.package).join(", ");
        self.equal(
            "version",
            &format!("crate {}", core.package),
            &core.version,
            Some(&locked),
            BY_HAND,
        );
        let pack = pins.catalogue.pack().map_or("nothing", |archive| archive.version.as_str());
        let installed = facts.versions.get("tree-sitter-language-pack").map(String::as_str);
        self.equal("version", "archive of the language pack", pack, installed, GRAMMAR);
    }

    /// The languages that run there are those of our parity profile, and every query file
    /// belongs to a language of ours.
    fn language_set(&mut self, recorded: &Recorded, facts: &Facts) {
        let ours = |profile: Profile| -> BTreeSet<&str> {
            let of_profile = |row: &&RecordedLanguage| row.profile == profile;
            recorded.languages.iter().filter(of_profile).map(|row| row.key.as_str()).collect()
        };
        let (parity, running) = (ours(Profile::Parity), facts.running().collect::<BTreeSet<_>>());
        for key in parity.symmetric_difference(&running) {
            let side = |yes: bool| if yes { "runs" } else { "does not run" }.to_owned();
            self.add(
                "language",
                key,
                side(parity.contains(key)),
                side(running.contains(key)),
                BY_HAND,
            );
        }
        let known: BTreeSet<&str> = recorded.languages.iter().map(|row| row.key.as_str()).collect();
        for path in facts.queries.keys() {
            let name = path.rsplit('/').next().unwrap_or(path);
            let key = name.strip_suffix("-tags.scm").unwrap_or(name);
            if !known.contains(key) {
                self.add(
                    "query",
                    path,
                    "no such language".to_owned(),
                    "a query".to_owned(),
                    BY_HAND,
                );
            }
        }
    }

    /// Both sides detect every probed name alike, and the recorded tables are the comparator's.
    fn detection(&mut self, recorded: &Recorded, facts: &Facts) {
        let tagged =
            |key: &str| facts.languages.get(key).is_some_and(super::facts::LanguageFacts::runs);
        for (name, theirs) in &facts.detected {
            let theirs = theirs.as_deref().filter(|key| tagged(key)).unwrap_or("no tags");
            let ours = match registry().detect(name, Profile::Parity) {
                Detected::Tagged(language) => &language.key,
                Detected::Untagged => "no tags",
            };
            self.equal("detection", name, ours, Some(theirs), UPDATE);
        }
        for row in &recorded.languages {
            let entries = facts.entries_of(&row.key);
            // What the comparator does not map has no table to be equal to.
            if row.profile == Profile::Parity || !entries.is_empty() {
                let dotted: Vec<String> =
                    entries.iter().filter(|entry| entry.starts_with('.')).cloned().collect();
                self.lists(&format!("extensions of {}", row.key), &row.extensions, dotted);
                self.lists(&format!("file names of {}", row.key), &row.file_names, entries);
            }
        }
        self.lists("shadowed file names", &recorded.shadowed_file_names, facts.shadowed());
    }

    fn lists(&mut self, subject: &str, ours: &[String], mut theirs: Vec<String>) {
        let mut sorted = ours.to_vec();
        sorted.sort_unstable();
        theirs.sort_unstable();
        self.equal("detection", subject, &sorted.join(" "), Some(&theirs.join(" ")), UPDATE);
    }

    fn query(&mut self, row: &RecordedLanguage, facts: &Facts) {
        let found = facts.languages.get(&row.key).cloned().unwrap_or_default();
        self.equal("query", &row.key, &row.aider_query, found.query.as_deref(), UPDATE);
        let digest = found.query_sha256.as_deref();
        self.equal("query", &row.key, &row.aider_query_sha256, digest, UPDATE);
        for line in found.inherits {
            self.add("inherits", &row.key, "none".to_owned(), line, BY_HAND);
        }
        let ours = query_text(&row.query_file).unwrap_or_default();
        for line in ours.lines().filter(|line| inherits(line)) {
            let (ours, theirs) = (line.to_owned(), "nothing reads such a line".to_owned());
            self.add("inherits", &row.query_file, ours, theirs, BY_HAND);
        }
    }

    fn grammar(&mut self, row: &RecordedLanguage, pins: &Pins, facts: &Facts) {
        let found = facts.languages.get(&row.key).cloned().unwrap_or_default();
        let Some(pinned) = pins.catalogue.grammar(&row.grammar) else {
            self.add("revision", &row.key, "no grammar".to_owned(), row.grammar.clone(), GRAMMAR);
            return;
        };
        let mut in_pack = false;
        match pins.definitions {
            None => {
                let why = "the language pack's archive is not in the cache; unset PARITY_GRAMMARS_ARCHIVE and build the engine again";
                self.unchecked.push(format!("revision of {}: {why}", row.key));
            }
            Some(definitions) => {
                let name = if pinned.folder.is_empty() { &row.grammar } else { &pinned.folder };
                let folder = name.split('/').next().unwrap_or(name);
                let defined = definitions.get(&row.grammar).or_else(|| definitions.get(folder));
                in_pack = pinned.from_pack();
                if in_pack {
                    let revision = defined.map(|defined| defined.rev.as_str());
                    self.equal("revision", &row.key, &pinned.revision, revision, GRAMMAR);
                    let repository = defined.map(|defined| {
                        defined
                            .repo
                            .trim_end_matches(".git")
                            .rsplit('/')
                            .take(2)
                            .collect::<Vec<_>>()
                    });
                    let upstream = repository
                        .map(|parts| parts.into_iter().rev().collect::<Vec<_>>().join("/"));
                    self.equal(
                        "revision",
                        &row.key,
                        &pinned.upstream,
                        upstream.as_deref(),
                        GRAMMAR,
                    );
                } else if defined.is_some() && found.runs() {
                    let (ours, theirs) = ("pinned by hand", "in the language pack's list");
                    self.add("revision", &row.key, ours.to_owned(), theirs.to_owned(), GRAMMAR);
                }
            }
        }
        self.shape(row, &found);
        if pins.definitions.is_some() {
            self.exception(row, pinned, in_pack && found.runs());
        }
    }

    /// The compiled grammar looks like the installed one.
    fn shape(&mut self, row: &RecordedLanguage, found: &super::facts::LanguageFacts) {
        let language = registry().languages().iter().find(|language| language.key == row.key);
        let shape = match language.map(GrammarShape::of) {
            Some(Ok(shape)) => shape,
            Some(Err(error)) => {
                self.add("build", &row.key, error.to_string(), "a grammar".to_owned(), REBUILD);
                return;
            }
            None => {
                self.add(
                    "build",
                    &row.key,
                    "no language".to_owned(),
                    "a language".to_owned(),
                    REBUILD,
                );
                return;
            }
        };
        self.equal(
            "grammar",
            &row.key,
            &format!("ABI {}", row.abi),
            Some(&format!("ABI {}", shape.abi)),
            GRAMMAR,
        );
        let (Some(abi), Some(states), Some(digest)) =
            (found.abi, found.states, &found.shape_sha256)
        else {
            // A language that the environment cannot load has no grammar to compare with; that it
            // must be an exception is checked with the exceptions.
            return;
        };
        let of = |abi: usize, states: usize, digest: &str| {
            format!("ABI {abi}, {states} states, shape {}", digest.get(..12).unwrap_or(digest))
        };
        let ours = of(shape.abi, shape.states, &sha256(&shape.lines));
        self.equal("grammar", &row.key, &ours, Some(&of(abi, states, digest)), GRAMMAR);
    }

    fn exception(
        &mut self,
        row: &RecordedLanguage,
        pinned: &super::revisions::Pinned,
        resolves: bool,
    ) {
        let reason = row.manual_exception.clone();
        match (&reason, resolves) {
            (None, false) => {
                let (ours, theirs) = ("no manual_exception", "does not resolve by itself");
                self.add("exception", &row.key, ours.to_owned(), theirs.to_owned(), BY_HAND);
            }
            (Some(_), true) => {
                let (ours, theirs) = ("a manual_exception", "resolves by itself");
                self.add("exception", &row.key, ours.to_owned(), theirs.to_owned(), BY_HAND);
            }
            _ => {}
        }
        let list = if resolves { &mut self.auto_resolved } else { &mut self.manual_exceptions };
        list.push(Resolved {
            key: row.key.clone(),
            query: row.aider_query.clone(),
            upstream: pinned.upstream.clone(),
            revision: pinned.revision.clone(),
            reason,
        });
    }
}

/// Whether a line of a query takes over another language's query, in the way of some editors.
fn inherits(line: &str) -> bool {
    line.trim_start_matches([';', ' ', '\t']).starts_with("inherits:")
}

/// The versions of a package in a lock file of Cargo.
fn locked_versions(lock: &str, package: &str) -> Vec<String> {
    #[derive(serde::Deserialize)]
    struct Lock {
        package: Vec<Package>,
    }
    #[derive(serde::Deserialize)]
    struct Package {
        name: String,
        version: String,
    }
    let lock: Lock = toml::from_str(lock).unwrap_or(Lock { package: Vec::new() });
    lock.package.into_iter().filter(|one| one.name == package).map(|one| one.version).collect()
}
