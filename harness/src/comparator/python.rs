//! Finds a Python interpreter that can make the comparator's private environment.

use std::{path::PathBuf, time::Duration};

use super::definition::Install;
use crate::process::{self, Invocation};

/// The variable that names an interpreter to use instead of those on the search path.
pub const OVERRIDE: &str = "PARITY_PYTHON";

/// Prints what is needed to judge an interpreter: its version and the modules it lacks. Distributions
/// package `venv` and `ensurepip` separately; without them an interpreter fails only when they are
/// used.
const PROBE: &str = "import sys, importlib.util as u; \
    print('.'.join(map(str, sys.version_info[:3])), \
    ','.join(m for m in ('venv', 'ensurepip') if u.find_spec(m) is None) or '-', sys.executable)";

/// A suitable interpreter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Python {
    /// How it was asked for: a name on the search path or a path.
    pub asked: String,
    /// The program itself.
    pub program: PathBuf,
    /// Its full version, such as `3.11.7`.
    pub version: String,
}

impl Python {
    /// The part of the version that decides compatibility, such as `3.11`.
    pub fn minor(&self) -> String {
        self.version.split('.').take(2).collect::<Vec<_>>().join(".")
    }
}

/// Why there is no suitable interpreter.
#[derive(Debug, thiserror::Error)]
pub enum PythonError {
    /// None of the candidates has a suitable version.
    #[error(
        "no suitable python: {tried}; it must be one of {wanted}\n  \
         Debian, Ubuntu: apt install python{reference} python{reference}-venv · \
         macOS: brew install python@{reference} · \
         anywhere: uv python install {reference}, then export {OVERRIDE}=$(uv python find {reference})"
    )]
    NotFound {
        /// Every candidate with the reason why it was rejected.
        tried: String,
        /// The suitable versions.
        wanted: String,
        /// The version that recordings come from.
        reference: String,
    },
    /// There is one with a suitable version, but it cannot make environments.
    #[error(
        "{program} ({version}) lacks the module {missing}\n  Debian, Ubuntu: apt install python{minor}-venv"
    )]
    NoVenv {
        /// The interpreter.
        program: String,
        /// Its version.
        version: String,
        /// Its minor version.
        minor: String,
        /// The missing modules.
        missing: String,
    },
}

/// Finds an interpreter: only the override if it is set, else the first suitable one of the reference
/// version, the default `python3` and the other versions. `with_pip` says whether the environment needs
/// its own pip.
pub fn find(
    install: &Install,
    override_program: Option<&str>,
    with_pip: bool,
) -> Result<Python, PythonError> {
    let mut lacking = None;
    let mut tried = Vec::new();
    for asked in candidates(install, override_program) {
        let (python, missing) = match probe(&asked) {
            Ok(found) => found,
            Err(reason) => {
                tried.push(format!("{asked} ({reason})"));
                continue;
            }
        };
        if !install.python.contains(&python.minor()) {
            tried.push(format!("{asked} (is {})", python.version));
            continue;
        }
        let missing: Vec<_> =
            missing.into_iter().filter(|module| with_pip || module != "ensurepip").collect();
        if missing.is_empty() {
            return Ok(python);
        }
        lacking.get_or_insert_with(|| PythonError::NoVenv {
            minor: python.minor(),
            program: asked,
            version: python.version,
            missing: missing.join(" and "),
        });
    }
    Err(lacking.unwrap_or_else(|| PythonError::NotFound {
        tried: tried.join(", "),
        wanted: install.python.join(", "),
        reference: install.python_reference.clone(),
    }))
}

fn candidates(install: &Install, override_program: Option<&str>) -> Vec<String> {
    if let Some(program) = override_program {
        return vec![program.to_owned()];
    }
    let named = |minor: &String| format!("python{minor}");
    let mut names = vec![named(&install.python_reference), "python3".to_owned()];
    names.extend(
        install.python.iter().map(named).filter(|name| *name != names[0]).collect::<Vec<_>>(),
    );
    names
}

/// Asks a candidate for its version and its missing modules. Running it is the only reliable test:
/// version managers put programs on the search path that start nothing.
fn probe(asked: &str) -> Result<(Python, Vec<String>), String> {
    let mut invocation = Invocation::new(asked, "/").inherit_env().args(["-I", "-c", PROBE]);
    invocation.deadline = Duration::from_secs(20);
    let capture = process::run(&invocation).map_err(|_| "not found".to_owned())?;
    if !capture.succeeded() {
        return Err(capture.ending());
    }
    let text = String::from_utf8_lossy(&capture.stdout.bytes).trim().to_owned();
    let mut parts = text.splitn(3, ' ');
    let (Some(version), Some(missing), Some(program)) = (parts.next(), parts.next(), parts.next())
    else {
        return Err("does not answer like python".to_owned());
    };
    let python =
        Python { asked: asked.to_owned(), program: program.into(), version: version.to_owned() };
    let missing = missing.split(',').filter(|module| *module != "-").map(str::to_owned).collect();
    Ok((python, missing))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::super::definition::aider_spec;
    use super::*;

    fn install() -> Install {
        aider_spec().definition.install
    }

    /// A program that answers the probe with `line`.
    fn fake(folder: &std::path::Path, line: &str) -> String {
        let path = folder.join("python");
        std::fs::write(&path, format!("#!/bin/sh\necho {line}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path.to_str().unwrap().to_owned()
    }

    #[test]
    fn the_reference_version_is_asked_first_and_none_twice() {
        let names = candidates(&install(), None);
        assert_eq!(names, ["python3.11", "python3", "python3.10", "python3.12"]);
        assert_eq!(candidates(&install(), Some("/opt/python")), ["/opt/python"]);
    }

    #[test]
    fn an_interpreter_that_is_too_new_is_named_with_the_install_line() {
        let folder = tempfile::tempdir().unwrap();
        let program = fake(folder.path(), "3.13.0 - /usr/bin/python3");
        let error = find(&install(), Some(&program), true).unwrap_err().to_string();
        assert!(error.contains("is 3.13.0") && error.contains("apt install python3.11"), "{error}");
    }

    #[test]
    fn a_missing_program_and_one_that_starts_nothing_are_no_candidates() {
        let error = find(&install(), Some("no-such-python"), true).unwrap_err().to_string();
        assert!(error.contains("no-such-python (not found)"), "{error}");
        let error = find(&install(), Some("false"), true).unwrap_err().to_string();
        assert!(error.contains("exit code 1"), "{error}");
    }

    #[test]
    fn pip_is_needed_only_without_uv() {
        let folder = tempfile::tempdir().unwrap();
        let program = fake(folder.path(), "3.12.3 ensurepip /usr/bin/python3.12");
        let error = find(&install(), Some(&program), true).unwrap_err();
        assert!(matches!(error, PythonError::NoVenv { .. }));
        assert!(error.to_string().contains("apt install python3.12-venv"), "{error}");
        assert_eq!(find(&install(), Some(&program), false).unwrap().version, "3.12.3");
    }
}
