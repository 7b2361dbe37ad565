//! Nothing that a repository configures is run.

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

use crate::repository::{
    Canary, committed, every_way, every_way_maps, fill, git, map, parity, repository, text,
};

/// The object that a name stands for.
fn object(root: &Path, name: &str) -> String {
    git(root, &["rev-parse", name]).trim().to_owned()
}

/// Removes an object, as if a partial clone had never fetched it.
fn lose(root: &Path, name: &str) {
    let id = object(root, name);
    let (folder, file) = id.split_at(2);
    fs::remove_file(root.join(".git/objects").join(folder).join(file)).unwrap();
}

fn configure(root: &Path, settings: &[(&str, &str)]) {
    for (key, value) in settings {
        git(root, &["config", key, value]);
    }
}

/// A repository that fetches what it lacks from a remote with these settings.
fn with_remote(root: &Path, settings: &[(&str, &str)]) {
    let promise = [
        ("core.repositoryFormatVersion", "1"),
        ("extensions.partialClone", "origin"),
        ("remote.origin.promisor", "true"),
        ("remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"),
    ];
    configure(root, &promise);
    configure(root, settings);
}

/// Asks for a map in every way. There may be a map or none, but nothing may run.
fn asked_in_every_way(root: &Path, canary: &Canary) {
    canary.reset();
    for (way, told) in every_way(root, &[]) {
        canary.assert_quiet(&way);
        assert!(told.exit_code.is_some(), "{way}: {}", told.ending());
    }
}

#[test]
fn a_missing_tree_is_not_fetched_by_ssh() {
    let canary = Canary::new();
    let dir = committed(|_| {});
    with_remote(
        dir.path(),
        &[("remote.origin.url", "git@host.invalid:x"), ("core.sshCommand", &canary.program())],
    );
    lose(dir.path(), "HEAD^{tree}");
    asked_in_every_way(dir.path(), &canary);
}

#[test]
fn a_missing_tree_is_not_fetched_from_a_folder_with_its_upload_pack() {
    let canary = Canary::new();
    let dir = committed(|_| {});
    let other = committed(|_| {});
    with_remote(
        dir.path(),
        &[
            ("remote.origin.url", other.path().to_str().unwrap()),
            ("remote.origin.uploadpack", &canary.program()),
        ],
    );
    lose(dir.path(), "HEAD^{tree}");
    asked_in_every_way(dir.path(), &canary);
}

#[test]
fn a_missing_tree_is_not_fetched_through_an_external_helper() {
    let canary = Canary::new();
    let dir = committed(|_| {});
    with_remote(
        dir.path(),
        &[
            ("remote.origin.url", &format!("ext::{} %S", canary.program())),
            ("protocol.ext.allow", "always"),
        ],
    );
    lose(dir.path(), "HEAD^{tree}");
    asked_in_every_way(dir.path(), &canary);
}

#[test]
fn a_missing_tree_of_a_subfolder_is_not_fetched() {
    let canary = Canary::new();
    let dir = committed(|root| {
        fs::create_dir(root.join("sub")).unwrap();
        fs::write(root.join("sub/inner.py"), "def inner(): pass\n").unwrap();
    });
    with_remote(
        dir.path(),
        &[("remote.origin.url", "git@host.invalid:x"), ("core.sshCommand", &canary.program())],
    );
    lose(dir.path(), "HEAD:sub");
    asked_in_every_way(dir.path(), &canary);
}

#[test]
fn a_missing_commit_is_not_fetched_and_makes_no_map() {
    let canary = Canary::new();
    let dir = committed(|_| {});
    with_remote(
        dir.path(),
        &[("remote.origin.url", "git@host.invalid:x"), ("core.sshCommand", &canary.program())],
    );
    lose(dir.path(), "HEAD^{commit}");
    canary.reset();
    for (way, told) in every_way(dir.path(), &[]) {
        canary.assert_quiet(&way);
        assert!(!told.succeeded(), "{way}: a map was made of a commit that is missing");
    }
}

#[test]
fn an_included_configuration_runs_nothing() {
    let canary = Canary::new();
    let dir = committed(|root| {
        let settings = format!(
            "[core]\n\tsshCommand = {0}\n[remote \"origin\"]\n\turl = git@host.invalid:x\n\
             \tpromisor = true\n",
            canary.program()
        );
        fs::write(root.join("settings"), settings).unwrap();
    });
    with_remote(dir.path(), &[("include.path", "../settings")]);
    lose(dir.path(), "HEAD^{tree}");
    asked_in_every_way(dir.path(), &canary);
}

