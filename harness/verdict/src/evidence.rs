//! The evidence of a run: a folder with the plan, all recordings, and what they rest on.
//!
//! The same folder is sealed into a bundle, and a verifier reads it with this code.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    ops::Range,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use record::{
    Baselines, Capture, Case, Digest, Plan, PlannedCorpus, Profile, Recording, Refresh, Store,
    StoreError, Tag, Trial, baselines_key, comparator_key, comparator_models_key,
    comparator_tasks_key, engine_key, models_key, raw_key, repeat_key, scenario_key, sequence_key,
    sequences_key, summaries_key, tasks_key, trial_key,
};
use serde::{Deserialize, Serialize};

use crate::{
    DocumentError, MapDocument,
    explorations::Explored,
    protocol::{ProtocolError, read_json},
    response::{
        self, Attempt, Failure, Response, ResponseError, Sequence as AnsweredSequence,
        SequenceAttempt, classify, classify_each,
    },
    session_documents, session_side,
    sides::{
        Artifact, AttemptLayers, CallSide, Edges, Layers, Probe, RankedAttempt, RankingLayers,
        SequenceSide, Step, WithoutAttempts,
    },
};

/// Name of the plan in an evidence folder.
pub const PLAN: &str = "plan.json";
/// Name of the index.
pub const INDEX: &str = "index.json";
/// Which recording answers which question, by unit key such as `flask/comparator` or
/// `flask/maps`.
pub type Index = BTreeMap<String, Digest>;

/// Why evidence cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum EvidenceError {
    /// A file of it, or of the protocol in it, is missing, unreadable or malformed.
    #[error(transparent)]
    File(#[from] ProtocolError),
    /// A recording cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl EvidenceError {
    /// A file that is not what it should be.
    pub(crate) const fn wrong(path: PathBuf, why: String) -> Self {
        Self::File(ProtocolError::Malformed { path, why })
    }
}

/// Why one side has no answer about a case.
#[derive(Debug, Clone, thiserror::Error, Serialize, Deserialize)]
#[error("{0}")]
pub struct Missing(pub String);

/// Evidence that has been read.
#[derive(Debug)]
pub struct Evidence {
    /// The plan.
    pub plan: Plan,
    index: Index,
    store: Store,
    /// The recordings that [`Self::maps`] gave last, with their keys: one for each thread, since
    /// corpora are evaluated side by side.
    last_maps: Mutex<VecDeque<(String, Arc<Capture>)>>,
}

impl Evidence {
    /// Opens an evidence folder, and checks that it has the files that its plan rests on, unchanged.
    ///
    /// # Errors
    /// Plan or index cannot be read, or a file that the plan rests on is missing or differs.
    pub fn open(dir: &Path) -> Result<Self, EvidenceError> {
        let plan: Plan = read_json(&dir.join(PLAN))?;
        for (name, expected) in &plan.rests_on {
            let path = dir.join(name);
            let found = Digest::of_file(&path)
                .map_err(|error| ProtocolError::Io { path: path.clone(), error })?;
            if found.as_str() != expected {
                return Err(EvidenceError::wrong(path, "the plan rests on another".to_owned()));
            }
        }
        let (index, store) = (read_json(&dir.join(INDEX))?, Store::at(dir));
        Ok(Self { plan, index, store, last_maps: Mutex::default() })
    }

    /// The comparator's answers about a corpus, by case and budget.
    pub fn comparator(&self, corpus: &PlannedCorpus) -> Result<Comparator, Missing> {
        self.answer(&comparator_key(&corpus.name))
    }

