//! Runs both sides on a repository and compares their answers, as gate `exact` does.

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use base::scratch::Scratch;
use record::{Capture, Case, Plan, PlannedCorpus, Profile, Set, Unit, Verdict};
use serde::Deserialize;
use verdict::{
    Comparator, MapDocument, Place, Response,
    gate::{ExactThresholds, exact},
    sides::Layers,
};

use super::{Answerer, AnswererError, Drawn};
use crate::{
    corpus::{Authored, authored::AuthoredError},
    process::{self, Invocation, ProcessError},
};

/// Longest time that all our maps of a repository may take.
const DEADLINE: Duration = Duration::from_mins(2);
/// Most bytes that they may print.
const OUTPUT: usize = 256 << 20;
/// The name of the repository in cells.
const NAME: &str = "drawn";

/// Why both sides could not be run.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// The comparator could not be run.
    #[error(transparent)]
    Answerer(#[from] AnswererError),
    /// Our program could not be started.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// The repository could not be made.
    #[error(transparent)]
    Authored(AuthoredError),
    /// The disk failed.
    #[error("cannot write a repository: {0}")]
    Io(#[from] io::Error),
}

/// The difference of one map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The case.
    pub case: String,
    /// The budget in tokens.
    pub budget: u64,
    /// The first layer that differs, or `answer` if our side gave none.
    pub layer: String,
    /// How it differs.
    pub note: String,
}

/// The result for one repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// All maps that were compared are equal.
    Equal {
        /// Number of maps.
        maps: u64,
    },
    /// Some map differs.
    Different {
        /// The first difference.
        first: Difference,
        /// Files that our map left out, with the reason.
        skipped: BTreeMap<String, String>,
    },
    /// The comparator gave no answer to compare with; the kind of its failure.
    Unanswered(String),
    /// No such repository can be made.
    Impossible,
}

/// Both sides, ready to be run.
#[derive(Debug)]
pub struct Both {
    program: PathBuf,
    answerer: Answerer,
    thresholds: ExactThresholds,
    scratch: Scratch,
    asked: u64,
}

impl Both {
    /// A comparison of the comparator with `program`, which must answer as `parity map --requests` does.
    ///
    /// # Errors
    /// The folder for temporary files cannot be made.
    pub fn new(
        program: PathBuf,
        answerer: Answerer,
        thresholds: ExactThresholds,
    ) -> io::Result<Self> {
        Ok(Self { program, answerer, thresholds, scratch: Scratch::new("search")?, asked: 0 })
    }

    /// How many repositories were made and compared so far.
    pub const fn asked(&self) -> u64 {
        self.asked
    }

    /// Makes the repository and runs both sides on it.
    ///
    /// # Errors
    /// A side cannot be run at all, or the disk fails.
    pub fn ask(&mut self, drawn: &Drawn) -> Result<Outcome, AskError> {
        self.asked += 1;
        let home = self.scratch.path().join(self.asked.to_string());
        drawn.write(&home.join(NAME))?;
        let outcome = Authored::load(&home.join(NAME)).and_then(|authored| {
            let work = home.join("repository");
            std::fs::create_dir(&work).ok();
            authored.build_in(&work)?;
            Ok(work)
        });
        let outcome = match outcome {
            Ok(work) => self.ask_of(drawn, &work),
            Err(AuthoredError::Invalid { .. } | AuthoredError::Git(_)) => Ok(Outcome::Impossible),
            Err(error) => Err(AskError::Authored(error)),
        };
        std::fs::remove_dir_all(&home)?;
        outcome
    }

    fn ask_of(&mut self, drawn: &Drawn, work: &Path) -> Result<Outcome, AskError> {
        let plan = plan(drawn);
        let (ours, theirs) = (Unit::Engine { corpus: 0 }, Unit::Comparator { corpus: 0 });
        let mut request = plan.request(&theirs).unwrap_or_default();
        request["repo"] = work.to_string_lossy().into_owned().into();
        let theirs = match Response::parse(&self.answerer.ask(&request)?) {
            Ok(response) => Comparator::new(response),
            Err(error) => return Ok(Outcome::Unanswered(kind(&error.to_string()))),
        };
        let asked = plan.call(&ours).unwrap_or_default();
        let mut env = asked.env;
        env.insert("PATH".to_owned(), std::env::var("PATH").unwrap_or_default());
        let invocation = Invocation {
            env,
            stdin: asked.stdin,
            deadline: DEADLINE,
            max_stdout: OUTPUT,
            ..Invocation::new(&self.program, work).args(asked.args)
        };
        let capture = process::run(&invocation)?;
        if process::interrupted() {
            return Err(AnswererError::Interrupted.into());
        }
        Ok(self.compare(&plan, &theirs, &capture))
    }

