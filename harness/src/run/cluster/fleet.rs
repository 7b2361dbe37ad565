//! Sends the open units of a plan to a cluster, and takes in what its workers answer.

use std::{
    cell::RefCell,
    collections::{BTreeMap, VecDeque},
    fs,
    io::{self, PipeWriter, Write},
};

use base::scratch::Scratch;
use record::{Digest, Store, StoreError, Unit, exit};
use serde_json::json;

use super::{
    super::{
        Recorded, Recorder, Refusal, RunDir, RunDirError, TRIES, UnitOrder, schedule, take_in,
    },
    Address, Driver, Event,
    driver::{Place, input},
    event::WaitsFor,
};
use crate::{
    Folders,
    comparator::{ComparatorSpec, ComparatorTuple},
    corpus::Cost,
    process::{self, ProcessError},
    shared::Shared,
};

/// Units that are sent for each processor before the first of them is answered. The driver gives some of them to Ray.
const AHEAD: usize = 8;

/// Why a run on a cluster cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// The driver cannot be started.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// A recording cannot be kept.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The folder of the run cannot be written.
    #[error(transparent)]
    RunDir(#[from] RunDirError),
    /// A file of this machine cannot be read or written.
    #[error("the answers of the cluster cannot be kept: {0}")]
    Io(#[from] io::Error),
    /// There is no cluster.
    #[error(
        "no cluster at {address}: {why}\n  check that Ray runs there, in the version of cluster/ray/requirements.lock"
    )]
    NoCluster {
        /// Its address.
        address: Address,
        /// What was said.
        why: String,
    },
    /// A unit has no usable answer.
    #[error(
        "the unit {unit} has no usable answer after {TRIES} tries: {why}\n  repair the workers (docs/cluster.md) and run the \
         same command again to resume"
    )]
    Unit {
        /// Its key.
        unit: String,
        /// The last reason.
        why: String,
    },
    /// The driver ended while units were open.
    #[error(
        "the driver of the cluster ended early, {ending}:\n{talk}\n  run the same command again to resume"
    )]
    Ended {
        /// How.
        ending: String,
        /// The end of its messages.
        talk: String,
    },
    /// The driver printed something else than events.
    #[error("the driver of the cluster printed no event but {0:?}")]
    NoEvent(String),
    /// The user stopped the run.
    #[error("interrupted; run the same command again to resume")]
    Interrupted,
}

impl ClusterError {
    /// The exit code of this error.
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Interrupted => exit::INCOMPLETE,
            Self::Store(_) | Self::RunDir(_) | Self::Io(_) => exit::IO,
            Self::Unit { .. } => exit::DIGEST,
            _ => exit::SETUP,
        }
    }
}

/// A cluster, and what its workers are asked with.
#[derive(Debug)]
pub struct Fleet<'a> {
    /// Where it is.
    pub address: &'a Address,
    /// Its driver.
    pub driver: &'a Driver,
    /// The folders of this machine.
    pub folders: &'a Folders,
    /// The plan and its repositories.
    pub recorder: &'a Recorder<'a>,
    /// The comparator's definition, by which its receipts are read.
    pub spec: &'a ComparatorSpec,
    /// The comparator that has to answer.
    pub tuple: Option<&'a ComparatorTuple>,
    /// What the comparator costs, by corpus.
    pub costs: &'a BTreeMap<String, Cost>,
    /// What is happening, in words.
    pub status: &'a RefCell<String>,
}

