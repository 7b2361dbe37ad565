//! Hostile repositories: each costs itself, never the map. Every fixture is built here.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::{
    collections::BTreeMap,
    ffi::OsStr,
    fs,
    os::unix::{
        ffi::OsStrExt,
        fs::{PermissionsExt, symlink},
        net::UnixListener,
        process::CommandExt,
    },
    path::Path,
    process::Command,
    time::Duration,
};

use harness::process::{self, Invocation};
use serde_json::Value;
use tempfile::TempDir;

/// Longest time that a hostile repository may take.
const DEADLINE: Duration = Duration::from_mins(2);

fn git(dir: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git").arg("-C").arg(dir).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// A repository with two honest files, and whatever `build` adds to it before all is staged.
fn repository(build: impl FnOnce(&Path)) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    git(root, &["init", "-q"]);
    fs::write(root.join("honest.py"), "def honest_work(value):\n    return value\n").unwrap();
    fs::write(root.join("caller.py"), "from honest import honest_work\n\nhonest_work(1)\n")
        .unwrap();
    build(root);
    git(root, &["add", "-A"]);
    dir
}

/// Lists a path in the index that `git add` would read, or refuse.
fn list(root: &Path, path: &str) {
    let empty = git(root, &["hash-object", "-w", "--stdin"]);
    let entry = format!("100644,{},{path}", empty.trim());
    git(root, &["update-index", "--add", "--cacheinfo", &entry]);
}

/// A map, and what was skipped with the reasons.
struct Map {
    text: String,
    skipped: BTreeMap<String, String>,
}

impl Map {
    fn reason(&self, file: &str) -> &str {
        self.skipped.get(file).map_or("", String::as_str)
    }
}

fn map_with(dir: &Path, environment: &[(&str, &str)], arguments: &[&str]) -> Map {
    let mut invocation = Invocation::new(env!("CARGO_BIN_EXE_parity"), dir);
    invocation.deadline = DEADLINE;
    invocation.env = ["PATH", "HOME"]
        .into_iter()
        .filter_map(|name| Some((name.to_owned(), std::env::var(name).ok()?)))
        .chain(environment.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())))
        .collect();
    let fixed = ["map", ".", "--map-tokens", "1024", "--json"];
    let arguments = fixed.iter().chain(arguments).map(|argument| (*argument).to_owned());
    let capture = process::run(&invocation.args(arguments)).unwrap();
    assert!(capture.succeeded(), "{}: {}", capture.ending(), capture.stderr_tail(5));
    read(&capture.stdout.bytes)
}

fn read(json: &[u8]) -> Map {
    let document: Value = serde_json::from_slice(json).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let skipped = document["skipped"].as_array().unwrap().iter();
    let map = Map {
        text: text(&document["text"]),
        skipped: skipped.map(|row| (text(&row["file"]), text(&row["reason"]))).collect(),
    };
    assert!(map.text.contains("honest.py:"), "the honest file is missing: {}", map.text);
    map
}

fn map(dir: &TempDir, arguments: &[&str]) -> Map {
    map_with(dir.path(), &[], arguments)
}

// Row 19: what is no regular file is never opened.

#[test]
fn pipes_sockets_and_devices_are_named_and_never_opened() {
    let dir = repository(|root| symlink("/dev/zero", root.join("zeros.py")).unwrap());
    let root = dir.path();
    for name in ["pipe.py", "socket.py", "folder.py"] {
        list(root, name);
    }
    assert!(Command::new("mkfifo").arg(root.join("pipe.py")).status().unwrap().success());
    let _listener = UnixListener::bind(root.join("socket.py")).unwrap();
    fs::create_dir(root.join("folder.py")).unwrap();
    let map = map(&dir, &[]);
    assert!(map.reason("pipe.py").contains("pipe"));
    assert!(map.reason("socket.py").contains("socket"));
    assert!(map.reason("folder.py").contains("directory"));
    let device = map.skipped.iter().find(|(file, _)| file.ends_with("dev/zero")).unwrap();
    assert!(device.1.contains("device"), "{device:?}");
}

#[test]
fn links_that_loop_dangle_or_lead_out_cost_themselves() {
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("secret.txt"), "not ours\n").unwrap();
    let dir = repository(|root| {
        symlink("loop_b.py", root.join("loop_a.py")).unwrap();
        symlink("loop_a.py", root.join("loop_b.py")).unwrap();
        symlink("self.py", root.join("self.py")).unwrap();
        symlink("nowhere.py", root.join("dangling.py")).unwrap();
        symlink(outside.path().join("secret.txt"), root.join("outside.txt")).unwrap();
        symlink(".", root.join("here")).unwrap();
    });
    let map = map(&dir, &[]);
    for name in ["loop_a.py", "loop_b.py", "self.py"] {
        assert!(map.reason(name).contains("leads back"), "{name}: {}", map.reason(name));
    }
    assert_eq!(map.reason("nowhere.py"), "does not exist");
    assert!(!map.text.contains("not ours"));
}

