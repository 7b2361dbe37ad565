//! `parity protocol diff`: compares two versions of the protocol.

use clap::Args;
use record::{exit, protocol::NAME};

use crate::{
    Failure, Folders,
    console::Output,
    protocol::{Diff as Compared, Version, before},
};

/// Say in words and numbers what changed from one version to another: files, values, labels, corpora and
/// what sign-offs consist of. An older version is read from git, as the last commit before the next one had it.
#[derive(Debug, Args)]
pub struct Diff {
    /// The older version, such as v1 [default: the one before].
    before: Option<String>,
    /// The newer one [default: the one in force].
    after: Option<String>,
    /// Read the older version from this revision of git.
    #[arg(long, value_name = "REV")]
    at: Option<String>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

impl Diff {
    /// Compares and prints.
    pub fn run(self) -> Result<u8, Failure> {
        let root = Folders::find()?.root;
        let after = self.after.unwrap_or_else(|| NAME.to_owned());
        let name = match self.before {
            Some(name) => name,
            None => before(&after)?,
        };
        let older = match &self.at {
            Some(revision) => Version::at(&root, &name, revision)?,
            None => Version::find(&root, &name)?,
        };
        let diff = Compared::of(&older, &Version::find(&root, &after)?)?;
        let mut out = Output::new();
        if self.json {
            let mut document = serde_json::json!(diff);
            document["schema_version"] = 1.into();
            out.pretty_json(&document)?;
        } else {
            out.text(&diff.to_string())?;
        }
        out.flush()?;
        Ok(exit::PASS)
    }
}
