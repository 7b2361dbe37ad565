//! The programs that an oracle's command needs and that the user must install.

use std::{path::PathBuf, time::Duration};

use crate::process::{self, Invocation};

/// A program that must be installed, under any of its names.
struct Program {
    placeholder: &'static str,
    candidates: &'static [&'static str],
    version: &'static str,
    fix: &'static str,
}

const PROGRAMS: &[Program] = &[
    Program {
        placeholder: "{python}",
        candidates: &["python3.11", "python3"],
        version: "--version",
        fix: "Debian, Ubuntu: apt install python3 python3-venv · macOS: brew install python@3.11",
    },
    Program {
        placeholder: "{node}",
        candidates: &["node", "nodejs"],
        version: "--version",
        fix: "Debian, Ubuntu: apt install nodejs npm · macOS: brew install node",
    },
    Program {
        placeholder: "{npm}",
        candidates: &["npm"],
        version: "--version",
        fix: "Debian, Ubuntu: apt install npm · macOS: brew install node",
    },
    Program {
        placeholder: "{java}",
        candidates: &["java"],
        version: "-version",
        fix: "Debian, Ubuntu: apt install openjdk-17-jdk-headless · macOS: brew install openjdk@17",
    },
    Program {
        placeholder: "{javac}",
        candidates: &["javac"],
        version: "-version",
        fix: "Debian, Ubuntu: apt install openjdk-17-jdk-headless · macOS: brew install openjdk@17",
    },
    Program {
        placeholder: "{cargo}",
        candidates: &["cargo"],
        version: "--version",
        fix: "install Rust with rustup",
    },
    Program {
        placeholder: "{ctags}",
        candidates: &["ctags"],
        version: "--version",
        fix: "Debian, Ubuntu: apt install universal-ctags · macOS: brew install universal-ctags",
    },
    Program {
        placeholder: "{apt}",
        candidates: &["apt-get"],
        version: "--version",
        fix: "this oracle comes from the Debian archive: run it on Debian or in a container of it",
    },
];

/// A program that a command needs is not installed.
#[derive(Debug, thiserror::Error)]
#[error("{program} is not found\n  {fix}")]
pub struct ProgramsError {
    program: &'static str,
    fix: &'static str,
}

/// The programs found so far; each is looked for once.
#[derive(Debug, Default)]
pub struct Programs {
    found: Vec<(&'static str, PathBuf)>,
}

impl Programs {
    /// Replaces every placeholder of a program in one word of a command.
    ///
    /// # Errors
    /// A program is missing.
    pub fn fill(&mut self, word: &str) -> Result<String, ProgramsError> {
        let mut text = word.to_owned();
        for program in PROGRAMS.iter().filter(|program| word.contains(program.placeholder)) {
            let path = self.find(program)?;
            text = text.replace(program.placeholder, &path.to_string_lossy());
        }
        Ok(text)
    }

    /// The path of the program that a placeholder such as `{npm}` stands for.
    ///
    /// # Errors
    /// It is missing.
    pub fn path(&mut self, placeholder: &str) -> Result<PathBuf, ProgramsError> {
        match PROGRAMS.iter().find(|program| program.placeholder == placeholder) {
            Some(program) => self.find(program),
            None => Err(ProgramsError { program: "an unknown program", fix: "" }),
        }
    }

    fn find(&mut self, program: &Program) -> Result<PathBuf, ProgramsError> {
        if let Some((_, path)) = self.found.iter().find(|(name, _)| *name == program.placeholder) {
            return Ok(path.clone());
        }
        let name = program.candidates.iter().find(|name| runs(name, program.version)).ok_or(
            ProgramsError {
                program: program.candidates.last().copied().unwrap_or_default(),
                fix: program.fix,
            },
        )?;
        self.found.push((program.placeholder, PathBuf::from(name)));
        Ok(PathBuf::from(name))
    }
}

/// Whether a program prints its version: version managers put programs on the search path that start
/// nothing.
fn runs(name: &str, argument: &str) -> bool {
    let mut invocation = Invocation::new(name, "/").inherit_env().args([argument]);
    invocation.deadline = Duration::from_secs(20);
    process::run(&invocation).is_ok_and(|capture| capture.succeeded())
}

#[cfg(test)]
mod tests {
    use super::{Program, Programs};

    #[test]
    fn known_programs_are_filled_in_and_a_missing_one_is_named_with_its_fix() {
        let mut programs = Programs::default();
        let filled = programs.fill("{cargo}").unwrap();
        assert_eq!(
            (filled.as_str(), programs.fill("{here}/x").unwrap().as_str()),
            ("cargo", "{here}/x")
        );
        let missing = Program {
            placeholder: "{none}",
            candidates: &["no-such-program"],
            version: "--version",
            fix: "install it",
        };
        let error = programs.find(&missing).unwrap_err().to_string();
        assert!(error.contains("no-such-program") && error.contains("install it"), "{error}");
    }
}
