//! `parity runs`: the runs that this checkout keeps.

use std::fs;

use clap::{Args, Subcommand};
use record::exit;

use super::diff;
use crate::{
    Failure, Folders,
    console::Output,
    history::{
        Side, compare,
        runs::{Kept, last_two, list, named, superseded},
    },
};

/// List, show, compare and remove the runs of this checkout.
#[derive(Debug, Args)]
pub struct Runs {
    #[command(subcommand)]
    command: Command,
    /// Print one JSON object.
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List them, oldest first.
    List,
    /// Show the verdicts of a run, gate by gate.
    Show {
        /// The name of the run, or its beginning.
        run: String,
    },
    /// Compare two runs [default: the last two of the same set and profile].
    Diff {
        /// The older one.
        #[arg(requires = "after")]
        before: Option<String>,
        /// The newer one.
        after: Option<String>,
        /// Exit with 10 if something no longer passes, or is no longer measured.
        #[arg(long)]
        check: bool,
        #[command(flatten)]
        shape: diff::Shape,
    },
    /// List complete runs that are older than the newest ones of their set and profile, and remove them on
    /// request. Bundles and interrupted runs always stay.
    Gc {
        /// How many complete runs to keep for each set and profile.
        #[arg(long, value_name = "N", default_value_t = 3)]
        keep: usize,
        /// Remove them.
        #[arg(long)]
        remove: bool,
    },
}

impl Runs {
    /// Runs the command.
    pub fn run(self) -> Result<u8, Failure> {
        let artifacts = Folders::find()?.artifacts();
        let kept = list(&artifacts)?;
        let mut out = Output::new().paged();
        match &self.command {
            Command::List => {
                if self.json {
                    out.pretty_json(&serde_json::json!({"schema_version": 1, "runs": kept}))?;
                } else {
                    for run in &kept {
                        writeln!(out, "{}", line(run))?;
                    }
                    if kept.is_empty() {
                        writeln!(out, "no runs in {}", artifacts.join("runs").display())?;
                    }
                }
            }
            Command::Show { run } => self.show(&mut out, named(&kept, run)?)?,
            Command::Diff { before, after, check, shape } => {
                let [one, other] = match (before, after) {
                    (Some(before), Some(after)) => [named(&kept, before)?, named(&kept, after)?],
                    _ => last_two(&kept).ok_or_else(|| {
                        let why = "there are no two complete runs of one set and profile";
                        Failure::new(exit::NOTHING_RAN, why.to_owned())
                    })?,
                };
                let diff = compare(&Side::read(&one.path)?, &Side::read(&other.path)?)?;
                let diff = diff::with_history(diff, kept.clone());
                let code = if *check { diff.exit_code() } else { exit::PASS };
                return Failure::after(shape.print(&diff, self.json), code);
            }
            Command::Gc { keep, remove } => {
                let gone = superseded(&kept, *keep);
                if self.json {
                    let names: Vec<&str> = gone.iter().map(|run| &*run.name).collect();
                    out.pretty_json(&serde_json::json!({
                        "schema_version": 1, "superseded": names, "removed": remove,
                    }))?;
                }
                for run in &gone {
                    if *remove {
                        fs::remove_dir_all(&run.path).map_err(|error| {
                            Failure::new(exit::IO, format!("{}: {error}", run.path.display()))
                        })?;
                    }
                    if !self.json {
                        let what = if *remove { "removed" } else { "can go:" };
                        writeln!(out, "{what} {}", run.name)?;
                    }
                }
                if !self.json && !remove && !gone.is_empty() {
                    writeln!(out, "nothing was removed; --remove does that")?;
                }
            }
        }
        out.flush()?;
        Ok(exit::PASS)
    }

    fn show(&self, out: &mut Output, run: &Kept) -> Result<(), Failure> {
        if self.json {
            out.pretty_json(&serde_json::json!({
                "schema_version": 1,
                "run": run,
                "gates": run.side.as_ref().map(|side| &side.gates),
                "corpora": run.side.as_ref().map(|side| &side.corpora),
            }))?;
            return Ok(());
        }
        writeln!(out, "{}", line(run))?;
        if let Some(side) = &run.side {
            writeln!(out, "source commit {}, engine {}", side.source_commit, side.engine_sha256)?;
            let names: Vec<&str> = side.corpora.keys().map(String::as_str).collect();
            out.text(&format!("{} corpora: {}\n", names.len(), names.join(" ")))?;
            let rows = side.cells.rows()?;
            for (gate, verdict) in &side.gates {
                let judged = rows.iter().filter(|row| row.gate == gate && row.threshold.is_some());
                let judged = judged.count();
                out.text(&format!("{gate:10}  {verdict:12}  {judged} judged cells\n"))?;
            }
        }
        writeln!(out, "page: {}", run.path.join("report.html").display())?;
        Ok(())
    }
}

/// A run, described on one line.
fn line(run: &Kept) -> String {
    let said = run.side.as_ref().map_or_else(
        || "–".to_owned(),
        |side| {
            let part = if side.partial { ", partial" } else { "" };
            format!("{} set, {} profile{part}", side.set, side.profile)
        },
    );
    format!("{}  {:28}  {:11}  {:10}  {said}", run.written_at, run.name, run.state, run.verdict())
}
