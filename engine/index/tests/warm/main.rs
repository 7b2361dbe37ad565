//! A map with a tag cache is the map without one, byte for byte, whatever happens to the files.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "a test reads its own files")]

mod place;

use std::{
    fs,
    sync::atomic::{AtomicUsize, Ordering},
};

use base::{
    profile::Profile,
    text::{folder::Folder, read::ReadError},
};
use index::{Settings, TagCache};
use map::{
    FinishedMap, Found, Identity, Kept, MapRequest, MentionSource, RepoMap, Stamps, TraceDetail,
    build, build_with, language::Language, repo::RepoFile,
};
use place::Place;

/// Counts what is asked of a tag cache.
#[derive(Debug)]
struct Counting {
    tag_cache: TagCache,
    /// Files that were looked up.
    looked_up: AtomicUsize,
    /// Files that had to be extracted.
    extracted: AtomicUsize,
}

/// What was asked of a tag cache for one map.
#[derive(Debug, PartialEq, Eq)]
struct Asked {
    looked_up: usize,
    extracted: usize,
    /// Whether the whole map was made before.
    cached: bool,
}

impl map::TagCache for Counting {
    fn find(
        &self,
        file: &RepoFile,
        language: &'static Language,
        folder: &Folder,
        most: u64,
    ) -> Result<Found, ReadError> {
        self.looked_up.fetch_add(1, Ordering::Relaxed);
        self.tag_cache.find(file, language, folder, most)
    }

    fn keep(
        &self,
        file: &RepoFile,
        language: &'static Language,
        identity: Identity,
        extracted: &Kept,
        by_name: bool,
    ) {
        self.extracted.fetch_add(1, Ordering::Relaxed);
        self.tag_cache.keep(file, language, identity, extracted, by_name);
    }

    fn stamps(&self, files: &[&RepoFile]) -> Option<Stamps> {
        self.tag_cache.stamps(files)
    }

    fn graph(&self) -> Option<([u8; 32], Vec<u8>)> {
        self.tag_cache.graph()
    }

    fn postings(&self, key: [u8; 32]) -> Option<Vec<u8>> {
        self.tag_cache.postings(key)
    }

    fn keep_graph(&self, key: [u8; 32], row: Vec<u8>, postings: Option<Vec<u8>>) {
        self.tag_cache.keep_graph(key, row, postings);
    }

    fn signatures(&self, key: [u8; 32]) -> Option<Vec<u8>> {
        self.tag_cache.signatures(key)
    }

    fn keep_signatures(&self, key: [u8; 32], row: Vec<u8>) {
        self.tag_cache.keep_signatures(key, row);
    }

    fn finished(&self, key: [u8; 32]) -> Option<FinishedMap> {
        self.tag_cache.finished(key)
    }

    fn keep_finished(&self, key: [u8; 32], map: &FinishedMap) {
        self.tag_cache.keep_finished(key, map);
    }
}

fn request(place: &Place) -> MapRequest {
    let mut request = MapRequest::new(place.root());
    request.profile = Profile::Enhancement;
    request.map_tokens = Some(400.0);
    request
}

/// All that is printed of a map.
fn shown(map: &RepoMap) -> String {
    format!(
        "{:?} {:?} {} {:?} {:?} {}",
        map.text, map.reason, map.token_count, map.languages, map.skipped, map.files_considered
    )
}

/// Makes the map with and without the store, which must be equal; returns how many files were
/// extracted.
fn compare(place: &Place, settings: &Settings, what: &str) -> usize {
    ask(&request(place), place, settings, what).extracted
}