    /// The comparator's answers about a corpus in the seeded run of one seed. An answer of another mode,
    /// seed or corpus, or of another comparator than the canonical one, counts as missing.
    pub fn raw(
        &self,
        corpus: &PlannedCorpus,
        seed: u64,
        canonical: &Comparator,
    ) -> Result<Comparator, Missing> {
        let key = raw_key(&corpus.name, seed);
        let recorded = self.recording(&key)?;
        if recorded.corpus != corpus.name {
            return Err(Missing(format!("{key} was recorded on {}", recorded.corpus)));
        }
        let capture = self.capture(&key)?;
        let response =
            classify(&capture).map_err(|failure: Failure| Missing(failure.to_string()))?;
        if response.mode != "raw" || response.seed != seed.to_string() {
            let (mode, seed) = (&response.mode, &response.seed);
            return Err(Missing(format!("{key} was recorded in {mode} mode, seed {seed}")));
        }
        if response.receipt.tuple != canonical.response.receipt.tuple {
            return Err(Missing(format!("{key} was recorded with another comparator")));
        }
        Ok(Comparator { response })
    }

    /// Our map of a case.
    pub fn engine(
        &self,
        corpus: &PlannedCorpus,
        case: &str,
        budget: u64,
    ) -> Result<MapDocument, Missing> {
        let (capture, line) = self.map_line(corpus, case, budget)?;
        MapDocument::parse(&capture.stdout.bytes[line], self.plan.profile)
            .map_err(|error: DocumentError| Missing(error.to_string()))
    }

    /// The recording of all our maps of a corpus, and the place of a case's map in its output. A process that
    /// failed, or that answered another number of requests, counts as having answered none.
    fn map_line(
        &self,
        corpus: &PlannedCorpus,
        case: &str,
        budget: u64,
    ) -> Result<(Arc<Capture>, Range<usize>), Missing> {
        let key = engine_key(&corpus.name);
        let capture = self.maps(&key)?;
        if !capture.succeeded() {
            return Err(Missing(format!("{}: {}", capture.ending(), capture.stderr_tail(3))));
        }
        let asked: Vec<_> = self.plan.maps_of(corpus).collect();
        let lines = lines(&capture.stdout.bytes);
        if lines.len() != asked.len() {
            let (lines, asked) = (lines.len(), asked.len());
            return Err(Missing(format!("{key}: {lines} maps for {asked} requests")));
        }
        let wanted = |(asked, tokens): &(&Case, u64)| asked.id == case && *tokens == budget;
        asked
            .iter()
            .position(wanted)
            .and_then(|position| lines.get(position).cloned())
            .map(|line| (capture, line))
            .ok_or_else(|| Missing(format!("{case} at {budget} tokens is not in the plan")))
    }

