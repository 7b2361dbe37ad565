//! Declared deviations: none has ended, and each is tried with the comparator.
//!
//! A row about Aider has an example here, by its id. A row that ends with a pinned package may cover
//! only what the comparator has no answer for, or no answer that two runs agree on. A row that never
//! ends, for a known reason, or that ends with a protocol, as a debt, must cover a difference that
//! exists.

use std::{
    collections::BTreeMap,
    fs,
    io::Write,
    os::unix::{ffi::OsStrExt, fs::symlink},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use harness::{
    deviations::{Counterpart, Deviation, Deviations, Expires, InForce, Reason, protocol_version},
    fuzz::Answerer,
};
use record::protocol::DEVIATIONS;
use serde_json::{Value, json};

use crate::{answerer, installed, support};

/// Seconds that the comparator gets for an example.
const PATIENCE: u64 = 20;

/// The row whose example needs a second user.
const GIVEN_AWAY: &str = "repository-of-another-user";

/// Kinds of failures in which the comparator's process gives no answer, as `answer_many.py` calls them.
const PROCESS: &[&str] = &["child_died", "child_hung"];

/// The answers of both sides to an example: the map and all tags, or why there is none. For the
/// comparator the reason is the kind of its driver's error, a colon and the message.
#[derive(Debug, PartialEq)]
struct Said {
    theirs: Result<String, String>,
    ours: Result<String, String>,
}

/// A repository that a row is about, and the arguments of both sides.
struct Example {
    build: fn(&Path),
    /// Further keys of the comparator's request.
    request: fn() -> Value,
    /// Further arguments of `parity map`.
    arguments: &'static [&'static str],
    /// The ways in which the comparator may fail on it, by the kinds of its driver's errors; empty if
    /// it has an answer. Any other failure, such as one of the driver itself, is not evidence.
    fails: &'static [&'static str],
}

impl Example {
    const fn of(build: fn(&Path)) -> Self {
        Self { build, request: || json!({}), arguments: &[], fails: &[] }
    }

    const fn failing(fails: &'static [&'static str], build: fn(&Path)) -> Self {
        Self { fails, ..Self::of(build) }
    }

    /// Makes the repository and runs both sides.
    fn ask(&self, answerer: &mut Answerer) -> Said {
        let home = tempfile::tempdir().unwrap();
        let repo = home.path().join("repository");
        fs::create_dir(&repo).unwrap();
        (self.build)(&repo);
        let mut request = json!({
            "repo": repo,
            "patience": PATIENCE,
            "dump": ["tags"],
            "cases": [{"id": "only", "map_tokens": 1024}],
        });
        for (key, value) in (self.request)().as_object().unwrap() {
            request[key] = value.clone();
        }
        let answer: Value = serde_json::from_slice(&answerer.ask(&request).unwrap()).unwrap();
        let said =
            |text: &Value, tags: &Value| format!("{}\n{tags}", text.as_str().unwrap_or_default());
        // Aider's own error is in the case, not in the answer.
        let of_case = &answer["cases"][0]["error"];
        let error = if of_case.is_object() { of_case } else { &answer["error"] };
        let theirs = match error["kind"].as_str() {
            Some(kind) => Err(format!("{kind}: {}", error["message"])),
            None => Ok(said(&answer["cases"][0]["listing"], &answer["tags"])),
        };
        let output = Command::new(env!("CARGO_BIN_EXE_parity"))
            .args([
                "map",
                ".",
                "--map-tokens",
                "1024",
                "--map-mul-no-files",
                "2",
                "--json",
                "--trace-graph",
            ])
            .args(self.arguments)
            .current_dir(&repo)
            // An empty home folder, because the user's own git configuration may trust every repository.
            .env("HOME", home.path())
            .output()
            .unwrap();
        let ours = if output.status.success() {
            let map: Value = serde_json::from_slice(&output.stdout).unwrap();
            Ok(said(&map["text"], &map["tags"]))
        } else {
            Err(String::from_utf8_lossy(&output.stderr).into_owned())
        };
        Said { theirs, ours }
    }
}

