//! The driver of Ray: installed on first use, and run.

use std::{
    fs,
    fs::File,
    io::{self, PipeWriter},
    os::fd::OwnedFd,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use record::{Capture, Digest};

use super::{super::MAX_ANSWER, Address};
use crate::{
    Folders,
    corpus::disk::{self, At},
    oracle::{InstallError, Programs, python_environment},
    process::{self, Invocation, ProcessError},
};

/// The folder of the driver in a checkout.
const FOLDER: &str = "cluster/ray";
/// What is installed.
const LOCK: &str = "requirements.lock";
/// Written last into an environment.
const STAMP: &str = "parity-stamp";
/// The longest time that a run on a cluster may take.
const DEADLINE: Duration = Duration::from_hours(14 * 24);
/// How long nodes that were started here may take to end.
const GRACE: Duration = Duration::from_secs(20);
/// The most bytes that the driver may print: some hundred for each unit.
const MOST: usize = 64 << 20;

/// The driver and the Python that has Ray.
#[derive(Debug, Clone)]
pub struct Driver {
    python: PathBuf,
    script: PathBuf,
}

impl Driver {
    /// The driver of a checkout. Ray is installed into the cache if it is not there.
    ///
    /// # Errors
    /// There is no Python 3.11, or a package cannot be fetched.
    pub fn install(folders: &Folders, say: &mut dyn FnMut(&str)) -> Result<Self, InstallError> {
        let here = folders.root.join(FOLDER);
        let lock = here.join(LOCK);
        let digest = Digest::of(fs::read(&lock).at("read", &lock)?);
        let short = digest.as_str().get(..16).unwrap_or_default();
        let folder = folders.cache.join("cluster").join(format!("ray-{short}"));
        let is_there =
            || fs::read_to_string(folder.join(STAMP)).is_ok_and(|it| it == digest.as_str());
        if !is_there() {
            let _lock = disk::lock(&folders.cache.join("locks").join(format!("ray-{short}")))?;
            // The process that held the lock may have made it.
            if !is_there() {
                say("installing Ray (once, 300 MB on the disk)");
                disk::fresh_dir(&folder)?;
                python_environment(&folder, Programs::default().path("{python}")?, &lock)?;
                disk::write(&folder.join(STAMP), digest.as_str())?;
            }
        }
        Ok(Self { python: folder.join("bin").join("python"), script: here.join("driver.py") })
    }

    /// A driver that another Python runs.
    pub const fn of(python: PathBuf, script: PathBuf) -> Self {
        Self { python, script }
    }

    /// Runs the driver until its input ends. `observe` gets what it prints. `folder` is for Ray's own files and has
    /// a short path, since sockets lie in it.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn run(
        &self,
        place: &Place,
        input: File,
        observe: &mut dyn FnMut(&[u8]),
    ) -> Result<Capture, ProcessError> {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let mut invocation = Invocation::new(&self.python, place.checkout)
            .inherit_env()
            .args([text(&self.script), "--folder".to_owned(), text(place.folder)])
            .args(["--answers".to_owned(), text(place.answers)])
            .args(["--program".to_owned(), text(place.program)])
            .args(["--checkout".to_owned(), text(place.checkout)])
            .args(["--limit".to_owned(), MAX_ANSWER.to_string()]);
        invocation = match place.address {
            Address::Ray(address) => invocation.args(["--address", address]),
            Address::Local(nodes) => invocation
                .args(["--local".to_owned(), nodes.count.to_string()])
                .args(["--cpus".to_owned(), nodes.cpus().to_string()])
                .args(["--memory-mb".to_owned(), place.memory_mb.to_string()]),
        };
        if let Some(store) = place.store {
            invocation = invocation.args(["--store", store]);
        }
        invocation.env.retain(|name, _| !name.starts_with("PYTHON"));
        // Ray would tell its makers of every cluster.
        invocation.env.insert("RAY_USAGE_STATS_ENABLED".to_owned(), "0".to_owned());
        // Units get no less of a processor than those of a run without a cluster.
        invocation.env.insert("RAY_worker_niceness".to_owned(), "0".to_owned());
        // Some of its files go there and not to `--folder`.
        invocation.env.insert("RAY_TMPDIR".to_owned(), text(place.folder));
        invocation.held_file = Some(Arc::new(input));
        invocation.deadline = DEADLINE;
        invocation.grace = GRACE;
        invocation.max_stdout = MOST;
        invocation.max_stderr = MOST;
        process::run_observed(&invocation, observe)
    }
}

/// Where a driver works.
#[derive(Debug)]
pub struct Place<'a> {
    /// The cluster.
    pub address: &'a Address,
    /// For Ray's own files.
    pub folder: &'a Path,
    /// For the answers.
    pub answers: &'a Path,
    /// The program that workers start.
    pub program: &'a Path,
    /// The checkout in which they start it.
    pub checkout: &'a Path,
    /// Memory that the units on this machine may take together, in MB.
    pub memory_mb: u64,
    /// The URL of the store from which workers fetch what they do not have.
    pub store: Option<&'a str>,
}

/// Both ends of the driver's input.
pub fn input() -> io::Result<(File, PipeWriter)> {
    let (reader, writer) = io::pipe()?;
    Ok((File::from(OwnedFd::from(reader)), writer))
}
