//! Set-up of a run: prerequisites, comparator, corpora, plan. Every step is skipped when done.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use clap::ValueEnum;

use record::{Digest, GateId, Plan, PlannedCorpus, Profile, SEQUENCES, Schema, exit};
use verdict::gate::{NoiseProtocol, Thresholds, TokenizerSupport, languages, trials};

use super::{Failure, Folders, source::SourceState, talk, teller::Teller};
use crate::{
    comparator::{
        Comparator, ComparatorTuple, Environment, Environments, Preflight, Room, preflight,
        prerequisites,
    },
    corpus::{self, Authored, Lock, Materialised, Progress, Row, lock::Registry},
    run::{MODEL, load_sequences, schedule::Cost},
};

/// Repeated runs of the vertical slice (the reference asks for ten).
const SLICE_REPEATS: u64 = 10;
/// The authored corpus that is the vertical slice.
const SLICE: &str = "slice";
/// The authored corpora that are part of every set: the slice, and the one whose maps are cut in
/// every stage.
const IN_EVERY_SET: [&str; 2] = [SLICE, "stages"];

/// What is asked for on the command line.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// Set of corpora.
    pub set: String,
    /// Profile.
    pub profile: Profile,
    /// Gates; empty for all.
    pub gates: Vec<GateId>,
    /// Which corpora, by name; absent for all.
    pub corpora: Option<regex::Regex>,
    /// Budgets; empty for the protocol's.
    pub budgets: Vec<u64>,
    /// Which corpora get random runs of the comparator.
    pub raw: Raw,
}

/// Which corpora get random runs of the comparator, besides those where they are due.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Raw {
    /// Only those where the protocol demands them.
    Due,
    /// All whose comparator run is cheap.
    Cheap,
    /// All.
    All,
}

impl Wanted {
    /// True if less than the whole set is judged by less than all gates.
    pub fn is_partial(&self) -> bool {
        !(self.gates.is_empty() && self.corpora.is_none() && self.budgets.is_empty())
    }
}

/// Everything that a run needs, checked and in place.
#[derive(Debug)]
pub struct Setup {
    /// The plan.
    pub plan: Plan,
    /// Repositories by corpus name.
    pub repositories: BTreeMap<String, Materialised>,
    /// The comparator's room.
    pub room: Room,
    /// The comparator's environment; absent in the enhancement profile.
    pub environment: Option<Environment>,
    /// The comparator tuple; absent in the enhancement profile.
    pub tuple: Option<ComparatorTuple>,
    /// Files that the evidence rests on: path in the evidence, path on this machine.
    pub rests_on: BTreeMap<String, PathBuf>,
    /// Which of these files locks each corpus.
    pub corpus_files: BTreeMap<String, String>,
    /// What the comparator costs, by corpus, where it was measured.
    pub costs: BTreeMap<String, Cost>,
}

/// All gates of a profile, sorted.
pub fn gates_of(profile: Profile) -> &'static [GateId] {
    match profile {
        Profile::Parity => &[
            GateId::VerticalSlice,
            GateId::A1,
            GateId::A2,
            GateId::A3,
            GateId::A4,
            GateId::A5,
            GateId::A6,
            GateId::Exact,
            GateId::Languages,
        ],
        Profile::Enhancement => &[GateId::A3, GateId::A5],
    }
}

/// The corpora of a selection: locked rows and authored folders.
#[derive(Debug)]
pub struct Selection {
    /// Locked rows.
    pub rows: Vec<Row>,
    /// Authored folders.
    pub authored: Vec<Authored>,
}

impl Selection {
    /// Selects corpora by set and by name.
    pub fn of(folders: &Folders, set: &str, names: Option<&regex::Regex>) -> Result<Self, Failure> {
        let lock = Lock::load_dir(&folders.root.join("corpora"))
            .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
        let wanted = |name: &str| names.is_none_or(|names| names.is_match(name));
        let rows: Vec<Row> = lock
            .rows()
            .filter(|row| row.sets.contains(set) && wanted(&row.name))
            .cloned()
            .collect();
        let authored: Vec<Authored> = Authored::load_all(&folders.root.join("corpora/authored"))
            .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?
            .into_iter()
            .filter(|authored| IN_EVERY_SET.contains(&authored.name()) && wanted(authored.name()))
            .collect();
        if rows.is_empty() && authored.is_empty() {
            let of_set = lock.rows().filter(|row| row.sets.contains(set));
            let known: Vec<&str> = of_set.map(|row| row.name.as_str()).collect();
            return Err(Failure::new(
                exit::NOTHING_RAN,
                format!(
                    "no corpus of the set {set} matches {}; there are: {}",
                    names.map_or("", regex::Regex::as_str),
                    known.join(", ")
                ),
            ));
        }
        Ok(Self { rows, authored })
    }

