//! The paths of the parity profile do what the contracts say that Volt does.

use std::{fs, path::Path};

use lcm::{
    Asker, Caller, Error, Expansion, InProcess, Lcm, Profile, Put, Reason, Settings, Source,
    Stored, store::StorageKind,
};
use serde::Deserialize;

use crate::support::{Blind, TOOL_OUTPUT, put};

#[derive(Deserialize)]
struct Contracts {
    large_tool_output_token_threshold: u64,
    preview_characters: usize,
    truncated_characters: usize,
    ingestion: Vec<Ingestion>,
    retrieval: Vec<Retrieval>,
}

#[derive(Deserialize)]
struct Ingestion {
    path: String,
    above: Option<Above>,
    storage: String,
    explores: bool,
    persists_exploration: bool,
    makes_session: bool,
    unstored: String,
    failed_explorer: Option<String>,
}

#[derive(Deserialize)]
struct Above {
    unit: String,
    limit: usize,
}

#[derive(Deserialize)]
struct Retrieval {
    path: String,
    sub_agents_only: bool,
    without_session: String,
    gives_files: bool,
}

fn contracts() -> Contracts {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../protocols/runtime/volt_contracts.toml");
    toml::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

/// A text of exactly so many units. ` a` is one token of the tokenizer.
fn text(unit: &str, count: usize) -> String {
    match unit {
        "tokens" => " a".repeat(count),
        "bytes" => "x".repeat(count),
        "characters" => "é".repeat(count),
        _ => panic!("{unit}"),
    }
}

fn above(contract: &Ingestion) -> String {
    contract.above.as_ref().map_or_else(String::new, |above| text(&above.unit, above.limit + 1))
}

/// Puts a file in that has this content, into a store in a folder.
fn put_file(folder: &Path, path: &str, content: &str, blind: bool) -> (Stored, Option<Error>) {
    let file = folder.join("content.txt");
    fs::write(&file, content).unwrap();
    let mut lcm = lcm(&folder.join("store"), blind);
    let source = Source::File(&file);
    lcm.put(&Put { session: "s", path, tool: None, name: None, source }).unwrap()
}

fn lcm(place: &Path, blind: bool) -> Lcm {
    let settings = Settings::default();
    if blind {
        Lcm::at(place, Profile::Parity, settings, Box::new(Blind)).unwrap()
    } else {
        Lcm::at(place, Profile::Parity, settings, Box::new(InProcess)).unwrap()
    }
}

fn with_session() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    lcm(&folder.path().join("store"), false).store().unwrap().make_session("s", None).unwrap();
    folder
}

#[test]
fn content_goes_in_as_the_contracts_say() {
    let contracts = contracts();
    assert_eq!(contracts.ingestion.len(), 6);
    for contract in &contracts.ingestion {
        let path = contract.path.as_str();
        if let Some(Above { unit, limit }) = &contract.above {
            let (stored, _) = put_file(with_session().path(), path, &text(unit, *limit), false);
            assert_eq!(stored.reason, Some(Reason::BelowThreshold), "{path}");
        }
        let (stored, error) = put_file(with_session().path(), path, &above(contract), false);
        assert!(stored.stored && error.is_none(), "{path}");
        let kind =
            if contract.storage == "path" { StorageKind::Path } else { StorageKind::InlineText };
        assert_eq!(stored.storage_kind, Some(kind), "{path}");
        assert_eq!(stored.explorer_used.is_some(), contract.explores, "{path}");
        assert_eq!(stored.exploration_persisted, contract.persists_exploration, "{path}");
    }
}

#[test]
fn what_fails_fails_as_the_contracts_say() {
    let contracts = contracts();
    for contract in &contracts.ingestion {
        let path = contract.path.as_str();
        let content = above(contract);
        // No session.
        let folder = tempfile::tempdir().unwrap();
        let (stored, error) = put_file(folder.path(), path, &content, false);
        assert_eq!(
            (stored.stored, error.is_none()),
            (contract.makes_session, contract.makes_session)
        );
        // No exploration.
        let folder = with_session();
        let (stored, error) = put_file(folder.path(), path, &content, true);
        assert!(stored.stored && error.is_none(), "{path}");
        let asker = Asker { session: "s", caller: Caller::Main };
        let described =
            lcm(&folder.path().join("store"), true).describe(&stored.id.unwrap(), &asker);
        assert_eq!(described.unwrap().explorer_used, contract.failed_explorer, "{path}");
        // No store.
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("store")).unwrap();
        let content = content + &"x".repeat(contracts.truncated_characters);
        let (stored, error) = put_file(folder.path(), path, &content, false);
        assert!(!stored.stored && error.is_some(), "{path}");
        let whole = contract.unstored == "whole";
        let kept = if whole { content.len() } else { contracts.truncated_characters };
        assert_eq!(stored.text.as_bytes()[..kept], content.as_bytes()[..kept], "{path}");
        assert_eq!(stored.text.len() == content.len(), whole, "{path}");
    }
}

#[test]
fn content_comes_out_as_the_contracts_say() {
    let contracts = contracts();
    let folder = with_session();
    let mut lcm = lcm(&folder.path().join("store"), false);
    let content = text("tokens", contracts.large_tool_output_token_threshold as usize + 1);
    let id = put(&mut lcm, "s", content.as_bytes());
    assert_eq!(contracts.retrieval.len(), 3);
    for contract in &contracts.retrieval {
        for (session, caller) in
            [("s", Caller::Main), ("s", Caller::SubAgent), ("not-there", Caller::SubAgent)]
        {
            let asker = Asker { session, caller };
            let mut gives = false;
            let visible = match contract.path.as_str() {
                "lcm.describe.readback" => lcm.describe(&id, &asker).map(|_| gives = true).is_ok(),
                "lcm.read.readback" => lcm.read(&id, &asker).map(|_| gives = true).is_ok(),
                "lcm.expand.readback" => lcm
                    .expand(&id, &asker)
                    .map(|found| gives = matches!(found, Expansion::File { .. }))
                    .is_ok(),
                path => panic!("{path}"),
            };
            let allowed = (caller == Caller::SubAgent || !contract.sub_agents_only)
                && (session == "s" || contract.without_session == "everything");
            assert_eq!(visible, allowed, "{} {session} {caller:?}", contract.path);
            assert_eq!(gives, allowed && contract.gives_files, "{}", contract.path);
        }
    }
}

#[test]
fn the_preview_has_so_many_characters() {
    let contracts = contracts();
    let folder = with_session();
    let mut lcm = lcm(&folder.path().join("store"), false);
    let content: String = ('a'..='z').cycle().take(400_000).collect();
    let source = Source::Bytes(content.as_bytes());
    let put = Put { session: "s", path: TOOL_OUTPUT, tool: None, name: None, source };
    let (stored, _) = lcm.put(&put).unwrap();
    let (shown, more) = content.split_at(contracts.preview_characters);
    assert!(
        stored.text.contains(shown) && !stored.text.contains(&format!("{shown}{}", &more[..1]))
    );
}
