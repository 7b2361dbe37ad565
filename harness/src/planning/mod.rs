//! Planning a run: prerequisites, comparator, corpora, plan. What is already installed or fetched is
//! used again.

pub mod comparator;
pub mod corpora;
mod explorations;
mod foundation;
mod sequences;
mod source;
mod summaries;
mod tasks;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

use clap::ValueEnum;
use record::{
    Plan, PlannedCorpus, Profile, Schema, Set, exit, fixtures_sha256, protocol::COMPOSITION,
};
use serde_json::Value;
use verdict::{
    Protocol,
    composition::{self, Composition},
    freeze::Freeze,
    gate::{
        A2Thresholds, A5Thresholds, GateId, ModelList, NavGold, NavigationGold, Need,
        NoiseProtocol, Questions, StoreMatrix, TaskLabels, gates_of, needs, scenarios, trials,
    },
};

use crate::{
    Failure, Folders,
    comparator::{
        Comparator, ComparatorSpec, ComparatorTuple, Environment, Environments, Preflight,
        baselines::InstalledBaselines, preflight, volt::Volt,
    },
    console::talk,
    corpus::{Cost, Materialised, Progress},
    gold::Frozen,
    process,
    protocol::in_force,
};
use foundation::digest_of;

pub use corpora::{Corpora, Selection, repositories};
pub use sequences::load_sequences;
pub use source::SourceState;

/// Repeated runs of the vertical slice (the reference asks for ten).
const SLICE_REPEATS: u64 = 10;
/// The authored corpus that is the vertical slice.
const SLICE: &str = "slice";

/// What is asked for on the command line.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// Set of corpora.
    pub set: Set,
    /// Profile.
    pub profile: Profile,
    /// Gates; empty for all that fit profile and set.
    pub gates: Vec<GateId>,
    /// Which corpora, by name; absent for all.
    pub corpora: Option<regex::Regex>,
    /// Budgets; empty for the protocol's.
    pub budgets: Vec<u64>,
    /// Languages and formats whose gold counts; empty for all.
    pub languages: Vec<String>,
    /// Which corpora get seeded runs of the comparator.
    pub raw: Raw,
    /// The folder of a comparator that is asked in place of the checkout's; absent for the checkout's.
    pub comparator: Option<PathBuf>,
}

/// Which corpora get seeded runs of the comparator, besides those where they are due.
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
    /// True if not the whole set is judged, or not by all gates.
    pub const fn is_partial(&self) -> bool {
        !self.gates.is_empty() || self.is_narrowed()
    }

    /// True if only some corpora, languages or budgets are asked for.
    const fn is_narrowed(&self) -> bool {
        !self.budgets.is_empty() || !self.languages.is_empty() || self.corpora.is_some()
    }

    /// The gates to judge by, in their order.
    fn gates(&self) -> Result<Vec<GateId>, Failure> {
        let known = gates_of(self.profile, self.set);
        if let Some(unknown) = self.gates.iter().find(|gate| !known.contains(gate)) {
            let names: Vec<&str> = known.iter().map(|gate| gate.as_str()).collect();
            return Err(Failure::new(
                exit::USAGE,
                format!(
                    "the {} profile has no gate {unknown} over the set {}; it has: {}",
                    self.profile,
                    self.set,
                    names.join(", ")
                ),
            ));
        }
        let all = self.gates.is_empty();
        Ok(known.into_iter().filter(|gate| all || self.gates.contains(gate)).collect())
    }
}

/// Everything that a run needs, checked and ready.
#[derive(Debug)]
pub struct Setup {
    /// The plan.
    pub plan: Plan,
    /// Repositories by corpus name.
    pub repositories: BTreeMap<String, Materialised>,
    /// The comparator's definition and folder.
    pub spec: ComparatorSpec,
    /// The comparator's environment; absent where no gate needs it.
    pub environment: Option<Environment>,
    /// The comparator tuple; absent where no gate needs it.
    pub tuple: Option<ComparatorTuple>,
    /// How Volt's behaviour is known; absent where nothing is compared with it.
    pub volt: Option<Volt>,
    /// The baselines of summaries; absent where no gate needs them.
    pub baselines: Option<InstalledBaselines>,
    /// What the explorers are measured against; absent where nothing is explored.
    pub contracts: Option<Value>,
    /// The files that the evidence rests on: path in the evidence, path on this machine.
    pub rests_on: BTreeMap<String, PathBuf>,
    /// Which of these files locks each corpus.
    pub corpus_files: BTreeMap<String, String>,
    /// What the comparator costs, by corpus, where it was measured.
    pub costs: BTreeMap<String, Cost>,
}

