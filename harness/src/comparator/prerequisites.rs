//! The programs a run needs, checked before anything is downloaded.

use std::time::Duration;

use record::exit;

use super::{
    definition::Install,
    environment::has_uv,
    preflight::{Check, Preflight},
    python,
};
use crate::process::{self, Invocation};

/// A program that must be installed, under any of its names.
struct Program {
    name: &'static str,
    candidates: &'static [&'static str],
    /// A variable that names the program instead.
    variable: Option<&'static str>,
    fix: &'static str,
}

const GIT: Program = Program {
    name: "git",
    candidates: &["git"],
    variable: None,
    fix: "Debian, Ubuntu: apt install git · macOS: xcode-select --install",
};
const COMPILER: Program = Program {
    name: "C compiler",
    candidates: &["cc", "gcc", "clang"],
    variable: Some("CC"),
    fix: "Debian, Ubuntu: apt install build-essential · macOS: xcode-select --install",
};
const CARGO: Program = Program {
    name: "cargo",
    candidates: &["cargo"],
    variable: Some("CARGO"),
    fix: "install Rust with rustup",
};
const NPM: Program = Program {
    name: "npm",
    candidates: &["npm"],
    variable: None,
    fix: "Debian, Ubuntu: apt install npm · macOS: brew install node",
};

/// Checks every prerequisite instead of stopping at the first that is missing. `npm` says whether a
/// corpus of this run comes from that registry.
pub fn check(install: &Install, npm: bool) -> Preflight {
    let override_program = std::env::var(python::OVERRIDE).ok().filter(|name| !name.is_empty());
    let mut checks: Vec<Check> = [&GIT, &COMPILER, &CARGO].into_iter().map(check_program).collect();
    if npm {
        checks.push(check_program(&NPM));
    }
    checks.push(check_python(install, override_program.as_deref()));
    Preflight { checks }
}

fn check_program(program: &Program) -> Check {
    let named =
        program.variable.and_then(|name| std::env::var(name).ok()).filter(|name| !name.is_empty());
    let candidates = named.iter().map(String::as_str).chain(program.candidates.iter().copied());
    let found = candidates.into_iter().find_map(version_line);
    let check = Check::new(program.name, "any version", exit::SETUP).fix(program.fix);
    match found {
        Some(version) => check.found(&version).pass(),
        None => check.found("not found"),
    }
}

fn check_python(install: &Install, override_program: Option<&str>) -> Check {
    let check = Check::new("python", &install.python.join(" or "), exit::SETUP);
    // uv needs no pip, so the modules that install pip are required only without uv.
    match python::find(install, override_program, !has_uv()) {
        Ok(python) => {
            check.found(&format!("{} ({})", python.version, python.program.display())).pass()
        }
        Err(error) => {
            let text = error.to_string();
            let (found, fix) = text.split_once('\n').unwrap_or((text.as_str(), ""));
            check.found(found).fix(fix.trim())
        }
    }
}

/// The first line of `program --version`, which shows that it can be run.
fn version_line(program: &str) -> Option<String> {
    let mut invocation = Invocation::new(program, "/").inherit_env().args(["--version"]);
    invocation.deadline = Duration::from_secs(20);
    let capture = process::run(&invocation).ok().filter(record::Capture::succeeded)?;
    let text = String::from_utf8_lossy(&capture.stdout.bytes).into_owned();
    let line = text.lines().next()?.trim();
    (!line.is_empty()).then(|| line.to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::definition::aider_spec;
    use super::*;

    const MISSING: Program = Program {
        name: "something",
        candidates: &["no-such-program", "false"],
        variable: None,
        fix: "install something",
    };

    #[test]
    fn a_program_that_prints_no_version_is_missing() {
        let check = check_program(&MISSING);
        assert!(!check.ok);
        assert_eq!((check.exit, check.fix.as_str()), (exit::SETUP, "install something"));
    }

    #[test]
    fn everything_is_checked_although_the_first_fails() {
        let install = aider_spec().definition.install;
        let names = |npm| check(&install, npm).checks.into_iter().map(|check| check.name);
        let all: Vec<_> = names(true).collect();
        assert_eq!(all, ["git", "C compiler", "cargo", "npm", "python"]);
        assert_eq!(names(false).count(), 4);
        assert!(!check_python(&install, Some("no-such-python")).ok);
    }
}