#[test]
fn a_configuration_of_one_work_tree_runs_nothing() {
    let canary = Canary::new();
    let dir = committed(|_| {});
    let root = dir.path();
    with_remote(root, &[("extensions.worktreeConfig", "true")]);
    for (key, value) in
        [("remote.origin.url", "git@host.invalid:x"), ("core.sshCommand", &canary.program())]
    {
        git(root, &["config", "--worktree", key, value]);
    }
    lose(root, "HEAD^{tree}");
    asked_in_every_way(root, &canary);
}

#[test]
fn a_tracked_folder_that_looks_like_a_repository_is_not_one() {
    let canary = Canary::new();
    // A plain clone is enough: everything below `bare` is an ordinary tracked file.
    let dir = committed(|root| {
        let bare = root.join("bare");
        for folder in ["objects", "refs", "src"] {
            fs::create_dir_all(bare.join(folder)).unwrap();
            fs::write(bare.join(folder).join("keep"), "").unwrap();
        }
        fs::write(bare.join("HEAD"), format!("{}\n", "1".repeat(40))).unwrap();
        let program = canary.program();
        let config = format!(
            "[core]\n\trepositoryformatversion = 1\n\tbare = false\n\tworktree = .\n\
             \tfsmonitor = {program}\n\tsshCommand = {program}\n\
             [extensions]\n\tpartialClone = origin\n\
             [remote \"origin\"]\n\turl = git@host.invalid:x\n\tpromisor = true\n"
        );
        fs::write(bare.join("config"), config).unwrap();
        fs::write(bare.join("src/inner.py"), "def inner(): pass\n").unwrap();
    });
    canary.reset();
    for place in ["bare", "bare/src"] {
        for profile in crate::repository::PROFILES {
            let told =
                parity(&dir.path().join(place), &[], &["map", ".", "--profile", profile], "");
            canary.assert_quiet(place);
            assert!(told.succeeded(), "{place}: {}", told.stderr_tail(5));
            assert!(text(&told).contains("bare/src/inner.py"), "{place}: {}", text(&told));
        }
    }
}

#[test]
fn a_repository_that_a_git_file_names_runs_nothing() {
    let canary = Canary::new();
    let dir = committed(|_| {});
    let root = dir.path();
    with_remote(
        root,
        &[("remote.origin.url", "git@host.invalid:x"), ("core.sshCommand", &canary.program())],
    );
    lose(root, "HEAD^{tree}");
    fs::rename(root.join(".git"), root.join("hidden")).unwrap();
    fs::write(root.join(".git"), "gitdir: hidden\n").unwrap();
    asked_in_every_way(root, &canary);
}

#[test]
fn a_submodule_runs_nothing() {
    let canary = Canary::new();
    let dir = committed(|_| {});
    let inner = dir.path().join("inner");
    fs::create_dir(&inner).unwrap();
    fill(&inner, |_| {});
    git(&inner, &["commit", "-qm", "inner"]);
    git(dir.path(), &["add", "inner"]);
    with_remote(
        &inner,
        &[("remote.origin.url", "git@host.invalid:x"), ("core.sshCommand", &canary.program())],
    );
    lose(&inner, "HEAD^{tree}");
    asked_in_every_way(dir.path(), &canary);
    asked_in_every_way(&inner, &canary);
}

#[test]
fn variables_of_the_caller_run_nothing() {
    let canary = Canary::new();
    let dir = committed(|_| {});
    let program = canary.program();
    // A git hook or an editor may have set these variables for another repository.
    every_way_maps(
        dir.path(),
        &[
            ("GIT_CONFIG_COUNT", "1"),
            ("GIT_CONFIG_KEY_0", "core.fsmonitor"),
            ("GIT_CONFIG_VALUE_0", &program),
            ("GIT_SSH_COMMAND", &program),
            ("GIT_EXTERNAL_DIFF", &program),
            ("GIT_EXEC_PATH", "/nowhere"),
            ("GIT_OBJECT_DIRECTORY", "/nowhere"),
            ("GIT_COMMON_DIR", "/nowhere"),
        ],
    );
    canary.assert_quiet("variables");
}

#[test]
fn the_canary_sings() {
    let canary = Canary::new();
    let dir = committed(|_| {});
    with_remote(
        dir.path(),
        &[("remote.origin.url", "git@host.invalid:x"), ("core.sshCommand", &canary.program())],
    );
    lose(dir.path(), "HEAD^{tree}");
    // The control: a plain git does run the program in such a repository.
    let told = std::process::Command::new("git")
        .arg("-C")
        .arg(dir.path())
        .args(["ls-tree", "-r", "HEAD"])
        .output()
        .unwrap();
    assert!(!told.status.success());
    assert!(canary.ran(), "git fetches nothing here, so the other tests show nothing");
}

