//! One run of a matrix: a release of the comparator, a set and a profile.

use std::path::{Path, PathBuf};

use record::{Digest, Plan, Profile, Set, Verdict, exit};
use serde::Serialize;
use verdict::Evaluation;

use super::answers;
use crate::{
    Failure, Folders,
    console::talk,
    corpus,
    planning::{Setup, Wanted, check_composition},
    process,
    run::{Beginning, Conduct, RunDir, evidence_in, judge, publish},
};

/// What one run of a matrix is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Asked {
    /// Version of the comparator.
    pub version: String,
    /// Set of corpora.
    pub set: Set,
    /// Profile.
    pub profile: Profile,
    /// What was changed in the release so that it can be installed, one sentence each.
    pub changed: Vec<String>,
}

/// Whether a run can be a verdict on parity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// The comparator is the one that the checkout pins.
    Pinned,
    /// It is another one: its numbers are reported, and decide nothing.
    Reported,
}

/// One gate of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GateRow {
    /// Its name.
    pub gate: String,
    /// Its verdict; absent if the run is only reported.
    pub verdict: Option<Verdict>,
    /// Judged cells that pass.
    pub passed: usize,
    /// Judged cells.
    pub judged: usize,
    /// The smallest distance to a threshold among the judged cells that are shares; negative where it is missed.
    /// Metrics in other units have no scale in common.
    pub worst_margin: Option<f64>,
}

/// What became of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Outcome {
    /// It is complete.
    Ran {
        /// Whether it can be a verdict on parity.
        standing: Standing,
        /// The verdict; absent if it is only reported.
        verdict: Option<Verdict>,
        /// True if only a part of the set was run.
        partial: bool,
        /// Its folder.
        run: PathBuf,
        /// Its bundle; absent if the run is partial or only reported.
        bundle: Option<PathBuf>,
        /// Its gates in the order to print.
        gates: Vec<GateRow>,
        /// The recordings of the comparator that it rests on.
        #[serde(skip)]
        answers: Vec<Digest>,
    },
    /// It could not be made.
    Failed {
        /// The exit code that `parity run` would have had.
        exit_code: u8,
        /// Why.
        why: String,
    },
}

/// One run with what became of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// What it is about.
    #[serde(flatten)]
    pub asked: Asked,
    /// What became of it.
    #[serde(flatten)]
    pub outcome: Outcome,
}

impl Row {
    /// The exit code that the pinned comparator gives to the matrix; `None` for a run that decides nothing.
    pub fn exit_code(&self, pinned: &str) -> Option<u8> {
        match &self.outcome {
            Outcome::Ran { standing: Standing::Reported, .. } => None,
            Outcome::Ran { verdict, .. } => Some(exit::of(verdict.unwrap_or(Verdict::NotRun))),
            Outcome::Failed { exit_code, .. } => {
                (self.asked.version == pinned).then_some(*exit_code)
            }
        }
    }
}

/// Makes one run, or finds it complete from an earlier matrix with the same plan. A failure is an outcome, and
/// not the end of the matrix.
///
/// # Errors
/// The user stops it.
pub fn made(
    folders: &Folders,
    wanted: &Wanted,
    conduct: &Conduct,
    key: Option<&Path>,
) -> Result<Outcome, Failure> {
    let outcome = ran(folders, wanted, conduct, key);
    process::go_on()?;
    Ok(outcome.unwrap_or_else(|failure| Outcome::Failed {
        exit_code: failure.code(),
        why: failure.to_string(),
    }))
}

