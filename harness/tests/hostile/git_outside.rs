//! Nothing outside of a work tree is shown, and no other repository is used in its place.

use std::{fs, path::Path, process::Command};

use crate::repository::{
    committed, every_way, every_way_maps, git, map, map_with, parity, repository, text,
};

/// A definition that must never be shown.
const SECRET: &str = "def secret_outside(): pass\n";

/// A folder with a secret in it.
fn outside() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("secret.py"), SECRET).unwrap();
    dir
}

fn nothing_is_shown(root: &Path, environment: &[(&str, &str)]) {
    for (way, told) in every_way(root, environment) {
        assert!(!text(&told).contains("secret_outside"), "{way}: {}", text(&told));
    }
}

/// Writes a tree object as bytes: git's own commands refuse such names.
fn commit_tree(root: &Path, entries: &[(&str, &str, &str)]) {
    let mut tree = Vec::new();
    for (mode, name, id) in entries {
        tree.extend_from_slice(format!("{mode} {name}\0").as_bytes());
        let digits = id.as_bytes().chunks(2);
        tree.extend(
            digits.map(|two| u8::from_str_radix(std::str::from_utf8(two).unwrap(), 16).unwrap()),
        );
    }
    let file = root.join(".git/tree-bytes");
    fs::write(&file, tree).unwrap();
    let literally = ["hash-object", "-t", "tree", "-w", "--literally", ".git/tree-bytes"];
    let tree = git(root, &literally);
    let commit = git(root, &["commit-tree", "-m", "odd", tree.trim()]);
    git(root, &["update-ref", "HEAD", commit.trim()]);
    fs::remove_file(file).unwrap();
}

/// Adds such a tree, whose entries lead to `secret.py` beside the work tree.
fn with_odd_tree(parent: &Path, make: impl FnOnce(&Path, &str)) -> std::path::PathBuf {
    fs::write(parent.join("secret.py"), SECRET).unwrap();
    let root = parent.join("work");
    fs::create_dir(&root).unwrap();
    crate::repository::fill(&root, |_| {});
    let blob = git(&root, &["hash-object", "-w", "honest.py"]);
    make(&root, blob.trim());
    root
}

#[test]
fn a_configured_work_tree_has_no_effect() {
    let outside = outside();
    let dir = repository(|root| fs::write(root.join("secret.py"), "").unwrap());
    git(dir.path(), &["commit", "-qm", "all"]);
    for place in [outside.path().to_str().unwrap(), "/"] {
        git(dir.path(), &["config", "core.worktree", place]);
        every_way_maps(dir.path(), &[]);
        nothing_is_shown(dir.path(), &[]);
    }
}

#[test]
fn a_tree_entry_that_climbs_out_is_skipped() {
    let parent = tempfile::tempdir().unwrap();
    let root = with_odd_tree(parent.path(), |root, blob| {
        // A tree named `..` that holds `secret.py`.
        commit_tree(root, &[("100644", "secret.py", blob)]);
        let inner = git(root, &["rev-parse", "HEAD^{tree}"]);
        commit_tree(root, &[("40000", "..", inner.trim()), ("100644", "honest.py", blob)]);
    });
    every_way_maps(&root, &[]);
    nothing_is_shown(&root, &[]);
    let map = map_with(&root, &[], &[]);
    assert!(map.reason("../secret.py").contains("no path that git can check out"));
}

#[test]
fn a_tree_entry_with_slashes_is_skipped() {
    let parent = tempfile::tempdir().unwrap();
    let absolute = parent.path().join("secret.py");
    let absolute = absolute.to_str().unwrap().to_owned();
    let root = with_odd_tree(parent.path(), |root, blob| {
        commit_tree(
            root,
            &[
                ("100644", &absolute, blob),
                ("100644", "a/../../secret.py", blob),
                ("100644", "honest.py", blob),
            ],
        );
    });
    every_way_maps(&root, &[]);
    nothing_is_shown(&root, &[]);
    let map = map_with(&root, &[], &[]);
    for name in [absolute.as_str(), "a/../../secret.py"] {
        assert!(map.reason(name).contains("no path that git can check out"), "{name}");
    }
}

#[test]
fn the_repository_itself_is_not_mapped() {
    let parent = tempfile::tempdir().unwrap();
    let root = with_odd_tree(parent.path(), |root, blob| {
        fs::write(root.join(".git/secret.py"), SECRET).unwrap();
        commit_tree(root, &[("100644", "secret.py", blob)]);
        let inner = git(root, &["rev-parse", "HEAD^{tree}"]);
        commit_tree(root, &[("40000", ".git", inner.trim()), ("100644", "honest.py", blob)]);
    });
    every_way_maps(&root, &[]);
    nothing_is_shown(&root, &[]);
}

#[test]
fn an_index_entry_that_climbs_out_is_skipped() {
    let parent = tempfile::tempdir().unwrap();
    let root = with_odd_tree(parent.path(), |_, _| ());
    // Git refuses to write such an entry, so a harmless one of the same length is overwritten; the
    // digest at the end is made zero, which git reads as "not computed".
    crate::repository::list(&root, "zz/secret.py");
    git(&root, &["-c", "index.skipHash=true", "update-index", "--force-write-index"]);
    let mut index = fs::read(root.join(".git/index")).unwrap();
    let name = b"zz/secret.py";
    let at = index.windows(name.len()).position(|window| window == name).unwrap();
    index[at..at + 2].copy_from_slice(b"..");
    fs::write(root.join(".git/index"), index).unwrap();
    nothing_is_shown(&root, &[]);
}