#[test]
fn what_may_not_be_read_is_skipped() {
    let dir = repository(|root| {
        fs::create_dir(root.join("closed")).unwrap();
        fs::write(root.join("closed/inside.py"), "def inside(): pass\n").unwrap();
        fs::write(root.join("locked.py"), "def locked(): pass\n").unwrap();
    });
    let root = dir.path();
    let mode = |path: &str, mode| {
        fs::set_permissions(root.join(path), fs::Permissions::from_mode(mode)).unwrap();
    };
    mode(".", 0o755);
    mode("closed", 0o000);
    mode("locked.py", 0o000);
    let mut command = Command::new(env!("CARGO_BIN_EXE_parity"));
    command.args(["map", ".", "--map-tokens", "1024", "--json"]).current_dir(root);
    // The super-user may read everything; somebody else has to try.
    if rustix::process::geteuid().is_root() {
        command.uid(65_534).gid(65_534);
    }
    let output = command.output();
    mode("closed", 0o755);
    let output = match output {
        Ok(output) => output,
        // The program itself lies where that user may not go: nothing can be shown here.
        Err(error) => return assert_eq!(error.kind(), std::io::ErrorKind::PermissionDenied),
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let map = read(&output.stdout);
    assert!(map.reason("closed/inside.py").contains("cannot be read"));
    assert!(map.reason("locked.py").contains("cannot be read"));
}

// Row 22: size.

#[test]
fn a_sparse_file_of_ten_gibibytes_is_skipped_in_bounded_memory() {
    let dir = repository(|_| {});
    list(dir.path(), "huge.py");
    let huge = fs::File::create(dir.path().join("huge.py")).unwrap();
    huge.set_len(10 << 30).unwrap();
    for profile in ["parity", "enhancement"] {
        // Four gigabytes of address space for the whole program.
        let program = env!("CARGO_BIN_EXE_parity");
        let script = format!(
            "ulimit -v 4000000 && exec '{program}' map . --map-tokens 1024 --json --profile {profile}"
        );
        let output =
            Command::new("sh").args(["-c", &script]).current_dir(dir.path()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let map = read(&output.stdout);
        assert!(map.reason("huge.py").contains("too large"), "{}", map.reason("huge.py"));
    }
}

#[test]
fn one_line_of_fifty_megabytes_is_survived() {
    let dir = repository(|root| {
        for (name, length) in [("line.js", 12_000_000), ("longer_line.js", 50_000_000)] {
            let line = format!("const line = \"{}\";\n", "x".repeat(length));
            fs::write(root.join(name), line).unwrap();
        }
    });
    let map = map(&dir, &[]);
    assert_eq!(map.reason("line.js"), "");
    assert!(map.reason("longer_line.js").contains("too large"));
    let enhanced = map_with(dir.path(), &[], &["--profile", "enhancement"]);
    assert!(enhanced.reason("line.js").contains("too large"));
}

#[test]
fn minified_code_is_read_up_to_the_cap() {
    let unit = "function a(b){return c(b)?d(b):e(b)}var f=a(1);";
    let dir = repository(|root| {
        fs::write(root.join("small.min.js"), unit.repeat(2_000)).unwrap();
        fs::write(root.join("large.min.js"), unit.repeat(100_000)).unwrap();
    });
    let map = map(&dir, &["--profile", "enhancement"]);
    assert_eq!(map.reason("small.min.js"), "");
    assert!(map.reason("large.min.js").contains("too large"));
}

// Row 25: bytes that are no text, and names that are none.

#[test]
fn foreign_encodings_are_skipped_and_odd_utf8_is_read() {
    let utf16: Vec<u8> = "def wide(): pass\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let dir = repository(|root| {
        fs::write(root.join("latin1.py"), b"# caf\xe9\ndef latin(): pass\n").unwrap();
        fs::write(root.join("utf16.py"), [&b"\xff\xfe"[..], &utf16].concat()).unwrap();
        fs::write(root.join("cut.py"), b"def cut(): pass\n# \xf0\x9f\x92").unwrap();
        fs::write(root.join("surrogate.py"), b"x = '\xed\xa0\x80'\n").unwrap();
        fs::write(root.join("mark.py"), b"\xef\xbb\xbfdef marked(): pass\n").unwrap();
        fs::write(root.join("zero.py"), b"def zeroed(): pass\n\0\0\n").unwrap();
        fs::write(
            root.join("mixed.py"),
            b"def one(): pass\r\ndef two(): pass\rdef three(): pass\n",
        )
        .unwrap();
    });
    let map = map(&dir, &[]);
    for name in ["latin1.py", "utf16.py", "cut.py", "surrogate.py"] {
        assert!(map.reason(name).contains("not valid UTF-8 at byte"), "{name}");
    }
    for definition in ["marked", "zeroed", "one", "two", "three"] {
        assert!(map.text.contains(&format!("def {definition}()")), "{definition}: {}", map.text);
    }
}

