//! Hostile and damaged archives, built here.

use std::{fs, path::PathBuf};

use tar::EntryType;

use super::{Caps, UnpackError, unpack};
use crate::corpus::{
    fixture::{self, Item, archive, file, link, special},
    lock::{Form, Packing},
    tree::{self, Entry, Tree},
};

const SDIST: Form = Form { packing: Packing::GzipTar, top_folder: true };
const WHEEL: Form = Form { packing: Packing::Zip, top_folder: false };

/// Unpacks `bytes` and returns the outcome with the folder it was unpacked into.
fn run(
    bytes: &[u8],
    caps: Caps,
    keep: &dyn Fn(&str) -> bool,
) -> (Result<Tree, UnpackError>, tempfile::TempDir, PathBuf) {
    run_as(SDIST, bytes, caps, keep)
}

fn run_as(
    form: Form,
    bytes: &[u8],
    caps: Caps,
    keep: &dyn Fn(&str) -> bool,
) -> (Result<Tree, UnpackError>, tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let packed = folder.path().join("archive.tar.gz");
    fs::write(&packed, bytes).unwrap();
    let destination = folder.path().join("out");
    fs::create_dir(&destination).unwrap();
    let outcome = unpack(&packed, form, caps, keep, &destination);
    (outcome, folder, destination)
}

