//! Text formats: what is found, that every cut is said, and that hostile content is bounded.

use std::{fmt::Write as _, io::Write as _};

use explore::{Exploration, Input, Options, Profile, Project, explore};
use serde_json::Value;

use crate::support::json::fact;

/// No summary may be longer, whatever the file, in bytes.
const LONGEST_SUMMARY: usize = 200_000;

fn of(name: &str, bytes: &[u8], profile: Profile) -> Exploration {
    // The texts are shorter than their summaries.
    let options = Options { short: false, ..Options::from(profile) };
    let found = explore(&Input::memory(name, bytes), &Project::default(), options);
    assert!(found.success && !found.summary.is_empty(), "{name}");
    assert!(found.summary.len() < LONGEST_SUMMARY, "{name}: {}", found.summary.len());
    found
}

fn parity(name: &str, text: &str) -> Exploration {
    of(name, text.as_bytes(), Profile::Parity)
}

fn field(found: &Exploration, name: &str) -> Value {
    fact(found, name).unwrap_or_else(|| panic!("{}: no field {name}", found.file))
}

fn count(found: &Exploration, name: &str) -> u64 {
    field(found, name).as_u64().unwrap()
}

/// Line and column of the defect.
fn defect(found: &Exploration) -> (u64, u64) {
    let malformed = found.malformed.as_ref().unwrap_or_else(|| panic!("{} is fine", found.file));
    (malformed.line.unwrap_or(0), malformed.column.unwrap_or(0))
}

/// Path and types of all keys.
fn keys(found: &Exploration) -> Vec<String> {
    let entry = |key: &Value| {
        let types: Vec<&str> =
            key["types"].as_array().unwrap().iter().map(|kind| kind.as_str().unwrap()).collect();
        format!("{}:{} {}", key["line"], key["path"].as_str().unwrap(), types.join("|"))
    };
    field(found, "keys").as_array().unwrap().iter().map(entry).collect()
}

#[test]
fn json_has_paths_with_types_and_exact_counts() {
    let text = "{\n \"name\": \"x\",\n \"list\": [{\"a\": 1}, {\"a\": null, \"b c\": []}],\n \"token\": \"t0p\"\n}";
    let found = parity("a.json", text);
    assert_eq!(
        keys(&found),
        [
            "2:.name string",
            "3:.list array",
            "3:.list[].a number|null",
            "3:.list[][\"b c\"] array",
            "4:.token string"
        ]
    );
    assert_eq!(field(&found, "root_type"), "object");
    for (name, expected) in [("max_depth", 3), ("total_keys", 6), ("total_array_elements", 2)] {
        assert_eq!(count(&found, name), expected, "{name}");
    }
    assert!(!format!("{found:?}").contains("t0p"), "the secret is shown");
    assert_eq!(found.malformed, None);
}

#[test]
fn json_dialects_are_read_and_judged_by_the_name() {
    for (name, text, dialect, broken) in [
        ("a.jsonc", "{\"a\": 1, // c\n}", "jsonc", false),
        ("tsconfig.json", "{/* c */}", "jsonc", false),
        ("a.json", "{\"a\": 1, // c\n}", "jsonc", true),
        ("a.json5", "{a: 'b', c: .5,}", "json5", false),
        ("a.jsonc", "{a: 1}", "json5", true),
        ("a.ndjson", "{\"a\": 1}\n{\"a\": 2}\n", "ndjson", false),
        ("a.json", "{\"a\": 1}\n{\"a\": 2}\n", "json", true),
    ] {
        let found = parity(name, text);
        assert_eq!(field(&found, "dialect"), dialect, "{name} {text}");
        assert_eq!(found.malformed.is_some(), broken, "{name} {text}");
        assert!(count(&found, "total_keys") <= 2);
    }
    let found = parity("a.ndjson", "{\"a\": 1}\n{\"a\": \n{\"b\": 2}\n");
    assert_eq!((count(&found, "broken_records"), defect(&found).0), (1, 2));
}

#[test]
fn notebooks_have_cells() {
    let text = r##"{"cells": [{"cell_type": "markdown", "source": ["# T\n", "x"]},
        {"cell_type": "code", "source": "\nimport a\n", "outputs": [{}]}],
        "metadata": {"language_info": {"name": "python"}}, "nbformat": 4}"##;
    let found = parity("a.ipynb", text);
    assert_eq!((count(&found, "cell_count"), count(&found, "code_cells")), (2, 1));
    assert_eq!(field(&found, "cells")[1]["first_line"], "import a");
    assert!(found.summary.contains("Notebook: 2 cells (1 code, 1 Markdown), language python"));
}

