//! `parity bundle`: a bundle as one file, and back.

use std::{
    fs,
    path::{Path, PathBuf},
};

use clap::{Args, Subcommand};
use record::{exit, write_atomically};
use verdict::bundle::{
    ATTESTATION,
    seal::{SealError, rename_new},
    walk::{self, WalkError},
};

use crate::{Failure, archive, console::Output, sigstore};

/// Pack a bundle into one file, unpack one, or wrap its attestation for Sigstore.
#[derive(Debug, Args)]
pub struct Bundle {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Pack a bundle into one .tar.zst file. The same bundle gives the same bytes.
    Export {
        /// The bundle's folder.
        bundle: PathBuf,
        /// The new file.
        file: PathBuf,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// Unpack such a file into a new folder. Links, paths that lead out, and archives that unpack to more
    /// than a bundle can be are refused. It is not verified: that is `parity verify`.
    Import {
        /// The file.
        file: PathBuf,
        /// The new folder.
        folder: PathBuf,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// Write the attestation as a Sigstore bundle, for cosign and the libraries of Sigstore. It has the signature of one
    /// key, and neither a certificate nor an entry of a transparency log.
    Sigstore {
        /// The bundle's folder.
        bundle: PathBuf,
        /// The new file, such as bundle.sigstore.json.
        file: PathBuf,
        /// Whose signature, by the beginning of the key's id. Needed if there are more than one.
        #[arg(long, value_name = "ID")]
        key: Option<String>,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
}

impl Bundle {
    /// Packs or unpacks.
    pub fn run(self) -> Result<u8, Failure> {
        let (document, text) = match &self.command {
            Command::Export { bundle, file, .. } => {
                let files = contents(bundle)?;
                let sha256 = archive::write(bundle, &files, "bundle", file)?;
                let text = format!("{}: {} files, sha256 {sha256}\n", file.display(), files.len());
                (serde_json::json!({"file": file, "files": files.len(), "sha256": sha256}), text)
            }
            Command::Import { file, folder, .. } => {
                let files = import(file, folder)?;
                let text = format!("{}: {files} files; not verified yet\n", folder.display());
                (serde_json::json!({"folder": folder, "files": files}), text)
            }
            Command::Sigstore { bundle, file, key, .. } => {
                let wrapped = sigstore::of_bundle(bundle, key.as_deref())?;
                write_atomically(file, format!("{wrapped}\n").as_bytes())
                    .map_err(|error| Failure::new(exit::IO, error.to_string()))?;
                let hint = &wrapped["verificationMaterial"]["publicKey"]["hint"];
                let signer = hint.as_str().unwrap_or_default();
                let text = format!("{}: signed by {signer}; not verified\n", file.display());
                (serde_json::json!({"file": file, "signer": signer}), text)
            }
        };
        let (Command::Export { json, .. }
        | Command::Import { json, .. }
        | Command::Sigstore { json, .. }) = self.command;
        let mut out = Output::new();
        if json {
            let mut document = document;
            document["schema_version"] = 1.into();
            out.pretty_json(&document)?;
        } else {
            out.text(&text)?;
        }
        out.flush()?;
        Ok(exit::PASS)
    }
}

/// The files of a bundle's folder.
fn contents(bundle: &Path) -> Result<std::collections::BTreeSet<String>, Failure> {
    let refused = |error: &dyn std::fmt::Display| {
        Failure::new(exit::DIGEST, format!("{}: {error}", bundle.display()))
    };
    let listing = walk::list(bundle).map_err(|error| match error {
        WalkError::Io { .. } => Failure::new(exit::IO, error.to_string()),
        error => refused(&error),
    })?;
    listing.expect_no_empty_directory().map_err(|error| refused(&error))?;
    if !listing.files.contains(ATTESTATION) {
        return Err(refused(&format!("{ATTESTATION} is missing; this is not a bundle")));
    }
    Ok(listing.files)
}

/// Unpacks a bundle into a new folder and returns the number of its files. The folder gets its name
/// when it is complete.
fn import(file: &Path, folder: &Path) -> Result<usize, Failure> {
    let at =
        |error: std::io::Error| Failure::new(exit::IO, format!("{}: {error}", folder.display()));
    let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty());
    let unpacked = tempfile::Builder::new()
        .prefix(".parity-import-")
        .tempdir_in(parent.unwrap_or(Path::new(".")))
        .map_err(at)?;
    archive::read(file, unpacked.path())?;
    let files = contents(unpacked.path())?;
    fs::set_permissions(unpacked.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755))
        .map_err(at)?;
    rename_new(unpacked.path(), folder)
        .map_err(|error: SealError| Failure::new(error.exit_code(), error.to_string()))?;
    // The folder was renamed, so there is nothing left for the guard to remove.
    let _ = unpacked.keep();
    Ok(files.len())
}
