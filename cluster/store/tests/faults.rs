//! What a store accepts from a server of S3 that fails, is slow, cuts, changes or loses what it sends: never anything
//! wrong.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod support;

use std::{fs, sync::Arc, time::Duration};

use hyper::Method;
use store::{Error, Kind, Outcome};

use support::{ONE, OTHER, PATIENCE, Place, key, server::Fault};

/// More often than anything is tried.
const ALWAYS: usize = 10_000;

/// How a read ends.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Ends {
    /// With the bytes that were put.
    Right,
    /// With the error that they are damaged.
    Damaged,
    /// With the error that the service fails.
    Fails,
}

/// A row: what is wrong, how often, on which paths, and how a read ends then.
type Row = (&'static str, Fault, usize, &'static str, Ends);

fn rows() -> Vec<Row> {
    let (objects, names) = ("/objects/", "/names/");
    let slow = Duration::from_millis(40);
    let too_slow = PATIENCE.quiet * 2;
    let entry = |kind, bytes| store::Entry::of(kind, &key("k"), bytes).written();
    vec![
        ("two 500", Fault::Refuse(500), 2, objects, Ends::Right),
        ("two 503", Fault::Refuse(503), 2, names, Ends::Right),
        ("500 for ever", Fault::Refuse(500), ALWAYS, objects, Ends::Fails),
        ("500 for ever", Fault::Refuse(500), ALWAYS, names, Ends::Fails),
        ("403", Fault::Refuse(403), ALWAYS, objects, Ends::Fails),
        ("a slow body", Fault::Slow(slow), ALWAYS, objects, Ends::Right),
        ("a slow name", Fault::Slow(slow), ALWAYS, names, Ends::Right),
        ("one body that stops", Fault::Slow(too_slow), 1, objects, Ends::Right),
        ("bodies that stop", Fault::Slow(too_slow), ALWAYS, objects, Ends::Fails),
        ("one answer that never comes", Fault::Silent, 1, objects, Ends::Right),
        ("answers that never come", Fault::Silent, ALWAYS, names, Ends::Fails),
        ("a body that is cut off", Fault::Cut, 1, objects, Ends::Right),
        ("bodies that are cut off", Fault::Cut, ALWAYS, objects, Ends::Fails),
        ("names that are cut off", Fault::Cut, ALWAYS, names, Ends::Fails),
        ("half a body as if it were all", Fault::Short, 1, objects, Ends::Right),
        ("half bodies as if they were all", Fault::Short, ALWAYS, objects, Ends::Damaged),
        ("half a name as if it were all", Fault::Short, 1, names, Ends::Right),
        ("half names as if they were all", Fault::Short, ALWAYS, names, Ends::Damaged),
        ("a changed bit", Fault::Flip, 1, objects, Ends::Right),
        ("changed bits", Fault::Flip, ALWAYS, objects, Ends::Damaged),
        ("a changed bit in the name", Fault::Flip, 1, names, Ends::Right),
        ("changed bits in names", Fault::Flip, ALWAYS, names, Ends::Damaged),
        ("another body once", Fault::Send(OTHER.to_vec()), 1, objects, Ends::Right),
        ("another body", Fault::Send(OTHER.to_vec()), ALWAYS, objects, Ends::Damaged),
        ("a longer body", Fault::Send([ONE, b"1"].concat()), ALWAYS, objects, Ends::Damaged),
        ("no bytes", Fault::Send(b"x".to_vec()), ALWAYS, objects, Ends::Damaged),
        ("another name", Fault::Send(entry(Kind::Engine, ONE)), ALWAYS, names, Ends::Damaged),
        // An older state of the store, or a lie: the bytes are not there.
        ("a name of others", Fault::Send(entry(Kind::Answer, OTHER)), ALWAYS, names, Ends::Damaged),
    ]
}

#[test]
fn a_read_gives_the_right_bytes_or_an_error() {
    for (what, fault, times, part, ends) in rows() {
        let place = Place::service();
        place.open().put_bytes(Kind::Answer, &key("k"), ONE.to_vec()).unwrap();
        place.server().fail(&Method::GET, part, times, fault);
        // `accepted` also shows that no file is left where an error is returned.
        let accepted = place.accepted(Kind::Answer, &key("k"));
        let wrongly = place.server().behave();
        assert!(wrongly >= times.min(1), "{what}: the server did nothing wrong");
        let found = match &accepted {
            Ok(bytes) => {
                assert_eq!(bytes.as_deref(), Some(ONE), "{what}");
                Ends::Right
            }
            Err(Error::Damaged { .. }) => Ends::Damaged,
            Err(Error::Service { .. }) => Ends::Fails,
            Err(error) => panic!("{what}: {error}"),
        };
        assert_eq!(found, ends, "{what} at {part}: {accepted:?}");
        // The server behaves again, and the store is as it was.
        assert_eq!(
            place.accepted(Kind::Answer, &key("k")).unwrap().as_deref(),
            Some(ONE),
            "{what}"
        );
    }
}

/// A row: what is wrong with writes, how often, on which paths, and whether the write succeeds.
type WriteRow = (&'static str, Fault, usize, &'static str, bool);

