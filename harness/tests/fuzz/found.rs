//! Repositories like those that the search found once, in texts of our own; both sides agree on them now.

use harness::fuzz::{Both, Drawn, Outcome};
use record::Case;
use verdict::gate::ExactThresholds;

use crate::{answerer, support};

fn agree(both: &mut Both, drawn: &Drawn) {
    let outcome = both.ask(drawn).unwrap();
    assert!(matches!(outcome, Outcome::Equal { .. }), "{outcome:?}");
}

#[test]
fn both_sides_agree_on_what_was_found() {
    let thresholds = support::limits::<ExactThresholds>();
    let mut both = Both::new(env!("CARGO_BIN_EXE_parity").into(), answerer(), thresholds).unwrap();
    let plain = || vec![Case { id: "only".to_owned(), ..Case::default() }];
    // No file has a tag.
    agree(&mut both, &Drawn::of(&[("notes.txt", "pump\n")], &[], plain(), &[512]));
    // The chat holds every tracked file and an untracked one: the next attempt is made without the
    // chat, and the untracked file is ignored.
    let files = [("pump.rs", "fn prime() {}\n"), ("loose.rs", "prime();\n")];
    let chat = Case {
        id: "chat".to_owned(),
        chat_files: vec!["loose.rs".to_owned(), "pump.rs".to_owned()],
        ..Case::default()
    };
    agree(&mut both, &Drawn::of(&files, &["loose.rs"], vec![chat], &[1024]));
    // Pygments knows no lexer for the ending, but one for the start of the name.
    let fortran = "subroutine prime\n  valve=1\nend subroutine\n";
    agree(&mut both, &Drawn::of(&[("bash_profile.f95", fortran)], &[], plain(), &[512]));
    // A text whose last line end is not a newline.
    for end in ["\u{1c}", "\u{c}", "\u{2028}"] {
        let valve = format!("int valve(void) {{}}\n       {end}");
        agree(&mut both, &Drawn::of(&[("valve.cpp", &valve)], &[], plain(), &[64]));
    }
}
