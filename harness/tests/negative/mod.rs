//! Negative controls: every gate has committed evidence that it must fail.
//!
//! `tests/negative/mutations.json` says how true recordings are altered, and which cells must fail
//! then. Each other file of JSON there is the output of `parity map --trace` on an authored corpus with one thing
//! altered, as its name says. The unaltered ones must pass, or the failures would prove nothing.

mod formats;
mod languages;
mod leakage;
mod models;
mod mutation;
mod noise;

use std::fs;

use harness::planning::load_sequences;
use record::{Cell, Profile, Refresh, Verdict};
use serde_json::{Value, json};
use verdict::{
    Comparator, MapDocument, Place,
    gate::{
        A4Thresholds, A5Thresholds, Coverage, GateId, Repetition, SequenceRun, SliceRun,
        TokenizerClaim, TokenizerSupport, a1, a3_enhancement, a3_parity, a3_tokenizer, a4, a5,
        exact, invariants, verdict, vertical_slice,
    },
    session_documents, session_side,
    sides::Layers,
};

use mutation::Recordings;

use crate::support::{authored, limits, protocol, root};

const BUDGET: u64 = 1024;

fn bytes(name: &str) -> Vec<u8> {
    fs::read(root().join("harness/tests/negative").join(format!("{name}.json"))).unwrap()
}

fn ours(name: &str) -> Layers {
    MapDocument::parse(&bytes(name), Profile::Parity).unwrap().layers().unwrap()
}

fn theirs(corpus: &str) -> Layers {
    let corpus = authored().into_iter().find(|found| found.name == corpus).unwrap();
    Comparator::new(corpus.recording()).layers("none", BUDGET, true).unwrap()
}

const PLACE: Place = Place { corpus: "polyglot", case: "none", budget: Some(BUDGET) };

fn value<'a>(cells: &'a [Cell], metric: &str) -> &'a Cell {
    cells.iter().find(|cell| cell.metric == metric).unwrap()
}

#[test]
fn the_unaltered_evidence_passes() {
    let (ours, theirs) = (ours("unaltered"), theirs("polyglot"));
    assert_eq!(verdict(&exact(&PLACE, &ours, &theirs, &limits())), Verdict::Pass);
    assert_eq!(verdict(&a3_parity(&PLACE, &ours, &theirs, &limits())), Verdict::Pass);
    let pairs = [(BUDGET, &ours, &theirs)];
    assert_eq!(verdict(&a1("polyglot", "none", &pairs, &limits())), Verdict::Pass);
}

#[test]
fn every_mutation_makes_its_gate_fail() {
    let mut recordings = Recordings::new();
    let mutations = mutation::all();
    for gate in [GateId::A1, GateId::A2, GateId::A3, GateId::A6, GateId::Exact] {
        let count = mutations.iter().filter(|mutation| mutation.gate == gate).count();
        assert!(count >= 2, "{gate} has {count} mutations");
    }
    for mutation in &mutations {
        mutation.check(&mut recordings);
    }
}

#[test]
fn a2_forgives_the_order_of_stage_3_and_line_ends_and_nothing_else() {
    let mut recordings = Recordings::new();
    let at = ("stages", "none", 65536);
    let mut recording = recordings.of(at.0, at.1, at.2);
    for list in ["prefit", "postfit"] {
        let list = &mut recording["document"]["attempts"][0][list];
        list.as_array_mut().unwrap()[100..].reverse();
    }
    let text = recording["document"]["text"].as_str().unwrap().replace('\n', "\r\n");
    recording["document"]["text"] = text.into();
    let cells = recordings.judge(GateId::A2, at, &recording);
    assert_eq!(verdict(&cells), Verdict::Pass, "{cells:#?}");
    // The same alteration in stage 2 is an error.
    recording["document"]["attempts"][0]["prefit"].as_array_mut().unwrap()[60..100].reverse();
    let cells = recordings.judge(GateId::A2, at, &recording);
    assert_eq!(value(&cells, "prefit_trace").verdict, Verdict::Fail);
    assert_eq!(value(&cells, "stage_membership").verdict, Verdict::Fail);
}

#[test]
fn the_selected_share_follows_the_cut_and_decides_nothing() {
    let mut recordings = Recordings::new();
    let at = ("stages", "none", 1024);
    let mut recording = recordings.of(at.0, at.1, at.2);
    let share = |cells: &[Cell]| {
        let cell = value(cells, "selected_share");
        assert_eq!((cell.threshold, cell.verdict), (None, Verdict::Pass));
        (cell.value, cell.n)
    };
    // The corpus was written so that 81 of its 60 + 40 + 30 entries are selected.
    let cells = recordings.judge(GateId::A2, at, &recording);
    assert_eq!(share(&cells), (Some(81.0 / 130.0), 130));
    let postfit = &mut recording["document"]["attempts"][0]["postfit"];
    postfit.as_array_mut().unwrap().truncate(40);
    let cells = recordings.judge(GateId::A2, at, &recording);
    assert_eq!(share(&cells), (Some(40.0 / 130.0), 130));
    assert_eq!(verdict(&cells), Verdict::Fail, "other cells see that the cut is another one");
}

