//! Debian artifacts, with `apt-get` under a configuration of our own: the system's package
//! lists, caches and hooks are neither used nor touched, and nothing is installed.
//!
//! The address of the archive is not fixed here: it is read from the machine's own apt sources.

use std::{
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::Duration,
};

use duct::{Expression, cmd};

use crate::{
    corpus::{
        disk,
        fetch::{
            client::{Client, ClientError, DEADLINE},
            delivered,
        },
        lock::{Kind, Packing, Row},
    },
    process::{self, Invocation},
};

/// The release that all Debian rows come from, without its updates, which replace versions.
const RELEASE: &str = "bookworm";
/// The architecture of the locked binary packages.
const ARCHITECTURE: &str = "amd64";
/// Longest time that a check of the programs or a look at the apt sources may take.
const PROBE_DEADLINE: Duration = Duration::from_secs(20);

/// Parts of messages by which apt says that the archive does not have a version.
const GONE: [&str; 5] = [
    "404  Not Found",
    "Unable to find a source package",
    "Unable to locate package",
    "was not found",
    "Can't find a source to download",
];

const APT: Client = Client { name: "apt-get", install: "Debian corpora need a Debian system" };
const XZ: Client = Client { name: "xz", install: "install it (Debian: apt install xz-utils)" };
const DPKG: Client = Client { name: "dpkg-deb", install: APT.install };

/// The outcome of this process's index update, which is made once for all rows.
static INDEX: Mutex<Option<Result<(), String>>> = Mutex::new(None);

/// Downloads the source archive or the binary package of `row` into `into`; the package lists
/// stay in `cache`.
pub fn download(row: &Row, cache: &Path, into: &Path) -> Result<PathBuf, ClientError> {
    // The program that unpacks the artifact is checked now, while the row can still be skipped.
    APT.run(&cmd!(APT.name, "--version"), into, PROBE_DEADLINE)?;
    match row.form().packing {
        Packing::Deb => DPKG.run(&cmd!("dpkg-deb", "--version"), into, PROBE_DEADLINE)?,
        Packing::XzTar => XZ.run(&cmd!("xz", "--version"), into, PROBE_DEADLINE)?,
        Packing::GzipTar | Packing::ZstdTar | Packing::Zip => {}
    }
    let home = cache.join("tools").join(format!("apt-{RELEASE}"));
    let configuration = home.join("apt.conf");
    index(&home, &configuration, into)?;
    let wanted = format!("{}={}", row.package, row.version);
    let source = |part: &str| {
        apt(&configuration, &["source", "--download-only", part, "--only-source"], &wanted)
    };
    let command = match row.kind {
        // Of a source package upstream's archive is locked, and for tasks Debian's changes.
        Kind::Source => source("--tar-only"),
        Kind::Patches => source("--diff-only"),
        _ => apt(&configuration, &["download"], &wanted),
    };
    APT.run(&command, into, DEADLINE).map_err(gone)?;
    delivered(APT.name, into, &row.artifact)
}

/// Turns the failure for a version that the archive no longer has into [`ClientError::Gone`].
fn gone(error: ClientError) -> ClientError {
    match error {
        ClientError::Failed { client, said, .. } if GONE.iter().any(|part| said.contains(part)) => {
            ClientError::Gone { client, said }
        }
        other => other,
    }
}

fn apt(configuration: &Path, arguments: &[&str], wanted: &str) -> Expression {
    let options = ["--config-file".into(), configuration.as_os_str().to_owned(), "--quiet".into()];
    let rest = arguments.iter().map(Into::into).chain([wanted.into()]);
    cmd(APT.name, options.into_iter().chain(rest)).env("LC_ALL", "C.UTF-8")
}

/// Updates the package lists, once per process.
fn index(home: &Path, configuration: &Path, scratch: &Path) -> Result<(), ClientError> {
    let mut state = INDEX.lock().unwrap_or_else(PoisonError::into_inner);
    match &*state {
        Some(Ok(())) => return Ok(()),
        Some(Err(said)) => {
            return Err(ClientError::Unreachable { client: APT.name, said: said.clone() });
        }
        None => {}
    }
    let _lock = disk::lock(&home.with_extension("lock"))?;
    for folder in ["sources", "lists/partial", "cache/archives/partial"] {
        disk::create_dir(&home.join(folder))?;
    }
    disk::write(configuration, configure(home))?;
    disk::write(&home.join("sources").join("archive.sources"), sources(&archive(scratch)?))?;
    let update = cmd!(APT.name, "--config-file", configuration, "--quiet", "update")
        .env("LC_ALL", "C.UTF-8");
    let updated = APT.run(&update, scratch, DEADLINE);
    *state = Some(match &updated {
        Ok(()) => Ok(()),
        Err(error) => Err(error.to_string()),
    });
    updated
}