    /// The file that locks each corpus, relative to the checkout.
    fn files(&self, locks: &[(String, String)]) -> BTreeMap<String, String> {
        // A lock names each of its corpora on a line of its own.
        let file_of = |row: &Row| {
            let line = format!("name = \"{}\"", row.name);
            let found = locks.iter().find(|(_, text)| text.lines().any(|other| other == line));
            found.map_or_else(String::new, |(path, _)| path.clone())
        };
        let rows = self.rows.iter().map(|row| (row.name.clone(), file_of(row)));
        let authored = self.authored.iter().map(|corpus| {
            (corpus.name().to_owned(), format!("corpora/authored/{}/authored.toml", corpus.name()))
        });
        rows.chain(authored).collect()
    }

    /// What the comparator costs on the locked corpora that were measured.
    fn costs(&self) -> BTreeMap<String, Cost> {
        let measured = |row: &Row| {
            let cpu_seconds = row.comparator_cpu_seconds?;
            let peak_mb = row.comparator_peak_mb?;
            Some((row.name.clone(), Cost { cpu_seconds, peak_mb }))
        };
        self.rows.iter().filter_map(measured).collect()
    }

    fn needs_npm(&self) -> bool {
        self.rows.iter().any(|row| row.registry == Registry::Npm)
    }

    fn fixtures_sha256(&self) -> String {
        let rows = self.rows.iter().map(|row| (row.name.as_str(), row.fingerprint()));
        let authored = self.authored.iter().map(|corpus| (corpus.name(), corpus.fingerprint()));
        corpus::fixtures_sha256(rows.chain(authored))
    }
}

/// Reads the thresholds of the protocol in force.
pub fn thresholds(folders: &Folders) -> Result<Thresholds, Failure> {
    let path = folders.root.join("protocols/v1/gates.toml");
    let text = fs::read_to_string(&path).map_err(|error| {
        Failure::new(exit::IO, format!("{} cannot be read: {error}", path.display()))
    })?;
    toml::from_str(&text).map_err(|error| {
        Failure::new(exit::SETUP, format!("{} is malformed: {error}", path.display()))
    })
}

/// Refuses a run whose model cannot be counted as the comparator counts it.
pub fn require_tokenizer(folders: &Folders) -> Result<(), Failure> {
    let path = folders.root.join("protocols/v1/tokenizer_support.v1.json");
    let support: Result<TokenizerSupport, String> = fs::read(&path)
        .map_err(|error| error.to_string())
        .and_then(|bytes| serde_json::from_slice(&bytes).map_err(|error| error.to_string()));
    let support = support.map_err(|why| {
        Failure::new(exit::SETUP, format!("{} cannot be used: {why}", path.display()))
    })?;
    support.refusal(MODEL).map_or(Ok(()), |why| Err(Failure::new(exit::SETUP, why)))
}

/// Checks the profile object that every parity map carries.
pub fn profile() -> Result<Preflight, Failure> {
    let profile = serde_json::to_value(super::map::profile(base::profile::Profile::Parity)?);
    let profile = profile.map_err(|error| Failure::internal(error.to_string()))?;
    Ok(preflight::profile(&profile))
}

/// Reads where the comparator's random runs are due.
pub fn noise(folders: &Folders) -> Result<NoiseProtocol, Failure> {
    NoiseProtocol::open(&folders.root).map_err(|error| Failure::new(exit::IO, error.to_string()))
}

/// Opens the comparator's room.
pub fn room(folders: &Folders) -> Result<Room, Failure> {
    Room::open(&folders.comparator()).map_err(|error| Failure::new(exit::SETUP, error.to_string()))
}

/// Checks the prerequisites; all failures are told at once.
pub fn prerequisites(room: &Room, npm: bool) -> Result<Preflight, Failure> {
    let checks = prerequisites::check(&room.definition.install, npm);
    if checks.ok() {
        return Ok(checks);
    }
    Err(Failure::new(checks.exit_code(), checks.lines().join("\n")))
}

