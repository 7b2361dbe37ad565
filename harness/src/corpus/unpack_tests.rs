//! Hostile and damaged archives, built here.

use std::fs;
use std::path::PathBuf;

use tar::EntryType;

use super::{Caps, UnpackError, unpack};
use crate::corpus::fixture::{self, Item, archive, file, link, special};
use crate::corpus::tree::{self, Entry, Tree};

/// Unpacks `bytes` and returns the outcome with the folder it was unpacked into.
fn run(
    bytes: &[u8],
    caps: Caps,
    keep: &dyn Fn(&str) -> bool,
) -> (Result<Tree, UnpackError>, tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let packed = folder.path().join("archive.tar.gz");
    fs::write(&packed, bytes).unwrap();
    let destination = folder.path().join("out");
    fs::create_dir(&destination).unwrap();
    let outcome = unpack(&packed, caps, keep, &destination);
    (outcome, folder, destination)
}

fn refused(items: &[Item]) -> String {
    let (outcome, folder, _) = run(&archive(items), Caps::default(), &|_| true);
    let error = outcome.expect_err("a hostile archive was accepted");
    assert_eq!(error.exit_code(), 20);
    // Whatever was written lies inside the destination.
    assert_eq!(fixture::names(folder.path()), ["archive.tar.gz", "out"]);
    error.to_string()
}

#[test]
fn everything_is_listed_and_only_the_wanted_part_is_written() {
    let keep = |path: &str| path.starts_with("bin/") || path == "link";
    let (outcome, _folder, out) = run(&fixture::sample_archive(), Caps::default(), &keep);
    let listed = outcome.unwrap();
    assert_eq!(tree::sha256(&listed), fixture::sample_row().tree_sha256);
    assert!(matches!(&listed["bin/run"], Entry::File { executable: true, .. }));
    assert_eq!(listed["link"], Entry::Symlink { target: "a.txt".to_owned() });
    assert_eq!(fixture::names(&out), ["bin", "link"]);
}

#[test]
fn paths_out_of_the_destination_are_refused() {
    for name in [
        "t/../../evil",
        "/etc/evil",
        "t//evil",
        "t/./evil",
        "../evil",
        "t\\..\\evil",
        "t/.git/hooks/x",
    ] {
        assert!(refused(&[file("t/ok", ""), file(name, "")]).contains("is refused"), "{name}");
    }
    let not_utf8 = Item { name: b"t/\xff".to_vec(), ..file("", "") };
    assert!(refused(&[not_utf8]).contains("is not UTF-8"));
}

#[test]
fn names_that_mean_another_file_elsewhere_are_refused() {
    let long = format!("t/{}", "d/".repeat(32));
    for name in ["t/C:evil", "t/aux", "t/com1.txt", "t/e\u{301}", "t/a.", "t/a ", "t/x\ny", &long] {
        let refused = refused(&[file("t/ok", ""), file(name, "")]);
        assert!(refused.contains("is refused"), "{name:?}: {refused}");
    }
}

/// What an archive in an archive holds is nobody's business: it is a file like any other.
#[test]
fn an_archive_in_an_archive_stays_packed() {
    let inner = Item { data: archive(&[file("../evil", "x")]), ..file("t/inner.tar.gz", "") };
    let (outcome, folder, out) = run(&archive(&[inner]), Caps::default(), &|_| true);
    assert_eq!(outcome.unwrap().len(), 1);
    assert_eq!(fixture::names(&out), ["inner.tar.gz"]);
    assert_eq!(fixture::names(folder.path()), ["archive.tar.gz", "out"]);
}

/// A header that claims more than the stream holds ends in damage, not in memory set aside.
#[test]
fn a_header_that_lies_about_a_size_is_damage() {
    let mut header = tar::Header::new_gnu();
    header.set_path("t/liar").unwrap();
    header.set_size(1 << 40);
    header.set_mode(0o644);
    header.set_cksum();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut packed, header.as_bytes()).unwrap();
    let (outcome, ..) = run(&packed.finish().unwrap(), Caps::default(), &|_| true);
    assert!(outcome.is_err());
}

#[test]
fn one_top_folder_is_demanded() {
    assert!(refused(&[file("t/a", ""), file("u/b", "")]).contains("outside the top folder"));
    assert!(refused(&[file("a", "")]).contains("beside the top folder"));
}

#[test]
fn twins_are_refused() {
    assert!(refused(&[file("t/a", "1"), file("t/a", "2")]).contains("comes twice"));
    assert!(refused(&[file("t/a", ""), file("t/A", "")]).contains("only in case"));
    assert!(refused(&[file("t/d/a", ""), file("t/D/b", "")]).contains("only in case"));
    assert!(refused(&[file("t/ß/é", ""), file("t/ß/É", "")]).contains("only in case"));
}

#[test]
fn links_out_of_the_tree_are_refused() {
    for target in ["../../etc", "/etc/passwd", "x/../../y", ""] {
        assert!(refused(&[link("t/d/l", target)]).contains("out of the tree"), "{target}");
    }
}

#[test]
fn nothing_is_written_through_a_link() {
    let through = refused(&[link("t/l", "d"), file("t/l/a", "")]);
    assert!(through.contains("below a file or a link"), "{through}");
}

#[test]
fn other_kinds_are_refused() {
    for kind in [EntryType::Link, EntryType::Fifo, EntryType::Char, EntryType::GNUSparse] {
        refused(&[special("t/x", kind)]);
    }
}

#[test]
fn a_truncated_archive_is_damaged_wherever_it_ends() {
    let whole = fixture::sample_archive();
    for end in (0..whole.len()).step_by(7).chain([whole.len() - 1]) {
        let (outcome, ..) = run(&whole[..end], Caps::default(), &|_| true);
        assert!(matches!(outcome, Err(UnpackError::Damaged { .. })), "cut at {end}: {outcome:?}");
    }
}

#[test]
fn a_flipped_check_sum_is_damaged() {
    let mut bytes = fixture::sample_archive();
    let place = bytes.len() - 6;
    bytes[place] ^= 1;
    let (outcome, ..) = run(&bytes, Caps::default(), &|_| true);
    assert!(matches!(outcome, Err(UnpackError::Damaged { .. })));
}

#[test]
fn bombs_are_stopped() {
    let zeros = Item { data: vec![0; 40 << 20], ..file("t/zeros", "") };
    let bytes = archive(&[zeros]);
    let (by_ratio, ..) = run(&bytes, Caps::default(), &|_| false);
    assert!(by_ratio.unwrap_err().to_string().contains("bytes for each packed byte"));
    let (by_size, ..) = run(&bytes, Caps { bytes: 1 << 20, ..Caps::default() }, &|_| false);
    assert!(by_size.unwrap_err().to_string().contains("1048576 bytes"));
    let many: Vec<Item> = (0..11).map(|n| file(&format!("t/{n}"), "")).collect();
    let (by_count, ..) = run(&archive(&many), Caps { entries: 10, ..Caps::default() }, &|_| false);
    assert!(by_count.unwrap_err().to_string().contains("10 entries"));
}
