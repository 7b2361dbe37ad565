//! The rows of the project's fault list that are about content, one test a row and fault: each
//! file costs bounded time and memory, has a summary, and what is wrong with it is said. The
//! shorter tests of formats go deeper; these are here so that no row is without one.

#![allow(clippy::disallowed_methods, reason = "a test reads its own files")]

use std::{fmt::Write as _, fs::File, io::Write as _, path::Path};

use base::profile::Profile;
use explore::{Exploration, Input, Project, explore};
use flate2::{Compression, write::GzEncoder};

use crate::support::{
    bounded::{DEEP, bounded},
    json::fact,
    zip::zip,
};

fn look(name: &str, bytes: Vec<u8>) -> Exploration {
    let file = name.to_owned();
    bounded(name, move || {
        explore(&Input::memory(&file, &bytes), &Project::default(), Profile::Enhancement)
    })
}

fn look_at(path: &Path) -> Exploration {
    let path = path.to_owned();
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    bounded(&name.clone(), move || {
        explore(&Input::open(&name, &path).unwrap(), &Project::default(), Profile::Enhancement)
    })
}

fn number(found: &Exploration, field: &str) -> u64 {
    fact(found, field)
        .and_then(|of| of.as_u64())
        .unwrap_or_else(|| panic!("{}: no {field}", found.file))
}

/// Pieces behind one another, packed.
fn gzip<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    for piece in pieces {
        encoder.write_all(piece).unwrap();
    }
    encoder.finish().unwrap()
}

/// 300 MiB of zeros, more than is ever unpacked.
fn zeros<'a>() -> impl Iterator<Item = &'a [u8]> {
    std::iter::repeat_n(&[0; 16_384][..], 300 * 64)
}

/// One entry of a tape, without content, that claims a size.
fn header(name: &str, size: u64) -> [u8; 512] {
    let mut header = tar::Header::new_ustar();
    header.set_path(name).unwrap();
    header.set_size(size);
    header.set_cksum();
    *header.as_bytes()
}

// Row 21: bombs, nested archives, sizes that lie, a million entries, an archive inside of itself.

#[test]
fn row_21_gzip_bomb_is_unpacked_up_to_a_cap() {
    let found = look("bomb.gz", gzip(zeros()));
    assert_eq!(number(&found, "total_uncompressed_size"), 256 << 20);
    assert_eq!(fact(&found, "entries_complete").unwrap(), false);
}

#[test]
fn row_21_tar_bomb_under_gzip_is_read_up_to_a_cap() {
    let header = header("zeros", 300 << 20);
    let found = look("bomb.tar.gz", gzip([&header[..]].into_iter().chain(zeros())));
    assert_eq!(fact(&found, "entries").unwrap()[0]["path"], "zeros");
    assert_eq!(fact(&found, "entries_complete").unwrap(), false);
}

#[test]
fn row_21_zip_bomb_is_listed_and_warned_of_without_unpacking() {
    let names = vec!["bomb".to_owned(); 1_000];
    let found =
        look("bomb.zip", zip(names.iter().map(|name| (name.as_str(), u32::MAX - 1)), 1_000));
    assert_eq!(number(&found, "total_uncompressed_size"), 1_000 * u64::from(u32::MAX - 1));
    assert!(found.summary.contains("more than 200 times its size"), "{}", found.summary);
}

#[test]
fn row_21_sizes_and_counts_that_lie_are_told() {
    let found = look("a.zip", zip([("a", 5)], 9_000));
    assert!(found.malformed.is_some());
    assert_eq!(fact(&found, "entries").unwrap().as_array().unwrap().len(), 1);
    let lie = [&header("a", 1 << 40)[..], b"abc"].concat();
    assert!(look("a.tar", lie).malformed.is_some());
}

#[test]
fn row_21_a_million_entries_are_listed_up_to_a_cap() {
    let names: Vec<String> = (0..1_000_000).map(|index| format!("{index:x}")).collect();
    let zip = zip(names.iter().map(|name| (name.as_str(), 0)), u16::MAX);
    let header = header("a", 0);
    let tar = gzip(std::iter::repeat_n(&header[..], 400_000));
    for (name, bytes) in [("a.zip", zip), ("a.tar.gz", tar)] {
        let found = look(name, bytes);
        let listed = fact(&found, "entries").unwrap().as_array().unwrap().len();
        assert!(
            listed <= 100_000 && fact(&found, "entries_complete").unwrap() == false,
            "{name}: {listed}"
        );
    }
}