#[test]
fn names_that_are_not_utf8_are_skipped_and_odd_names_are_escaped() {
    let dir = repository(|root| {
        fs::write(root.join(OsStr::from_bytes(b"bad_\xff.py")), "def bad(): pass\n").unwrap();
        for name in
            ["new\nline.py", "tab\there.py", "\u{1b}[31mred.py", "</script>.d/x.py", "=1.py"]
        {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "def odd_name(): pass\n").unwrap();
        }
    });
    let map = map(&dir, &[]);
    let bad = map.skipped.get("bad_\u{fffd}.py").unwrap();
    assert!(bad.contains("UTF-8"));
    for name in ["new\nline.py", "\u{1b}[31mred.py", "</script>.d/x.py"] {
        assert!(map.text.contains(name), "{name:?}");
    }
}

// Row 26: a parser that crashes or hangs.

#[test]
fn a_parser_that_crashes_costs_its_files() {
    let dir = repository(|root| {
        for folder in ["a", "b"] {
            fs::create_dir(root.join(folder)).unwrap();
            fs::write(root.join(folder).join("evil.py"), "def evil(): pass\n").unwrap();
        }
        for n in 0..40 {
            fs::write(root.join(format!("good_{n}.py")), format!("def good_{n}(): pass\n"))
                .unwrap();
        }
    });
    let map = map_with(dir.path(), &[("PARITY_TEST_PARSER", "crash:evil.py")], &[]);
    assert_eq!(map.skipped.keys().collect::<Vec<_>>(), ["a/evil.py", "b/evil.py"]);
    assert!(map.reason("a/evil.py").starts_with("parser crashed (signal "));
    assert!(!map.text.contains("def evil") && map.text.contains("good_39.py"));
}

#[test]
fn a_parser_that_exhausts_its_stack_costs_its_file() {
    let dir = repository(|root| fs::write(root.join("deep.py"), "def deep(): pass\n").unwrap());
    let map = map_with(dir.path(), &[("PARITY_TEST_PARSER", "overflow:deep.py")], &[]);
    assert_eq!(map.skipped.keys().collect::<Vec<_>>(), ["deep.py"]);
    assert!(map.reason("deep.py").starts_with("parser crashed (signal "));
}

#[test]
fn a_parser_that_hangs_costs_its_files() {
    let dir = repository(|root| {
        fs::write(root.join("endless.py"), "def endless(): pass\n").unwrap();
    });
    let map = map_with(dir.path(), &[("PARITY_TEST_PARSER", "hang:endless.py")], &[]);
    assert_eq!(map.skipped.keys().collect::<Vec<_>>(), ["endless.py"]);
    assert_eq!(map.reason("endless.py"), "parser timed out after 5 s");
}

// Row 26, for explorations: the file has a summary that says so, and so have all the others.

fn explored(dir: &Path, fault: &str, arguments: &[&str]) -> Vec<Value> {
    let mut invocation = Invocation::new(env!("CARGO_BIN_EXE_parity"), dir);
    invocation.deadline = DEADLINE;
    invocation.env.insert("PARITY_TEST_PARSER".to_owned(), fault.to_owned());
    let arguments = ["explore", "--json"].iter().chain(arguments);
    let invocation = invocation.args(arguments.map(|argument| (*argument).to_owned()));
    let capture = process::run(&invocation).unwrap();
    assert!(capture.succeeded(), "{fault}: {} {}", capture.ending(), capture.stderr_tail(5));
    let lines = capture.stdout.bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| serde_json::from_slice(line).unwrap()).collect()
}