#[test]
fn yaml_has_documents_and_lists_at_their_keys_indent() {
    let text =
        "a: &x 1\nlist:\n- name: n\n  on: yes\n- *x\ntext: |\n  b: no\n---\nb: {c: [1, 2]}\n";
    let found = parity("a.yaml", text);
    assert_eq!(
        keys(&found),
        [
            "1:.a number",
            "2:.list array",
            "3:.list[].name string",
            "4:.list[].on string",
            "6:.text string",
            "9:.b object",
            "9:.b.c array"
        ]
    );
    assert_eq!((count(&found, "document_count"), count(&found, "alias_count")), (2, 1));
    assert_eq!(field(&found, "has_multiple_documents"), true);
    assert!(found.summary.contains("Format: YAML\nDocuments: 2\n"), "{}", found.summary);
}

#[test]
fn toml_has_tables_of_all_forms() {
    let text = "t = 1 # c\n[a.b]\n\"c.d\" = \"\"\"x\ny\"\"\"\npassword = \"hunter2\"\n[[bin]]\nin = {x = 1}\n[[bin]]\nat = 2020-01-01\n";
    let found = parity("a.toml", text);
    assert_eq!(
        keys(&found),
        [
            "1:.t number",
            "2:.a object",
            "2:.a.b object",
            "3:.a.b[\"c.d\"] string",
            "5:.a.b.password string",
            "6:.bin array",
            "7:.bin[].in object",
            "7:.bin[].in.x number",
            "9:.bin[].at datetime"
        ]
    );
    let counts =
        ["section_count", "array_table_count", "total_keys"].map(|name| count(&found, name));
    assert_eq!(counts, [3, 2, 9]);
    assert!(!format!("{found:?}").contains("hunter2"), "the secret is shown");
    assert!(
        found.summary.contains("  [a]\n    [a.b]\n      c.d: string = \"x y\"\n"),
        "{}",
        found.summary
    );
}

#[test]
fn ini_has_sections_and_masks_secrets() {
    let text = "; c\ntop = 1\n[db]\nhost: h\napi_key = s3cr3t\nurl = db://u:s3cr3t@h/x\n[db]\nlist =\n  a\n  b\n";
    let found = parity("a.ini", text);
    assert_eq!(field(&found, "sections"), serde_json::json!(["(global)", "db", "db"]));
    assert_eq!((count(&found, "total_keys"), count(&found, "comment_count")), (5, 1));
    assert!(!format!("{found:?}").contains("s3cr3t"), "the secret is shown");
    assert!(found.summary.contains("  [db] (3 keys)\n    host = h\n    api_key = ****\n"));
    let blocks = "worker 1;\nevents {\n}\n";
    let found = parity("a.ini", blocks);
    assert_eq!(defect(&found), (1, 1));
    assert!(found.summary.contains("worker 1;"));
    let found = parity("a.conf", blocks);
    assert_eq!((found.explorer_used.as_str(), found.malformed.as_ref()), ("text", None));
    let found = parity("a.service", "[Service]\nEnvironment=\"A_TOKEN=s3cr3t\" B=1\n");
    assert!(found.summary.contains("Environment = \"A_TOKEN=****\" B=1"), "{}", found.summary);
    for (name, text) in [
        ("a.toml", "tokens = ['s3cr3t']\n[a]\npassword = 0x53c237\n"),
        ("a.yaml", "tokens: [s3cr3t]\n"),
        ("a.json", "{\"tokens\": [[\"s3cr3t\"]], \"password\": 5425719}"),
    ] {
        for profile in [Profile::Parity, Profile::Enhancement] {
            let shown = format!("{:?}", of(name, text.as_bytes(), profile));
            let leaks = ["s3cr3t", "53c237", "5425719"].iter().any(|one| shown.contains(one));
            assert!(!leaks, "{shown}");
        }
    }
    let found = parity(".env", "A=1\nexport B_TOKEN='x y z'\n");
    assert!(!format!("{found:?}").contains("x y z"));
}

