//! Checks that Volt was asked as its definition in the evidence says.

use std::path::Path;

use record::{Capture, Plan, Volt, VoltDefinition, volt};
use serde_json::Value;

use super::CompositionError as Error;
use crate::protocol::read_toml;

/// The names that recordings give to the checkout, and to the folder of the adapter.
const CHECKOUT: &str = "$VOLT";
const ROOM: &str = "$ROOM";

/// Checks that a plan that asks Volt is allowed to, and that it rests on the files that say how Volt is
/// asked.
pub(super) fn planned(plan: &Plan) -> Result<(), Error> {
    if plan.volt.is_none() {
        return Ok(());
    }
    if !plan.profile.is_parity() {
        return Err(Error::Unusable("Volt is asked in the parity profile only".to_owned()));
    }
    let files = [volt::DEFINITION, volt::ADAPTER];
    let missing = files.into_iter().find(|file| !plan.rests_on.contains_key(*file));
    missing.map_or(Ok(()), |file| Err(Error::MissingFile(file.to_owned())))
}

/// Checks that the definition below `root` has the module, export and runner of the plan's checkout.
pub(super) fn defined(root: &Path, asked: &Volt) -> Result<(), Error> {
    let definition: VoltDefinition = read_toml(&root.join(volt::DEFINITION))
        .map_err(|error| Error::Unusable(error.to_string()))?;
    let other = if !definition.modules.contains(&asked.module) {
        "module"
    } else if definition.export != asked.export {
        "export"
    } else if !definition.runners.iter().any(|runner| runner.program == asked.runner) {
        "runner"
    } else {
        return Ok(());
    };
    Err(Error::Unusable(format!("{}: it does not have the {other} of the plan", volt::DEFINITION)))
}

/// Which part of a recording differs from what Volt must be asked, if any. `request` is what the adapter must
/// have read.
pub(super) fn asked_otherwise(
    asked: &Volt,
    capture: &Capture,
    request: &Value,
) -> Option<&'static str> {
    let adapter = volt::ADAPTER.replace(volt::FOLDER, ROOM);
    let arguments = asked.arguments(&adapter, &format!("{CHECKOUT}/{}", asked.module));
    let program = capture.argv.split_first();
    let read: Option<Value> = serde_json::from_slice(&capture.stdin).ok();
    if program.is_none_or(|(name, found)| *name != asked.runner || found != arguments) {
        Some("command line")
    } else if capture.env.len() != 1 || capture.env.get("PATH").is_none_or(|path| path != "$PATH") {
        Some("environment")
    } else if read.as_ref() != Some(request) {
        Some("input")
    } else {
        None
    }
}
