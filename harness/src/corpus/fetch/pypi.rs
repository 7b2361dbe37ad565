//! Python source distributions and wheels, with `unearth` from a small locked environment: it only
//! resolves and downloads, whereas pip would run the build code of the package.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use duct::{Expression, cmd};
use record::digest;

use crate::corpus::{
    disk,
    fetch::{
        client::{Client, ClientError, DEADLINE},
        delivered,
    },
    lock::{Kind, Row},
};

/// The locked content of the environment: exact versions with digests.
const REQUIREMENTS: &str = include_str!("../../../../corpora/tools-requirements.txt");
/// The interpreters that are tried, best first.
const INTERPRETERS: [&str; 4] = ["python3.12", "python3.11", "python3.10", "python3"];
/// Ends well if the interpreter is new enough and can make environments.
const PROBE: &str = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))";
/// Longest time that a probe of an interpreter may take.
const PROBE_DEADLINE: Duration = Duration::from_secs(20);

const PYTHON: Client = Client {
    name: "python3",
    install: "install Python 3.10 to 3.12 with venv (Debian: apt install python3-venv)",
};
const PIP: Client = Client { name: "pip", install: PYTHON.install };
const UNEARTH: Client = Client { name: "unearth", install: PYTHON.install };

/// Downloads the source distribution or the wheel of `row` into `into`; the environment of the
/// client stays in `cache`.
pub fn download(row: &Row, cache: &Path, into: &Path) -> Result<PathBuf, ClientError> {
    let python = environment(cache)?;
    let wanted = format!("{}=={}", row.package, row.version);
    let command = match platforms(row) {
        None => cmd!(python, "-I", "-m", "unearth", "--no-binary", "-d", into, wanted),
        Some(platforms) => cmd!(
            python,
            "-I",
            "-m",
            "unearth",
            "--only-binary",
            "--platforms",
            platforms,
            "-d",
            into,
            wanted
        ),
    };
    UNEARTH.run(&clean(&command), into, DEADLINE)?;
    delivered(UNEARTH.name, into, &row.artifact)
}

/// The platforms that a wheel is for, as the end of its name lists them; `None` for other kinds. Naming
/// them makes every machine download the locked file instead of the one that suits it.
fn platforms(row: &Row) -> Option<String> {
    let stem = row.artifact.strip_suffix(".whl").filter(|_| row.kind == Kind::Wheel)?;
    Some(stem.rsplit('-').next().unwrap_or("any").replace('.', ","))
}

/// The Python interpreter of the environment, which is made on first use. The folder of the environment
/// is named after the digest of its content and appears complete or not at all.
fn environment(cache: &Path) -> Result<PathBuf, ClientError> {
    let key = digest::sha256(REQUIREMENTS);
    let home = cache.join("tools").join(&key);
    let python = home.join("bin").join("python");
    if python.exists() {
        return Ok(python);
    }
    let _lock = disk::lock(&cache.join("locks").join(format!("tools-{key}")))?;
    if python.exists() {
        return Ok(python);
    }
    // Reached if the environment is absent, or if the interpreter that it was made with was uninstalled.
    disk::remove_tree(&home)?;
    let temporary = cache.join("tmp").join(format!("tools-{key}"));
    disk::fresh_dir(&temporary)?;
    let built = build(&temporary).and_then(|venv| {
        disk::create_dir(&cache.join("tools"))?;
        Ok(disk::publish(&venv, &home)?)
    });
    disk::remove_tree(&temporary)?;
    built.map(|()| python)
}

fn build(folder: &Path) -> Result<PathBuf, ClientError> {
    let venv = folder.join("venv");
    let requirements = folder.join("requirements.txt");
    disk::write(&requirements, REQUIREMENTS)?;
    let make = cmd!(interpreter(folder)?, "-I", "-m", "venv", &venv);
    PYTHON.run(&clean(&make), folder, DEADLINE)?;
    let install = cmd!(
        venv.join("bin").join("python"),
        "-I",
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-input",
        "--no-deps",
        "--retries=1",
        "--require-hashes",
        "--only-binary=:all:",
        "--requirement",
        requirements
    );
    PIP.run(&clean(&install), folder, DEADLINE)?;
    Ok(venv)
}

fn interpreter(folder: &Path) -> Result<&'static str, ClientError> {
    for name in INTERPRETERS {
        let probe = cmd!(name, "-I", "-c", PROBE);
        if PYTHON.run(&clean(&probe), folder, PROBE_DEADLINE).is_ok() {
            return Ok(name);
        }
    }
    Err(PYTHON.missing())
}

/// Removes the settings that would direct an installation elsewhere or into another environment.
fn clean(command: &Expression) -> Expression {
    ["PIP_TARGET", "PIP_PREFIX", "PIP_USER", "PIP_REQUIRE_VIRTUALENV", "PIP_NO_BINARY"]
        .iter()
        .fold(command.env_remove("VIRTUAL_ENV"), |command, name| command.env_remove(name))
}

#[cfg(test)]
mod tests {
    use super::platforms;
    use crate::corpus::fixture::sample_row;
    use crate::corpus::lock::{Kind, Row};

    #[test]
    fn the_platforms_of_a_wheel_are_in_its_name() {
        let wheel = |artifact: &str| {
            platforms(&Row { kind: Kind::Wheel, artifact: artifact.to_owned(), ..sample_row() })
        };
        assert_eq!(wheel("a-1-py3-none-any.whl").as_deref(), Some("any"));
        let two = wheel("a-1-py2.py3-none-manylinux_2_12_x86_64.musllinux_1_1_x86_64.whl");
        assert_eq!(two.as_deref(), Some("manylinux_2_12_x86_64,musllinux_1_1_x86_64"));
        assert_eq!(platforms(&sample_row()), None);
    }
}
