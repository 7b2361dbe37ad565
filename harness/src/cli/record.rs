//! `parity record`: the only writer of committed recordings, ledgers and snapshots.

use std::{fs, io::Write, path::Path};

use clap::Args;
use serde_json::json;

use super::{Failure, Folders, exit, talk};
use crate::{
    comparator::{Comparator, ComparatorTuple, Response, Store as Recordings, preflight},
    corpus::{Authored, Lock, Materialised, Store, progress},
    gate::LayerDigests,
    run::{self, Ledger, LedgerRow, request},
};

/// Ask the comparator anew and rewrite what is committed of its answers.
#[derive(Debug, Args)]
pub struct Record {
    /// Only the corpora that we wrote.
    #[arg(long)]
    authored_only: bool,
    /// Only authored corpora whose name matches this regular expression; no ledger is written.
    #[arg(long, value_name = "REGEX")]
    corpus: Option<regex::Regex>,
}

impl Record {
    /// Records and writes.
    pub fn run(self) -> Result<u8, Failure> {
        let folders = Folders::find()?;
        let thresholds = super::setup::thresholds(&folders)?;
        let room = super::setup::room(&folders)?;
        let environment = super::setup::environment(&room, &folders)?;
        let comparator = Comparator { room: &room, environment: &environment };
        let (checks, tuple) = preflight::comparator(&comparator)
            .map_err(|error| Failure::new(exit::SETUP, error.to_string()))?;
        let tuple =
            tuple.ok_or_else(|| Failure::new(checks.exit_code(), checks.lines().join("\n")))?;
        let recorder = Recorder { comparator: &comparator, budgets: &thresholds.budgets };

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
            write(&authored_folder.join(&ready.name).join("recording.json"), &bytes)?;
            talk(&format!("recorded {}", ready.name));
        }
        if !self.authored_only && self.corpus.is_none() {
            let ledger = recorder.ledger(&folders, &store, &tuple)?;
            let mut bytes = serde_json::to_vec_pretty(&ledger)
                .map_err(|error| Failure::internal(error.to_string()))?;
            bytes.push(b'\n');
            write(&folders.root.join("reports/smoke.ledger.json"), &bytes)?;
        }
        writeln!(std::io::stdout(), "recorded; look at the diff before you commit it")?;
        Ok(exit::PASS)
    }
}

struct Recorder<'a> {
    comparator: &'a Comparator<'a>,
    budgets: &'a [u64],
}

impl Recorder<'_> {
    /// The comparator's answer about a corpus: its bytes and what they say.
    fn record(&self, corpus: &Materialised) -> Result<(Vec<u8>, Response), Failure> {
        let set_up = |message: String| Failure::new(exit::SETUP, message);
        let scratch = tempfile::tempdir()?;
        let recordings = Recordings::at(scratch.path().join("recordings"));
        let copy = corpus
            .read_only_copy(&scratch.path().join(&corpus.name))
            .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
        let mut request = request(&corpus.cases, self.budgets);
        corpus.view.ask(&mut request);
        let run = self
            .comparator
            .run_cases(copy.path(), &request, &corpus.name, &recordings)
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
        Ok((capture.stdout.bytes, response))
    }

    fn ledger(
        &self,
        folders: &Folders,
        store: &Store,
        tuple: &ComparatorTuple,
    ) -> Result<Ledger, Failure> {
        let lock = Lock::load_dir(&folders.root.join("corpora"))
            .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
        let mut rows = Vec::new();
        for row in lock.rows().filter(|row| row.sets.contains("smoke")) {
            let ready = store
                .ensure(row, &mut *progress::on_stderr(false))
                .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
            let (_, response) = self.record(&ready)?;
            let recording_sha256 = response.substance().as_str().to_owned();
            let answers = run::Comparator::new(response);
            for case in &ready.cases {
                for (position, budget) in self.budgets.iter().enumerate() {
                    let layers = answers
                        .layers(&case.id, *budget)
                        .map_err(|missing| Failure::new(exit::SETUP, missing.to_string()))?;
                    let kept = layers.kept_probe();
                    rows.push(LedgerRow {
                        corpus: ready.name.clone(),
                        commit: ready.commit.clone(),
                        case: case.id.clone(),
                        budget: *budget,
                        recording_sha256: recording_sha256.clone(),
                        layers: LayerDigests::of(&layers, position == 0),
                        token_count: kept.map(|probe| probe.tokens),
                        postfit: kept.map_or(0, |probe| probe.middle),
                    });
                }
            }
            talk(&format!("recorded {}", ready.name));
        }
        let mut identity = json!(tuple);
        if let Some(fields) = identity.as_object_mut() {
            fields.remove("environment");
        }
        Ok(Ledger {
            schema_version: 1,
            comparator_commit: tuple.aider_commit_sha.clone(),
            tuple_sha256: crate::sha256::of(identity.to_string().as_bytes()),
            python_version: tuple.python_version.clone(),
            rows,
        })
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    run::write_atomically(path, bytes).map_err(|error| Failure::new(exit::IO, error.to_string()))
}
