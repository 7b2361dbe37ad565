//! What a store does in a folder and on a server of S3, where everything works.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod support;

use std::{fs, sync::Barrier, time::Duration};

use record::Digest;
use store::{Collection, Error, Kind, LEAST_GRACE, Outcome};

use support::{ONE, OTHER, Place, key, make_old};

/// A time after which nothing is young.
const LONG: u64 = 3 * 60 * 60;

#[test]
fn what_is_put_comes_back_and_is_listed() {
    for place in Place::both() {
        let (store, file) = (place.open(), place.scratch.path().join("file"));
        assert_eq!(store.list(None).unwrap(), []);
        for (kind, name, bytes) in
            [(Kind::Engine, "b", ONE), (Kind::Answer, "a", OTHER), (Kind::Answer, "A.1", &[][..])]
        {
            fs::write(&file, bytes).unwrap();
            let put = store.put(kind, &key(name), &file).unwrap();
            assert_eq!(put.outcome, Outcome::Stored);
            assert_eq!(put.entry.sha256, Digest::of(bytes));
            assert_eq!(store.put(kind, &key(name), &file).unwrap().outcome, Outcome::Present);
            assert_eq!(place.accepted(kind, &key(name)).unwrap().unwrap(), bytes);
        }
        assert_eq!(place.accepted(Kind::Corpus, &key("a")).unwrap(), None);
        let listed = |kind| {
            let entries = store.list(kind).unwrap();
            entries.iter().map(|it| format!("{}/{}", it.kind, it.key)).collect::<Vec<_>>()
        };
        assert_eq!(listed(None), ["answer/A.1", "answer/a", "engine/b"]);
        assert_eq!(listed(Some(Kind::Engine)), ["engine/b"]);
        let verified = store.verify(|_, _| ()).unwrap();
        assert_eq!((verified.names, verified.objects, verified.unnamed), (3, 3, 0));
        assert_eq!(verified.problems, []);
    }
}

#[test]
fn a_key_never_stands_for_other_bytes() {
    for place in Place::both() {
        let (store, name) = (place.open(), key("k"));
        store.put_bytes(Kind::Answer, &name, ONE.to_vec()).unwrap();
        let refused = store.put_bytes(Kind::Answer, &name, OTHER.to_vec()).unwrap_err();
        let said = refused.to_string();
        assert!(matches!(refused, Error::Taken { .. }), "{said}");
        for bytes in [ONE, OTHER] {
            assert!(said.contains(Digest::of(bytes).as_str()), "{said}");
        }
        assert_eq!(place.accepted(Kind::Answer, &name).unwrap().unwrap(), ONE);
    }
}

#[test]
fn of_two_writers_with_different_bytes_one_wins_and_the_other_hears_of_it() {
    for place in Place::both() {
        for round in 0..12 {
            let (name, barrier) = (key(&format!("round-{round}")), Barrier::new(2));
            let write = |bytes: &'static [u8]| {
                let store = place.open();
                barrier.wait();
                store.put_bytes(Kind::Answer, &name, bytes.to_vec())
            };
            let outcomes = std::thread::scope(|scope| {
                let writers = [ONE, OTHER].map(|bytes| scope.spawn(move || write(bytes)));
                writers.map(|writer| writer.join().unwrap())
            });
            let won = outcomes.iter().position(Result::is_ok).expect("one of them wins");
            let refused = outcomes[1 - won].as_ref().expect_err("the other does not");
            assert!(matches!(refused, Error::Taken { .. }), "{refused}");
            let accepted = place.accepted(Kind::Answer, &name).unwrap().unwrap();
            assert_eq!(accepted, [ONE, OTHER][won]);
        }
    }
}

#[test]
fn of_two_writers_with_the_same_bytes_both_succeed() {
    for place in Place::both() {
        for round in 0..6 {
            let (name, barrier) = (key(&format!("round-{round}")), Barrier::new(2));
            std::thread::scope(|scope| {
                for _ in 0..2 {
                    scope.spawn(|| {
                        let store = place.open();
                        barrier.wait();
                        store.put_bytes(Kind::Answer, &name, ONE.to_vec()).unwrap();
                    });
                }
            });
            assert_eq!(place.accepted(Kind::Answer, &name).unwrap().unwrap(), ONE);
        }
    }
}

