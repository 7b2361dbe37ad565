//! The calls and requests of each unit of a plan. The recorder of a unit makes them, and the judge of
//! its recording checks that it was made with the same ones.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::{
    Call, Case, EXPLORED, Plan, PlannedCorpus, Profile, Sequence, StoreIds, TASK_MULTIPLIER, Task,
    Trial, Unit, budgets_of, model::models_request,
};

/// The model that both sides are asked about.
pub const MODEL: &str = "gpt-4o";

/// A call of our program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Asked {
    /// Its arguments, without the program.
    pub args: Vec<String>,
    /// Its environment, without `PATH`.
    pub env: BTreeMap<String, String>,
    /// Its standard input.
    pub stdin: Vec<u8>,
}

impl Asked {
    pub(crate) fn new(args: Vec<String>) -> Self {
        let env = BTreeMap::from([("LC_ALL".to_owned(), "C.UTF-8".to_owned())]);
        Self { args, env, stdin: Vec::new() }
    }
}

impl Plan {
    /// The call of our program that a unit stands for; absent for a unit of the comparator, of Volt or of the
    /// baselines of summaries, and for one that the plan does not have. For explorations and scenarios this is the first call;
    /// [`Plan::exploration`] and [`Plan::of_scenario`] give the others. [`Plan::volt_request`] gives the
    /// request to Volt.
    pub fn call(&self, unit: &Unit) -> Option<Asked> {
        let corpus = self.corpora.get(unit.corpus())?;
        match *unit {
            Unit::Comparator { .. }
            | Unit::Raw { .. }
            | Unit::ComparatorSequences { .. }
            | Unit::ComparatorTasks { .. }
            | Unit::ComparatorModels { .. }
            | Unit::Baselines { .. }
            | Unit::Volt { .. } => None,
            Unit::Navigation { .. } => {
                let args = ["nav", "batch", "-"].map(str::to_owned).to_vec();
                let stdin = corpus.navigation_requests();
                (!stdin.is_empty()).then(|| Asked { stdin, ..Asked::new(args) })
            }
            Unit::Summaries { profile, budget, .. } => Some(summaries(corpus, profile, budget)),
            Unit::Tasks { profile, .. } => Some(self.task_maps(corpus, profile)),
            Unit::Models { .. } => self.model_maps(corpus),
            Unit::Engine { .. } => Some(self.maps(corpus)),
            Unit::Repeat { .. } => self.repeated_map(corpus),
            Unit::Sequence { sequence, .. } => {
                let sequence = corpus.sequences.get(sequence)?;
                let mut args = sequence.arguments();
                args.extend(self.profile_arguments());
                let stdin = sequence.calls.iter().map(Call::line).collect::<String>();
                Some(Asked { stdin: stdin.into_bytes(), ..Asked::new(args) })
            }
            Unit::Trial { trial, .. } => self.trial(corpus, corpus.trials.get(trial)?),
            Unit::Explore { batch, .. } => self.exploration(corpus, batch, 0),
            Unit::Scenario { scenario, .. } => {
                self.of_scenario(corpus, scenario, 0, &StoreIds::new())
            }
        }
    }

    /// The request of the comparator's driver that a unit stands for, without the folder of the
    /// repository; absent for a unit of our program or of Volt, and for one that the plan does not have. A list
    /// stands for requests that one process answers one after the other, each in a fork of its own.
    pub fn request(&self, unit: &Unit) -> Option<Value> {
        let corpus = self.corpora.get(unit.corpus())?;
        let mut request = match *unit {
            Unit::Comparator { .. } => {
                canonical_request(&corpus.cases, &self.budgets, self.wide_budget)
            }
            Unit::Raw { seed, .. } => raw_request(&corpus.cases, &self.budgets, seed),
            Unit::ComparatorSequences { .. } => return Some(sequences_request(&corpus.sequences)),
            Unit::ComparatorTasks { .. } => self.tasks_request(corpus),
            Unit::ComparatorModels { .. } => return models_request(corpus),
            _ => return None,
        };
        corpus.view.ask(&mut request);
        Some(request)
    }

