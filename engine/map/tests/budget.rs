//! The budget of the enhancement profile: never exceeded, and used to its end while anything is left.

use std::{fs, path::Path};

use base::{
    profile::Profile,
    tokens::{Counter, Tokenizer, estimate, safety_count},
};
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
    // The whole text is counted here by the tokenizer itself, not line by line as the fit counts it.
    let exact = Counter.count(&text) as f64;
    let used = match request.count {
        BudgetCount::Tokenizer => exact,
        BudgetCount::Safety => safety_count(estimate(Tokenizer::Cl100k, &text), &text).max(exact),
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
    // Each of these has a test of its own.
    let apart = [Factor::Documentation, Factor::Edits, Factor::Families, Factor::Imports];
    for factor in Factor::ALL.into_iter().filter(|factor| !apart.contains(factor)) {
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

/// A folder with a file of two documented functions in C, and one of a class in Python.
fn documented() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    let c = "/* Reads a header. Returns it. */\nstatic int\nread_header(int a)\n{\n}\n\n// Writes a body.\nint write_body(int b) { return read_header(b); }\n";
    fs::write(place.path().join("a.c"), c).unwrap();
    let python = "class Reader:\n    \"\"\"Reads bodies.\"\"\"\n\n    # Not this one.\n    def read(self):\n        \"\"\"Reads one.\n\n        More.\n        \"\"\"\n";
    fs::write(place.path().join("b.py"), python).unwrap();
    place
}

#[test]
fn documentation_comes_last_and_only_where_room_is_left() {
    let place = documented();
    let text = |budget, without: &[Factor]| {
        let mut request = request(place.path(), budget);
        request.without = without.iter().copied().collect();
        assert!(use_of(&request).0 <= 1.0, "{budget}");
        build(&request, TraceDetail::None).unwrap().text.unwrap_or_default()
    };
    let whole = "\na.c:\n read_header(int a)\n  // Reads a header.\n int write_body(int b) { return read_header(b); }\n  // Writes a body.\n\nb.py:\n class Reader:\n  # Reads bodies.\n  def read(self):\n   # Reads one.\n";
    assert_eq!(text(1024, &[]), whole);
    let plain = text(1024, &[Factor::Documentation]);
    let is_comment = |line: &&str| !line.trim_start().starts_with(['/', '#']);
    assert_eq!(
        plain.lines().collect::<Vec<_>>(),
        whole.lines().filter(is_comment).collect::<Vec<_>>()
    );
    // Whatever the budget, the entries are those without documentation.
    for budget in 1..120 {
        let (with, without) = (text(budget, &[]), text(budget, &[Factor::Documentation]));
        let entries: Vec<&str> = with.lines().filter(is_comment).collect();
        assert_eq!(entries, without.lines().collect::<Vec<_>>(), "{budget}");
    }
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
