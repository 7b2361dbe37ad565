//! `parity map --artifact`: the map as a file that other programs read.

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use agents::{Artifact, Code, Job, LATEST, Problem, Worker, store::Store};
use clap::{Args, value_parser};
use record::exit;

use crate::{
    Failure,
    console::{Output, talk},
};

/// The flags that have no effect on an artifact.
const OTHERS: [&str; 15] = [
    "aiderignore",
    "explain",
    "format",
    "map_mul_no_files",
    "max_memory",
    "model",
    "read_only",
    "refresh",
    "requests",
    "seconds",
    "subtree_only",
    "trace",
    "trace_edges",
    "trace_graph",
    "json",
];

/// Where the artifact goes, and how long it may take.
#[derive(Debug, Args)]
pub struct ArtifactOptions {
    /// Write the map as repomap_artifact_v1 to latest.json in a folder (below the user's cache if left
    /// out) and print where; also where there is no map. The budget, 1024 tokens if none is named, is a
    /// limit.
    #[arg(long, value_name = "DIR", num_args = 0..=1, default_missing_value = "",
        conflicts_with_all = OTHERS)]
    artifact: Option<PathBuf>,
    /// Milliseconds until the artifact says that there was no time.
    #[arg(long, value_name = "MS", requires = "artifact", value_parser = value_parser!(u64).range(1..))]
    timeout: Option<u64>,
    /// The session that asks; the artifact is also written to <ID>.json.
    #[arg(long, value_name = "ID", requires = "artifact")]
    session_id: Option<String>,
}

impl ArtifactOptions {
    /// Whether an artifact is asked for.
    pub const fn is_asked(&self) -> bool {
        self.artifact.is_some()
    }

    /// Starts a worker that makes the map, publishes the artifact, and prints its path. Without a named
    /// folder the artifact is written below `cache`.
    pub fn run(self, job: Job, cache: Result<PathBuf, Failure>) -> Result<u8, Failure> {
        let started = Instant::now();
        let folder = self.folder(&job, cache)?;
        let job = Job {
            session_id: self.session_id,
            timeout_ms: self.timeout,
            publish: Some(folder.clone()),
            ..job
        };
        let until = self.timeout.map(|timeout| started + Duration::from_millis(timeout));
        let made = Worker::start(&std::env::current_exe()?, &job)
            .and_then(|mut worker| worker.wait(until, || true));
        let artifact = match made {
            Ok(artifact) => artifact,
            Err(problem) => {
                let spent = started.elapsed().as_millis() as u64;
                let failure = Artifact::of_failure(&job, &problem, Some(spent));
                match failure.publish(&folder) {
                    Ok(()) => failure,
                    Err(problem) => Artifact::of_failure(&job, &problem, Some(spent)),
                }
            }
        };
        let problem = (!artifact.ok).then(|| Problem::of_artifact(&artifact));
        if problem.as_ref().is_none_or(|problem| problem.code != Code::WriteFailed) {
            let mut out = Output::new();
            out.text(&format!("{}\n", folder.join(LATEST).display()))?;
            out.flush()?;
        }
        Ok(problem.map_or(exit::PASS, |problem| {
            talk(&format!("error: {}", problem.in_words()));
            exit_code(problem.code)
        }))
    }

    fn folder(&self, job: &Job, cache: Result<PathBuf, Failure>) -> Result<PathBuf, Failure> {
        match self.artifact.clone().filter(|folder| !folder.as_os_str().is_empty()) {
            Some(folder) => Ok(std::path::absolute(folder)?),
            None => Ok(Store::open(&cache?, &job.root)?.artifacts()),
        }
    }
}

/// The exit code of a failure.
const fn exit_code(code: Code) -> u8 {
    match code {
        Code::DepsMissing => exit::SETUP,
        Code::Timeout => exit::INCOMPLETE,
        Code::ScanFailed | Code::WriteFailed => exit::IO,
        Code::ParseFailed | Code::RankingFailed | Code::RenderFailed => exit::NOTHING_RAN,
        Code::InternalError => exit::INTERNAL,
    }
}
