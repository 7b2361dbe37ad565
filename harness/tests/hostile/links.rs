//! Links that lead out of a repository show nothing of their targets.

use std::{fs, os::unix::fs::symlink, path::Path, process::Command};

use record::Capture;
use tempfile::TempDir;

use crate::repository::{
    PROFILES, every_way, every_way_maps, git, map_with, parity, repository, text,
};

/// A name in the secrets, which must never be shown, in several formats.
const SECRET: &str = "secret_outside";

/// A folder with secrets.
fn outside() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    fs::write(root.join("secret.py"), format!("def {SECRET}(): pass\n")).unwrap();
    fs::write(root.join("ignore"), "honest.py\n").unwrap();
    fs::create_dir(root.join(SECRET)).unwrap();
    fs::write(root.join(SECRET).join("inner.py"), format!("def {SECRET}(): pass\n")).unwrap();
    symlink(root.join(SECRET), root.join("hop")).unwrap();
    dir
}

fn nothing_is_shown(way: &str, told: &Capture) {
    assert!(!text(told).contains(SECRET), "{way}: {}", text(told));
}

fn explored(root: &Path, arguments: &[&str]) -> Capture {
    parity(root, &[("SECRET_IN_ENVIRONMENT", SECRET)], &[&["explore"], arguments].concat(), "")
}

#[test]
fn a_tracked_link_to_a_file_outside_is_not_read() {
    let outside = outside();
    let dir = repository(|root| {
        symlink(outside.path().join("secret.py"), root.join("link.py")).unwrap();
        symlink("/proc/self/environ", root.join("environ.py")).unwrap();
    });
    every_way_maps(dir.path(), &[]);
    for (way, told) in every_way(dir.path(), &[("SECRET_IN_ENVIRONMENT", SECRET)]) {
        nothing_is_shown(&way, &told);
    }
    let map = map_with(dir.path(), &[], &[]);
    let reason = map.skipped.iter().find(|(file, _)| file.ends_with("secret.py")).unwrap().1;
    assert_eq!(reason, "lies outside of the repository");
}

#[test]
fn a_tracked_link_does_not_show_where_links_outside_lead() {
    let outside = outside();
    let dir = repository(|root| symlink(outside.path().join("hop"), root.join("link")).unwrap());
    for (way, told) in every_way(dir.path(), &[]) {
        nothing_is_shown(&way, &told);
    }
}

#[test]
fn a_file_below_a_folder_that_became_a_link_is_not_read() {
    let outside = outside();
    let dir = repository(|root| {
        fs::create_dir(root.join("folder")).unwrap();
        fs::write(root.join("folder/secret.py"), "x = 1\n").unwrap();
    });
    fs::remove_dir_all(dir.path().join("folder")).unwrap();
    symlink(outside.path(), dir.path().join("folder")).unwrap();
    every_way_maps(dir.path(), &[]);
    for (way, told) in every_way(dir.path(), &[]) {
        nothing_is_shown(&way, &told);
    }
}

#[test]
fn links_that_stay_inside_are_followed() {
    let dir = repository(|root| {
        fs::create_dir_all(root.join("a/b")).unwrap();
        fs::write(root.join("a/b/inner.py"), "def inner(): pass\n").unwrap();
        symlink("a/b", root.join("way")).unwrap();
        symlink("../a/../honest.py", root.join("a/back.py")).unwrap();
        symlink(root.join("a/b/inner.py"), root.join("absolute.py")).unwrap();
    });
    let map = map_with(dir.path(), &[], &[]);
    assert!(map.text.contains("def inner") && map.text.contains("def honest_work"), "{}", map.text);
    for profile in PROFILES {
        for file in ["way/inner.py", "absolute.py"] {
            let told = explored(dir.path(), &["--root", ".", "--profile", profile, file]);
            assert!(told.succeeded() && text(&told).contains("inner"), "{}", text(&told));
        }
    }
}

#[test]
fn a_file_of_the_chat_may_not_lie_outside() {
    let outside = outside();
    let dir = repository(|root| {
        symlink(outside.path().join("secret.py"), root.join("link.py")).unwrap();
    });
    let path = outside.path().join("secret.py");
    for profile in PROFILES {
        for file in ["link.py", path.to_str().unwrap()] {
            let told =
                parity(dir.path(), &[], &["map", ".", "--chat", file, "--profile", profile], "");
            assert_eq!(told.exit_code, Some(2), "{file}: {}", text(&told));
            nothing_is_shown(file, &told);
        }
    }
}

#[test]
fn an_ignore_file_outside_has_no_say() {
    let outside = outside();
    let dir = repository(|root| {
        symlink(outside.path().join("ignore"), root.join(".aiderignore")).unwrap();
    });
    for (way, told) in every_way(dir.path(), &[]) {
        assert!(!told.succeeded() && text(&told).contains("leads out"), "{way}: {}", text(&told));
    }
    // The user's own file may be anywhere.
    let own = outside.path().join("ignore");
    let arguments = ["map", ".", "--aiderignore", own.to_str().unwrap()];
    let told = parity(dir.path(), &[], &arguments, "");
    assert!(told.succeeded() && !text(&told).contains("honest.py:"), "{}", text(&told));
}

