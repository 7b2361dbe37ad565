//! Asking an oracle in batches, so that a virtual machine is started rarely. A file that crashes the
//! front end loses only its own labels.

use std::{collections::BTreeMap, path::Path, time::Duration};

use record::Stop;

use super::{Answer, AnswerError, Installed};
use crate::process::{self, Invocation, ProcessError};

/// The number of files in a batch.
const BATCH: usize = 400;
/// Longest time for one batch.
const DEADLINE: Duration = Duration::from_mins(10);
/// Most bytes of one batch's answers.
const OUTPUT: usize = 1 << 30;
/// The number of files in one request that may crash the front end before the oracle counts as broken.
const MAX_DEAD: usize = 25;

/// An oracle could not be asked.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// It could not be started.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// It printed something other than answers.
    #[error(transparent)]
    Answer(#[from] AnswerError),
    /// It answered about a file that was not in the request.
    #[error("the oracle {oracle} answered about {file}, which was not asked for")]
    Stranger {
        /// The oracle.
        oracle: String,
        /// The file.
        file: String,
    },
    /// It failed on too many files.
    #[error("the oracle {oracle} {ending} on {file} and on many files before it:\n{talk}")]
    Broken {
        /// The oracle.
        oracle: String,
        /// How it ended the last time.
        ending: String,
        /// The file that it failed on last.
        file: String,
        /// The end of its standard error.
        talk: String,
    },
    /// The user stopped it.
    #[error("interrupted; run the same command again")]
    Interrupted,
}

/// What an oracle is asked to look for.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// The language or format, for an oracle that serves several.
    pub language: &'a str,
    /// The salt of digests, for an oracle of formats.
    pub salt: &'a str,
}

/// The answers to one request.
#[derive(Debug, Default)]
pub struct Asked {
    /// One answer for each file, by its name.
    pub answers: BTreeMap<String, Answer>,
}

/// Asks about files below `root`. `progress` is called with the number of files of each finished batch.
///
/// # Errors
/// The oracle cannot be started, prints something other than answers, or fails on too many files.
pub fn ask(
    oracle: &Installed,
    subject: Subject,
    root: &Path,
    files: &[String],
    progress: &mut dyn FnMut(usize),
) -> Result<Asked, AskError> {
    let mut asked = Asked::default();
    let mut dead = 0;
    for batch in files.chunks(BATCH) {
        let mut open = batch.to_vec();
        while !open.is_empty() {
            let capture = process::run(&invocation(oracle, subject, root, &open))?;
            if capture.stopped == Some(Stop::Interrupt) {
                return Err(AskError::Interrupted);
            }
            let answered = read(oracle, &capture, &open, &mut asked)?;
            open.retain(|file| !asked.answers.contains_key(file));
            // The answers come in the order of the questions, so the first file without an answer is
            // the one that ended the front end.
            let Some(file) = open.first().cloned() else { break };
            if capture.stopped == Some(Stop::Deadline) && answered > 0 {
                // Not this file but the whole batch took too long, so the rest is asked again: which
                // files are labelled must not depend on the speed of the machine.
                continue;
            }
            dead += 1;
            if dead > MAX_DEAD || answered == 0 && dead > 2 {
                return Err(AskError::Broken {
                    oracle: oracle.spec.name(),
                    ending: capture.ending(),
                    file,
                    talk: capture.stderr_tail(8),
                });
            }
            let why = match capture.stopped {
                Some(Stop::Deadline) => "timeout",
                _ if capture.succeeded() => "no_answer",
                _ => "crash",
            };
            let answer = Answer { file: file.clone(), oracle: String::new(), outcome: Err(why) };
            asked.answers.insert(file, answer);
            open.remove(0);
        }
        progress(batch.len());
    }
    Ok(asked)
}

