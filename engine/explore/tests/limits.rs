//! Files that are too large to load: each is explored by a process of its own that may use no more
//! than so much memory, and its summary says what was not read.
//!
//! The process is this test binary again, which runs only [`the_child_explores_one_file`].

#![allow(clippy::disallowed_methods, reason = "a test reads its own files")]
#![cfg(target_os = "linux")]

use std::{
    fs::File,
    io::Write,
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

use base::profile::Profile;
use explore::{Input, Project, explore};
use serde_json::Value;

use crate::support::json::fact;

/// The variables that tell the child its file, and that its profile is the enhancement one.
const FILE: &str = "PARITY_TEST_EXPLORE";
const ENHANCED: &str = "PARITY_TEST_EXPLORE_ENHANCED";
/// Address space of the child for a file that is sampled or streamed, in KiB: the program itself,
/// its grammars and threads take some hundred megabytes of it, hardly any of which it touches.
const ADDRESS_SPACE: u64 = 2_000_000;
/// Most memory that a file of code may cost, in MiB: one syntax tree at a time, and symbols.
const CODE_PEAK: u64 = 4_096;
/// The same where its lines are long.
const DENSE_PEAK: u64 = 500;
/// A watchdog, on however busy a machine.
const DEADLINE: Duration = Duration::from_mins(5);

/// Names of all text formats whose explorers stream or sample, and of one language.
const TEXTS: &[&str] = &[
    "a.c",
    "a.csv",
    "a.env",
    "a.html",
    "a.ini",
    "a.ipynb",
    "a.js",
    "a.json",
    "a.log",
    "a.md",
    "a.ndjson",
    "a.properties",
    "a.py",
    "a.tex",
    "a.toml",
    "a.tsv",
    "a.txt",
    "a.xml",
    "a.yaml",
];
const BINARIES: &[&str] =
    &["a.bin", "a.elf", "a.pdf", "a.png", "a.sqlite", "a.tar", "a.wasm", "a.zip"];

#[test]
#[ignore = "a helper of the tests here, which run it with a file"]
fn the_child_explores_one_file() {
    let Ok(path) = std::env::var(FILE) else { return };
    let path = Path::new(&path);
    let name = path.file_name().unwrap().to_string_lossy();
    let input = Input::open(&name, path).unwrap();
    let enhanced = std::env::var_os(ENHANCED).is_some();
    let profile = if enhanced { Profile::Enhancement } else { Profile::Parity };
    let found = explore(&input, &Project::default(), profile);
    let peak = std::fs::read_to_string("/proc/self/status").unwrap();
    let peak = peak.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap().trim().to_owned();
    let found = serde_json::json!({
        "success": found.success,
        "summary": found.summary,
        "malformed": found.malformed,
        "sampled": fact(&found, "sampled"),
        "peak": peak,
    });
    println!("\nfound: {found}");
}

/// What the child found, and the most memory that it used at a time, in MiB.
fn explored(path: &Path) -> (Value, u64) {
    explored_within(path, ADDRESS_SPACE, Profile::Parity)
}

/// The same within so much address space, in KiB.
fn explored_within(path: &Path, address_space: u64, profile: Profile) -> (Value, u64) {
    let program = std::env::current_exe().unwrap();
    let script = format!("ulimit -v {address_space} && exec \"$0\" \"$@\"");
    let start = Instant::now();
    let output = Command::new("sh")
        .args(["-c", &script])
        .arg(program)
        .args(["--exact", "limits::the_child_explores_one_file", "--ignored", "--nocapture"])
        .env(FILE, path)
        .envs((!profile.is_parity()).then_some((ENHANCED, "1")))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let at = format!("{}: {text}{}", path.display(), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{at}");
    assert!(start.elapsed() < DEADLINE, "{at}");
    let found = text.lines().find_map(|line| line.strip_prefix("found: ")).unwrap();
    let found: Value = serde_json::from_str(found).unwrap();
    assert_eq!(found["success"], true, "{at}");
    assert!(!found["summary"].as_str().unwrap().trim().is_empty(), "{at}");
    let peak = found["peak"].as_str().unwrap().trim_end_matches(" kB").trim().parse::<u64>();
    let peak = peak.unwrap() / 1024;
    println!("{}: {:.1} s, {peak} MiB", path.display(), start.elapsed().as_secs_f64());
    (found, peak)
}

/// Whether the summary says that not everything was read, or what is wrong.
fn is_noted(found: &Value) -> bool {
    let summary = found["summary"].as_str().unwrap().to_lowercase();
    ["sampled", "malformed", "truncated", "larger than", "longer than"]
        .iter()
        .any(|word| summary.contains(word))
}

/// Writes equal pieces of some megabytes.
fn filled(path: &Path, start: &str, piece: &str, megabytes: usize, end: &str) {
    let mut file = std::io::BufWriter::new(File::create(path).unwrap());
    file.write_all(start.as_bytes()).unwrap();
    let block = piece.repeat(1 + (1 << 16) / piece.len());
    for _ in 0..megabytes * (1 << 20) / block.len() {
        file.write_all(block.as_bytes()).unwrap();
    }
    file.write_all(end.as_bytes()).unwrap();
    file.flush().unwrap();
}

#[test]
fn a_sparse_file_of_ten_gibibytes_costs_hardly_any_memory() {
    let folder = tempfile::tempdir().unwrap();
    for name in TEXTS.iter().chain(BINARIES) {
        let path = folder.path().join(name);
        File::create(&path).unwrap().set_len(10 << 30).unwrap();
        let (found, peak) = explored(&path);
        assert!(peak < 128, "{name}: {peak} MiB");
        let bytes = *name == "a.bin" || is_noted(&found);
        assert!(bytes, "{name}: {}", found["summary"]);
        std::fs::remove_file(path).unwrap();
    }
}

#[test]
fn ten_gibibytes_behind_an_honest_beginning_cost_hardly_any_memory() {
    let folder = tempfile::tempdir().unwrap();
    for (name, start) in [
        ("a.py", "import os\n".repeat(1_000)),
        ("a.md", "# Title\n\ntext\n".repeat(1_000)),
        ("a.toml", "a = 1 # text\n".repeat(1_000)),
        ("a.tex", "\\section{a} text\n".repeat(1_000)),
        ("a.html", "<h1>text</h1>\n".repeat(1_000)),
        ("a.txt", "some text\n".repeat(1_000)),
    ] {
        let path = folder.path().join(name);
        filled(&path, "", &start, 0, &start);
        File::options().write(true).open(&path).unwrap().set_len(10 << 30).unwrap();
        let (found, peak) = explored(&path);
        assert!(peak < 256 && is_noted(&found), "{name}: {peak} MiB, {}", found["summary"]);
        std::fs::remove_file(path).unwrap();
    }
}

#[test]
#[ignore = "writes 500 MB fifteen times; the nightly run does"]
fn one_line_of_five_hundred_megabytes_costs_bounded_memory() {
    let folder = tempfile::tempdir().unwrap();
    for (name, start, end) in [
        ("a.py", "x = '", "'\n"),
        ("a.js", "x = '", "';\n"),
        ("a.c", "char *x = \"", "\";\n"),
        ("a.json", "{\"a\": \"", "\"}\n"),
        ("a.ndjson", "{\"a\": \"", "\"}\n"),
        ("a.yaml", "a: ", "\n"),
        ("a.toml", "a = \"", "\"\n"),
        ("a.ini", "a = ", "\n"),
        ("a.csv", "a,b\n", ",c\n"),
        ("a.xml", "<a>", "</a>\n"),
        ("a.html", "<p>", "</p>\n"),
        ("a.md", "# ", "\n"),
        ("a.tex", "\\section{", "}\n"),
        ("a.log", "2024-01-02 03:04:05 ERROR ", "\n"),
        ("a.txt", "", "\n"),
    ] {
        let path = folder.path().join(name);
        filled(&path, start, "0123456789 ", 500, end);
        let (_, peak) = explored(&path);
        assert!(peak < 512, "{name}: {peak} MiB");
        std::fs::remove_file(path).unwrap();
    }
}

/// Code of many languages that is written again and again: everything of it has one name, and with a
/// space for each line's end it stands on one line.
const PIECES: &[(&str, &str)] = &[
    ("a.py", "class A(B):\n    def f(self, a, b=1):\n        return [a, b, {'x': a + b}]\n\n"),
    ("a.js", "class A extends B {\n  f(a, b = 1) {\n    return [a, b, { x: a + b }];\n  }\n}\n"),
    ("a.ts", "interface A {\n  x: string;\n}\nclass C {\n  f(a: X): Y {\n    return a;\n  }\n}\n"),
    ("a.jsx", "function A() {\n  const [a] = useState(1);\n  return <b>{a}</b>;\n}\n"),
    (
        "a.java",
        "class A extends B {\n  int f(int a, int b) {\n    return a + b * c(a, b);\n  }\n}\n",
    ),
    ("a.c", "static int f(int a, int b)\n{\n  return a + b * c(a, b);\n}\n"),
    ("a.cpp", "struct A : B {\n  int f(int a) {\n    return a + b * c(a, 1);\n  }\n};\n"),
    ("a.go", "type A struct {\n\tx int;\n\ty int;\n};\nfunc (a A) f() int { return 1 };\n"),
    ("a.rs", "struct A {\n  x: u8,\n}\nimpl A {\n  fn f(&self) -> u8 {\n    self.x\n  }\n}\n"),
    ("a.cs", "class A : B {\n  int x;\n  int F(int a) {\n    return a + x;\n  }\n}\n"),
];

#[test]
fn minified_code_of_thirty_megabytes_costs_bounded_memory_and_says_what_is_parsed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.js");
    filled(&path, "", "function a(b){return c(b)?d(b):[b,{e:b}]}", 30, "");
    let (found, peak) = explored(&path);
    assert!(peak < DENSE_PEAK, "{peak} MiB");
    let what = found["malformed"]["what"].as_str().unwrap();
    assert!(what.contains("bytes are parsed: its lines are too long"), "{what}");
}

#[test]
#[ignore = "explores 50 MB of code forty times; the nightly run does"]
fn fifty_megabytes_of_code_cost_bounded_memory() {
    let folder = tempfile::tempdir().unwrap();
    for (name, piece) in PIECES {
        let one_line = piece.replace('\n', " ");
        for text in [*piece, one_line.as_str()] {
            // Without its lines, Python is not code.
            if text.contains('\n') || *name != "a.py" {
                let path = folder.path().join(name);
                filled(&path, "", text, 49, "");
                for profile in [Profile::Parity, Profile::Enhancement] {
                    let (_, peak) = explored_within(&path, 2 * CODE_PEAK * 1024, profile);
                    assert!(peak < CODE_PEAK, "{name}: {peak} MiB");
                }
                std::fs::remove_file(path).unwrap();
            }
        }
    }
}