/// As [`compare`], for any request; returns everything that was asked.
fn ask(request: &MapRequest, place: &Place, settings: &Settings, what: &str) -> Asked {
    let cold = build(request, TraceDetail::None).unwrap();
    let counting = Counting {
        tag_cache: TagCache::open(settings, &place.root()),
        looked_up: AtomicUsize::new(0),
        extracted: AtomicUsize::new(0),
    };
    let warm = build_with(request, TraceDetail::None, Some(&counting)).unwrap();
    assert_eq!(counting.tag_cache.notice(), None, "{what}");
    assert_eq!(shown(&cold), shown(&warm), "{what}");
    let target = |map: &RepoMap| map.attempts.last().and_then(|attempt| attempt.target_tokens);
    assert_eq!(target(&cold), target(&warm), "{what}");
    counting.tag_cache.save().unwrap();
    Asked {
        looked_up: counting.looked_up.into_inner(),
        extracted: counting.extracted.into_inner(),
        cached: warm.cached,
    }
}

fn settings(place: &Place) -> Settings {
    Settings::in_folder(place.beside("store"))
}

#[test]
fn after_random_edits_it_is_the_map_of_the_files_as_they_are() {
    let place = Place::with_code(12);
    let settings = settings(&place);
    let mut random = fastrand::Rng::with_seed(19);
    assert_eq!(compare(&place, &settings, "at first"), 12);
    for step in 0..60 {
        let what = place.edit(&mut random);
        compare(&place, &settings, &format!("step {step}: {what}"));
    }
}

#[test]
fn nothing_is_extracted_twice_in_clones_worktrees_and_after_a_revert() {
    let place = Place::with_code(6);
    let settings = settings(&place);
    assert_eq!(compare(&place, &settings, "at first"), 6);
    assert_eq!(compare(&place, &settings, "again"), 0);
    let changed = "def changed():\n    return unchanged()\n";
    let before = place.read("m0.py");
    place.write("m0.py", changed);
    assert_eq!(compare(&place, &settings, "one changed"), 1);
    place.write("m0.py", &before);
    assert_eq!(compare(&place, &settings, "reverted"), 0);
    let clone = place.clone_to("clone");
    assert_eq!(compare(&clone, &settings, "a fresh clone"), 0);
    let other = place.worktree("other");
    other.write("m1.py", changed);
    assert_eq!(compare(&other, &settings, "a worktree with the bytes of a change"), 0);
    assert_eq!(compare(&place, &settings, "the first again"), 0);
    fs::remove_file(place.root().join("m2.go")).unwrap();
    assert_eq!(compare(&place, &settings, "deleted"), 0);
    place.git(&["checkout", "--", "m2.go"]);
    assert_eq!(compare(&place, &settings, "restored"), 0);
}

#[test]
fn no_more_contents_are_kept_than_are_asked_for() {
    let place = Place::with_code(12);
    let kept = |root: &Place, most| {
        let settings = Settings { max_contents: Some(most), ..settings(&place) };
        compare(root, &settings, "with few contents");
        index::status(&settings, &root.root()).unwrap().contents
    };
    assert_eq!(kept(&place, 12), 12);
    // What no file has any more goes first, then the roots that are not in use.
    place.write("m0.py", "def another():\n    return 1\n");
    assert_eq!(kept(&place, 12), 12);
    let clone = place.clone_to("clone");
    clone.write("m0.py", "def a_third():\n    return 1\n");
    assert_eq!(kept(&clone, 12), 12);
    // The root in use stays, however few are asked for.
    assert_eq!(kept(&clone, 4), 12);
}

#[test]
fn other_bytes_of_the_same_size_and_time_are_seen() {
    let place = Place::with_code(2);
    let settings = settings(&place);
    compare(&place, &settings, "at first");
    Place::settle();
    assert_eq!(compare(&place, &settings, "settled"), 0);
    place.swap_bytes("m0.py");
    assert_eq!(compare(&place, &settings, "same size and time"), 1);
}

