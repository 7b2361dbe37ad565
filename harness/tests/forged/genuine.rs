//! The bundle without any alteration.

use std::{collections::BTreeMap, fs, path::Path, sync::OnceLock};

use harness::{
    comparator::ComparatorSpec,
    corpus::{Authored, CreationOrder, Materialised, Store as Corpora},
    planning::load_sequences,
    process::{self, Invocation},
    run::{converse, edit_files},
};
use record::{
    Asked, Capture, Digest, Places, Plan, PlannedCorpus, Profile, Set, Side, StoreIds, Trial, Unit,
    Volt, fixtures_sha256, further_key,
    protocol::{COMPOSITION, FOLDER},
    volt,
};
use serde_json::json;
use verdict::{
    Protocol,
    gate::{GateId, LanguageTable, ModelList, StoreMatrix, scenarios},
};

use super::{
    Forge, Part, composition_of,
    support::{evidence::printed, root},
};

/// The corpora, sorted.
const CORPORA: [&str; 2] = ["slice", "stages"];
/// The committed answers of the comparator about the cases and the sequences of a corpus.
const ANSWER: &str = "recording.json";
const SEQUENCES: &str = "refresh.json";
/// Those about models, a line each.
const MODELS: &str = "models.jsonl";

/// The genuine bundle, made once.
pub fn bundle() -> Forge {
    static MADE: OnceLock<Forge> = OnceLock::new();
    MADE.get_or_init(make).clone()
}

fn make() -> Forge {
    let store = Corpora::open(Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"));
    let repositories: BTreeMap<String, Materialised> =
        Authored::load_all(&root().join("corpora/authored"))
            .unwrap()
            .iter()
            .filter(|authored| CORPORA.contains(&authored.name()))
            .map(|authored| (authored.name().to_owned(), store.ensure_authored(authored).unwrap()))
            .collect();
    let mut plan = plan(&repositories);
    let mut files = files();
    files.insert(COMPOSITION.to_owned(), Vec::new());
    plan.rests_on =
        files.iter().map(|(name, bytes)| (name.clone(), Digest::of(bytes).into())).collect();
    let composition = composition_of(&plan);
    plan.rests_on.insert(COMPOSITION.to_owned(), Digest::of(&composition).into());
    files.insert(COMPOSITION.to_owned(), composition);
    let record = |unit: &Unit| {
        let corpus = &plan.corpora[unit.corpus()];
        let (key, repository) = (plan.key(unit), &repositories[&corpus.name]);
        let (side, capture) = match plan.request(unit) {
            None if matches!(unit, Unit::Volt { .. }) => (Side::Comparator, explored(&plan, unit)),
            Some(request) => {
                let file = match unit {
                    Unit::ComparatorSequences { .. } => SEQUENCES,
                    Unit::ComparatorModels { .. } => MODELS,
                    _ => ANSWER,
                };
                let mut capture = answered(request, &corpus.name, file);
                if let Unit::Raw { seed, .. } = unit {
                    seeded(&mut capture, *seed);
                }
                (Side::Comparator, capture)
            }
            None => (Side::Engine, called(&plan, unit, repository)),
        };
        Part { unit: key.clone(), key, side, corpus: corpus.name.clone(), capture }
    };
    let units = plan.units();
    let parts = units.iter().flat_map(|unit| match unit {
        Unit::Scenario { .. } => processes(&plan, unit, &repositories),
        _ => vec![record(unit)],
    });
    let parts = parts.collect();
    Forge { plan, parts, files, claim: |_| (), folder: |_| () }
}

/// A plan of a whole set, as far as committed answers of the comparator go.
fn plan(repositories: &BTreeMap<String, Materialised>) -> Plan {
    let protocol = Protocol::open(&root()).unwrap();
    let matrix = StoreMatrix::open(&protocol).unwrap();
    let models = ModelList::open(&protocol).unwrap().models;
    let planned = |repository: &Materialised| {
        let slice = repository.name == CORPORA[0];
        let sequences = load_sequences(&root()).unwrap().sequences;
        PlannedCorpus {
            authored: true,
            commit: repository.commit.clone(),
            fingerprint: Digest::of(&repository.commit).into(),
            cases: repository.cases.clone(),
            view: repository.view.clone(),
            repeats: if slice { 10 } else { 0 },
            raw_seeds: if slice { 2 } else { 0 },
            sequences: if slice { sequences } else { Vec::new() },
            trials: (0..2).map(|number| Trial::Files { number }).collect(),
            explorations: vec!["README.md".to_owned()],
            models: if slice { models.clone() } else { Vec::new() },
            scenarios: if slice { scenarios(&matrix, Profile::Parity) } else { Vec::new() },
            ..PlannedCorpus::new(&repository.name)
        }
    };
    let corpora: Vec<PlannedCorpus> = repositories.values().map(planned).collect();
    let gates =
        [GateId::VerticalSlice, GateId::A3, GateId::A4, GateId::A6, GateId::B3, GateId::Exact];
    Plan {
        gates: gates.map(GateId::name).to_vec(),
        budgets: vec![1024, 2048, 4096],
        wide_budget: Some(65_536),
        volt: Some(Volt {
            commit: "5e".repeat(20),
            tree: "6f".repeat(20),
            module: "packages/opencode/src/session/lcm/explore/dispatcher.js".to_owned(),
            export: "ExploreDispatcher".to_owned(),
            runner: "node".to_owned(),
        }),
        fixtures_sha256: fixtures_sha256(&corpora),
        corpora,
        engine_sha256: "4d".repeat(32),
        source_commit: "1a".repeat(20),
        source_tree: "2b".repeat(20),
        ..Plan::new(Set::Smoke, Profile::Parity)
    }
}

/// The files of the checkout that the plan rests on.
fn files() -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut pending: Vec<_> = ["comparators/aider", volt::FOLDER, "protocols/runtime"]
        .map(|folder| root().join(folder))
        .into();
    pending.extend(CORPORA.map(|name| root().join("corpora/authored").join(name)));
    pending.extend(LanguageTable::files(&root()).unwrap().iter().map(|name| root().join(name)));
    for entry in fs::read_dir(root().join(FOLDER)).unwrap() {
        pending.extend(Some(entry.unwrap().path()).filter(|path| path.is_file()));
    }
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            pending.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        let name = path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
        let of_corpus = name.starts_with("corpora/") && !name.ends_with("authored.toml");
        // Scoring protocols are for gates of explorations, which are not judged here.
        if !of_corpus && !name.contains("scoring") && !name.contains("__pycache__") {
            found.insert(name, fs::read(&path).unwrap());
        }
    }
    found
}