    /// The call that explores a batch of a corpus's files, from the one at position `from` on;
    /// absent if no file is left.
    pub fn exploration(&self, corpus: &PlannedCorpus, batch: usize, from: usize) -> Option<Asked> {
        let files = corpus.explorations.chunks(EXPLORED).nth(batch)?.get(from..)?;
        let fixed = ["explore", "--json", "--root", ".", "--profile", self.profile.as_str(), "--"];
        let args = fixed.map(str::to_owned).into_iter().chain(files.iter().cloned()).collect();
        (!files.is_empty()).then(|| Asked::new(args))
    }

    /// The call of a process of a scenario, which asks about ids that the store gave before; absent
    /// if the scenario has no such process.
    pub fn of_scenario(
        &self,
        corpus: &PlannedCorpus,
        scenario: usize,
        process: usize,
        ids: &StoreIds,
    ) -> Option<Asked> {
        let process = corpus.scenarios.get(scenario)?.processes.get(process)?;
        let args = std::iter::once("lcm".to_owned()).chain(process.args.iter().cloned());
        let mut asked = Asked::new(args.chain(self.profile_arguments()).collect());
        asked.env.extend(process.env.clone());
        asked.stdin = process.input(ids).into_bytes();
        Some(asked)
    }

    /// The call of the process that maps all cases at all budgets, in the order of [`Plan::maps_of`]. Tags
    /// and edges do not depend on the budget, so they are asked for once for each case.
    fn maps(&self, corpus: &PlannedCorpus) -> Asked {
        let mut args = self.map_arguments(corpus);
        args.extend(["--requests", "-"].map(str::to_owned));
        let requests = self.maps_of(corpus).map(|(case, budget)| {
            let graph = self.budgets.first() == Some(&budget);
            let request = json!({
                "chat_files": case.chat_files,
                "read_only_files": case.read_only_files,
                "message": case.message,
                "map_tokens": budget,
                "trace": if graph { "graph" } else { "ranking" },
            });
            format!("{request}\n")
        });
        Asked { stdin: requests.collect::<String>().into_bytes(), ..Asked::new(args) }
    }

    /// The call of the process that maps all tasks at all budgets in a profile, in the order of
    /// [`Plan::tasks_of`].
    fn task_maps(&self, corpus: &PlannedCorpus, profile: Profile) -> Asked {
        let mut args = corpus.view.map_arguments();
        let multiplier = TASK_MULTIPLIER.to_string();
        let profile = profile.as_str();
        args.extend(
            ["--map-mul-no-files", &multiplier, "--refresh", "files", "--profile", profile]
                .map(str::to_owned),
        );
        args.extend(["--requests", "-"].map(str::to_owned));
        let requests = self.tasks_of(corpus).map(|(task, budget)| {
            format!("{}\n", json!({"message": task.message, "map_tokens": budget}))
        });
        Asked { stdin: requests.collect::<String>().into_bytes(), ..Asked::new(args) }
    }

    /// The driver's request for the canonical maps of all tasks of a corpus. Only the maps and the list of
    /// the tracked files are judged.
    fn tasks_request(&self, corpus: &PlannedCorpus) -> Value {
        let case = |(task, budget): (&Task, u64)| {
            json!({
                "id": format!("{}/{budget}", task.id),
                "map_tokens": budget,
                "message": task.message,
            })
        };
        json!({
            "schema_version": 1,
            "mode": "canonical",
            "model": MODEL,
            "map_mul_no_files": TASK_MULTIPLIER,
            "refresh": "auto",
            "dump": ["tracked"],
            "cases": self.tasks_of(corpus).map(case).collect::<Vec<_>>(),
        })
    }

    /// The call that maps the first case at the first budget.
    fn repeated_map(&self, corpus: &PlannedCorpus) -> Option<Asked> {
        let (case, budget) = (corpus.cases.first()?, self.budgets.first()?);
        let mut args = self.map_arguments(corpus);
        args.extend(["--map-tokens".to_owned(), budget.to_string()]);
        args.extend(["--json", "--trace"].map(str::to_owned));
        args.extend(case_arguments(case));
        Some(Asked::new(args))
    }

