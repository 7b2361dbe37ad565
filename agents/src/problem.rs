//! Why an agent got no answer: one error type, and the error formats of the three protocols.

use base::text::visible;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::Artifact;

/// The kinds of failure that `repomap_artifact_v1` knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// A program that is needed is not installed.
    DepsMissing,
    /// The time limit was exceeded.
    Timeout,
    /// The files cannot be listed.
    ScanFailed,
    /// No file could be parsed, or some could not.
    ParseFailed,
    /// Nothing could be ranked.
    RankingFailed,
    /// The map could not be rendered.
    RenderFailed,
    /// The answer could not be written.
    WriteFailed,
    /// A bug in this program, or a process of it that ended unexpectedly.
    InternalError,
}

impl Code {
    /// Its name in an artifact.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::DepsMissing => "deps_missing",
            Self::Timeout => "timeout",
            Self::ScanFailed => "scan_failed",
            Self::ParseFailed => "parse_failed",
            Self::RankingFailed => "ranking_failed",
            Self::RenderFailed => "render_failed",
            Self::WriteFailed => "write_failed",
            Self::InternalError => "internal_error",
        }
    }

    /// The stage that failed, if the code tells.
    const fn stage(self) -> Option<&'static str> {
        match self {
            Self::DepsMissing => Some("dependency_check"),
            Self::ScanFailed => Some("discovery"),
            Self::ParseFailed => Some("parse"),
            Self::RankingFailed => Some("ranking"),
            Self::RenderFailed => Some("render"),
            Self::WriteFailed => Some("write"),
            Self::Timeout | Self::InternalError => None,
        }
    }

    /// Whether the same request may succeed later, even if nothing in the repository has changed.
    const fn is_retryable(self) -> bool {
        matches!(self, Self::DepsMissing | Self::Timeout | Self::WriteFailed | Self::InternalError)
    }

    /// What the user can do about it.
    const fn recovery(self) -> &'static str {
        match self {
            Self::DepsMissing => "install git and try again",
            Self::Timeout => "ask again: the map is made in the background, within a minute",
            Self::ScanFailed => "check that the folder is a repository that this user may read",
            Self::ParseFailed | Self::RankingFailed | Self::RenderFailed => {
                "search the repository without a map"
            }
            Self::WriteFailed => "make the folder writable, or name another",
            Self::InternalError => "run parity map in the repository and read what it says",
        }
    }
}

/// A failure, as it is passed from the process where it happened to the client that asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Problem {
    /// The kind of failure.
    pub code: Code,
    /// What happened, in words; safe to show.
    pub message: String,
    /// Additional details.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
}

impl Problem {
    /// A problem. Characters in the message that would steer a terminal are made visible.
    pub fn new(code: Code, message: impl AsRef<str>) -> Self {
        Self { code, message: visible::lines(message.as_ref()).into_owned(), details: None }
    }

    /// Adds details to the problem.
    #[must_use]
    pub fn with(self, details: Value) -> Self {
        Self { details: Some(details), ..self }
    }

    /// The problem reported by an artifact that has no map.
    pub fn of_artifact(artifact: &Artifact) -> Self {
        let error = artifact.error.as_ref();
        let field = |name: &str| error.and_then(|error| error.get(name)).cloned();
        let code = field("code").and_then(|code| serde_json::from_value(code).ok());
        let message = field("message").and_then(|message| message.as_str().map(str::to_owned));
        Self {
            code: code.unwrap_or(Code::InternalError),
            message: message.unwrap_or_else(|| "there is no map".to_owned()),
            details: field("details"),
        }
    }

    /// The field `error` of `repomap_artifact_v1`.
    pub fn in_artifact(&self) -> Value {
        let mut error = json!({
            "code": self.code,
            "message": self.message,
            "retryable": self.code.is_retryable(),
        });
        if let Some(fields) = error.as_object_mut() {
            fields.extend(self.code.stage().map(|stage| ("failed_stage".to_owned(), stage.into())));
            fields.extend(self.details.clone().map(|details| ("details".to_owned(), details)));
        }
        error
    }

    /// The answer of a hook that has its own error format: `error`, `fallback` (the context that is
    /// given anyway, perhaps empty) and `recovery_action`.
    pub fn in_hook(&self, fallback: &str) -> Value {
        json!({
            "error": self.message,
            "fallback": fallback,
            "recovery_action": self.code.recovery(),
        })
    }

    /// The answer of a tool: `error` with `code`, `message` and `details`.
    pub fn in_tool(&self) -> Value {
        json!({"error": {
            "code": self.code.as_str().to_uppercase(),
            "message": self.message,
            "details": self.details.clone().unwrap_or_else(
                || json!({"suggestion": self.code.recovery()}),
            ),
        }})
    }

    /// The problem in one line, for a person.
    pub fn in_words(&self) -> String {
        format!("no repository map ({}): {}", self.code.as_str(), self.message)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Code, Problem};
    use crate::{Artifact, Job};

    #[test]
    fn one_problem_has_three_envelopes() {
        let problem = Problem::new(Code::DepsMissing, "git is missing\x1b[2J");
        assert_eq!(
            problem.in_artifact(),
            json!({"code": "deps_missing", "message": "git is missing\\u{1b}[2J",
                   "retryable": true, "failed_stage": "dependency_check"})
        );
        assert_eq!(
            problem.in_hook("f"),
            json!({"error": "git is missing\\u{1b}[2J", "fallback": "f",
                   "recovery_action": "install git and try again"})
        );
        let artifact = Artifact::of_failure(&Job::new("/nowhere"), &problem, None);
        assert_eq!(Problem::of_artifact(&artifact), problem);
        let tool = problem.with(json!({"program": "git"})).in_tool();
        assert_eq!(tool["error"]["code"], "DEPS_MISSING");
        assert_eq!(tool["error"]["details"], json!({"program": "git"}));
    }

    #[test]
    fn a_code_is_named_as_it_is_written() {
        for code in [
            Code::DepsMissing,
            Code::Timeout,
            Code::ScanFailed,
            Code::ParseFailed,
            Code::RankingFailed,
            Code::RenderFailed,
            Code::WriteFailed,
            Code::InternalError,
        ] {
            assert_eq!(serde_json::to_value(code).unwrap(), code.as_str());
        }
    }
}