#[test]
fn row_21_archives_inside_of_archives_are_files() {
    let nested = (0..50).fold(b"zeros".to_vec(), |inner, _| gzip([&inner[..]]));
    let found = look("a.gz", nested);
    assert_eq!(fact(&found, "entries").unwrap()[0]["path"], "a");
    // An archive that holds itself looks like one that holds another of its name.
    let found = look("a.zip", zip([("a.zip", 440)], 1));
    assert_eq!((number(&found, "entry_count"), found.malformed), (1, None));
}

// Row 22: huge files, one line of a huge file, minified code.

#[test]
fn row_22_sparse_files_of_ten_gibibytes_are_sampled() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.py", "a.json", "a.log", "a.csv", "a.zip", "a.bin", "a.txt"] {
        let path = folder.path().join(name);
        File::create(&path).unwrap().set_len(10 << 30).unwrap();
        look_at(&path);
    }
}

#[test]
fn row_22_a_line_of_sixty_megabytes_is_bounded() {
    let folder = tempfile::tempdir().unwrap();
    for (name, start) in [("a.log", "2024-01-02 03:04:05 ERROR "), ("a.csv", "a,"), ("a.txt", "")] {
        let path = folder.path().join(name);
        std::fs::write(&path, format!("{start}{}\n", "0123456789 ".repeat(6 << 20))).unwrap();
        look_at(&path);
    }
}

#[test]
fn row_22_minified_code_is_bounded() {
    let code = "function a(){return b(1,2)}var c={d:[1,2,3],e:function(){}};".repeat(20_000);
    let found = look("a.min.js", code.into_bytes());
    assert!(found.symbols.len() >= 20_000, "{}", found.symbols.len());
}

// Row 23: nesting of a hundred thousand levels.

#[test]
fn row_23_deep_nesting_costs_no_stack() {
    for (name, start, open, close) in [
        ("a.rs", "const A: u8 = ", "(", ")"),
        ("a.py", "a = ", "[", "]"),
        ("a.js", "", "{", "}"),
        ("a.c", "int f(void) ", "{", "}"),
        ("a.json", "", "[", "]"),
        ("a.yaml", "", "[", "]"),
        ("a.yaml", "", "- ", ""),
        ("a.xml", "", "<a>", "</a>"),
        ("a.toml", "a = ", "[", "]"),
        ("a.md", "", "> ", ""),
        ("a.html", "", "<div>", "</div>"),
        ("a.tex", "", "\\begin{a}", "\\end{a}"),
        ("a.txt", "", "(", ")"),
    ] {
        let text = format!("{start}{}{}", open.repeat(DEEP), close.repeat(DEEP));
        look(name, text.into_bytes());
    }
}

// Row 24: content that attacks its reader.

#[test]
fn row_24_yaml_alias_bomb_is_not_expanded() {
    let mut text = String::from("a0: &a0 [x, x]\n");
    for level in 1..100 {
        let below = level - 1;
        writeln!(text, "a{level}: &a{level} [*a{below}, *a{below}]").unwrap();
    }
    let found = look("a.yaml", text.into_bytes());
    assert_eq!((number(&found, "alias_count"), number(&found, "total_keys")), (198, 100));
}

#[test]
fn row_24_xml_entity_bomb_and_external_entity_are_not_followed() {
    let mut text = String::from("<!DOCTYPE r [<!ENTITY e0 \"<a/>\">\n");
    for level in 1..100 {
        let below = level - 1;
        writeln!(text, "<!ENTITY e{level} \"&e{below};&e{below};\">").unwrap();
    }
    text.push_str("]>\n<r>&e99;</r>");
    look("a.xml", text.into_bytes());
    let secret = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(secret.path(), "<stolen/>").unwrap();
    let address = secret.path().display();
    let text = format!("<!DOCTYPE r [<!ENTITY e SYSTEM \"file://{address}\">]>\n<r>&e;</r>");
    let found = look("a.xml", text.into_bytes());
    assert!(!serde_json::to_string(&found).unwrap().contains("stolen"));
    assert_eq!(number(&found, "total_elements"), 1);
}

