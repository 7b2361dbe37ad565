//! Names and texts of a repository reach a terminal, and standard error in any case, only in readable
//! form.

use std::{
    ffi::OsStr,
    fs::{self, File},
    io::Write,
    os::unix::ffi::OsStrExt,
    path::Path,
    process::{Command, Stdio},
};

use crate::{
    place::{Place, expect_gone, wait_until},
    repository::{PROFILES, git, parity, repository},
};

/// Names of files, and how each is shown.
const NAMES: [(&str, &str); 7] = [
    ("\u{1b}[31mred.py", r"\u{1b}[31mred.py"),
    ("\u{9b}32mgreen.py", r"\u{9b}32mgreen.py"),
    ("two\nerror: forged.py", r"two\u{a}error: forged.py"),
    ("\u{202e}yp.exe.py", r"\u{202e}yp.exe.py"),
    ("\u{2067}isolated.py", r"\u{2067}isolated.py"),
    ("\u{2028}separated.py", r"\u{2028}separated.py"),
    ("bell\u{7}\u{8}\u{7f}\u{61c}.py", r"bell\u{7}\u{8}\u{7f}\u{61c}.py"),
];

/// The characters in a terminal's input that control it or reorder a line.
fn steering(bytes: &[u8]) -> Vec<char> {
    let text = String::from_utf8_lossy(bytes);
    // A terminal's driver puts a carriage return before each line feed.
    let text = text.replace("\r\n", "\n");
    let steers = |c: &char| {
        (c.is_control() && !matches!(c, '\n' | '\t'))
            || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}')
            || matches!(c, '\u{2066}'..='\u{2069}')
    };
    text.chars().filter(steers).collect()
}

/// A repository with a file of each name; each also has a line that would control a terminal.
fn odd_names() -> tempfile::TempDir {
    repository(|root| {
        for (name, _) in NAMES {
            fs::write(root.join(name), "def odd_\u{202e}name(): pass  # \u{1b}]0;x\u{7}\n")
                .unwrap();
        }
        let raw = OsStr::from_bytes(b"raw\x9b31m\xff.py");
        fs::write(root.join(raw), "def raw(): pass\n").unwrap();
    })
}

/// Both outputs of the program on a terminal.
fn on_terminal(dir: &Path, command: &str) -> Vec<u8> {
    let program = env!("CARGO_BIN_EXE_parity");
    let output = Command::new("script")
        .args(["--quiet", "--return", "--command"])
        .arg(command.replacen("parity", &format!("'{program}'"), 1))
        .arg("/dev/null")
        .current_dir(dir)
        .env("TERM", "xterm")
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stdout));
    assert!(output.stdout.len() > 100, "{command}: {}", String::from_utf8_lossy(&output.stdout));
    output.stdout
}

/// Checks that each name is on a line of its own.
fn expect_names(map: &[u8], when: &str) {
    let text = String::from_utf8_lossy(map).replace("\r\n", "\n");
    for (name, shown) in NAMES {
        let is_there = text.lines().any(|line| line.strip_suffix(':').unwrap_or(line) == shown);
        assert!(is_there, "{when}: {name:?} is not shown as {shown}: {text}");
    }
    assert!(!text.lines().any(|line| line.starts_with("error: forged")), "{when}: {text}");
}

#[test]
fn maps_on_a_terminal_and_of_the_enhancement_profile_show_what_steers() {
    let dir = odd_names();
    let arguments = ["map", ".", "--map-tokens", "4096"];
    for profile in PROFILES {
        let command = format!("parity map . --map-tokens 4096 --profile {profile}");
        let map = on_terminal(dir.path(), &command);
        assert_eq!(steering(&map), [], "{profile}: {}", String::from_utf8_lossy(&map));
        expect_names(&map, profile);
    }
    let piped = [&arguments[..], &["--profile", "enhancement"]].concat();
    let map = parity(dir.path(), &[], &piped, "").stdout.bytes;
    assert_eq!(steering(&map), []);
    expect_names(&map, "enhancement, piped");
}

#[test]
fn a_piped_map_of_the_parity_profile_has_the_bytes_of_the_comparator() {
    let dir = odd_names();
    let told = parity(dir.path(), &[], &["map", ".", "--map-tokens", "4096"], "");
    let map = String::from_utf8(told.stdout.bytes).unwrap();
    // The comparator splits lines like Python, so a name with a line separator makes two lines.
    for (name, _) in NAMES.iter().filter(|(name, _)| !name.contains('\u{2028}')) {
        assert!(map.contains(&format!("\n{name}:\n")), "{name:?}: {map}");
    }
}

