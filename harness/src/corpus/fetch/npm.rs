//! npm tarballs, with `npm pack`, which runs no script of the package.

use std::path::{Path, PathBuf};

use duct::cmd;

use crate::corpus::{
    disk,
    fetch::{
        client::{Client, ClientError, DEADLINE},
        delivered,
    },
    lock::Row,
};

const NPM: Client =
    Client { name: "npm", install: "install Node.js with npm (Debian: apt install npm)" };

/// Downloads the tarball of `row` into `into`.
///
/// A cache folder of its own keeps the user's npm cache out of the run. The user's registry and proxy
/// settings stay in force; the digest decides about the bytes.
pub fn download(row: &Row, into: &Path) -> Result<PathBuf, ClientError> {
    let cache = into.join("npm-cache");
    disk::create_dir(&cache)?;
    let wanted = format!("{}@{}", row.package, row.version);
    let command = cmd!(
        "npm",
        "pack",
        "--ignore-scripts",
        "--loglevel=error",
        "--logs-max=0",
        "--no-audit",
        "--no-fund",
        "--no-update-notifier",
        // We retry ourselves; npm pauses for minutes between its attempts.
        "--fetch-retries=0",
        "--cache",
        cache,
        wanted
    );
    NPM.run(&command, into, DEADLINE)?;
    delivered(NPM.name, into, &row.artifact)
}