    /// The recording of a corpus's maps, which is kept until other corpora are asked for: it is
    /// large, and every case is in it.
    fn maps(&self, key: &str) -> Result<Arc<Capture>, Missing> {
        let kept = || self.last_maps.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, capture)) = kept().iter().find(|(of, _)| of == key) {
            return Ok(Arc::clone(capture));
        }
        let mut last = kept();
        if last.len() >= rayon::current_num_threads() {
            last.pop_front();
        }
        drop(last);
        let capture = Arc::new(self.capture(key)?);
        kept().push_back((key.to_owned(), Arc::clone(&capture)));
        Ok(capture)
    }

    /// The text of a repeated run.
    pub fn repeat(&self, corpus: &str, number: u64) -> Result<String, Missing> {
        self.document(&repeat_key(corpus, number)).map(|document| document.text)
    }

    /// Our recording of a case, verbatim.
    pub fn artifact(
        &self,
        corpus: &PlannedCorpus,
        case: &str,
        budget: u64,
    ) -> Result<Artifact, Missing> {
        let (capture, line) = self.map_line(corpus, case, budget)?;
        artifact(&capture, &capture.stdout.bytes[line])
    }

    /// All maps of one recording of ours, verbatim: a session printed one on each line.
    pub fn artifacts(&self, key: &str) -> Result<Vec<Artifact>, Missing> {
        let capture = self.capture(key)?;
        let artifacts: Vec<Artifact> = lines(&capture.stdout.bytes)
            .into_iter()
            .map(|line| artifact(&capture, &capture.stdout.bytes[line]))
            .collect::<Result<_, Missing>>()?;
        if artifacts.is_empty() {
            return Err(Missing(format!("{key} printed no map")));
        }
        Ok(artifacts)
    }

    /// Our maps of a corpus's tasks in a profile, in the order of [`Plan::tasks_of`].
    pub fn task_maps(
        &self,
        corpus: &PlannedCorpus,
        profile: Profile,
    ) -> Result<Vec<MapDocument>, Missing> {
        let key = tasks_key(&corpus.name, profile);
        let capture = self.capture(&key)?;
        let maps = documents(&capture, profile)?;
        let asked = self.plan.tasks_of(corpus).count();
        if maps.len() != asked {
            return Err(Missing(format!("{key}: {} maps for {asked} requests", maps.len())));
        }
        Ok(maps)
    }

    /// The comparator's answers about the tasks of a corpus.
    pub fn comparator_tasks(&self, corpus: &PlannedCorpus) -> Result<Comparator, Missing> {
        self.answer(&comparator_tasks_key(&corpus.name))
    }

    /// Our recording of the models of a corpus: how the program was called, and the lines that it printed, two for each
    /// model. A map that the program refused is a line with an error, and the program then ends with an error, too.
    pub fn model_lines(
        &self,
        corpus: &PlannedCorpus,
    ) -> Result<(Capture, Vec<Range<usize>>), Missing> {
        let key = models_key(&corpus.name);
        let capture = self.capture(&key)?;
        if capture.stopped.is_some() || capture.exit_code.is_none() || capture.stdout.truncated {
            return Err(Missing(format!("{}: {}", capture.ending(), capture.stderr_tail(3))));
        }
        let (lines, asked) = (lines(&capture.stdout.bytes), 2 * corpus.models.len());
        if lines.len() != asked {
            return Err(Missing(format!("{key}: {} maps for {asked} requests", lines.len())));
        }
        Ok((capture, lines))
    }

    /// The same lines as maps, verbatim; `None` for each that the program refused.
    pub fn model_artifacts(
        &self,
        corpus: &PlannedCorpus,
    ) -> Result<Vec<Option<Artifact>>, Missing> {
        let (capture, lines) = self.model_lines(corpus)?;
        let artifacts = lines.into_iter().map(|line| {
            let artifact = artifact(&capture, &capture.stdout.bytes[line])?;
            Ok(artifact.document.get("error").is_none().then_some(artifact))
        });
        artifacts.collect()
    }

    /// The comparator's answers about the models of a corpus, in their order.
    pub fn comparator_models(
        &self,
        corpus: &PlannedCorpus,
    ) -> Result<Vec<Result<Comparator, Missing>>, Missing> {
        let key = comparator_models_key(&corpus.name);
        let missing = |failure: Failure| Missing(failure.to_string());
        let answers = classify_each(&self.capture(&key)?).map_err(missing)?;
        let (found, asked) = (answers.len(), corpus.models.len());
        if found != asked {
            return Err(Missing(format!("{key}: {found} answers to {asked} requests")));
        }
        let answers = answers.into_iter();
        Ok(answers.map(|one| one.map(Comparator::new).map_err(missing)).collect())
    }

    /// What our session did in a sequence.
    pub fn session(&self, corpus: &str, sequence: &str) -> Result<SequenceSide, Missing> {
        let capture = self.capture(&sequence_key(corpus, sequence))?;
        let documents = documents(&capture, self.plan.profile)?;
        Ok(session_side(&documents))
    }

    /// The comparator's answers to the sequences of a corpus.
    pub fn sequences(&self, corpus: &str) -> Result<Comparator, Missing> {
        self.answer(&sequences_key(corpus))
    }

    /// The comparator's answers of a recording.
    fn answer(&self, key: &str) -> Result<Comparator, Missing> {
        let capture = self.capture(key)?;
        let response =
            classify(&capture).map_err(|failure: Failure| Missing(failure.to_string()))?;
        Ok(Comparator { response })
    }

    /// The maps that a trial made. A session must have computed the first, and, in the modes that keep maps,
    /// served the others.
    pub fn trial(&self, corpus: &str, trial: &Trial) -> Result<Vec<String>, Missing> {
        let capture = self.capture(&trial_key(corpus, trial))?;
        let documents = documents(&capture, self.plan.profile)?;
        let (calls, keeps) =
            trial.session().map_or((1, false), |(mode, calls)| (calls, mode != Refresh::Always));
        let as_expected = documents.len() == calls
            && documents
                .iter()
                .enumerate()
                .all(|(number, document)| document.cached == (keeps && number > 0));
        if !as_expected {
            return Err(Missing(format!("{}: not the calls that were asked for", trial.key())));
        }
        Ok(documents.into_iter().map(|document| document.text).collect())
    }

    fn document(&self, key: &str) -> Result<MapDocument, Missing> {
        let capture = self.capture(key)?;
        if !capture.succeeded() {
            return Err(Missing(format!("{}: {}", capture.ending(), capture.stderr_tail(3))));
        }
        MapDocument::parse(&capture.stdout.bytes, self.plan.profile)
            .map_err(|error: DocumentError| Missing(error.to_string()))
    }

    /// What our program did in a batch of explorations, process by process: none if the batch was not
    /// recorded, more than one if a file ended a process.
    ///
    /// # Errors
    /// A recording is damaged.
    pub fn explorations(&self, key: &str) -> Result<Vec<Capture>, StoreError> {
        let further = (1..).map(|number| format!("{key}/{number}"));
        let keys = std::iter::once(key.to_owned()).chain(further);
        let names = keys.map_while(|key| self.index.get(&key));
        names.map(|name| self.store.recording(name)?.capture(&self.store)).collect()
    }

    /// Our summaries of the files of a corpus that questions are about, by file.
    pub fn summaries(
        &self,
        corpus: &PlannedCorpus,
        profile: Profile,
        budget: u64,
    ) -> Result<BTreeMap<String, String>, Missing> {
        let key = summaries_key(&corpus.name, profile, budget);
        let said: BTreeMap<String, Explored> = self.answers(&key, |one: &Explored| &one.file)?;
        Ok(said.into_iter().map(|(file, one)| (file, one.summary)).collect())
    }

    /// What other tools show of the files of a corpus that questions are about, by file.
    pub fn baselines(&self, corpus: &str) -> Result<BTreeMap<String, Baselines>, Missing> {
        self.answers(&baselines_key(corpus), |one: &Baselines| &one.file)
    }

    /// The lines of a program that printed an object about each file, by file. It must have ended well.
    fn answers<T: serde::de::DeserializeOwned>(
        &self,
        key: &str,
        file: impl Fn(&T) -> &String,
    ) -> Result<BTreeMap<String, T>, Missing> {
        let lines = self.printed::<T>(key)?;
        Ok(lines.into_iter().map(|line| (file(&line).clone(), line)).collect())
    }

    /// What a program printed, an object a line. It must have ended well.
    pub(crate) fn printed<T: serde::de::DeserializeOwned>(
        &self,
        key: &str,
    ) -> Result<Vec<T>, Missing> {
        let capture = self.capture(key)?;
        if !capture.succeeded() {
            let (ending, talk) = (capture.ending(), capture.stderr_tail(3));
            return Err(Missing(format!("{key}: {ending}: {talk}")));
        }
        let output = &capture.stdout.bytes;
        let one = |at: Range<usize>| {
            serde_json::from_slice(output.get(at).unwrap_or_default())
                .map_err(|error| Missing(format!("{key}: a line is not readable: {error}")))
        };
        lines(output).into_iter().map(one).collect()
    }

    /// What our program did in a scenario of the store, process by process.
    pub fn scenario(&self, corpus: &str, scenario: &str) -> Result<Vec<Capture>, Missing> {
        let key = scenario_key(corpus, scenario);
        let captures = self.explorations(&key).map_err(|error| Missing(error.to_string()))?;
        (!captures.is_empty())
            .then_some(captures)
            .ok_or_else(|| Missing(format!("{key} was not recorded")))
    }

    /// The keys of all recordings, in order.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &String> {
        self.index.keys()
    }

    /// The name of the recording under a key; absent if there is none.
    pub(crate) fn name_of(&self, key: &str) -> Option<&Digest> {
        self.index.get(key)
    }

    /// The recording under a key; absent if there is none.
    pub(crate) fn recording_of(&self, key: &str) -> Option<Result<Recording, StoreError>> {
        self.index.get(key).map(|name| self.store.recording(name))
    }

    /// What a recording kept.
    pub(crate) fn capture_of(&self, recording: &Recording) -> Result<Capture, StoreError> {
        recording.capture(&self.store)
    }

    fn capture(&self, key: &str) -> Result<Capture, Missing> {
        let missing = |error: StoreError| Missing(error.to_string());
        self.recording(key)?.capture(&self.store).map_err(missing)
    }

    fn recording(&self, key: &str) -> Result<Recording, Missing> {
        let name = self.index.get(key).ok_or_else(|| Missing(format!("{key} was not recorded")))?;
        self.store.recording(name).map_err(|error| Missing(error.to_string()))
    }
}

