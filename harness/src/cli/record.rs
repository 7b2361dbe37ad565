//! `parity record`: the only writer of committed recordings, ledgers and snapshots.

use std::{
    fs,
    path::{Path, PathBuf},
};

use base::scratch::Scratch;
use clap::Args;
use record::{
    Case, Places, Plan, PlannedCorpus, ProfileObject, Set, Store as Recordings, canonical_request,
    exit, models_request,
    protocol::{NAME, version_in},
    raw_request, sequences_request,
};
use serde_json::Value;
use verdict::{
    Evidence,
    gate::{A2Thresholds, ModelList},
    response::Response,
    sides::LayerDigests,
};

use super::SetName;
use crate::{
    Failure, Folders,
    comparator::{Comparator, ComparatorTuple, preflight},
    console::{Output, talk},
    corpus::{Authored, Lock, Materialised, Store, progress},
    planning::{self, load_sequences},
    report::snapshot,
    run::{Ledger, LedgerRow, evidence_in, judge},
};

/// The folder of an authored corpus for the comparator's seeded runs. Only a corpus with this folder
/// gets them, and only of its first case at the first budget.
const RAW: &str = "raw";

/// Ask the comparator again and rewrite what is committed of its answers.
#[derive(Debug, Args)]
pub struct Record {
    /// Only the corpora that we wrote.
    #[arg(long, conflicts_with_all = ["set", "from"])]
    authored_only: bool,
    /// Which set of locked corpora.
    #[arg(long, value_enum, default_value_t = SetName::Smoke)]
    set: SetName,
    /// Take the answers from this finished run instead, and write the snapshots of its corpora.
    #[arg(long, value_name = "RUN", conflicts_with = "set")]
    from: Option<PathBuf>,
    /// Only authored corpora whose name matches this regular expression; no ledger is written.
    #[arg(long, value_name = "REGEX", conflicts_with_all = ["set", "from"])]
    corpus: Option<regex::Regex>,
}

impl Record {
    /// Records and writes.
    pub fn run(self) -> Result<u8, Failure> {
        let folders = Folders::find()?;
        if let Some(run) = &self.from {
            return from_run(&folders, run);
        }
        let protocol = planning::protocol(&folders)?;
        let noise = planning::noise(&protocol)?;
        let spec = planning::comparator::spec(&folders)?;
        let environment = planning::comparator::environment(&spec, &folders)?;
        let comparator = Comparator { spec: &spec, environment: &environment };
        let (checks, tuple) = preflight::comparator(&comparator)
            .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
        let tuple =
            tuple.ok_or_else(|| Failure::new(checks.exit_code(), checks.lines().join("\n")))?;
        let recorder = Recorder {
            comparator: &comparator,
            budgets: protocol.budgets(),
            wide: planning::table::<A2Thresholds>(&protocol)?.wide_budget,
        };

        let sequences =
            load_sequences(&folders.root).map_err(|why| Failure::new(exit::SETUP, why))?;
        let models = ModelList::open(&protocol)
            .map_err(|error| Failure::new(exit::SETUP, error.to_string()))?;
        let store = Store::open(&folders.cache);
        let authored_folder = folders.root.join("corpora/authored");
        let authored = Authored::load_all(&authored_folder)
            .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
        let wanted = |name: &str| self.corpus.as_ref().is_none_or(|regex| regex.is_match(name));
        for corpus in authored.iter().filter(|corpus| wanted(corpus.name())) {
            let ready = store
                .ensure_authored(corpus)
                .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
            let (bytes, _) = recorder.record(&ready)?;
            let folder = authored_folder.join(&ready.name);
            write(&folder.join("recording.json"), &bytes)?;
            if ready.name == sequences.corpus {
                let request = sequences_request(&sequences.sequences);
                let (bytes, _) = recorder.ask(&ready, &request)?;
                write(&folder.join("refresh.json"), &bytes)?;
            }
            if ready.name == models.corpus {
                write(&folder.join("models.jsonl"), &recorder.record_models(&ready, &models)?)?;
            }
            if folder.join(RAW).is_dir() {
                for seed in 0..noise.seeds {
                    let bytes = recorder.record_raw(&ready, seed)?;
                    write(&folder.join(RAW).join(format!("{seed}.json")), &bytes)?;
                }
            }
            talk(&format!("recorded {}", ready.name));
        }
        if !self.authored_only && self.corpus.is_none() {
            let set = record::Set::from(self.set);
            let rows = recorder.rows(&folders, &store, set)?;
            write_ledger(&folders, set, &ledger(&tuple, NAME, rows))?;
        }
        finish()
    }
}

