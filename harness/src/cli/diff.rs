//! `parity diff`: what changed between two runs or bundles.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use record::{exit, write_atomically};

use super::against::Folder;
use crate::{
    Failure, Folders,
    console::Output,
    history::{self, Diff as Compared, Side, compare, of_commits, runs},
};

/// Compare two runs or bundles: gates, cells that changed their verdict or moved, corpora that came or went,
/// wall times. Nothing is verified.
///
/// Times are compared with those of earlier runs of this checkout.
#[derive(Debug, Args)]
pub struct Diff {
    /// The older one: the folder of a run or of a bundle, an exported bundle, or a commit. Of two commits, the newest
    /// bundles of one set and profile are compared.
    before: PathBuf,
    /// The newer one.
    after: PathBuf,
    /// Exit with 10 if something no longer passes, or is no longer measured.
    #[arg(long)]
    check: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    shape: Shape,
}

/// How a comparison is shown.
#[derive(Debug, Clone, Args)]
pub struct Shape {
    /// In which form.
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,
    /// Write it into this file instead of to standard output.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Lists, each cut after its first entries.
    Text,
    /// Everything, as one JSON object.
    Json,
    /// One self-contained page.
    Html,
}

impl Diff {
    /// Compares and prints.
    pub fn run(self) -> Result<u8, Failure> {
        let [before, after] = match [self.before.exists(), self.after.exists()] {
            [false, false] => {
                let [before, after] =
                    [&self.before, &self.after].map(|name| name.to_string_lossy());
                of_commits(&Folders::find()?.artifacts(), &before, &after)?
            }
            _ => [side(&self.before)?, side(&self.after)?],
        };
        // Outside of a checkout there is no history.
        let kept =
            Folders::find().map_or_else(|_| Ok(Vec::new()), |of| runs::list(&of.artifacts()))?;
        let diff = with_history(compare(&before, &after)?, kept);
        let code = if self.check { diff.exit_code() } else { exit::PASS };
        Failure::after(self.shape.print(&diff, self.json), code)
    }
}

fn side(path: &Path) -> Result<Side, Failure> {
    let folder = Folder::of(path)?;
    Ok(Side { path: path.to_owned(), ..Side::read(folder.path())? })
}

/// Compares the times with those of the runs that a checkout keeps.
pub fn with_history(diff: Compared, kept: Vec<runs::Kept>) -> Compared {
    let sides: Vec<Side> = kept.into_iter().filter_map(|run| run.side).collect();
    let earlier = history::earlier(&sides, &diff.before, &diff.after);
    diff.with_history(&earlier)
}

impl Shape {
    /// Prints a comparison, or writes it; `json` stands for `--format json`.
    pub fn print(&self, diff: &Compared, json: bool) -> Result<(), Failure> {
        let form = if json { Form::Json } else { self.format };
        let shown = match form {
            Form::Text => diff.to_string(),
            Form::Html => diff.page(),
            Form::Json => {
                let mut document = serde_json::json!(diff);
                document["schema_version"] = 1.into();
                document["regression"] = diff.is_regression().into();
                let text = serde_json::to_string_pretty(&document);
                text.map_err(|error| Failure::internal(error.to_string()))? + "\n"
            }
        };
        if let Some(file) = &self.output {
            return write_atomically(file, shown.as_bytes())
                .map_err(|error| Failure::new(exit::IO, error.to_string()));
        }
        let mut out = Output::new().paged();
        if form == Form::Json {
            out.json_text(&shown)?;
        } else {
            out.text(&shown)?;
        }
        Ok(out.flush()?)
    }
}
