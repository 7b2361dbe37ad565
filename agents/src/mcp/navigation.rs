//! The tool `treesitter`: definitions, references, hover and the structure of a file.

use std::{
    path::Path,
    process::{Command, Stdio},
};

use index::nav::{
    Text,
    answer::{Definitions, Hover, Parsed, References},
};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{
    MOST_UNITS, Setup,
    arguments::Arguments,
    tools::{Answer, Refusal, told},
};
use crate::{Code, Measure, Problem, fenced, files::work_tree, masked};

/// The fields of an answer, or of its entries, that hold text copied from a file.
const COPIED: [&str; 4] = ["preview", "signature", "documentation", "message"];
/// The fields that hold entries.
const ENTRIES: [&str; 3] = ["definitions", "references", "errors"];

/// A question about the symbols of the root.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Question {
    operation: String,
    file: String,
    line: Option<u32>,
    column: Option<u32>,
    symbol: String,
    scope: String,
    cursor: String,
}

impl Question {
    /// Reads the arguments of a call.
    ///
    /// # Errors
    /// They do not fit the tool's input schema.
    pub fn of(mut arguments: Arguments) -> Result<Self, String> {
        let question = Self {
            operation: arguments.text("operation")?,
            file: arguments.text("file_path")?,
            line: arguments.number("line", 1, u32::MAX)?,
            column: arguments.number("column", 1, u32::MAX)?,
            symbol: arguments.text("symbol")?,
            scope: arguments.text("scope")?,
            cursor: arguments.text("cursor")?,
        };
        arguments.end()?;
        question.check()?;
        Ok(question)
    }

    fn check(&self) -> Result<(), &'static str> {
        let at = (self.line.is_some(), self.column.is_some());
        match self.operation.as_str() {
            "parse" if self.file.is_empty() => Err("file_path is missing"),
            "parse" => Ok(()),
            "definition" | "references" | "hover" => match at {
                _ if !matches!(self.scope.as_str(), "" | "file" | "directory" | "project") => {
                    Err("scope must be file, directory or project")
                }
                (true, true) if self.file.is_empty() => Err("file_path is missing"),
                (true, true) if self.symbol.is_empty() => Ok(()),
                (false, false) if !self.symbol.is_empty() => Ok(()),
                _ => Err("either line and column or symbol must be given"),
            },
            _ => Err("operation must be definition, references, hover or parse"),
        }
    }

    /// The arguments of `parity` for the same question.
    fn command_line(&self, without_files: Option<&str>) -> Vec<String> {
        let mut words = vec!["nav".to_owned(), self.operation.clone(), "--json".to_owned()];
        words.extend(without_files.map(str::to_owned));
        let flags = [
            ("line", self.line.map(|line| line.to_string()).unwrap_or_default()),
            ("column", self.column.map(|column| column.to_string()).unwrap_or_default()),
            ("symbol", self.symbol.clone()),
            ("scope", self.scope.clone()),
            ("cursor", self.cursor.clone()),
        ];
        // For the structure of a file there is no place, name or scope.
        let is_parse = self.operation == "parse";
        let given = flags.into_iter().filter(|(_, value)| !value.is_empty() && !is_parse);
        words.extend(given.map(|(name, value)| format!("--{name}={value}")));
        if !self.file.is_empty() {
            words.extend(["--".to_owned(), self.file.clone()]);
        }
        words
    }
}

