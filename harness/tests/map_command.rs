//! The contract of `parity map`: wrong input, and output that depends only on the input.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

/// A repository of two files that refer to each other, one of them in a folder.
fn repository(dir: &Path) {
    fs::create_dir_all(dir.join("pkg")).unwrap();
    fs::write(dir.join("pkg/shapes.py"), "def area_of(shape):\n    return shape.area_value\n")
        .unwrap();
    fs::write(dir.join("use_shapes.py"), "from pkg.shapes import area_of\n\nprint(area_of(1))\n")
        .unwrap();
    for arguments in [&["init", "-q"][..], &["add", "-A"][..]] {
        let status = Command::new("git").arg("-C").arg(dir).args(arguments).status().unwrap();
        assert!(status.success());
    }
}

fn parity(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_parity")).args(arguments).output().unwrap()
}

fn map(dir: &Path, more: &[&str]) -> Output {
    parity(&[&["map", dir.to_str().unwrap(), "--map-tokens", "1024"], more].concat())
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_directory_without_git_needs_a_chat_file() {
    let dir = tempfile::tempdir().unwrap();
    let output = map(dir.path(), &[]);
    assert_eq!(output.status.code(), Some(20));
    assert!(stderr(&output).contains("git init"), "{}", stderr(&output));
    fs::write(dir.path().join("a.py"), "def f(): pass\n").unwrap();
    let output = map(dir.path(), &["--chat", "a.py"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "\na.py:\n│def f(): pass\n");
}

#[test]
fn a_repository_without_files_has_no_map_and_says_why() {
    let dir = tempfile::tempdir().unwrap();
    assert!(
        Command::new("git")
            .arg("-C")
            .arg(dir.path())
            .args(["init", "-q"])
            .status()
            .unwrap()
            .success()
    );
    let output = map(dir.path(), &[]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0));
    assert!(stderr(&output).contains("no tracked file"));
}

#[test]
fn a_missing_chat_file_is_a_usage_error_and_is_not_created() {
    let dir = tempfile::tempdir().unwrap();
    repository(dir.path());
    for flag in ["--chat", "--read-only"] {
        let output = map(dir.path(), &[flag, "nowhere.py"]);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains("nowhere.py"));
        assert!(!dir.path().join("nowhere.py").exists());
    }
}

#[test]
fn a_directory_that_does_not_exist_is_an_io_error() {
    let output = parity(&["map", "/nonexistent/at/all"]);
    assert_eq!(output.status.code(), Some(74));
    assert!(stderr(&output).contains("/nonexistent/at/all"));
}

#[test]
fn a_budget_that_is_no_number_is_a_usage_error_and_zero_disables_the_map() {
    let dir = tempfile::tempdir().unwrap();
    repository(dir.path());
    for wrong in ["many", "NaN", "inf", "1e300"] {
        let output = parity(&["map", dir.path().to_str().unwrap(), "--map-tokens", wrong]);
        assert_eq!(output.status.code(), Some(2), "{wrong}");
    }
    let output = parity(&["map", dir.path().to_str().unwrap(), "--map-tokens", "0"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0));
    assert!(stderr(&output).contains("budget is 0"));
}

#[test]
fn a_flag_without_effect_is_a_usage_error() {
    let dir = tempfile::tempdir().unwrap();
    repository(dir.path());
    for (flags, profile) in [
        (&["--trace"][..], "enhancement"),
        (&["--json", "--format", "text"], "enhancement"),
        (&["--no-index"], "parity"),
        (&["--budget-count", "tokenizer"], "parity"),
        (&["--without", "spread"], "parity"),
        (&["--verbose"], "parity"),
        (&["--timeout", "5"], "enhancement"),
    ] {
        let output = map(dir.path(), &[&["--profile", profile], flags].concat());
        assert_eq!(output.status.code(), Some(2), "{flags:?}: {}", stderr(&output));
    }
    let output =
        map(dir.path(), &["--profile", "enhancement", "--no-index", "--without", "spread"]);
    assert!(output.status.success(), "{}", stderr(&output));
}

