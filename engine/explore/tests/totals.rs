//! True totals: a list that the JSON or a summary cuts says how many entries there are, at its cap,
//! one beyond it and at ten times. The number is what this test has put in.
//!
//! [`every_explorer_has_a_fixture`] fails for an explorer that is not here.

use std::{collections::BTreeSet, ops::RangeInclusive};

use explore::{
    Exploration, Input, Options, Profile, Project,
    dispatch::{Family, explorers},
    explore,
};
use serde_json::Value;

use crate::support::seeds;

/// A list of a format: a file that has it, where it is in the JSON, the most entries that the JSON
/// lists, and a content in which the list has so many.
struct List {
    file: &'static str,
    pointer: &'static str,
    cap: usize,
    /// The largest content is so many times the cap: ten, unless the explorer reads no file of
    /// that size to its end.
    times: usize,
    make: fn(usize) -> Vec<u8>,
}

const fn list(
    file: &'static str,
    pointer: &'static str,
    cap: usize,
    make: fn(usize) -> Vec<u8>,
) -> List {
    List { file, pointer, cap, times: 10, make }
}

/// Entries by their number, one behind the other.
fn each(count: usize, entry: impl Fn(usize) -> String) -> String {
    (0..count).map(entry).collect()
}

/// A word of letters for each number: digits stand for one another in messages of logs.
fn word(mut number: usize) -> String {
    let mut letters = String::from("w");
    loop {
        letters.push(char::from(b'a' + (number % 26) as u8));
        number /= 26;
        if number == 0 {
            return letters;
        }
    }
}

/// An archive of empty files: a header of 512 bytes for each.
fn tape(count: usize) -> Vec<u8> {
    let mut tape = Vec::with_capacity(512 * (count + 2));
    for number in 0..count {
        let mut header = [0_u8; 512];
        let name = format!("f{number}");
        header[..name.len()].copy_from_slice(name.as_bytes());
        header[100..108].copy_from_slice(b"0000644\0");
        header[124..136].copy_from_slice(b"00000000000\0");
        header[148..156].fill(b' ');
        header[156] = b'0';
        header[257..265].copy_from_slice(b"ustar\x0000");
        let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
        header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        tape.extend(header);
    }
    tape.extend([0; 1024]);
    tape
}

/// A number in LEB128.
fn leb(mut number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let low = (number & 0x7f) as u8;
        number >>= 7;
        bytes.push(if number == 0 { low } else { low | 0x80 });
        if number == 0 {
            return bytes;
        }
    }
}

/// A module of WebAssembly that offers so many functions.
fn module(count: usize) -> Vec<u8> {
    let mut section = leb(count);
    for number in 0..count {
        let name = format!("f{number}");
        section.extend(leb(name.len()));
        section.extend(name.as_bytes());
        section.extend([0, 0]);
    }
    [b"\0asm\x01\0\0\0\x07".to_vec(), leb(section.len()), section].concat()
}

/// A document with so many bookmarks, each of which names the next.
fn document(count: usize) -> Vec<u8> {
    let marks = each(count, |i| {
        let (here, next) = (i + 4, i + 5);
        let next = if i + 1 < count { format!("/Next {next} 0 R") } else { String::new() };
        format!("{here} 0 obj\n<< /Title (m{i}) {next} >>\nendobj\n")
    });
    format!(
        "%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R /Outlines 3 0 R >>\nendobj\n\
         2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\nendobj\n\
         3 0 obj\n<< /Type /Outlines /First 4 0 R >>\nendobj\n{marks}\
         trailer\n<< /Root 1 0 R >>\nstartxref\n0\n%%EOF\n"
    )
    .into()
}

