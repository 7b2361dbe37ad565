//! Other things in the place of a source file.

use std::{
    ffi::OsStr,
    fs,
    os::unix::{
        ffi::OsStrExt,
        fs::{PermissionsExt, symlink},
        net::UnixListener,
        process::CommandExt,
    },
    process::Command,
};

use crate::repository::{list, map, map_with, read, repository};

// Row 19: only regular files are opened.

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
    assert_eq!(device.1, "lies outside of the repository");
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
    // Root may read everything, so the program runs as another user.
    if rustix::process::geteuid().is_root() {
        // Git lets that user read only a repository of its own.
        let given = Command::new("chown").args(["-R", "65534:65534"]).arg(root).status();
        assert!(given.unwrap().success());
        command.uid(65_534).gid(65_534);
    }
    let output = command.output();
    mode("closed", 0o755);
    let output = match output {
        Ok(output) => output,
        // That user cannot reach the program, so the test cannot be made here.
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
    let map = map(&dir, &["--max-memory", "4G"]);
    assert_eq!(map.reason("line.js"), "");
    assert!(map.reason("longer_line.js").contains("too large"));
    let enhanced = map_with(dir.path(), &[], &["--profile", "enhancement"]);
    assert!(enhanced.reason("line.js").contains("too large"));
}

/// As large as a generated file that an OCaml project tracks, which the comparator maps.
#[test]
fn a_large_file_of_code_is_read_as_far_as_there_is_memory() {
    let dir = repository(|root| {
        let unit = |n: usize| format!("let filler_{n} x = x ^ \"{}\"\n", "x".repeat(980));
        let text: String = (0..23_800).map(unit).collect();
        assert!(text.len() > 23_800_000);
        fs::write(root.join("generated.ml"), text).unwrap();
        fs::write(root.join("user.ml"), "let run x = filler_7 (filler_7 x)\n").unwrap();
    });
    // Without the limit of address space that the other tests set.
    let roomy = Command::new(env!("CARGO_BIN_EXE_parity"))
        .args(["map", ".", "--map-tokens", "1024", "--json", "--max-memory", "16G"])
        .current_dir(dir.path())
        .output()
        .unwrap();
    let map = read(&roomy.stdout);
    assert_eq!(map.reason("generated.ml"), "");
    assert!(map.text.contains("let filler_7 x"), "{}", map.text);
    let map = map_with(dir.path(), &[], &["--max-memory", "4G"]);
    assert!(map.reason("generated.ml").contains("too large"));
    assert!(!map.text.contains("let filler_7 x"), "{}", map.text);
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

// Row 25: contents that are not text, and names that are not UTF-8.

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
