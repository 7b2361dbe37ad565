//! Artifacts on disk: `latest.json`, and a copy under the name of the session.

use std::path::Path;

use record::write_atomically;

use super::Artifact;
use crate::{Code, Problem};

/// File name of the latest artifact.
pub const LATEST: &str = "latest.json";
/// Longest session id, in bytes, that is used as a file name.
const LONGEST_ID: usize = 128;

/// Writes `latest.json`, and a copy for the session if its id can be a file name. Each file is
/// written whole or not at all.
///
/// # Errors
/// `latest.json` cannot be written. A copy that cannot be written is no error.
pub fn publish(artifact: &Artifact, folder: &Path) -> Result<(), Problem> {
    let failed = |error: String| Problem::new(Code::WriteFailed, error);
    let bytes = serde_json::to_vec_pretty(artifact).map_err(|error| failed(error.to_string()))?;
    write_atomically(&folder.join(LATEST), &bytes).map_err(|error| failed(error.to_string()))?;
    let id = artifact.provenance.session_id.as_deref().filter(|id| is_file_name(id));
    if let Some(id) = id {
        // The copy is for looking at a session later; nothing depends on it.
        let _ = write_atomically(&folder.join(format!("{id}.json")), &bytes);
    }
    Ok(())
}

/// Whether a session id, which a client chose, can be a file name that stays in the folder and
/// overwrites no other file of ours.
fn is_file_name(id: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    (1..=LONGEST_ID).contains(&id.len())
        && id.bytes().all(is_plain)
        && !id.starts_with('.')
        && id != "latest"
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::is_file_name;
    use crate::{Artifact, Code, Job, Problem};

    fn artifact(session: Option<&str>) -> Artifact {
        let job = Job { session_id: session.map(str::to_owned), ..Job::new("/nowhere") };
        Artifact::of_failure(&job, &Problem::new(Code::Timeout, "late"), Some(7))
    }

    #[test]
    fn a_session_gets_a_copy() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("deep/er");
        artifact(Some("0d4f-ab.c_1")).publish(&folder).unwrap();
        let latest = fs::read(folder.join("latest.json")).unwrap();
        assert_eq!(fs::read(folder.join("0d4f-ab.c_1.json")).unwrap(), latest);
        let read: Artifact = serde_json::from_slice(&latest).unwrap();
        assert!(!read.ok && read.error.unwrap()["code"] == "timeout");
    }

    #[test]
    fn no_session_leads_out_of_the_folder() {
        for id in ["", ".", "..", "../x", "a/b", "latest", ".hidden", "a\0b", "ä", &"a".repeat(200)]
        {
            assert!(!is_file_name(id), "{id}");
        }
        let dir = tempfile::tempdir().unwrap();
        artifact(Some("../../out")).publish(&dir.path().join("in")).unwrap();
        let names: Vec<_> =
            fs::read_dir(dir.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
        assert_eq!(names, ["in"]);
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_told() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("file"), "").unwrap();
        let problem = artifact(None).publish(&dir.path().join("file/inner")).unwrap_err();
        assert_eq!(problem.code, Code::WriteFailed);
    }
}