impl Setup {
    /// Puts everything in place.
    pub fn prepare(
        folders: &Folders,
        wanted: &Wanted,
        progress: &mut dyn Progress,
    ) -> Result<Self, Failure> {
        let thresholds = thresholds(folders)?;
        require_tokenizer(folders)?;
        let mut selection = Selection::of(folders, &wanted.set, wanted.corpora.as_ref())?;
        let room = room(folders)?;
        let parity = wanted.profile.is_parity();
        let cached = Environments::new(&room, &folders.cache).ready().is_some();
        if !cached {
            prerequisites(&room, selection.needs_npm())?;
        }
        let Ready { repositories, planned: corpora, skipped } =
            corpora(folders, &selection, progress)?;
        selection.rows.retain(|row| !skipped.contains_key(&row.name));
        let (environment, tuple) = if parity {
            let checks = profile()?;
            if !checks.ok() {
                return Err(Failure::new(checks.exit_code(), checks.lines().join("\n")));
            }
            let environment = environment(&room, folders)?;
            let comparator = Comparator { room: &room, environment: &environment };
            let (checks, tuple) = preflight::comparator(&comparator)
                .map_err(|error| Failure::new(exit::SETUP, error.to_string()))?;
            let tuple =
                tuple.ok_or_else(|| Failure::new(checks.exit_code(), checks.lines().join("\n")))?;
            (Some(environment), Some(tuple))
        } else {
            (None, None)
        };
        let mut rests_on = rests_on(folders, &room)?;
        let locks = rests_on
            .iter()
            .filter(|(name, _)| name.ends_with(".lock.toml"))
            .map(|(name, path)| Ok((name.clone(), fs::read_to_string(path)?)))
            .collect::<Result<Vec<_>, Failure>>()?;
        let corpus_files = selection.files(&locks);
        for path in corpus_files.values() {
            rests_on.insert(path.clone(), folders.root.join(path));
        }
        let source = SourceState::of(&folders.root)?;
        let gates = selected_gates(wanted)?;
        let corpora = with_repetitions(folders, corpora, &gates, &thresholds)?;
        let mut plan = Plan {
            schema_version: Schema,
            set: wanted.set.clone(),
            profile: wanted.profile,
            partial: wanted.is_partial(),
            gates,
            wide_budget: wanted.budgets.is_empty().then_some(thresholds.a2.wide_budget),
            budgets: if wanted.budgets.is_empty() {
                thresholds.budgets
            } else {
                wanted.budgets.clone()
            },
            corpora,
            skipped,
            fixtures_sha256: selection.fixtures_sha256(),
            engine_sha256: digest_of(&std::env::current_exe()?)?,
            rests_on: rests_on
                .iter()
                .map(|(name, path)| Ok((name.clone(), digest_of(path)?)))
                .collect::<Result<_, Failure>>()?,
            source_commit: source.commit,
            source_tree: source.tree,
        };
        plan_raw(&mut plan, wanted.raw, &noise(folders)?);
        let costs = selection.costs();
        Ok(Self { plan, repositories, room, environment, tuple, rests_on, corpus_files, costs })
    }
}

/// Plans the random runs: A1 alone compares with them.
fn plan_raw(plan: &mut Plan, raw: Raw, noise: &NoiseProtocol) {
    if !plan.profile.is_parity() || !plan.gates.contains(&GateId::A1) {
        return;
    }
    for corpus in &mut plan.corpora {
        let wanted = match raw {
            Raw::Due => false,
            Raw::Cheap => noise.is_cheap(&corpus.name),
            Raw::All => true,
        };
        if wanted || noise.is_due(&plan.set, &corpus.name) {
            corpus.raw_seeds = noise.seeds;
        }
    }
}

fn selected_gates(wanted: &Wanted) -> Result<Vec<GateId>, Failure> {
    let known = gates_of(wanted.profile);
    if let Some(unknown) = wanted.gates.iter().find(|gate| !known.contains(gate)) {
        let names: Vec<&str> = known.iter().map(|gate| gate.as_str()).collect();
        return Err(Failure::new(
            exit::USAGE,
            format!(
                "the {} profile has no gate {unknown}; it has: {}",
                wanted.profile,
                names.join(", ")
            ),
        ));
    }
    let all = wanted.gates.is_empty();
    Ok(known.iter().copied().filter(|gate| all || wanted.gates.contains(gate)).collect())
}

/// Adds to corpora the call sequences and trials of the gates that are wanted.
fn with_repetitions(
    folders: &Folders,
    mut corpora: Vec<PlannedCorpus>,
    gates: &[GateId],
    thresholds: &Thresholds,
) -> Result<Vec<PlannedCorpus>, Failure> {
    if gates.contains(&GateId::A4) {
        let all = load_sequences(&folders.root).map_err(|why| Failure::new(exit::SETUP, why))?;
        for corpus in corpora.iter_mut().filter(|corpus| corpus.name == all.corpus) {
            corpus.sequences.clone_from(&all.sequences);
        }
    }
    if gates.contains(&GateId::A5) {
        for corpus in &mut corpora {
            corpus.trials = trials(&thresholds.a5);
        }
    }
    Ok(corpora)
}

