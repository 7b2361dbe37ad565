//! Tests with a real interpreter and small wheels of our own, through the code that makes real
//! environments. Every change to what Python can import is refused, and the message names the file.

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    thread::sleep,
    time::{Duration, Instant},
};

use super::{ContentError, check};
use crate::{
    comparator::{
        Comparator, ComparatorSpec,
        definition::aider_spec,
        environment::{Environment, EnvironmentError, Environments},
        preflight, python,
    },
    corpus::disk,
    process::{self, Invocation},
};
use record::{Digest, exit};

/// Prints what an import finds, what runs at a start, and the path.
const SCRIPT: &str = "\
import os, subprocess, sys
import graphs
started = [name for name in ('site', 'sitecustomize', 'usercustomize') if name in sys.modules]
print(graphs.RANK, started, sys.path[0] == os.path.dirname(__file__), sys.flags.hash_randomization)
if sys.argv[1:] == ['parent']:
    sys.stdout.flush()
    subprocess.run([sys.executable, __file__, 'child'], check=True)
";

/// A folder with a comparator, its wheels and a cache.
struct Fixture {
    folder: tempfile::TempDir,
    spec: ComparatorSpec,
}

fn wheel(name: &str, files: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let record: String = files.iter().map(|(path, _)| format!("{path},,\n")).collect();
    let metadata = format!("Metadata-Version: 2.1\nName: {name}\nVersion: 1\n");
    let info = format!("{name}-1.dist-info");
    let (about, list) = (format!("{info}/METADATA"), format!("{info}/RECORD"));
    let own = [(&*about, &*metadata), (&*list, &*record)];
    for (path, text) in files.iter().chain(&own) {
        writer.start_file(*path, zip::write::SimpleFileOptions::default()).unwrap();
        std::io::Write::write_all(&mut writer, text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

impl Fixture {
    /// Two small packages whose wheels "the installer" copies, and a lock with their digests.
    fn new() -> Self {
        Self::with(&[
            (
                "graphs",
                &[
                    ("graphs/__init__.py", "from graphs.rank import RANK\n"),
                    ("graphs/rank.py", "RANK = 1\n"),
                ],
            ),
            ("tokens", &[("tokens.py", "COUNT = 2\n")]),
        ])
    }

    fn with(packages: &[(&str, &[(&str, &str)])]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("index")).unwrap();
        let mut lock = String::new();
        for (name, files) in packages {
            let bytes = wheel(name, files);
            lock += &format!("{name}==1 \\\n    --hash=sha256:{}\n", Digest::of(&bytes));
            fs::write(at(&format!("index/{name}-1-py3-none-any.whl")), bytes).unwrap();
        }
        fs::create_dir(at("room")).unwrap();
        fs::write(at("room/lock"), &lock).unwrap();
        fs::write(at("show.py"), SCRIPT).unwrap();
        let mut definition = aider_spec().definition;
        definition.install.lock = "lock".to_owned();
        definition.install.lock_sha256 = Digest::of(&lock);
        // Any Python version is accepted, because none of this depends on it.
        definition.install.python = (8..30).map(|minor| format!("3.{minor}")).collect();
        let spec = ComparatorSpec { path: at("room"), definition };
        Self { folder, spec }
    }

    fn environments(&self) -> Environments<'_> {
        let cache = self.folder.path().join("cache");
        let python_override = Some("python3".to_owned());
        Environments { spec: &self.spec, cache, python_override, shared: None }
    }

    /// Makes the environment, with the wheels where an installer would have put them.
    fn make(&self) -> Result<Environment, EnvironmentError> {
        let base = python::find(&self.spec.definition.install, Some("python3"), false)?;
        let environments = self.environments();
        let folder = environments.folder(&base.minor());
        let wheels = folder.join("wheels");
        disk::create_dir(&wheels)?;
        for entry in fs::read_dir(self.folder.path().join("index")).unwrap() {
            let entry = entry.unwrap();
            fs::copy(entry.path(), wheels.join(entry.file_name())).unwrap();
        }
        let made = environments.assemble(&folder, &base, "none", Instant::now(), &mut |_| ())?;
        assert_eq!(environments.ready().unwrap().stamp, made.stamp);
        Ok(made)
    }

    /// What the script prints.
    fn show(&self, environment: &Environment) -> String {
        let script = self.folder.path().join("show.py");
        let mut invocation = Invocation::new(&environment.python, "/")
            .args([script.to_string_lossy().into_owned(), "parent".to_owned()]);
        invocation.env.insert("PYTHONHASHSEED".to_owned(), "0".to_owned());
        invocation.env.insert("PYTHONDONTWRITEBYTECODE".to_owned(), "1".to_owned());
        let capture = process::run(&invocation).unwrap();
        assert!(capture.succeeded(), "{}", capture.stderr_tail(8));
        String::from_utf8(capture.stdout.bytes).unwrap()
    }
}

fn copy(from: &Path, to: &Path) {
    let paths = [from, to].map(|path| path.to_string_lossy().into_owned());
    let capture = process::run(&Invocation::new("cp", "/").args(["-a"]).args(paths)).unwrap();
    assert!(capture.succeeded());
}

fn write(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
}

/// Replaces a file by one of the same length and time.
fn rewrite(path: &Path, text: &str) {
    let before = fs::metadata(path).unwrap();
    assert_eq!(before.len(), text.len() as u64);
    write(path, text);
    fs::File::open(path).unwrap().set_modified(before.modified().unwrap()).unwrap();
}

fn byte_code(packages: &Path, stem: &str) -> PathBuf {
    let folder = packages.join("graphs/__pycache__");
    let mut paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths.find(|path| path.file_name().unwrap().to_string_lossy().starts_with(stem)).unwrap()
}

#[test]
fn only_the_wheels_are_on_the_path_also_of_a_child() {
    let fixture = Fixture::new();
    let made = fixture.make().unwrap();
    made.check(&fixture.spec).unwrap();
    // `0`: the hash seed of the environment is in force. `site` is imported in neither of the two
    // processes.
    assert_eq!(fixture.show(&made), "1 [] True 0\n".repeat(2));
    let packages = made.root.join("site-packages");
    write(&packages.join("sitecustomize.py"), "import graphs; graphs.RANK = 7\n");
    write(&packages.join("usercustomize.py"), "import graphs; graphs.RANK = 7\n");
    write(&packages.join("x.pth"), "import graphs; graphs.RANK = 7\n");
    assert_eq!(fixture.show(&made), "1 [] True 0\n".repeat(2));
}

#[test]
fn every_change_is_refused_by_name() {
    type Change = fn(&Path, &Path);
    let changes: [(&str, &str, Change); 16] = [
        ("a module", "site-packages/graphs/rank.py has another content", |_, packages| {
            write(&packages.join("graphs/rank.py"), "RANK = 10\n");
        }),
        ("of the same size and time", "graphs/rank.py has another content", |_, packages| {
            rewrite(&packages.join("graphs/rank.py"), "RANK = 7\n");
        }),
        ("a customisation", "sitecustomize.py is not a file of the locked", |_, packages| {
            write(&packages.join("sitecustomize.py"), "");
        }),
        ("one of the user", "usercustomize.py is not a file of the locked", |_, packages| {
            write(&packages.join("usercustomize.py"), "");
        }),
        ("a path file", "site-packages/x.pth is not a file of the locked", |_, packages| {
            write(&packages.join("x.pth"), "import os\n");
        }),
        ("a module more", "graphs/more.py is not a file of the locked", |_, packages| {
            write(&packages.join("graphs/more.py"), "");
        }),
        ("a link more", "site-packages/json is not a file of the locked", |_, packages| {
            symlink("graphs", packages.join("json")).unwrap();
        }),
        ("byte code without a source", "json.pyc is not a file of the locked", |_, packages| {
            fs::copy(byte_code(packages, "rank"), packages.join("json.pyc")).unwrap();
        }),
        ("other byte code", "has another content", |_, packages| {
            fs::copy(byte_code(packages, "__init__"), byte_code(packages, "rank")).unwrap();
        }),
        ("the list of byte code", "byte-code.sha256 has another content", |root, packages| {
            fs::copy(byte_code(packages, "__init__"), byte_code(packages, "rank")).unwrap();
            write(&root.join("byte-code.sha256"), &super::byte_code(packages).unwrap());
        }),
        ("a file less", "site-packages/tokens.py is missing", |_, packages| {
            fs::remove_file(packages.join("tokens.py")).unwrap();
        }),
        ("a RECORD", "graphs-1.dist-info/RECORD has another content", |_, packages| {
            write(&packages.join("graphs-1.dist-info/RECORD"), "graphs/__init__.py,,\n");
        }),
        ("the launcher", "bin/python has another content", |root, _| {
            let text = fs::read_to_string(root.join("bin/python")).unwrap();
            write(&root.join("bin/python"), &text.replace(" -S\n", "\n"));
        }),
        ("a program beside it", "bin/git is not a file of the locked", |root, _| {
            write(&root.join("bin/git"), "#!/bin/sh\n");
        }),
        (
            "a wheel and what is of it",
            "wheels/graphs-1-py3-none-any.whl has another",
            |root, packages| {
                write(&packages.join("graphs/rank.py"), "RANK = 10\n");
                let files = [
                    ("graphs/__init__.py", "from graphs.rank import RANK\n"),
                    ("graphs/rank.py", "RANK = 10\n"),
                ];
                fs::write(root.join("wheels/graphs-1-py3-none-any.whl"), wheel("graphs", &files))
                    .unwrap();
            },
        ),
        ("a wheel less", "wheels/tokens-1-py3-none-any.whl is missing", |root, packages| {
            fs::remove_file(root.join("wheels/tokens-1-py3-none-any.whl")).unwrap();
            fs::remove_file(packages.join("tokens.py")).unwrap();
        }),
    ];
    let fixture = Fixture::new();
    let made = fixture.make().unwrap();
    let saved = fixture.folder.path().join("saved");
    copy(&made.root, &saved);
    let mut wrong = Vec::new();
    for (what, expected, change) in changes {
        sleep(Duration::from_millis(120));
        made.check(&fixture.spec).unwrap();
        change(&made.root, &made.root.join("site-packages"));
        match made.check(&fixture.spec) {
            Ok(()) => wrong.push(format!("{what} was accepted")),
            Err(error) => {
                let (text, again) = (error.to_string(), format!("rm -r '{}'", made.root.display()));
                if !text.contains(expected) || !text.contains(&again) {
                    wrong.push(format!("{what}: {text}"));
                }
                assert_eq!(error.exit_code(), exit::DIGEST, "{what}");
            }
        }
        disk::remove_tree(&made.root).unwrap();
        copy(&saved, &made.root);
    }
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn other_times_and_a_copy_are_accepted_and_remembered() {
    let fixture = Fixture::new();
    let made = fixture.make().unwrap();
    made.check(&fixture.spec).unwrap();
    let module = made.root.join("site-packages/graphs/rank.py");
    let text = fs::read_to_string(&module).unwrap();
    write(&module, &text);
    fs::File::open(&module).unwrap().set_modified(std::time::UNIX_EPOCH).unwrap();
    sleep(Duration::from_millis(120));
    made.check(&fixture.spec).unwrap();
    // A check of every byte would have found that the lock changed.
    write(&fixture.spec.lock(), "");
    made.check(&fixture.spec).unwrap();
    made.forget();
    let error = made.check(&fixture.spec).unwrap_err();
    assert!(matches!(error, ContentError::NotLocked { .. }), "{error}");
}

#[test]
fn a_stamp_that_names_other_wheels_does_not_help() {
    let fixture = Fixture::new();
    let mut made = fixture.make().unwrap();
    let file = made.root.join("wheels/tokens-1-py3-none-any.whl");
    fs::write(&file, wheel("tokens", &[("tokens.py", "COUNT = 7\n")])).unwrap();
    write(&made.root.join("site-packages/tokens.py"), "COUNT = 7\n");
    made.stamp
        .wheels
        .insert("tokens-1-py3-none-any.whl".to_owned(), Digest::of_file(&file).unwrap());
    let error = check(&made, &fixture.spec).unwrap_err();
    assert!(
        matches!(&error, ContentError::NotLocked { wheel, .. } if wheel.starts_with("tokens")),
        "{error}"
    );
}

/// Nothing of a changed comparator is started, neither by a preflight nor by a run.
#[test]
fn a_changed_environment_or_room_is_not_asked() {
    let fixture = Fixture::new();
    let made = fixture.make().unwrap();
    let comparator = Comparator { spec: &fixture.spec, environment: &made };
    let refused = |expected: &str| {
        let (checks, tuple) = preflight::comparator(&comparator).unwrap();
        assert!(checks.lines().join("\n").contains(expected), "{:?}", checks.lines());
        assert_eq!((checks.exit_code(), tuple, checks.checks.len()), (exit::DIGEST, None, 2));
        let error = comparator.receipt().unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
        assert_eq!(error.exit_code(), exit::DIGEST);
    };
    // The folder has no driver, but Python is started with its path.
    let (capture, _) = comparator.receipt().unwrap();
    assert!(capture.stderr_tail(1).contains("driver.py"));

    let stranger = fixture.spec.path.join("networkx.py");
    write(&stranger, "");
    refused("networkx.py");
    fs::remove_file(stranger).unwrap();
    write(&made.root.join("site-packages/sitecustomize.py"), "");
    refused("site-packages/sitecustomize.py is not a file of the locked wheels");
}

#[test]
fn wheels_that_cannot_be_trusted_are_not_installed() {
    let fixture = Fixture::new();
    fs::write(fixture.folder.path().join("index/more-1-py3-none-any.whl"), wheel("more", &[]))
        .unwrap();
    let error = fixture.make().unwrap_err();
    assert_eq!(error.exit_code(), exit::DIGEST);
    assert!(error.to_string().contains("more-1-py3-none-any.whl"), "{error}");
    assert!(fixture.environments().ready().is_none());

    for (file, expected) in [
        ("sitecustomize.py", "would run at every start"),
        ("usercustomize/__init__.py", "would run at every start"),
        ("x.pth", "would run at every start"),
        ("graphs.py", "exists"),
    ] {
        let fixture = Fixture::with(&[("graphs", &[("graphs.py", "")]), ("other", &[(file, "")])]);
        let error = fixture.make().unwrap_err().to_string();
        assert!(error.to_lowercase().contains(expected), "{file}: {error}");
        assert!(fixture.environments().ready().is_none());
    }
}

#[test]
fn byte_code_of_a_wheel_and_its_scripts_are_left_out() {
    let fixture = Fixture::with(&[(
        "graphs",
        &[
            ("graphs.py", "RANK = 1\n"),
            ("__pycache__/graphs.cpython-311.pyc", "?"),
            ("graphs-1.data/scripts/x", "?"),
        ],
    )]);
    let made = fixture.make().unwrap();
    made.check(&fixture.spec).unwrap();
    assert_eq!(fixture.show(&made), "1 [] True 0\n".repeat(2));
    assert!(!made.root.join("site-packages/graphs-1.data").exists());
}

#[test]
fn the_launcher_is_executable_and_takes_an_interpreter_that_a_script_can_start_with() {
    let fixture = Fixture::new();
    let made = fixture.make().unwrap();
    assert_eq!(fs::metadata(&made.python).unwrap().permissions().mode() & 0o777, 0o755);
    for path in ["/usr/bin/my python", "python3", &format!("/{}", "x".repeat(130))] {
        assert!(super::launcher::text(Path::new(path)).is_err(), "{path}");
    }
}
