//! The forgeries: what is altered, the code of the refusal, and what its message must contain.

use std::{fs, path::Path};

use record::{
    Cell, Digest, Gold, PlannedCorpus, Set, Side, Verdict, fixtures_sha256,
    protocol::{COMPOSITION, GATES, TOKENIZERS},
};
use serde_json::Value;
use verdict::{
    bundle::{Claim, ResourceDescriptor, TestResult},
    composition::VOLT,
    gate::GateId,
};

use super::{Forge, composition_of, support::evidence::whole};

/// One way to forge a bundle.
pub struct Forgery {
    /// What is forged.
    pub what: &'static str,
    /// The code of the refusal.
    pub code: &'static str,
    /// A part of the message.
    pub names: &'static str,
    /// Makes the forgery.
    pub alter: fn(&mut Forge),
}

/// Every forgery.
pub const ALL: &[Forgery] = &[
    Forgery {
        what: "fewer gates",
        code: "gates",
        names: "requires exact",
        alter: |forge| forge.plan.gates.retain(|gate| *gate != GateId::Exact),
    },
    Forgery {
        what: "no gate but one",
        code: "gates",
        names: "requires 3A.0",
        alter: |forge| forge.plan.gates.retain(|gate| *gate == GateId::A6),
    },
    Forgery {
        what: "fewer budgets",
        code: "budgets",
        names: "4096",
        alter: |forge| {
            forge.plan.budgets.retain(|budget| *budget != 4096);
        },
    },
    Forgery {
        what: "no wide budget",
        code: "budgets",
        names: "65536",
        alter: |forge| forge.plan.wide_budget = None,
    },
    Forgery {
        what: "fewer cases",
        code: "corpus-differs",
        names: "slice: 2 cases",
        alter: |forge| corpus(forge).cases.truncate(2),
    },
    Forgery {
        what: "a case with another message",
        code: "corpus-differs",
        names: "slice",
        alter: |forge| "basket".clone_into(&mut corpus(forge).cases[2].message),
    },
    Forgery {
        what: "fewer models",
        code: "corpus-differs",
        names: "38 models",
        alter: |forge| drop(corpus(forge).models.pop()),
    },
    Forgery {
        what: "other models",
        code: "corpus-differs",
        names: "slice",
        alter: |forge| "gpt-4o".clone_into(&mut corpus(forge).models[1]),
    },
    Forgery {
        what: "one model's answers for another",
        code: "comparator-answer",
        names: "gpt-4o",
        alter: |forge| {
            let capture = &mut forge.part("slice/models/comparator").capture;
            let text = String::from_utf8(capture.stdout.bytes.clone()).unwrap();
            let mut lines: Vec<&str> = text.lines().collect();
            lines.swap(0, 1);
            capture.stdout = whole(format!("{}\n", lines.join("\n")).into_bytes());
        },
    },
    Forgery {
        what: "models that the driver was asked about",
        code: "recording-asked",
        names: "slice/models/comparator",
        alter: |forge| {
            let capture = &mut forge.part("slice/models/comparator").capture;
            "$ROOM/driver.py".clone_into(&mut capture.argv[1]);
        },
    },
    Forgery {
        what: "models with a variable of ours",
        code: "recording-asked",
        names: "environment",
        alter: |forge| {
            let capture = &mut forge.part("slice/models/comparator").capture;
            capture.env.insert("LITELLM_LOCAL_MODEL_COST_MAP".to_owned(), "False".to_owned());
        },
    },
    Forgery {
        what: "another program that asks about models",
        code: "pinned",
        names: "answer_many.py",
        alter: |forge| {
            replace(forge, "comparators/aider/answer_many.py", |_| b"print()".to_vec());
        },
    },
    Forgery {
        what: "fewer repeats",
        code: "corpus-differs",
        names: "9 repeats",
        alter: |forge| {
            corpus(forge).repeats = 9;
            forge.parts.retain(|part| part.key != "slice/repeat/9");
        },
    },
    Forgery {
        what: "fewer seeds",
        code: "corpus-differs",
        names: "1 seeded runs",
        alter: |forge| {
            corpus(forge).raw_seeds = 1;
            forge.parts.retain(|part| part.key != "slice/raw/1");
        },
    },
    Forgery {
        what: "a seed that ran twice instead of another",
        code: "comparator-answer",
        names: "seed 0",
        alter: |forge| {
            let first = forge.part("slice/raw/0").capture.stdout.clone();
            forge.part("slice/raw/1").capture.stdout = first;
        },
    },
    Forgery {
        what: "fewer trials",
        code: "corpus-differs",
        names: "1 trials",
        alter: |forge| {
            corpus(forge).trials.truncate(1);
            forge.parts.retain(|part| part.key != "slice/trial/files/1");
        },
    },
    Forgery {
        what: "fewer call sequences",
        code: "corpus-differs",
        names: "call sequences",
        alter: |forge| {
            let dropped = corpus(forge).sequences.pop().unwrap();
            forge.parts.retain(|part| part.key != format!("slice/refresh/{}", dropped.id));
        },
    },
    Forgery {
        what: "fewer files explored",
        code: "corpus-differs",
        names: "0 files to explore",
        alter: |forge| {
            corpus(forge).explorations.clear();
            forge.parts.retain(|part| part.key != "slice/explore/0");
        },
    },
    Forgery {
        what: "fewer scenarios of the store",
        code: "corpus-differs",
        names: "9 scenarios of the store",
        alter: |forge| {
            let dropped = corpus(forge).scenarios.pop().unwrap();
            forge.parts.retain(|part| part.key != format!("slice/store/{}", dropped.id));
        },
    },
    Forgery {
        what: "a process of a scenario left out",
        code: "unit-missing",
        names: "slice/store/lineage/1",
        alter: |forge| forge.parts.retain(|part| part.key != "slice/store/lineage/1"),
    },
    Forgery {
        what: "a store asked as another caller",
        code: "recording-asked",
        names: "its input",
        alter: |forge| {
            let stdin = &mut forge.part("slice/store/lineage/1").capture.stdin;
            let asked = String::from_utf8_lossy(stdin).replace("\"main\"", "\"sub-agent\"");
            *stdin = asked.into_bytes();
        },
    },
    Forgery {
        what: "an explorer that can work where none should",
        code: "recording-asked",
        names: "its environment",
        alter: |forge| {
            forge.part("slice/store/states").capture.env.remove("TMPDIR");
        },
    },
    Forgery {
        what: "fewer corpora",
        code: "corpus-missing",
        names: "stages",
        alter: |forge| {
            forge.plan.corpora.pop();
            forge.plan.fixtures_sha256 = fixtures_sha256(&forge.plan.corpora);
            forge.parts.retain(|part| part.corpus != "stages");
        },
    },
    Forgery {
        what: "a required corpus called skipped",
        code: "corpus-missing",
        names: "stages",
        alter: |forge| {
            forge.plan.corpora.pop();
            forge.plan.skipped.insert("stages".to_owned(), "not here".to_owned());
            forge.plan.fixtures_sha256 = fixtures_sha256(&forge.plan.corpora);
            forge.parts.retain(|part| part.corpus != "stages");
        },
    },
    Forgery {
        what: "a corpus at another commit",
        code: "corpus-differs",
        names: "its commit is",
        alter: |forge| corpus(forge).commit = "9f".repeat(20),
    },
    Forgery {
        what: "smoke that calls itself full",
        code: "no-sign-off",
        names: "set full",
        alter: |forge| forge.plan.set = Set::Full,
    },
    Forgery {
        what: "a partial run",
        code: "partial-run",
        names: "partial",
        alter: |forge| forge.plan.partial = true,
    },
    Forgery {
        what: "another digest of the fixtures",
        code: "fixtures",
        names: "fixtures_sha256",
        alter: |forge| forge.plan.fixtures_sha256 = "7e".repeat(32),
    },
    Forgery {
        what: "a plan that rests on less",
        code: "file-missing",
        names: "tokenizer_support",
        alter: |forge| {
            forge.plan.rests_on.remove(TOKENIZERS);
        },
    },
    Forgery {
        what: "a composition of the bundle's own",
        code: "pinned",
        names: "composition.toml",
        alter: |forge| {
            forge.plan.gates.retain(|gate| *gate == GateId::A6);
            replace(forge, COMPOSITION, composition_of);
        },
    },
    Forgery {
        what: "thresholds of another protocol",
        code: "pinned",
        names: "gates.toml",
        alter: |forge| {
            let text = String::from_utf8(forge.files[GATES].clone()).unwrap();
            let text = text.replace("max_rank_error = 1e-12", "max_rank_error = 1e-2");
            replace(forge, GATES, |_| text.clone().into_bytes());
        },
    },
    Forgery {
        what: "gold of another version",
        code: "pinned",
        names: "python.jsonl.gz",
        alter: |forge| replace(forge, &Gold::path("python"), |_| b"{}".to_vec()),
    },
    Forgery {
        what: "raw for canonical, as the request says",
        code: "recording-asked",
        names: "its input",
        alter: |forge| {
            let part = forge.part("slice/comparator");
            let mut request: Value = serde_json::from_slice(&part.capture.stdin).unwrap();
            request["mode"] = "raw".into();
            part.capture.stdin = request.to_string().into_bytes();
        },
    },
    Forgery {
        what: "raw for canonical, as the answer says",
        code: "comparator-answer",
        names: "mode raw",
        alter: |forge| answer(forge, "slice/comparator", "/mode", "raw"),
    },
    Forgery {
        what: "a foreign driver",
        code: "comparator-tuple",
        names: "driver_sha256",
        alter: |forge| {
            answer(forge, "slice/comparator", "/tuple/driver_sha256", &"5c".repeat(32));
        },
    },
    Forgery {
        what: "another release of a library",
        code: "comparator-tuple",
        names: "versions",
        alter: |forge| answer(forge, "stages/comparator", "/versions/networkx", "3.5"),
    },
    Forgery {
        what: "recordings swapped between corpora",
        code: "recording-corpus",
        names: "stages",
        alter: |forge| {
            let other = forge.part("stages/maps").clone();
            let part = forge.part("slice/maps");
            (part.corpus, part.unit, part.capture) = (other.corpus, other.unit, other.capture);
        },
    },
    Forgery {
        what: "the same, with the names put right",
        code: "recording-asked",
        names: "its input",
        alter: |forge| {
            let other = forge.part("stages/comparator").clone();
            forge.part("slice/comparator").capture = other.capture;
        },
    },
    Forgery {
        what: "one recording for two units",
        code: "recording-unit",
        names: "slice/trial/files/0",
        alter: |forge| {
            let other = forge.part("slice/trial/files/0").clone();
            let part = forge.part("slice/trial/files/1");
            (part.unit, part.capture) = (other.unit, other.capture);
        },
    },
    Forgery {
        what: "our map as the comparator's answer",
        code: "recording-side",
        names: "engine",
        alter: |forge| forge.part("slice/comparator").side = Side::Engine,
    },
    Forgery {
        what: "our program with another budget",
        code: "recording-asked",
        names: "its command line",
        alter: |forge| {
            let argv = &mut forge.part("slice/repeat/0").capture.argv;
            "2048".clone_into(argv.iter_mut().find(|part| *part == "1024").unwrap());
        },
    },
    Forgery {
        what: "our program in another environment",
        code: "recording-asked",
        names: "its environment",
        alter: |forge| {
            let env = &mut forge.part("slice/maps").capture.env;
            env.insert("PARITY_TUNED".to_owned(), "1".to_owned());
        },
    },
    Forgery {
        what: "a unit without a recording",
        code: "unit-missing",
        names: "slice/repeat/3",
        alter: |forge| forge.parts.retain(|part| part.key != "slice/repeat/3"),
    },
    Forgery {
        what: "a recording of no unit",
        code: "unit-unknown",
        names: "slice/repeat/99",
        alter: |forge| {
            let mut part = forge.part("slice/repeat/0").clone();
            (part.key, part.unit) = ("slice/repeat/99".to_owned(), "slice/repeat/99".to_owned());
            forge.parts.push(part);
        },
    },
    Forgery {
        what: "two cycles glued together",
        code: "statement",
        names: "source is commit",
        alter: |forge| forge.claim = |claim| claim.source.commit = "6d".repeat(20),
    },
    Forgery {
        what: "another engine in the statement",
        code: "statement",
        names: "engine",
        alter: |forge| {
            forge.claim = |claim| {
                let engine = claim.configuration.iter_mut().find(|one| one.name == "engine");
                engine.unwrap().digest.insert("sha256".to_owned(), "8a".repeat(32));
            };
        },
    },
    Forgery {
        what: "a corpus that the statement does not name",
        code: "statement",
        names: "stages",
        alter: |forge| {
            forge.claim = |claim| claim.configuration.retain(|one| one.name != "corpus/stages");
        },
    },
    Forgery {
        what: "a counter lowered",
        code: "cells",
        names: "safety_count_recounted",
        alter: |forge| {
            let capture = &mut forge.part("slice/maps").capture;
            let text = String::from_utf8(capture.stdout.bytes.clone()).unwrap();
            let (first, others) = text.split_once('\n').unwrap();
            let mut map: Value = serde_json::from_str(first).unwrap();
            let lowered = map["safety_token_count"].as_f64().unwrap() - 1.0;
            map["safety_token_count"] = lowered.into();
            capture.stdout = whole(format!("{map}\n{others}").into_bytes());
            forge.folder = say_passed;
            forge.claim = |claim| {
                claim.outcome.result = TestResult::Passed;
                claim.outcome.passed.append(&mut claim.outcome.failed);
                claim.outcome.passed.sort();
            };
        },
    },
    Forgery {
        what: "what Volt said is not there",
        code: "unit-missing",
        names: "slice/volt/0",
        alter: |forge| forge.parts.retain(|part| part.key != "slice/volt/0"),
    },
    Forgery {
        what: "Volt asked about other files",
        code: "recording-asked",
        names: "slice/volt/0: its input",
        alter: |forge| forge.part("slice/volt/0").capture.stdin = b"{\"files\":[]}".to_vec(),
    },
    Forgery {
        what: "a dispatcher that is not Volt's",
        code: "composition-unusable",
        names: "it does not have the module",
        alter: |forge| "mine.js".clone_into(&mut volt(forge).module),
    },
    Forgery {
        what: "a checkout of another commit",
        code: "statement",
        names: "volt: live",
        alter: |forge| {
            forge.claim = |claim| annotate(claim, "commit", &"1d".repeat(20));
        },
    },
    Forgery {
        what: "a checkout that nobody asked",
        code: "statement",
        names: "volt: contracts",
        alter: |forge| {
            forge.claim = |claim| annotate(claim, "volt", "live");
            forge.parts.retain(|part| !part.key.contains("/volt/"));
            forge.plan.volt = None;
        },
    },
    Forgery {
        what: "a page that says something else",
        code: "derived",
        names: "report.html",
        alter: |forge| {
            forge.folder = |folder| fs::write(folder.join("report.html"), "all is well").unwrap();
        },
    },
    Forgery {
        what: "no page",
        code: "derived",
        names: "junit.xml",
        alter: |forge| forge.folder = |folder| fs::remove_file(folder.join("junit.xml")).unwrap(),
    },
    Forgery {
        what: "a comparator tuple that was not measured",
        code: "derived",
        names: "profile.json",
        alter: |forge| {
            forge.folder = |folder| {
                let path = folder.join("profile.json");
                let text = fs::read_to_string(&path).unwrap();
                fs::write(&path, text.replace("0.86.2", "0.87.0")).unwrap();
            };
        },
    },
];

