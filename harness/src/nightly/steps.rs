//! The steps of a night, and the recorded result of each.

use std::{
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
    process::Output,
    time::{Duration, Instant},
};

use record::{Schema, exit, write_atomically};
use serde::{Deserialize, Serialize};

use crate::{Failure, console::talk, moment, process};

/// The steps of this project, from the root of the checkout.
pub const STEPS: &str = "harness/nightly.toml";
/// The folder for the results of steps, below the folder of artifacts.
const LEFT: &str = "nightly";
/// A step that takes longer hangs.
const LONGEST: Duration = Duration::from_hours(24);
/// Runs `$1`, and writes what it prints into the file `$2` as well.
const LOGGED: &str = r#"set -o pipefail; { eval "$1"; } 2>&1 | tee "$2""#;

/// One step, as the file of steps describes it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Its name: small letters, digits and hyphens.
    pub name: String,
    /// What it shows.
    pub what: String,
    /// What bash runs, in the root of the checkout.
    pub command: String,
    /// The file that names the bundle it seals, from the root of the checkout.
    #[serde(default)]
    pub bundle: Option<PathBuf>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Steps {
    step: Vec<Step>,
}

/// The recorded result of a step. While the step runs, and if it was interrupted, `end` is absent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Left {
    /// Schema of this file.
    pub schema_version: Schema<1>,
    /// What was run.
    pub command: String,
    /// The commit of the checkout.
    pub commit: String,
    /// When it began, in UTC.
    pub started_at: String,
    /// How it ended.
    pub end: Option<End>,
}

/// How a step ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct End {
    /// When, in UTC.
    pub finished_at: String,
    /// Wall time in seconds.
    pub seconds: f64,
    /// The exit code; absent if a signal ended it.
    pub exit_code: Option<i32>,
    /// The bundle that its file named then, if the step has such a file. A later step may seal another.
    pub bundle: Option<PathBuf>,
}

/// Reads a file of steps.
///
/// # Errors
/// The file cannot be read, has no step, has two steps of one name, or has a name that cannot be a file
/// name.
pub fn read(path: &Path) -> Result<Vec<Step>, Failure> {
    let wrong = |why: String| {
        Failure::new(exit::USAGE, format!("{}: {why}; see {STEPS} for what it has", path.display()))
    };
    let text = fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    let steps: Steps = toml::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    if steps.step.is_empty() {
        return Err(wrong("it has no step".to_owned()));
    }
    for (at, step) in steps.step.iter().enumerate() {
        let plain = |c: u8| c.is_ascii_lowercase() || c.is_ascii_digit() || c == b'-';
        if step.name.is_empty() || !step.name.bytes().all(plain) {
            return Err(wrong(format!("{:?} is no name of a step", step.name)));
        }
        if steps.step.iter().take(at).any(|other| other.name == step.name) {
            return Err(wrong(format!("two steps are named {}", step.name)));
        }
    }
    Ok(steps.step)
}

/// Runs a step to its end, whatever the result. Its start replaces the result of an earlier night. What it
/// prints is also kept beside its result.
///
/// # Errors
/// The step cannot be started, its result cannot be written, or the user interrupted it.
pub fn run(root: &Path, artifacts: &Path, commit: &str, step: &Step) -> Result<End, Failure> {
    let mut left = Left {
        schema_version: Schema,
        command: step.command.clone(),
        commit: commit.to_owned(),
        started_at: moment::now(),
        end: None,
    };
    write(artifacts, step, &left)?;
    talk(&format!("nightly: {}: {}", step.name, step.what));
    let log = place(artifacts, step).with_extension("log");
    let began = Instant::now();
    let arguments = ["-c", LOGGED, "nightly", &step.command].map(OsStr::new);
    let arguments = arguments.into_iter().chain([log.as_os_str()]);
    let command = duct::cmd("bash", arguments).dir(root).unchecked();
    let ended = process::finish(&command, LONGEST).map_err(|error| {
        Failure::new(exit::SETUP, format!("bash cannot run {:?}: {error}", step.name))
    })?;
    process::go_on()?;
    let Some(Output { status, .. }) = ended else {
        let why = format!("step {} did not end within a day, and was killed", step.name);
        return Err(Failure::new(exit::INCOMPLETE, why));
    };
    let seconds = (began.elapsed().as_secs_f64() * 10.0).round() / 10.0;
    let bundle = step.bundle.as_ref().and_then(|pointer| {
        let path = fs::read_to_string(root.join(pointer)).ok()?;
        Some(PathBuf::from(path.trim_end()))
    });
    let end = End { finished_at: moment::now(), seconds, exit_code: status.code(), bundle };
    if !status.success() {
        talk(&format!(
            "nightly: {} failed ({status}); its output is in {}",
            step.name,
            log.display()
        ));
    }
    left.end = Some(end.clone());
    write(artifacts, step, &left)?;
    Ok(end)
}

/// The recorded result of a step; `None` if it never began.
///
/// # Errors
/// The result exists but cannot be read.
pub fn left(artifacts: &Path, step: &Step) -> Result<Option<Left>, Failure> {
    let path = place(artifacts, step);
    let wrong = |why: String| {
        let again = format!("run it again: `parity nightly run --only {}`", step.name);
        Failure::new(exit::IO, format!("{}: {why}; {again}", path.display()))
    };
    match fs::read(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(wrong(error.to_string())),
        Ok(bytes) => {
            serde_json::from_slice(&bytes).map(Some).map_err(|error| wrong(error.to_string()))
        }
    }
}

fn place(artifacts: &Path, step: &Step) -> PathBuf {
    artifacts.join(LEFT).join(format!("{}.json", step.name))
}

fn write(artifacts: &Path, step: &Step, left: &Left) -> Result<(), Failure> {
    let bytes =
        serde_json::to_vec_pretty(left).map_err(|error| Failure::internal(error.to_string()))?;
    write_atomically(&place(artifacts, step), &bytes)
        .map_err(|error| Failure::new(exit::IO, error.to_string()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{STEPS, read};

    #[test]
    fn the_steps_of_this_project_can_be_read_and_bad_ones_are_refused() {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
        let steps = read(&std::path::Path::new(root).join(STEPS)).unwrap();
        let sealing: Vec<_> = steps.iter().filter(|step| step.bundle.is_some()).collect();
        assert_eq!(sealing.len(), 2);
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("steps.toml");
        let one =
            |name: &str| format!("[[step]]\nname = \"{name}\"\nwhat = \"\"\ncommand = \"\"\n");
        for text in
            ["step = []".to_owned(), one("../x"), one(""), one("a") + &one("a"), one("a") + "x = 1"]
        {
            fs::write(&file, &text).unwrap();
            assert!(read(&file).is_err(), "{text}");
        }
        fs::write(&file, one("a-1")).unwrap();
        assert_eq!(read(&file).unwrap().len(), 1);
    }
}