/// Answers a question about the current files. A process of its own queries the index, so that a
/// crashing parser ends nothing else.
///
/// # Errors
/// There is no answer. Errors of navigation have the codes of the tool's specification.
pub fn answer(
    setup: &Setup,
    question: &Question,
    is_wanted: &dyn Fn() -> bool,
) -> Result<Answer, Refusal> {
    let root = work_tree(&setup.root)
        .map_err(|error| Refusal::Problem(Problem::new(Code::ScanFailed, error.to_string())))?;
    let mut command = Command::new(&setup.program);
    // A relative path is relative to the root.
    command
        .current_dir(&root)
        .args(question.command_line(setup.without_files))
        .stdin(Stdio::null());
    if let Some(cache) = &setup.cache {
        command.env("REPO_MAP_CACHE_DIR", cache);
    }
    let mut found = told(&mut command, "navigates", is_wanted)?;
    if found.get("error").is_some() {
        return Err(Refusal::Told(found));
    }
    mask(&mut found);
    let text = match question.operation.as_str() {
        "definition" => shown::<Definitions>(&found, &root),
        "references" => shown::<References>(&found, &root),
        "hover" => shown::<Hover>(&found, &root),
        _ => shown::<Parsed>(&found, &root),
    };
    let text = text.map_err(|error| Refusal::Problem(Problem::new(Code::InternalError, error)))?;
    let about = found["symbol"].as_str().unwrap_or(&question.file);
    let about = base::text::visible::visible(about);
    let head = format!("{} of {about}.", capital(&question.operation));
    Ok(Answer {
        text: fenced("navigation", &head, &text, MOST_UNITS, Measure::Units),
        structured: found,
    })
}

fn shown<T: Text + DeserializeOwned>(found: &Value, root: &Path) -> Result<String, String> {
    let answer: T = serde_json::from_value(found.clone()).map_err(|error| error.to_string())?;
    Ok(answer.text(root))
}

fn capital(word: &str) -> String {
    let mut characters = word.chars();
    characters
        .next()
        .map_or(String::new(), |first| first.to_uppercase().chain(characters).collect())
}

/// Masks the secrets in text that was copied from files.
fn mask(answer: &mut Value) {
    mask_fields(answer);
    for name in ENTRIES {
        let entries = answer.get_mut(name).and_then(Value::as_array_mut);
        entries.into_iter().flatten().for_each(mask_fields);
    }
    let errors = answer.pointer_mut("/warning/details/errors").and_then(Value::as_array_mut);
    errors.into_iter().flatten().for_each(mask_fields);
}

fn mask_fields(entry: &mut Value) {
    for name in COPIED {
        if let Some(Value::String(text)) = entry.get_mut(name) {
            *text = masked(text).into_owned();
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Question, mask};
    use crate::mcp::arguments::Arguments;

    fn question(arguments: Value) -> Result<Question, String> {
        Question::of(Arguments::of(Some(arguments)).unwrap())
    }

    #[test]
    fn a_question_is_a_place_or_a_name() {
        for good in [
            json!({"operation": "definition", "file_path": "a", "line": 1, "column": 1}),
            json!({"operation": "references", "symbol": "x"}),
            json!({"operation": "hover", "file_path": "a", "symbol": "x", "scope": "file"}),
            json!({"operation": "parse", "file_path": "a"}),
        ] {
            assert!(question(good.clone()).is_ok(), "{good}");
        }
        for bad in [
            json!({}),
            json!({"operation": "rename", "file_path": "a"}),
            json!({"operation": "parse"}),
            json!({"operation": "definition", "file_path": "a"}),
            json!({"operation": "definition", "file_path": "a", "line": 1}),
            json!({"operation": "definition", "line": 1, "column": 1}),
            json!({"operation": "definition", "file_path": "a", "line": 0, "column": 1}),
            json!({"operation": "hover", "file_path": "a", "line": 1, "column": 1, "symbol": "x"}),
            json!({"operation": "hover", "symbol": "x", "scope": "world"}),
            json!({"operation": "hover", "symbol": "x", "limit": 3}),
        ] {
            assert!(question(bad.clone()).is_err(), "{bad}");
        }
    }

    #[test]
    fn no_argument_becomes_a_flag() {
        let hostile = json!({"operation": "definition", "symbol": "--help", "file_path": "--root"});
        let words = question(hostile).unwrap().command_line(None);
        assert_eq!(words, ["nav", "definition", "--json", "--symbol=--help", "--", "--root"]);
    }

    #[test]
    fn secrets_are_masked_wherever_text_was_copied() {
        let secret = "password = \"hunter2-hunter2\"";
        let mut answer = json!({
            "symbol": "password", "signature": secret, "documentation": secret,
            "definitions": [{"preview": secret}],
            "warning": {"details": {"errors": [{"message": secret}]}},
        });
        mask(&mut answer);
        assert!(!answer.to_string().contains("hunter2"), "{answer}");
        assert_eq!(answer["symbol"], "password");
    }
}
