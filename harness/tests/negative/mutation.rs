//! Mutations of true recordings: a map is made, altered as `mutations.json` says, and judged.

use std::collections::BTreeMap;

use record::{Cell, Profile, Verdict};
use serde::Deserialize;
use serde_json::{Value, json};
use verdict::{
    Comparator, MapDocument, Place,
    gate::{A6Rules, GateId, LanguageTable, a1, a2, a3_parity, a6, exact, verdict},
    sides::Artifact,
};

use crate::support::{self, Corpus, authored, limits, root};

/// One committed mutation and the cells that it must make fail.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mutation {
    pub name: String,
    pub gate: GateId,
    corpus: String,
    case: String,
    budget: u64,
    changes: Vec<Change>,
    fails: Vec<String>,
}

/// One change at a JSON pointer into `argv`, `env` and `document` of a recording.
#[derive(Debug, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Change {
    Reverse {
        reverse: String,
        from: usize,
    },
    Drop {
        drop: String,
        first: usize,
    },
    Swap {
        swap: [String; 2],
    },
    Copy {
        copy: String,
        to: String,
    },
    Set {
        set: String,
        to: Value,
    },
    Scale {
        scale: String,
        by: f64,
    },
    Write {
        write: String,
        #[serde(rename = "for")]
        old: String,
        new: String,
    },
}

impl Change {
    fn apply(&self, root: &mut Value) {
        let get = |root: &Value, at: &str| {
            root.pointer(at).unwrap_or_else(|| panic!("no {at} in the recording")).clone()
        };
        match self {
            Self::Reverse { reverse, from } => {
                let list = root.pointer_mut(reverse).unwrap().as_array_mut().unwrap();
                list[*from..].reverse();
            }
            Self::Drop { drop, first } => {
                root.pointer_mut(drop).unwrap().as_array_mut().unwrap().drain(..first);
            }
            Self::Swap { swap: [one, other] } => {
                let (a, b) = (get(root, one), get(root, other));
                assert_ne!(a, b);
                *root.pointer_mut(one).unwrap() = b;
                *root.pointer_mut(other).unwrap() = a;
            }
            Self::Copy { copy, to } => {
                let value = get(root, copy);
                *root.pointer_mut(to).unwrap() = value;
            }
            Self::Set { set, to } => *root.pointer_mut(set).unwrap() = to.clone(),
            Self::Scale { scale, by } => {
                let number = get(root, scale).as_f64().unwrap();
                *root.pointer_mut(scale).unwrap() = json!(number * by);
            }
            Self::Write { write, old, new } => {
                let text = get(root, write).as_str().unwrap().to_owned();
                assert!(text.contains(old), "{text} has no {old:?}");
                *root.pointer_mut(write).unwrap() = json!(text.replacen(old, new, 1));
            }
        }
    }
}

/// All committed mutations.
pub fn all() -> Vec<Mutation> {
    let path = root().join("harness/tests/negative/mutations.json");
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// Maps of authored corpora, made once each, with the comparator's recordings.
pub struct Recordings {
    corpora: Vec<Corpus>,
    made: BTreeMap<(String, String, u64), Value>,
}

impl Recordings {
    pub fn new() -> Self {
        Self { corpora: authored(), made: BTreeMap::new() }
    }

    /// The true recording of a case.
    pub fn of(&mut self, corpus: &str, case: &str, budget: u64) -> Value {
        let key = (corpus.to_owned(), case.to_owned(), budget);
        let found = self.corpora.iter().find(|found| found.name == corpus).unwrap();
        let case = found.cases.iter().find(|found| found.id == case).unwrap();
        self.made
            .entry(key)
            .or_insert_with(|| {
                let Artifact { argv, env, document } = support::artifact(&found.path, case, budget);
                json!({"argv": argv, "env": env, "document": document})
            })
            .clone()
    }

    /// The cells of a gate on a recording, true or altered.
    pub fn judge(&self, gate: GateId, at: (&str, &str, u64), recording: &Value) -> Vec<Cell> {
        let (corpus, case, budget) = at;
        let place = Place { corpus, case, budget: Some(budget) };
        let found = self.corpora.iter().find(|found| found.name == corpus).unwrap();
        let comparator = Comparator::new(found.recording());
        if gate == GateId::A6 {
            let ours = Artifact {
                argv: serde_json::from_value(recording["argv"].clone()).unwrap(),
                env: serde_json::from_value(recording["env"].clone()).unwrap(),
                document: recording["document"].clone(),
            };
            let table = LanguageTable::read(&root()).unwrap();
            let rules = A6Rules { limits: limits(), table };
            return a6(&place, &ours, &comparator.held(case, budget).unwrap(), &rules);
        }
        let bytes = recording["document"].to_string();
        let ours = MapDocument::parse(bytes.as_bytes(), Profile::Parity).unwrap().layers().unwrap();
        let theirs = comparator.layers(case, budget, true).unwrap();
        match gate {
            GateId::A1 => a1(corpus, case, &[(budget, &ours, &theirs)], &limits()),
            GateId::A2 => a2(&place, &ours, &theirs, &limits()),
            GateId::A3 => a3_parity(&place, &ours, &theirs, &limits()),
            GateId::Exact => exact(&place, &ours, &theirs, &limits()),
            _ => panic!("no mutation is known for {gate}"),
        }
    }
}

impl Mutation {
    /// Checks that the true recording passes and the altered one fails where it should.
    pub fn check(&self, recordings: &mut Recordings) {
        let at = (self.corpus.as_str(), self.case.as_str(), self.budget);
        let mut recording = recordings.of(&self.corpus, &self.case, self.budget);
        let before = recordings.judge(self.gate, at, &recording);
        assert_eq!(verdict(&before), Verdict::Pass, "{}: unaltered {before:#?}", self.name);
        for change in &self.changes {
            change.apply(&mut recording);
        }
        let after = recordings.judge(self.gate, at, &recording);
        assert_eq!(verdict(&after), Verdict::Fail, "{}: {after:#?}", self.name);
        for metric in &self.fails {
            let cell = super::value(&after, metric);
            assert_eq!(cell.verdict, Verdict::Fail, "{}: {cell:#?}", self.name);
        }
    }
}