#[test]
fn csv_has_columns_types_and_rows_over_quoted_lines() {
    let text = "name,n,when,note\n\"a,\nb\",1,2024-01-02,\nc,\"2,000\",2024-01-03,x\n";
    let found = parity("a.csv", text);
    let columns: Vec<String> = field(&found, "columns")
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            format!(
                "{} {} {}",
                one["name"].as_str().unwrap(),
                one["type"].as_str().unwrap(),
                one["empty_count"]
            )
        })
        .collect();
    assert_eq!(columns, ["name string 0", "n number 0", "when date 0", "note string 1"]);
    assert_eq!((count(&found, "row_count"), field(&found, "has_header")), (2, Value::Bool(true)));
    assert!(found.summary.contains("note: string, 50% empty\n"), "{}", found.summary);
    assert!(found.summary.contains("Sample rows (first 2):\n  name | n | when | note\n  a, b | 1"));
    let texts = parity("b.csv", "first;second\nx;y\nz;w\n");
    assert_eq!(
        (field(&texts, "delimiter"), field(&texts, "has_header")),
        (";".into(), true.into())
    );
    let ragged = parity("c.csv", "a,b\n1,2\n3\n4,5\n");
    assert_eq!((count(&ragged, "ragged_rows"), count(&ragged, "first_ragged_line")), (1, 3));
    assert_eq!(defect(&parity("d.csv", "a,b\n\"open,2\n3,4\n")).0, 4);
    let names: Vec<String> = (0..500).map(|index| format!("c{index}")).collect();
    let wide = parity("e.csv", &format!("{0}\n{0}\n", names.join(",")));
    let cut = wide.truncated.iter().find(|cut| cut.section == "Sample rows, cells").unwrap();
    assert_eq!(cut.total, 500);
    assert!(wide.summary.contains(&format!(" | c{}\n", cut.shown - 1)));
    assert!(wide.summary.ends_with(&format!("\n  ... and {} more", 500 - cut.shown)));
}

#[test]
fn xml_counts_every_depth_behind_prologue_and_doctype() {
    let mut text = String::from(
        "<?xml version=\"1.1\"?>\n<!-- c --><?p x?>\n<!DOCTYPE r [<!ENTITY e \"v\">]>\n<r xmlns=\"u:1\" xmlns:q='u:2' a=\">\">&e;\n",
    );
    text.push_str(&"<d>".repeat(12));
    text.push_str(&"</d >".repeat(12));
    text.push_str("<q:x b='' c='' d='' e=''/></r>");
    let found = parity("a.xml", &text);
    let counts = ["total_elements", "max_depth", "total_attributes", "entity_declarations"];
    assert_eq!(counts.map(|name| count(&found, name)), [14, 12, 5, 1]);
    assert_eq!(field(&found, "namespaces"), serde_json::json!({"default": "u:1", "q": "u:2"}));
    assert_eq!(field(&found, "elements")[2]["line"], 5);
    assert_eq!(found.malformed, None);
    assert!(found.summary.ends_with("q:x [b, c, d, ...]"), "{}", found.summary);
    for (text, line) in [
        ("<a>\n<b></a>", 2),
        ("<a>\n", 2),
        ("<a/>\n<b/>", 2),
        ("", 1),
        ("<a>\n&x;</a>", 2),
        ("<a b='1'\nb='2'/>", 1),
        ("<a/>\n\nx", 3),
    ] {
        assert_eq!(defect(&parity("a.xml", text)).0, line, "{text}");
    }
}

#[test]
fn html_has_headings_links_forms_outside_of_comments_and_scripts() {
    let text = "<!DOCTYPE html><html lang=en><head><title> A\n b </title><meta charset=utf-8>\n<meta name=Description content='d'><link rel='stylesheet' href=s.css>\n<script>var x = '<h1>no</h1>';</script></head><body><!-- <h1>no</h1> -->\n<h1>One <b>two</b></h1><main><h2>x</h2><a href=https://e.x/>e</a><a href='#y'>y</a><a href=/z>z</a>\n<form action=/go method=POST><input name=q><select name=s></select></form><img src=i.png alt=i></main>";
    let found = parity("a.html", text);
    assert_eq!((field(&found, "title"), field(&found, "lang")), ("A b".into(), "en".into()));
    let counts = [
        "heading_count",
        "link_count",
        "external_link_count",
        "form_count",
        "image_count",
        "script_count",
        "stylesheet_count",
    ];
    assert_eq!(counts.map(|name| count(&found, name)), [2, 2, 1, 1, 1, 1, 1]);
    assert_eq!(
        field(&found, "headings")[0],
        serde_json::json!({"level": 1, "text": "One two", "line": 5})
    );
    assert_eq!(field(&found, "semantic_elements")["main"], 1);
    assert!(
        found.summary.contains("Heading outline:\n  H1: One two\n    H2: x\n"),
        "{}",
        found.summary
    );
    assert!(found.summary.contains("Forms:\n  POST /go\n    q (text)\n    s (select)\n"));
}

