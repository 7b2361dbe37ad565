//! Compiles the pinned grammars into one static archive.
//!
//! `queries/<key>/language.toml` says which parsers, `archives.toml` where from. Each archive comes
//! from the environment, the user's cache or its package client (`archive`), is checked and unpacked
//! (`unpack`), compiled (`compile`) and listed for the crate (`table`).

mod archive;
mod catalogue;
mod client;
mod compile;
mod digest;
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

/// What the build reads besides the table of languages and the archives, whose digests
/// `archives.toml` pins.
const INPUTS: [&str; 4] = ["build", "shim", "archives.toml", "tools-requirements.txt"];
/// Where the table of languages is.
const QUERIES: &str = "../../queries";
/// Where the digest of what was compiled last is kept.
const STAMP: &str = "inputs.sha256";

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
    for input in INPUTS.into_iter().chain([QUERIES]) {
        println!("cargo::rerun-if-changed={input}");
    }
    let home = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let catalogue = Catalogue::read(&home.join("archives.toml"), &home.join(QUERIES))?;

    // Most changes of a language leave its grammar alone, and compiling all of them takes a minute.
    let inputs = digest::of_inputs(&home, &INPUTS, &catalogue)?;
    let stamp = out.join(STAMP);
    if fs::read_to_string(&stamp).is_ok_and(|last| last == inputs) {
        compile::link(&out);
        return Ok(());
    }
    let _ = fs::remove_file(&stamp); // A build that fails must not look like a finished one.
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
    compile::link(&out);
    fs::write(out.join("table.rs"), table::render(&unpacked))?;
    fs::write(stamp, inputs)?;
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
        // A leftover folder only takes space, and the next build removes it.
        let _ = fs::remove_dir_all(&self.0);
    }
}
