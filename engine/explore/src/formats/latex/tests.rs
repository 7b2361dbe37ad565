#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use crate::{Exploration, Input, Profile, Project, explore};

fn look(name: &str, bytes: &[u8]) -> Exploration {
    explore(&Input::memory(name, bytes), &Project::default(), Profile::Enhancement)
}

#[test]
fn commands_outside_of_comments_and_verbatim_text_count() {
    let text = "\\documentclass[12pt,a4paper]{article}\n\\usepackage{amsmath,weird}\n\\title{On {nested} things}\n\
                \\newcommand{\\x}[2]{#1}\n\\begin{document}\n\\section*{One} % \\section{not}\n\\label{sec:one}\n\
                \\begin{verbatim}\n\\section{no} {\n\\end{verbatim}\n\\verb|\\label{no}|\n\\subsection[s]{Two}\n\
                \\ref{sec:one} and \\cite[p.~3]{a, b}\n\\bibliography{refs}\n\\end{document}\n";
    for text in [text.to_owned(), text.replace('\n', "\r\n")] {
        let found = look("a.tex", text.as_bytes());
        let fields = &found.json();
        assert_eq!(fields["document_class"]["options"], serde_json::json!(["12pt", "a4paper"]));
        assert_eq!(fields["document_info"]["title"], "On {nested} things");
        assert_eq!(
            fields["sections"],
            serde_json::json!([
                {"kind": "section", "title": "One", "starred": true, "line": 6},
                {"kind": "subsection", "title": "Two", "starred": false, "line": 12},
            ])
        );
        assert_eq!(fields["environments"], serde_json::json!(["document", "verbatim"]));
        assert_eq!(fields["labels"][0]["name"], "sec:one");
        assert_eq!((&fields["label_count"], &fields["citation_count"]), (&1.into(), &2.into()));
        assert_eq!(fields["reference_count"], 1);
        assert_eq!(fields["bibliography"]["type"], "bibtex");
        assert_eq!(fields["custom_commands"][0]["arg_count"], 2);
        assert_eq!(fields["packages"][1]["is_common"], false);
        assert_eq!(found.malformed, None);
    }
}

#[test]
fn comments_are_no_part_of_a_title() {
    let text = "\\title{On % a note\n  things: 5\\% of all}\n\\section{One%\n  Two % three\n}\n";
    let found = look("a.tex", text.as_bytes());
    assert_eq!(found.json()["document_info"]["title"], "On things: 5\\% of all");
    assert_eq!(found.json()["sections"][0]["title"], "OneTwo");
}

#[test]
fn what_is_not_closed_is_malformed_and_read_all_the_same() {
    let found = look("a.tex", b"\\section{A}\n\\begin{quote}\n\\begin{itemize}\n\\end{quote}\n");
    assert_eq!(found.malformed.as_ref().unwrap().line, Some(4));
    assert_eq!(found.json()["section_count"], 1);
    assert!(look("a.tex", "{".repeat(100_000).as_bytes()).malformed.is_some());
    assert!(look("a.tex", "\\section{".repeat(100_000).as_bytes()).success);
    assert!(look("a.tex", "\\begin{a}".repeat(50_000).as_bytes()).malformed.is_some());
}

#[test]
fn entries_of_a_bibliography_are_read() {
    let text = "@comment{x}\n@Article{key1, title = {A {B} c}, year = 2001}\n@string{s = \"t\"}\n@book(key2, title=\"T, U\")\n@misc{open,\n";
    let found = look("a.bib", text.as_bytes());
    let entries = found.json()["bibliography_entries"].clone();
    assert_eq!((&entries[0]["key"], &entries[0]["title"]), (&"key1".into(), &"A {B} c".into()));
    assert_eq!((&entries[1]["type"], &entries[1]["title"]), (&"book".into(), &"T, U".into()));
    assert_eq!((entries.as_array().unwrap().len(), found.malformed.unwrap().line), (2, Some(5)));
}
