//! `parity audit tokens`: how many bytes a token has in each language.

use clap::Args;
use record::{exit, write_atomically};
use serde_json::json;

use super::print_json;
use crate::{
    Failure, Folders,
    audit::tokens::{self, Record},
    cli::SetName,
    console::Output,
    planning::Corpora,
};

/// Count the tokens of each language again, and compare them with the record.
#[derive(Debug, Args)]
pub(super) struct Tokens {
    /// Which set of corpora.
    #[arg(long, value_enum, default_value_t = SetName::Smoke)]
    set: SetName,
    /// Write the record and the engine's table; needs the full set.
    #[arg(long)]
    write: bool,
}

impl Tokens {
    /// Counts the tokens, and compares them with the record or writes it.
    pub(super) fn run(&self, json: bool) -> Result<u8, Failure> {
        if self.write && !matches!(self.set, SetName::Full) {
            return Err(Failure::new(exit::USAGE, "--write needs --set full".to_owned()));
        }
        let folders = Folders::find()?;
        // Files of data formats are in a set of their own.
        let sets: &[&str] = if self.write { &["full", "formats"] } else { &[self.set.name()] };
        let corpora = Corpora::ensure(&folders, sets, None)?;
        let mut counted = Record::new();
        if let Some(absent) = corpora.skipped.keys().next().filter(|_| self.write) {
            let why = format!("{absent} is not available here, and --write needs every corpus");
            return Err(Failure::new(exit::INSUFFICIENT, why));
        }
        for (row, repository) in &corpora.ready {
            counted.insert(row.name.clone(), tokens::count(&repository.path)?);
        }
        if counted.is_empty() {
            return Err(Failure::new(exit::NOTHING_RAN, "no corpus was counted".to_owned()));
        }
        if self.write {
            for (file, text) in [
                (tokens::RECORD, serde_json::to_string_pretty(&counted)),
                (tokens::TABLE, serde_json::to_string_pretty(&tokens::table(&counted))),
            ] {
                let text = text.map_err(|error| Failure::internal(error.to_string()))? + "\n";
                write_atomically(&folders.root.join(file), text.as_bytes())
                    .map_err(|error| Failure::new(exit::IO, error.to_string()))?;
            }
            let written = [tokens::RECORD, tokens::TABLE];
            if json {
                print_json(&json!({"schema_version": 1, "written": written}))?;
            } else {
                let mut out = Output::new();
                written.iter().try_for_each(|file| writeln!(out, "{file} is written"))?;
                out.flush()?;
            }
            return Ok(exit::PASS);
        }
        let text = std::fs::read_to_string(folders.root.join(tokens::RECORD)).map_err(|error| {
            Failure::new(exit::IO, format!("cannot read {}: {error}", tokens::RECORD))
        })?;
        let record: Record = serde_json::from_str(&text).map_err(|error| {
            Failure::new(exit::SETUP, format!("{} is malformed: {error}", tokens::RECORD))
        })?;
        let mut found = tokens::differences(&record, &counted);
        for (language, ratio) in tokens::table(&record) {
            let ours = base::tokens::bytes_per_token(Some(&language));
            if (ours - ratio).abs() > f64::EPSILON {
                found.push(format!("table, {language}: compiled {ours}, recorded {ratio}"));
            }
        }
        let code = if found.is_empty() { exit::PASS } else { exit::GATE_FAILED };
        let printed = if json {
            print_json(&json!({
                "schema_version": 1,
                "set": self.set.name(),
                "corpora": counted.keys().collect::<Vec<_>>(),
                "ok": found.is_empty(),
                "differences": found,
            }))
        } else {
            print(&found, counted.len())
        };
        Failure::after(printed, code)
    }
}

fn print(differences: &[String], corpora: usize) -> Result<(), Failure> {
    let mut out = Output::new();
    differences.iter().try_for_each(|line| writeln!(out, "differs  {line}"))?;
    if differences.is_empty() {
        writeln!(out, "EQUAL  tokens by language, counted again in {corpora} corpora")?;
    } else {
        writeln!(out, "next: cargo parity audit tokens --set full --write, then build again")?;
    }
    Ok(out.flush()?)
}
