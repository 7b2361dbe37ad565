//! The comparison and the counts, without a comparator.

use std::path::PathBuf;

use super::{
    AuditedFile,
    compare::{Answer, Aspect, Outcome, TagRow, compare},
    exceptions::Exceptions,
    snapshot,
    tally::{Tally, Verdict, share},
};

fn tag(row: i64, name: &str, kind: &str) -> TagRow {
    TagRow(row, name.to_owned(), kind.to_owned())
}

fn answer(tags: &[TagRow], lexer: Option<&str>, names: &[&str]) -> Answer {
    Answer {
        path: "a.c".to_owned(),
        language: Some("c".to_owned()),
        tags: Some(tags.to_vec()),
        lexer: lexer.map(str::to_owned),
        names: lexer.map(|_| names.iter().map(|name| (*name).to_owned()).collect()),
        error: None,
    }
}

fn defines() -> Vec<TagRow> {
    vec![tag(0, "f", "def"), tag(4, "g", "def"), tag(4, "g", "def")]
}

fn full() -> Answer {
    answer(&defines(), Some("c"), &["f", "x", "x"])
}

fn aspects(outcome: &Outcome) -> Vec<Aspect> {
    outcome.differences.iter().map(|difference| difference.aspect).collect()
}

#[test]
fn equal_answers_have_no_difference() {
    let outcome = compare(&full(), &full());
    assert!(outcome.same_tags && outcome.same_order && outcome.same_names && outcome.fired);
    assert_eq!((outcome.tags, aspects(&outcome)), (3, vec![]));
}

#[test]
fn a_missing_a_moved_and_a_renamed_tag_are_found_where_they_are() {
    let short = answer(&defines()[..1], Some("c"), &["f", "x", "x"]);
    let difference = compare(&short, &full()).differences.remove(0);
    assert_eq!((difference.row, difference.ours.as_str()), (Some(4), "no further tag"));
    assert_eq!(difference.theirs, "def g (row 4)");

    let mut moved = full();
    moved.tags = Some(vec![tag(1, "f", "def"), tag(4, "g", "def"), tag(4, "g", "def")]);
    assert!(!compare(&moved, &full()).same_tags);
    let mut renamed = full();
    renamed.tags = Some(vec![tag(0, "h", "def"), tag(4, "g", "def"), tag(4, "g", "def")]);
    assert!(!compare(&renamed, &full()).same_tags);
}

#[test]
fn a_tag_once_too_few_is_a_difference() {
    let once = answer(&defines()[..2], Some("c"), &["f", "x", "x"]);
    let outcome = compare(&once, &full());
    assert!(!outcome.same_tags && !outcome.same_order);
}

#[test]
fn another_order_is_told_from_other_tags() {
    let mut tags = defines();
    tags.rotate_left(1);
    let outcome = compare(&answer(&tags, Some("c"), &["f", "x", "x"]), &full());
    assert!(outcome.same_tags && !outcome.same_order);
    assert_eq!(aspects(&outcome), [Aspect::Tags]);
}

#[test]
fn a_dropped_name_is_a_difference_and_another_order_of_names_is_none() {
    let dropped = answer(&defines(), Some("c"), &["f", "x"]);
    let outcome = compare(&dropped, &full());
    assert_eq!(aspects(&outcome), [Aspect::Backfill]);
    let difference = &outcome.differences[0];
    assert_eq!(difference.ours, "c: \"x\" 1 times");
    assert_eq!(difference.theirs, "c: \"x\" 2 times");
    let reordered = answer(&defines(), Some("c"), &["x", "f", "x"]);
    assert!(compare(&reordered, &full()).same_names);
}

#[test]
fn another_lexer_is_a_difference_even_with_equal_names() {
    let other = answer(&defines(), Some("cpp"), &["f", "x", "x"]);
    assert_eq!(aspects(&compare(&other, &full())), [Aspect::Backfill]);
    let none = answer(&defines(), None, &[]);
    assert_eq!(aspects(&compare(&none, &full())), [Aspect::Backfill]);
}

#[test]
fn names_that_no_map_sees_have_an_aspect_of_their_own() {
    let tags = [tag(0, "f", "def"), tag(1, "f", "ref")];
    let (ours, theirs) = (answer(&tags, Some("c"), &["f"]), answer(&tags, Some("c"), &["f", "f"]));
    let outcome = compare(&ours, &theirs);
    assert!(!outcome.fired && outcome.lexed);
    assert_eq!(aspects(&outcome), [Aspect::Names]);
}

