//! `parity lcm serve`: one JSON request per line in, one JSON answer per line out.

use std::io::{self, BufRead};

use lcm::Lcm;
use record::exit;
use serde::Serialize;

use super::{
    answer::{Answer, code, code_beside},
    request::Request,
};
use crate::{Failure, console::Output};

/// One output line: an answer, an error, or both for a content that could not be stored.
#[derive(Serialize)]
struct Reply {
    /// The exit code that the command would have.
    code: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<Answer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Answers requests until standard input ends. A request that fails does not end the loop.
pub(super) fn run(lcm: &mut Lcm) -> Result<u8, Failure> {
    let mut out = Output::new();
    for line in io::stdin().lock().split(b'\n') {
        let line = line?;
        if line.trim_ascii().is_empty() {
            continue;
        }
        out.json(&reply(lcm, &line))?;
        out.flush()?;
    }
    Ok(exit::PASS)
}

fn reply(lcm: &mut Lcm, line: &[u8]) -> Reply {
    let request: Request = match serde_json::from_slice(line) {
        Ok(request) => request,
        Err(error) => {
            let error = Some(format!("the request is not valid: {error}"));
            return Reply { code: exit::USAGE, answer: None, error };
        }
    };
    match request.answer(lcm) {
        Ok(answer) => {
            let beside = answer.beside();
            let code = beside.map_or(exit::PASS, code_beside);
            let error = beside.map(ToString::to_string);
            Reply { code, answer: Some(answer), error }
        }
        Err(error) => Reply { code: code(&error), answer: None, error: Some(error.to_string()) },
    }
}
