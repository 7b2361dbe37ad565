//! The size of a map for a model, compared with the comparator: default budget and multiplied target. Gate A3 compares
//! the same names in every run, but for models whose map is refused it sees no target; this test does.

use std::{fs, path::Path};

use base::tokens::Model;
use map::{MapRequest, TraceDetail, build};
use serde_json::{Value, json};
use verdict::{Protocol, gate::ModelList};

use crate::{answerer, deviations::commit, support::root};

/// The sizes that a model's name decides.
#[derive(Debug, PartialEq)]
struct Size {
    /// Target in tokens with a file in the chat and no budget given: the default budget.
    default: f64,
    /// Target in tokens without a chat, which the multiplier applies to.
    multiplied: f64,
}

#[test]
#[ignore = "needs the installed comparator for half a minute; docs/decisions/0026-models.md"]
fn budgets_are_the_comparators_for_names_of_every_form() {
    let folder = tempfile::tempdir().unwrap();
    let repo = folder.path().join("repository");
    fs::create_dir(&repo).unwrap();
    commit(&repo);
    let mut answerer = answerer();
    let mut wrong = Vec::new();
    let models = ModelList::open(&Protocol::open(&root()).unwrap()).unwrap().models;
    for name in &models {
        let request = json!({
            "repo": repo,
            "model": name,
            "cases": [
                {"id": "chat", "map_tokens": null, "chat_files": ["pump.py"]},
                {"id": "plain", "map_tokens": null},
            ],
        });
        let answer: Value = serde_json::from_slice(&answerer.ask(&request).unwrap()).unwrap();
        let theirs = theirs(&answer);
        let found = ours(&repo, &Model::named(name));
        if found != theirs {
            wrong.push(format!("{name}: ours {found:?}, theirs {theirs:?}"));
        }
        // A wrong window is noticed for every name.
        let mut altered = Model::named(name);
        altered.max_input_tokens = Some(9_000);
        assert_ne!(ours(&repo, &altered), theirs, "{name}");
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn theirs(answer: &Value) -> Size {
    let target = |case: usize| {
        let target = &answer["cases"][case]["attempts"][0]["target_tokens"];
        target.as_f64().unwrap_or_else(|| panic!("no target: {answer}"))
    };
    Size { default: target(0), multiplied: target(1) }
}

fn ours(repo: &Path, model: &Model) -> Size {
    let target = |chat: &[&str]| {
        let mut request = MapRequest::new(repo);
        request.chat = chat.iter().map(|file| (*file).to_owned()).collect();
        // A map for another tokenizer is refused, but its target is the same.
        request.model = Model { name: "gpt-4o".to_owned(), ..model.clone() };
        build(&request, TraceDetail::None).unwrap().attempts[0].target_tokens.unwrap()
    };
    Size { default: target(&["pump.py"]), multiplied: target(&[]) }
}
