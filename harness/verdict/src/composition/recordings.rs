//! Checks every recording against its unit.

use std::{collections::BTreeSet, path::Path};

use rayon::prelude::*;
use record::{Asked, Capture, Recording, Side, StoreIds, Unit, further_key};
use serde_json::Value;

use super::{CompositionError as Error, baselines, comparator::Pinned, volt};
use crate::{Evidence, response::Head};

/// The name that recordings give to the folder of the repository.
const REPO: &str = "$REPO";
/// The name that they give to our program.
const ENGINE: &str = "$ENGINE";

/// Checks that each unit of the plan has its own recording: of the right side and corpus, and with the
/// arguments, environment and input that the unit asks. A recording of the comparator must also hold an
/// answer of the pinned comparator in the right mode. `root` is the folder of the evidence.
///
/// # Errors
/// The first recording that is not its unit's.
pub fn recordings(root: &Path, evidence: &Evidence) -> Result<(), Error> {
    let plan = &evidence.plan;
    let units = plan.units();
    let asks_comparator = units.iter().any(|unit| plan.request(unit).is_some());
    let pinned = asks_comparator.then(|| Pinned::read(root)).transpose()?;
    if let Some(asked) = &plan.volt {
        volt::defined(root, asked)?;
    }
    // Recordings are read in parallel, and the findings are collected in the order of the plan, so that the
    // first error is the same every time.
    let keys: Vec<Result<Vec<String>, Error>> = units
        .par_iter()
        .map(|unit| Of { evidence, unit, key: plan.key(unit) }.keys(pinned.as_ref()))
        .collect();
    let mut known = BTreeSet::new();
    for keys in keys {
        known.extend(keys?);
    }
    let unknown = evidence.keys().find(|key| !known.contains(*key));
    unknown.map_or(Ok(()), |key| Err(Error::UnknownUnit(key.clone())))
}

/// A unit and its place in the evidence.
struct Of<'a> {
    evidence: &'a Evidence,
    unit: &'a Unit,
    key: String,
}

