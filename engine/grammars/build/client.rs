//! The package clients. Each leaves the archive in a folder and runs nothing from it.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use crate::{
    archive::GIVEN,
    catalogue::{Archive, Client},
    python::{self, PythonError},
};

/// Why an archive could not be obtained.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    #[error("{action} {path} failed: {error}")]
    Io { action: &'static str, path: PathBuf, error: io::Error },
    #[error("{program} could not be started: {error}")]
    Start { program: String, error: io::Error },
    #[error("{what} failed ({status}): {tail}")]
    Failed { what: String, status: std::process::ExitStatus, tail: String },
    #[error(
        "{package} {version} could not be downloaded: {reason}\ncheck the network and build again, or fetch {file} elsewhere and set {GIVEN}=/path/to/{file}"
    )]
    Download { package: String, version: String, file: String, reason: Box<ClientError> },
    #[error("{client} ended well but left no {file} in {folder}")]
    Absent { client: &'static str, file: String, folder: PathBuf },
    #[error(transparent)]
    Python(#[from] PythonError),
}

/// Obtains the archive below `scratch`, an empty folder; its digest is not checked yet.
pub fn download(archive: &Archive, tools: &Path, scratch: &Path) -> Result<PathBuf, ClientError> {
    let result = match archive.client {
        Client::Pypi => from_pypi(archive, tools, scratch),
        Client::Cargo => from_cargo(archive, scratch),
    };
    result.map_err(|reason| match reason {
        ClientError::Python(_) => reason,
        _ => ClientError::Download {
            package: archive.package.clone(),
            version: archive.version.clone(),
            file: archive.file.clone(),
            reason: Box::new(reason),
        },
    })
}

/// pip would build a source archive to learn its metadata, before any digest is checked;
/// unearth only downloads.
fn from_pypi(archive: &Archive, tools: &Path, scratch: &Path) -> Result<PathBuf, ClientError> {
    let python = python::environment(tools, &scratch.join("tools"))?;
    let mut command = Command::new(python);
    command.args(["-m", "unearth", "--no-binary", "--download"]).arg(scratch);
    if let Some(index) = env::var_os("PIP_INDEX_URL") {
        command.arg("--index-url").arg(index);
    }
    command.arg(format!("{}=={}", archive.package, archive.version));
    run(&mut command, "unearth")?;
    present(scratch.join(&archive.file), "unearth", archive, scratch)
}

/// Cargo keeps the archive of every fetched crate in its documented registry cache. A package
/// of its own keeps this apart from the workspace, whose lock file it must not touch.
fn from_cargo(archive: &Archive, scratch: &Path) -> Result<PathBuf, ClientError> {
    let manifest = scratch.join("Cargo.toml");
    let text = format!(
        "[package]\nname = \"sources\"\nedition = \"2024\"\n[lib]\npath = \"empty.rs\"\n[workspace]\n[dependencies]\n{} = \"={}\"\n",
        archive.package, archive.version
    );
    let write = |path: PathBuf, text: &str| {
        fs::write(&path, text).map_err(|error| ClientError::Io { action: "writing", path, error })
    };
    write(manifest.clone(), &text)?;
    write(scratch.join("empty.rs"), "")?;
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    run(Command::new(cargo).args(["fetch", "--manifest-path"]).arg(&manifest), "cargo fetch")?;

    let home = env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| env::home_dir().map(|home| home.join(".cargo")))
        .unwrap_or_default();
    let cache = home.join("registry/cache");
    let registries = fs::read_dir(&cache).map_err(|error| ClientError::Io {
        action: "listing",
        path: cache.clone(),
        error,
    })?;
    let mut archives: Vec<_> = registries
        .filter_map(Result::ok)
        .map(|registry| registry.path().join(&archive.file))
        .filter(|path| path.exists())
        .collect();
    archives.sort();
    present(archives.pop().unwrap_or_default(), "cargo fetch", archive, &cache)
}

fn present(
    path: PathBuf,
    client: &'static str,
    archive: &Archive,
    folder: &Path,
) -> Result<PathBuf, ClientError> {
    if path.is_file() {
        return Ok(path);
    }
    Err(ClientError::Absent { client, file: archive.file.clone(), folder: folder.into() })
}

/// Runs a program to its end. If it fails, the error has the last lines that it printed.
pub fn run(command: &mut Command, what: &str) -> Result<Output, ClientError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| ClientError::Start { program, error })?;
    if output.status.success() {
        return Ok(output);
    }
    let printed = String::from_utf8_lossy(&output.stderr);
    // The last lines name the cause; those before them are the stack.
    let lines: Vec<_> = printed.lines().filter(|line| !line.trim().is_empty()).collect();
    let tail = lines[lines.len().saturating_sub(3)..].join(" / ");
    Err(ClientError::Failed { what: what.into(), status: output.status, tail })
}