fn ran(
    folders: &Folders,
    wanted: &Wanted,
    conduct: &Conduct,
    key: Option<&Path>,
) -> Result<Outcome, Failure> {
    let beginning = Beginning::now();
    let setup = Setup::prepare(folders, wanted, &mut *corpus::progress::on_stderr(false))?;
    if !setup.plan.partial {
        check_composition(folders, &setup.plan)?;
    }
    let runs = folders.artifacts().join("runs");
    let earlier = RunDir::last_complete(&runs, &setup.plan).filter(|_| !conduct.fresh);
    if let Some(run) = earlier {
        talk(&format!("{} is complete already", run.display()));
        let bundle = run.file_name().map(|name| folders.artifacts().join("bundles").join(name));
        let bundle = bundle.filter(|bundle| bundle.is_dir());
        let evaluation = judge(&evidence_in(&run))?;
        return outcome(&setup.plan, &evaluation, &run, bundle);
    }
    let (dir, evaluation) = conduct.run(folders, &setup)?;
    let published = publish(folders, &setup, &dir, &evaluation, &beginning, key)?;
    outcome(&setup.plan, &evaluation, dir.path(), published.bundle)
}

fn outcome(
    plan: &Plan,
    evaluation: &Evaluation,
    run: &Path,
    bundle: Option<PathBuf>,
) -> Result<Outcome, Failure> {
    let standing = if plan.unpinned.is_some() { Standing::Reported } else { Standing::Pinned };
    Ok(Outcome::Ran {
        standing,
        verdict: decided(standing, evaluation.verdict),
        partial: plan.partial,
        run: run.to_owned(),
        bundle,
        gates: gates(evaluation, standing),
        answers: answers::of_run(&evidence_in(run), plan)?,
    })
}

/// A verdict, if it may be one.
const fn decided(standing: Standing, verdict: Verdict) -> Option<Verdict> {
    match standing {
        Standing::Pinned => Some(verdict),
        Standing::Reported => None,
    }
}

fn gates(evaluation: &Evaluation, standing: Standing) -> Vec<GateRow> {
    let rows = evaluation.gates.iter().map(|result| {
        let cells = evaluation.cells.iter().filter(|cell| cell.gate == result.gate);
        let judged: Vec<_> = cells.filter(|cell| cell.threshold.is_some()).collect();
        let is_share = |bound: &f64| (0.0..=1.0).contains(bound);
        let shares = judged.iter().filter(|cell| {
            cell.threshold.as_ref().is_some_and(is_share)
                && cell.value.as_ref().is_some_and(is_share)
        });
        let margins = shares.filter_map(|cell| cell.margin);
        GateRow {
            gate: result.gate.to_string(),
            verdict: decided(standing, result.verdict),
            passed: judged.iter().filter(|cell| cell.verdict == Verdict::Pass).count(),
            judged: judged.len(),
            worst_margin: margins.min_by(f64::total_cmp),
        }
    });
    rows.collect()
}

#[cfg(test)]
mod tests {
    use record::{Profile, Set, Verdict, exit};

    use super::{Asked, Outcome, Row, Standing};

    fn row(version: &str, outcome: Outcome) -> Row {
        let asked = Asked {
            version: version.to_owned(),
            set: Set::Smoke,
            profile: Profile::Parity,
            changed: Vec::new(),
        };
        Row { asked, outcome }
    }

    fn ran(standing: Standing, verdict: Option<Verdict>) -> Outcome {
        Outcome::Ran {
            standing,
            verdict,
            partial: true,
            run: "run".into(),
            bundle: None,
            gates: Vec::new(),
            answers: Vec::new(),
        }
    }

    #[test]
    fn only_the_pinned_release_decides() {
        let failed = || Outcome::Failed { exit_code: exit::SETUP, why: "no wheel".to_owned() };
        for (outcome, version, code) in [
            (ran(Standing::Pinned, Some(Verdict::Pass)), "2", Some(exit::PASS)),
            (ran(Standing::Pinned, Some(Verdict::Fail)), "2", Some(exit::GATE_FAILED)),
            // Without a verdict nothing passes.
            (ran(Standing::Pinned, None), "2", Some(exit::INSUFFICIENT)),
            (ran(Standing::Reported, None), "1", None),
            (failed(), "2", Some(exit::SETUP)),
            (failed(), "1", None),
        ] {
            assert_eq!(row(version, outcome).exit_code("2"), code);
        }
    }
}
