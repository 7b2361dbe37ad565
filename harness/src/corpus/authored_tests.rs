//! The state that a description asks for is the state that git reports.

use std::{
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::Path,
};

use super::{Authored, AuthoredError};
use crate::corpus::{
    fixture::{names, store},
    git,
};

const DESCRIPTION: &str = r#"
[git]
renames = { "dot.gitignore" = ".gitignore" }
executable = ["run.sh"]
symlinks = { "loop" = "loop", "docs/up" = "../a.py" }
staged = ["staged.py"]
untracked = ["new.py"]
deleted = ["gone.py"]
removed_cached = ["kept.py"]
outside_links = { "out" = "../elsewhere" }
submodules = { "vendor" = "1234567890123456789012345678901234567890" }

[view]
cwd = "docs"
subtree_only = true

[[generated]]
path = "deep.py"
before = "x = "
repeat = "1+"
times = 3
after = "1"

[[cases]]
id = "chat"
chat_files = ["a.py"]
read_only_files = ["staged.py"]
message = "look at a.py"
"#;

fn corpus(description: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let files = folder.path().join("small/files");
    fs::create_dir_all(&files).unwrap();
    for name in ["a.py", "dot.gitignore", "gone.py", "kept.py", "new.py", "run.sh", "staged.py"] {
        fs::write(files.join(name), format!("# {name}\r\n")).unwrap();
    }
    fs::write(folder.path().join("small/authored.toml"), description).unwrap();
    folder
}

fn load(folder: &Path) -> Result<Authored, AuthoredError> {
    Authored::load(&folder.join("small"))
}

#[test]
fn the_repository_has_the_described_state() {
    let (source, cache) = (corpus(DESCRIPTION), tempfile::tempdir().unwrap());
    let authored = load(source.path()).unwrap();
    let store = store(cache.path(), Vec::new());
    let made = store.ensure_authored(&authored).unwrap();
    assert_eq!(made.status, " D gone.py\nD  kept.py\nA  staged.py\n?? kept.py\n?? new.py\n");
    let listed = git::run(&made.path, &["ls-tree", "-r", "HEAD"]).unwrap();
    let modes: Vec<(&str, &str)> = listed
        .lines()
        .filter_map(|line| Some((line.get(..6)?, line.split_once('\t')?.1)))
        .collect();
    assert_eq!(
        modes,
        [
            ("100644", ".gitignore"),
            ("100644", "a.py"),
            ("100644", "deep.py"),
            ("120000", "docs/up"),
            ("100644", "gone.py"),
            ("100644", "kept.py"),
            ("120000", "loop"),
            ("120000", "out"),
            ("100755", "run.sh"),
            ("160000", "vendor"),
        ]
    );
    assert_eq!(git::run(&made.path, &["show", "HEAD:a.py"]).unwrap(), "# a.py\r\n");
    assert_eq!(git::run(&made.path, &["show", "HEAD:deep.py"]).unwrap(), "x = 1+1+1+1");
    assert_eq!(made.view.map_arguments(), ["map", "docs", "--subtree-only"]);
    made.verify_unchanged().unwrap();
    let copy = made.read_only_copy(&cache.path().join("copy")).unwrap();
    copy.verify_unchanged().unwrap();
    assert_eq!(store.ensure_authored(&authored).unwrap(), made);
    assert!(names(&cache.path().join("tmp")).is_empty());
    assert_eq!(made.cases[0].read_only_files, ["staged.py"]);
}

#[test]
fn without_a_description_there_is_one_plain_case() {
    let source = corpus("");
    let all = Authored::load_all(source.path()).unwrap();
    let [authored] = all.as_slice() else { panic!("{all:?}") };
    assert_eq!(authored.name(), "small");
    assert_eq!(authored.description.cases.len(), 1);
    assert_ne!(authored.fingerprint(), load(corpus(DESCRIPTION).path()).unwrap().fingerprint());
}

#[test]
fn wrong_descriptions_are_refused() {
    for (description, why) in [
        ("colour = 1", "colour"),
        ("[git]\nuntracked = [\"no.py\"]", "git.untracked names `no.py`"),
        ("[git]\nsymlinks = { \"a.py\" = \"run.sh\" }", "two files become `a.py`"),
        ("[git]\nsymlinks = { \"x\" = \"/etc/passwd\" }", "is absolute"),
        ("[git]\nremoved_cached = [\"no.py\"]", "git.removed_cached names `no.py`"),
        ("[git]\noutside_links = { \"x\" = \"/etc/passwd\" }", "does not start with `..`"),
        ("[git]\nsubmodules = { \"x\" = \"main\" }", "not a commit id"),
        ("[[generated]]\npath = \"x\"\nrepeat = \"ab\"\ntimes = 99999999", "longer than 64 MiB"),
        ("[git]\nrenames = { \"no\" = \"b\" }", "names `no`"),
        ("[git]\nrenames = { \"a.py\" = \"../b\" }", "`..`"),
        ("[[cases]]\nid = \"x\"\nchat_files = [\"no.py\"]", "case `x` names `no.py`"),
        ("[[cases]]\nid = \"x\"\n[[cases]]\nid = \"x\"", "comes twice"),
    ] {
        let error = load(corpus(description).path()).unwrap_err();
        assert_eq!(error.exit_code(), 20);
        assert!(error.to_string().contains(why), "{error}");
    }
}

#[test]
fn what_was_edited_is_made_again_and_what_was_only_touched_is_kept() {
    let (source, cache) = (corpus(DESCRIPTION), tempfile::tempdir().unwrap());
    let authored = load(source.path()).unwrap();
    let store = store(cache.path(), Vec::new());
    let made = store.ensure_authored(&authored).unwrap();
    let inode = || fs::metadata(&made.path).unwrap().ino();
    let (first, file) = (inode(), made.path.join("a.py"));
    fs::File::open(&file).unwrap().set_modified(std::time::UNIX_EPOCH).unwrap();
    assert_eq!(store.ensure_authored(&authored).unwrap(), made);
    assert_eq!(inode(), first);

    // Git hides the change, and the stamp still matches.
    git::run(&made.path, &["update-index", "--assume-unchanged", "a.py"]).unwrap();
    assert_eq!(store.ensure_authored(&authored).unwrap(), made);
    assert_ne!(inode(), first);
    for text in ["# b.py\r\n", ""] {
        fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
        fs::write(&file, text).unwrap();
        assert_eq!(store.ensure_authored(&authored).unwrap(), made);
        assert_eq!(fs::read(&file).unwrap(), b"# a.py\r\n");
    }
    made.check().unwrap();
}