impl Fleet<'_> {
    /// Has the units recorded, slowest first, and calls `finished` with each unit, its key and its recordings once its
    /// answer is taken in. Every event is passed to `tell`.
    ///
    /// # Errors
    /// There is no cluster, a unit has no usable answer, or the user stops the run.
    pub fn record(
        &self,
        mut open: Vec<Unit>,
        dir: &mut RunDir,
        finished: &mut dyn FnMut(&Unit, &str, &Recorded),
        tell: &mut dyn FnMut(&Event),
    ) -> Result<(), ClusterError> {
        if open.is_empty() {
            return Ok(());
        }
        open.sort_by_key(|unit| std::cmp::Reverse(self.cost(unit).cpu_seconds));
        let plan_sha256 = self.recorder.plan.id().map_err(RunDirError::from)?;
        let answers = Scratch::new("answers")?;
        // The sockets of Ray lie in it, and their paths may have a hundred bytes.
        let folder = Scratch::new("ray")?;
        // Ray writes the address of the cluster into this folder, and does not make it.
        fs::create_dir(folder.path().join("ray"))?;
        let (reader, writer) = input()?;
        let mut talk = Talk {
            fleet: self,
            plan_sha256,
            store: Store::at(dir.evidence()),
            open: open.into(),
            asked: BTreeMap::new(),
            cpus: 1,
            nodes: 0,
            load: String::new(),
            writer: Some(writer),
            failed: None,
            line: Vec::new(),
        };
        // The first units are sent when the driver has told of its nodes: nobody reads the pipe before.
        let place = Place {
            address: self.address,
            folder: folder.path(),
            answers: answers.path(),
            program: &self.recorder.engine,
            checkout: &self.folders.root,
            memory_mb: schedule::available_memory_mb(),
            store: self.folders.store.as_ref().map(Shared::url),
        };
        let capture = self.driver.run(&place, reader, &mut |piece| {
            talk.hear(piece, dir, finished, tell);
        })?;
        if process::interrupted() {
            return Err(ClusterError::Interrupted);
        }
        if let Some(error) = talk.failed {
            return Err(error);
        }
        if talk.open.is_empty() && talk.asked.is_empty() {
            return Ok(());
        }
        Err(ClusterError::Ended { ending: capture.ending(), talk: capture.stderr_tail(8) })
    }
}

/// A unit that was sent.
struct Asked {
    unit: Unit,
    order: UnitOrder,
    tries: usize,
}

/// The conversation with the driver.
struct Talk<'a> {
    fleet: &'a Fleet<'a>,
    plan_sha256: Digest,
    store: Store,
    /// Units that have not been sent.
    open: VecDeque<Unit>,
    /// Units that were sent and not answered, by key.
    asked: BTreeMap<String, Asked>,
    cpus: usize,
    nodes: usize,
    /// What the units do that Ray has, in words.
    load: String,
    /// Our end of the driver's input; closed after the last answer.
    writer: Option<PipeWriter>,
    failed: Option<ClusterError>,
    /// The beginning of a line.
    line: Vec<u8>,
}

