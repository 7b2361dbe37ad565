//! A store that cannot be used costs time and no answer.

use std::{fs, thread};

use index::{
    Settings,
    nav::{Navigator, Query},
};

use crate::place::Place;

fn count(place: &Place, settings: Settings) -> (usize, Option<String>) {
    let mut navigator = Navigator::open(&place.root(), settings).unwrap();
    let found = navigator.definition(&Query::symbol("f")).unwrap();
    (found.total_count, navigator.notice().map(str::to_owned))
}

fn place() -> Place {
    Place::of(&[("a.py", "def f():\n    pass\n"), ("b.py", "def f():\n    pass\n\nf()\n")])
}

#[test]
fn a_damaged_store_is_made_anew_and_the_answer_is_the_same() {
    let place = place();
    assert_eq!(count(&place, place.settings()), (2, None));
    let file = place.settings().folder.join("index.sqlite");
    let bytes = fs::read(&file).unwrap();
    fs::write(&file, &bytes[..bytes.len() / 3]).unwrap();
    for log in ["-wal", "-shm"] {
        drop(fs::remove_file(file.with_file_name(format!("index.sqlite{log}"))));
    }
    let (found, notice) = count(&place, place.settings());
    assert_eq!(found, 2);
    assert!(notice.unwrap().contains("made anew"));
    assert_eq!(count(&place, place.settings()), (2, None));
}

#[test]
fn a_folder_that_cannot_be_used_is_done_without() {
    let place = place();
    let file = place.root().join("file");
    fs::write(&file, "").unwrap();
    let (found, notice) = count(&place, Settings::in_folder(file.join("store")));
    assert_eq!(found, 2);
    assert!(notice.unwrap().contains("is not used"));
}

#[test]
fn eight_programs_ask_at_once() {
    let place = place();
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| assert_eq!(count(&place, place.settings()), (2, None)));
        }
    });
}

#[test]
fn a_file_that_may_not_be_parsed_is_named_as_pending() {
    let place = place();
    let mut settings = place.settings();
    settings.avoided.insert(base::watch::file_id("a.py"), "parser crashed (signal 11)".to_owned());
    let mut navigator = Navigator::open(&place.root(), settings).unwrap();
    let found = navigator.definition(&Query::symbol("f")).unwrap();
    assert_eq!((found.total_count, found.index.pending), (1, 1));
    let error = navigator.definition(&Query::at("a.py", 1, 5)).unwrap_err();
    assert_eq!(error.code(), "TS_PARSE_TIMEOUT");
}

#[test]
fn a_file_that_is_too_large_is_left_out() {
    let place = place();
    let settings = Settings { max_file_size: 20, ..place.settings() };
    let mut navigator = Navigator::open(&place.root(), settings).unwrap();
    let found = navigator.definition(&Query::symbol("f")).unwrap();
    assert_eq!((found.total_count, found.index.pending), (1, 1));
    let error = navigator.definition(&Query::at("b.py", 1, 5)).unwrap_err();
    assert_eq!(error.code(), "TS_FILE_TOO_LARGE");
}
