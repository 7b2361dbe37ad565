//! Generates `enum GateId` from the files in `src/gate/`: each file or folder there is a gate, and a table
//! of thresholds must belong to one.

#[path = "build/registry.rs"]
mod registry;

use std::{
    env,
    error::Error,
    fs,
    path::{Path, PathBuf},
};

fn main() -> Result<(), Box<dyn Error>> {
    let home = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let folder = home.join("src/gate");
    let protocols = home.join("../../protocols");
    let current = protocols.join("current");
    let version = read(&current)?.trim().to_owned();
    let thresholds = protocols.join(&version).join("gates.toml");
    println!("cargo::rerun-if-changed=build/registry.rs");
    for watched in [&folder, &current, &thresholds] {
        println!("cargo::rerun-if-changed={}", watched.display());
    }
    let gates = registry::gates(&folder)?;
    registry::owned(&format!("protocols/{version}/gates.toml"), &read(&thresholds)?, &gates)?;
    fs::write(PathBuf::from(env::var("OUT_DIR")?).join("gates.rs"), registry::code(&gates))?;
    Ok(())
}

/// The text of a file; an error names it.
fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
}