#[test]
fn nothing_that_a_repository_configures_is_run() {
    let canary = Canary::new();
    let evil = &canary.program();
    let dir = committed(|root| fs::write(root.join("kept.txt"), "text\n").unwrap());
    let root = dir.path();
    fs::write(root.join(".gitattributes"), "* filter=evil diff=evil merge=evil\n").unwrap();
    fs::write(root.join(".lfsconfig"), "[lfs]\n\turl = file:///nowhere\n").unwrap();
    fs::write(
        root.join(".gitmodules"),
        format!("[submodule \"s\"]\n\tpath = s\n\turl = ext::{evil}\n\tupdate = !{evil}\n"),
    )
    .unwrap();
    for key in [
        "filter.evil.clean",
        "filter.evil.smudge",
        "filter.evil.process",
        "diff.evil.textconv",
        "diff.external",
        "merge.evil.driver",
        "core.fsmonitor",
        "core.sshCommand",
        "core.gitProxy",
        "core.pager",
        "core.editor",
        "core.askPass",
        "core.alternateRefsCommand",
        "credential.helper",
        "gpg.program",
        "uploadpack.packObjectsHook",
        "pager.ls-files",
        "pager.ls-tree",
    ] {
        git(root, &["config", key, evil]);
    }
    for command in ["ls-files", "ls-tree", "rev-parse", "check-ignore"] {
        git(root, &["config", &format!("alias.{command}"), &format!("!{evil}")]);
    }
    let hooks = root.join(".git/hooks");
    fs::create_dir_all(&hooks).unwrap();
    for hook in
        ["post-index-change", "fsmonitor-watchman", "post-checkout", "reference-transaction"]
    {
        fs::copy(evil, hooks.join(hook)).unwrap();
        fs::set_permissions(hooks.join(hook), fs::Permissions::from_mode(0o755)).unwrap();
    }
    git(root, &["config", "core.hooksPath", hooks.to_str().unwrap()]);
    // The index looks outdated, so listing the differences would run the filters.
    fs::write(root.join("honest.py"), "def honest_work(value):\n    return value + 1\n").unwrap();
    let before = fs::read(root.join(".git/index")).unwrap();
    canary.reset();
    every_way_maps(root, &[]);
    canary.assert_quiet("settings");
    assert_eq!(fs::read(root.join(".git/index")).unwrap(), before, "the index was rewritten");
}

#[test]
fn a_repository_of_somebody_else_is_refused_with_the_line_that_allows_it() {
    if !rustix::process::geteuid().is_root() {
        return; // Only root can give a repository away.
    }
    let dir = repository(|_| {});
    let root = dir.path().canonicalize().unwrap();
    let given = std::process::Command::new("chown").args(["-R", "65534:65534"]).arg(&root).status();
    assert!(given.unwrap().success());
    let home = tempfile::tempdir().unwrap();
    let home_path = home.path().to_str().unwrap();
    let allow = format!("git config --global --add safe.directory {}", root.display());
    for (way, told) in every_way(&root, &[("HOME", home_path)]) {
        assert_eq!(told.exit_code, Some(20), "{way}: {}", told.ending());
        assert!(text(&told).contains(&allow), "{way}: {}", text(&told));
    }
    let done =
        std::process::Command::new("sh").args(["-c", &allow]).env("HOME", home_path).status();
    assert!(done.unwrap().success());
    every_way_maps(&root, &[("HOME", home_path)]);
}

#[test]
fn git_that_is_trusted_by_its_user_alone_still_reads_its_own_ignore_rules() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join(".gitconfig"), "[core]\n\texcludesFile = ~/ignored\n").unwrap();
    fs::write(home.path().join("ignored"), "scratch.py\n").unwrap();
    let dir = committed(|_| {});
    fs::write(dir.path().join("scratch.py"), "from honest import honest_work\n").unwrap();
    let home = home.path().to_str().unwrap();
    for (arguments, admitted) in
        [(&["--chat", "scratch.py"][..], false), (&["--chat", "caller.py"], true)]
    {
        let arguments = [&["map", ".", "--json"], arguments].concat();
        let told = parity(dir.path(), &[("HOME", home)], &arguments, "");
        let document: serde_json::Value = serde_json::from_slice(&told.stdout.bytes).unwrap();
        // With an admitted chat file the map is that of a chat; an ignored one leaves the map global.
        let lists_caller = document["text"].as_str().unwrap().contains("caller.py");
        assert_eq!(lists_caller, !admitted, "{arguments:?}: {}", text(&told));
    }
    drop(map(&dir, &[]));
}