impl Talk<'_> {
    /// Hears a piece of what the driver prints.
    fn hear(
        &mut self,
        piece: &[u8],
        dir: &mut RunDir,
        finished: &mut dyn FnMut(&Unit, &str, &Recorded),
        tell: &mut dyn FnMut(&Event),
    ) {
        for part in piece.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(part);
            if !self.line.ends_with(b"\n") {
                continue;
            }
            let line = std::mem::take(&mut self.line);
            if self.failed.is_some() {
                continue;
            }
            let heard = if let Ok(event) = serde_json::from_slice::<Event>(&line) {
                tell(&event);
                self.react(event, dir, finished, tell)
            } else {
                let line = String::from_utf8_lossy(&line).chars().take(200).collect();
                Err(ClusterError::NoEvent(line))
            };
            if let Err(error) = heard {
                self.failed = Some(error);
            }
            self.send();
        }
    }

    fn react(
        &mut self,
        event: Event,
        dir: &mut RunDir,
        finished: &mut dyn FnMut(&Unit, &str, &Recorded),
        tell: &mut dyn FnMut(&Event),
    ) -> Result<(), ClusterError> {
        match event {
            Event::Nodes { alive, cpus } => {
                (self.nodes, self.cpus) = (alive, (cpus as usize).max(1));
            }
            Event::Load { running, waiting, waits_for } => {
                let what = waits_for.map(WaitsFor::in_words).unwrap_or_default();
                self.load = format!(", {running} run, {waiting} wait {what}");
            }
            Event::Answered { unit, node, file } => {
                let answer = fs::read(&file)?;
                // It is read, and a full disk would stop the run.
                let _ = fs::remove_file(&file);
                // A unit that was given up for lost may still be answered: it is open no more.
                let Some(asked) = self.asked.get(&unit) else { return Ok(()) };
                match take_in(&asked.order, Some(self.fleet.spec), &answer, &self.store) {
                    Ok(recorded) => {
                        // A recording that an interrupt cut short is no evidence; the unit is recorded again.
                        if !process::interrupted() {
                            dir.note(&unit, recorded.clone())?;
                            if let Some(asked) = self.asked.remove(&unit) {
                                finished(&asked.unit, &unit, &recorded);
                            }
                        }
                    }
                    Err(Refusal::Store(error)) => return Err(error.into()),
                    Err(refusal) => {
                        let why = refusal.to_string();
                        tell(&Event::Refused { unit: unit.clone(), node, why: why.clone() });
                        self.ask_again(&unit, why)?;
                    }
                }
            }
            Event::Failed { unit, node, code, why } => {
                let code = code.map_or_else(String::new, |code| format!(" (exit code {code})"));
                let node = node.unwrap_or_else(|| "no node".to_owned());
                self.ask_again(&unit, format!("{why}{code}, on {node}"))?;
            }
            Event::NoCluster { why } => {
                return Err(ClusterError::NoCluster { address: self.fleet.address.clone(), why });
            }
            Event::NodeJoined { .. }
            | Event::NodeLost { .. }
            | Event::Submitted { .. }
            | Event::Refused { .. } => {}
        }
        Ok(())
    }

    /// Sends a unit again, if it was not sent too often.
    fn ask_again(&mut self, key: &str, why: String) -> Result<(), ClusterError> {
        let Some(asked) = self.asked.get_mut(key) else { return Ok(()) };
        asked.tries += 1;
        if asked.tries >= TRIES {
            return Err(ClusterError::Unit { unit: key.to_owned(), why });
        }
        let line = self.fleet.line(asked)?;
        self.write(&line);
        Ok(())
    }

    /// Sends further units, as many as the cluster has use for. Closes the driver's input at the end.
    fn send(&mut self) {
        while self.failed.is_none() && self.asked.len() < AHEAD * self.cpus {
            let Some(unit) = self.open.pop_front() else { break };
            let key = self.fleet.recorder.plan.key(&unit);
            match self.fleet.order(&unit, &self.plan_sha256) {
                Ok(order) => {
                    let asked = Asked { unit, order, tries: 0 };
                    match self.fleet.line(&asked) {
                        Ok(line) => self.write(&line),
                        Err(error) => self.failed = Some(error),
                    }
                    self.asked.insert(key, asked);
                }
                Err(error) => self.failed = Some(error),
            }
        }
        if self.failed.is_some() || self.open.is_empty() && self.asked.is_empty() {
            self.writer = None;
        }
        let (nodes, cpus) = (self.nodes, self.cpus);
        let (there, open) = (self.asked.len(), self.open.len());
        let load = &self.load;
        *self.fleet.status.borrow_mut() = format!(
            "nodes {nodes}, processors {cpus}; units with Ray {there}{load}, not sent {open}"
        );
    }

    fn write(&mut self, line: &str) {
        let Some(writer) = &mut self.writer else { return };
        if writer.write_all(line.as_bytes()).is_err() {
            // The driver has ended, and says why.
            self.writer = None;
        }
    }
}

impl Fleet<'_> {
    fn cost(&self, unit: &Unit) -> Cost {
        schedule::cost(self.recorder.plan, self.costs, unit)
    }

    fn order(&self, unit: &Unit, plan_sha256: &Digest) -> Result<UnitOrder, ClusterError> {
        let plan = self.recorder.plan;
        let corpus = plan.corpora.get(unit.corpus()).map(|corpus| corpus.name.as_str());
        let repository = corpus.and_then(|name| self.recorder.repositories.get(name));
        let order =
            repository.and_then(|found| UnitOrder::of(plan, plan_sha256, unit, found, self.tuple));
        order.ok_or_else(|| {
            let why = "the plan has no such corpus".to_owned();
            ClusterError::Unit { unit: plan.key(unit), why }
        })
    }

    /// What the driver is sent for a unit.
    fn line(&self, asked: &Asked) -> Result<String, ClusterError> {
        let order = serde_json::to_string(&asked.order).map_err(RunDirError::from)?;
        let memory_mb = self.cost(&asked.unit).peak_mb;
        let job =
            json!({"unit": asked.order.unit, "cpus": 1, "memory_mb": memory_mb, "order": order});
        Ok(format!("{job}\n"))
    }
}

/// Whether a unit can be recorded by any machine that has the digests: a checkout of Volt belongs to one, and so do the
/// baselines of summaries.
pub const fn may_be_sent(unit: &Unit) -> bool {
    !matches!(unit, Unit::Volt { .. } | Unit::Baselines { .. })
}