/// The comparator's committed answer to a request, as its runner would record it.
fn answered(mut request: serde_json::Value, corpus: &str, file: &str) -> Capture {
    if let Some(requests) = request.as_array_mut() {
        let lines = requests.iter_mut().map(|request| {
            request["repo"] = json!("$REPO");
            format!("{request}\n")
        });
        return inside(lines.collect(), corpus, file);
    }
    request["repo"] = json!("$REPO");
    let answer = fs::read(root().join("corpora/authored").join(corpus).join(file)).unwrap();
    Capture {
        argv: vec!["$ENVIRONMENT/bin/python".to_owned(), "$ROOM/driver.py".to_owned()],
        env: BTreeMap::from([
            ("PATH".to_owned(), "/usr/bin:/bin".to_owned()),
            ("TMPDIR".to_owned(), "$TMP".to_owned()),
        ]),
        stdin: request.to_string().into_bytes(),
        ..printed(answer)
    }
}

/// The committed answers to several requests, as one process gives them that uses the comparator without the driver.
fn inside(requests: String, corpus: &str, file: &str) -> Capture {
    let spec = ComparatorSpec::open(&root().join("comparators/aider")).unwrap();
    let mut env = spec.definition.environment;
    let own =
        [("PATH", "/usr/bin:/bin"), ("TMPDIR", "$TMP"), ("HOME", "$TMP"), ("PYTHONHASHSEED", "0")];
    env.extend(own.map(|(name, value)| (name.to_owned(), value.to_owned())));
    Capture {
        argv: vec!["$ENVIRONMENT/bin/python".to_owned(), "$ROOM/answer_many.py".to_owned()],
        env,
        stdin: requests.into_bytes(),
        ..printed(fs::read(root().join("corpora/authored").join(corpus).join(file)).unwrap())
    }
}

