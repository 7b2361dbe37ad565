#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use crate::{Exploration, Input, Profile, Project, explore};

fn look(name: &str, bytes: &[u8]) -> Exploration {
    explore(&Input::memory(name, bytes), &Project::default(), Profile::Enhancement)
}

/// A PDF with these objects; `right` says whether its table is correct.
fn pdf(objects: &[&str], trailer: &str, right: bool) -> Vec<u8> {
    let mut bytes = b"%PDF-1.4\n".to_vec();
    let mut offsets = Vec::new();
    for (index, object) in objects.iter().enumerate() {
        offsets.push(bytes.len());
        bytes.extend(format!("{} 0 obj\n{object}\nendobj\n", index + 1).as_bytes());
    }
    let start = if right { bytes.len() } else { 7_777_777 };
    bytes.extend(format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).as_bytes());
    for offset in offsets {
        bytes.extend(format!("{offset:010} 00000 n \n").as_bytes());
    }
    bytes.extend(
        format!("trailer\n<< /Size 9 /Root 1 0 R {trailer} >>\nstartxref\n{start}\n%%EOF\n")
            .as_bytes(),
    );
    bytes
}

const OBJECTS: [&str; 5] = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 /MediaBox [0 0 612 792] >>",
    "<< /Type /Page /Parent 2 0 R >>",
    "<< /Type /Page /Parent 2 0 R >>",
    "<< /Title (A \\(b\\) \\101) /Author <FEFF00E9> >>",
];

#[test]
fn pages_and_titles_are_read_with_and_without_a_table() {
    for right in [true, false] {
        let found = look("a.pdf", &pdf(&OBJECTS, "/Info 5 0 R", right));
        assert_eq!(found.json()["page_count"], 2);
        assert_eq!(
            (&found.json()["title"], &found.json()["author"]),
            (&"A (b) A".into(), &"é".into())
        );
        assert_eq!(found.json()["page_size"], serde_json::json!([612.0, 792.0]));
        assert_eq!((found.malformed.is_none(), &found.json()["version"]), (right, &"1.4".into()));
    }
}

#[test]
fn encryption_loops_and_depth_are_bounded() {
    let found = look("a.pdf", &pdf(&OBJECTS, "/Info 5 0 R /Encrypt << /Filter /Standard >>", true));
    assert_eq!(
        (&found.json()["encrypted"], &found.json()["title"]),
        (&true.into(), &serde_json::Value::Null)
    );
    assert_eq!(found.json()["page_count"], 2);
    let looped =
        ["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 9 >>"];
    let found = look("a.pdf", &pdf(&looped, "", true));
    assert!(found.success && found.malformed.is_some());
    let deep = "[".repeat(100_000);
    assert!(look("a.pdf", &pdf(&[&deep], "", true)).malformed.is_some());
    assert!(look("a.pdf", b"%PDF-1.4\n").malformed.is_some());
}

#[test]
fn a_page_that_stands_twice_in_the_tree_counts_twice() {
    let mut objects = OBJECTS;
    objects[1] = "<< /Type /Pages /Kids [3 0 R 4 0 R 3 0 R] /Count 3 >>";
    let found = look("a.pdf", &pdf(&objects, "", true));
    assert_eq!((found.malformed.clone(), &found.json()["page_count"]), (None, &3.into()));
}

#[test]
fn a_title_in_its_own_encoding_is_read() {
    let mut objects = OBJECTS;
    objects[4] = "<< /Title <8D4180F98E> /Author <A01F93> >>";
    let found = look("a.pdf", &pdf(&objects, "/Info 5 0 R", true));
    let texts = (&found.json()["title"], &found.json()["author"]);
    assert_eq!(
        texts,
        (&"\u{201c}A\u{2022}\u{f9}\u{201d}".into(), &"\u{20ac}\u{2dc}\u{fb01}".into())
    );
}

#[test]
fn a_title_in_utf16_without_its_mark_is_read() {
    let mut objects = OBJECTS;
    objects[4] = "<< /Title <00480065> /Author <4865> >>";
    let found = look("a.pdf", &pdf(&objects, "/Info 5 0 R", true));
    assert_eq!((&found.json()["title"], &found.json()["author"]), (&"He".into(), &"He".into()));
}

#[test]
fn a_table_of_contents_that_is_not_visited_to_its_end_says_so() {
    let mark = |next: &str| format!("<< /Title (a) {next} >>");
    let marks = [mark("/Next 4 0 R"), mark("/Next 5 0 R"), mark("")];
    let objects = ["<< /Outlines 2 0 R >>", "<< /First 3 0 R >>", &marks[0], &marks[1], &marks[2]];
    let bytes = pdf(&objects, "", true);
    for (visited, count, at_least) in [(2, 2, true), (3, 3, false), (9, 3, false)] {
        let mut file = super::File::open(&bytes);
        let root = file.trailer.get("Root").cloned().unwrap();
        let root = file.resolve(&root);
        let mut document = super::Document::default();
        super::bookmarks(&mut file, &root, &mut document, visited);
        let found = (document.bookmark_count, document.bookmarks_at_least);
        assert_eq!(found, (count, at_least), "{visited}");
    }
}