#[test]
fn a_run_that_is_not_cut_everywhere_is_insufficient() {
    let limits = limits();
    let mut recordings = Recordings::new();
    let mut coverage = Coverage::default();
    let verdict_of = |coverage: &Coverage| verdict(&coverage.cells(&limits));
    assert_eq!(verdict_of(&coverage), Verdict::Insufficient);
    // Each case adds a kind of cut that the others lack; the last case makes the coverage complete.
    for case in ["none", "chat", "readme", "two-in-chat"] {
        assert_eq!(verdict_of(&coverage), Verdict::Insufficient, "before {case}");
        for &budget in protocol().budgets() {
            let document = recordings.of("stages", case, budget)["document"].to_string();
            let map = MapDocument::parse(document.as_bytes(), Profile::Parity).unwrap();
            coverage.add(&map.layers().unwrap());
        }
    }
    assert_eq!(verdict_of(&coverage), Verdict::Pass);
}

#[test]
fn a3_fails_on_a_model_that_cannot_be_counted() {
    let path = root().join(record::protocol::TOKENIZERS);
    let support: TokenizerSupport = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let judge = |model, id, version| {
        a3_tokenizer(&PLACE, &TokenizerClaim { model, id, version }, &support).verdict
    };
    let version = "tiktoken 0.12.0, litellm 1.81.10";
    assert_eq!(judge("gpt-4o", "cl100k_base", version), Verdict::Pass);
    assert_eq!(judge("gpt-4o", "o200k_base", version), Verdict::Fail);
    assert_eq!(judge("gpt-4o", "cl100k_base", "tiktoken 0.13.0"), Verdict::Fail);
    assert_eq!(judge("claude-sonnet-4-5", "anthropic_tokenizer", version), Verdict::Fail);
    assert_eq!(judge("claude-sonnet-4-5", "cl100k_base", version), Verdict::Fail);
}

