//! Why navigation has no answer, with the error codes of the tool's specification.

use base::text::visible::visible;
use serde_json::{Value, json};

/// Why there is no answer. [`NavError::json`] writes it in the specification's envelope.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NavError {
    /// `TS_UNSUPPORTED_LANGUAGE`: no grammar parses the file.
    #[error("no tree-sitter parser is available for {} files", visible(extension))]
    UnsupportedLanguage {
        /// Absolute path.
        file_path: String,
        /// Its extension with the dot, or its name if it has none.
        extension: String,
        /// The extensions that can be parsed, sorted.
        supported_extensions: Vec<&'static str>,
    },
    /// `TS_PARSE_TIMEOUT`: parsing took too long, or the file is too large to be parsed.
    #[error("parsing timed out after {timeout_ms} ms")]
    ParseTimeout {
        /// Absolute path.
        file_path: String,
        /// Size of the file, in bytes.
        file_size_bytes: u64,
        /// The time limit, in milliseconds.
        timeout_ms: u64,
    },
    /// `TS_FILE_TOO_LARGE`: the file is larger than `max_file_size`.
    #[error("the file is larger than the {max_file_size} bytes that are parsed")]
    TooLarge {
        /// Absolute path.
        file_path: String,
        /// Size of the file, in bytes.
        file_size_bytes: u64,
        /// Size of the largest file that is parsed, in bytes.
        max_file_size: u64,
    },
    /// `TS_SYMBOL_NOT_FOUND`: there is no identifier at the place, or no symbol with the name.
    #[error("no identifier found at position")]
    SymbolNotFound {
        /// Absolute path; empty for a question by name.
        file_path: String,
        /// Line, from 1; 0 for a question by name.
        line: u32,
        /// Column in code points, from 1; 0 for a question by name.
        column: u32,
        /// The grammar's name of the node at the place.
        node_type: String,
    },
    /// `TS_FILE_NOT_FOUND`: the file does not exist, lies outside the root or cannot be read.
    #[error("{} cannot be read: {why}", visible(file_path))]
    Unreadable {
        /// The path as it was given.
        file_path: String,
        /// The reason, in words.
        why: String,
    },
    /// `TS_INVALID_REQUEST`: the parts of the question contradict each other.
    #[error("{0}")]
    Invalid(String),
    /// `TS_INDEX`: the root cannot be listed.
    #[error("{0}")]
    Root(String),
}

impl NavError {
    /// The code of the error.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::UnsupportedLanguage { .. } => "TS_UNSUPPORTED_LANGUAGE",
            Self::ParseTimeout { .. } => "TS_PARSE_TIMEOUT",
            Self::TooLarge { .. } => "TS_FILE_TOO_LARGE",
            Self::SymbolNotFound { .. } => "TS_SYMBOL_NOT_FOUND",
            Self::Unreadable { .. } => "TS_FILE_NOT_FOUND",
            Self::Invalid(_) => "TS_INVALID_REQUEST",
            Self::Root(_) => "TS_INDEX",
        }
    }

    /// The error as `{"error": {"code", "message", "details"}}`.
    pub fn json(&self) -> Value {
        json!({"error": {
            "code": self.code(),
            "message": self.to_string(),
            "details": self.details(),
        }})
    }

    fn details(&self) -> Value {
        match self {
            Self::UnsupportedLanguage { file_path, extension, supported_extensions } => json!({
                "file_path": file_path,
                "extension": extension,
                "supported_extensions": supported_extensions,
            }),
            Self::ParseTimeout { file_path, file_size_bytes, timeout_ms } => json!({
                "file_path": file_path,
                "file_size_bytes": file_size_bytes,
                "timeout_ms": timeout_ms,
                "suggestion": "the file may be too large or too deep to parse; search it as text",
            }),
            Self::TooLarge { file_path, file_size_bytes, max_file_size } => json!({
                "file_path": file_path,
                "file_size_bytes": file_size_bytes,
                "max_file_size": max_file_size,
                "suggestion": "search the file as text, or raise max_file_size",
            }),
            Self::SymbolNotFound { file_path, line, column, node_type } => json!({
                "file_path": file_path,
                "line": line,
                "column": column,
                "node_type": node_type,
                "suggestion": "the position may be on white space, a keyword or a literal; \
                               ask by the symbol's name instead",
            }),
            Self::Unreadable { file_path, why } => {
                json!({"file_path": file_path, "reason": why})
            }
            Self::Invalid(why) | Self::Root(why) => json!({"reason": why}),
        }
    }
}
