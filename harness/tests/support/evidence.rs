//! Evidence folders for negative controls: true recordings, each ready to be altered, written and
//! evaluated as `parity run` and `parity verify` do.

use std::{collections::BTreeMap, fs, time::Duration};

use record::{Capped, Capture, Digest, Origin, Places, Plan, Recording, Side, Store};
use serde_json::json;
use tempfile::TempDir;
use verdict::{Evaluation, evaluate, gate::LanguageTable};

use super::root;

/// The parts of an evidence folder.
pub struct Parts {
    /// The plan.
    pub plan: Plan,
    /// Side and recording by key, such as `slice/comparator`.
    pub recordings: BTreeMap<String, (Side, Capture)>,
    /// Files beside the protocol, or instead of one of its files, by path.
    pub files: BTreeMap<String, String>,
}

impl Parts {
    /// Writes the folder and evaluates it.
    pub fn evaluate(&self) -> Evaluation {
        evaluate(self.write().path()).unwrap()
    }

    /// Writes the folder, with the protocol in force and the table of languages.
    pub fn write(&self) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &[u8]| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let store = Store::at(folder.path());
        let places = Places::default();
        let index: BTreeMap<&String, Digest> = self
            .recordings
            .iter()
            .map(|(key, (side, capture))| {
                let corpus = key.split('/').next().unwrap();
                let origin = Origin { side: *side, corpus, unit: key };
                (key, Recording::write(&store, origin, capture, &places).unwrap().1)
            })
            .collect();
        write("index.json", json!(index).to_string().as_bytes());
        write("plan.json", json!(self.plan).to_string().as_bytes());
        for entry in fs::read_dir(root().join(record::protocol::FOLDER)).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                let name = path.strip_prefix(root()).unwrap().to_str().unwrap();
                write(name, &fs::read(&path).unwrap());
            }
        }
        for name in LanguageTable::files(&root()).unwrap() {
            write(&name, &fs::read(root().join(&name)).unwrap());
        }
        for (name, text) in &self.files {
            write(name, text.as_bytes());
        }
        folder
    }
}

/// The capture of a program that succeeded and printed an answer.
pub fn printed(answer: Vec<u8>) -> Capture {
    Capture {
        argv: Vec::new(),
        env: BTreeMap::new(),
        stdin: Vec::new(),
        stdout: whole(answer),
        stderr: whole(Vec::new()),
        exit_code: Some(0),
        signal: None,
        stopped: None,
        pipe_held: false,
        duration: Duration::ZERO,
    }
}

/// Output that is complete.
pub fn whole(bytes: Vec<u8>) -> Capped {
    Capped { head: bytes.len(), total: bytes.len() as u64, truncated: false, bytes }
}