/// Makes every cell a pass.
fn say_passed(folder: &Path) {
    let path = folder.join("cells.json");
    let mut cells: Vec<Cell> = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    for cell in cells.iter_mut().filter(|cell| cell.verdict == Verdict::Fail) {
        (cell.verdict, cell.value) = (Verdict::Pass, cell.threshold);
    }
    fs::write(path, serde_json::to_vec(&cells).unwrap()).unwrap();
}

fn corpus(forge: &mut Forge) -> &mut PlannedCorpus {
    &mut forge.plan.corpora[0]
}

fn volt(forge: &mut Forge) -> &mut record::Volt {
    forge.plan.volt.as_mut().unwrap()
}

/// Changes an annotation about Volt in a statement.
fn annotate(claim: &mut Claim, name: &str, value: &str) {
    let known = claim.configuration.iter().position(|one| one.name == VOLT).unwrap_or_else(|| {
        let protocol = claim.configuration.iter().find(|one| one.name == "protocol").unwrap();
        let known = ResourceDescriptor { name: VOLT.to_owned(), ..protocol.clone() };
        claim.configuration.push(known);
        claim.configuration.len() - 1
    });
    claim.configuration[known].annotations.insert(name.to_owned(), value.to_owned());
}

/// Alters what the comparator answered.
fn answer(forge: &mut Forge, key: &str, pointer: &str, to: &str) {
    let capture = &mut forge.part(key).capture;
    let mut answer: Value = serde_json::from_slice(&capture.stdout.bytes).unwrap();
    *answer.pointer_mut(pointer).unwrap() = to.into();
    capture.stdout = whole(answer.to_string().into_bytes());
}

/// Replaces a file that the plan rests on.
fn replace(forge: &mut Forge, path: &str, make: impl Fn(&record::Plan) -> Vec<u8>) {
    let bytes = make(&forge.plan);
    forge.plan.rests_on.insert(path.to_owned(), Digest::of(&bytes).into());
    forge.files.insert(path.to_owned(), bytes);
}