/// The documents of a program that printed one on each line.
fn documents(capture: &Capture, profile: Profile) -> Result<Vec<MapDocument>, Missing> {
    if !capture.succeeded() {
        return Err(Missing(format!("{}: {}", capture.ending(), capture.stderr_tail(3))));
    }
    session_documents(&capture.stdout.bytes, profile).map_err(|error| Missing(error.to_string()))
}

/// Where the lines of an output are, without their newlines; empty ones are left out.
fn lines(output: &[u8]) -> Vec<Range<usize>> {
    let mut from = 0;
    let ends = memchr::memchr_iter(b'\n', output).chain([output.len()]);
    let lines = ends.map(|end| std::mem::replace(&mut from, end + 1)..end);
    lines.filter(|line| !line.is_empty()).collect()
}

/// One map that a process printed, with how it was called.
fn artifact(capture: &Capture, line: &[u8]) -> Result<Artifact, Missing> {
    let document: WithoutAttempts = serde_json::from_slice(line)
        .map_err(|error| Missing(format!("the map document is not readable: {error}")))?;
    Ok(Artifact { argv: capture.argv.clone(), env: capture.env.clone(), document: document.0 })
}

/// The comparator's answers about one corpus.
#[derive(Debug)]
pub struct Comparator {
    response: Response,
}

