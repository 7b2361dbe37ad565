//! Evidence that can be altered.

use std::{collections::BTreeMap, fs, path::Path};

use record::{Capped, Capture, Digest, Origin, Places, Plan, Profile, Recording, Set, Store};
use serde_json::Value;
use tempfile::TempDir;
use verdict::{
    Evaluation, evaluate,
    gate::{GateId, gates_of},
};

use super::runs;

/// The floors that the two real corpora of the run hold, for the gate that judges them.
const FLOORS: &str = "protocol_version = 1\nmin_real_files = 10\n\
    [sets.smoke]\npython = { files = 111, definitions = 2479 }\n";

/// A copy of the evidence of a run. It is judged by a single gate; for the end-to-end gate, by all of
/// them.
pub struct Folder {
    scratch: TempDir,
    plan: Plan,
    index: BTreeMap<String, Digest>,
}

impl Folder {
    /// A copy of the evidence that a gate judges.
    pub fn of(gate: GateId) -> Self {
        let evidence = if gate == GateId::B4 { runs::formats() } else { runs::maps() };
        let scratch = tempfile::tempdir_in(evidence.parent().unwrap()).unwrap();
        link_tree(evidence, scratch.path());
        let read = |name: &str| fs::read(evidence.join(name)).unwrap();
        let mut plan: Plan = serde_json::from_slice(&read("plan.json")).unwrap();
        // The end-to-end gate needs the results of all others.
        let gates = match gate {
            GateId::B5 => [gates_of(Profile::Parity, Set::Smoke), vec![gate]].concat(),
            gate => vec![gate],
        };
        plan.gates = gates.into_iter().map(GateId::name).collect();
        let index = serde_json::from_slice(&read("index.json")).unwrap();
        let mut folder = Self { scratch, plan, index };
        if matches!(gate, GateId::Languages | GateId::B5) {
            folder.plan.partial = false;
            folder.replace("floors.toml", FLOORS);
        }
        folder
    }

    /// Judges the copy, as a run and a verifier do.
    pub fn judge(&self) -> Evaluation {
        self.put("plan.json", &serde_json::to_vec(&self.plan).unwrap());
        self.put("index.json", &serde_json::to_vec(&self.index).unwrap());
        evaluate(self.scratch.path()).unwrap()
    }

    /// Alters every JSON line that a program printed. `alter` gets the number of the line.
    pub fn lines(&mut self, key: &str, alter: impl Fn(usize, &mut Value)) {
        self.printed(key, |bytes| {
            let mut altered = Vec::new();
            for (number, line) in
                bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).enumerate()
            {
                let mut value: Value = serde_json::from_slice(line).unwrap();
                alter(number, &mut value);
                serde_json::to_writer(&mut altered, &value).unwrap();
                altered.push(b'\n');
            }
            altered
        });
    }

    /// Alters every line of all explorations.
    pub fn explorations(&mut self, alter: impl Fn(&mut Value)) {
        let keys: Vec<String> =
            self.index.keys().filter(|key| key.contains("/explore/")).cloned().collect();
        for key in keys {
            self.lines(&key, |_, value| alter(value));
        }
    }

    /// Alters what a program printed as one JSON document.
    pub fn answer(&mut self, key: &str, alter: impl FnOnce(&mut Value)) {
        self.printed(key, |bytes| {
            let mut value: Value = serde_json::from_slice(&bytes).unwrap();
            alter(&mut value);
            serde_json::to_vec(&value).unwrap()
        });
    }

    /// Removes a recording.
    pub fn remove(&mut self, key: &str) {
        self.index.remove(key).unwrap();
    }

    /// Uses the recording of one unit for another as well.
    pub fn copy(&mut self, from: &str, to: &str) {
        let name = self.index[from].clone();
        self.index.insert(to.to_owned(), name).unwrap();
    }

    /// Alters a recording.
    pub fn capture(&mut self, key: &str, alter: impl FnOnce(&mut Capture)) {
        let store = Store::at(self.scratch.path());
        let recording: Recording = store.recording(&self.index[key]).unwrap();
        let mut capture = recording.capture(&store).unwrap();
        alter(&mut capture);
        let origin =
            Origin { side: recording.side, corpus: &recording.corpus, unit: &recording.unit };
        let (_, name) = Recording::write(&store, origin, &capture, &Places::default()).unwrap();
        self.index.insert(key.to_owned(), name);
    }

    fn printed(&mut self, key: &str, alter: impl FnOnce(Vec<u8>) -> Vec<u8>) {
        self.capture(key, |capture| {
            let bytes = alter(std::mem::take(&mut capture.stdout.bytes));
            let length = bytes.len() as u64;
            capture.stdout = Capped { bytes, total: length, ..capture.stdout.clone() };
        });
    }

    /// Alters a JSON file of the protocol that a gate judges by, and updates its digest in the plan.
    pub fn rules(&mut self, file: &str, alter: impl FnOnce(&mut Value)) {
        let mut rules: Value =
            serde_json::from_slice(&fs::read(self.scratch.path().join(file)).unwrap()).unwrap();
        let before = rules.clone();
        alter(&mut rules);
        assert_ne!(rules, before);
        self.replace(file, &rules.to_string());
    }

    /// Replaces a file of the protocol.
    fn replace(&mut self, file: &str, text: &str) {
        let name = self.plan.rests_on.keys().find(|name| name.ends_with(file)).unwrap().clone();
        self.put(&name, text.as_bytes());
        self.plan.rests_on.insert(name, Digest::of(text.as_bytes()).into());
    }

    /// Writes a file as a new one, because the present one may be a link to the run's.
    fn put(&self, name: &str, bytes: &[u8]) {
        let path = self.scratch.path().join(name);
        fs::remove_file(&path).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

/// Links every file of a folder into another.
fn link_tree(from: &Path, to: &Path) {
    let mut pending = vec![(from.to_owned(), to.to_owned())];
    while let Some((from, to)) = pending.pop() {
        fs::create_dir_all(&to).unwrap();
        for entry in fs::read_dir(&from).unwrap() {
            let entry = entry.unwrap();
            let target = to.join(entry.file_name());
            if entry.file_type().unwrap().is_dir() {
                pending.push((entry.path(), target));
            } else {
                fs::hard_link(entry.path(), target).unwrap();
            }
        }
    }
}