#[test]
fn json_says_the_same_with_and_without_a_terminal() {
    let dir = odd_names();
    let request = r#"{"chat_files": ["caller.py"]}"#;
    fs::write(dir.path().join("calls"), format!("{request}\n")).unwrap();
    for profile in PROFILES {
        for command in [
            format!("parity map . --map-tokens 4096 --json --profile {profile}"),
            format!("parity map . --map-tokens 4096 --requests calls --profile {profile}"),
            format!("parity session . --map-tokens 4096 --profile {profile} < calls"),
            format!("parity explore --json --profile {profile} -- *"),
        ] {
            let shown = on_terminal(dir.path(), &command);
            assert_eq!(steering(&shown), [], "{command}");
            let program = command.replacen("parity", env!("CARGO_BIN_EXE_parity"), 1);
            let piped =
                Command::new("sh").args(["-c", &program]).current_dir(dir.path()).output().unwrap();
            if profile == "enhancement" {
                assert_eq!(steering(&piped.stdout), [], "{command}");
            }
            let read = |bytes: &[u8]| -> Vec<serde_json::Value> {
                let lines = bytes.split(|byte| *byte == b'\n').filter(|line| line.len() > 2);
                lines.map(|line| serde_json::from_slice(line).unwrap()).collect()
            };
            assert_eq!(read(&shown), read(&piped.stdout), "{command}");
        }
    }
}

#[test]
fn explorations_on_a_terminal_and_of_the_enhancement_profile_show_what_steers() {
    let dir = odd_names();
    let summaries = |bytes: &[u8], when: &str| {
        assert_eq!(steering(bytes), [], "{when}: {}", String::from_utf8_lossy(bytes));
        assert!(!String::from_utf8_lossy(bytes).contains("\nerror: forged"), "{when}");
    };
    for profile in PROFILES {
        let command = format!("parity explore --profile {profile} -- *.py");
        summaries(&on_terminal(dir.path(), &command), &command);
    }
    let names: Vec<&str> = NAMES.iter().map(|(name, _)| *name).collect();
    let arguments = [&["explore", "--profile", "enhancement", "--"][..], &names].concat();
    summaries(&parity(dir.path(), &[], &arguments, "").stdout.bytes, "piped");
}

#[test]
fn no_message_steers_a_terminal_or_forges_another() {
    let dir = odd_names();
    let root = dir.path();
    for (name, shown) in NAMES {
        let missing = format!("missing{name}");
        let folder = root.join("d").join(name);
        fs::create_dir_all(&folder).unwrap();
        git(&folder, &["init", "-q"]);
        let index = folder.join(".git/index");
        assert!(Command::new("mkfifo").arg(index).status().unwrap().success());
        fs::write(root.join("rules"), "\n").unwrap();
        let odd_repository = format!("d/{name}");
        let rules = root.join(format!("rules{name}"));
        fs::write(&rules, b"\xff").unwrap();
        let rules = format!("rules{name}");
        for arguments in [
            &["map", ".", "--chat", &missing][..],
            &["map", &missing],
            &["map", &odd_repository],
            &["map", ".", "--aiderignore", &rules],
            &["map", ".", "--requests", &missing],
            &["map", ".", "--profile", name],
            &["map", ".", "--map-tokens", name],
            &["explore", &missing],
            &["explore", "--root", &missing, "honest.py"],
            &["session", &missing],
            &["verify", &missing, "--any-protocol"],
            &["report", &missing],
            &["run", "--replay", &missing],
            &[name],
        ] {
            let told = parity(root, &[], arguments, "{}\n");
            let said = told.stderr.bytes;
            assert!(told.exit_code.is_some_and(|code| code != 0), "{arguments:?}");
            assert_eq!(steering(&said), [], "{arguments:?}: {}", String::from_utf8_lossy(&said));
            let said = String::from_utf8_lossy(&said);
            assert!(!said.contains("\nerror: forged"), "{arguments:?}: {said}");
            let escape = shown.split_once("\\u").unwrap().1.split_once('}').unwrap().0;
            let as_lines = name.contains('\n') && said.contains("\n  error: forged");
            // The command-line parser removes escape sequences from what it quotes.
            let by_clap = said.contains("For more information");
            assert!(said.contains(escape) || as_lines || by_clap, "{arguments:?}: {said}");
        }
    }
}

#[test]
fn no_panic_steers_a_terminal_or_forges_a_message() {
    let dir = odd_names();
    for (name, shown) in NAMES {
        let fault = format!("panic:{name}");
        let told = parity(dir.path(), &[("PARITY_TEST_PARSER", &fault)], &["explore", name], "");
        assert!(told.succeeded(), "{name:?}: {}", told.stderr_tail(5));
        let said = String::from_utf8_lossy(&told.stderr.bytes);
        assert_eq!(steering(said.as_bytes()), [], "{name:?}: {said}");
        // Line breaks stay, and the lines after them are indented.
        let shown = shown.replace("\\u{a}", "\n  ");
        assert!(said.contains(&format!("a fault on purpose in {shown}")), "{name:?}: {said}");
    }
}