#[test]
fn row_24_csv_quotes_that_never_close_are_told() {
    let text = format!("a,b\n1,\"{}", "x\n".repeat(1_000_000));
    assert!(look("a.csv", text.into_bytes()).malformed.is_some());
    look("a.csv", "\"".repeat(1_000_001).into_bytes());
}

#[test]
fn row_24_sqlite_with_an_evil_schema_runs_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sqlite");
    let connection = rusqlite::Connection::open(&path).unwrap();
    let mark = folder.path().join("mark");
    connection
        .execute_batch(&format!(
            "CREATE TABLE t (a); INSERT INTO t VALUES (1);
             CREATE VIEW v AS SELECT load_extension('{0}') FROM t;
             CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT load_extension('{0}'); END;
             CREATE VIEW w AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)
                 SELECT count(*) FROM n;",
            mark.display()
        ))
        .unwrap();
    drop(connection);
    let before = std::fs::read(&path).unwrap();
    let found = look_at(&path);
    assert_eq!((number(&found, "total_views"), number(&found, "total_triggers")), (2, 1));
    assert_eq!(std::fs::read(&path).unwrap(), before);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing was written beside");
}

#[test]
fn row_24_pdf_and_jpeg_with_lying_lengths_are_bounded() {
    let pdf = "%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Length 99999999999 >>\nstream\nx\nendstream\nendobj\n\
               xref\n0 4000000000\n0000000000 65535 f \ntrailer << /Size 4000000000 /Root 1 0 R >>\n\
               startxref\n88888888\n%%EOF\n";
    assert!(look("a.pdf", pdf.into()).malformed.is_some());
    for length in [0_u16, 1, 2, u16::MAX] {
        let [high, low] = length.to_be_bytes();
        let mut jpeg = b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\xff\xe1".to_vec();
        jpeg.extend([high, low]);
        jpeg.extend(b"Exif\0\0II*\0\xff\xff\xff\x7f");
        assert!(look("a.jpg", jpeg).malformed.is_some(), "{length}");
    }
}

// Row 25: encodings, marks, zero bytes, line ends. File names are tested with the command.

#[test]
fn row_25_invalid_utf8_is_read_lossily_and_marked() {
    let text = [b"# T\xc3\xa4st \xe2\x82\xac\n".repeat(20), b"\xff\xfe broken \xc3\n".to_vec()];
    for name in ["a.py", "a.md", "a.yaml", "a.txt", "a.log"] {
        let found = look(name, text.concat());
        assert!(found.malformed.is_some(), "{name}");
        serde_json::to_string(&found).unwrap();
    }
}

#[test]
fn row_25_utf16_and_marks_are_read_and_named() {
    let text = "[a]\nb = 1\n";
    let units = || std::iter::once(0xfeff_u16).chain(text.encode_utf16());
    for (bytes, name) in [
        (units().flat_map(u16::to_le_bytes).collect::<Vec<u8>>(), "UTF-16 LE"),
        (units().flat_map(u16::to_be_bytes).collect(), "UTF-16 BE"),
        (format!("\u{feff}{text}").into_bytes(), "UTF-8 with a byte order mark"),
    ] {
        let found = look("a.ini", bytes);
        assert!(found.summary.contains(name), "{}", found.summary);
        assert_eq!((number(&found, "total_keys"), found.malformed), (1, None));
    }
}

#[test]
fn row_25_zero_bytes_in_a_text_are_told() {
    for name in ["a.py", "a.json", "a.ini", "a.md"] {
        let found = look(name, b"{\"a\": 1}\n\0\0\0\0\0\0\0\0".to_vec());
        assert!(found.malformed.is_some(), "{name}");
    }
}

#[test]
fn row_25_mixed_line_ends_give_the_same_symbols() {
    let text = "def a():\n    pass\n\n\ndef b():\n    pass\n";
    let mixed = text.replacen('\n', "\r\n", 3);
    let names = |text: &str| -> Vec<(String, u64)> {
        let found = look("a.py", text.as_bytes().to_vec());
        assert_eq!(found.malformed, None);
        found.symbols.into_iter().map(|symbol| (symbol.name, u64::from(symbol.line))).collect()
    };
    assert_eq!(names(text), names(&mixed));
    assert_eq!(names(text), [("a".to_owned(), 1), ("b".to_owned(), 5)]);
}