impl Setup {
    /// Does the whole set-up.
    ///
    /// # Errors
    /// Something that a gate needs is not available.
    pub fn prepare(
        folders: &Folders,
        wanted: &Wanted,
        progress: &mut dyn Progress,
    ) -> Result<Self, Failure> {
        in_force(&folders.root)?;
        let gates = wanted.gates()?;
        let needs = needs(&gates, wanted.profile);
        let explores = needs.iter().any(|need| need.is_exploration());
        let maps = needs.iter().any(|need| need.is_map());
        let protocol = protocol(folders)?;
        let stores =
            needs.contains(&Need::Scenarios).then(|| store_matrix(&protocol)).transpose()?;
        let labels = needs
            .contains(&Need::Tasks)
            .then(|| TaskLabels::open(&protocol))
            .transpose()
            .map_err(|error| Failure::new(exit::SETUP, error.to_string()))?;
        let questions = needs
            .contains(&Need::Summaries)
            .then(|| Questions::open(&protocol))
            .transpose()
            .map_err(|error| Failure::new(exit::SETUP, error.to_string()))?;
        let navigation = needs
            .contains(&Need::Navigation)
            .then(|| NavigationGold::open(&protocol))
            .transpose()
            .map_err(|error| Failure::new(exit::SETUP, error.to_string()))?;
        let parts = corpora::Parts {
            maps,
            explores: explores || questions.is_some(),
            tasks: labels.is_some(),
            navigated: &navigation.iter().flat_map(NavigationGold::names).collect(),
            stores: stores.as_ref().map(|matrix| matrix.corpus.as_str()),
        };
        // A plan of the parity profile has a unit of the comparator for each mapped corpus, whatever the gates read.
        let asks =
            maps && wanted.profile.is_parity() || needs.iter().any(|need| asks_comparator(*need));
        let mut selection = Selection::of(folders, wanted, &parts)?;
        let spec = match &wanted.comparator {
            Some(folder) => comparator::spec_in(folder)?,
            None => comparator::spec(folders)?,
        };
        if maps || asks {
            comparator::require_tokenizer(folders)?;
            if Environments::new(&spec, &folders.cache).ready().is_none() {
                comparator::prerequisites(&spec, selection.needs_npm())?;
            }
        }
        let volt = needs.contains(&Need::Volt).then(|| volt(folders)).transpose()?;
        let baselines =
            questions.is_some().then(|| InstalledBaselines::ready(folders)).transpose()?;
        process::go_on()?;
        let ready = corpora::ready(folders, &selection, wanted.set, progress)?;
        let (mut skipped, mut unexplored) = (BTreeMap::new(), BTreeMap::new());
        for row in selection.rows.extract_if(.., |row| ready.skipped.contains_key(&row.name)) {
            let why = ready.skipped.get(&row.name).cloned().unwrap_or_default();
            let mapped = maps && row.sets.contains(wanted.set.as_str());
            if mapped || row.sets.contains(tasks::SET) { &mut skipped } else { &mut unexplored }
                .insert(row.name, why);
        }
        let (environment, tuple) = if asks {
            let (environment, tuple) = installed(&spec, folders)?;
            (Some(environment), Some(tuple))
        } else {
            (None, None)
        };
        process::go_on()?;
        let mut planned = planned(&ready, wanted, maps, &selection.fingerprints());
        let mut files = foundation::of(folders, &spec)?;
        let mut contracts = None;
        if explores {
            let frozen = Frozen::draft(&folders.root)?;
            let gold = explorations::gold(&frozen, &needs, &wanted.languages)?;
            let others = wanted.languages.is_empty() && needs.contains(&Need::OtherFiles);
            let explored = |corpus: &PlannedCorpus| {
                let row = ready.rows.get(&corpus.name);
                row.is_some_and(|row| !row.sets.contains(tasks::SET))
            };
            for corpus in planned.iter_mut().filter(|corpus| explored(corpus)) {
                let Some(repository) = ready.repositories.get(&corpus.name) else { continue };
                corpus.explorations =
                    explorations::files(&frozen, &gold, repository, others)?.into_iter().collect();
            }
            files.extend(foundation::of_explorations(folders, gold.keys()));
            contracts = Some(serde_json::json!(frozen.scoring.comparator));
        }
        if let Some(matrix) = &stores {
            for corpus in planned.iter_mut().filter(|corpus| corpus.name == matrix.corpus) {
                corpus.scenarios = scenarios(matrix, wanted.profile);
            }
            files.extend(foundation::of_store(folders));
        }
        if let Some(labels) = &labels {
            for corpus in &mut planned {
                let Some(row) = ready.rows.get(&corpus.name) else { continue };
                match tasks::of(folders, row, labels)? {
                    Ok(tasks) => corpus.tasks = tasks,
                    Err(why) => {
                        skipped.insert(corpus.name.clone(), why);
                    }
                }
            }
            files.extend(foundation::of_tasks(folders));
        }
        if let Some(gold) = &navigation {
            for corpus in &mut planned {
                corpus.navigation = gold.of(&corpus.name).map_or_else(Vec::new, NavGold::places);
            }
            files.extend(foundation::of_navigation(folders));
        }
        if let Some(questions) = &questions {
            for corpus in &mut planned {
                let Some(repository) = ready.repositories.get(&corpus.name) else { continue };
                corpus.summaries = summaries::of(questions, repository)?;
            }
            files.extend(foundation::of_summaries(folders));
        }
        if needs.contains(&Need::Models) {
            files.extend(foundation::of_models(&spec));
        }
        let planned_volt = volt.as_ref().and_then(Volt::planned);
        if planned_volt.is_some() {
            files.extend(foundation::of_volt(folders));
        }
        let corpus_files = foundation::corpus_files(&selection, &mut files, folders)?;
        repeat(folders, &mut planned, &needs, &protocol)?;
        planned.retain(|corpus| {
            !(corpus.cases.is_empty()
                && corpus.explorations.is_empty()
                && corpus.tasks.is_empty()
                && corpus.summaries.is_empty()
                && corpus.navigation.is_empty()
                && corpus.scenarios.is_empty())
        });
        let wide = needs.contains(&Need::WideBudget) && wanted.budgets.is_empty();
        let source = SourceState::of(&folders.root)?;
        let unpinned = foundation::unpinned(folders, &spec)?;
        let mut plan = Plan {
            schema_version: Schema,
            set: wanted.set,
            profile: wanted.profile,
            partial: wanted.is_partial() || unpinned.is_some(),
            narrowed: wanted.is_narrowed(),
            unpinned,
            wide_budget: wide
                .then(|| table(&protocol).map(|a2: A2Thresholds| a2.wide_budget))
                .transpose()?,
            budgets: match wanted.budgets.as_slice() {
                [] => protocol.budgets().to_vec(),
                budgets => budgets.to_vec(),
            },
            volt: planned_volt,
            fixtures_sha256: fixtures_sha256(&planned),
            corpora: planned,
            skipped,
            unexplored,
            engine_sha256: digest_of(&std::env::current_exe()?)?,
            rests_on: files
                .iter()
                .map(|(name, path)| Ok((name.clone(), digest_of(path)?)))
                .collect::<Result<_, Failure>>()?,
            source_commit: source.commit,
            source_tree: source.tree,
            gates: gates.into_iter().map(GateId::name).collect(),
        };
        if needs.contains(&Need::Seeds) {
            plan_seeds(&mut plan, wanted.raw, &noise(&protocol)?);
        }
        process::go_on()?;
        let costs = selection.costs();
        Ok(Self {
            plan,
            repositories: ready.repositories,
            spec,
            environment,
            tuple,
            volt,
            baselines,
            contracts,
            rests_on: files,
            corpus_files,
            costs,
        })
    }
}

