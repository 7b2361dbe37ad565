//! `parity nav batch`: many questions for one process, one JSON object a line.

use std::{
    io::{BufRead, BufReader},
    path::PathBuf,
};

use base::profile::Profile;
use index::nav::{DEFAULT_LIMIT, NavError, Navigator, Query, Scope, Target};
use record::exit;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Limits, open, scope};
use crate::{
    Failure,
    cli::requests,
    console::{Output, talk},
};

/// A question on a line: about a place in a file, or about a name.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    operation: Operation,
    file: Option<PathBuf>,
    line: Option<u32>,
    column: Option<u32>,
    symbol: Option<String>,
    scope: Option<Scope>,
    limit: Option<usize>,
    cursor: Option<String>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Operation {
    Definition,
    References,
    Hover,
    Parse,
}

/// Answers every line of a file, or of standard input for `-`. Nothing is printed before all are answered: if a parser
/// crashes, the program starts again and begins with the first question. A line that is no question gets an error as its answer;
/// then the exit code is that of a wrong command line.
pub(super) fn run(file: &std::path::Path, limits: &Limits) -> Result<u8, Failure> {
    let config = limits.load()?;
    let lines = BufReader::new(requests::open(file)?).lines();
    let default = scope(&config);
    let mut out = Output::of(Profile::Enhancement);
    let mut code = exit::PASS;
    let settings = limits.settings(&config)?;
    let mut navigator = open(limits, settings)?;
    let mut answers = Vec::new();
    for (number, line) in (1..).zip(lines) {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        answers.push(match Request::read(&line, default) {
            Ok(asked) => asked.answer(&mut navigator)?,
            Err(why) => {
                code = exit::USAGE;
                let message = format!("line {number} is not a question: {why}");
                json!({"error": {"code": "INVALID_REQUEST", "message": message, "details": {"line": number}}})
            }
        });
    }
    for answer in &answers {
        out.json(answer)?;
    }
    navigator.notice().into_iter().for_each(talk);
    out.flush()?;
    Ok(code)
}

/// A question that can be asked.
enum Asked {
    Parse(PathBuf),
    Symbol(Operation, Query),
}

impl Request {
    /// The question on a line; what is wrong with it, if it is none.
    fn read(line: &str, default: Scope) -> Result<Asked, String> {
        let request: Self = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let file = request.file.map(std::path::absolute).transpose();
        let file = file.map_err(|error| format!("file: {error}"))?;
        if matches!(request.operation, Operation::Parse) {
            return file.map(Asked::Parse).ok_or_else(|| "parse needs a file".to_owned());
        }
        let target = match (request.symbol, request.line, request.column) {
            (Some(name), None, None) => Target::Symbol(name),
            (None, Some(line), Some(column)) if file.is_some() => Target::At { line, column },
            _ => return Err("it needs file, line and column, or a symbol".to_owned()),
        };
        let query = Query {
            file,
            target,
            scope: request.scope.unwrap_or(default),
            limit: request.limit.unwrap_or(DEFAULT_LIMIT),
            cursor: request.cursor,
        };
        Ok(Asked::Symbol(request.operation, query))
    }
}

impl Asked {
    fn answer(&self, navigator: &mut Navigator) -> Result<Value, Failure> {
        match self {
            Self::Parse(file) => value(navigator.parse(file)),
            Self::Symbol(operation, query) => match operation {
                Operation::References => value(navigator.references(query)),
                Operation::Hover => value(navigator.hover(query)),
                Operation::Definition | Operation::Parse => value(navigator.definition(query)),
            },
        }
    }
}

/// An answer as JSON; an error is an answer, too.
fn value(answer: Result<impl Serialize, NavError>) -> Result<Value, Failure> {
    let failed = |error: serde_json::Error| Failure::new(exit::IO, error.to_string());
    answer
        .map_or_else(|error| Ok(error.json()), |found| serde_json::to_value(found).map_err(failed))
}