/// Makes a file with so many entries of one section.
type Fixture = Box<dyn Fn(usize) -> String>;

/// Each capped section at its cap, one beyond and ten times it, in both profiles: what is shown
/// and what is left out add up to the list in the fields.
#[test]
fn every_capped_section_says_what_it_leaves_out() {
    let repeat =
        |count: usize, entry: &dyn Fn(usize) -> String| (0..count).map(entry).collect::<String>();
    let cases: Vec<(&str, usize, &str, &str, Fixture)> = vec![
        (
            "a.json",
            15,
            "Schema",
            "keys",
            Box::new(move |count| {
                format!("{{{}\"z\": 1}}", repeat(count - 1, &|index| format!("\"k{index}\": 1, ")))
            }),
        ),
        (
            "a.yaml",
            15,
            "Schema",
            "keys",
            Box::new(move |count| repeat(count, &|index| format!("k{index}: 1\n"))),
        ),
        (
            "a.toml",
            15,
            "Content, keys",
            "keys",
            Box::new(move |count| repeat(count, &|index| format!("k{index} = 1\n"))),
        ),
        (
            "a.toml",
            10,
            "Content, sections",
            "sections",
            Box::new(move |count| repeat(count, &|index| format!("[s{index}]\n"))),
        ),
        (
            "a.ini",
            15,
            "Sections",
            "sections",
            Box::new(move |count| repeat(count, &|index| format!("[s{index}]\n"))),
        ),
        (
            "a.ini",
            10,
            "Keys",
            "keys",
            Box::new(move |count| {
                format!("[s]\n{}", repeat(count, &|index| format!("k{index}=1\n")))
            }),
        ),
        (
            "a.xml",
            10,
            "Element hierarchy",
            "element types",
            Box::new(move |count| {
                format!("<r>{}</r>", repeat(count, &|index| format!("<e{index}/>")))
            }),
        ),
        (
            "a.xml",
            3,
            "Attributes",
            "",
            Box::new(move |count| {
                format!("<r {}/>", repeat(count, &|index| format!("a{index}='' ")))
            }),
        ),
        (
            "a.xml",
            5,
            "Namespaces",
            "",
            Box::new(move |count| {
                format!("<r {}/>", repeat(count, &|index| format!("xmlns:a{index}='u' ")))
            }),
        ),
        (
            "a.html",
            10,
            "Heading outline",
            "headings",
            Box::new(move |count| repeat(count, &|index| format!("<h1>{index}</h1>"))),
        ),
        (
            "a.html",
            5,
            "Forms",
            "forms",
            Box::new(move |count| repeat(count, &|_| "<form></form>".to_owned())),
        ),
        (
            "a.html",
            5,
            "Fields",
            "fields",
            Box::new(move |count| {
                format!("<form>{}</form>", repeat(count, &|_| "<input>".to_owned()))
            }),
        ),
        (
            "a.html",
            5,
            "External links",
            "external links",
            Box::new(move |count| repeat(count, &|index| format!("<a href=//{index}>x</a>"))),
        ),
    ];
    for (name, cap, section, noun, make) in &cases {
        for count in [*cap, cap + 1, 10 * cap] {
            for profile in [Profile::Parity, Profile::Enhancement] {
                let found = of(name, make(count).as_bytes(), profile);
                let cuts: Vec<_> =
                    found.truncated.iter().filter(|cut| cut.section == *section).collect();
                if section.starts_with("Content") && !profile.is_parity() {
                    continue;
                }
                if count == *cap {
                    assert!(cuts.is_empty(), "{name} {section} {count}: {cuts:?}");
                    continue;
                }
                let cut =
                    cuts.first().unwrap_or_else(|| panic!("{name} {section} {count}: no cut"));
                assert_eq!((cut.shown, cut.total), (*cap, count), "{name} {section}");
                let left = count - cap;
                let marker = match (profile.is_parity(), *section) {
                    (true, "Attributes") => ", ...".to_owned(),
                    (true, _) if !noun.is_empty() => format!("... and {left} more {noun}\n"),
                    _ => format!("... and {left} more"),
                };
                let summary = format!("{}\n", found.summary);
                assert!(summary.contains(&marker), "{name} {section}: {summary}");
                assert_eq!(listed(&found, &cut.list), count, "{name} {}", cut.list);
            }
        }
    }
}