/// Lists that the JSON cuts. Caps count a root where it takes a place.
const LISTS: &[List] = &[
    list("a.json", "/fields/keys", 99_999, |count| {
        let keys: Vec<String> = (0..count).map(|i| format!("\"k{i}\":1")).collect();
        format!("{{{}}}", keys.join(",")).into()
    }),
    list("a.json", "/fields/duplicates", 1_000, |count| {
        format!("{{{}\"a\":1}}", "\"a\":1,".repeat(count)).into()
    }),
    list("a.yaml", "/fields/keys", 99_999, |count| each(count, |i| format!("k{i}: 1\n")).into()),
    list("a.yaml", "/fields/documents", 10_000, |count| "--- {a: 1}\n".repeat(count).into()),
    list("a.yaml", "/fields/documents/0/keys", 100_000, |count| {
        each(count, |i| format!("k{i}: 1\n")).into()
    }),
    list("a.yaml", "/fields/tags", 1_000, |count| each(count, |i| format!("- !t{i} a\n")).into()),
    list("a.toml", "/fields/keys", 99_999, |count| each(count, |i| format!("k{i}=1\n")).into()),
    list("a.ini", "/fields/parsed_sections", 100_000, |count| {
        each(count, |i| format!("[s{i}]\n")).into()
    }),
    list("a.ini", "/fields/parsed_sections/0/keys", 100_000, |count| {
        each(count, |i| format!("k{i}=1\n")).into()
    }),
    list("a.csv", "/fields/columns", 50_000, |count| {
        let names: Vec<String> = (0..count).map(|i| format!("c{i}")).collect();
        format!("{}\n", names.join(",")).into()
    }),
    list("a.xml", "/fields/namespace_list", 1_000, |count| {
        format!("<r {}/>", each(count, |i| format!("xmlns:a{i}='u' "))).into()
    }),
    list("a.xml", "/fields/elements", 20_000, |count| {
        format!("<r>{}</r>", each(count - 1, |i| format!("<e{i}/>"))).into()
    }),
    list("a.xml", "/fields/hierarchy", 20_000, |count| {
        format!("<r>{}</r>", each(count - 1, |i| format!("<e{i}/>"))).into()
    }),
    list("a.xml", "/fields/elements/0/attributes", 1_000, |count| {
        format!("<r {}/>", each(count, |i| format!("a{i}='' "))).into()
    }),
    list("a.log", "/fields/level_lines", 100_000, |count| "INFO a\n".repeat(count).into()),
    list("a.log", "/fields/error_lines", 100_000, |count| "ERROR a\n".repeat(count).into()),
    list("a.log", "/fields/warning_lines", 100_000, |count| "WARN a\n".repeat(count).into()),
    list("a.log", "/fields/timestamp_lines", 100_000, |count| {
        "2024-01-02T03:04:05Z a\n".repeat(count).into()
    }),
    list("a.log", "/fields/sources", 10_000, |count| {
        each(count, |i| format!("Jan  2 03:04:05 h {}: a\n", word(i))).into()
    }),
    list("a.log", "/fields/repeated_errors", 10_000, |count| {
        each(2 * count, |i| format!("ERROR {}\n", word(i % count))).into()
    }),
    list("a.log", "/fields/repeated_errors/0/lines", 100, |count| "ERROR a\n".repeat(count).into()),
    list("a.log", "/fields/error_samples", 5, |count| "ERROR a\n".repeat(count).into()),
    list("a.log", "/fields/warning_samples", 5, |count| "WARN a\n".repeat(count).into()),
    list("a.log", "/fields/recent_entries", 5, |count| "a\n".repeat(count).into()),
    list("a.patch", "/fields/files", 100_000, |count| {
        each(count, |i| format!("--- a/f{i}\n+++ b/f{i}\n@@ -1 +1 @@\n-a\n+b\n")).into()
    }),
    // Ten times the cap lies beyond the bytes that are unpacked.
    List { times: 2, ..list("a.tar", "/fields/entries", 100_000, tape) },
    list("a.pdf", "/fields/bookmarks", 2_000, document),
    list("a.wasm", "/fields/exported_symbols", 200_000, module),
];

