//! What the first bytes say: magic numbers, and texts whose extension has two meanings.

use serde::Serialize;

use super::table::{Explorer, Family, by_id};
use crate::text::{Text, looks_like_text};

/// A file whose content is not what its name promises.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Contradiction {
    /// The explorer that the name asks for.
    pub promised: &'static str,
    /// The explorer that the content asks for.
    pub found: &'static str,
}

/// Magic numbers: offset, bytes, explorer. The first that fits decides.
const MAGIC: &[(usize, &[u8], &str)] = &[
    (0, b"SQLite format 3\0", "sqlite"),
    (0, b"%PDF-", "pdf"),
    (0, b"\x7fELF", "executable"),
    (0, b"\0asm", "executable"),
    (0, b"\xfe\xed\xfa\xce", "executable"),
    (0, b"\xfe\xed\xfa\xcf", "executable"),
    (0, b"\xce\xfa\xed\xfe", "executable"),
    (0, b"\xcf\xfa\xed\xfe", "executable"),
    (0, b"!<arch>\n", "archive"),
    (0, b"\x89PNG\r\n\x1a\n", "image"),
    (0, b"\xff\xd8\xff", "image"),
    (0, b"GIF87a", "image"),
    (0, b"GIF89a", "image"),
    (0, b"II*\0", "image"),
    (0, b"MM\0*", "image"),
    (0, b"\0\0\x01\0", "image"),
    (8, b"WEBP", "image"),
    (0, b"8BPS", "image"),
    (0, b"PK\x03\x04", "archive"),
    (0, b"PK\x05\x06", "archive"),
    (0, b"\x1f\x8b", "archive"),
    (0, b"BZh", "archive"),
    (0, b"\xfd7zXZ\0", "archive"),
    (0, b"\x28\xb5\x2f\xfd", "archive"),
    (0, b"7z\xbc\xaf\x27\x1c", "archive"),
    (0, b"Rar!\x1a\x07", "archive"),
    (257, b"ustar", "archive"),
];

/// The explorer that magic bytes ask for. Formats whose magic is two letters (BMP, DOS programs)
/// need a binary content besides, so that no text beginning with them is misread.
pub fn by_magic(head: &[u8]) -> Option<&'static Explorer> {
    let at = |offset: usize, magic: &[u8]| {
        head.get(offset..).is_some_and(|rest| rest.starts_with(magic))
    };
    if let Some((_, _, id)) = MAGIC.iter().find(|(offset, magic, _)| at(*offset, magic)) {
        return Some(by_id(id));
    }
    let id = if at(0, b"MZ") {
        "executable"
    } else if at(0, b"BM") {
        "image"
    } else if at(0, b"\xca\xfe\xba\xbe") {
        // A fat Mach-O file has few architectures; a Java class file a version above 44 there.
        let fat = head.get(4..8).is_some_and(|count| count[..3] == [0, 0, 0] && count[3] < 20);
        if fat { "executable" } else { "binary" }
    } else {
        return None;
    };
    (!looks_like_text(head)).then(|| by_id(id))
}