#[test]
fn damage_is_never_accepted_and_verify_names_it() {
    type Damage = fn(&Place, &store::Entry, &store::Entry);
    let damages: [(&str, Damage); 8] = [
        ("a changed byte", |place, it, _| {
            let mut bytes = ONE.to_vec();
            bytes[1000] ^= 1;
            fs::write(place.object(it), bytes).unwrap();
        }),
        ("fewer bytes", |place, it, _| fs::write(place.object(it), &ONE[1..]).unwrap()),
        ("more bytes", |place, it, _| {
            fs::write(place.object(it), [ONE, b"1"].concat()).unwrap();
        }),
        ("another object", |place, it, other| {
            fs::copy(place.object(other), place.object(it)).unwrap();
        }),
        ("no object", |place, it, _| fs::remove_file(place.object(it)).unwrap()),
        ("a changed name", |place, it, _| {
            let path = place.name(it.kind, &it.key);
            let text = fs::read_to_string(&path).unwrap();
            fs::write(path, text.replacen("300000", "300001", 1)).unwrap();
        }),
        ("half a name", |place, it, _| {
            let path = place.name(it.kind, &it.key);
            let bytes = fs::read(&path).unwrap();
            fs::write(path, &bytes[..bytes.len() / 2]).unwrap();
        }),
        ("another name", |place, it, other| {
            let path = place.name(it.kind, &it.key);
            fs::copy(place.name(other.kind, &other.key), path).unwrap();
        }),
    ];
    for place in Place::both() {
        for (number, (what, damage)) in damages.iter().enumerate() {
            let (store, name) = (place.open(), key(&format!("damage-{number}")));
            let put = |name: &store::Key, bytes: &[u8]| {
                store.put_bytes(Kind::Corpus, name, bytes.to_vec()).unwrap().entry
            };
            let (it, other) = (put(&name, ONE), put(&key("other"), OTHER));
            damage(&place, &it, &other);
            let refused = place.accepted(Kind::Corpus, &name).expect_err(what);
            assert!(matches!(refused, Error::Damaged { .. }), "{what}: {refused}");
            let problems = store.verify(|_, _| ()).unwrap().problems;
            assert!(!problems.is_empty(), "{what}");
            // The other one is as it was.
            assert_eq!(place.accepted(Kind::Corpus, &key("other")).unwrap().unwrap(), OTHER);
            // What is damaged is given up and put again.
            let names = vec![(Kind::Corpus, name.clone())];
            let collection = Collection { grace: LEAST_GRACE, names, only_list: false };
            store.collect(&collection).unwrap();
            put(&name, ONE);
            assert_eq!(place.accepted(Kind::Corpus, &name).unwrap().unwrap(), ONE, "{what}");
            assert_eq!(store.verify(|_, _| ()).unwrap().problems, [], "{what}");
        }
    }
}

#[test]
fn what_is_not_of_the_store_is_a_problem() {
    for place in Place::both() {
        place.open().put_bytes(Kind::Engine, &key("k"), ONE.to_vec()).unwrap();
        fs::write(place.files.join("objects/engine/readme"), "x").unwrap();
        let problems = place.open().verify(|_, _| ()).unwrap().problems;
        assert_eq!(problems.len(), 1);
        assert!(problems[0].path.ends_with("objects/engine/readme"), "{problems:?}");
    }
}

#[test]
fn only_what_has_no_name_and_is_old_is_collected() {
    for place in Place::both() {
        let store = place.open();
        let put = |name: &str| {
            let bytes = [ONE, name.as_bytes()].concat();
            store.put_bytes(Kind::Engine, &key(name), bytes).unwrap().entry
        };
        let [named, old, young, given_up] = ["named", "old", "young", "given-up"].map(put);
        for it in [&old, &young] {
            fs::remove_file(place.name(it.kind, &it.key)).unwrap();
        }
        for it in [&named, &old, &given_up] {
            make_old(&place.object(it), LONG);
        }
        make_old(&place.object(&young), LEAST_GRACE.as_secs() - 60);
        let mut collection = Collection {
            grace: Duration::ZERO,
            names: vec![(Kind::Engine, key("given-up")), (Kind::Engine, key("never-there"))],
            only_list: true,
        };
        let there = |it| place.object(it).exists();
        let listed = store.collect(&collection).unwrap();
        assert!([&named, &old, &young, &given_up].into_iter().all(there), "a list removes nothing");
        collection.only_list = false;
        let removed = store.collect(&collection).unwrap();
        assert_eq!(listed, removed);
        assert_eq!((removed.names.len(), removed.objects.len(), removed.young), (1, 2, 1));
        assert!(there(&named) && there(&young) && !there(&old) && !there(&given_up));
        assert_eq!(store.verify(|_, _| ()).unwrap().problems, []);
        let kept = place.accepted(Kind::Engine, &key("named")).unwrap();
        assert_eq!(kept.map(Digest::of), Some(named.sha256));
        assert_eq!(place.accepted(Kind::Engine, &key("given-up")).unwrap(), None);
    }
}

#[test]
fn putting_an_old_object_without_a_name_again_saves_it() {
    for place in Place::both() {
        let (store, name) = (place.open(), key("k"));
        let it = store.put_bytes(Kind::Engine, &name, ONE.to_vec()).unwrap().entry;
        fs::remove_file(place.name(it.kind, &it.key)).unwrap();
        make_old(&place.object(&it), LONG);
        store.put_bytes(Kind::Engine, &name, ONE.to_vec()).unwrap();
        fs::remove_file(place.name(it.kind, &it.key)).unwrap();
        let all = Collection { grace: Duration::ZERO, names: Vec::new(), only_list: false };
        assert_eq!(store.collect(&all).unwrap().young, 1, "it is as young as a new one");
    }
}

#[test]
fn nothing_is_collected_while_a_name_is_damaged() {
    for place in Place::both() {
        let store = place.open();
        let it = store.put_bytes(Kind::Engine, &key("k"), ONE.to_vec()).unwrap().entry;
        make_old(&place.object(&it), LONG);
        fs::write(place.name(it.kind, &it.key), "x").unwrap();
        let all = Collection { grace: Duration::ZERO, names: Vec::new(), only_list: false };
        let refused = store.collect(&all).unwrap_err();
        assert!(matches!(refused, Error::Damaged { .. }), "{refused}");
        assert!(place.object(&it).exists());
    }
}
