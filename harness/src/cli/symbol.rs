//! `parity symbol`: symbols by their names, with what they use and who uses them.

use std::path::PathBuf;

use base::{profile::Profile, text::paths::is_below};
use clap::Args;
use record::exit;
use semantic::{
    Extent, answer,
    lookup::{self, Missing, SymbolQuery},
};
use serde_json::json;

use super::work_tree::{WorkTree, all_below, fails};
use crate::{
    Failure,
    console::{Output, talk},
};

/// Show symbols by their exact names: what they call, who uses them, and their source.
///
/// The answer begins with the connections of all symbols that have the name. Behind them is, for each file, the
/// source of the symbols with the imports, constants, types and fields that they use. A name that is only the same is
/// listed as "May use", and is never a connection. Exit code 4: there is no such symbol.
#[derive(Debug, Args)]
pub struct Symbol {
    /// `Name`, `Parent > Name` or `path/of/file > Parent > Name`.
    query: String,
    /// Look only in these files and folders [default: the whole work tree].
    paths: Vec<PathBuf>,
    /// Follow calls over this many steps; -1 follows all.
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = depth)]
    call_depth: i32,
    /// Limit the answer to this many tokens of four characters. Connections are never cut; source that does not fit
    /// is left out.
    #[arg(long, value_name = "N", default_value_t = 8000)]
    tokens: usize,
    /// Print the names that begin as the question ends, one a line, instead of an answer.
    #[arg(long)]
    complete: bool,
    /// Print one JSON object, for a symbol that is missing, too.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    work_tree: WorkTree,
}

impl Symbol {
    /// Answers the question.
    pub fn run(self) -> Result<u8, Failure> {
        let query = if self.complete {
            SymbolQuery::begun(&self.query)
        } else {
            let query = SymbolQuery::after_prefix(&self.query);
            match query.unwrap_or_else(|| self.query.parse()) {
                Ok(query) => query,
                Err(why) => return self.refuse(why),
            }
        };
        let mut navigator = self.work_tree.open()?;
        let paths = all_below(navigator.root(), &self.paths)?;
        let in_files =
            |file: &str| paths.is_empty() || paths.iter().any(|path| is_below(file, path));
        let mut out = Output::of(Profile::Enhancement).paged();
        let code = if self.complete {
            let names = navigator
                .walk(|walk| lookup::complete(walk, &query, &in_files))
                .map_err(|error| fails(&error))?;
            if self.json {
                out.json(&names)?;
            } else {
                names.iter().try_for_each(|name| out.text(&format!("{name}\n")))?;
            }
            exit::PASS
        } else {
            let extent = Extent {
                query: query.names.join(" > "),
                call_depth: usize::try_from(self.call_depth).ok(),
                tokens: self.tokens,
            };
            let answered = navigator
                .walk(|walk| {
                    let places = lookup::resolve(walk, &query, &in_files)?;
                    Ok(answer(walk, &places, &extent))
                })
                .map_err(|error| fails(&error))?;
            self.print(&mut out, answered)?
        };
        navigator.notice().into_iter().for_each(talk);
        Failure::after(out.flush().map_err(Failure::from), code)
    }

    /// Says why the question is none.
    fn refuse(&self, why: String) -> Result<u8, Failure> {
        if !self.json {
            return Err(Failure::new(exit::USAGE, why));
        }
        let mut out = Output::of(Profile::Enhancement);
        let schema_version = semantic::SCHEMA_VERSION;
        out.json(
            &json!({"schema_version": schema_version, "error": {"what": "query"}, "message": why}),
        )?;
        Failure::after(out.flush().map_err(Failure::from), exit::USAGE)
    }

    fn print(
        &self,
        out: &mut Output,
        answered: Result<semantic::Answer, Missing>,
    ) -> Result<u8, Failure> {
        match answered {
            Ok(answer) if self.json => {
                out.json(&answer)?;
                Ok(exit::PASS)
            }
            Ok(answer) => {
                out.text(&answer.shown.text())?;
                for file in &answer.shown.left_out {
                    talk(&format!(
                        "the source of {file} does not fit into {} tokens",
                        answer.budget
                    ));
                }
                for file in &answer.stale_files {
                    talk(&format!("written while it was looked at: {file}"));
                }
                Ok(exit::PASS)
            }
            Err(missing) if self.json => {
                let schema_version = semantic::SCHEMA_VERSION;
                let message = missing.to_string();
                let said =
                    json!({"schema_version": schema_version, "error": missing, "message": message});
                out.json(&said)?;
                Ok(exit::NOTHING_RAN)
            }
            Err(missing) => Err(Failure::new(exit::NOTHING_RAN, missing.to_string())),
        }
    }
}

/// A depth of calls: -1, or at least 1.
pub fn depth(text: &str) -> Result<i32, String> {
    let depth = text.parse::<i32>().ok().filter(|depth| *depth == -1 || *depth > 0);
    depth.ok_or_else(|| "expected a number from 1, or -1 for all".to_owned())
}