fn invocation(oracle: &Installed, subject: Subject, root: &Path, files: &[String]) -> Invocation {
    let fill = |word: &String| {
        word.replace("{language}", subject.language).replace("{salt}", subject.salt)
    };
    let mut words = oracle.argv.iter().map(fill);
    let program = words.next().unwrap_or_default();
    let mut invocation = Invocation::new(program, &oracle.folder).inherit_env();
    super::install::clean(&mut invocation);
    let modules = oracle.folder.join("node_modules");
    invocation.env.insert("NODE_PATH".to_owned(), modules.to_string_lossy().into_owned());
    invocation.env.extend(oracle.env.clone());
    invocation = invocation.args(words).args(["--root".to_owned(), root.to_string_lossy().into()]);
    invocation.stdin = files.iter().flat_map(|file| [file.as_bytes(), b"\n"].concat()).collect();
    invocation.deadline = DEADLINE;
    invocation.max_stdout = OUTPUT;
    invocation
}

/// Adds the answers on the complete lines of an output; returns how many there were.
fn read(
    oracle: &Installed,
    capture: &record::Capture,
    files: &[String],
    asked: &mut Asked,
) -> Result<usize, AskError> {
    let mut bytes = capture.stdout.bytes.as_slice();
    if capture.stdout.truncated {
        bytes = bytes.get(..capture.stdout.head).unwrap_or_default();
    }
    if !capture.succeeded() {
        // The last line of a front end that was killed may be incomplete.
        let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        bytes = bytes.get(..end).unwrap_or_default();
    }
    let mut count = 0;
    for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let answer = Answer::parse(line)?;
        if !files.contains(&answer.file) {
            return Err(AskError::Stranger { oracle: oracle.spec.name(), file: answer.file });
        }
        asked.answers.insert(answer.file.clone(), answer);
        count += 1;
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use std::{os::unix::fs::PermissionsExt, path::Path};

    use super::{AskError, Asked, Subject, ask};
    use crate::oracle::{Installed, OracleSpec, Programs, install};

    /// An oracle whose program is the shell script `body`, run once for each line.
    fn oracle(folder: &Path, body: &str) -> Installed {
        let here = folder.join("fake");
        std::fs::create_dir_all(&here).unwrap();
        std::fs::write(
            here.join("oracle.toml"),
            "name = \"x\"\nversion = \"1\"\nlanguages = [\"x\"]\nvisibility = \"none\"\n\
             files = [\"a.sh\"]\n[install]\nclient = \"none\"\n[command]\nargv = [\"{here}/a.sh\"]\n",
        )
        .unwrap();
        let script = format!("#!/bin/sh\nwhile read -r file; do {body}; done\n");
        std::fs::write(here.join("a.sh"), script).unwrap();
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(here.join("a.sh"), mode).unwrap();
        let spec = OracleSpec::open(&here).unwrap();
        install(&spec, &folder.join("cache"), &mut Programs::default(), &mut |_| ()).unwrap()
    }

    fn run(body: &str, files: &[&str]) -> Result<Asked, AskError> {
        let folder = tempfile::tempdir().unwrap();
        let files: Vec<String> = files.iter().map(|file| (*file).to_owned()).collect();
        ask(
            &oracle(folder.path(), body),
            Subject { language: "x", salt: "" },
            folder.path(),
            &files,
            &mut |_| (),
        )
    }

    const SAY: &str = r#"printf '{"file":"%s","oracle":"x"}\n' "$file""#;

    #[test]
    fn every_file_is_answered_and_one_that_kills_costs_only_itself() {
        let body = format!(r#"[ "$file" = bad ] && kill -9 $$; {SAY}"#);
        let asked = run(&body, &["a", "bad", "b", "c"]).unwrap();
        let failed: Vec<&str> = asked
            .answers
            .values()
            .filter(|answer| answer.outcome.is_err())
            .map(|answer| answer.file.as_str())
            .collect();
        assert_eq!((asked.answers.len(), failed), (4, vec!["bad"]));
    }

    #[test]
    fn garbage_strangers_and_a_broken_front_end_are_errors() {
        assert!(matches!(run("echo oops", &["a"]), Err(AskError::Answer(_))));
        let stranger = r#"printf '{"file":"other","oracle":"x"}\n'"#;
        assert!(matches!(run(stranger, &["a"]), Err(AskError::Stranger { .. })));
        assert!(matches!(run("exit 3", &["a", "b", "c", "d"]), Err(AskError::Broken { .. })));
    }
}
