//! Drift: where the comparator's environment differs from what we recorded or compiled.

use std::collections::{BTreeMap, BTreeSet};

use languages::{Grammar, Profile, Table, Tags, Texts};
use map::language::{Detected, GrammarShape, registry, sources};
use record::digest::sha256;
use serde::Serialize;

use super::{
    Facts,
    bundled::{Captures, Published, Record},
    facts::ModelFacts,
    revisions::{Archives, Definitions, from_pack},
};

/// What to do after the comparator was updated on purpose.
const UPDATE: &str = "if the comparator was updated on purpose, run `cargo parity audit update`, read the diff, then `cargo parity audit verify`; else restore its lock with git checkout";
/// What to do if a person must decide.
const BY_HAND: &str = "change queries/<key>/language.toml by hand as queries/README.md says, then run `cargo parity audit verify`";
/// What to do if the compiled tables differ from the checkout.
const REBUILD: &str = "build this program again from this checkout";
/// What to do if a published query differs.
const PUBLISHED: &str = "read the difference: a capture that only the published query has may come with the comparator's next version; `cargo parity audit update` records it";
/// What to do if a grammar differs.
const GRAMMAR: &str =
    "update the pin as engine/grammars/README.md says, then run `cargo parity audit verify`";

/// The keys of either table, in order.
fn union<'a, V>(one: &'a BTreeMap<String, V>, other: &'a BTreeMap<String, V>) -> BTreeSet<&'a str> {
    one.keys().chain(other.keys()).map(String::as_str).collect()
}

/// One difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Drift {
    /// What kind of fact differs: `version`, `query`, `inherits`, `language`, `detection`,
    /// `revision`, `grammar`, `exception`, `model`, `published` or `build`.
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

/// A language with the origins of its query and its grammar.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Resolved {
    /// The language key.
    pub key: String,
    /// The comparator's query, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// The grammar's repository.
    pub upstream: String,
    /// Its commit.
    pub revision: String,
    /// Why it is an exception; absent for a language that resolves by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// What was compared, and the results.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Survey {
    /// All differences.
    pub drift: Vec<Drift>,
    /// Languages resolved from the comparator and its language pack alone.
    pub auto_resolved: Vec<Resolved>,
    /// Languages pinned by hand, each with its reason.
    pub manual_exceptions: Vec<Resolved>,
    /// Number of languages that the comparator makes tags for.
    pub running: usize,
    /// Number of languages that the comparator detects but has no query for: neither side gives them
    /// tags.
    pub without_query: usize,
    /// Number of file names that both sides detected the language of.
    pub names: usize,
    /// How the published query of each grammar that has one differs from the comparator's.
    pub published: Record,
    /// What could not be compared, and why.
    pub unchecked: Vec<String>,
}