/// The same repository asked in three ways.
fn questions(place: &Place) -> [(&'static str, MapRequest); 3] {
    let message = MentionSource::Message("why does handle_item_1 fail in m3.js?".to_owned());
    let plain = request(place);
    let said = MapRequest { mentions: message, ..plain.clone() };
    let chat = MapRequest { chat: vec!["m0.py".to_owned()], ..plain.clone() };
    [("plain", plain), ("message", said), ("chat", chat)]
}

/// Something that happens to a repository.
type Change<'a> = (&'a str, &'a (dyn Fn(&Place) + Sync));

#[test]
fn a_whole_map_is_served_again_until_something_changes() {
    let changes: [Change; 10] = [
        ("an edit", &|place| place.write("m3.js", &Place::code(3, 77))),
        ("other bytes of the same size and time", &|place| place.swap_bytes("m3.js")),
        ("a deletion", &|place| fs::remove_file(place.root().join("m2.go")).unwrap()),
        ("a deletion and a restoration", &|place| {
            fs::remove_file(place.root().join("m2.go")).unwrap();
            place.git(&["checkout", "--", "m2.go"]);
        }),
        ("a revert of what was edited", &|place| {
            place.git(&["checkout", "--", "m1.rs"]);
        }),
        ("a commit of what was edited", &|place| place.git(&["commit", "-aqm", "change"])),
        ("a checkout of another branch", &|place| {
            place.git(&["checkout", "--quiet", "--force", "other"]);
        }),
        ("a new file", &|place| {
            place.write("new.py", "def entirely_new():\n    return handle_item_1()\n");
            place.git(&["add", "new.py"]);
        }),
        ("an ignore file", &|place| place.write(".aiderignore", "m3.js\n")),
        ("an ending of lines", &|place| {
            place.write("m3.js", &Place::code(3, 3).replace('\n', "\r\n"));
        }),
    ];
    let one = |(what, change): &Change| {
        let place = Place::with_code(6);
        place.git(&["checkout", "--quiet", "-b", "other"]);
        place.write("m4.c", &Place::code(4, 55));
        place.git(&["commit", "-aqm", "other"]);
        place.git(&["checkout", "--quiet", "main"]);
        // One file differs from HEAD, so that a commit changes what the map makes of it.
        place.write("m1.rs", &Place::code(1, 66));
        let settings = settings(&place);
        let served = |when: &str| {
            questions(&place).map(|(asked, request)| {
                ask(&request, &place, &settings, &format!("{when} {what}, {asked}")).cached
            })
        };
        served("just before");
        Place::settle();
        // On a slow machine these maps were kept before.
        served("before");
        assert_eq!(served("again before"), [true; 3], "{what}");
        change(&place);
        assert_eq!(served("just after"), [false; 3], "{what}");
        Place::settle();
        served("after");
        assert_eq!(served("again after"), [true; 3], "{what}");
    };
    std::thread::scope(|scope| {
        let running: Vec<_> = changes.iter().map(|change| scope.spawn(|| one(change))).collect();
        for thread in running {
            thread.join().unwrap();
        }
    });
}

#[test]
fn a_map_with_a_trace_is_always_made() {
    let place = Place::with_code(3);
    let settings = settings(&place);
    Place::settle();
    let request = request(&place);
    ask(&request, &place, &settings, "at first");
    assert!(ask(&request, &place, &settings, "again").cached);
    let tag_cache = TagCache::open(&settings, &place.root());
    let traced = build_with(&request, TraceDetail::Graph, Some(&tag_cache)).unwrap();
    assert!(!traced.cached && traced.tags.is_some());
    let explained = MapRequest { explain: true, ..request };
    let explained = build_with(&explained, TraceDetail::None, Some(&tag_cache)).unwrap();
    assert!(explained.attempts.last().unwrap().explanation.is_some());
}

#[test]
fn only_the_last_maps_are_kept() {
    let place = Place::with_code(2);
    let settings = settings(&place);
    Place::settle();
    let of = |tokens: u32| {
        let request = MapRequest { map_tokens: Some(f64::from(tokens)), ..request(&place) };
        ask(&request, &place, &settings, &format!("{tokens} tokens")).cached
    };
    for tokens in 100..117 {
        assert!(!of(tokens));
    }
    assert!((101..117).all(of));
    assert!(!of(100), "sixteen were made after it");
}

#[test]
fn after_an_edit_that_leaves_names_and_imports_only_the_edited_file_is_looked_up() {
    let place = Place::with_code(12);
    place.write("m6.py", "import m0\n\n\ndef uses(item):\n    return m0.Item0(item)\n");
    place.write("view.vue", "<script>\nfunction shown() { return handle_item_3(); }\n</script>\n");
    fs::write(place.root().join("latin.py"), b"# gr\xf6\xdfe\n").unwrap();
    place.git(&["add", "--all"]);
    place.git(&["commit", "--quiet", "--message", "more"]);
    let settings = settings(&place);
    let all = 14;
    Place::settle();
    let asked = |what: &str| ask(&request(&place), &place, &settings, what);
    assert_eq!(asked("at first").looked_up, all);
    let edits: [(&str, &str, usize); 9] = [
        ("a comment", "import m0\n\n\ndef uses(item):\n    return m0.Item0(item)\n# one\n", 1),
        ("lines above", "# two\n\nimport m0\n\ndef uses(item):\n    return m0.Item0(item)\n", 1),
        ("a signature", "import m0\n\ndef uses(item, more=1):\n    return m0.Item0(item)\n", 1),
        ("the same", "import m0\n\n\ndef uses(item):\n    return m0.Item0(item)\n", 1),
        ("a name", "import m0\n\n\ndef used(item):\n    return m0.Item0(item)\n", 1),
        ("a reference", "import m0\n\n\ndef used(item):\n    return m0.Item6(item)\n", 1),
        ("no names", "import m0\n", all),
        ("an import", "import m1\n\n\ndef used(item):\n    return m0.Item0(item)\n", all),
        ("not a text", "\u{0}def used(\n", all),
    ];
    for (what, text, most) in edits {
        place.write("m6.py", text);
        let found = asked(what);
        assert!(!found.cached && found.looked_up <= most.max(1), "{what}: {found:?}");
        assert_eq!(found.looked_up > 1, most > 1, "{what}: {found:?}");
    }
    place.git(&["checkout", "--quiet", "."]);
    fs::remove_file(place.root().join("m2.go")).unwrap();
    assert_eq!(asked("a deletion").looked_up, all - 1);
    // What has been written within the last seconds is looked up each time.
    place.write("m2.go", &Place::code(2, 2));
    place.write("m3.js", "// three\n");
    asked("two files");
}

#[test]
fn a_file_that_does_not_count_leaves_the_kept_graph_in_use() {
    let place = Place::with_code(6);
    let settings = settings(&place);
    Place::settle();
    // It is read-only and in no listing of git's, so it is no file of the chat.
    place.write("notes.md", "Notes.\n");
    let request = MapRequest { read_only: vec!["notes.md".to_owned()], ..request(&place) };
    assert_eq!(ask(&request, &place, &settings, "at first").looked_up, 6);
    place.write("m0.py", &(place.read("m0.py") + "# a comment\n"));
    assert_eq!(ask(&request, &place, &settings, "a comment").looked_up, 1);
}

#[test]
fn a_damaged_graph_is_no_graph() {
    let place = Place::with_code(6);
    let settings = settings(&place);
    Place::settle();
    compare(&place, &settings, "at first");
    let store = rusqlite::Connection::open(settings.folder.join("index.sqlite")).unwrap();
    let row: Vec<u8> = store.query_row("SELECT data FROM graph", [], |row| row.get(0)).unwrap();
    for at in (0..row.len()).step_by(7) {
        let mut damaged = row.clone();
        damaged[at] ^= 1;
        store.execute("UPDATE graph SET data = ?", [&damaged]).unwrap();
        place.write("m0.py", &format!("{}# {at}\n", Place::code(0, 0)));
        assert_eq!(ask(&request(&place), &place, &settings, "damaged").looked_up, 6);
    }
    // After another name the postings are read.
    let postings = || -> Vec<u8> {
        store.query_row("SELECT data FROM postings", [], |row| row.get(0)).unwrap()
    };
    for at in (0..postings().len()).step_by(41) {
        place.write("m0.py", &Place::code(0, 100 + at));
        assert_eq!(ask(&request(&place), &place, &settings, "another name").looked_up, 1);
        let mut damaged = postings();
        damaged[at] ^= 1;
        store.execute("UPDATE postings SET data = ?", [&damaged]).unwrap();
        place.write("m0.py", &Place::code(0, 101 + at));
        assert_eq!(ask(&request(&place), &place, &settings, "damaged postings").looked_up, 6);
    }
    // Without its lines a map reads the files that it shows.
    let row: Vec<u8> = store.query_row("SELECT data FROM signature", [], |row| row.get(0)).unwrap();
    for at in 0..row.len() {
        let mut damaged = row.clone();
        damaged[at] ^= 1;
        store.execute("UPDATE signature SET data = ?", [&damaged]).unwrap();
        place.write("m0.py", &format!("{}# {at}\n", Place::code(0, 0)));
        compare(&place, &settings, "damaged lines");
    }
}

/// A tag cache that nobody may touch.
#[derive(Debug)]
struct Forbidden;

impl map::TagCache for Forbidden {
    fn find(
        &self,
        file: &RepoFile,
        _: &'static Language,
        _: &Folder,
        _: u64,
    ) -> Result<Found, ReadError> {
        panic!("the tag_cache was asked for {}", file.rel)
    }

    fn keep(&self, file: &RepoFile, _: &'static Language, _: Identity, _: &Kept, _: bool) {
        panic!("the tag_cache was given {}", file.rel)
    }

    fn stamps(&self, _: &[&RepoFile]) -> Option<Stamps> {
        panic!("the tag_cache was asked for the stamps of the files")
    }

    fn finished(&self, _: [u8; 32]) -> Option<FinishedMap> {
        panic!("the tag_cache was asked for a map")
    }

    fn keep_finished(&self, _: [u8; 32], _: &FinishedMap) {
        panic!("the tag_cache was given a map")
    }
}

#[test]
fn the_parity_profile_neither_reads_nor_writes_it() {
    let place = Place::with_code(4);
    let mut request = request(&place);
    request.profile = Profile::Parity;
    let with = build_with(&request, TraceDetail::None, Some(&Forbidden)).unwrap();
    assert_eq!(shown(&with), shown(&build(&request, TraceDetail::None).unwrap()));
    assert!(with.text.is_some());
}

#[test]
fn a_file_that_changes_while_a_map_is_made_is_mapped_as_it_is_then() {
    /// Rewrites every file as soon as its tags were handed out.
    #[derive(Debug)]
    struct Rewriting(TagCache, std::path::PathBuf);
    impl map::TagCache for Rewriting {
        fn find(
            &self,
            file: &RepoFile,
            language: &'static Language,
            folder: &Folder,
            most: u64,
        ) -> Result<Found, ReadError> {
            let found = self.0.find(file, language, folder, most);
            fs::write(self.1.join(&file.rel), "def another():\n    pass\n").unwrap();
            found
        }

        fn keep(&self, _: &RepoFile, _: &'static Language, _: Identity, _: &Kept, _: bool) {}
    }
    let place = Place::with_code(1);
    let settings = settings(&place);
    compare(&place, &settings, "at first");
    let rewriting = Rewriting(TagCache::open(&settings, &place.root()), place.root());
    let map = build_with(&request(&place), TraceDetail::None, Some(&rewriting)).unwrap();
    assert!(map.text.unwrap().contains("another"));
}

#[test]
fn the_size_of_the_store_is_kept() {
    let place = Place::with_code(40);
    let settings = Settings { max_store_bytes: 60_000, ..settings(&place) };
    for step in 0..20 {
        for file in 0..40 {
            let name = format!("m{file}.{}", Place::extension(file));
            place.write(&name, &Place::code(file, step * 100 + file));
        }
        compare(&place, &settings, &format!("step {step}"));
    }
    let bytes = fs::metadata(settings.folder.join("index.sqlite")).unwrap().len();
    assert!(bytes < 200_000, "{bytes}");
}