/// Lists that the JSON has whole, with the cap of the summary.
const WHOLE: &[List] = &[
    list("a.html", "/fields/headings", 10, |count| each(count, |i| format!("<h1>{i}</h1>")).into()),
    list("a.html", "/fields/links", 5, |count| {
        each(count, |i| format!("<a href='//e.x/{i}'>x</a>")).into()
    }),
    list("a.md", "/fields/headings", 15, |count| each(count, |i| format!("# h{i}\n")).into()),
    list("a.md", "/fields/code_blocks", 10, |count| "```\na\n```\n\n".repeat(count).into()),
    list("a.md", "/fields/links", 10, |count| {
        each(count, |i| format!("[a](https://e.x/{i})\n")).into()
    }),
    list("a.tex", "/fields/packages", 20, |count| {
        each(count, |i| format!("\\usepackage{{p{}}}\n", word(i))).into()
    }),
    list("a.tex", "/fields/included_files", 20, |count| {
        each(count, |i| format!("\\input{{f{i}}}\n")).into()
    }),
    list("a.tex", "/fields/custom_commands", 10, |count| {
        each(count, |i| format!("\\newcommand{{\\{}}}{{a}}\n", word(i))).into()
    }),
    list("a.json", "/fields/keys", 15, |count| {
        let keys: Vec<String> = (0..count).map(|i| format!("\"k{i}\":1")).collect();
        format!("{{{}}}", keys.join(",")).into()
    }),
];

/// Explorers whose facts hold no list at all.
const LISTLESS: &[&str] = &["binary", "image", "text"];

/// Explorers whose lists are tested where their files are made: on disk, by a library.
const ELSEWHERE: &[&str] = &["sqlite"];

fn look(name: &str, bytes: &[u8], profile: Profile) -> Exploration {
    // Some texts are shorter than their summaries.
    let options = Options { short: false, ..Options::from(profile) };
    explore(&Input::memory(name, bytes), &Project::default(), options)
}

/// What is wrong with the totals of a file in which a list has so many entries.
fn fault(list: &List, count: usize, found: &Exploration, json_cap: usize) -> Option<String> {
    let json = serde_json::to_value(found).unwrap();
    let length = json.pointer(list.pointer).and_then(Value::as_array).map_or(0, Vec::len);
    if length != count.min(json_cap) {
        return Some(format!("{length} listed"));
    }
    let rows: Vec<_> = found.truncated.iter().filter(|cut| cut.list == list.pointer).collect();
    if count > json_cap && rows.is_empty() {
        return Some("cut, and nothing says so".to_owned());
    }
    for cut in &rows {
        let listed = (count > json_cap).then_some(json_cap);
        if (cut.total, cut.listed, cut.at_least) != (count, listed, false) {
            return Some(format!("{cut:?}"));
        }
    }
    // Whatever the summary cuts has its mark, with the number that is left.
    for cut in found.truncated.iter().filter(|cut| !cut.section.is_empty()) {
        let mark = format!("... and {} more", cut.total - cut.shown);
        if cut.total <= cut.shown || !found.summary.contains(&mark) {
            return Some(format!("no mark of {cut:?} in\n{}", found.summary));
        }
    }
    None
}

/// Contents of more entries are the nightly run's.
const QUICK: usize = 200_000;

/// Every fault of lists at their caps, one beyond them, and at ten times, so far as their numbers of
/// entries are in a range.
fn faults(
    lists: &[List],
    counts: RangeInclusive<usize>,
    json_cap: impl Fn(&List) -> usize,
) -> Vec<String> {
    let mut faults = Vec::new();
    for list in lists {
        let sizes = [list.cap, list.cap + 1, list.times * list.cap];
        for count in sizes.into_iter().filter(|count| counts.contains(count)) {
            let bytes = (list.make)(count);
            let found = look(list.file, &bytes, Profile::Enhancement);
            if let Some(why) = fault(list, count, &found, json_cap(list)) {
                faults.push(format!("{} {} {count}: {why}", list.file, list.pointer));
            }
        }
    }
    faults
}