/// The comparator's environment, installed on first use.
pub fn environment(room: &Room, folders: &Folders) -> Result<Environment, Failure> {
    let environments = Environments::new(room, &folders.cache);
    let mut teller = Teller::new();
    let environment = environments
        .prepare(&mut |line| teller.tell(line))
        .map_err(|error| Failure::new(error.exit_code(), error.to_string()));
    teller.finish();
    environment
}

/// The corpora of a selection that are in place, and the optional ones that are not.
struct Ready {
    repositories: BTreeMap<String, Materialised>,
    planned: Vec<PlannedCorpus>,
    /// Reason by name.
    skipped: BTreeMap<String, String>,
}

fn corpora(
    folders: &Folders,
    selection: &Selection,
    progress: &mut dyn Progress,
) -> Result<Ready, Failure> {
    let store = corpus::Store::open(&folders.cache);
    let mut repositories = BTreeMap::new();
    let mut planned = Vec::new();
    let mut skipped = BTreeMap::new();
    let mut add = |ready: Materialised, authored: bool, optional: bool| {
        planned.push(PlannedCorpus {
            name: ready.name.clone(),
            authored,
            optional,
            commit: ready.commit.clone(),
            cases: ready.cases.clone(),
            view: ready.view.clone(),
            repeats: if ready.name == SLICE { SLICE_REPEATS } else { 0 },
            sequences: Vec::new(),
            trials: Vec::new(),
            raw_seeds: 0,
        });
        repositories.insert(ready.name.clone(), ready);
    };
    for row in &selection.rows {
        match (store.ensure(row, progress), row.required) {
            (Ok(ready), required) => add(ready, false, !required),
            (Err(error), required) => match error.absence().filter(|_| !required) {
                Some(why) => {
                    talk(&format!("SKIP {}: {why} ({error})", row.name));
                    skipped.insert(row.name.clone(), why.to_owned());
                }
                None => return Err(Failure::new(error.exit_code(), error.to_string())),
            },
        }
    }
    for authored in &selection.authored {
        add(
            store
                .ensure_authored(authored)
                .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?,
            true,
            false,
        );
    }
    if planned.is_empty() {
        let names: Vec<&str> = skipped.keys().map(String::as_str).collect();
        let why = format!("every corpus of the selection was skipped: {}", names.join(", "));
        return Err(Failure::new(exit::NOTHING_RAN, why));
    }
    if !skipped.is_empty() {
        let optional = selection.rows.iter().filter(|row| !row.required).count();
        talk(&format!("{} of {optional} optional corpora skipped", skipped.len()));
    }
    planned.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(Ready { repositories, planned, skipped })
}

/// Protocols, locks and comparator files, by their path in the evidence.
fn rests_on(folders: &Folders, room: &Room) -> Result<BTreeMap<String, PathBuf>, Failure> {
    let mut files = BTreeMap::new();
    let mut add = |name: String| {
        let path = folders.root.join(&name);
        files.insert(name, path);
    };
    let protocols =
        ["gates.toml", "deviations.toml", "floors.toml", "noise.toml", "tokenizer_support.v1.json"];
    for name in protocols {
        add(format!("protocols/v1/{name}"));
    }
    add(SEQUENCES.to_owned());
    add(languages::MANIFEST.to_owned());
    let mut locks: Vec<_> = fs::read_dir(folders.root.join("corpora"))?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.ends_with(".lock.toml"))
        .collect();
    locks.sort_unstable();
    for name in locks {
        add(format!("corpora/{name}"));
    }
    let definition = &room.definition;
    let own = ["comparator.toml".to_owned(), definition.install.lock.clone()];
    for name in own.iter().chain(&definition.run.files) {
        add(format!("comparators/{}/{name}", definition.name));
    }
    Ok(files)
}

fn digest_of(path: &Path) -> Result<String, Failure> {
    Digest::of_file(path).map(|digest| digest.as_str().to_owned()).map_err(|error| {
        Failure::new(exit::IO, format!("{} cannot be read: {error}", path.display()))
    })
}

/// The locked repositories of a set, by name, for benchmarks.
pub fn repositories(folders: &Folders, set: &str) -> Result<BTreeMap<String, PathBuf>, Failure> {
    let lock = Lock::load_dir(&folders.root.join("corpora"))
        .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
    let store = corpus::Store::open(&folders.cache);
    lock.rows()
        .filter(|row| row.sets.contains(set))
        .map(|row| {
            let ready = store
                .ensure(row, &mut *corpus::progress::on_stderr(false))
                .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
            Ok((ready.name, ready.path))
        })
        .collect()
}
