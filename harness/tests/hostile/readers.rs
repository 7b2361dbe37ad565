//! Every file that is read besides the sources has a size limit.

use std::{fs, path::Path, process::Command};

use crate::repository::{PROFILES, every_way, parity, repository, text, within};

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
fn a_sparse_ignore_file_of_four_gibibytes_is_refused_in_bounded_memory() {
    let dir = repository(|_| {});
    let ignore = fs::File::create(dir.path().join(".aiderignore")).unwrap();
    ignore.set_len(4 << 30).unwrap();
    for profile in PROFILES {
        let program = env!("CARGO_BIN_EXE_parity");
        let script = format!("ulimit -v 3000000 && exec '{program}' map . --profile {profile}");
        let output =
            Command::new("sh").args(["-c", &script]).current_dir(dir.path()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(74), "{said}");
        assert!(said.contains("too large"), "{said}");
    }
}

#[test]
fn an_ignore_file_that_is_a_pipe_is_not_opened() {
    let dir = repository(|_| {});
    pipe(&dir.path().join(".aiderignore"));
    for (way, told) in within(60, || every_way(dir.path(), &[])) {
        assert!(told.stopped.is_none(), "{way}: {}", told.ending());
    }
}

#[test]
fn without_git_ignore_rules_that_are_a_pipe_are_not_opened() {
    for name in [".gitignore", ".ignore"] {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("sub")).unwrap();
        fs::write(dir.path().join("sub/honest.py"), "def honest_work(): pass\n").unwrap();
        pipe(&dir.path().join(name));
        pipe(&dir.path().join("sub").join(name));
        let arguments = ["map", ".", "--profile", "enhancement", "--json"];
        let told = within(60, || parity(dir.path(), &[], &arguments, ""));
        assert!(told.succeeded(), "{name}: {} {}", told.ending(), text(&told));
        assert!(text(&told).contains("is a pipe"), "{name}: {}", text(&told));
    }
}

#[test]
fn project_files_that_are_pipes_are_not_opened() {
    let names = [
        "pubspec.yaml",
        "go.mod",
        "Cargo.toml",
        "Package.swift",
        "mix.exs",
        "NAMESPACE",
        "DESCRIPTION",
        "composer.json",
        "x.csproj",
        "package.json",
    ];
    let sources = [
        ("a.dart", "import 'package:x/x.dart';\n"),
        ("a.go", "package a\n\nimport \"x/y\"\n"),
        ("a.rs", "use x::y;\n"),
        ("a.swift", "import X\n"),
        ("a.ex", "defmodule A do\n  import X\nend\n"),
        ("a.R", "library(x)\nf <- function(a) a\n"),
        ("a.php", "<?php\nuse X\\Y;\n"),
        ("a.cs", "using X;\nclass A {}\n"),
        ("a.ts", "import x from 'x';\n"),
    ];
    let dir = repository(|root| {
        for (name, text) in sources {
            fs::write(root.join(name), text).unwrap();
        }
    });
    for name in names {
        pipe(&dir.path().join(name));
    }
    for (file, _) in sources {
        let arguments = ["explore", "--root", ".", file];
        let told = within(60, || parity(dir.path(), &[], &arguments, ""));
        assert!(told.succeeded(), "{file}: {} {}", told.ending(), text(&told));
    }
}

#[test]
fn a_large_project_file_is_not_read_whole() {
    let dir = repository(|root| {
        fs::write(root.join("a.dart"), "import 'package:own/x.dart';\n").unwrap();
    });
    // The category depends on the package's name, so it shows whether the file was read.
    let category = |size: u64| {
        let path = dir.path().join("pubspec.yaml");
        fs::write(&path, "name: own\n").unwrap();
        fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(size).unwrap();
        let told = parity(dir.path(), &[], &["explore", "--json", "a.dart"], "");
        let found: serde_json::Value = serde_json::from_slice(&told.stdout.bytes).unwrap();
        found["imports"][0]["category"].as_str().unwrap().to_owned()
    };
    assert_eq!(category(10), "local");
    assert_ne!(category(8 << 20), "local");
}

#[test]
fn what_is_no_regular_file_is_not_explored() {
    let dir = repository(|_| {});
    pipe(&dir.path().join("pipe.py"));
    for profile in PROFILES {
        for file in ["pipe.py", "/dev/zero", "/proc/kmsg", "."] {
            let arguments = ["explore", "--profile", profile, file];
            let told = within(60, || parity(dir.path(), &[], &arguments, ""));
            assert_eq!(told.exit_code, Some(74), "{file}: {}", text(&told));
        }
    }
}

#[test]
fn a_pipe_that_takes_the_place_of_a_file_is_not_waited_for() {
    let dir = repository(|root| {
        for n in 0..40 {
            fs::write(root.join(format!("file_{n}.py")), "def inside(): pass\n").unwrap();
        }
    });
    let script = "while :; do for n in $(seq 0 39); do mkfifo new && mv -T new file_$n.py; \
                  echo 'def inside(): pass' > plain && mv -T plain file_$n.py; done; done";
    let mut swaps =
        Command::new("sh").args(["-c", script]).current_dir(dir.path()).spawn().unwrap();
    for _ in 0..4 {
        for (way, told) in within(100, || every_way(dir.path(), &[])) {
            assert!(told.succeeded(), "{way}: {} {}", told.ending(), text(&told));
        }
        let told =
            within(60, || parity(dir.path(), &[], &["explore", "file_0.py", "file_9.py"], ""));
        assert!(told.stopped.is_none(), "{}", told.ending());
    }
    swaps.kill().unwrap();
    swaps.wait().unwrap();
}
