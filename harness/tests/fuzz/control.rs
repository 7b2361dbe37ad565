//! Controls of the search itself.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    time::Duration,
};

use harness::{
    corpus::Authored,
    fuzz::{Answerer, Both, Declared, Limits, Material, Record, Search, SearchError, Text},
};
use record::canonical_request;
use verdict::{
    Comparator,
    gate::{A2Thresholds, ExactThresholds},
    response::Response,
};

use crate::{answerer, installed, support};

/// Texts of our own; the word `gasket` is what the broken program gets wrong.
const TEXTS: [(&str, &str); 4] = [
    (
        ".py",
        "import pump\n\n\nclass Valve:\n    def open_valve(self):\n        return pump.prime(self)\n\n\ndef close_valve(valve):\n    return valve.open_valve()\n",
    ),
    (
        ".py",
        "def prime(valve):\n    return valve\n\n\ndef gasket(pump):\n    return prime(pump)\n\n\nPRESSURE = 3\n\n\ndef drain():\n    return gasket(PRESSURE)\n",
    ),
    (
        ".js",
        "function measure(gauge) {\n  return gauge.read();\n}\n\nclass Gauge {\n  read() {\n    return measure(this);\n  }\n}\n",
    ),
    (
        ".rs",
        "pub struct Pipe;\n\nimpl Pipe {\n    pub fn flow(&self) -> u32 {\n        flow_rate(self)\n    }\n}\n\nfn flow_rate(pipe: &Pipe) -> u32 {\n    pipe.flow()\n}\n",
    ),
];

fn material() -> Material {
    let mut material = Material::default();
    for (ending, text) in TEXTS {
        material.push(ending, Text { foreign: false, bytes: text.as_bytes().to_vec() });
    }
    material
}

/// A program that answers as ours does, with every `word` of the answer replaced.
fn program(folder: &Path, word: &str, by: &str) -> PathBuf {
    let path = folder.join("answers");
    let parity = env!("CARGO_BIN_EXE_parity");
    fs::write(&path, format!("#!/bin/sh\n'{parity}' \"$@\" | sed 's/{word}/{by}/g'\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

fn search(program: PathBuf, folder: &Path, repositories: u64) -> Record {
    let material = material();
    let mut both = Both::new(program, answerer(), support::limits::<ExactThresholds>()).unwrap();
    let mut record = Record { seed: 20_000, ..Record::default() };
    let search = Search {
        material: &material,
        declared: &Declared::default(),
        folder: folder.join("found"),
        limits: Limits { time: Duration::from_mins(10), repositories, shrinking: 300, findings: 1 },
    };
    search.run(&mut both, &mut record, &mut |_| ()).unwrap();
    record
}

#[test]
fn a_broken_answer_is_found_and_made_small() {
    let folder = tempfile::tempdir().unwrap();
    let record = search(program(folder.path(), "gasket", "basket"), folder.path(), 12);
    assert!(record.different > 0, "{record:?}");
    let found = record.findings.first().unwrap();
    assert!(found.shrunk && !found.third_party, "{found:?}");
    assert!(found.files[1] <= 2 && found.bytes[1] < 120, "{found:?}");
    let authored = Authored::load(Path::new(&found.folder)).unwrap();
    let work = folder.path().join("again");
    fs::create_dir(&work).unwrap();
    authored.build_in(&work).unwrap();
    let readme = fs::read_to_string(Path::new(&found.folder).join("README")).unwrap();
    assert!(readme.contains(&format!("--seed {}", found.seed)), "{readme}");
    let holds = |path: &Path| {
        let output = std::process::Command::new("grep").arg("-rq").arg("gasket").arg(path).status();
        output.unwrap().success()
    };
    assert!(holds(&work));
}

#[test]
fn a_program_that_ends_without_an_answer_is_a_difference() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("answers");
    fs::write(&path, "#!/bin/sh\nexit 3\n").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let record = search(path, folder.path(), 2);
    assert_eq!((record.tried, record.different), (2, 2));
    assert_eq!(record.findings.first().unwrap().layer, "answer");
}

#[test]
fn the_same_repositories_show_no_difference_without_the_fault() {
    let folder = tempfile::tempdir().unwrap();
    let record = search(env!("CARGO_BIN_EXE_parity").into(), folder.path(), 12);
    assert_eq!(record.findings.len(), 0, "{:?}", record.findings);
    assert!(record.compared > 8 && record.equal_maps > 8, "{record:?}");
    // Drawn again, the repositories are the same.
    let again = search(env!("CARGO_BIN_EXE_parity").into(), folder.path(), 12);
    assert_eq!((again.files, again.equal_maps), (record.files, record.equal_maps));
}

#[test]
fn a_comparator_that_cannot_be_asked_ends_the_search() {
    let folder = tempfile::tempdir().unwrap();
    let (mut spec, environment) = installed();
    spec.definition.run.answer_many =
        ["{python}", "{room}/lexer_names.py"].map(str::to_owned).to_vec();
    let thresholds = support::limits::<ExactThresholds>();
    let program = env!("CARGO_BIN_EXE_parity").into();
    let mut both = Both::new(program, Answerer::new(spec, environment), thresholds).unwrap();
    let mut record = Record::default();
    let material = material();
    let search = Search {
        material: &material,
        declared: &Declared::default(),
        folder: folder.path().to_owned(),
        limits: Limits { time: Duration::from_mins(1), repositories: 1, shrinking: 1, findings: 1 },
    };
    let ended = search.run(&mut both, &mut record, &mut |_| ());
    assert!(matches!(ended, Err(SearchError::Ask(_))), "{ended:?}");
    assert_eq!(record.tried, 0);
}

#[test]
fn one_process_answers_about_many_repositories_as_the_driver_does_about_each() {
    let (budgets, wide) =
        (support::protocol().budgets().to_vec(), support::limits::<A2Thresholds>().wide_budget);
    let mut answerer = answerer();
    // The slice comes twice, so that its second answer is from a process that has answered before.
    for name in ["slice", "quirks", "stages", "slice"] {
        let corpus = support::authored().into_iter().find(|corpus| corpus.name == name).unwrap();
        let mut request = canonical_request(&corpus.cases, &budgets, Some(wide));
        corpus.view.ask(&mut request);
        request["repo"] = corpus.path.to_str().unwrap().into();
        let answer = Response::parse(&answerer.ask(&request).unwrap()).unwrap();
        let (answer, recorded) = (Comparator::new(answer), Comparator::new(corpus.recording()));
        for case in &corpus.cases {
            for budget in &budgets {
                let layers = |side: &Comparator| side.layers(&case.id, *budget, true).unwrap();
                assert_eq!(layers(&answer), layers(&recorded), "{name}, {}, {budget}", case.id);
            }
        }
    }
}
