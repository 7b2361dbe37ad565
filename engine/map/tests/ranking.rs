//! What decides the ranks of the enhancement profile: references within a family of languages, and the imports
//! of the chat.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{fs, path::Path};

use base::profile::Profile;
use map::{Factor, FileReason, MapRequest, TraceDetail, build};

/// Why each file is in the map of a folder.
fn explained(folder: &Path, chat: &[&str], without: &[Factor]) -> Vec<FileReason> {
    let mut request = MapRequest::new(folder);
    request.scope.subtree_only = true;
    request.profile = Profile::Enhancement;
    request.map_tokens = Some(1024.0);
    request.explain = true;
    request.chat = chat.iter().map(|file| (*file).to_owned()).collect();
    request.without = without.iter().copied().collect();
    let map = build(&request, TraceDetail::None).unwrap();
    map.attempts.last().unwrap().explanation.clone().unwrap()
}

#[test]
fn a_homonym_in_another_language_is_no_reference() {
    let place = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(place.path().join(name), text).unwrap();
    write("a.py", "def fetch():\n    other()\n\ndef other():\n    pass\n");
    write("b.js", "function fetch() {}\nfunction start() { fetch(); fetch() }\nstart()\n");
    write("c.ts", "export function run(): void { fetch() }\nrun()\n");
    let referrers = |without: &[Factor]| {
        let files = explained(place.path(), &[], without);
        let entries = files.iter().find(|file| file.file == "a.py").unwrap().entries.iter();
        let fetch = entries.clone().find(|entry| entry.name.as_deref() == Some("fetch")).unwrap();
        let mut found: Vec<_> =
            fetch.referrers.iter().filter(|one| one.refers).map(|one| one.file.clone()).collect();
        found.sort();
        found
    };
    assert!(referrers(&[]).is_empty(), "{:?}", referrers(&[]));
    assert_eq!(referrers(&[Factor::Families]), ["b.js", "c.ts"]);
}

#[test]
fn what_the_chat_imports_comes_before_what_it_does_not() {
    let place = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = place.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("app/main.py", "from .tools import saw\n\ndef main():\n    pass\n");
    for file in ["app/axes.py", "app/tools.py", "app/zips.py"] {
        write(file, &format!("def {}():\n    start()\n", &file[4..6]));
    }
    let order = |without: &[Factor]| -> Vec<String> {
        let files = explained(place.path(), &["app/main.py"], without);
        files.into_iter().map(|file| file.file).collect()
    };
    assert_eq!(order(&[]).first().map(String::as_str), Some("app/tools.py"));
    assert_ne!(order(&[Factor::Imports]).first().map(String::as_str), Some("app/tools.py"));
}
