//! The comparator as shipped: each map in a process of its own, without anything that our driver does
//! to be faster (`comparators/aider/shipped.py`).

use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use super::{Comparator, RunError};

/// The time and memory that the comparator used for each case of a request.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shipped {
    /// The cases, in the order of the request.
    pub cases: Vec<ShippedCase>,
}

/// One case, once without extracted tags and once with them.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShippedCase {
    /// Its name in the request.
    pub id: String,
    /// Run without extracted tags.
    pub cold: ShippedRun,
    /// Run with the tags that the first run extracted.
    pub warm: ShippedRun,
}

/// One process.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShippedRun {
    /// Wall time of the whole process, in seconds.
    pub seconds: f64,
    /// Wall time of the map alone, in seconds.
    pub map_seconds: f64,
    /// Peak memory in bytes.
    pub max_rss_bytes: u64,
    /// The map with its prefix; absent where there is none.
    pub text: Option<String>,
}

/// Why the comparator could not be timed.
#[derive(Debug, thiserror::Error)]
pub enum ShippedError {
    /// It could not be started.
    #[error(transparent)]
    Run(#[from] RunError),
    /// It failed.
    #[error("the comparator as shipped {ending}:\n{talk}")]
    Failed {
        /// How it ended.
        ending: String,
        /// The end of its standard error.
        talk: String,
    },
    /// It printed something else.
    #[error("what comparators/aider/shipped.py printed is unreadable: {0}")]
    Unreadable(#[from] serde_json::Error),
}

impl Comparator<'_> {
    /// Runs the comparator as shipped on a repository. The request has the driver's format; nothing is
    /// written into the repository.
    ///
    /// # Errors
    /// The comparator fails, or its output is not valid.
    pub fn shipped(&self, repo: &Path, request: &Value) -> Result<Shipped, ShippedError> {
        let mut request = request.clone();
        request["repo"] = repo.to_string_lossy().into();
        let template = &self.spec.definition.run.shipped;
        let stdin = request.to_string().into_bytes();
        let capture = self.start_inside(template, stdin, repo, &mut |_| ())?;
        if !capture.succeeded() {
            let (ending, talk) = (capture.ending(), capture.stderr_tail(5));
            return Err(ShippedError::Failed { ending, talk });
        }
        Ok(serde_json::from_slice(&capture.stdout.bytes)?)
    }
}