impl Comparator {
    /// Wraps a response that has been read.
    pub const fn new(response: Response) -> Self {
        Self { response }
    }

    /// The response itself.
    pub const fn response(&self) -> &Response {
        &self.response
    }

    /// The map of a case, empty if there is none.
    pub fn text(&self, case: &str, budget: u64) -> Result<&str, Missing> {
        let case = self.response.case(&format!("{case}/{budget}"));
        let case = case.map_err(|error| Missing(error.to_string()))?;
        Ok(case.listing.as_deref().unwrap_or_default())
    }

    /// What the comparator did in a sequence.
    pub fn sequence(&self, id: &str) -> Result<SequenceSide, Missing> {
        let sequence = self.response.sequence(id).map_err(|error| Missing(error.to_string()))?;
        Ok(sequence_side(sequence))
    }

    /// The tags of the files that a case with these chat files sees. The answer holds the tags of all
    /// cases together, including those of untracked files that only another case has in its chat. A case
    /// may still see such a file through a tracked link; then its ranking names the file.
    fn tags_of(
        &self,
        chat_files: &[String],
        ranking: Option<&RankingLayers>,
    ) -> Option<BTreeMap<String, Vec<Tag>>> {
        let tracked = self.response.tracked.as_deref().unwrap_or_default();
        let ranked: BTreeSet<&String> =
            ranking.iter().flat_map(|layers| &layers.prefit).map(|entry| &entry.file).collect();
        let foreign: BTreeSet<&String> = self
            .response
            .case_ids()
            .filter_map(|id| self.response.case(id).ok())
            .flat_map(|case| &case.attempts)
            .flat_map(|attempt| &attempt.chat_files)
            .filter(|file| !chat_files.contains(file) && !tracked.contains(file))
            .filter(|file| !ranked.contains(file))
            .collect();
        let tags = self.response.tags.as_ref()?.iter();
        let seen = tags.filter(|(file, _)| !foreign.contains(file));
        Some(seen.map(|(file, tags)| (file.clone(), tags.clone())).collect())
    }

