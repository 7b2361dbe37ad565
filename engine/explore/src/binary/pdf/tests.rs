#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use base::profile::Profile;

use crate::{Exploration, Input, Project, explore};

fn look(name: &str, bytes: &[u8]) -> Exploration {
    explore(&Input::memory(name, bytes), &Project::default(), Profile::Enhancement)
}

/// A PDF of given objects with a table that is right or wrong.
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
        assert_eq!(found.fields["page_count"], 2);
        assert_eq!(
            (&found.fields["title"], &found.fields["author"]),
            (&"A (b) A".into(), &"é".into())
        );
        assert_eq!(found.fields["page_size"], serde_json::json!([612.0, 792.0]));
        assert_eq!((found.malformed.is_none(), &found.fields["version"]), (right, &"1.4".into()));
    }
}

#[test]
fn encryption_loops_and_depth_are_bounded() {
    let found = look("a.pdf", &pdf(&OBJECTS, "/Info 5 0 R /Encrypt << /Filter /Standard >>", true));
    assert_eq!(
        (&found.fields["encrypted"], &found.fields["title"]),
        (&true.into(), &serde_json::Value::Null)
    );
    assert_eq!(found.fields["page_count"], 2);
    let looped =
        ["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 9 >>"];
    let found = look("a.pdf", &pdf(&looped, "", true));
    assert!(found.success && found.malformed.is_some());
    let deep = "[".repeat(100_000);
    assert!(look("a.pdf", &pdf(&[&deep], "", true)).malformed.is_some());
    assert!(look("a.pdf", b"%PDF-1.4\n").malformed.is_some());
}

#[test]
fn a_title_in_utf16_without_its_mark_is_read() {
    let mut objects = OBJECTS;
    objects[4] = "<< /Title <00480065> /Author <4865> >>";
    let found = look("a.pdf", &pdf(&objects, "/Info 5 0 R", true));
    assert_eq!((&found.fields["title"], &found.fields["author"]), (&"He".into(), &"He".into()));
}