/// Writes the snapshots of a finished run, and the ledger of one of the parity profile.
fn from_run(folders: &Folders, run: &Path) -> Result<u8, Failure> {
    let folder = evidence_in(run);
    let set_up = |message: String| Failure::new(exit::SETUP, message);
    let evidence = Evidence::open(&folder).map_err(|error| set_up(error.to_string()))?;
    let plan = &evidence.plan;
    if !plan.profile.is_parity() {
        write_snapshots(folders, plan, &folder, None)?;
        return finish();
    }
    let profile = folder.join("profile.json");
    let tuple = fs::read_to_string(&profile)
        .map_err(|error| error.to_string())
        .and_then(|text| {
            let object: ProfileObject =
                serde_json::from_str(&text).map_err(|error| error.to_string())?;
            let tuple = object.comparator_tuple.unwrap_or_default();
            serde_json::from_value::<ComparatorTuple>(tuple).map_err(|error| error.to_string())
        })
        .map_err(|why| set_up(format!("{} cannot be used: {why}", profile.display())))?;
    let mut rows = Vec::new();
    for corpus in plan.corpora.iter().filter(|corpus| !corpus.authored && !corpus.cases.is_empty())
    {
        let answers = evidence.comparator(corpus).map_err(|missing| set_up(missing.to_string()))?;
        let of = Recorded { name: &corpus.name, commit: &corpus.commit, cases: &corpus.cases };
        rows.extend(of.rows(&answers, &plan.budgets, plan.wide_budget)?);
    }
    let protocol = version_in(plan.rests_on.keys().map(String::as_str)).unwrap_or(NAME);
    write_ledger(folders, plan.set, &ledger(&tuple, protocol, rows))?;
    write_snapshots(folders, plan, &folder, Some(&tuple.aider_commit_sha))?;
    finish()
}

/// Writes the snapshots of the corpora that a run mapped.
fn write_snapshots(
    folders: &Folders,
    plan: &Plan,
    evidence: &Path,
    commit: Option<&str>,
) -> Result<(), Failure> {
    let evaluation = judge(evidence)?;
    let reports = folders.root.join("reports").join(plan.profile.as_str());
    fs::create_dir_all(&reports)?;
    for (corpus, text) in snapshot::of(plan, &evaluation.cells, commit) {
        write(&reports.join(format!("{corpus}.txt")), text.as_bytes())?;
    }
    Ok(())
}

fn finish() -> Result<u8, Failure> {
    let mut out = Output::new();
    writeln!(out, "recorded; read the diff before you commit it")?;
    out.flush()?;
    Ok(exit::PASS)
}

fn ledger(tuple: &ComparatorTuple, protocol: &str, rows: Vec<LedgerRow>) -> Ledger {
    Ledger {
        schema_version: 1,
        protocol: Some(protocol.to_owned()),
        comparator_commit: tuple.aider_commit_sha.clone(),
        tuple_sha256: tuple.identity_sha256(),
        python_version: tuple.python_version.clone(),
        rows,
    }
}

fn write_ledger(folders: &Folders, set: Set, ledger: &Ledger) -> Result<(), Failure> {
    let mut bytes =
        serde_json::to_vec_pretty(ledger).map_err(|error| Failure::internal(error.to_string()))?;
    bytes.push(b'\n');
    write(&folders.root.join(format!("reports/{set}.ledger.json")), &bytes)
}

/// A corpus whose answers have been recorded.
struct Recorded<'a> {
    name: &'a str,
    commit: &'a str,
    cases: &'a [Case],
}

impl Recorded<'_> {
    /// One row of the ledger per case and budget.
    fn rows(
        &self,
        answers: &verdict::Comparator,
        budgets: &[u64],
        wide: Option<u64>,
    ) -> Result<Vec<LedgerRow>, Failure> {
        let recording_sha256 = answers.response().substance().as_str().to_owned();
        let mut rows = Vec::new();
        for (at, case) in self.cases.iter().enumerate() {
            let budgets = record::budgets_of(at, budgets, wide);
            for (position, budget) in budgets.into_iter().enumerate() {
                let layers = answers
                    .layers(&case.id, budget, position == 0)
                    .map_err(|missing| Failure::new(exit::SETUP, missing.to_string()))?;
                let kept = layers.kept_probe();
                rows.push(LedgerRow {
                    corpus: self.name.to_owned(),
                    commit: self.commit.to_owned(),
                    case: case.id.clone(),
                    budget,
                    recording_sha256: recording_sha256.clone(),
                    layers: LayerDigests::of(&layers, position == 0),
                    token_count: kept.map(|probe| probe.tokens),
                    postfit: kept.map_or(0, |probe| probe.middle),
                });
            }
        }
        Ok(rows)
    }
}