    /// The layers of one case. `tags` says whether tags are wanted: they are copied, and a corpus has many.
    pub fn layers(&self, case: &str, budget: u64, tags: bool) -> Result<Layers, Missing> {
        let missing = |error: ResponseError| Missing(error.to_string());
        let found = self.response.case(&format!("{case}/{budget}")).map_err(missing)?;
        let (last, earlier) =
            found.attempts.split_last().ok_or_else(|| Missing("no attempt was made".to_owned()))?;
        let uncounted = || Missing("a probe was not counted".to_owned());
        if last.search.iter().any(|probe| probe.tokens.is_none()) {
            return Err(uncounted());
        }
        let RankedAttempt { layers: last, ranking, .. } =
            self.attempt(last).ok_or_else(uncounted)?;
        Ok(Layers {
            tracked: self.response.tracked.clone(),
            tags: tags.then(|| self.tags_of(&last.chat_files, ranking.as_ref())).flatten(),
            earlier: earlier
                .iter()
                .map(|attempt| self.attempt(attempt))
                .collect::<Option<_>>()
                .ok_or_else(uncounted)?,
            last,
            ranking,
            text: found.listing.clone().unwrap_or_default(),
            // For the comparator, it is derived from the kept probe.
            postfit: None,
            counters: None,
        })
    }

    /// The parts of one attempt that gates compare; `None` if a search that ended well has a probe without a
    /// count.
    fn attempt(&self, attempt: &Attempt) -> Option<RankedAttempt> {
        let failed = attempt.exception.is_some();
        let counted = |probe: &response::Probe| {
            let counts = probe.tokens.zip(probe.pct_err);
            counts.map(|(tokens, pct_err)| Probe {
                middle: probe.middle,
                tokens,
                pct_err,
                kept: probe.kept,
            })
        };
        let search: Option<Vec<Probe>> = if failed {
            Some(attempt.search.iter().filter_map(counted).collect())
        } else {
            attempt.search.iter().map(counted).collect()
        };
        let ranking = self.response.ranking(attempt).map(|ranking| RankingLayers {
            personalization: ranking.personalization.clone(),
            file_ranks: ranking.file_ranks.to_vec(),
            definition_ranks: ranking.definition_ranks.to_vec(),
            prefit: ranking.prefit.to_vec(),
            edges: ranking.edges_sha256.map(|sha256| Edges {
                count: ranking.graph.edges,
                sha256: sha256.to_owned(),
                listed: ranking.edges.map(<[_]>::to_vec),
            }),
        });
        Some(RankedAttempt {
            cached: attempt.cached,
            failed,
            ranking,
            layers: AttemptLayers {
                chat_files: attempt.chat_files.clone(),
                mentioned_fnames: attempt.mentioned_fnames.clone(),
                mentioned_idents: attempt.mentioned_idents.clone(),
                target_tokens: attempt.target_tokens,
                search: search?,
                listing: attempt.listing.clone(),
            },
        })
    }
}

/// A sequence of the comparator, as gate A4 compares it.
fn sequence_side(sequence: &AnsweredSequence) -> SequenceSide {
    let step = |attempt: &SequenceAttempt| match attempt {
        attempt if attempt.attempt.cached => Step::Served,
        attempt if attempt.attempt.exception.is_some() => Step::Failed,
        attempt if attempt.asked_cache => Step::Computed,
        _ => Step::Skipped,
    };
    SequenceSide {
        refresh: sequence.refresh().unwrap_or_default().to_owned(),
        calls: sequence
            .calls
            .iter()
            .map(|call| CallSide {
                text: call.listing.clone().unwrap_or_default(),
                cached: call.cached,
                steps: call.attempts.iter().map(step).collect(),
            })
            .collect(),
    }
}