/// The examples, by the id of their row.
fn examples() -> BTreeMap<&'static str, Example> {
    BTreeMap::from([
        (
            "python-indentation-depth",
            Example::failing(PROCESS, |root| {
                fs::write(root.join("deep.py"), staircase(600, "y = 'text'")).unwrap();
                commit(root);
            }),
        ),
        (
            "symlink-loop",
            Example::failing(&["aider_RuntimeError"], |root| {
                symlink("loop.py", root.join("loop.py")).unwrap();
                commit(root);
            }),
        ),
        (
            "links-that-lead-out",
            Example::of(|root| {
                let outside = root.parent().unwrap().join("outside.py");
                fs::write(outside, "def secret():\n    return secret()\n").unwrap();
                symlink("../outside.py", root.join("link.py")).unwrap();
                commit(root);
            }),
        ),
        (
            "file-names-not-utf8",
            Example::failing(&["aider_UnicodeEncodeError"], |root| {
                let name = std::ffi::OsStr::from_bytes(b"bad_\xff.py");
                fs::write(root.join(name), "def bad():\n    return bad()\n").unwrap();
                commit(root);
            }),
        ),
        (
            "paths-that-git-never-checks-out",
            Example::of(|root| {
                let outside = root.parent().unwrap().join("outside.py");
                fs::write(outside, "def secret():\n    return secret()\n").unwrap();
                commit(root);
                climb_out(root);
            }),
        ),
        (
            GIVEN_AWAY,
            Example::of(|root| {
                commit(root);
                let given = Command::new("chown").args(["-R", "65534:65534"]).arg(root).status();
                assert!(given.unwrap().success());
            }),
        ),
        (
            "configuration-of-the-repository",
            Example::of(|root| {
                let other = root.parent().unwrap().join("other");
                fs::create_dir(&other).unwrap();
                fs::write(other.join("pump.py"), "def other():\n    return other()\n").unwrap();
                commit(root);
                git(root, &["config", "core.worktree", other.to_str().unwrap()]);
            }),
        ),
        (
            "missing-commit",
            Example::of(|root| {
                commit(root);
                let head = git(root, &["rev-parse", "HEAD"]);
                let (folder, file) = head.trim().split_at(2);
                fs::remove_file(root.join(".git/objects").join(folder).join(file)).unwrap();
            }),
        ),
        // A machine with little memory: 100 kB of code do not fit into the share that a file may take.
        (
            "huge-files",
            Example {
                arguments: &["--max-memory", "16M"],
                ..Example::of(|root| {
                    let line = "def filler(value):\n    return filler(value)\n\n\n";
                    fs::write(root.join("huge.py"), line.repeat(2_000)).unwrap();
                    commit(root);
                })
            },
        ),
        (
            "inchat-fallback",
            Example {
                request: || {
                    json!({
                        "no_git": true,
                        "cases": [{
                            "id": "only",
                            "map_tokens": 1024,
                            "chat_files": ["pump.py", "valve.py"],
                        }],
                    })
                },
                arguments: &["--chat", "pump.py", "--chat", "valve.py"],
                ..Example::of(honest)
            },
        ),
        (
            "nesting-bombs",
            Example::failing(PROCESS, |root| {
                fs::write(root.join("bomb.c"), format!("int (*{}", "(*".repeat(160_000))).unwrap();
                commit(root);
            }),
        ),
        (
            "lexers-that-are-never-asked",
            Example::of(|root| {
                fs::write(root.join("core.clj"), "(defn flow [x] (inc x))\n").unwrap();
                fs::write(root.join("app.ex"), "defmodule App do\n  def run(x), do: x\nend\n")
                    .unwrap();
                fs::write(root.join("main.rkt"), "#lang racket\n(define (f x) x)\n").unwrap();
                commit(root);
            }),
        ),
    ])
}

#[test]
fn no_row_has_ended() {
    let (spec, _) = installed();
    let now =
        InForce { protocol: protocol_version(), versions: &spec.definition.expected.versions };
    assert_eq!(rows().expired(now), [], "renew or remove these rows");
}