/// Length of the list that a selector such as `/fields/keys?parent=.a` names.
fn listed(found: &Exploration, list: &str) -> usize {
    found.select(list).map_or(0, |list| list.len())
}

#[test]
fn malformed_content_has_its_place_what_was_readable_and_a_preview() {
    for (name, text, place, key) in [
        ("a.json", "{\"a\": 1,\n \"b\" 2}", (2, 6), Some(".a")),
        ("a.json", "{\"a\": tru}", (1, 7), Some(".a")),
        ("a.yaml", "a: 1\nb: [1, 2\nc: 3\n", (3, 2), Some(".a")),
        ("a.yaml", "a: \"open\n", (1, 4), Some(".a")),
        ("a.toml", "a = 1\nb = \n[c]\nd = 2\n", (2, 5), Some(".c.d")),
        ("a.toml", "a = 1\na = 2\n", (2, 1), Some(".a")),
        ("a.ini", "[a]\nb=1\n[open\n", (3, 1), None),
    ] {
        let found = parity(name, text);
        assert_eq!(defect(&found), place, "{name}: {:?}", found.malformed);
        assert!(found.summary.contains("\nText:\n"), "{name}: {}", found.summary);
        if let Some(key) = key {
            assert!(keys(&found).iter().any(|one| one.contains(key)), "{name}: {:?}", keys(&found));
        }
    }
    let secret = parity("a.toml", "password = \"hunter2\"\nb = \n");
    assert!(!format!("{secret:?}").contains("hunter2"), "the preview shows the secret");
}

#[test]
fn encodings_line_ends_and_empty_files_are_nothing_special() {
    let texts = [
        ("a.json", "{\"k\": [1]}\n", "total_keys", 1),
        ("a.yaml", "k:\n- 1\n", "total_keys", 1),
        ("a.toml", "k = [1]\n", "total_keys", 1),
        ("a.ini", "[s]\nk = 1\n", "total_keys", 1),
        ("a.csv", "a,b\n1,2\n", "row_count", 1),
        ("a.xml", "<a>\n<b/></a>\n", "total_elements", 2),
        ("a.html", "<h1>x</h1>\n", "heading_count", 1),
    ];
    for (name, text, name_of_count, expected) in texts {
        let utf16 = |big: bool| {
            let units = std::iter::once(0xfeff).chain(text.encode_utf16());
            units
                .flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() })
                .collect()
        };
        let variants: [Vec<u8>; 5] = [
            text.into(),
            [b"\xef\xbb\xbf", text.as_bytes()].concat(),
            text.replace('\n', "\r\n").into(),
            utf16(false),
            utf16(true),
        ];
        for bytes in variants {
            let found = of(name, &bytes, Profile::Parity);
            assert_eq!(found.malformed, None, "{name} {bytes:?}");
            assert_eq!(count(&found, name_of_count), expected, "{name} {bytes:?}");
        }
        for empty in ["", " \n\n"] {
            assert_eq!(
                count(&of(name, empty.as_bytes(), Profile::Enhancement), name_of_count),
                0,
                "{name}"
            );
        }
        let image = of(name, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0", Profile::Parity);
        assert!(image.malformed.is_some(), "{name}");
    }
}

#[test]
fn the_last_record_of_a_table_counts_behind_a_mark_as_well() {
    let text = "x\na;b\n";
    for mark in ["", "\u{feff}"] {
        let found = of("a.csv", format!("{mark}{text}").as_bytes(), Profile::Parity);
        assert!(found.summary.contains("delimiter: \";\""), "{}", found.summary);
    }
}

#[test]
fn nesting_of_a_hundred_thousand_levels_is_bounded() {
    let deep = |open: &str, close: &str| open.repeat(100_000) + &close.repeat(100_000);
    for (name, text, depth) in [
        ("a.json", deep("[", "]"), Some(99_999)),
        ("a.json", deep("{\"a\":", "}"), None),
        ("a.yaml", deep("[", "]"), None),
        ("a.yaml", "- ".repeat(100_000), None),
        ("a.toml", format!("a = {}", deep("[", "]")), None),
        ("a.toml", format!("{}b = 1", "a.".repeat(100_000)), None),
        ("a.ini", deep("[", "]"), None),
        ("a.csv", "\"".repeat(200_001), None),
        ("a.xml", deep("<a>", "</a>"), Some(99_999)),
        ("a.html", deep("<div>", "</div>"), None),
        ("a.html", deep("<b><p>", "</p></b>"), None),
    ] {
        let found = parity(name, &text);
        if let Some(depth) = depth {
            assert_eq!(count(&found, "max_depth"), depth, "{name}");
        }
    }
}