    fn trial(&self, corpus: &PlannedCorpus, trial: &Trial) -> Option<Asked> {
        let (case, budget) = (corpus.cases.first()?, self.budgets.first()?);
        let (command, stdin) = match trial.session() {
            Some((mode, calls)) => {
                let line = json!({
                    "chat_files": case.chat_files,
                    "read_only_files": case.read_only_files,
                    "message": case.message,
                });
                let stdin = format!("{line}\n").repeat(calls).into_bytes();
                (vec!["session", ".", "--refresh", mode.as_str()], stdin)
            }
            None => (vec!["map", ".", "--json"], Vec::new()),
        };
        let mut args: Vec<String> = command.into_iter().map(str::to_owned).collect();
        args.extend(self.profile_arguments());
        args.extend(["--map-tokens".to_owned(), budget.to_string()]);
        args.extend(["--map-mul-no-files", "2"].map(str::to_owned));
        if trial.session().is_none() {
            args.extend(case_arguments(case));
        }
        let mut asked = Asked { stdin, ..Asked::new(args) };
        trial.environment(&mut asked.env);
        Some(asked)
    }

    fn map_arguments(&self, corpus: &PlannedCorpus) -> Vec<String> {
        let mut args = corpus.view.map_arguments();
        args.extend(["--map-mul-no-files", "2", "--refresh", "files"].map(str::to_owned));
        args.extend(self.profile_arguments());
        args
    }

    fn profile_arguments(&self) -> [String; 2] {
        ["--profile".to_owned(), self.profile.to_string()]
    }
}

/// The call that summarises, within a budget, the files that questions are about.
fn summaries(corpus: &PlannedCorpus, profile: Profile, budget: u64) -> Asked {
    let budget = budget.to_string();
    let fixed = [
        "explore",
        "--json",
        "--root",
        ".",
        "--profile",
        profile.as_str(),
        "--budget",
        &budget,
        "--",
    ];
    let files = corpus.summaries.iter().cloned();
    Asked::new(fixed.into_iter().map(str::to_owned).chain(files).collect())
}

/// The arguments of `parity map` that a case stands for.
fn case_arguments(case: &Case) -> Vec<String> {
    let mut args = Vec::new();
    for file in &case.chat_files {
        args.extend(["--chat".to_owned(), file.clone()]);
    }
    for file in &case.read_only_files {
        args.extend(["--read-only".to_owned(), file.clone()]);
    }
    if !case.message.is_empty() {
        args.extend(["--message".to_owned(), case.message.clone()]);
    }
    args
}

/// The driver's request for the canonical maps of all cases of a corpus at every budget, and of the first
/// case also at the wide one.
pub fn canonical_request(cases: &[Case], budgets: &[u64], wide: Option<u64>) -> Value {
    let cases: Vec<Value> = cases
        .iter()
        .enumerate()
        .flat_map(|(position, case)| {
            budgets_of(position, budgets, wide).into_iter().map(move |budget| {
                json!({
                    "id": format!("{}/{budget}", case.id),
                    "map_tokens": budget,
                    "chat_files": case.chat_files,
                    "read_only_files": case.read_only_files,
                    "message": case.message,
                })
            })
        })
        .collect();
    json!({
        "schema_version": 1,
        "mode": "canonical",
        "model": MODEL,
        "map_mul_no_files": 2,
        "refresh": "auto",
        "dump": ["tags", "edges", "tracked"],
        "cases": cases,
    })
}

/// The driver's request for one seeded run of the comparator as shipped. Only rankings and maps are
/// compared, so tags and edges are left out.
pub fn raw_request(cases: &[Case], budgets: &[u64], seed: u64) -> Value {
    let mut request = canonical_request(cases, budgets, None);
    request["mode"] = "raw".into();
    request["seed"] = seed.to_string().into();
    request["dump"] = json!([]);
    request
}

/// The driver's request for canonical runs of all sequences of a corpus.
pub fn sequences_request(sequences: &[Sequence]) -> Value {
    json!({
        "schema_version": 1,
        "mode": "canonical",
        "model": MODEL,
        "map_mul_no_files": 2,
        "sequences": sequences,
    })
}
