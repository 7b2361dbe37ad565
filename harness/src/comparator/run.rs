//! Runs the comparator's driver on a repository and records what it did.

use std::{
    collections::BTreeMap,
    fs::File,
    io,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use base::scratch::Scratch;
use record::{
    Capped, Capture, Kept, Origin, Places, Recording, Side, Store, StoreError, exit,
    receipt::Receipt,
};
use serde_json::Value;
use verdict::response::{Failure, Response, classify, classify_each};

use super::{
    definition::ComparatorSpec,
    durations,
    environment::{ContentError, Environment},
    progress,
};
use crate::process::{self, Invocation, ProcessError};

/// The usual folders of programs; the user's own search path would appear in recordings.
const USUAL_PATH: &str = "/usr/local/bin:/usr/bin:/bin";
/// More bytes than this on standard error count as a fault.
const MAX_TALK: usize = 4 << 20;

/// Why the comparator could not be run at all. A run that went badly is a [`Failure`] instead.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The driver could not be started.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// The run could not be recorded.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A folder could not be made or found.
    #[error("cannot prepare the comparator's run in {path}: {source}")]
    Io {
        /// Where.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The environment is not the one that was made.
    #[error(transparent)]
    Content(#[from] ContentError),
    /// There is code beside the driver that does not belong to it.
    #[error("{folder} holds {strangers}, which Python would import; remove it")]
    Strangers {
        /// The comparator's folder.
        folder: PathBuf,
        /// Paths below it.
        strangers: String,
    },
    /// The request is not a JSON object.
    #[error("the comparator's request must be a JSON object")]
    Request,
}

impl RunError {
    /// The exit code of this error.
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Content(error) => error.exit_code(),
            Self::Strangers { .. } => exit::DIGEST,
            Self::Store(_) | Self::Io { .. } => exit::IO,
            Self::Process(_) | Self::Request => exit::SETUP,
        }
    }
}

/// A comparator that is ready to run.
#[derive(Debug, Clone, Copy)]
pub struct Comparator<'a> {
    /// What it is.
    pub spec: &'a ComparatorSpec,
    /// Where it is installed.
    pub environment: &'a Environment,
}

/// Where a command's standard input comes from.
enum Input {
    /// All of it is known.
    Bytes(Vec<u8>),
    /// It arrives piece by piece.
    Pipe(Arc<File>),
}

/// One recorded run.
#[derive(Debug)]
pub struct Run {
    /// The recording's name in the store, and how long the run took.
    pub kept: Kept,
    /// What was recorded.
    pub recording: Recording,
    /// The answer, or why there is none.
    pub answer: Result<Response, Failure>,
}

/// One recorded run that answered several requests.
#[derive(Debug)]
pub struct Runs {
    /// The recording's name in the store, and how long the run took.
    pub kept: Kept,
    /// What was recorded.
    pub recording: Recording,
    /// True if every request has a complete answer.
    pub complete: bool,
}

