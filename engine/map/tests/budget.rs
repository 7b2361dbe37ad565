//! The budget of the enhancement profile: never exceeded, and used to its end while anything is left.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{fs, path::Path};

use base::{profile::Profile, tokens::Counter};
use map::{BudgetCount, Factor, MapRequest, MentionSource, TraceDetail, build};

const BUDGETS: [u32; 3] = [1024, 2048, 4096];

/// A map of a folder of this checkout.
fn request(folder: &Path, budget: u32) -> MapRequest {
    let mut request = MapRequest::new(folder);
    request.scope.subtree_only = true;
    request.profile = Profile::Enhancement;
    request.map_tokens = Some(f64::from(budget));
    request
}

/// The share of the budget that a map uses, and whether anything is left that it does not show.
fn use_of(request: &MapRequest) -> (f64, bool) {
    let map = build(request, TraceDetail::Ranking).unwrap();
    let text = map.text.unwrap_or_default();
    let attempt = map.attempts.last().unwrap();
    let target = attempt.target_tokens.unwrap();
    assert_eq!(Some(target), request.map_tokens, "what is reported is what was asked for");
    assert_eq!(attempt.listing.as_deref().unwrap_or_default(), text);
    let used = match request.count {
        // Counted here by the tokenizer itself, not by what the fit counts with.
        BudgetCount::Tokenizer => Counter.count(&text) as f64,
        BudgetCount::Safety => request.count.of(&text),
    };
    let (shown, all) = (&attempt.postfit, &attempt.ranking.as_ref().unwrap().prefit);
    (used / target, shown.as_ref().unwrap().len() < all.len())
}

/// Every state of the chat: without one, with a message, with a file in it.
fn states(request: &MapRequest, file: &str) -> [MapRequest; 3] {
    let (mut asked, mut chatted) = (request.clone(), request.clone());
    asked.mentions = MentionSource::Message("fix the rendering of headers in outlines".to_owned());
    chatted.chat = vec![file.to_owned()];
    [request.clone(), asked, chatted]
}

#[test]
fn no_map_of_an_authored_corpus_exceeds_its_budget() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpora/authored");
    let folders = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path());
    let mut seen = 0;
    for folder in folders.filter(|path| path.is_dir()) {
        for budget in [64, 1024] {
            for count in [BudgetCount::Safety, BudgetCount::Tokenizer] {
                let request = MapRequest { count, ..request(&folder, budget) };
                let (share, _) = use_of(&request);
                assert!(share <= 1.0, "{}: {share} of {budget}", folder.display());
                seen += 1;
            }
        }
    }
    assert!(seen > 8, "only {seen} maps");
}

#[test]
fn the_budget_is_used_to_its_end_while_anything_is_left() {
    let engine = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut shares = Vec::new();
    for budget in &BUDGETS {
        for count in [BudgetCount::Safety, BudgetCount::Tokenizer] {
            let plain = MapRequest { count, ..request(&engine, *budget) };
            for state in states(&plain, "engine/map/src/fit.rs") {
                let (share, is_left) = use_of(&state);
                assert!(share <= 1.0, "{share} of {budget}");
                assert!(share >= 0.97 || !is_left, "{share} of {budget}, and something is left");
                shares.push(share);
            }
        }
    }
    assert_eq!(shares.len(), 18);
}

#[test]
fn every_factor_can_be_turned_off_and_the_budget_holds_without_it() {
    let engine = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let text = |request: &MapRequest| build(request, TraceDetail::None).unwrap().text.unwrap();
    let asked: Vec<_> = BUDGETS
        .iter()
        .flat_map(|budget| states(&request(&engine, *budget), "engine/map/src/fit.rs"))
        .map(|request| (text(&request), request))
        .collect();
    for factor in Factor::ALL {
        let mut differs = false;
        for (whole, request) in &asked {
            let mut without = request.clone();
            without.without.insert(factor);
            assert!(use_of(&without).0 <= 1.0, "without {factor}");
            differs |= text(&without) != *whole;
            if differs {
                break;
            }
        }
        assert!(differs, "{factor} changes nothing");
        assert_eq!(factor.as_str().parse::<Factor>().unwrap(), factor);
    }
    assert!("luck".parse::<Factor>().is_err());
}

#[test]
fn what_the_message_asks_for_is_shown_first() {
    let engine = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut request = request(&engine, 256);
    let shown = |request: &MapRequest| build(request, TraceDetail::None).unwrap().text.unwrap();
    let file = "engine/map/src/pagerank.rs:";
    request.mentions = MentionSource::Message("the pagerank does not converge".to_owned());
    assert!(shown(&request).contains(file), "{}", shown(&request));
}