struct Recorder<'a> {
    comparator: &'a Comparator<'a>,
    budgets: &'a [u64],
    /// The wide budget, which only the first case gets.
    wide: u64,
}

impl Recorder<'_> {
    /// The comparator's answer about all cases of a corpus.
    fn record(&self, corpus: &Materialised) -> Result<(Vec<u8>, Response), Failure> {
        self.ask(corpus, &canonical_request(&corpus.cases, self.budgets, Some(self.wide)))
    }

    /// The answer of one seeded run to the first case at the first budget.
    fn record_raw(&self, corpus: &Materialised, seed: u64) -> Result<Vec<u8>, Failure> {
        let cases = corpus.cases.get(..1).unwrap_or_default();
        let budgets = self.budgets.get(..1).unwrap_or_default();
        Ok(self.ask(corpus, &raw_request(cases, budgets, seed))?.0)
    }

    /// The comparator's answers about all models, an answer a line.
    fn record_models(&self, corpus: &Materialised, list: &ModelList) -> Result<Vec<u8>, Failure> {
        let set_up = |message: String| Failure::new(exit::SETUP, message);
        let io = |error: record::StoreError| Failure::new(exit::IO, error.to_string());
        let asked = PlannedCorpus {
            cases: corpus.cases.clone(),
            view: corpus.view.clone(),
            models: list.models.clone(),
            ..PlannedCorpus::new(&corpus.name)
        };
        let request = models_request(&asked);
        let requests = request.as_ref().and_then(Value::as_array);
        let requests = requests.ok_or_else(|| {
            set_up(format!("{} lacks a case with a chat, or one without", corpus.name))
        })?;
        let scratch = Scratch::new("record")?;
        let recordings = Recordings::at(scratch.path().join("recordings"));
        let copy = corpus
            .read_only_copy(&scratch.path().join(&corpus.name))
            .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
        let runs = self
            .comparator
            .run_each(copy.path(), requests, &corpus.name, "record", &recordings)
            .map_err(|error| set_up(error.to_string()))?;
        copy.verify_unchanged()
            .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
        let capture = runs.recording.capture(&recordings).map_err(io)?;
        if !runs.complete {
            let why = capture.stderr_tail(5);
            return Err(set_up(format!("the comparator did not answer about every model: {why}")));
        }
        let places = Places::default().with("$SCRATCH", scratch.path());
        Ok(places.apply(&capture).stdout.bytes)
    }

    /// The comparator's answer to a request about a corpus: its bytes, and the parsed response.
    fn ask(&self, corpus: &Materialised, request: &Value) -> Result<(Vec<u8>, Response), Failure> {
        let set_up = |message: String| Failure::new(exit::SETUP, message);
        let scratch = Scratch::new("record")?;
        let recordings = Recordings::at(scratch.path().join("recordings"));
        let copy = corpus
            .read_only_copy(&scratch.path().join(&corpus.name))
            .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
        let mut request = request.clone();
        corpus.view.ask(&mut request);
        let run = self
            .comparator
            .run_cases(copy.path(), &request, &corpus.name, "record", &recordings)
            .map_err(|error| set_up(error.to_string()))?;
        copy.verify_unchanged()
            .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
        let response = run.answer.map_err(|failure| {
            set_up(format!("the comparator failed on {}: {failure}", corpus.name))
        })?;
        let capture = run
            .recording
            .capture(&recordings)
            .map_err(|error| Failure::new(exit::IO, error.to_string()))?;
        // Paths outside the work tree lead into the folder around it, which has a random name.
        let places = Places::default().with("$SCRATCH", scratch.path());
        Ok((places.apply(&capture).stdout.bytes, response))
    }

    /// The ledger's rows of all locked corpora of a set.
    fn rows(&self, folders: &Folders, store: &Store, set: Set) -> Result<Vec<LedgerRow>, Failure> {
        let lock = Lock::load_dir(&folders.root.join("corpora"))
            .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
        let mut rows = Vec::new();
        for row in lock.rows().filter(|row| row.sets.contains(set.as_str())) {
            let ready = store
                .ensure(row, &mut *progress::on_stderr(false))
                .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
            let (_, response) = self.record(&ready)?;
            let answers = verdict::Comparator::new(response);
            let of = Recorded { name: &ready.name, commit: &ready.commit, cases: &ready.cases };
            rows.extend(of.rows(&answers, self.budgets, Some(self.wide))?);
            talk(&format!("recorded {}", ready.name));
        }
        Ok(rows)
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    record::write_atomically(path, bytes).map_err(|error| Failure::new(exit::IO, error.to_string()))
}