#[test]
fn a_spinner_shows_what_steers_and_is_gone_after_an_interrupt() {
    let place = Place::new();
    let uv = "[ \"$1\" = --version ] && { echo uv 1; exit 0; }\n\
              printf 'Collecting \\033]0;owned\\007\\302\\233evil\\n'";
    place.endless(&place.path("bin/uv"), uv);
    let parity = place.command(&[], &[("TERM", "xterm")]);
    let typescript = place.path("typescript");
    let mut script = Command::new("script");
    script
        .args(["--quiet", "--return", "--flush", "--command"])
        .arg(format!("exec '{}' run --corpus slice --gate A1", parity.get_program().display()))
        .arg("/dev/null")
        .current_dir(parity.get_current_dir().unwrap())
        .envs(parity.get_envs().filter_map(|(name, value)| Some((name, value?))))
        .stdin(Stdio::piped())
        .stdout(File::create(&typescript).unwrap());
    let mut script = script.spawn().unwrap();
    let read = || String::from_utf8_lossy(&fs::read(&typescript).unwrap()).into_owned();
    wait_until("the package is shown", || {
        assert!(script.try_wait().unwrap().is_none(), "it ended: {}", read());
        read().contains("evil")
    });
    let pids = place.path("seen").join("pids");
    wait_until("the installer hangs", || pids.exists());
    let pids = fs::read_to_string(pids).unwrap();
    // The byte that Ctrl-C sends.
    script.stdin.as_mut().unwrap().write_all(b"\x03").unwrap();
    let ended = script.wait().unwrap();
    let shown = read();
    assert_eq!(ended.code(), Some(30), "{shown}");
    expect_gone(&pids.split_whitespace().map(|id| id.parse().unwrap()).collect::<Vec<i32>>());
    assert!(shown.contains(r"\u{1b}]0;owned\u{7}\u{9b}evil"), "{shown:?}");
    // The spinner itself sends only sequences that move the cursor and clear lines.
    assert!(!shown.contains("\u{1b}]") && !shown.contains(['\u{7}', '\u{9b}']), "{shown:?}");
    let hidden = shown.rfind("\u{1b}[?25l");
    assert!(hidden.is_none() || hidden < shown.rfind("\u{1b}[?25h"), "the cursor: {shown:?}");
    // The line of the spinner is cleared, and nothing follows the last message.
    let last = shown.rfind("evil").unwrap();
    let (_, behind) = shown.split_at(last);
    assert!(behind.contains("\u{1b}[2K"), "{shown:?}");
    assert!(shown.ends_with("error: interrupted; run the same command again\r\n"), "{shown:?}");
}

#[test]
fn skipped_names_that_are_no_text_keep_their_bytes() {
    let odd: [&[u8]; 2] = [b"raw\x9b.py", b"raw\xff.py"];
    for in_git in [true, false] {
        let dir = repository(|root| {
            for name in odd {
                fs::write(root.join(OsStr::from_bytes(name)), "def raw(): pass\n").unwrap();
            }
        });
        if !in_git {
            fs::remove_dir_all(dir.path().join(".git")).unwrap();
        }
        let arguments = ["map", ".", "--json", "--profile", "enhancement"];
        let told = parity(dir.path(), &[], &arguments, "");
        let map: serde_json::Value = serde_json::from_slice(&told.stdout.bytes).unwrap();
        let skipped = map["skipped"].as_array().unwrap();
        let bytes: Vec<&str> =
            skipped.iter().map(|row| row["file_hex"].as_str().unwrap()).collect();
        assert_eq!(bytes, ["7261779b2e7079", "726177ff2e7079"], "{skipped:?}");
        assert!(skipped.iter().all(|row| row["file"] == "raw\u{fffd}.py"));
    }
}

#[test]
fn only_the_console_prints() {
    // The lints forbid direct output; this lists the places that are exempt.
    let mut allowed = Vec::new();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut pending = vec![source.clone()];
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                pending.push(path);
                continue;
            }
            if path.to_string_lossy().ends_with("tests.rs") {
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let prints = ["io::stdout", "io::stderr", "println!", "print!(", "dbg!("];
            if prints.iter().any(|word| text.contains(word)) {
                allowed.push(path.strip_prefix(&source).unwrap().display().to_string());
            }
        }
    }
    allowed.sort();
    assert_eq!(allowed, ["console/bar.rs", "console/output.rs", "console/talk.rs"]);
}