/// A metric, and what makes it fail.
type Alteration = (&'static str, fn(&mut Layers));

#[test]
fn a3_counts_the_map_again_and_fails_on_a_count_that_is_not_its_texts() {
    let (honest, theirs) = (ours("unaltered"), theirs("polyglot"));
    let alter: [Alteration; 3] = [
        ("safety_count_recounted", |ours| ours.counters.as_mut().unwrap().safety -= 1.0),
        ("parity_count_recounted", |ours| ours.counters.as_mut().unwrap().parity = 1.0),
        ("parity_count_recounted", |ours| ours.last.listing.as_mut().unwrap().push_str("more\n")),
    ];
    for (metric, alter) in alter {
        let mut ours = honest.clone();
        alter(&mut ours);
        let cells = a3_parity(&PLACE, &ours, &theirs, &limits());
        assert_eq!(value(&cells, metric).verdict, Verdict::Fail);
        assert_eq!(verdict(&cells), Verdict::Fail);
    }
}

#[test]
fn exactness_fails_on_one_swapped_block() {
    let (ours, theirs) = (ours("exact-swapped-block"), theirs("polyglot"));
    let cells = exact(&PLACE, &ours, &theirs, &limits());
    assert_eq!(value(&cells, "prefit").verdict, Verdict::Fail);
    assert_eq!(value(&cells, "text").verdict, Verdict::Pass, "nothing else was altered");
    assert_eq!(verdict(&cells), Verdict::Fail);
}

#[test]
fn a3_of_the_enhancement_profile_fails_one_token_over_the_budget() {
    let limits = limits();
    let cell = |count| a3_enhancement(&PLACE, count, true, &limits).verdict;
    assert_eq!(cell(1024.0), Verdict::Pass);
    assert_eq!(cell(1025.0), Verdict::Fail);
    assert_eq!(a3_enhancement(&PLACE, 0.0, false, &limits).verdict, Verdict::Insufficient);
}

#[test]
fn the_vertical_slice_fails_on_stages_out_of_order_and_on_one_differing_repeat() {
    let limits = limits();
    let place = Place { corpus: "slice", ..PLACE };
    let theirs = theirs("slice");
    let judge = |layers: &Layers, repeats: &[String]| {
        let run = SliceRun { layers, repeats, theirs: Some(&theirs) };
        vertical_slice(&place, &run, &limits)
    };
    let good = ours("slice-unaltered");
    let same = vec![good.text.clone(); 10];
    assert_eq!(verdict(&judge(&good, &same)), Verdict::Pass);

    let disordered = judge(&ours("slice-stages-out-of-order"), &same);
    assert_eq!(value(&disordered, "stage_invariants").verdict, Verdict::Fail);

    let mut differing = same.clone();
    differing[9].push('x');
    assert_eq!(value(&judge(&good, &differing), "repeats_identical").verdict, Verdict::Fail);
    assert_eq!(
        value(&judge(&good, &same[..9]), "repeats_identical").verdict,
        Verdict::Insufficient,
    );
}

#[test]
fn the_rules_of_the_stages_fail_on_any_map_of_the_enhancement_profile_that_breaks_them() {
    let unaltered: Value = serde_json::from_slice(&bytes("slice-enhancement-unaltered")).unwrap();
    let place = Place { corpus: "slice", case: "chat", ..PLACE };
    let failing = |document: &Value| -> Vec<String> {
        let document = MapDocument::parse(document.to_string().as_bytes(), Profile::Enhancement);
        let layers = document.unwrap().layers().unwrap();
        let cells = invariants(&place, GateId::VerticalSlice, &layers, &limits());
        let failing = cells.into_iter().filter(|cell| cell.verdict == Verdict::Fail);
        failing.map(|cell| cell.metric).collect()
    };
    assert_eq!(failing(&unaltered), [""; 0]);

    let altered = |alter: &dyn Fn(&mut Value)| {
        let mut document = unaltered.clone();
        alter(&mut document);
        failing(&document)
    };
    // Six definitions, the file of the graph that defines nothing, and three others.
    let list = |document: &mut Value, name: &str, alter: &dyn Fn(&mut Vec<Value>)| {
        alter(document["attempts"][0][name].as_array_mut().unwrap());
    };
    let both = |alter: &dyn Fn(&mut Vec<Value>)| {
        altered(&|document| {
            for name in ["prefit", "postfit"] {
                list(document, name, alter);
            }
        })
    };
    assert_eq!(both(&|entries| entries.swap(6, 7)), ["stage_order"]);
    assert_eq!(both(&|entries| entries[6][0] = 3.into()), ["stage_membership"]);
    assert_eq!(both(&|entries| entries[7] = json!([2, "README.md"])), ["stage_membership"]);
    assert_eq!(both(&|entries| entries.push(json!([3, "items.txt"]))), ["stage_membership"]);
    let of_chat = json!([2, "shop/basket.py"]);
    assert_eq!(both(&|entries| entries.insert(7, of_chat.clone())), ["stage_membership"]);
    let unranked = json!([1, "shop/catalogue.py", 3, "Basket", "def"]);
    assert_eq!(both(&|entries| entries.insert(6, unranked.clone())), ["stage_membership"]);
    assert_eq!(both(&|entries| drop(entries.remove(2))), ["stage_membership"]);

    let selected =
        |alter: &dyn Fn(&mut Vec<Value>)| altered(&|document| list(document, "postfit", alter));
    assert_eq!(selected(&|entries| entries.swap(0, 1)), ["selection_order"]);
    assert_eq!(selected(&|entries| entries.push(entries[9].clone())), ["selection_order"]);
    assert_eq!(selected(&|entries| entries[0][2] = 4.into()), ["selection_order"]);

    let rewritten = |from: &str, to: &str| {
        altered(&|document| {
            let text = document["text"].as_str().unwrap();
            assert!(text.contains(from));
            document["text"] = text.replace(from, to).into();
        })
    };
    assert_eq!(rewritten("catalogue.py:", "catalogue.py"), ["rendered_names"]);
    assert_eq!(rewritten("items.txt", "items.txt:"), ["rendered_names"]);
    assert_eq!(
        rewritten("README.md\ndocs/prices.md", "docs/prices.md\nREADME.md"),
        ["rendered_names"]
    );
}

/// The cells of the sequence `files`, with our session from the recording of this name.
fn refresh(name: &str, calls: usize) -> Vec<Cell> {
    let file = root().join("harness/tests/negative").join(format!("{name}.jsonl"));
    let mut documents = session_documents(&fs::read(file).unwrap(), Profile::Parity).unwrap();
    documents.truncate(calls);
    let all = load_sequences(&root()).unwrap();
    let sequence = all.sequences.iter().find(|sequence| sequence.id == "files").unwrap();
    let run = SequenceRun {
        id: &sequence.id,
        refresh: sequence.refresh,
        calls: sequence.calls.iter().map(|call| call.id.as_str()).collect(),
        sides: Ok((
            session_side(&documents),
            Comparator::new(crate::support::sequences()).sequence("files").unwrap(),
        )),
    };
    let mut limits: A4Thresholds = limits();
    limits.modes = vec![Refresh::Files];
    a4("slice", &[run], &limits)
}

#[test]
fn a4_fails_on_one_flipped_flag_one_stale_text_and_one_missing_call() {
    let all = usize::MAX;
    assert_eq!(verdict(&refresh("a4-unaltered", all)), Verdict::Pass);

    let failed = |cells: &[Cell]| {
        let failed = cells.iter().filter(|cell| cell.verdict != Verdict::Pass);
        failed.map(|cell| (cell.metric.clone(), cell.verdict)).collect::<Vec<_>>()
    };
    let flipped = refresh("a4-cached-flag-flipped", all);
    assert_eq!(failed(&flipped), [("cached_equal".to_owned(), Verdict::Fail)]);
    assert_eq!(verdict(&flipped), Verdict::Fail);

    let stale = refresh("a4-stale-text", all);
    assert_eq!(failed(&stale), [("text_equal".to_owned(), Verdict::Fail)]);
    assert_eq!(verdict(&stale), Verdict::Fail);

    let short = refresh("a4-unaltered", 12);
    assert_eq!(failed(&short), [("text_equal".to_owned(), Verdict::NotRun)]);
    assert_eq!(verdict(&short), Verdict::NotRun);
}

#[test]
fn a4_is_insufficient_without_every_mode_and_not_run_without_a_side() {
    let limits = limits();
    assert_eq!(verdict(&a4("slice", &[], &limits)), Verdict::Insufficient);
    let sides = Err("it was not recorded".to_owned());
    let run = SequenceRun { id: "files", refresh: Refresh::Files, calls: vec!["cold"], sides };
    assert_eq!(verdict(&a4("slice", &[run], &limits)), Verdict::NotRun);
}

#[test]
fn a5_fails_on_one_differing_run_and_is_insufficient_with_nine() {
    let limits: A5Thresholds = limits();
    let place = Place { corpus: "slice", ..PLACE };
    let reference = ours("slice-unaltered");
    let judge = |profile: Profile, texts: &[&str]| {
        let runs = texts.iter().map(|text| Ok(vec![(*text).to_owned()])).collect();
        let runs = Repetition { metric: "files_mode_identical", min_runs: limits.min_runs, runs };
        verdict(&a5(&place, profile, &reference, &[runs], &limits))
    };
    let text = reference.text.as_str();
    let swapped = ours("a5-stage-1-swapped").text;
    let reordered = ours("a5-stage-3-reordered").text;
    let with = |other: &str| {
        let mut texts = vec![text.to_owned(); 10];
        other.clone_into(&mut texts[6]);
        texts
    };
    for profile in Profile::ALL {
        assert_eq!(judge(profile, &[text; 10]), Verdict::Pass);
        assert_eq!(judge(profile, &[text; 9]), Verdict::Insufficient);
        assert_eq!(judge(profile, &[]), Verdict::Insufficient);
        let altered = with(&format!("{text} "));
        let altered: Vec<&str> = altered.iter().map(String::as_str).collect();
        assert_eq!(judge(profile, &altered), Verdict::Fail);
        let blocks = with(&swapped);
        let blocks: Vec<&str> = blocks.iter().map(String::as_str).collect();
        assert_eq!(judge(profile, &blocks), Verdict::Fail);
    }
    // The only normalisation that the reference allows, and only in the parity profile.
    let names = with(&reordered);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    assert_eq!(judge(Profile::Parity, &names), Verdict::Pass);
    assert_eq!(judge(Profile::Enhancement, &names), Verdict::Fail);

    let mut empty = reference.clone();
    empty.text.clear();
    let runs = vec![Ok(vec![String::new()]); 10];
    let runs = Repetition { metric: "files_mode_identical", min_runs: 10, runs };
    assert_eq!(
        verdict(&a5(&place, Profile::Parity, &empty, &[runs], &limits)),
        Verdict::Insufficient
    );
}

#[test]
fn an_enhancement_in_a_parity_recording_is_refused() {
    let refused = MapDocument::parse(&bytes("profile-leakage"), Profile::Parity);
    assert!(refused.is_err_and(|error| error.to_string().contains("strict_budget")));
}

#[test]
fn nothing_compared_is_no_pass() {
    assert_eq!(verdict(&[]), Verdict::NotRun);
    let cells = a1("polyglot", "none", &[], &limits());
    assert_eq!(verdict(&cells), Verdict::NotRun);
}