/// Asks apt for the address of the release among the machine's own sources.
fn archive(scratch: &Path) -> Result<String, ClientError> {
    let failed = |status: &str, said: String| ClientError::Failed {
        client: APT.name,
        status: status.to_owned(),
        said,
    };
    let invocation = Invocation::new(APT.name, scratch).inherit_env().args([
        "indextargets",
        "--format",
        "$(RELEASE) $(COMPONENT) $(REPO_URI)",
    ]);
    let capture =
        process::run(&invocation).map_err(|error| failed("not started", error.to_string()))?;
    if !capture.succeeded() {
        return Err(failed(&capture.ending(), capture.stderr_tail(3)));
    }
    address(&String::from_utf8_lossy(&capture.stdout.bytes)).ok_or_else(|| {
        failed("nothing to fetch from", format!("no source of this machine has `{RELEASE} main`"))
    })
}

/// The address in lines of `release component address`.
fn address(listing: &str) -> Option<String> {
    listing.lines().find_map(|line| {
        let mut words = line.split(' ');
        let found = words.next() == Some(RELEASE) && words.next() == Some("main");
        words.next().filter(|_| found).map(str::to_owned)
    })
}

/// Our configuration, read after the machine's own: proxies stay in force, hooks do not.
fn configure(home: &Path) -> String {
    let folder = |name: &str| home.join(name).display().to_string();
    format!(
        "#clear APT::Update::Pre-Invoke;\n\
         #clear APT::Update::Post-Invoke;\n\
         #clear APT::Update::Post-Invoke-Success;\n\
         #clear DPkg::Post-Invoke;\n\
         APT::Architecture \"{ARCHITECTURE}\";\n\
         APT::Architectures {{ \"{ARCHITECTURE}\"; }};\n\
         APT::Sandbox::User \"\";\n\
         Acquire::Languages \"none\";\n\
         Acquire::Retries \"2\";\n\
         Dir::Etc::SourceList \"/dev/null\";\n\
         Dir::Etc::SourceParts \"{}\";\n\
         Dir::State::Lists \"{}\";\n\
         Dir::Cache \"{}\";\n",
        folder("sources"),
        folder("lists"),
        folder("cache"),
    )
}

/// Our only source. The locked digests decide about the bytes; apt's own signature check of the
/// index uses the keys that the machine trusts.
fn sources(address: &str) -> String {
    format!(
        "Types: deb deb-src\nURIs: {address}\nSuites: {RELEASE}\nComponents: main\n\
         Architectures: {ARCHITECTURE}\nTargets: Packages Sources\n"
    )
}

#[cfg(test)]
mod tests {
    use super::{APT, ClientError, address, configure, gone, sources};

    #[test]
    fn a_vanished_version_is_told_from_other_failures() {
        let failed = |said: &str| {
            let (status, said) = ("exit status: 100".to_owned(), said.to_owned());
            gone(ClientError::Failed { client: APT.name, status, said })
        };
        let vanished = failed("Err:1 x.orig.tar.gz | 404  Not Found [IP: 192.0.2.1 80]");
        assert!(matches!(vanished, ClientError::Gone { .. }) && !vanished.may_pass());
        assert!(matches!(failed("E: No space left"), ClientError::Failed { .. }));
    }

    #[test]
    fn the_address_is_the_one_of_the_release_itself() {
        let listing = "bookworm-updates main https://a.test/debian/\n\
                       bookworm contrib https://b.test/debian/\n\
                       bookworm main https://c.test/debian/\n\
                       bookworm main https://d.test/debian/\n";
        assert_eq!(address(listing).as_deref(), Some("https://c.test/debian/"));
        assert_eq!(address("trixie main https://a.test/\n"), None);
        assert_eq!(address("bookworm main\n"), None);
    }

    #[test]
    fn nothing_of_the_system_is_written() {
        let text = configure(std::path::Path::new("/home/x/cache"));
        for folder in ["SourceParts", "State::Lists", "Dir::Cache"] {
            let line = text.lines().find(|line| line.contains(folder)).unwrap();
            assert!(line.contains("\"/home/x/cache/"), "{line}");
        }
        assert!(sources("https://a.test/").contains("URIs: https://a.test/\nSuites: bookworm\n"));
    }
}
