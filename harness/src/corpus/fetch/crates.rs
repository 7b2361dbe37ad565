//! Crates, with `cargo info`, which downloads exactly one crate and resolves nothing.

use std::{
    env,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

use duct::cmd;

use crate::corpus::{
    disk::{self, At},
    fetch::{
        client::{Client, ClientError, DEADLINE},
        delivered,
    },
    lock::Row,
};

const CARGO: Client = Client { name: "cargo", install: "install Rust with cargo 1.82 or later" };

/// Downloads the crate of `row` below `into`, which also holds a cargo home of its own.
pub fn download(row: &Row, into: &Path) -> Result<PathBuf, ClientError> {
    let home = into.join("cargo-home");
    disk::create_dir(&home)?;
    // The cargo that runs us, if there is one, so that no other toolchain is chosen in this folder.
    let cargo = env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let wanted = format!("{}@{}", row.package, row.version);
    let command = cmd!(cargo, "info", "--quiet", "--color=never", wanted)
        .env("CARGO_HOME", &home)
        .env("CARGO_NET_RETRY", "0")
        .env_remove("CARGO_NET_OFFLINE");
    CARGO.run(&command, into, DEADLINE)?;
    // There is one folder per registry, and only cargo knows how it names ours.
    let registries = home.join("registry").join("cache");
    for entry in fs::read_dir(&registries).at("list", &registries)? {
        let folder = entry.at("list", &registries)?.path();
        if folder.join(&row.artifact).is_file() {
            return delivered(CARGO.name, &folder, &row.artifact);
        }
    }
    delivered(CARGO.name, &registries, &row.artifact)
}
