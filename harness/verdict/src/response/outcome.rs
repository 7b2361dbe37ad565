//! Classifies what a comparator did: a usable answer, or exactly one kind of failure.

use record::{Capture, Stop};
use serde::{Deserialize, Serialize};

use super::{Response, ResponseError};

/// Why a comparator's run gives no answer. None of these can become a pass.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Failure {
    /// It ran past its deadline and was stopped.
    #[error("timeout: {detail}")]
    Timeout {
        /// How it ended.
        detail: String,
    },
    /// The user interrupted the run.
    #[error("interrupted: {detail}")]
    Interrupted {
        /// How it ended.
        detail: String,
    },
    /// It wrote more than it may.
    #[error("flooded: {detail}")]
    Flooded {
        /// How much it wrote.
        detail: String,
    },
    /// A signal or a bad exit code ended it without a readable error.
    #[error("crashed: {detail}")]
    Crashed {
        /// How it ended, with the end of its standard error.
        detail: String,
    },
    /// It ended well but answered nothing.
    #[error("empty: {detail}")]
    Empty {
        /// The end of its standard error.
        detail: String,
    },
    /// Its answer is not one complete JSON object of the agreed form.
    #[error("garbage: {detail}")]
    Garbage {
        /// What is wrong with the answer.
        detail: String,
    },
    /// It reported a failure of its own.
    #[error("comparator_error: {detail}")]
    ComparatorError {
        /// What it reported.
        detail: String,
    },
}

impl Failure {
    /// The failure's name in reports: `timeout`, `crashed`, `flooded`, …
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Timeout { .. } => "timeout",
            Self::Interrupted { .. } => "interrupted",
            Self::Flooded { .. } => "flooded",
            Self::Crashed { .. } => "crashed",
            Self::Empty { .. } => "empty",
            Self::Garbage { .. } => "garbage",
            Self::ComparatorError { .. } => "comparator_error",
        }
    }
}

/// Turns a finished child into its answer or into the one failure that describes it best.
///
/// How the child ended is judged before its answer: an answer that looks complete is not used if the child
/// was stopped or crashed.
pub fn classify(capture: &Capture) -> Result<Response, Failure> {
    let detail = || with_stderr(capture.ending(), capture);
    let code = ended(capture)?;
    match Response::parse(&capture.stdout.bytes) {
        Err(error @ (ResponseError::Failed { .. } | ResponseError::Network(_))) => {
            Err(Failure::ComparatorError { detail: error.to_string() })
        }
        // The driver ends with 1 exactly when its answer carries an error.
        Ok(response) if code == 0 || (code == 1 && response.has_failed_cases()) => Ok(response),
        Err(error) if code == 0 => Err(Failure::Garbage { detail: error.to_string() }),
        Ok(_) | Err(_) => Err(Failure::Crashed { detail: detail() }),
    }
}

/// The same for a child that answered one request after another, an answer a line.
///
/// # Errors
/// The child itself failed, so that none of its answers is used. A request on which the comparator failed is an error
/// in the list, in its place.
pub fn classify_each(capture: &Capture) -> Result<Vec<Result<Response, Failure>>, Failure> {
    if ended(capture)? != 0 {
        return Err(Failure::Crashed { detail: with_stderr(capture.ending(), capture) });
    }
    let lines = capture.stdout.bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let answer = |line: &[u8]| match Response::parse(line) {
        Ok(response) => Ok(response),
        Err(error @ (ResponseError::Failed { .. } | ResponseError::Network(_))) => {
            Err(Failure::ComparatorError { detail: error.to_string() })
        }
        Err(error) => Err(Failure::Garbage { detail: error.to_string() }),
    };
    Ok(lines.map(answer).collect())
}

/// The exit code of a child that ended by itself and printed something.
fn ended(capture: &Capture) -> Result<i32, Failure> {
    let detail = || with_stderr(capture.ending(), capture);
    match capture.stopped {
        Some(Stop::Deadline) => return Err(Failure::Timeout { detail: detail() }),
        Some(Stop::Interrupt) => return Err(Failure::Interrupted { detail: detail() }),
        Some(Stop::Flood) => return Err(flooded(capture)),
        None => {}
    }
    // The child may have ended before the flood was noticed.
    if capture.stdout.truncated || capture.stderr.truncated {
        return Err(flooded(capture));
    }
    let Some(code) = capture.exit_code else { return Err(Failure::Crashed { detail: detail() }) };
    let blank = capture.stdout.bytes.iter().all(u8::is_ascii_whitespace);
    if blank && code == 0 {
        let detail = with_stderr("exit code 0 and no answer".to_owned(), capture);
        return Err(Failure::Empty { detail });
    }
    Ok(code)
}

fn flooded(capture: &Capture) -> Failure {
    let detail = format!(
        "it wrote {} bytes to standard output and {} to standard error; the limit is exceeded",
        capture.stdout.total, capture.stderr.total
    );
    Failure::Flooded { detail }
}

fn with_stderr(ending: String, capture: &Capture) -> String {
    let tail = capture.stderr_tail(3);
    if tail.is_empty() { ending } else { format!("{ending}; it said: {tail}") }
}
