//! The tool `codebase_search`: code by words, or symbols by their names.

use std::{
    path::PathBuf,
    process::{Command, Stdio},
};

use search::Found;
use semantic::{Shown, lookup::SymbolQuery};
use serde::Deserialize as _;
use serde_json::{Value, json};

use super::{
    MOST_UNITS, Setup,
    arguments::Arguments,
    tools::{Answer, Refusal, told, within},
};
use crate::{Code, Measure, Problem, fenced, masked, worker::as_file};

/// Most tokens of an answer. A token has about four characters, and the fence must fit as well.
const TOKENS: usize = 8_000;

/// A question for code.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Question {
    query: String,
    paths: Vec<String>,
    languages: Vec<String>,
}

impl Question {
    /// Reads the arguments of a call.
    ///
    /// # Errors
    /// They do not fit the tool's input schema.
    pub fn of(mut arguments: Arguments) -> Result<Self, String> {
        let question = Self {
            query: arguments.text("query")?,
            paths: arguments.texts("path")?,
            languages: arguments.texts("languages")?,
        };
        arguments.end()?;
        if question.query.trim().is_empty() {
            return Err("query is missing: words, or symbol = Parent > Name".to_owned());
        }
        Ok(question)
    }

    /// Whether it asks for a symbol by its name.
    fn is_for_symbol(&self) -> bool {
        SymbolQuery::after_prefix(&self.query).is_some()
    }
}

/// Answers a question about the current files, in a process of its own.
///
/// # Errors
/// There is no answer.
pub fn answer(
    setup: &Setup,
    question: &Question,
    is_wanted: &dyn Fn() -> bool,
) -> Result<Answer, Refusal> {
    let (root, _) = within(&setup.root, ".")?;
    let mut paths: Vec<PathBuf> = Vec::new();
    for path in &question.paths {
        paths.push(within(&setup.root, path)?.1);
    }
    let mut command = Command::new(&setup.program);
    command.current_dir(&root).stdin(Stdio::null());
    if question.is_for_symbol() {
        let tokens = format!("--tokens={TOKENS}");
        command.args(["symbol", "--json", tokens.as_str()]).args(setup.without_files);
        command.arg("--").arg(&question.query).args(&paths);
    } else {
        let below: Vec<_> = paths.iter().map(|path| path.to_string_lossy()).collect();
        let asked = json!({
            "query": question.query,
            "paths": below,
            "languages": question.languages,
            "tokens": TOKENS,
        });
        let asked = as_file(&asked)
            .map_err(|error| Problem::new(Code::InternalError, error.to_string()))?;
        command.args(["search", "--requests", "/dev/stdin"]).args(setup.without_files);
        command.stdin(Stdio::from(asked));
    }
    if let Some(cache) = &setup.cache {
        command.env("REPO_MAP_CACHE_DIR", cache);
    }
    let found = told(&mut command, "searches", is_wanted)?;
    shown(question, &found)
}

/// What a process found, as an answer.
fn shown(question: &Question, found: &Value) -> Result<Answer, Refusal> {
    if let Some(error) = found.get("error") {
        // A search says in words what is wrong with a question, a look-up with a message beside it.
        let why = found["message"].as_str().or(error.as_str()).unwrap_or_default();
        let envelope =
            json!({"error": {"code": "NOT_FOUND", "message": masked(why), "details": error}});
        return Err(Refusal::Told(envelope));
    }
    let text = if question.is_for_symbol() { symbol_text(found) } else { search_text(found) };
    let text = text.map_err(|error| Problem::new(Code::InternalError, error.to_string()))?;
    let head = format!("What was found for {}.", base::text::visible::visible(&question.query));
    Ok(Answer {
        text: fenced("search", &head, &text, MOST_UNITS, Measure::Units),
        structured: json!({"query": question.query, "results": found["results"], "text": masked(&text)}),
    })
}

fn symbol_text(found: &Value) -> serde_json::Result<String> {
    let shown = Shown::deserialize(found)?;
    let left_out =
        shown.left_out.iter().map(|file| format!("\nThe source of {file} does not fit.\n"));
    Ok(shown.text() + &left_out.collect::<String>())
}

fn search_text(found: &Value) -> serde_json::Result<String> {
    let results = Vec::<Found>::deserialize(&found["results"])?;
    if results.is_empty() {
        return Ok("Nothing was found.\n".to_owned());
    }
    let mut text: String = results.iter().map(Found::text).collect();
    let passed = found["passed"].as_u64().unwrap_or_default();
    let left = passed.saturating_sub(results.len() as u64);
    if left > 0 {
        text.push_str(&format!("{left} more results do not fit.\n"));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Question;
    use crate::mcp::arguments::Arguments;

    fn question(arguments: Value) -> Result<Question, String> {
        Question::of(Arguments::of(Some(arguments)).unwrap())
    }

    #[test]
    fn a_question_is_for_words_or_for_a_symbol() {
        let is_for_symbol =
            |query: &str| question(json!({"query": query})).unwrap().is_for_symbol();
        assert!(is_for_symbol("symbol = Purse > pay") && is_for_symbol("symbol=pay"));
        assert!(!is_for_symbol("symbols of a file") && !is_for_symbol("what is a symbol = sign"));
        let asked =
            question(json!({"query": "pay", "path": ["src"], "languages": ["rust"]})).unwrap();
        assert_eq!(
            (asked.paths.as_slice(), asked.languages.as_slice()),
            (&["src".to_owned()][..], &["rust".to_owned()][..])
        );
        for wrong in [json!({}), json!({"query": " "}), json!({"query": "a", "file": "b"})] {
            assert!(question(wrong).is_err());
        }
    }
}