impl Comparator<'_> {
    /// Answers `request` for the work tree at `repo`, and records the run. Durations in the answer are
    /// removed.
    ///
    /// `request` is the driver's format without `repo`, which is filled in. The answer is read
    /// back from the recording, so a live run and its replay judge the same bytes. `unit` is the key
    /// of the unit that is recorded.
    pub fn run_cases(
        &self,
        repo: &Path,
        request: &Value,
        corpus: &str,
        unit: &str,
        store: &Store,
    ) -> Result<Run, RunError> {
        let mut request = request.as_object().cloned().ok_or(RunError::Request)?;
        let repo = std::path::absolute(repo)
            .and_then(std::fs::canonicalize)
            .map_err(|source| RunError::Io { path: repo.to_owned(), source })?;
        request.insert("repo".to_owned(), repo.to_string_lossy().into_owned().into());
        let input = serde_json::to_vec(&request).map_err(|_| RunError::Request)?;
        let mut capture = self.start(&self.spec.definition.run.command, input, &repo)?;
        if !capture.stdout.truncated {
            capture.stdout = whole(durations::without(&capture.stdout.bytes).into_owned());
        }
        let places = self.places(&capture).with("$REPO", &repo);
        let origin = Origin { side: Side::Comparator, corpus, unit };
        let (recording, name) = Recording::write(store, origin, &capture, &places)?;
        let answer = replay(&recording, store)?;
        Ok(Run { kept: Kept::new(name, capture.duration), recording, answer })
    }

    /// Answers one request after another for the work tree at `repo`, each in a fork of a process that has imported
    /// the comparator, and records the run like [`Self::run_cases`]: an answer a line.
    pub fn run_each(
        &self,
        repo: &Path,
        requests: &[Value],
        corpus: &str,
        unit: &str,
        store: &Store,
    ) -> Result<Runs, RunError> {
        let repo = std::path::absolute(repo)
            .and_then(std::fs::canonicalize)
            .map_err(|source| RunError::Io { path: repo.to_owned(), source })?;
        let mut input = String::new();
        for request in requests {
            let mut request = request.as_object().cloned().ok_or(RunError::Request)?;
            request.insert("repo".to_owned(), repo.to_string_lossy().into_owned().into());
            input.push_str(&format!("{}\n", Value::Object(request)));
        }
        let template = &self.spec.definition.run.answer_many;
        let mut capture =
            self.start_inside(template, input.into_bytes(), &repo, &mut |_: &[u8]| ())?;
        if !capture.stdout.truncated {
            let lines = capture.stdout.bytes.split_inclusive(|byte| *byte == b'\n');
            let bytes = lines.flat_map(|line| durations::without(line).into_owned());
            capture.stdout = whole(bytes.collect());
        }
        let places = self.places(&capture).with("$REPO", &repo);
        let origin = Origin { side: Side::Comparator, corpus, unit };
        let (recording, name) = Recording::write(store, origin, &capture, &places)?;
        let complete = are_complete(&recording.capture(store)?, requests.len());
        Ok(Runs { kept: Kept::new(name, capture.duration), recording, complete })
    }

    /// Asks the driver what is installed. The capture is returned as well, for the preflight's report.
    pub fn receipt(&self) -> Result<(Capture, Result<Receipt, Failure>), RunError> {
        let capture = self.start(&self.spec.definition.run.receipt, Vec::new(), Path::new("/"))?;
        let receipt = read_receipt(&capture);
        Ok((capture, receipt))
    }

    /// Runs one of the definition's commands without the user's environment variables. The installation
    /// is checked each time; see [`Environment::check`].
    pub fn start(
        &self,
        template: &[String],
        stdin: Vec<u8>,
        cwd: &Path,
    ) -> Result<Capture, RunError> {
        self.launch(template, Input::Bytes(stdin), cwd, BTreeMap::new(), &mut |_| ())
    }

    /// Like [`Self::start`], for a command that uses the comparator without the driver: in the
    /// environment that the driver gives to the comparator, with a home folder of its own. `observe`
    /// gets standard output piece by piece.
    pub fn start_inside(
        &self,
        template: &[String],
        stdin: Vec<u8>,
        cwd: &Path,
        observe: &mut dyn FnMut(&[u8]),
    ) -> Result<Capture, RunError> {
        self.launch(template, Input::Bytes(stdin), cwd, self.inside(), observe)
    }

    /// Like [`Self::start_inside`], for a command that answers one question after another: its standard
    /// input is `questions`, the reading end of a pipe.
    pub fn converse_inside(
        &self,
        template: &[String],
        questions: Arc<File>,
        cwd: &Path,
        observe: &mut dyn FnMut(&[u8]),
    ) -> Result<Capture, RunError> {
        self.launch(template, Input::Pipe(questions), cwd, self.inside(), observe)
    }

    /// The variables that the driver gives to the comparator.
    fn inside(&self) -> BTreeMap<String, String> {
        let mut given = self.spec.definition.environment.clone();
        given.insert("PYTHONHASHSEED".to_owned(), "0".to_owned());
        given
    }

    fn launch(
        &self,
        template: &[String],
        input: Input,
        cwd: &Path,
        given: BTreeMap<String, String>,
        observe: &mut dyn FnMut(&[u8]),
    ) -> Result<Capture, RunError> {
        self.environment.check(self.spec)?;
        let in_folder = |source| RunError::Io { path: self.spec.path.clone(), source };
        let folder = std::path::absolute(&self.spec.path).map_err(in_folder)?;
        let strangers = self.spec.strangers().map_err(in_folder)?.join(", ");
        if !strangers.is_empty() {
            return Err(RunError::Strangers { folder, strangers });
        }
        let values = [("python", self.environment.python.as_path()), ("room", folder.as_path())];
        let mut command = ComparatorSpec::fill(template, &values).into_iter();
        let program = PathBuf::from(command.next().unwrap_or_default());
        // Everything that a killed driver leaves is removed with this folder.
        let scratch = Scratch::new("comparator")
            .map_err(|source| RunError::Io { path: std::env::temp_dir(), source })?;
        let run = &self.spec.definition.run;
        let folder = scratch.path().to_string_lossy().into_owned();
        let mut env = BTreeMap::from([
            ("PATH".to_owned(), search_path()),
            ("TMPDIR".to_owned(), folder.clone()),
        ]);
        env.retain(|name, _| run.pass_environment.contains(name));
        if !given.is_empty() {
            env.insert("HOME".to_owned(), folder);
            env.extend(given);
        }
        let (stdin, held_file) = match input {
            Input::Bytes(bytes) => (bytes, None),
            Input::Pipe(pipe) => (Vec::new(), Some(pipe)),
        };
        let invocation = Invocation {
            args: command.collect(),
            env,
            stdin,
            held_file,
            deadline: Duration::from_secs(run.timeout_seconds),
            max_stdout: run.max_output_bytes,
            max_stderr: MAX_TALK,
            ..Invocation::new(program, cwd)
        };
        let mut capture = process::run_observed(&invocation, observe)?;
        if !capture.stderr.truncated {
            capture.stderr = whole(progress::without(&capture.stderr.bytes).into_owned());
        }
        Ok(capture)
    }

    /// The folders of this machine that a run of the driver may mention.
    fn places(&self, capture: &Capture) -> Places {
        let scratch = capture.env.get("TMPDIR").map_or("", String::as_str);
        let folder = std::path::absolute(&self.spec.path).unwrap_or_default();
        Places::default()
            .with("$TMP", Path::new(scratch))
            .with("$ROOM", &folder)
            .with("$ENVIRONMENT", &self.environment.root)
            // Some answers quote what the comparator printed, which names the driver's temporary folder.
            .with_random("$TMP/parity-aider-")
    }
}