#[test]
fn a_write_is_done_or_refused_and_nothing_is_half_published() {
    let rows: [WriteRow; 14] = [
        ("two 500", Fault::Refuse(500), 2, "/objects/", true),
        ("two 500", Fault::Refuse(500), 2, "/names/", true),
        ("500 for ever", Fault::Refuse(500), ALWAYS, "/objects/", false),
        ("500 for ever", Fault::Refuse(500), ALWAYS, "/names/", false),
        ("403", Fault::Refuse(403), ALWAYS, "/names/", false),
        ("done, but answered with 500", Fault::DoAndRefuse(500), 1, "/objects/", true),
        ("done, but answered with 500", Fault::DoAndRefuse(500), 1, "/names/", true),
        ("done, but always answered with 500", Fault::DoAndRefuse(500), ALWAYS, "/names/", true),
        ("done, and the answer is lost", Fault::DoAndClose, 1, "/objects/", true),
        ("done, and the answer is lost", Fault::DoAndClose, 1, "/names/", true),
        ("done, and every answer is lost", Fault::DoAndClose, ALWAYS, "/names/", true),
        ("not done, and nothing is heard", Fault::Silent, 1, "/names/", true),
        ("not done, and nothing is heard", Fault::Silent, 1, "/objects/", true),
        ("never done, and nothing is heard", Fault::Silent, ALWAYS, "/names/", false),
    ];
    for (what, fault, times, part, succeeds) in rows {
        let place = Place::service();
        let store = place.open();
        place.server().fail(&Method::PUT, part, times, fault);
        let outcome = store.put_bytes(Kind::Answer, &key("k"), ONE.to_vec());
        let wrongly = place.server().behave();
        assert!(wrongly >= times.min(2), "{what}: the server did {wrongly} wrong");
        assert_eq!(outcome.is_ok(), succeeds, "{what} at {part}: {outcome:?}");
        let accepted = place.accepted(Kind::Answer, &key("k")).unwrap();
        assert_eq!(accepted.as_deref(), succeeds.then_some(ONE), "{what} at {part}");
        if let Err(error) = outcome {
            assert!(matches!(error, Error::Service { .. }), "{what}: {error}");
            assert!(!place.has_names(), "{what}");
        }
        // Whoever tries again, with the server as it should be, succeeds.
        store.put_bytes(Kind::Answer, &key("k"), ONE.to_vec()).unwrap();
        assert_eq!(place.accepted(Kind::Answer, &key("k")).unwrap().as_deref(), Some(ONE));
        assert_eq!(store.list(None).unwrap().len(), 1, "{what}: nothing is there twice");
        assert_eq!(store.verify(|_, _| ()).unwrap().problems, [], "{what}");
    }
}

#[test]
fn a_lost_conditional_write_that_another_writer_won_is_an_error() {
    let place = Place::service();
    let (name, store) = (key("k"), place.open());
    // What the winner writes meanwhile, as files: its object and its name.
    let winner = store::Entry::of(Kind::Answer, &name, OTHER);
    let (object, path) = (place.object(&winner), place.name(Kind::Answer, &name));
    let wins = move || {
        for (file, bytes) in [(&object, OTHER), (&path, &winner.written())] {
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, bytes).unwrap();
        }
    };
    place.server().fail(&Method::PUT, "/names/", 1, Fault::Instead(Arc::new(wins)));
    let refused = store.put_bytes(Kind::Answer, &name, ONE.to_vec()).unwrap_err();
    assert_eq!(place.server().behave(), 1);
    assert!(matches!(refused, Error::Taken { .. }), "{refused}");
    for bytes in [ONE, OTHER] {
        let digest = record::Digest::of(bytes);
        assert!(refused.to_string().contains(digest.as_str()), "{refused}");
    }
    assert_eq!(place.accepted(Kind::Answer, &name).unwrap().as_deref(), Some(OTHER));
}

#[test]
fn a_lost_conditional_write_that_was_done_is_no_error_and_keeps_later_writers_out() {
    let place = Place::service();
    let (name, store) = (key("k"), place.open());
    place.server().fail(&Method::PUT, "/names/", 1, Fault::DoAndClose);
    let put = store.put_bytes(Kind::Answer, &name, ONE.to_vec()).unwrap();
    assert_eq!((put.outcome, place.server().behave()), (Outcome::Stored, 1));
    let refused = place.open().put_bytes(Kind::Answer, &name, OTHER.to_vec()).unwrap_err();
    assert!(matches!(refused, Error::Taken { .. }), "{refused}");
    assert_eq!(place.accepted(Kind::Answer, &name).unwrap().as_deref(), Some(ONE));
}

#[test]
fn a_server_that_is_not_there_is_an_error() {
    let mut place = Place::service();
    for (name, value) in &mut place.settings {
        if name == "AWS_ENDPOINT" {
            // The port of a socket that nobody listens on any more.
            let socket = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
            *value = format!("http://{}", socket.local_addr().unwrap());
        }
    }
    let refused = place.open().put_bytes(Kind::Answer, &key("k"), ONE.to_vec()).unwrap_err();
    assert!(matches!(refused, Error::Service { .. }), "{refused}");
    let refused = place.accepted(Kind::Answer, &key("k")).unwrap_err();
    assert!(matches!(refused, Error::Service { .. }), "{refused}");
}

#[test]
fn a_wrong_password_is_an_error() {
    let mut place = Place::service();
    for (name, value) in &mut place.settings {
        if name == "AWS_SECRET_ACCESS_KEY" {
            value.push('x');
        }
    }
    let refused = place.open().put_bytes(Kind::Answer, &key("k"), ONE.to_vec()).unwrap_err();
    assert!(matches!(refused, Error::Service { .. }), "{refused}");
    assert!(!place.has_names());
}
