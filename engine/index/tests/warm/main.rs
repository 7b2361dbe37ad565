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
    Found, Identity, Kept, MapRequest, RepoMap, TraceDetail, build, build_with, language::Language,
    repo::RepoFile,
};
use place::Place;

/// Counts what had to be extracted.
#[derive(Debug)]
struct Counting {
    tag_cache: TagCache,
    extracted: AtomicUsize,
}

impl map::TagCache for Counting {
    fn find(
        &self,
        file: &RepoFile,
        language: &'static Language,
        folder: &Folder,
        most: u64,
    ) -> Result<Found, ReadError> {
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
    let request = request(place);
    let cold = build(&request, TraceDetail::None).unwrap();
    let counting = Counting {
        tag_cache: TagCache::open(settings, &place.root()),
        extracted: AtomicUsize::new(0),
    };
    assert_eq!(counting.tag_cache.notice(), None, "{what}");
    let warm = build_with(&request, TraceDetail::None, Some(&counting)).unwrap();
    assert_eq!(shown(&cold), shown(&warm), "{what}");
    counting.tag_cache.save().unwrap();
    counting.extracted.into_inner()
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