fn refused(items: &[Item]) -> String {
    let (outcome, folder, _) = run(&archive(items), Caps::default(), &|_| true);
    let error = outcome.expect_err("a hostile archive was accepted");
    assert_eq!(error.exit_code(), 20);
    // Everything that was written is inside the destination.
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

/// An archive inside an archive is a file like any other.
#[test]
fn an_archive_in_an_archive_stays_packed() {
    let inner = Item { data: archive(&[file("../evil", "x")]), ..file("t/inner.tar.gz", "") };
    let (outcome, folder, out) = run(&archive(&[inner]), Caps::default(), &|_| true);
    assert_eq!(outcome.unwrap().len(), 1);
    assert_eq!(fixture::names(&out), ["inner.tar.gz"]);
    assert_eq!(fixture::names(folder.path()), ["archive.tar.gz", "out"]);
}

/// A header that claims more than the stream holds leads to an error, not to a large allocation.
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

/// A wheel with these entries: name, content, Unix mode.
fn wheel(entries: &[(&str, &str, u32)]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, content, mode) in entries {
        let options = zip::write::SimpleFileOptions::default().unix_permissions(*mode);
        writer.start_file(*name, options).unwrap();
        std::io::Write::write_all(&mut writer, content.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

#[test]
fn a_wheel_has_no_top_folder() {
    let bytes = wheel(&[("p/a.py", "x = 1\n", 0o644), ("p/run", "#!/bin/sh\n", 0o755)]);
    let (outcome, _folder, out) = run_as(WHEEL, &bytes, Caps::default(), &|path| path != "p/run");
    let listed = outcome.unwrap();
    assert!(matches!(&listed["p/run"], Entry::File { executable: true, .. }));
    assert_eq!(fixture::names(&out.join("p")), ["a.py"]);
    assert_eq!(fs::read(out.join("p/a.py")).unwrap(), b"x = 1\n");
}

#[test]
fn a_hostile_wheel_is_refused() {
    let refused = |bytes: &[u8], caps: Caps| {
        let (outcome, folder, _) = run_as(WHEEL, bytes, caps, &|_| true);
        assert_eq!(fixture::names(folder.path()), ["archive.tar.gz", "out"]);
        outcome.expect_err("a hostile wheel was accepted").to_string()
    };
    for name in ["../evil", "/etc/evil", "a/../../evil", ".git/config"] {
        let why = refused(&wheel(&[("ok", "", 0o644), (name, "", 0o644)]), Caps::default());
        assert!(why.contains("is refused"), "{name}: {why}");
    }
    let twins = wheel(&[("a", "1", 0o644), ("A", "2", 0o644)]);
    assert!(refused(&twins, Caps::default()).contains("only in case"));
    let zeros = wheel(&[("zeros", &"\0".repeat(40 << 20), 0o644)]);
    assert!(refused(&zeros, Caps::default()).contains("bytes for each packed byte"));
    let many = Caps { entries: 1, ..Caps::default() };
    assert!(refused(&twins, many).contains("1 entries"));
    let whole = wheel(&[("a", "some content", 0o644)]);
    assert!(refused(&whole[..whole.len() - 8], Caps::default()).contains("damaged"));
}

#[test]
fn a_flipped_bit_in_a_wheel_is_damaged() {
    let mut bytes = wheel(&[("a", "some content", 0o644)]);
    // The content begins after the fixed header of 30 bytes and the name.
    bytes[33] ^= 1;
    let (outcome, ..) = run_as(WHEEL, &bytes, Caps::default(), &|_| true);
    assert!(matches!(outcome, Err(UnpackError::Damaged { .. })), "{outcome:?}");
}

#[test]
fn what_is_left_out_may_have_any_name() {
    let items = [file("t/a", "1"), file("t/vendor/x:y", "2"), link("t/vendor/l", "/etc/passwd")];
    let keep = |path: &str| !path.starts_with("vendor/");
    let (outcome, _folder, out) = run(&archive(&items), Caps::default(), &keep);
    assert_eq!(outcome.unwrap().len(), 3);
    assert_eq!(fixture::names(&out), ["a"]);
}

/// Packs a folder with a program of a Debian system; `None` if that is not installed.
fn packed_by(program: &str, arguments: &[&str], folder: &std::path::Path) -> Option<Vec<u8>> {
    let output = folder.join("packed");
    let mut command = std::process::Command::new(program);
    let status = command.args(arguments).arg(&output).current_dir(folder).status().ok()?;
    assert!(status.success(), "{program}");
    Some(fs::read(output).unwrap())
}

#[test]
fn a_debian_package_is_unpacked_whole() {
    let folder = tempfile::tempdir().unwrap();
    let tree = folder.path().join("tree");
    fs::create_dir_all(tree.join("DEBIAN")).unwrap();
    fs::create_dir_all(tree.join("usr/share")).unwrap();
    let control = "Package: p\nVersion: 1\nArchitecture: all\nMaintainer: us <a@b.test>\n\
                   Description: nothing\n";
    fs::write(tree.join("DEBIAN/control"), control).unwrap();
    fs::write(tree.join("usr/share/a.el"), "(provide 'a)\n").unwrap();
    let arguments = ["--root-owner-group", "--build", "tree"];
    let Some(bytes) = packed_by("dpkg-deb", &arguments, folder.path()) else { return };
    let form = Form { packing: Packing::Deb, top_folder: false };
    let (outcome, _folder, out) = run_as(form, &bytes, Caps::default(), &|_| true);
    assert_eq!(outcome.unwrap().keys().collect::<Vec<_>>(), ["usr/share/a.el"]);
    assert_eq!(fs::read(out.join("usr/share/a.el")).unwrap(), b"(provide 'a)\n");
    let (cut, ..) = run_as(form, &bytes[..bytes.len() / 2], Caps::default(), &|_| true);
    assert!(matches!(cut, Err(UnpackError::Damaged { .. })), "{cut:?}");
}

#[test]
fn an_archive_under_xz_is_read_to_its_check_sum() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("t")).unwrap();
    fs::write(folder.path().join("t/a"), "1").unwrap();
    let Some(bytes) = packed_by("tar", &["--create", "--xz", "t", "--file"], folder.path()) else {
        return;
    };
    let form = Form { packing: Packing::XzTar, top_folder: true };
    let (outcome, ..) = run_as(form, &bytes, Caps::default(), &|_| true);
    assert_eq!(outcome.unwrap().keys().collect::<Vec<_>>(), ["a"]);
    let (cut, ..) = run_as(form, &bytes[..bytes.len() - 12], Caps::default(), &|_| true);
    assert!(matches!(cut, Err(UnpackError::Damaged { .. })), "{cut:?}");
}