    fn compare(&self, plan: &Plan, theirs: &Comparator, ours: &Capture) -> Outcome {
        let lines = ours.stdout.bytes.split(|byte| *byte == b'\n');
        let mut documents = lines.filter(|line| !line.is_empty());
        let (mut maps, mut unanswered) = (0, None);
        // Tags are requested once for each case, so they are in its first document.
        let mut skipped = BTreeMap::new();
        for (case, budget) in plan.corpora.iter().flat_map(|corpus| plan.maps_of(corpus)) {
            let document = documents.next();
            skipped.extend(document.map(left_out).unwrap_or_default());
            let at = |layer: &str, note: String| Outcome::Different {
                first: Difference { case: case.id.clone(), budget, layer: layer.to_owned(), note },
                skipped: skipped.clone(),
            };
            let mine = match document.map(layers) {
                Some(Ok(layers)) => layers,
                Some(Err(why)) => return at("answer", why),
                None => {
                    return at("answer", format!("there is none: the program {}", ours.ending()));
                }
            };
            match theirs.layers(&case.id, budget, true) {
                Err(missing) => unanswered = Some(kind(&missing.to_string())),
                Ok(theirs) => {
                    if let Some((layer, note)) = self.first_difference(case, budget, &mine, &theirs)
                    {
                        return at(&layer, note);
                    }
                    maps += 1;
                }
            }
        }
        match unanswered {
            Some(kind) => Outcome::Unanswered(kind),
            None => Outcome::Equal { maps },
        }
    }

    fn first_difference(
        &self,
        case: &Case,
        budget: u64,
        ours: &Layers,
        theirs: &Layers,
    ) -> Option<(String, String)> {
        let place = Place { corpus: NAME, case: &case.id, budget: Some(budget) };
        let cells = exact(&place, ours, theirs, &self.thresholds);
        let differs = cells.into_iter().find(|cell| cell.verdict != Verdict::Pass);
        differs.map(|cell| (cell.metric, cell.note))
    }
}

/// A plan with only this repository.
fn plan(drawn: &Drawn) -> Plan {
    let corpus = PlannedCorpus {
        cases: drawn.cases().to_vec(),
        view: drawn.description.view.clone(),
        ..PlannedCorpus::new(NAME)
    };
    Plan {
        partial: true,
        narrowed: true,
        budgets: drawn.budgets.clone(),
        corpora: vec![corpus],
        ..Plan::new(Set::Smoke, Profile::Parity)
    }
}

/// Our answer about one map.
fn layers(line: &[u8]) -> Result<Layers, String> {
    MapDocument::parse(line, Profile::Parity).and_then(MapDocument::layers).map_err(|error| {
        format!("{error}: {}", String::from_utf8_lossy(line.get(..300).unwrap_or(line)))
    })
}

/// The files that a map left out, with the reason.
fn left_out(line: &[u8]) -> BTreeMap<String, String> {
    #[derive(Deserialize)]
    struct Document {
        #[serde(default)]
        skipped: Vec<Skipped>,
    }
    #[derive(Deserialize)]
    struct Skipped {
        #[serde(default)]
        file: String,
        #[serde(default)]
        reason: String,
    }
    let document: Option<Document> = serde_json::from_slice(line).ok();
    document
        .map(|document| document.skipped)
        .unwrap_or_default()
        .into_iter()
        .map(|row| (row.file, row.reason))
        .collect()
}

/// A failure message without the names in it, so that equal kinds are counted together.
fn kind(error: &str) -> String {
    let from = error.find('(').map_or(0, |at| at + 1);
    let rest = error.get(from..).unwrap_or(error);
    rest.split([')', ':', '\n']).next().unwrap_or(rest).trim().to_owned()
}