#[test]
fn each_row_is_about_something_that_cannot_be_reproduced_or_is_not_meant_to_be() {
    let mut answerer = answerer();
    let mut wrong = Vec::new();
    let mut examples = examples();
    for row in rows().rows.iter().filter(|row| row.comparator == Counterpart::Aider) {
        let example = match (examples.remove(row.id.as_str()), row.untried) {
            (Some(example), None) => example,
            (None, Some(_)) => {
                wrong.extend(unnamed_test(row));
                continue;
            }
            (None, None) => {
                wrong.push(format!("{} has no example", row.id));
                continue;
            }
            (Some(_), Some(_)) => {
                wrong.push(format!("{} has an example and says that it has none", row.id));
                continue;
            }
        };
        if row.id == GIVEN_AWAY && !rustix::process::geteuid().is_root() {
            continue; // Only root can give a repository away.
        }
        let said = example.ask(&mut answerer);
        let objection = objection(row, example.fails, &said);
        wrong.extend(objection.map(|why| format!("{}: {why}: {said:?}", row.id)));
    }
    assert!(examples.is_empty(), "no row is called {:?}", examples.keys());
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_row_about_a_map_that_can_be_reproduced_is_objected_to() {
    let after = row("{ after = \"aider-chat 0.86.2\" }");
    let (meant, never) = (row("{ never = \"bounds\" }"), row("{ never = \"impossible\" }"));
    let said = |theirs: Result<&str, &str>, ours: &str| Said {
        theirs: theirs.map(str::to_owned).map_err(str::to_owned),
        ours: Ok(ours.to_owned()),
    };
    let of = |row: &Deviation, theirs, ours| objection(row, PROCESS, &said(theirs, ours));
    assert!(of(&after, Ok("a"), "b").is_some());
    assert!(of(&after, Err("child_died: it ended with -11"), "b").is_none());
    assert!(of(&after, Err("driver_failed: child_died"), "b").is_some());
    assert!(of(&meant, Ok("a"), "b").is_none());
    assert!(of(&meant, Ok("a"), "a").is_some());
    assert!(of(&never, Ok("a"), "a").is_none());
    assert!(of(&never, Ok("a"), "b").is_some());
}

/// Both lexers are certain of this file, and the comparator tries them in the order of their addresses,
/// so its choice depends on the files that it looked at before.
#[test]
fn two_lexers_that_are_sure_take_turns() {
    let folder = tempfile::tempdir().unwrap();
    let text = "function measure\n@interface Gauge\n@end\n";
    fs::write(folder.path().join("both.m"), text).unwrap();
    let others = ["a.h", "a.py", "a.js", "a.rb", "a.php"];
    for name in others {
        fs::write(folder.path().join(name), "x\n").unwrap();
    }
    let (spec, environment) = installed();
    let script = spec.path.join("lexer_names.py");
    let lexer = |number: usize| {
        let before = others.iter().enumerate().filter(|(at, _)| number >> at & 1 == 1);
        let files: Vec<&str> = before.map(|(_, name)| *name).chain(["both.m"]).collect();
        let request = json!({"repo": folder.path(), "files": files}).to_string();
        let mut child = Command::new(&environment.python)
            .arg(&script)
            .env_clear()
            .envs([("PATH", "/usr/bin:/bin"), ("PYTHONHASHSEED", "0"), ("PYTHONUTF8", "1")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(request.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let last = output.stdout.trim_ascii_end().split(|byte| *byte == b'\n').next_back();
        let row: Value = serde_json::from_slice(last.unwrap()).unwrap();
        row["lexer"].as_str().unwrap().to_owned()
    };
    let first = lexer(0);
    let differs = (1..1 << others.len()).rev().any(|number| lexer(number) != first);
    assert!(differs, "always {first}: can it be reproduced now?");
}

/// What is wrong with the evidence of a row without an example: it names no test, or a test that is not
/// in the file it names.
fn unnamed_test(row: &Deviation) -> Option<String> {
    let is_word = |c: char| c.is_alphanumeric() || "_./".contains(c);
    let words = || row.evidence.split(|c: char| !is_word(c));
    let files = words().filter(|word| word.ends_with(".rs"));
    let texts: Vec<String> =
        files.map(|file| fs::read_to_string(support::root().join(file)).unwrap()).collect();
    let tests: Vec<&str> =
        words().filter(|word| word.contains('_') && !word.contains(['.', '/'])).collect();
    let is_there = |test: &&str| texts.iter().any(|text| text.contains(&format!("fn {test}()")));
    let named = !tests.is_empty() && tests.iter().all(is_there);
    (!named).then(|| format!("{}: no such test: {tests:?}", row.id))
}

/// What is wrong with a row, given both sides' answers to its example and the ways in which the
/// comparator may fail.
fn objection(row: &Deviation, fails: &[&str], said: &Said) -> Option<&'static str> {
    match (&row.expires, &said.theirs) {
        (Expires::After(_), Ok(_)) => Some("the comparator has an answer that can be reproduced"),
        (Expires::After(_), Err(why)) => {
            let kind = why.split(':').next().unwrap_or_default();
            (!fails.contains(&kind)).then_some("the comparator fails in another way")
        }
        (Expires::Never(Reason::Impossible), theirs) => {
            (*theirs != said.ours).then_some("such a file exists")
        }
        _ if said.theirs == said.ours => Some("both sides agree, so that there is no deviation"),
        _ => None,
    }
}

fn rows() -> Deviations {
    let text = fs::read_to_string(support::root().join(DEVIATIONS)).unwrap();
    Deviations::parse(&text).unwrap()
}

fn row(expires: &str) -> Deviation {
    let text = format!(
        "[[deviation]]\nid = \"x\"\nwhat = \"x\"\nwhy = \"x\"\nevidence = \"x\"\nexpires = {expires}\n"
    );
    Deviations::parse(&text).unwrap().rows.remove(0)
}

/// A Python file of nested blocks, and a line at the bottom.
fn staircase(levels: usize, last: &str) -> String {
    let steps: String = (0..levels).map(|n| format!("{}if x:\n", " ".repeat(n))).collect();
    format!("{steps}{}{last}\n", " ".repeat(levels))
}

fn git(root: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .arg("-C")
        .arg(root)
        .args(["-c", "user.name=a", "-c", "user.email=a@example.invalid"])
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Two files that every example has.
fn honest(root: &Path) {
    fs::write(root.join("pump.py"), "def prime(valve):\n    return valve\n").unwrap();
    fs::write(root.join("valve.py"), "from pump import prime\n\nprime(1)\n").unwrap();
}

/// Makes a repository of two honest files and the other contents of a folder.
pub fn commit(root: &Path) {
    honest(root);
    git(root, &["init", "-q", "-b", "main"]);
    git(root, &["add", "-A"]);
    git(root, &["commit", "-q", "-m", "all"]);
}

/// Commits a tree with an entry `..` that holds the file outside.
fn climb_out(root: &Path) {
    let blob = git(root, &["hash-object", "-w", "pump.py"]);
    let inner = tree(root, &[("100644", "outside.py", blob.trim())]);
    let outer = tree(root, &[("40000", "..", &inner), ("100644", "pump.py", blob.trim())]);
    let commit = git(root, &["commit-tree", "-m", "all", &outer]);
    git(root, &["update-ref", "refs/heads/main", commit.trim()]);
}

/// Writes a tree object with these entries, which git itself would refuse.
fn tree(root: &Path, entries: &[(&str, &str, &str)]) -> String {
    let mut bytes = Vec::new();
    for (mode, name, id) in entries {
        bytes.extend_from_slice(format!("{mode} {name}\0").as_bytes());
        let digits = id.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).unwrap());
        bytes.extend(digits.map(|pair| u8::from_str_radix(pair, 16).unwrap()));
    }
    let file: PathBuf = root.parent().unwrap().join("tree");
    fs::write(&file, bytes).unwrap();
    let file = file.to_str().unwrap();
    git(root, &["hash-object", "-t", "tree", "--literally", "-w", file]).trim().to_owned()
}
