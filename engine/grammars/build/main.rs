//! Compiles the pinned grammars into one static archive.
//!
//! `grammars.toml` says which parsers, from which archives. Each archive comes from the
//! environment, the user's cache or its package client (`archive`), is checked and unpacked
//! (`unpack`), compiled (`compile`) and listed for the crate (`table`).

mod archive;
mod catalogue;
mod client;
mod compile;
mod python;
mod table;
mod unpack;

use std::{
    env,
    error::Error,
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use catalogue::Catalogue;

/// What the build reads besides the archives, whose digests `grammars.toml` pins. Cargo runs
/// the script again only when one of these changes.
const INPUTS: [&str; 4] = ["build", "shim", "grammars.toml", "tools-requirements.txt"];

fn main() -> ExitCode {
    match build() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            for line in error.to_string().lines() {
                println!("cargo::error={line}");
            }
            ExitCode::FAILURE
        }
    }
}

fn build() -> Result<(), Box<dyn Error>> {
    for input in INPUTS {
        println!("cargo::rerun-if-changed={input}");
    }
    let home = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let catalogue = Catalogue::read(&home.join("grammars.toml"))?;

    let shim = home.join("shim");
    let shim_objects = compile::compile_shim(&shim, &out)?;
    let given = archive::given(&catalogue)?;
    let sources = Scratch::new(out.join("sources"))?;
    let mut unpacked = Vec::new();
    for (name, archive) in &catalogue.archives {
        let path = match given.get(&archive.sha256) {
            Some(path) => path.clone(),
            None => archive::cached(archive, &home.join("tools-requirements.txt"), &out)?,
        };
        unpacked.extend(unpack::unpack(&path, archive, &catalogue.of(name), sources.path())?);
    }
    compile::compile(&unpacked, shim_objects, &shim, &out)?;
    fs::write(out.join("table.rs"), table::render(&unpacked))?;
    Ok(())
}

/// A folder that is empty at the start and gone at the end, also after an error: the unpacked
/// sources take hundreds of megabytes.
pub struct Scratch(PathBuf);

impl Scratch {
    /// Makes the folder, removing what an interrupted build left there.
    pub fn new(path: PathBuf) -> std::io::Result<Self> {
        if path.exists() {
            fs::remove_dir_all(&path)?;
        }
        fs::create_dir_all(&path)?;
        Ok(Self(path))
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A leftover folder costs space, not correctness; the next build removes it.
        let _ = fs::remove_dir_all(&self.0);
    }
}