/// Whether a process answered all of so many requests, and each completely.
pub fn are_complete(capture: &Capture, requests: usize) -> bool {
    let complete = |answer: &Result<Response, Failure>| {
        answer.as_ref().is_ok_and(|one| !one.has_failed_cases())
    };
    classify_each(capture)
        .is_ok_and(|answers| answers.len() == requests && answers.iter().all(complete))
}

/// A stream of which nothing is missing.
fn whole(bytes: Vec<u8>) -> Capped {
    let (head, total) = (bytes.len(), bytes.len() as u64);
    Capped { bytes, head, total, truncated: false }
}

/// Judges a recorded run again, with no comparator installed.
pub fn replay(
    recording: &Recording,
    store: &Store,
) -> Result<Result<Response, Failure>, StoreError> {
    Ok(classify(&recording.capture(store)?))
}

fn read_receipt(capture: &Capture) -> Result<Receipt, Failure> {
    if !capture.succeeded() {
        // The receipt has no cases, so a failed one is classified like any other answer.
        return Err(classify(capture)
            .err()
            .unwrap_or_else(|| Failure::Crashed { detail: capture.ending() }));
    }
    serde_json::from_slice(&capture.stdout.bytes).map_err(|error| Failure::Garbage {
        detail: format!("the receipt is not readable: {error}"),
    })
}

/// The usual folders, and the folder of git if that is elsewhere.
fn search_path() -> String {
    let usual = USUAL_PATH.split(':').any(|folder| Path::new(folder).join("git").is_file());
    let own = std::env::var_os("PATH").unwrap_or_default();
    let elsewhere = std::env::split_paths(&own).find(|folder| folder.join("git").is_file());
    match elsewhere.as_deref().and_then(Path::to_str) {
        Some(folder) if !usual => format!("{folder}:{USUAL_PATH}"),
        _ => USUAL_PATH.to_owned(),
    }
}
