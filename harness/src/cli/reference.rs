//! `parity reference`: what bundles are verified against, for a machine without a checkout.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use record::exit;
use verdict::bundle::{Reference as Read, reference::Kind};

use crate::{Failure, Folders, archive, console::Output};

/// Make an archive of protocols, corpora, gold and comparator locks for `parity verify --reference`.
#[derive(Debug, Args)]
pub struct Reference {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Write the archive and print its digests. The same checkout gives the same digests.
    Export {
        /// The new file, such as reference.tar.zst.
        file: PathBuf,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
}

impl Reference {
    /// Writes the archive.
    pub fn run(self) -> Result<u8, Failure> {
        let Command::Export { file, json } = self.command;
        let root = Folders::around()?;
        let read = Read::read(Kind::Checkout, &root, &root)
            .map_err(|error| Failure::new(exit::SETUP, error.to_string()))?;
        let files = read.files.keys().cloned().collect();
        let of_file = archive::write(&root, &files, "reference", &file)?;
        let named = read.named();
        let mut out = Output::new();
        if json {
            out.pretty_json(&serde_json::json!({
                "schema_version": 1,
                "file": file,
                "file_sha256": of_file,
                "reference": named,
            }))?;
        } else {
            let (count, protocol) = (named.files, named.protocol);
            writeln!(
                out,
                "{}: protocol {protocol}, {count} files of {}",
                file.display(),
                root.display()
            )?;
            writeln!(out, "reference: sha256 {}", named.sha256)?;
            writeln!(out, "file: sha256 {of_file}")?;
        }
        out.flush()?;
        Ok(exit::PASS)
    }
}