/// Makes a canonical answer look like one of a seeded run. No gate of the bundle judges seeded runs.
fn seeded(capture: &mut Capture, seed: u64) {
    let mut answer: serde_json::Value = serde_json::from_slice(&capture.stdout.bytes).unwrap();
    answer["mode"] = json!("raw");
    answer["seed"] = json!(seed.to_string());
    answer["environment"]["variables"]["PYTHONHASHSEED"] = json!(seed.to_string());
    capture.stdout = printed(answer.to_string().into_bytes()).stdout;
}

/// The answer of a checkout of Volt about a batch, as a run records it. No gate of the bundle judges it.
fn explored(plan: &Plan, unit: &Unit) -> Capture {
    let Unit::Volt { corpus, batch } = *unit else { panic!("{unit:?} asks no checkout") };
    let asked = plan.volt.as_ref().unwrap();
    let module = format!("$VOLT/{}", asked.module);
    let mut argv = vec![asked.runner.clone()];
    argv.extend(asked.arguments("$ROOM/adapter.mjs", &module));
    let request = plan.volt_request(&plan.corpora[corpus], batch, "$REPO").unwrap();
    let answer =
        json!({ "file": "README.md", "result": { "success": true, "summary": "File: README.md" } });
    Capture {
        argv,
        env: BTreeMap::from([("PATH".to_owned(), "$PATH".to_owned())]),
        stdin: request.to_string().into_bytes(),
        ..printed(format!("{answer}\n").into_bytes())
    }
}

/// The run of our program for a unit.
fn called(plan: &Plan, unit: &Unit, repository: &Materialised) -> Capture {
    let asked = plan.call(unit).unwrap();
    let scratch = tempfile::tempdir().unwrap();
    let copy = repository
        .scratch_copy(&scratch.path().join(&repository.name), CreationOrder::Sorted)
        .unwrap();
    let invocation = invocation(asked, copy.path());
    let capture = match unit {
        Unit::Sequence { corpus, sequence } => {
            let calls = &plan.corpora[*corpus].sequences[*sequence].calls;
            converse(invocation, copy.path(), calls).unwrap()
        }
        _ => process::run(&invocation).unwrap(),
    };
    placed(&capture, copy.path())
}

/// All processes of a scenario, each with a recording of its own.
fn processes(plan: &Plan, unit: &Unit, repositories: &BTreeMap<String, Materialised>) -> Vec<Part> {
    let Unit::Scenario { corpus, scenario } = *unit else { panic!("{unit:?} is no scenario") };
    let corpus = &plan.corpora[corpus];
    let scratch = tempfile::tempdir().unwrap();
    let copy = repositories[&corpus.name]
        .scratch_copy(&scratch.path().join(&corpus.name), CreationOrder::Sorted)
        .unwrap();
    let (first, mut ids) = (plan.key(unit), StoreIds::new());
    let processes = corpus.scenarios[scenario].processes.iter().enumerate();
    processes
        .map(|(number, process)| {
            edit_files(&process.edits, copy.path(), number).unwrap();
            let asked = plan.of_scenario(corpus, scenario, number, &ids).unwrap();
            let capture = process::run(&invocation(asked, copy.path())).unwrap();
            process.learn(&capture.stdout.bytes, &mut ids);
            let key = if number == 0 { first.clone() } else { further_key(&first, number) };
            let capture = placed(&capture, copy.path());
            Part {
                unit: key.clone(),
                key,
                side: Side::Engine,
                corpus: corpus.name.clone(),
                capture,
            }
        })
        .collect()
}

fn invocation(asked: Asked, folder: &Path) -> Invocation {
    let Asked { args, mut env, stdin } = asked;
    env.insert("PATH".to_owned(), std::env::var("PATH").unwrap());
    let plain = Invocation::new(env!("CARGO_BIN_EXE_parity"), folder).args(args);
    Invocation { env, stdin, max_stdout: 64 << 20, ..plain }
}

/// A capture as a recording holds it, with the paths of this machine replaced by names.
fn placed(capture: &Capture, folder: &Path) -> Capture {
    Places::default()
        .with("$PATH", Path::new(&std::env::var("PATH").unwrap()))
        .with("$ENGINE", Path::new(env!("CARGO_BIN_EXE_parity")))
        .with("$REPO", folder)
        .apply(capture)
}