#[test]
fn variables_of_the_caller_choose_no_other_repository() {
    let other = committed(|root| {
        fs::write(root.join("secret.py"), SECRET).unwrap();
        // The name shows whose index was read.
        fs::write(root.join("secret_outside.py"), "").unwrap();
    });
    let dir = committed(|root| fs::write(root.join("secret.py"), "").unwrap());
    let git_dir = other.path().join(".git");
    let (git_dir, work_tree) = (git_dir.to_str().unwrap(), other.path().to_str().unwrap());
    let index = format!("{git_dir}/index");
    for environment in [
        &[("GIT_DIR", git_dir)][..],
        &[("GIT_DIR", git_dir), ("GIT_WORK_TREE", work_tree)],
        &[("GIT_WORK_TREE", work_tree)],
        &[("GIT_INDEX_FILE", &index)],
        &[("GIT_COMMON_DIR", git_dir)],
        &[("GIT_NAMESPACE", "other"), ("GIT_CEILING_DIRECTORIES", "/")],
        &[
            ("GIT_CONFIG_COUNT", "1"),
            ("GIT_CONFIG_KEY_0", "core.worktree"),
            ("GIT_CONFIG_VALUE_0", work_tree),
        ],
    ] {
        every_way_maps(dir.path(), environment);
        nothing_is_shown(dir.path(), environment);
    }
}

#[test]
fn a_common_directory_counts_only_where_git_makes_one() {
    let other = committed(|root| fs::write(root.join("secret_outside.py"), SECRET).unwrap());
    let dir = committed(|_| {});
    let named = other.path().join(".git");
    fs::write(dir.path().join(".git/commondir"), named.to_str().unwrap()).unwrap();
    nothing_is_shown(dir.path(), &[]);
}

#[test]
fn linked_work_trees_submodules_and_other_formats_are_still_read() {
    let dir = committed(|root| fs::create_dir(root.join("sub")).unwrap());
    let root = dir.path();
    let place = tempfile::tempdir().unwrap();
    let linked = place.path().join("linked");
    git(root, &["worktree", "add", "-q", linked.to_str().unwrap()]);
    every_way_maps(&linked, &[]);

    // A submodule's repository is inside that of the work tree around it.
    let upstream = root.to_str().unwrap();
    let around = committed(|_| {});
    let add =
        ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", upstream, "inner"];
    git(around.path(), &add);
    every_way_maps(&around.path().join("inner"), &[]);
    every_way_maps(around.path(), &[]);

    // A submodule whose repository is elsewhere.
    let apart = tempfile::tempdir().unwrap();
    let (work, kept) = (apart.path().join("work"), apart.path().join("kept"));
    let clone = ["clone", "-q", "--separate-git-dir", kept.to_str().unwrap(), upstream];
    git(root, &[&clone[..], &[work.to_str().unwrap()]].concat());
    every_way_maps(&work, &[]);

    for format in [&["--object-format=sha256"][..], &["--ref-format=reftable"]] {
        let other = tempfile::tempdir().unwrap();
        let init = [&["init", "-q"], format].concat();
        let made = Command::new("git").arg("-C").arg(other.path()).args(&init).output().unwrap();
        if !made.status.success() {
            continue; // This git does not know the format yet.
        }
        for name in ["honest.py", "caller.py"] {
            fs::copy(root.join(name), other.path().join(name)).unwrap();
        }
        git(other.path(), &["add", "-A"]);
        git(other.path(), &["commit", "-qm", "all"]);
        git(other.path(), &["pack-refs", "--all"]);
        every_way_maps(other.path(), &[]);
    }
}

#[test]
fn a_sparse_index_and_alternates_are_still_read() {
    let dir = committed(|root| {
        for folder in ["kept", "left"] {
            fs::create_dir(root.join(folder)).unwrap();
            fs::write(root.join(folder).join("inner.py"), "def inner(): pass\n").unwrap();
        }
    });
    let place = tempfile::tempdir().unwrap();
    let shared = place.path().join("shared");
    let clone = ["clone", "-q", "--shared", dir.path().to_str().unwrap(), shared.to_str().unwrap()];
    git(dir.path(), &clone);
    every_way_maps(&shared, &[]);
    git(dir.path(), &["sparse-checkout", "set", "--cone", "--sparse-index", "kept"]);
    let map = map(&dir, &[]);
    assert!(map.text.contains("kept/inner.py"), "{}", map.text);
    assert_eq!(map.reason("left/inner.py"), "does not exist");
}

#[test]
fn a_bare_repository_and_the_inside_of_git_have_no_map() {
    let dir = committed(|_| {});
    let inside = parity(&dir.path().join(".git"), &[], &["map", "."], "");
    assert_eq!(inside.exit_code, Some(20), "{}", text(&inside));
    let place = tempfile::tempdir().unwrap();
    git(dir.path(), &["clone", "-q", "--bare", ".", place.path().join(".git").to_str().unwrap()]);
    let bare = parity(place.path(), &[], &["map", "."], "");
    assert_eq!(bare.exit_code, Some(20), "{}", text(&bare));
}