#[test]
fn short_and_long_names_of_a_flag_give_the_same_map() {
    let dir = tempfile::tempdir().unwrap();
    repository(dir.path());
    for (long, short) in [
        (["--chat-file", "use_shapes.py"], ["--chat", "use_shapes.py"]),
        (["--read-only-file", "use_shapes.py"], ["--read-only", "use_shapes.py"]),
        (["--mentioned-fname", "use_shapes.py"], ["--mention-file", "use_shapes.py"]),
        (["--mentioned-ident", "area_of"], ["--mention-ident", "area_of"]),
    ] {
        let maps = [long, short]
            .map(|flags| map(dir.path(), &[&flags[..], &["--json", "--trace"]].concat()));
        assert!(maps.iter().all(|output| output.status.success()), "{}", stderr(&maps[0]));
        assert_eq!(maps[0].stdout, maps[1].stdout, "{long:?}");
    }
}

#[test]
fn a_model_that_the_comparator_counts_otherwise_has_no_parity_map() {
    let dir = tempfile::tempdir().unwrap();
    repository(dir.path());
    for model in ["meta-llama/Llama-2-7b", "meta-llama/Llama-3-8b"] {
        let output = map(dir.path(), &["--model", model]);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(20), 0), "{model}");
        assert!(stderr(&output).contains("tokenizer"), "{}", stderr(&output));
        let output = map(dir.path(), &["--model", model, "--profile", "enhancement"]);
        assert_eq!(output.status.code(), Some(0), "{model}: {}", stderr(&output));
    }
    let counted = ["anthropic/claude-sonnet-4-5", "claude-3-opus-latest", "no-such-model"];
    for model in counted.into_iter().chain(["claude-sonnet-4-5", "sonnet"]) {
        assert_eq!(map(dir.path(), &["--model", model]).status.code(), Some(0), "{model}");
    }
}

#[test]
fn nothing_but_the_input_decides_the_bytes() {
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let elsewhere = two.path().join("another/absolute/path");
    repository(one.path());
    repository(&elsewhere);
    let expected = map(one.path(), &["--json", "--trace-graph"]).stdout;
    assert!(!expected.is_empty());
    for threads in ["1", "2", "16"] {
        for (dir, cwd, locale) in [
            (one.path(), Path::new("/"), "C"),
            (elsewhere.as_path(), elsewhere.as_path(), "tr_TR.UTF-8"),
            (&elsewhere.join("pkg"), one.path(), "C.UTF-8"),
        ] {
            let output = Command::new(env!("CARGO_BIN_EXE_parity"))
                .args(["map", dir.to_str().unwrap(), "--map-tokens", "1024"])
                .args(["--json", "--trace-graph"])
                .env("RAYON_NUM_THREADS", threads)
                .env("LC_ALL", locale)
                .env("HOME", cwd)
                .current_dir(cwd)
                .output()
                .unwrap();
            assert_eq!(output.stdout, expected, "{threads} threads in {}", dir.display());
        }
    }
}

