//! A corpus that somebody edits while it is measured.

use std::{fs, os::unix::fs::PermissionsExt};

use crate::place::{Place, wait_until};

#[test]
fn a_corpus_that_is_edited_during_a_run_is_refused_at_its_end() {
    let place = Place::new();
    let seen = place.path("seen");
    // Every map lists the files of its corpus; here the listing waits until the corpus was edited.
    let script = format!(
        "#!/bin/sh\ncase \"$*\" in *'ls-tree -r -z --full-tree HEAD')\n\
         : > '{0}/listing'; while [ ! -e '{0}/edited' ]; do sleep 0.05; done;; esac\n\
         PATH=${{PATH#*:}} exec git \"$@\"\n",
        seen.display()
    );
    let git = place.path("bin/git");
    fs::write(&git, script).unwrap();
    fs::set_permissions(&git, fs::Permissions::from_mode(0o755)).unwrap();
    let arguments = ["run", "--corpus", "^slice$", "--gate", "A3", "--profile", "enhancement"];
    let mut parity = place.command(&arguments, &[]).spawn().unwrap();
    wait_until("a map is made", || {
        assert!(parity.try_wait().unwrap().is_none(), "it ended: {}", place.said());
        seen.join("listing").exists()
    });
    let repositories = fs::read_dir(place.path("cache/repos")).unwrap().map(Result::unwrap);
    let folders: Vec<_> =
        repositories.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    assert_eq!(folders.len(), 1, "{folders:?}");
    fs::write(folders[0].join("added.py"), "def added(): pass\n").unwrap();
    fs::write(seen.join("edited"), "").unwrap();
    let ended = parity.wait().unwrap();
    assert_eq!(ended.code(), Some(21), "{}", place.said());
    assert!(place.said().contains("`slice`") && place.said().contains("was changed"));
}