/// Everything that is pinned here, for comparison with what the environment says.
#[derive(Debug)]
pub struct Pins<'a> {
    /// The texts of the files of the language table in the checkout.
    pub texts: &'a Texts,
    /// The language table, parsed.
    pub table: &'a Table,
    /// Versions that the comparator's definition expects.
    pub expected_versions: &'a BTreeMap<String, String>,
    /// The archives of the pinned grammars.
    pub archives: &'a Archives,
    /// The language pack's own list; absent if its archive is not in the cache.
    pub definitions: Option<&'a Definitions>,
    /// The recorded table of language models.
    pub models: &'a ModelFacts,
    /// The tag queries that grammars are published with, by language.
    pub published: &'a BTreeMap<String, Published>,
    /// The recorded differences of these queries from the comparator's.
    pub captures: &'a Record,
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
    let compiled = sources().iter().map(|(file, text)| (*file, *text));
    if !compiled.eq(pins.texts.iter().map(|(file, text)| (file.as_str(), text.as_str()))) {
        let (ours, theirs) = ("another text".to_owned(), "the checkout's".to_owned());
        survey.add("build", "queries", ours, theirs, REBUILD);
    }
    survey.versions(pins, facts);
    survey.models(pins.models, &facts.models);
    survey.language_set(pins.table, facts);
    survey.detection(pins.table, facts);
    survey.published(pins, facts);
    for (key, row) in pins.table.tagged() {
        survey.query(key, row, facts);
        survey.grammar(key, row, pins, facts);
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
            ("queries/comparator.toml", &pins.table.comparator.versions),
            ("comparator.toml", pins.expected_versions),
        ];
        for (file, versions) in sources {
            for (package, version) in &facts.versions {
                let ours = versions.get(package).map_or("nothing", String::as_str);
                self.equal("version", &format!("{package} in {file}"), ours, Some(version), UPDATE);
            }
        }
        for (package, version) in &pins.table.comparator.versions {
            let found = facts.versions.get(package).map(String::as_str);
            self.equal("version", package, version, found, UPDATE);
        }
        let core = &pins.table.comparator.parser_core;
        let locked = locked_versions(pins.cargo_lock, &core.package).join(", ");
        self.equal(
            "version",
            &format!("crate {}", core.package),
            &core.version,
            Some(&locked),
            BY_HAND,
        );
        let pack = pins.archives.pack().map_or("nothing", |archive| archive.version.as_str());
        let installed = facts.versions.get("tree-sitter-language-pack").map(String::as_str);
        self.equal("version", "archive of the language pack", pack, installed, GRAMMAR);
    }

    /// Checks that every short name and every window is the comparator's.
    fn models(&mut self, ours: &ModelFacts, theirs: &ModelFacts) {
        for alias in union(&ours.aliases, &theirs.aliases) {
            let of = |facts: &ModelFacts| {
                facts.aliases.get(alias).map_or("nothing", String::as_str).to_owned()
            };
            self.equal("model", alias, &of(ours), Some(&of(theirs)), UPDATE);
        }
        for name in union(&ours.windows, &theirs.windows) {
            let of = |facts: &ModelFacts| match facts.windows.get(name) {
                Some(Some(window)) => format!("{window} tokens"),
                Some(None) => "no window".to_owned(),
                None => "nothing".to_owned(),
            };
            self.equal("model", name, &of(ours), Some(&of(theirs)), UPDATE);
        }
    }

    /// Checks that the languages that the comparator makes tags for are those of our parity profile,
    /// and that every query file belongs to a language of ours.
    fn language_set(&mut self, table: &Table, facts: &Facts) {
        let ours = |profile: Profile| -> BTreeSet<&str> {
            table.tagged().filter(|(_, row)| row.profile == profile).map(|(key, _)| key).collect()
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
        let known: BTreeSet<&str> = table.tagged().map(|(key, _)| key).collect();
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

    /// Checks that both sides detect every probed name alike, and that the recorded tables are the
    /// comparator's.
    fn detection(&mut self, table: &Table, facts: &Facts) {
        let tagged =
            |key: &str| facts.languages.get(key).is_some_and(super::facts::LanguageFacts::runs);
        for (name, theirs) in &facts.detected {
            let theirs = theirs.as_deref().filter(|key| tagged(key)).unwrap_or("no tags");
            let ours = match registry().detect(name, base::profile::Profile::Parity) {
                Detected::Tagged(language) => language.key,
                Detected::Untagged => "no tags",
            };
            self.equal("detection", name, ours, Some(theirs), UPDATE);
        }
        for (key, row) in table.tagged() {
            let entries = facts.entries_of(key);
            // What the comparator does not map has no table to be equal to.
            if row.profile == Profile::Parity || !entries.is_empty() {
                let dotted: Vec<String> =
                    entries.iter().filter(|entry| entry.starts_with('.')).cloned().collect();
                self.lists(&format!("extensions of {key}"), &row.extensions, dotted);
                self.lists(&format!("file names of {key}"), &row.file_names, entries);
            }
        }
        self.lists("shadowed file names", &table.comparator.shadowed_file_names, facts.shadowed());
    }

    fn lists(&mut self, subject: &str, ours: &[String], mut theirs: Vec<String>) {
        let mut sorted = ours.to_vec();
        sorted.sort_unstable();
        theirs.sort_unstable();
        self.equal("detection", subject, &sorted.join(" "), Some(&theirs.join(" ")), UPDATE);
    }

    fn query(&mut self, key: &str, row: &Tags, facts: &Facts) {
        let found = facts.languages.get(key).cloned().unwrap_or_default();
        for (ours, theirs) in
            [(&row.aider_query, &found.query), (&row.aider_query_sha256, &found.query_sha256)]
        {
            let [ours, theirs] = [ours, theirs].map(|one| one.as_deref().unwrap_or("nothing"));
            self.equal("query", key, ours, Some(theirs), UPDATE);
        }
        for line in found.inherits {
            self.add("inherits", key, "none".to_owned(), line, BY_HAND);
        }
        let ours = registry().by_key(key).map_or("", |language| language.query);
        for line in ours.lines().filter(|line| inherits(line)) {
            let (ours, theirs) = (line.to_owned(), "nothing reads such a line".to_owned());
            self.add("inherits", &row.query_file(key), ours, theirs, BY_HAND);
        }
    }

    /// Checks that the published queries differ from the comparator's as recorded.
    fn published(&mut self, pins: &Pins, facts: &Facts) {
        self.published = captures(pins.published, facts);
        let unfetched = |key: &&str| !pins.published.contains_key(*key);
        let dropped: Vec<&str> =
            pins.captures.keys().map(String::as_str).filter(unfetched).collect();
        for key in dropped {
            let (ours, theirs) = ("recorded".to_owned(), "not in grammars.lock.toml".to_owned());
            self.add("published", key, ours, theirs, PUBLISHED);
        }
        for (key, found) in self.published.clone() {
            let told = |captures: &Captures| {
                let Captures { package, sha256, only_published, only_comparator } = captures;
                let [here, there] = [only_published, only_comparator].map(|list| list.join(", "));
                let digest = sha256.get(..12).unwrap_or(sha256);
                format!(
                    "{package} {digest}, only published: {here}; only in the comparator: {there}"
                )
            };
            let ours = pins.captures.get(&key).map_or_else(|| "nothing".to_owned(), told);
            self.equal("published", &key, &ours, Some(&told(&found)), PUBLISHED);
            if !pins.table.languages.contains_key(&key) {
                let (ours, theirs) =
                    ("no such language".to_owned(), "a published query".to_owned());
                self.add("published", &key, ours, theirs, BY_HAND);
            }
        }
    }

    fn grammar(&mut self, key: &str, row: &Tags, pins: &Pins, facts: &Facts) {
        let grammar = row.grammar_of(key);
        let found = facts.languages.get(key).cloned().unwrap_or_default();
        let Some(pinned) = pins.table.grammar(grammar) else {
            self.add("revision", key, "no grammar".to_owned(), grammar.to_owned(), GRAMMAR);
            return;
        };
        let mut in_pack = false;
        match pins.definitions {
            None => {
                let why = "the language pack's archive is not in the cache; unset PARITY_GRAMMARS_ARCHIVE and build the engine again";
                self.unchecked.push(format!("revision of {key}: {why}"));
            }
            Some(definitions) => {
                let folder = pinned.folder.iter().next().map(|part| part.to_string_lossy());
                let folder = folder.as_deref().unwrap_or(grammar);
                let defined = definitions.get(grammar).or_else(|| definitions.get(folder));
                in_pack = from_pack(pinned);
                if in_pack {
                    let revision = defined.map(|defined| defined.rev.as_str());
                    self.equal("revision", key, &pinned.revision, revision, GRAMMAR);
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
                    self.equal("revision", key, &pinned.upstream, upstream.as_deref(), GRAMMAR);
                } else if defined.is_some() && found.runs() {
                    let (ours, theirs) = ("pinned by hand", "in the language pack's list");
                    self.add("revision", key, ours.to_owned(), theirs.to_owned(), GRAMMAR);
                }
            }
        }
        self.shape(key, row, &found);
        if pins.definitions.is_some() {
            self.exception(key, row, pinned, in_pack && found.runs());
        }
    }

    /// Checks that the compiled grammar has the shape of the installed one.
    fn shape(&mut self, key: &str, row: &Tags, found: &super::facts::LanguageFacts) {
        let shape = match registry().by_key(key).map(GrammarShape::of) {
            Some(Ok(shape)) => shape,
            Some(Err(error)) => {
                self.add("build", key, error.to_string(), "a grammar".to_owned(), REBUILD);
                return;
            }
            None => {
                self.add("build", key, "no language".to_owned(), "a language".to_owned(), REBUILD);
                return;
            }
        };
        self.equal(
            "grammar",
            key,
            &format!("ABI {}", row.abi),
            Some(&format!("ABI {}", shape.abi)),
            GRAMMAR,
        );
        let (Some(abi), Some(states), Some(digest)) =
            (found.abi, found.states, &found.shape_sha256)
        else {
            // A language that the environment cannot load has no grammar to compare with. That it must
            // be an exception is checked with the exceptions.
            return;
        };
        let of = |abi: usize, states: usize, digest: &str| {
            format!("ABI {abi}, {states} states, shape {}", digest.get(..12).unwrap_or(digest))
        };
        let ours = of(shape.abi, shape.states, &sha256(&shape.lines));
        self.equal("grammar", key, &ours, Some(&of(abi, states, digest)), GRAMMAR);
    }

    fn exception(&mut self, key: &str, row: &Tags, pinned: &Grammar, resolves: bool) {
        let reason = row.manual_exception.clone();
        match (&reason, resolves) {
            (None, false) => {
                let (ours, theirs) = ("no manual_exception", "does not resolve by itself");
                self.add("exception", key, ours.to_owned(), theirs.to_owned(), BY_HAND);
            }
            (Some(_), true) => {
                let (ours, theirs) = ("a manual_exception", "resolves by itself");
                self.add("exception", key, ours.to_owned(), theirs.to_owned(), BY_HAND);
            }
            _ => {}
        }
        let list = if resolves { &mut self.auto_resolved } else { &mut self.manual_exceptions };
        list.push(Resolved {
            key: key.to_owned(),
            query: row.aider_query.clone(),
            upstream: pinned.upstream.clone(),
            revision: pinned.revision.clone(),
            reason,
        });
    }
}

/// How each published query differs from the comparator's.
pub fn captures(published: &BTreeMap<String, Published>, facts: &Facts) -> Record {
    let of = |(key, published): (&String, &Published)| {
        let comparator = facts.languages.get(key).and_then(|facts| facts.query_text.as_deref());
        (key.clone(), Captures::of(published, comparator))
    };
    published.iter().map(of).collect()
}

/// Whether a line of a query takes over another language's query, by a convention of some editors.
fn inherits(line: &str) -> bool {
    line.trim_start_matches([';', ' ', '\t']).starts_with("inherits:")
}

/// The versions of a package in the text of a `Cargo.lock`.
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
