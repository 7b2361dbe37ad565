//! The connections of an answer as text.

use super::place::Place;

const CHAIN: &str = "def entry():
    middle()
    helper()


def middle():
    last()
    helper()


def last():
    middle()


def helper():
    return 1
";

fn graph(answer: &semantic::Answer) -> Vec<&str> {
    section(answer, "Graph:")
}

/// The lines of a part of the connections.
fn section<'a>(answer: &'a semantic::Answer, head: &str) -> Vec<&'a str> {
    let lines = answer.shown.connections.lines().skip_while(|line| *line != head).skip(1);
    lines.take_while(|line| !line.is_empty()).collect()
}

#[test]
fn one_symbol_is_told_without_a_graph() {
    let answer = Place::of(&[("chain.py", CHAIN)]).answer("middle", Some(1), 8000);
    let expected = "
middle — chain.py:6
    function | refs: 2 in 1 file
    Signature: def middle()
    Calls: last (chain.py), helper (chain.py)
    Called by: entry (chain.py), last (chain.py)

# chain.py

def middle():
    last()
    helper()
";
    let text = answer.shown.text();
    let (first, rest) = text.split_once('\n').unwrap();
    assert_eq!(rest, expected);
    let tokens = answer.shown.text().chars().count().div_ceil(4);
    assert_eq!(first, format!("Search: \"middle\" | 1 result | {tokens}/8,000 tokens"));
    assert_eq!(answer.tokens, tokens);
}

#[test]
fn calls_are_followed_and_end_at_cycles_and_at_the_depth() {
    let place = Place::of(&[("chain.py", CHAIN)]);
    let all = place.answer("entry", None, 8000);
    let expected = [
        "  entry (chain.py)",
        "    → middle (chain.py)",
        "      → last (chain.py)",
        "        → middle (chain.py) [cycle]",
        "      → helper (chain.py)",
        "    → helper (chain.py)",
    ];
    assert_eq!(graph(&all), expected);
    let two = place.answer("entry", Some(2), 8000);
    let expected = [
        "  entry (chain.py)",
        "    → middle (chain.py)",
        "      → last (chain.py) [depth limit]",
        "      → helper (chain.py)",
        "    → helper (chain.py)",
    ];
    assert_eq!(graph(&two), expected);
}

#[test]
fn results_and_what_they_share_are_marked() {
    let place = Place::of(&[("chain.py", CHAIN)]);
    let answer = place.answer_about(&["entry", "middle", "last"], Some(1), 8000);
    let expected = [
        "  [1] entry (chain.py)",
        "    → middle (chain.py) ★ [depth limit]",
        "    → helper (chain.py) ◆",
        "  [2] middle (chain.py)",
        "    → last (chain.py) ★ [depth limit]",
        "    → helper (chain.py) ◆",
        "  [3] last (chain.py)",
        "    → middle (chain.py) ★ [depth limit]",
    ];
    assert_eq!(graph(&answer), expected);
    let expected = [
        "  Hub: [2] middle — called by [1], [3]",
        "  Shared dep: helper (chain.py) — used by [1], [2]",
        "  Cycle: [2] and [3] call each other",
    ];
    assert_eq!(section(&answer, "Patterns:"), expected);
    assert!(answer.shown.text().contains("3 results across 1 file |"));
}

#[test]
fn a_use_under_another_name_counts() {
    let main = "from chain import helper as aid\n\n\ndef use():\n    aid()\n";
    let place = Place::of(&[("chain.py", CHAIN), ("main.py", main)]);
    let answer = place.answer("helper", Some(1), 8000);
    let details = &answer.results[0].details;
    // Two calls, an import, and a call under another name.
    assert_eq!((details.references, details.reference_files), (4, 2));
    assert!(
        answer
            .shown
            .text()
            .contains("Called by: entry (chain.py), middle (chain.py), use (main.py)")
    );
}

#[test]
fn a_very_long_tree_is_cut() {
    // Every function calls all that come behind it.
    let mut text = String::new();
    for number in 0..14 {
        text.push_str(&format!("def f{number}():\n    pass\n"));
        (number + 1..14).for_each(|other| text.push_str(&format!("    f{other}()\n")));
    }
    let answer = Place::of(&[("many.py", &text)]).answer("f0", None, 1_000_000);
    assert!(answer.results[0].calls_cut && answer.results[0].calls.len() == 1_000);
    assert!(answer.shown.text().contains("[cut]"));
}
