//! The report as data: the content of `report.json`, which every renderer reads.

use std::{collections::BTreeMap, fmt::Write as _};

use record::{Cell, GateName, SUMMARY_BUDGETS, Verdict};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use verdict::gate::PlotSpec;

use super::figure;

/// Version of this format; a reader refuses others.
pub const SCHEMA_VERSION: u32 = 2;
/// Name of the [`RunReport::environment`] entries that tell which corpus is missing, and why.
pub const SKIPPED_CORPUS: &str = "skipped corpus";

/// Everything that is reported of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunReport {
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Name of the run, such as `smoke`.
    pub title: String,
    /// Its set of corpora.
    pub set: String,
    /// The verdict of the run.
    pub verdict: Verdict,
    /// Which part of the set was run, in words; absent for the whole set. The verdict on a part is not
    /// a verdict on the set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// Commit of the comparator that was measured against, in hexadecimal.
    pub comparator_commit: String,
    /// The execution profile, name to value.
    pub profile: BTreeMap<String, String>,
    /// The profile object with the whole comparator tuple and the digest of the corpora, as in
    /// `profile.json`; absent in reports of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_profile: Option<Value>,
    /// The machine and its programs, in the order to print.
    pub environment: Vec<Entry>,
    /// The files that the run rests on, with their digests, in the order to print.
    pub digests: Vec<Entry>,
    /// How to repeat and verify the run.
    pub commands: Commands,
    /// The gates in the order to print.
    pub gates: Vec<GateSummary>,
    /// The deviations that applied.
    pub deviations: Vec<Deviation>,
}

/// One named value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// What it is.
    pub name: String,
    /// What it says.
    pub value: String,
}

/// Command lines, exactly as one would type them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Commands {
    /// Repeats the run, with the flags that made it partial.
    pub run: String,
    /// Runs the whole set; the options that select a gate or a cell are appended to it.
    pub whole: String,
    /// Verifies its bundle; absent for a partial run, which has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verify: Option<String>,
}

/// One gate with its cells.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GateSummary {
    /// The gate.
    pub gate: GateName,
    /// What the gate checks, in a few words.
    pub title: String,
    /// Its verdict.
    pub verdict: Verdict,
    /// Its measurements in the order to print.
    pub cells: Vec<Cell>,
    /// The plots of the gate. An empty list asks for one strip plot per metric.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub plots: Vec<PlotSpec>,
}

/// A deviation as the protocol declares it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deviation {
    /// Its identifier.
    pub id: String,
    /// What differs.
    pub what: String,
    /// Why it differs.
    pub why: String,
    /// What shows it.
    pub evidence: String,
    /// When the deviation ends.
    pub expiry: String,
}

impl GateSummary {
    /// Number of cells that pass.
    pub fn passed(&self) -> usize {
        let judged = self.cells.iter().filter(|cell| cell.threshold.is_some());
        judged.filter(|cell| cell.verdict == Verdict::Pass).count()
    }

    /// Number of cells without a bound, which are only reported.
    pub fn reported(&self) -> usize {
        self.cells.len() - self.judged()
    }

    /// Number of cells that are compared with a bound.
    pub fn judged(&self) -> usize {
        self.cells.iter().filter(|cell| cell.threshold.is_some()).count()
    }

    /// The cells with a warning, whatever their verdict.
    pub fn warned(&self) -> impl Iterator<Item = &Cell> {
        self.cells.iter().filter(|cell| !cell.warning.is_empty())
    }

    /// The cells that do not pass, failures first, otherwise in their order.
    pub fn not_passing(&self) -> Vec<&Cell> {
        let (failed, other): (Vec<&Cell>, Vec<&Cell>) = self
            .cells
            .iter()
            .filter(|cell| cell.verdict != Verdict::Pass)
            .partition(|cell| cell.verdict == Verdict::Fail);
        failed.into_iter().chain(other).collect()
    }
}

impl RunReport {
    /// The verdict to show: the worst of the run's and its gates' verdicts, so that no rendering can
    /// show a pass above a gate that does not pass. A run without gates counts as not run.
    pub fn shown_verdict(&self) -> Verdict {
        let gates = Verdict::worst(self.gates.iter().map(|gate| gate.verdict));
        Verdict::worst([self.verdict, gates])
    }

    /// The verdict in words. A pass of a part of a set is not a pass of the set.
    pub fn words(&self) -> &'static str {
        match self.shown_verdict() {
            Verdict::Pass if self.part.is_some() => "partial",
            verdict => figure::words(verdict),
        }
    }

    /// The gates that do not pass, failures first, otherwise in their order.
    pub fn failing(&self) -> Vec<&GateSummary> {
        let (failed, other): (Vec<&GateSummary>, Vec<&GateSummary>) = self
            .gates
            .iter()
            .filter(|gate| gate.verdict != Verdict::Pass)
            .partition(|gate| gate.verdict == Verdict::Fail);
        failed.into_iter().chain(other).collect()
    }

    /// The counts of the run in one line: gates and cells that pass, of all.
    pub fn headline(&self) -> String {
        let gates = self.gates.iter().filter(|gate| gate.verdict == Verdict::Pass).count();
        let cells: usize = self.gates.iter().map(GateSummary::judged).sum();
        let passed: usize = self.gates.iter().map(GateSummary::passed).sum();
        let reported: usize = self.gates.iter().map(GateSummary::reported).sum();
        let mut line = format!(
            "{gates} of {} gates passed · {} of {} judged cells passed",
            self.gates.len(),
            figure::count(passed as u64),
            figure::count(cells as u64)
        );
        if reported > 0 {
            let _ = write!(line, " · {} only reported", figure::count(reported as u64));
        }
        line
    }

    /// The command that measures one cell again.
    pub fn rerun(&self, cell: &Cell) -> String {
        let gate = cell.gate;
        let mut command = format!("{} --gate {gate}", self.commands.whole);
        // A cell over the whole run needs every corpus.
        if !matches!(cell.corpus.as_str(), "" | "*") {
            let corpus = regex::escape(&cell.corpus);
            let _ = write!(command, " --corpus {}", super::escape::shell(&format!("^{corpus}$")));
        }
        // The budgets of summaries are fixed; only those of maps can be chosen.
        if let Some(budget) = cell.budget.filter(|one| !SUMMARY_BUDGETS.contains(one)) {
            let _ = write!(command, " --budget {budget}");
        }
        if cell.metric.starts_with("raw_") && !self.commands.whole.contains(" --raw") {
            command.push_str(" --raw all");
        }
        command
    }
}
