//! Explores in a process of its own. If a parser crashes or hangs there is no exploration, but the
//! command still answers, and the content is already stored.

use std::{
    fs, io,
    path::Path,
    process::{Command, Stdio},
};

use base::{profile::Profile, scratch::Scratch};
use lcm::{Explored, Explorer};
use serde::Deserialize;

/// The longest name of a file, in bytes.
const LONGEST_NAME: usize = 255;
/// The name that is used if the content's own cannot be a file name.
const UNNAMED: &str = "content";

/// Explores with `parity explore`, which survives crashes of its parsers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Process;

/// The fields that are read of its answer.
#[derive(Deserialize)]
struct Found {
    success: bool,
    explorer_used: String,
    summary: String,
}

impl Explorer for Process {
    fn explore(&self, name: &str, content: &[u8], profile: Profile) -> Option<Explored> {
        let found = found(file_name(name), content, profile).ok().filter(|found| found.success)?;
        Some(Explored { summary: found.summary, explorer_used: found.explorer_used })
    }
}

fn found(name: &str, content: &[u8], profile: Profile) -> io::Result<Found> {
    let folder = Scratch::new("lcm")?;
    fs::write(folder.path().join(name), content)?;
    let output = Command::new(std::env::current_exe()?)
        .current_dir(folder.path())
        .args(["explore", "--json", "--root", ".", "--profile", profile.as_str(), "--", name])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()?;
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// The last part of a name, or [`UNNAMED`] if that cannot be a file name.
fn file_name(name: &str) -> &str {
    let last = Path::new(name).file_name().and_then(|name| name.to_str());
    last.filter(|name| name.len() <= LONGEST_NAME && !name.contains('\0')).unwrap_or(UNNAMED)
}

#[cfg(test)]
mod tests {
    use super::file_name;

    #[test]
    fn a_name_leads_nowhere() {
        for (name, expected) in [
            ("a/b.py", "b.py"),
            ("/etc/passwd", "passwd"),
            ("..", "content"),
            ("", "content"),
            ("a\0b", "content"),
        ] {
            assert_eq!(file_name(name), expected);
        }
        assert_eq!(file_name(&"x".repeat(256)), "content");
    }
}
