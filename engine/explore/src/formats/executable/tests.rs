#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use crate::{Exploration, Input, Profile, Project, explore};

fn look(name: &str, bytes: &[u8]) -> Exploration {
    explore(&Input::memory(name, bytes), &Project::default(), Profile::Enhancement)
}

/// The header of a 64-bit ELF file that claims a number of sections at an offset.
fn elf(sections: u16, offset: u64) -> Vec<u8> {
    let mut bytes = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x02\0\x3e\0\x01\0\0\0".to_vec();
    bytes.extend([0; 16]);
    bytes.extend(offset.to_le_bytes());
    bytes.extend([0, 0, 0, 0, 64, 0, 56, 0, 0, 0, 64, 0]);
    bytes.extend(sections.to_le_bytes());
    bytes.extend([0, 0]);
    bytes
}

#[test]
fn a_header_that_lies_about_its_sections_is_malformed() {
    for bytes in [elf(60_000, 64), elf(3, u64::MAX - 7), elf(1, 1 << 40)] {
        let found = look("a.so", &bytes);
        assert!(found.malformed.is_some(), "{found:?}");
        assert_eq!(
            (&found.json()["format"], &found.json()["arch"]["arch"]),
            (&"elf".into(), &"x86_64".into())
        );
    }
    let found = look("a.so", &elf(0, 0));
    assert_eq!((found.malformed.clone(), &found.json()["kind"]), (None, &"executable".into()));
    for bytes in [&b"\x7fELF"[..], b"MZ\x90\0\0\0\0\0", b"\xcf\xfa\xed\xfe\x07", b"\0\0\0\0\0\0"] {
        let found = look("a.exe", bytes);
        assert!(found.success && !found.summary.is_empty());
    }
}

#[test]
fn a_module_of_webassembly_is_read() {
    let mut bytes = b"\0asm\x01\0\0\0".to_vec();
    bytes.extend(b"\x02\x09\x01\x01m\x02fn\0\0\x00");
    bytes.extend(b"\x03\x02\x01\0\x07\x08\x01\x04main\0\x01");
    let found = look("a.wasm", &bytes);
    assert_eq!(found.json()["exported_symbols"][0]["name"], "main");
    assert_eq!(found.json()["imported_symbols"][0]["from"], "m");
    assert_eq!(found.json()["counts"]["functions"], 1);
    bytes.extend(b"\x0a\xff\xff\xff\xff\x0f");
    assert!(look("a.wasm", &bytes).malformed.is_some());
}

#[test]
fn members_of_a_library_are_listed() {
    let mut bytes = b"!<arch>\n".to_vec();
    bytes.extend(
        format!("{:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", "a.o/", 0, 0, 0, 644, 3).as_bytes(),
    );
    bytes.extend(b"abc\n");
    let found = look("a.a", &bytes);
    assert_eq!(found.json()["members"][0]["name"], "a.o");
    assert_eq!(found.malformed, None);
    bytes.extend(b"rubbish");
    assert!(look("a.a", &bytes).malformed.is_some());
}