#[test]
fn a_failure_of_one_side_is_a_difference() {
    let failed = |error: &str| Answer {
        error: Some(error.to_owned()),
        tags: None,
        names: None,
        lexer: None,
        ..full()
    };
    let outcome = compare(&failed("refused"), &full());
    assert!(!outcome.same_tags);
    assert_eq!(outcome.differences[0].ours, "refused");
    // Even without tags on either side, an error on one of them is a difference.
    let empty = answer(&[], None, &[]);
    assert!(!compare(&empty, &failed("died")).same_order);
}

#[test]
fn a_file_of_no_language_counts_nowhere() {
    let other = Answer { language: Some("json".to_owned()), ..Answer::default() };
    assert_eq!(compare(&Answer::default(), &other).language, None);
    // A query on only one side is a difference.
    let outcome = compare(&Answer::default(), &full());
    assert_eq!(outcome.language.as_deref(), Some("c"));
    assert!(!outcome.same_order);
}

fn file(number: usize, real: bool) -> AuditedFile {
    let path = format!("src/{number}.c");
    AuditedFile { corpus: "one".to_owned(), full: PathBuf::from(&path), path, real, size: 1 }
}

fn tally_of(count: usize, real: usize, ours: &Answer, exceptions: &Exceptions) -> Tally {
    let mut tally = Tally::of(["c", "d"]);
    for number in 0..count {
        tally.add(&file(number, number < real), compare(ours, &full()), exceptions);
    }
    tally
}

#[test]
fn verdicts_follow_the_counts() {
    let none = Exceptions::default();
    let verdict = |tally: &Tally| tally.0["c"].verdict();
    assert_eq!(verdict(&tally_of(10, 10, &full(), &none)), Verdict::Pass);
    assert_eq!(verdict(&tally_of(30, 9, &full(), &none)), Verdict::Thin);
    assert_eq!(verdict(&tally_of(0, 0, &full(), &none)), Verdict::Insufficient);
    let dropped = answer(&defines(), Some("c"), &["f", "x"]);
    assert_eq!(verdict(&tally_of(10, 10, &dropped, &none)), Verdict::Fail);
    let once = answer(&defines()[..2], Some("c"), &["f", "x", "x"]);
    assert_eq!(verdict(&tally_of(1, 0, &once, &none)), Verdict::Fail);
}

/// The fields that every row of a deviation has, except its name.
const ROW: &str =
    "[[deviation]]\nwhat = \"a\"\nwhy = \"b\"\nevidence = \"c\"\nexpires = { protocol = 99 }\n";

#[test]
fn only_a_declared_row_excuses_a_difference_and_it_stays_in_the_count() {
    let dropped = answer(&defines(), Some("c"), &["f", "x"]);
    let rows = |aspect: &str, files: &str| {
        let text = format!(
            "{ROW}id = \"row\"\n[deviation.audit]\nlanguage = \"c\"\naspect = \"{aspect}\"\nfiles = '{files}'\n"
        );
        Exceptions::parse(&text).unwrap()
    };
    let declared = tally_of(10, 10, &dropped, &rows("backfill", r"one/src/\d\.c"));
    assert_eq!(declared.0["c"].verdict(), Verdict::Pass);
    assert_eq!((declared.0["c"].declared, declared.0["c"].backfill_equal_files), (10, 0));
    for (aspect, files) in [("tags", r"one/.*"), ("backfill", "src"), ("backfill", "two/.*")] {
        let tally = tally_of(10, 10, &dropped, &rows(aspect, files));
        assert_eq!(tally.0["c"].verdict(), Verdict::Fail, "{aspect} {files}");
    }
    let unclosed = format!(
        "{ROW}id = \"x\"\n[deviation.audit]\nlanguage = \"c\"\naspect = \"tags\"\nfiles = '('\n"
    );
    assert!(Exceptions::parse(&unclosed).unwrap_err().contains("deviation x"));
}

#[test]
fn a_share_is_full_only_if_nothing_is_missing() {
    assert_eq!(share(0, 0), "-");
    assert_eq!(share(99_999, 100_000), "0.9999");
    assert_eq!(share(3, 3), "1.0000");
}

#[test]
fn the_snapshot_names_the_commit_first_and_no_file() {
    let dropped = answer(&defines(), Some("c"), &["f", "x"]);
    let text =
        snapshot::render("7afa", "smoke", 1, &tally_of(2, 2, &dropped, &Exceptions::default()));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "commit: 7afa");
    assert_eq!(
        lines[2],
        "c: 2 files (2 real), 6 tags, equal 1.0000; backfill 2 files, equal 0.0000; lexer 2 files, equal 0.0000; declared 0; fail"
    );
    assert!(lines[3].starts_with("d: 0 files") && lines[3].ends_with("insufficient"));
    assert!(!text.contains("src/"));
}
