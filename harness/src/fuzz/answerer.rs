//! A process of the comparator that answers one request after another.
//!
//! It answers each request in a fork (`comparators/aider/answer_many.py`), so that the imports, which
//! take seconds, are done only once. A new process is started before the limits of the old one are
//! reached.

use std::{
    fs::File,
    io::{self, PipeWriter, Write},
    os::fd::OwnedFd,
    path::Path,
    sync::{
        Arc,
        mpsc::{self, Receiver, RecvTimeoutError},
    },
    thread::JoinHandle,
    time::{Duration, Instant},
};

use record::Capture;
use serde_json::Value;

use crate::{
    comparator::{Comparator, ComparatorSpec, Environment, RunError},
    process,
};

/// How long one process is used. This is less than the time that `comparator.toml` gives a command, by
/// more than one answer can take.
const AGE: Duration = Duration::from_mins(5);
/// The most bytes of answers of one process.
const BYTES: usize = 64 << 20;
/// The longest wait for one answer; the process itself gives up earlier.
const ANSWER: Duration = Duration::from_mins(3);

/// Why the comparator gave no answer of any kind.
#[derive(Debug, thiserror::Error)]
pub enum AnswererError {
    /// It could not be run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The pipe to it failed.
    #[error("cannot ask the comparator: {0}")]
    Pipe(io::Error),
    /// It ended before it answered.
    #[error("the comparator {ending} before it answered:\n{talk}")]
    Ended {
        /// How it ended.
        ending: String,
        /// The end of its standard error.
        talk: String,
    },
    /// The user interrupted it.
    #[error("interrupted; run the same command again")]
    Interrupted,
}

/// The comparator, started on demand.
#[derive(Debug)]
pub struct Answerer {
    spec: Arc<ComparatorSpec>,
    environment: Arc<Environment>,
    live: Option<Live>,
}

/// One running process of it.
#[derive(Debug)]
struct Live {
    questions: PipeWriter,
    answers: Receiver<Vec<u8>>,
    thread: JoinHandle<Result<Capture, RunError>>,
    started: Instant,
    answered: usize,
}

impl Answerer {
    /// A comparator that is started by the first request.
    pub fn new(spec: ComparatorSpec, environment: Environment) -> Self {
        Self { spec: Arc::new(spec), environment: Arc::new(environment), live: None }
    }

    /// The bytes of the driver's response to a request, which must name the folder of its repository.
    ///
    /// # Errors
    /// The comparator cannot be run, or ends without an answer. A request on which it fails is not an
    /// error: the answer says so.
    pub fn ask(&mut self, request: &Value) -> Result<Vec<u8>, AnswererError> {
        let worn = |live: &Live| live.started.elapsed() > AGE || live.answered > BYTES;
        if self.live.as_ref().is_some_and(worn) {
            self.live = None;
        }
        let live = match self.live.take() {
            Some(live) => live,
            None => self.start()?,
        };
        let live = self.live.insert(live);
        let asked = Instant::now();
        if live.questions.write_all(format!("{request}\n").as_bytes()).is_err() {
            return Err(self.ended());
        }
        loop {
            match live.answers.recv_timeout(Duration::from_millis(100)) {
                Ok(answer) => {
                    live.answered += answer.len();
                    return Ok(answer);
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
                Err(RecvTimeoutError::Timeout) if process::interrupted() => {
                    return Err(AnswererError::Interrupted);
                }
                Err(RecvTimeoutError::Timeout) if asked.elapsed() > ANSWER => {
                    return Err(self.ended());
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    fn start(&self) -> Result<Live, AnswererError> {
        let (reader, questions) = io::pipe().map_err(AnswererError::Pipe)?;
        let (sender, answers) = mpsc::channel();
        let (spec, environment) = (Arc::clone(&self.spec), Arc::clone(&self.environment));
        let thread = std::thread::spawn(move || {
            let comparator = Comparator { spec: &spec, environment: &environment };
            let template = &spec.definition.run.answer_many;
            let questions = Arc::new(File::from(OwnedFd::from(reader)));
            let mut line = Vec::new();
            comparator.converse_inside(template, questions, Path::new("/"), &mut |piece| {
                for part in piece.split_inclusive(|byte| *byte == b'\n') {
                    line.extend_from_slice(part);
                    if part.ends_with(b"\n") {
                        // The send fails only if the process was given up and nobody waits for the
                        // answer.
                        sender.send(std::mem::take(&mut line)).ok();
                    }
                }
            })
        });
        Ok(Live { questions, answers, thread, started: Instant::now(), answered: 0 })
    }

    /// Why the running process ended.
    fn ended(&mut self) -> AnswererError {
        let Some(live) = self.live.take() else { return AnswererError::Interrupted };
        // Closing the questions makes the process end.
        drop(live.questions);
        match live.thread.join() {
            Ok(Ok(_)) if process::interrupted() => AnswererError::Interrupted,
            Ok(Ok(capture)) => {
                AnswererError::Ended { ending: capture.ending(), talk: capture.stderr_tail(5) }
            }
            Ok(Err(error)) => error.into(),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
}