#[test]
fn bombs_are_not_expanded() {
    let mut yaml = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    let mut xml = String::from("<!DOCTYPE r [\n<!ENTITY e0 \"xxxxxxxxxx\">\n");
    for level in 1..30 {
        let below = level - 1;
        writeln!(yaml, "a{level}: &a{level} [{}*a{below}]", format!("*a{below}, ").repeat(9))
            .unwrap();
        writeln!(xml, "<!ENTITY e{level} \"{}\">", format!("&e{below};").repeat(10)).unwrap();
    }
    xml.push_str("]>\n<r>&e29;</r>");
    let yaml = parity("a.yaml", &yaml);
    assert_eq!((count(&yaml, "total_keys"), count(&yaml, "total_array_elements")), (30, 300));
    let xml = parity("a.xml", &xml);
    assert_eq!((count(&xml, "total_elements"), count(&xml, "entity_declarations")), (1, 30));
    let file = parity("a.xml", "<!DOCTYPE r [<!ENTITY e SYSTEM \"/etc/hostname\">]>\n<r>&e;</r>");
    assert_eq!(count(&file, "total_elements"), 1);
}

/// A file that is larger than what is loaded whole, made of equal pieces.
fn large(name: &str, start: &str, piece: &str, megabytes: usize, end: &str) -> Exploration {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    let mut file = std::io::BufWriter::new(std::fs::File::create(&path).unwrap());
    file.write_all(start.as_bytes()).unwrap();
    let block = piece.repeat(1 + (1 << 16) / piece.len());
    for _ in 0..megabytes * (1 << 20) / block.len() {
        file.write_all(block.as_bytes()).unwrap();
    }
    file.write_all(end.as_bytes()).unwrap();
    file.into_inner().unwrap().sync_all().unwrap();
    let found = explore(&Input::open(name, &path).unwrap(), &Project::default(), Profile::Parity);
    assert!(found.success && found.summary.len() < LONGEST_SUMMARY, "{name}");
    found
}

#[test]
fn files_beyond_fifty_mebibytes_are_counted_whole_or_say_that_they_are_sampled() {
    let json = large("a.json", "[", "{\"k\": \"0123456789\"},\n", 60, "0]");
    assert_eq!(count(&json, "total_array_elements"), count(&json, "total_keys") + 1);
    assert_eq!((json.malformed.as_ref(), field(&json, "sampled")), (None, false.into()));
    let csv = large("a.csv", "a,b\n", "1,\"x\ny\"\n", 60, "");
    assert_eq!(
        (count(&csv, "row_count") > 6_000_000, field(&csv, "sampled")),
        (true, false.into())
    );
    let xml = large("a.xml", "<r>\n", "<e a='1'>x</e>\n", 60, "</r>");
    assert_eq!((count(&xml, "total_elements") > 4_000_000, xml.malformed), (true, None));
    let ini = large("a.ini", "[s]\n", "k = v\n", 60, "");
    assert!(count(&ini, "total_keys") > 10_000_000);
    let toml = large("a.toml", "", "# a comment that fills the line with words\n", 60, "");
    assert_eq!(field(&toml, "sampled"), true);
}

#[test]
#[ignore = "writes 500 MB; the nightly run does"]
fn a_line_of_500_megabytes_is_read_in_bounded_memory() {
    let json = large("a.json", "{\"k\": \"", "0123456789", 500, "\"}");
    assert_eq!((count(&json, "total_keys"), json.malformed), (1, None));
    let csv = large("a.csv", "a,", "0123456789", 500, "\n");
    assert_eq!(count(&csv, "column_count"), 2);
    let ini = large("a.ini", "k = ", "0123456789", 500, "\n");
    assert_eq!(count(&ini, "total_keys"), 1);
    let xml = large("a.xml", "<r>", "0123456789", 500, "</r>");
    assert!(xml.malformed.unwrap().what.contains("longer than 64 MiB"));
}