#[test]
fn a_parser_that_fails_costs_its_exploration_and_no_other() {
    let dir = repository(|root| {
        fs::write(root.join("evil.py"), "def evil(): pass\n").unwrap();
        fs::create_dir(root.join("b")).unwrap();
        fs::write(root.join("b/evil.py"), "def evil(): pass\n").unwrap();
    });
    for (fault, why) in [
        ("crash:evil.py", "not parsed: parser crashed (signal 6)"),
        ("overflow:evil.py", "not parsed: parser crashed (signal 11)"),
        ("hang:evil.py", "not parsed: parser timed out after 5 s"),
        ("panic:evil.py", "not parsed: parser panicked"),
    ] {
        let files = ["honest.py", "evil.py", "caller.py", "b/evil.py", "honest.py"];
        let found = explored(dir.path(), fault, &files);
        let names: Vec<&str> = found.iter().map(|one| one["file"].as_str().unwrap()).collect();
        assert_eq!(names, files, "{fault}: each once, in order");
        for one in &found {
            let is_evil = one["file"].as_str().unwrap().ends_with("evil.py");
            assert_eq!(one["success"], true);
            assert_eq!(one["malformed"]["what"].as_str(), is_evil.then_some(why), "{fault}");
            let summary = one["summary"].as_str().unwrap();
            assert_eq!(summary.contains(why), is_evil, "{summary}");
            let has_symbols = !one["symbols"].as_array().unwrap().is_empty();
            assert_eq!(has_symbols, one["file"] == "honest.py");
        }
    }
}

#[test]
fn without_a_fault_the_hook_changes_nothing() {
    let dir = repository(|_| {});
    let plain = map(&dir, &[]);
    let hooked = map_with(dir.path(), &[("PARITY_TEST_PARSER", "crash:nothing.py")], &[]);
    assert_eq!((plain.text, plain.skipped), (hooked.text, hooked.skipped));
}

// Row 27: a repository whose configuration wants to run something.

#[test]
fn nothing_that_a_repository_configures_is_run() {
    let canary = tempfile::tempdir().unwrap();
    let mark = canary.path().join("ran");
    let program = canary.path().join("program");
    fs::write(&program, format!("#!/bin/sh\necho \"$0 $*\" >> '{}'\ncat\n", mark.display()))
        .unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let evil = program.to_str().unwrap();
    let dir = repository(|root| fs::write(root.join("kept.txt"), "text\n").unwrap());
    let root = dir.path();
    git(root, &["-c", "user.name=a", "-c", "user.email=a@example.invalid", "commit", "-qm", "x"]);
    fs::write(root.join(".gitattributes"), "* filter=evil diff=evil merge=evil\n").unwrap();
    fs::write(root.join(".lfsconfig"), "[lfs]\n\turl = file:///nowhere\n").unwrap();
    fs::write(
        root.join(".gitmodules"),
        format!("[submodule \"s\"]\n\tpath = s\n\turl = ext::{evil}\n\tupdate = !{evil}\n"),
    )
    .unwrap();
    for (key, value) in [
        ("filter.evil.clean", evil),
        ("filter.evil.smudge", evil),
        ("filter.evil.process", evil),
        ("diff.evil.textconv", evil),
        ("diff.external", evil),
        ("merge.evil.driver", evil),
        ("core.fsmonitor", evil),
        ("core.sshCommand", evil),
        ("core.pager", evil),
        ("core.editor", evil),
        ("core.askPass", evil),
        ("core.alternateRefsCommand", evil),
        ("credential.helper", evil),
        ("gpg.program", evil),
        ("alias.ls-files", &format!("!{evil}")),
        ("alias.rev-parse", &format!("!{evil}")),
        ("uploadpack.packObjectsHook", evil),
        ("pager.ls-files", evil),
    ] {
        git(root, &["config", key, value]);
    }
    let hooks = root.join(".git/hooks");
    fs::create_dir_all(&hooks).unwrap();
    for hook in
        ["post-index-change", "fsmonitor-watchman", "post-checkout", "reference-transaction"]
    {
        fs::copy(&program, hooks.join(hook)).unwrap();
    }
    git(root, &["config", "core.hooksPath", hooks.to_str().unwrap()]);
    // The index looks stale, so that whoever asks for differences has to run the filters.
    fs::write(root.join("honest.py"), "def honest_work(value):\n    return value + 1\n").unwrap();
    fs::remove_file(&mark).ok();
    let before = fs::read(root.join(".git/index")).unwrap();
    map(&dir, &["--chat", "caller.py", "--message", "honest.py"]);
    assert!(!mark.exists(), "it ran: {}", fs::read_to_string(&mark).unwrap_or_default());
    assert_eq!(fs::read(root.join(".git/index")).unwrap(), before, "the index was rewritten");
}

#[test]
fn a_repository_of_somebody_else_is_read() {
    if !rustix::process::geteuid().is_root() {
        return; // Only the super-user can give a repository away.
    }
    let dir = repository(|_| {});
    let given = Command::new("chown").args(["-R", "65534:65534"]).arg(dir.path()).status();
    assert!(given.unwrap().success());
    let refused =
        Command::new("git").arg("-C").arg(dir.path()).args(["ls-files"]).output().unwrap();
    assert!(!refused.status.success(), "git trusts everybody here, so this shows nothing");
    map(&dir, &[]);
}