/// Reads the protocol in force and checks it against its freeze.
///
/// # Errors
/// It differs from its freeze, or cannot be used.
pub fn protocol(folders: &Folders) -> Result<Protocol, Failure> {
    Freeze::check(&folders.root)?;
    Protocol::open(&folders.root).map_err(|error| Failure::new(exit::SETUP, error.to_string()))
}

/// Checks that the plan of a whole set is what the protocol demands of its sign-off.
///
/// # Errors
/// It is not, or the protocol cannot be read.
pub fn check_composition(folders: &Folders, plan: &Plan) -> Result<(), Failure> {
    let composition = Composition::open(&folders.root)
        .map_err(|error| Failure::new(exit::SETUP, error.to_string()))?;
    composition::plan(plan, &composition).map_err(|error| {
        let why = format!(
            "{COMPOSITION}: {error}; undo what changed it, or run `cargo parity protocol compose \
             --write` and have the change reviewed"
        );
        Failure::new(exit::COMPOSITION, why)
    })
}

/// Reads a gate's thresholds.
///
/// # Errors
/// They cannot be used.
pub fn table<T: verdict::protocol::Table>(protocol: &Protocol) -> Result<T, Failure> {
    protocol.table().map_err(|error| Failure::new(exit::SETUP, error.to_string()))
}

/// Reads where the comparator's seeded runs are due.
///
/// # Errors
/// The protocol or a lock cannot be read.
pub fn noise(protocol: &Protocol) -> Result<NoiseProtocol, Failure> {
    NoiseProtocol::open(protocol).map_err(|error| Failure::new(exit::IO, error.to_string()))
}

/// Reads what gate B3 asks of the store of large content.
///
/// # Errors
/// It cannot be used.
fn store_matrix(protocol: &Protocol) -> Result<StoreMatrix, Failure> {
    StoreMatrix::open(protocol).map_err(|error| Failure::new(exit::SETUP, error.to_string()))
}

