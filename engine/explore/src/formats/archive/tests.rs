#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "../../../tests/support/zip.rs"]
mod zip;

use crate::{Exploration, Input, Profile, Project, explore};

fn look(name: &str, bytes: &[u8]) -> Exploration {
    explore(&Input::memory(name, bytes), &Project::default(), Profile::Enhancement)
}

use std::io::Write;

use flate2::{Compression, write::GzEncoder};
use zip::zip;

#[test]
fn a_zip_is_listed_and_a_lie_in_it_is_told() {
    let found = look("a.zip", &zip([("d/", 0), ("d/a.txt", 5)], 2));
    assert_eq!(
        (&found.json()["entry_count"], &found.json()["directory_count"]),
        (&2.into(), &1.into())
    );
    assert_eq!(found.malformed, None);
    let found = look("a.zip", &zip([("a.txt", 5)], 60_000));
    assert!(found.malformed.is_some());
    assert_eq!(found.json()["entries"][0]["path"], "a.txt");
    let whole = zip([("a.txt", 0), ("b.txt", 0)], 2);
    let found = look("a.zip", &whole[..whole.len() / 3]);
    assert!(found.malformed.is_some());
    assert_eq!(found.json()["entries"][0]["path"], "a.txt");
    // Sizes that only a decompression bomb has are shown with a warning, and nothing is unpacked.
    let found = look("a.zip", &zip([("bomb", 4_000_000_000)], 1));
    assert!(found.summary.contains("more than 200 times its size"));
}

fn tar(names: &[&str]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for name in names {
        let mut header = tar::Header::new_gnu();
        header.set_size(3);
        header.set_cksum();
        builder.append_data(&mut header, name, &b"abc"[..]).unwrap();
    }
    builder.into_inner().unwrap()
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn tapes_are_listed_packed_or_not_and_cut_off() {
    let long = "long/".repeat(60) + "name.txt";
    let whole = tar(&["a/b.txt", &long]);
    for (name, bytes) in [("a.tar", whole.clone()), ("a.tar.gz", packed(&whole))] {
        let found = look(name, &bytes);
        assert_eq!(found.json()["entries"][0]["path"], "a/b.txt", "{name}");
        assert_eq!(found.json()["entries"][1]["path"], long.as_str(), "{name}");
        assert_eq!((&found.json()["total_uncompressed_size"], found.malformed), (&6.into(), None));
    }
    let found = look("a.tar", &whole[..700]);
    assert!(found.malformed.is_some());
    let found = look("a.tar.gz", &packed(&whole)[..60]);
    assert!(found.success && found.malformed.is_some());
}

#[test]
fn a_bomb_is_unpacked_up_to_the_cap() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    let block = vec![0; 1 << 20];
    for _ in 0..257 {
        encoder.write_all(&block).unwrap();
    }
    let found = look("a.gz", &encoder.finish().unwrap());
    assert_eq!((found.malformed.clone(), &found.json()["entries_complete"]), (None, &false.into()));
    assert_eq!(found.json()["total_uncompressed_size"], super::UNPACKED);
}

/// A directory and two files, packed with the common programs.
const TAPES: [(&str, &[u8]); 3] = [
    ("a.tar.bz2", include_bytes!("../../../fuzz/seeds/tar/bzip2")),
    ("a.tar.xz", include_bytes!("../../../fuzz/seeds/tar/xz")),
    ("a.tar.lzma", include_bytes!("../../../fuzz/seeds/tar/lzma")),
];

#[test]
fn tapes_under_every_compression_are_listed_and_cut_off() {
    for (name, bytes) in TAPES {
        let found = look(name, bytes);
        assert_eq!(found.json()["format"], name[2..], "{name}");
        let entries = found.json()["entries"].clone();
        let paths: Vec<_> = entries.as_array().unwrap().iter().map(|one| &one["path"]).collect();
        assert_eq!(paths, ["a/", "a/b.txt", "a/c.txt"], "{name}");
        assert_eq!((&found.json()["total_uncompressed_size"], found.malformed), (&5.into(), None));
        for end in 0..bytes.len() {
            let found = look(name, &bytes[..end]);
            assert!(found.success && !found.summary.is_empty(), "{name} {end}");
            // The tar archive is complete before the checksums after it.
            assert!(found.malformed.is_some() || end > bytes.len() / 2, "{name} {end}");
        }
    }
}

#[test]
fn one_packed_file_has_the_name_without_its_end() {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(b"some text").unwrap();
    let found = look("dir/a.txt.bz2", &encoder.finish().unwrap());
    assert_eq!(found.json()["entries"][0]["path"], "a.txt");
    assert_eq!((&found.json()["entries"][0]["size"], found.malformed), (&9.into(), None));
}

#[test]
fn streams_that_follow_each_other_are_unpacked_up_to_the_cap() {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(&vec![0; 1 << 20]).unwrap();
    let bomb = encoder.finish().unwrap().repeat(300);
    let found = look("a.bz2", &bomb);
    assert_eq!((found.malformed.clone(), &found.json()["entries_complete"]), (None, &false.into()));
    assert_eq!(found.json()["total_uncompressed_size"], super::UNPACKED);
}

#[test]
fn a_dictionary_of_three_gibibytes_is_not_granted() {
    let mut bytes = TAPES[2].1.to_vec();
    bytes[1..5].copy_from_slice(&0xc000_0000_u32.to_le_bytes());
    let found = look("a.lzma", &bytes);
    assert_eq!((found.malformed.clone(), &found.json()["entries_complete"]), (None, &false.into()));
    assert!(found.summary.contains("needs more than 263168 KiB"), "{}", found.summary);
}

#[test]
fn totals_count_entries_that_are_not_listed() {
    let names: Vec<String> = (0..100_010).map(|number| format!("f{number}.x")).collect();
    let found = look("a.zip", &zip(names.iter().map(|name| (name.as_str(), 3)), 65_535));
    let fields = found.json();
    assert_eq!(fields["entries"].as_array().unwrap().len(), 100_000);
    assert_eq!(
        [&fields["entry_count"], &fields["file_count"], &fields["total_uncompressed_size"]]
            .map(|count| count.as_u64().unwrap()),
        [100_010, 100_010, 300_030]
    );
    assert_eq!(
        (&fields["extensions"]["x"], &fields["entries_complete"]),
        (&100_010.into(), &false.into())
    );
}