#[test]
fn lists_that_the_json_cuts_say_how_many_there_are() {
    let faults = faults(LISTS, 0..=QUICK + 1, |list| list.cap);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
#[ignore = "a million entries in each of a dozen files; the nightly run does"]
fn lists_of_a_million_entries_say_how_many_there_are() {
    let faults = faults(LISTS, QUICK + 2..=usize::MAX, |list| list.cap);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn lists_that_the_json_has_whole_are_whole_at_ten_times_what_is_shown() {
    let faults = faults(WHOLE, 0..=usize::MAX, |_| usize::MAX);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_wrong_total_and_a_missing_mark_are_at_fault() {
    let list = &LISTS.iter().find(|list| list.pointer.ends_with("namespace_list")).unwrap();
    let count = list.cap + 500;
    let found = look(list.file, &(list.make)(count), Profile::Enhancement);
    assert_eq!(fault(list, count, &found, list.cap), None);
    assert!(found.summary.contains("... and 1495 more"), "{}", found.summary);
    let mut wrong = found.clone();
    wrong.truncated[0].total -= 1;
    assert!(fault(list, count, &wrong, list.cap).is_some());
    let mut silent = found.clone();
    silent.truncated.clear();
    assert!(fault(list, count, &silent, list.cap).is_some());
    let mut unmarked = found;
    unmarked.summary = unmarked.summary.replace("1495 more", "995 more");
    assert!(fault(list, count, &unmarked, list.cap).is_some());
}

/// Many copies of a file have many times its symbols: no list of code is cut in the JSON, and the
/// summary counts what it leaves out.
#[test]
fn code_lists_every_symbol_and_counts_what_it_leaves_out() {
    const COPIES: usize = 300;
    let code: BTreeSet<&str> =
        explorers().iter().filter(|one| one.family == Family::Code).map(|one| &*one.id).collect();
    let mut cut = BTreeSet::new();
    // Copies of a function of Haskell are one function of many equations.
    let named = each(COPIES, |i| format!("f{i} :: Int\nf{i} = 1\n\n"));
    let haskell = look("a.hs", named.as_bytes(), Profile::Enhancement);
    assert_eq!(haskell.symbols.len(), COPIES);
    assert!(haskell.truncated.iter().any(|row| row.total == COPIES && row.list == "/symbols"));
    cut.insert("haskell");
    for seed in seeds() {
        let mut one = seed.bytes.clone();
        one.push(b'\n');
        let single = look(&seed.name, &one, Profile::Enhancement);
        let Some(key) = code.get(single.explorer_used.as_str()) else { continue };
        let many = look(&seed.name, &one.repeat(COPIES), Profile::Enhancement);
        for row in &many.truncated {
            let behind = many.select(&row.list).map_or(0, |list| list.len());
            assert_eq!((row.listed, row.total), (None, behind), "{key} {row:?}");
            let mark = format!("... and {} more", row.total - row.shown);
            assert!(many.summary.contains(&mark), "{key} {row:?}");
        }
        if many.truncated.iter().any(|row| row.list.starts_with("/symbols"))
            && many.symbols.len() >= COPIES * single.symbols.len().min(1)
        {
            cut.insert(*key);
        }
    }
    let missing: Vec<_> = code.difference(&cut).collect();
    assert!(missing.is_empty(), "without a cut list of symbols: {missing:?}");
}

#[test]
fn every_explorer_has_a_fixture() {
    let project = Project::default();
    let of = |file: &str, bytes: &[u8]| {
        explore(&Input::memory(file, bytes), &project, Profile::Parity).explorer_used
    };
    let mut with: BTreeSet<String> =
        LISTS.iter().chain(WHOLE).map(|list| of(list.file, &(list.make)(1))).collect();
    with.extend(LISTLESS.iter().chain(ELSEWHERE).map(|key| (*key).to_owned()));
    let without: Vec<&str> = explorers()
        .iter()
        .filter(|one| one.family != Family::Code && !with.contains(&one.id))
        .map(|one| one.id.as_str())
        .collect();
    assert!(without.is_empty(), "explorers without a fixture: {without:?}");
    // What is called listless has no list in any of its seeds.
    for seed in seeds() {
        let found = look(&seed.name, &seed.bytes, Profile::Enhancement);
        if LISTLESS.contains(&found.explorer_used.as_str()) {
            let fields = serde_json::to_value(&found.fields).unwrap();
            let lists = fields.as_object().unwrap().iter().filter(|(_, value)| value.is_array());
            assert_eq!(lists.count(), 0, "{}: {fields}", seed.name);
        }
    }
}