/// Looks for a checkout of Volt, and says whether there is one.
///
/// # Errors
/// The user names one that cannot be asked.
fn volt(folders: &Folders) -> Result<Volt, Failure> {
    let volt = Volt::find_unchanged(&folders.root).map_err(|why| Failure::new(exit::SETUP, why))?;
    match &volt {
        Volt::Live(checkout) => talk(&format!("volt: live, commit {}", checkout.commit)),
        Volt::Contracts { why } => talk(&format!("volt: contracts: {why}")),
    }
    Ok(volt)
}

/// Whether a need is met by running the comparator.
const fn asks_comparator(need: Need) -> bool {
    matches!(need, Need::Answers | Need::Sequences | Need::Seeds | Need::Tasks | Need::Models)
}

/// The comparator, installed on first use and checked.
fn installed(
    spec: &ComparatorSpec,
    folders: &Folders,
) -> Result<(Environment, ComparatorTuple), Failure> {
    let failed = |checks: &Preflight| Failure::new(checks.exit_code(), checks.lines().join("\n"));
    let checks = comparator::profile()?;
    if !checks.ok() {
        return Err(failed(&checks));
    }
    let environment = comparator::environment(spec, folders)?;
    process::go_on()?;
    let (checks, tuple) = preflight::comparator(&Comparator { spec, environment: &environment })
        .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
    Ok((environment, tuple.ok_or_else(|| failed(&checks))?))
}

/// The corpora as they are planned before any gate needs more than maps.
fn planned(
    ready: &corpora::Ready,
    wanted: &Wanted,
    maps: bool,
    fingerprints: &BTreeMap<String, String>,
) -> Vec<PlannedCorpus> {
    let planned = ready.repositories.values().map(|repository| {
        let row = ready.rows.get(&repository.name);
        let mapped = maps && row.is_none_or(|row| row.sets.contains(wanted.set.as_str()));
        PlannedCorpus {
            name: repository.name.clone(),
            authored: row.is_none(),
            optional: row.is_some_and(|row| !row.required),
            commit: repository.commit.clone(),
            fingerprint: fingerprints.get(&repository.name).cloned().unwrap_or_default(),
            cases: if mapped { repository.cases.clone() } else { Vec::new() },
            view: repository.view.clone(),
            repeats: 0,
            sequences: Vec::new(),
            trials: Vec::new(),
            raw_seeds: 0,
            explorations: Vec::new(),
            tasks: Vec::new(),
            models: Vec::new(),
            summaries: Vec::new(),
            navigation: Vec::new(),
            scenarios: Vec::new(),
        }
    });
    planned.collect()
}

/// Adds to mapped corpora the repeats, call sequences, models and trials that gates need.
fn repeat(
    folders: &Folders,
    corpora: &mut [PlannedCorpus],
    needs: &BTreeSet<Need>,
    protocol: &Protocol,
) -> Result<(), Failure> {
    let mut mapped: Vec<_> = corpora.iter_mut().filter(|corpus| !corpus.cases.is_empty()).collect();
    if needs.contains(&Need::Repeats) {
        for corpus in mapped.iter_mut().filter(|corpus| corpus.name == SLICE) {
            corpus.repeats = SLICE_REPEATS;
        }
    }
    if needs.contains(&Need::Sequences) {
        let all = load_sequences(&folders.root).map_err(|why| Failure::new(exit::SETUP, why))?;
        for corpus in mapped.iter_mut().filter(|corpus| corpus.name == all.corpus) {
            corpus.sequences.clone_from(&all.sequences);
        }
    }
    if needs.contains(&Need::Models) {
        let all = ModelList::open(protocol)
            .map_err(|error| Failure::new(exit::SETUP, error.to_string()))?;
        for corpus in mapped.iter_mut().filter(|corpus| corpus.name == all.corpus) {
            corpus.models.clone_from(&all.models);
        }
    }
    if needs.contains(&Need::Trials) {
        let trials = trials(&table::<A5Thresholds>(protocol)?);
        for corpus in &mut mapped {
            corpus.trials.clone_from(&trials);
        }
    }
    Ok(())
}

/// Plans the comparator's random runs.
fn plan_seeds(plan: &mut Plan, raw: Raw, noise: &NoiseProtocol) {
    let set = plan.set;
    for corpus in plan.corpora.iter_mut().filter(|corpus| !corpus.cases.is_empty()) {
        let wanted = match raw {
            Raw::Due => false,
            Raw::Cheap => noise.is_cheap(&corpus.name),
            Raw::All => true,
        };
        if wanted || noise.is_due(set, &corpus.name) {
            corpus.raw_seeds = noise.seeds;
        }
    }
}
