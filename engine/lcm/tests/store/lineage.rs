//! Who sees what: the expectations are written down here by hand, from the reference.

use lcm::{
    Asker, Caller, Error, Expansion, Profile,
    store::{NewSummary, Role},
};

use crate::support::{PROFILES, at, is_hidden, put};

/// Sessions by what they are to the one called `self`, which owns the content.
const ASKERS: [&str; 7] =
    ["self", "parent", "grandparent", "child", "grandchild", "sibling", "unrelated"];
/// A session sees what is its own and its ancestors': so the owner and its descendants see this.
const SEE: [&str; 3] = ["self", "child", "grandchild"];

#[test]
fn sessions_see_what_is_their_own_and_their_ancestors() {
    for profile in PROFILES {
        let folder = tempfile::tempdir().unwrap();
        let mut lcm = at(folder.path(), profile);
        let store = lcm.store().unwrap();
        for (session, parent) in [
            ("parent", "grandparent"),
            ("self", "parent"),
            ("sibling", "parent"),
            ("child", "self"),
            ("grandchild", "child"),
        ] {
            store.make_session(session, Some(parent)).unwrap();
        }
        store.make_session("unrelated", None).unwrap();
        let message = store.append("self", Role::User, b"what is it?").unwrap();
        let new =
            NewSummary { session: "self", content: b"asked", messages: &[message], parents: &[] };
        let summary = store.summarise(&new).unwrap();
        let file = put(&mut lcm, "self", b"a large content");

        let missing = ["not-there"];
        for session in ASKERS.iter().chain(&missing) {
            for caller in [Caller::Main, Caller::SubAgent] {
                let asker = Asker { session, caller };
                let is_parity = profile == Profile::Parity;
                // In the comparator, who has no conversation sees everything.
                let in_scope = SEE.contains(session) || (is_parity && *session == "not-there");
                let may_read = in_scope && (caller == Caller::SubAgent || !is_parity);
                let place = format!("{profile:?} {session} {caller:?}");
                for id in [&file, &summary] {
                    let described = lcm.describe(id, &asker);
                    assert_eq!(described.is_ok(), in_scope, "{place} describe");
                    assert_eq!(is_hidden(&described), !in_scope, "{place} describe");
                }
                let read = lcm.read(&file, &asker);
                assert_eq!((read.is_ok(), is_hidden(&read)), (may_read, !may_read), "{place} read");
                let expanded = lcm.expand(&summary, &asker);
                assert_eq!(expanded.is_ok(), may_read, "{place} expand");
                assert_eq!(is_hidden(&expanded), !may_read, "{place} expand");
                if let Ok(expanded) = expanded {
                    let Expansion::Messages { messages, .. } = expanded else { panic!("{place}") };
                    assert_eq!(messages[0].content, b"what is it?");
                }
                match lcm.expand(&file, &asker) {
                    Ok(Expansion::NotExpanded { text, .. }) => {
                        assert!(may_read && is_parity && text.contains("describe"), "{place}");
                    }
                    Ok(Expansion::File { content, .. }) => {
                        assert!(may_read && !is_parity && content == b"a large content", "{place}");
                    }
                    Ok(Expansion::Messages { .. }) => panic!("{place}"),
                    Err(error) => {
                        assert!(!may_read && matches!(error, Error::NotVisible), "{place}");
                    }
                }
            }
        }
    }
}

#[test]
fn what_is_missing_and_what_is_hidden_are_one_message() {
    for profile in PROFILES {
        let folder = tempfile::tempdir().unwrap();
        let mut lcm = at(folder.path(), profile);
        lcm.store().unwrap().make_session("other", None).unwrap();
        let hidden = put(&mut lcm, "self", b"a large content");
        let mut said = Vec::new();
        for id in [hidden.as_str(), "file_0000000000000000", "sum_0000000000000000", "nonsense", ""]
        {
            for caller in [Caller::Main, Caller::SubAgent] {
                let asker = Asker { session: "other", caller };
                said.push(lcm.describe(id, &asker).unwrap_err().to_string());
                said.push(lcm.read(id, &asker).unwrap_err().to_string());
                said.push(lcm.expand(id, &asker).unwrap_err().to_string());
            }
        }
        said.dedup();
        assert_eq!(said.len(), 1, "{said:?}");
    }
}

#[test]
fn a_lineage_has_no_circle_and_does_not_change() {
    let folder = tempfile::tempdir().unwrap();
    let mut lcm = at(folder.path(), Profile::Parity);
    let store = lcm.store().unwrap();
    store.make_session("c", Some("b")).unwrap();
    assert_eq!(store.make_session("b", Some("a")).unwrap().lineage, ["b", "a"]);
    assert_eq!(store.make_session("c", None).unwrap().lineage, ["c", "b", "a"]);
    assert_eq!(store.make_session("c", Some("b")).unwrap().lineage, ["c", "b", "a"]);
    for (session, parent) in [("a", "c"), ("a", "a"), ("c", "a"), ("", "a"), ("x", "\n")] {
        assert!(store.make_session(session, Some(parent)).is_err(), "{session} {parent}");
    }
    assert_eq!(store.session("a").unwrap().unwrap().parent, None);
    assert_eq!(store.session("x").unwrap(), None);
}

#[test]
fn a_long_lineage_is_no_danger() {
    let folder = tempfile::tempdir().unwrap();
    let mut lcm = at(folder.path(), Profile::Enhancement);
    for generation in 0..300 {
        let (parent, child) = (generation.to_string(), (generation + 1).to_string());
        lcm.store().unwrap().make_session(&child, Some(&parent)).unwrap();
    }
    let id = put(&mut lcm, "0", b"of the first");
    assert_eq!(lcm.read(&id, &crate::support::agent("300")).unwrap(), b"of the first");
}

#[test]
fn a_summary_stands_only_for_what_its_session_sees() {
    let folder = tempfile::tempdir().unwrap();
    let mut lcm = at(folder.path(), Profile::Enhancement);
    let store = lcm.store().unwrap();
    store.make_session("child", Some("self")).unwrap();
    let seq = store.append("self", Role::User, b"first").unwrap();
    let summary =
        |session, messages, parents| NewSummary { session, content: b"short", messages, parents };
    let seqs = [seq];
    let leaf = [store.summarise(&summary("self", &seqs, &[])).unwrap()];
    let of_child = store.summarise(&summary("child", &[], &leaf)).unwrap();
    assert_eq!(store.messages_behind(&of_child).unwrap()[0].content, b"first");
    for wrong in [summary("other", &[], &leaf), summary("self", &[99], &[])] {
        assert!(matches!(store.summarise(&wrong), Err(Error::NotVisible)));
    }
    // Nothing of a summary that was refused is there.
    assert_eq!(store.session("other").unwrap(), None);
    assert_eq!(store.check().summaries.intact, 2);
}