impl Of<'_> {
    /// Checks the recordings of the unit and returns their keys.
    fn keys(self, pinned: Option<&Pinned>) -> Result<Vec<String>, Error> {
        let further = match (self.unit, pinned) {
            (Unit::Explore { corpus, batch }, _) => self.explorations(*corpus, *batch)?,
            (Unit::Scenario { corpus, scenario }, _) => self.scenario(*corpus, *scenario)?,
            (Unit::Volt { corpus, batch }, _) => {
                self.volt(*corpus, *batch)?;
                Vec::new()
            }
            (Unit::Baselines { corpus }, _) => {
                self.baselines(*corpus)?;
                Vec::new()
            }
            (_, Some(pinned)) if self.evidence.plan.request(self.unit).is_some() => {
                self.answer(pinned)?;
                Vec::new()
            }
            _ => {
                self.call()?;
                Vec::new()
            }
        };
        Ok(std::iter::once(self.key).chain(further).collect())
    }

    /// Reads a recording of the unit under a key and checks what recordings of both sides have in common.
    fn recording(&self, key: &str, side: Side) -> Result<(Recording, Capture), Error> {
        let unit = || key.to_owned();
        let recording =
            self.evidence.recording_of(key).ok_or_else(|| Error::MissingUnit(unit()))?;
        let unreadable = |why: String| Error::Unreadable { unit: unit(), why };
        let recording = recording.map_err(|error| unreadable(error.to_string()))?;
        let corpus = self.evidence.plan.corpora.get(self.unit.corpus());
        if recording.side != side {
            let (found, expected) = (recording.side, side);
            return Err(Error::OtherSide { unit: unit(), found, expected });
        }
        if corpus.is_none_or(|corpus| corpus.name != recording.corpus) {
            return Err(Error::OtherCorpus { unit: unit(), found: recording.corpus });
        }
        if recording.unit != key {
            return Err(Error::OtherUnit { unit: unit(), found: recording.unit });
        }
        let capture = self.evidence.capture_of(&recording);
        let capture = capture.map_err(|error| unreadable(error.to_string()))?;
        Ok((recording, capture))
    }

    /// Checks the call of our program.
    fn call(&self) -> Result<(), Error> {
        let (_, capture) = self.recording(&self.key, Side::Engine)?;
        let asked = self.evidence.plan.call(self.unit);
        let asked = asked.ok_or_else(|| Error::UnknownUnit(self.key.clone()))?;
        asked_so(&self.key, &capture, asked)
    }

    /// Checks the calls that explored a batch of files: each continues after the file that ended the call
    /// before. Returns the keys of all but the first.
    fn explorations(&self, corpus: usize, batch: usize) -> Result<Vec<String>, Error> {
        let plan = &self.evidence.plan;
        let (mut from, mut further) = (0, Vec::new());
        let unknown = || Error::UnknownUnit(self.key.clone());
        let corpus = plan.corpora.get(corpus).ok_or_else(unknown)?;
        let mut key = self.key.clone();
        while let Some(asked) = plan.exploration(corpus, batch, from) {
            let (_, capture) = self.recording(&key, Side::Engine)?;
            asked_so(&key, &capture, asked)?;
            from += memchr::memchr_iter(b'\n', &capture.stdout.bytes).count() + 1;
            key = further_key(&self.key, further.len() + 1);
            further.push(key.clone());
        }
        // The last key is that of a call that was not needed.
        further.pop();
        Ok(further)
    }

    /// Checks the processes of a scenario: each asks about ids that the store gave to those before it.
    /// Returns the keys of all but the first.
    fn scenario(&self, corpus: usize, scenario: usize) -> Result<Vec<String>, Error> {
        let plan = &self.evidence.plan;
        let unknown = || Error::UnknownUnit(self.key.clone());
        let corpus = plan.corpora.get(corpus).ok_or_else(unknown)?;
        let planned = corpus.scenarios.get(scenario).ok_or_else(unknown)?;
        let (mut ids, mut further) = (StoreIds::new(), Vec::new());
        for (number, process) in planned.processes.iter().enumerate() {
            let key = if number == 0 { self.key.clone() } else { further_key(&self.key, number) };
            let (_, capture) = self.recording(&key, Side::Engine)?;
            let asked = plan.of_scenario(corpus, scenario, number, &ids);
            asked_so(&key, &capture, asked.ok_or_else(unknown)?)?;
            process.learn(&capture.stdout.bytes, &mut ids);
            further.extend((number > 0).then_some(key));
        }
        Ok(further)
    }

    /// Checks Volt's recording of a batch of files.
    fn volt(&self, corpus: usize, batch: usize) -> Result<(), Error> {
        let plan = &self.evidence.plan;
        let request =
            plan.corpora.get(corpus).and_then(|corpus| plan.volt_request(corpus, batch, REPO));
        let (Some(asked), Some(request)) = (&plan.volt, request) else {
            return Err(Error::UnknownUnit(self.key.clone()));
        };
        let (_, capture) = self.recording(&self.key, Side::Comparator)?;
        let other = volt::asked_otherwise(asked, &capture, &request);
        other.map_or(Ok(()), |what| Err(Error::Asked { unit: self.key.clone(), what }))
    }

    /// Checks the recording of the baselines of summaries.
    fn baselines(&self, corpus: usize) -> Result<(), Error> {
        let corpus = self.evidence.plan.corpora.get(corpus);
        let corpus = corpus.ok_or_else(|| Error::UnknownUnit(self.key.clone()))?;
        let (_, capture) = self.recording(&self.key, Side::Comparator)?;
        let other = baselines::asked_otherwise(&capture, &corpus.baselines_request(REPO));
        other.map_or(Ok(()), |what| Err(Error::Asked { unit: self.key.clone(), what }))
    }

    /// Checks an answer of the comparator.
    fn answer(&self, pinned: &Pinned) -> Result<(), Error> {
        let plan = &self.evidence.plan;
        let unit = || self.key.clone();
        let (_, capture) = self.recording(&self.key, Side::Comparator)?;
        let request = plan.request(self.unit).ok_or_else(|| Error::UnknownUnit(unit()))?;
        let asked = |what| Error::Asked { unit: unit(), what };
        // One request, or several that a program answers one after the other, an answer a line.
        let (requests, command, allowed, answers) = match request {
            Value::Array(requests) => {
                let lines = capture.stdout.bytes.split(|byte| *byte == b'\n');
                let lines = lines.filter(|line| !line.is_empty()).collect();
                let allowed = pinned.allows_inside(&capture.env);
                (requests, &pinned.answer_many, allowed, lines)
            }
            one => {
                let allowed = pinned.allows(&capture.env);
                (vec![one], &pinned.command, allowed, vec![capture.stdout.bytes.as_slice()])
            }
        };
        if capture.argv != *command {
            return Err(asked("command line"));
        }
        if !allowed {
            return Err(asked("environment"));
        }
        let found = serde_json::Deserializer::from_slice(&capture.stdin).into_iter();
        let mut found: Vec<Value> = found.collect::<Result<_, _>>().map_err(|_| asked("input"))?;
        let of_repo = |found: &mut Value| {
            let repo = found.as_object_mut().and_then(|fields| fields.remove("repo"));
            repo == Some(REPO.into())
        };
        if !found.iter_mut().all(of_repo) || found != requests {
            return Err(asked("input"));
        }
        let mut pairs = requests.iter().zip(answers);
        pairs.try_for_each(|(request, answer)| self.head(pinned, request, answer))
    }

    /// Checks what an answer to a request says about who gave it, and to what question.
    fn head(&self, pinned: &Pinned, request: &Value, answer: &[u8]) -> Result<(), Error> {
        let unit = || self.key.clone();
        // Gates judge failures. Only an answer can show that it is of another comparator.
        let Ok(head) = Head::parse(answer) else { return Ok(()) };
        let said = |name: &str| request.get(name).and_then(Value::as_str).unwrap_or("0").to_owned();
        let answers = [
            ("mode", &head.mode, said("mode")),
            ("model", &head.model, said("model")),
            ("seed", &head.seed, said("seed")),
        ];
        for (what, found, expected) in answers {
            if *found != expected {
                let found = found.clone();
                return Err(Error::Answer { unit: unit(), what, found, expected });
            }
        }
        let other = pinned.difference(&head.receipt, &head.seed, &head.model);
        other.map_or(Ok(()), |member| Err(Error::Comparator { unit: unit(), member }))
    }
}

/// Checks that our program was called as its unit asks.
fn asked_so(key: &str, capture: &Capture, asked: Asked) -> Result<(), Error> {
    let Asked { args, mut env, stdin } = asked;
    env.insert("PATH".to_owned(), "$PATH".to_owned());
    let program = capture.argv.split_first();
    let what = if program.is_none_or(|(name, found)| name != ENGINE || found != args) {
        "command line"
    } else if capture.env != env {
        "environment"
    } else if capture.stdin != stdin {
        "input"
    } else {
        return Ok(());
    };
    Err(Error::Asked { unit: key.to_owned(), what })
}