#[test]
fn without_git_links_are_neither_entered_nor_read() {
    let outside = outside();
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    fs::write(root.join("honest.py"), "def honest_work(value):\n    return value\n").unwrap();
    symlink(outside.path().join("secret.py"), root.join("link.py")).unwrap();
    symlink(outside.path(), root.join("folder")).unwrap();
    symlink(outside.path().join("ignore"), root.join(".gitignore")).unwrap();
    let arguments = ["map", ".", "--profile", "enhancement", "--map-tokens", "1024", "--json"];
    let told = parity(root, &[], &arguments, "");
    assert!(told.succeeded() && text(&told).contains("honest.py:"), "{}", text(&told));
    nothing_is_shown("map", &told);
}

#[test]
fn explore_opens_no_link_that_leads_out_of_its_root() {
    let outside = outside();
    let dir = repository(|root| {
        symlink("/proc/self/environ", root.join("link")).unwrap();
        symlink(outside.path().join("secret.py"), root.join("link.py")).unwrap();
        symlink(outside.path(), root.join("folder")).unwrap();
        fs::create_dir(root.join("sub")).unwrap();
        symlink("../link.py", root.join("sub/again.py")).unwrap();
    });
    let absolute = dir.path().join("link.py");
    let absolute = absolute.to_str().unwrap();
    for profile in PROFILES {
        for file in ["link", "link.py", "folder/secret.py", "sub/again.py", absolute] {
            for root in [&["--root", "."][..], &[]] {
                let arguments = [root, &["--profile", profile, file]].concat();
                let told = explored(dir.path(), &arguments);
                assert_eq!(told.exit_code, Some(74), "{file}: {}", text(&told));
                assert!(text(&told).contains("leads out"), "{file}: {}", text(&told));
                nothing_is_shown(file, &told);
            }
        }
    }
}

#[test]
fn explore_opens_files_anywhere_that_are_named_as_such() {
    let outside = outside();
    let dir = repository(|_| {});
    let path = outside.path().join("secret.py");
    let path = path.to_str().unwrap();
    for arguments in [&[path][..], &["--root", ".", path]] {
        let told = explored(dir.path(), arguments);
        assert!(told.succeeded() && text(&told).contains(SECRET), "{}", text(&told));
    }
    // The root of a file without a project is its own folder.
    symlink("secret.py", outside.path().join("inside.py")).unwrap();
    symlink(dir.path().join("honest.py"), outside.path().join("outside.py")).unwrap();
    assert!(explored(outside.path(), &["inside.py"]).succeeded());
    assert_eq!(explored(outside.path(), &["outside.py"]).exit_code, Some(74));
}

#[test]
fn explore_reads_no_project_file_outside() {
    let outside = outside();
    fs::write(outside.path().join("pubspec.yaml"), "name: secret_package\n").unwrap();
    fs::create_dir(outside.path().join("src")).unwrap();
    fs::write(outside.path().join("src/secret_module.py"), "").unwrap();
    let dir = repository(|root| {
        symlink(outside.path().join("pubspec.yaml"), root.join("pubspec.yaml")).unwrap();
        symlink(outside.path().join("src"), root.join("src")).unwrap();
        fs::write(root.join("a.dart"), "import 'package:secret_package/x.dart';\n").unwrap();
        fs::write(root.join("a.py"), "import secret_module\n").unwrap();
    });
    for file in ["a.dart", "a.py"] {
        let told = explored(dir.path(), &["--json", file]);
        let found: serde_json::Value = serde_json::from_slice(&told.stdout.bytes).unwrap();
        // The files outside, if they were read, would make the import local.
        assert_ne!(found["imports"][0]["category"], "local", "{}", text(&told));
    }
}

#[test]
fn links_that_change_all_the_time_show_nothing() {
    let outside = outside();
    let dir = repository(|root| {
        for n in 0..60 {
            fs::write(root.join(format!("file_{n}.py")), "def inside(): pass\n").unwrap();
        }
    });
    git(dir.path(), &["commit", "-qm", "all"]);
    // Each file is replaced by a link and back, as fast as a shell can.
    let script = format!(
        "while :; do for n in $(seq 0 59); do ln -sf '{0}' new && mv -T new file_$n.py; \
         echo 'def inside(): pass' > plain && mv -T plain file_$n.py; done; done",
        outside.path().join("secret.py").display()
    );
    let mut swaps =
        Command::new("sh").args(["-c", &script]).current_dir(dir.path()).spawn().unwrap();
    for _ in 0..4 {
        for (way, told) in every_way(dir.path(), &[]) {
            nothing_is_shown(&way, &told);
        }
    }
    swaps.kill().unwrap();
    swaps.wait().unwrap();
}