/// The explorer of a content that contradicts its name: another magic number, bytes where text
/// was promised, or text where bytes were.
pub fn contradicts(named: &'static Explorer, head: &[u8]) -> Option<&'static Explorer> {
    if head.is_empty() {
        return None;
    }
    match (named.family, by_magic(head)) {
        // An archive inside is what many binary formats are made of.
        (Family::Binary, Some(found)) => {
            let real = found.id != named.id
                && found.id != "archive"
                && !(named.id == "binary" || named.id == "executable" && found.id == "binary");
            real.then_some(found)
        }
        (_, Some(found)) => (found.id != named.id).then_some(found),
        (Family::Binary, None) => (looks_like_text(head)
            && !matches!(named.id.as_str(), "binary" | "image" | "executable"))
        .then(|| by_id("text")),
        (Family::Code | Family::Data | Family::Text, None) => {
            (named.id != "sqlite" && !looks_like_text(head)).then(|| by_id("binary"))
        }
    }
}

/// Extensions that have several meanings.
const AMBIGUOUS: &[&str] =
    &["h", "m", "ts", "res", "conf", "config", "rules", "out", "err", "bin", "log"];

/// The explorer of a text whose extension has several meanings.
pub fn refine(named: &'static Explorer, name: &str, head: &[u8]) -> &'static Explorer {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    if !AMBIGUOUS.contains(&extension) {
        return named;
    }
    let text = Text::decode(head).text;
    let begins = |word: &str| text.lines().any(|line| line.trim_start().starts_with(word));
    match extension {
        "h" if begins("@interface") || begins("@protocol") || begins("#import") => by_id("objc"),
        "h" if cpp(&text) => by_id("cpp"),
        "m" if objective_c(&text) => by_id("objc"),
        "m" => by_id("matlab"),
        "ts" | "res" | "conf" | "config"
            if text.trim_start().starts_with("<?xml")
                || text.trim_start().starts_with("<!DOCTYPE TS") =>
        {
            by_id("xml")
        }
        "rules" if !text.lines().any(|line| line.contains("==\"") || line.contains("=\"")) => {
            by_id("text")
        }
        "out" | "err" | "bin" if looks_like_text(head) => by_id("log"),
        "log" if text.contains("%!TEX") => by_id("log"),
        _ => named,
    }
}

/// The explorer of a text without a telling name.
pub fn by_text(head: &[u8]) -> Option<&'static Explorer> {
    let text = Text::decode(head).text;
    let start = text.trim_start_matches('\u{feff}').trim_start();
    let id = if start.starts_with("<?xml") {
        "xml"
    } else if start.get(..14).is_some_and(|tag| tag.eq_ignore_ascii_case("<!doctype html"))
        || start.get(..5).is_some_and(|tag| tag.eq_ignore_ascii_case("<html"))
    {
        "html"
    } else if start.starts_with("<?php") {
        "php"
    } else if start.starts_with("\\documentclass") {
        "latex"
    } else if start.starts_with("{\"")
        || start.starts_with("[{\"")
        || start.starts_with("{\n") && start.contains("\": ")
    {
        "json"
    } else if start.starts_with("%YAML") || start.starts_with("---\n") {
        "yaml"
    } else if crate::formats::looks_like_log(&text) {
        "log"
    } else {
        return None;
    };
    Some(by_id(id))
}

/// C++ rather than C: declarations that C has not, at the beginning of a line.
fn cpp(text: &str) -> bool {
    text.lines().any(|line| {
        let line = line.trim();
        let declares = |word: &str| line.starts_with(word) && line.ends_with(['{', ':', ';']);
        line.starts_with("template<")
            || line.starts_with("template <")
            || line.starts_with("using namespace ")
            || line.starts_with("namespace ") && !line.ends_with(['.', ','])
            || declares("class ")
            || matches!(line, "public:" | "private:" | "protected:")
    })
}

/// Objective-C rather than MATLAB: only the first has directives and C comments.
fn objective_c(text: &str) -> bool {
    text.lines().any(|line| {
        let line = line.trim_start();
        ["#import", "#include", "@implementation", "@interface", "@protocol", "@import", "//", "/*"]
            .iter()
            .any(|word| line.starts_with(word))
    })
}

#[cfg(test)]
mod tests {
    use crate::{dispatch::dispatch, input::Input};

    fn id(name: &str, bytes: &[u8]) -> String {
        dispatch(&Input::memory(name, bytes), None).unwrap().explorer.id.clone()
    }

    #[test]
    fn content_wins_where_it_contradicts_the_name() {
        assert_eq!(id("a.json", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"), "image");
        assert_eq!(id("a.py", b"\0\x01\x02\x03\0\0\0\0\0"), "binary");
        assert_eq!(id("a.docx", b"PK\x03\x04"), "archive");
        assert_eq!(id("a.pdf", b"just words"), "text");
        assert_eq!(id("BMW", b"BMW is a car\n"), "text");
    }

    #[test]
    fn ambiguous_extensions_are_decided_by_content() {
        assert_eq!(id("a.h", b"int f(void);\n"), "c");
        assert_eq!(id("a.h", b"namespace a { class B; }\n"), "cpp");
        assert_eq!(id("a.h", b"@interface A : NSObject\n@end\n"), "objc");
        assert_eq!(id("a.m", b"#import \"a.h\"\n"), "objc");
        assert_eq!(id("a.m", b"% comment\nfunction y = f(x)\n"), "matlab");
        assert_eq!(id("a.ts", b"<?xml version=\"1.0\"?><TS></TS>"), "xml");
        assert_eq!(id("noname", b"#!/usr/bin/env python3\n"), "python");
        assert_eq!(id("noname", b"<?xml version=\"1.0\"?>"), "xml");
        assert_eq!(id("noname", b"words"), "text");
        assert_eq!(id("messages", b"Jan  2 03:04:05 a b: c\nJan  2 03:04:06 a b: d\n"), "log");
        assert_eq!(id("noname", b"Jan  2 03:04:05 a: one line of many\nwords\nwords\n"), "text");
        assert_eq!(id("empty.py", b""), "python");
    }

    #[test]
    fn every_key_in_the_code_is_in_the_table() {
        for (_, _, key) in super::MAGIC {
            assert_eq!(super::by_id(key).id, *key);
        }
    }
}