#[test]
fn subtree_only_means_the_directory_that_is_named() {
    let dir = tempfile::tempdir().unwrap();
    repository(dir.path());
    let output = map(&dir.path().join("pkg"), &["--subtree-only"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("pkg/shapes.py") && !text.contains("use_shapes.py"), "{text}");
}

#[test]
fn nothing_is_written_into_the_repository() {
    let dir = tempfile::tempdir().unwrap();
    repository(dir.path());
    let listing = || {
        let output = Command::new("find").arg(dir.path()).args(["-printf", "%P %T@ %s\n"]).output();
        let mut lines: Vec<String> =
            String::from_utf8_lossy(&output.unwrap().stdout).lines().map(str::to_owned).collect();
        lines.sort_unstable();
        lines
    };
    let before = listing();
    assert_eq!(map(dir.path(), &[]).status.code(), Some(0));
    assert_eq!(listing(), before);
}

#[test]
fn hostile_files_cost_themselves_and_not_the_map() {
    let dir = tempfile::tempdir().unwrap();
    repository(dir.path());
    let staircase: Vec<String> = (0..700).map(|n| format!("{}if x:", " ".repeat(n))).collect();
    fs::write(dir.path().join("staircase.py"), staircase.join("\n")).unwrap();
    fs::write(dir.path().join("latin1.py"), b"# caf\xe9\ndef f(): pass\n").unwrap();
    fs::write(dir.path().join("deep.rs"), "(".repeat(100_000)).unwrap();
    fs::write(dir.path().join("line.js"), format!("x={}1", "1+".repeat(200_000))).unwrap();
    std::os::unix::fs::symlink("loop-b", dir.path().join("loop-a")).unwrap();
    std::os::unix::fs::symlink("loop-a", dir.path().join("loop-b")).unwrap();
    let status = Command::new("git").arg("-C").arg(dir.path()).args(["add", "-A"]).status();
    assert!(status.unwrap().success());
    let output = map(dir.path(), &["--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(document["text"].as_str().unwrap().contains("pkg/shapes.py"));
    let skipped: Vec<&str> = document["skipped"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|skipped| skipped["file"].as_str())
        .collect();
    // The comparator also reads the stairs.
    assert_eq!(skipped, ["deep.rs", "latin1.py", "line.js", "loop-a", "loop-b"]);
}

#[test]
fn the_enhancement_profile_never_exceeds_the_budget() {
    let dir = tempfile::tempdir().unwrap();
    repository(dir.path());
    for budget in ["10", "20", "40", "100", "1000"] {
        let output = parity(&[
            "map",
            dir.path().to_str().unwrap(),
            "--map-tokens",
            budget,
            "--profile",
            "enhancement",
            "--json",
        ]);
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let count = document["safety_token_count"].as_f64().unwrap();
        assert!(count <= budget.parse::<f64>().unwrap(), "{count} of {budget}");
    }
}

#[test]
fn an_explanation_names_referrers_and_multipliers_in_place_of_the_map() {
    let dir = tempfile::tempdir().unwrap();
    repository(dir.path());
    for profile in ["parity", "enhancement"] {
        let flags = ["--profile", profile, "--mention-ident", "area_of"];
        let of = |more: &[&str]| {
            let output = map(dir.path(), &[&flags, more].concat());
            assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
            String::from_utf8(output.stdout).unwrap()
        };
        let text = of(&["--explain"]);
        assert!(text.contains("pkg/shapes.py:1: area_of: candidate 1; rank "), "{text}");
        assert!(text.contains("times 10: the message mentions it"), "{text}");
        // Ten times, for a mention, the square root of two: the comparator counts the last reference of
        // a file twice.
        let line = text.lines().find(|line| line.contains(" use_shapes.py:3: "));
        assert!(line.is_some_and(|line| line.ends_with(" of it, weight 14.1")), "{text}");
        assert_eq!(text.contains("value "), profile == "enhancement", "{text}");
        let json = |more: &[&str]| -> serde_json::Value {
            serde_json::from_str(&of(&[&["--json"], more].concat())).unwrap()
        };
        let (explained, plain) = (json(&["--explain"]), json(&[]));
        assert_eq!(explained["text"], plain["text"]);
        assert!(plain.get("explain").is_none());
        let files = explained["explain"].as_array().unwrap();
        let shapes = files.iter().find(|file| file["file"] == "pkg/shapes.py").unwrap();
        let referrers = shapes["entries"][0]["referrers"].as_array().unwrap();
        let user = referrers.iter().find(|one| one["file"] == "use_shapes.py").unwrap();
        assert_eq!((&user["line"], &user["refers"]), (&3.into(), &true.into()));
        assert_eq!(user["weight"], 10.0 * 2.0_f64.sqrt());
    }
    let output = map(dir.path(), &["--explain", "--requests", "-"]);
    assert_eq!(output.status.code(), Some(2));
}
