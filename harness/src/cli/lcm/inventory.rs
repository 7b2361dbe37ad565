//! `parity lcm paths`: all paths into the store and out of it, as registered and as used.

use std::path::Path;

use lcm::{
    Error,
    inventory::{ARTIFACT, Inventory, differences, exercise},
    path::Registry,
};
use record::{exit, write_atomically};

use super::answer::failure;
use crate::{
    Failure,
    console::{Output, talk},
};

/// Uses every path, prints the inventory, and compares it with the committed one.
pub(super) fn run(write: Option<&Path>, json: bool) -> Result<u8, Failure> {
    let failed = |error: Error| failure(&error);
    let registry = Registry::built_in().map_err(failed)?;
    let trace = exercise().map_err(failed)?;
    let made = Inventory::of(registry, &trace);
    if let Some(file) = write {
        let text = serde_json::to_string_pretty(&made).map_err(|error| failed(error.into()))?;
        let written = write_atomically(file, format!("{text}\n").as_bytes());
        written.map_err(|error| Failure::new(exit::IO, error.to_string()))?;
        return Ok(exit::PASS);
    }
    let printed = print(&made, json);
    let committed: Inventory =
        serde_json::from_str(ARTIFACT).map_err(|error| failed(error.into()))?;
    let differences = differences(registry, &trace, &committed);
    for difference in &differences {
        talk(&format!("error: {difference}"));
    }
    let code = if differences.is_empty() { exit::PASS } else { exit::GATE_FAILED };
    Failure::after(printed, code)
}

fn print(made: &Inventory, json: bool) -> Result<(), Failure> {
    let mut out = Output::new();
    if json {
        out.json(made)?;
    } else {
        for path in &made.paths {
            let (parity, enhancement) =
                (path.persists_exploration_parity, path.persists_exploration_enhanced);
            out.text(&format!("{}: {}\n", path.id, path.trigger))?;
            out.text(&format!(
                "    keeps explorations: parity {parity}, enhancement {enhancement}\n"
            ))?;
        }
    }
    Ok(out.flush()?)
}
