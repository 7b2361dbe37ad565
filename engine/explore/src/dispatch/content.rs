//! Detection by the first bytes: magic numbers, and texts whose extension has two meanings.

use saphyr_parser::{Event, Parser};
use serde::Serialize;

use super::table::{Explorer, Family, by_id};
use crate::{
    formats::{le16, le32, looks_like_table},
    input::HEAD,
    text::{Text, looks_like_text},
};

/// A file whose content contradicts its name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Contradiction {
    /// The explorer that the name suggests.
    pub promised: &'static str,
    /// The explorer that the content requires.
    pub found: &'static str,
}

/// Magic numbers: offset, bytes, explorer. The first match decides.
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
    (0, b"\0\0\0\x0cjP  \r\n\x87\n", "image"),
    (0, b"II+\0\x08\0\0\0", "image"),
    (0, b"MM\0+\0\x08\0\0", "image"),
    (4, b"ftypavif", "image"),
    (4, b"ftypheic", "image"),
    (4, b"ftypmif1", "image"),
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

/// The explorer for magic bytes. Formats with only two letters of magic (BMP, DOS programs) also
/// require binary content, so that no text beginning with these letters is misread.
pub fn by_magic(head: &[u8]) -> Option<&'static Explorer> {
    let at = |offset: usize, magic: &[u8]| {
        head.get(offset..).is_some_and(|rest| rest.starts_with(magic))
    };
    if let Some((_, _, id)) = MAGIC.iter().find(|(offset, magic, _)| at(*offset, magic)) {
        return Some(by_id(id));
    }
    if icon(head) {
        return Some(by_id("image"));
    }
    let id = if at(0, b"MZ") {
        "executable"
    } else if at(0, b"BM") {
        "image"
    } else if at(0, b"\xca\xfe\xba\xbe") {
        // In this place a fat Mach-O file has its small number of architectures, and a Java class
        // file has a version of at least 45.
        let fat = head.get(4..8).is_some_and(|count| count[..3] == [0, 0, 0] && count[3] < 20);
        if fat { "executable" } else { "binary" }
    } else {
        return None;
    };
    (!looks_like_text(head)).then(|| by_id(id))
}

/// Whether bytes begin as a Windows icon or cursor does. Its four magic bytes are mostly zeros, so
/// its first picture must also have a size and lie after the list of pictures; otherwise it is
/// Apple's `icns`.
fn icon(head: &[u8]) -> bool {
    if head.starts_with(b"icns") {
        return !looks_like_text(head);
    }
    let number = |at: usize| le16(head, at).unwrap_or(0);
    let (count, reserved) = (number(4), head.get(9));
    let offset = le32(head, 18).unwrap_or(0);
    head.starts_with(&[0, 0])
        && matches!(number(2), 1 | 2)
        && (1..=256).contains(&count)
        && reserved == Some(&0)
        && le32(head, 14).is_some_and(|size| size > 0)
        && (6 + 16 * count..1 << 24).contains(&offset)
}

/// The explorer for a content that contradicts the name: it has another magic number, or it is
/// binary where the name promises text, or the other way round.
pub fn contradicts(named: &'static Explorer, head: &[u8]) -> Option<&'static Explorer> {
    if head.is_empty() {
        return None;
    }
    match (named.family, by_magic(head)) {
        // Many binary formats are archives inside.
        (Family::Binary, Some(found)) => {
            let real = found.id != named.id
                && found.id != "archive"
                && !(named.id == "binary" || named.id == "executable" && found.id == "binary");
            real.then_some(found)
        }
        (_, Some(found)) => (found.id != named.id).then_some(found),
        // Some images consist of text, and `.dat` files may contain anything.
        (Family::Binary, None) => (looks_like_text(head)
            && named.id != "binary"
            && !matches!(head, [b'P', b'1'..=b'7', ..]))
        .then(|| by_text(head).unwrap_or_else(|| by_id("text"))),
        (Family::Code | Family::Data | Family::Text, None) => {
            (named.id != "sqlite" && !looks_like_text(head)).then(|| by_id("binary"))
        }
    }
}

/// Extensions that have several meanings.
const AMBIGUOUS: &[&str] = &[
    "h", "m", "ts", "res", "conf", "config", "cfg", "cnf", "rules", "out", "err", "bin", "dat",
    "log", "txt",
];

/// Whether an extension of programs is also used for text files, such as those of Erlang
/// applications.
pub fn has_text_meaning(name: &str) -> bool {
    name.ends_with(".app") || name.ends_with(".sys")
}

/// The explorer of a text whose extension has several meanings; `None` if its content matches none
/// of them.
pub fn refine(named: &'static Explorer, name: &str, head: &[u8]) -> Option<&'static Explorer> {
    // Extracted as in the table of extensions, which selected the explorer.
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension).to_lowercase();
    if !AMBIGUOUS.contains(&extension.as_str()) || !looks_like_text(head) || head.is_empty() {
        return Some(named);
    }
    let text = Text::decode(head).text;
    let begins = |word: &str| text.lines().any(|line| line.trim_start().starts_with(word));
    Some(match extension.as_str() {
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
        // The blocks of nginx and Apache are not keys.
        "conf" | "config" | "cfg" | "cnf" if blocks(&text) => return None,
        "rules" if !text.lines().any(|line| line.contains("==\"") || line.contains("=\"")) => {
            by_id("text")
        }
        // One record per line is a log; one record over all lines is a document.
        "out" | "err" if json(&text) && !begins_twice(&text) => by_id("json"),
        "out" | "err" => by_id("log"),
        "dat" | "bin" => return by_text(head),
        "txt" if looks_like_table(text.as_bytes(), head.len() < HEAD) => by_id("csv"),
        _ => named,
    })
}

/// Whether a text has blocks in braces or tags of Apache, and no section in brackets.
fn blocks(text: &str) -> bool {
    let lines = || text.lines().map(str::trim);
    let any = |fits: fn(&str) -> bool| lines().any(fits);
    let tag = |line: &str| line.starts_with("</") && line.ends_with('>');
    let opens = |line: &str| {
        line.ends_with('{') && !line.contains(['=', '"']) && !line.starts_with(['#', ';'])
    };
    let section = |line: &str| line.starts_with('[') && line.ends_with(']');
    !any(section) && (any(tag) || any(opens) && any(|line| line == "}"))
}

/// Whether a text begins as a JSON document.
fn json(text: &str) -> bool {
    let mut signs = text.chars().filter(|sign| !sign.is_whitespace());
    matches!(
        (signs.next(), signs.next()),
        (Some('{'), Some('"' | '}')) | (Some('['), Some('{' | '[' | ']' | '"'))
    )
}

/// Whether the second line begins a JSON object as the first does.
fn begins_twice(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let begins = |line: Option<&str>| line.is_some_and(|line| line.starts_with("{\""));
    begins(lines.next()) && begins(lines.next())
}

/// The explorer of a text whose name does not tell.
pub fn by_text(head: &[u8]) -> Option<&'static Explorer> {
    let text = Text::decode(head).text;
    let start = text.trim_start_matches('\u{feff}').trim_start();
    let id = if start.starts_with("<?xml") || declares_namespace(start) {
        "xml"
    } else if start.get(..14).is_some_and(|tag| tag.eq_ignore_ascii_case("<!doctype html"))
        || start.get(..5).is_some_and(|tag| tag.eq_ignore_ascii_case("<html"))
    {
        "html"
    } else if start.starts_with("<?php") {
        "php"
    } else if start.starts_with("\\documentclass") {
        "latex"
    } else if json(start) && start.contains("\":") {
        "json"
    } else if start.starts_with("%YAML")
        || start.starts_with("---\n") && yaml(start, head.len() < HEAD)
    {
        "yaml"
    } else if crate::formats::looks_like_log(&text) {
        "log"
    } else {
        return None;
    };
    Some(by_id(id))
}

/// Whether a text begins with a tag that declares a namespace, as XML without an XML declaration
/// does.
fn declares_namespace(text: &str) -> bool {
    let tag = text.strip_prefix('<').and_then(|rest| rest.split('>').next()).unwrap_or_default();
    tag.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && [" xmlns=", " xmlns:", "\nxmlns"].iter().any(|word| tag.contains(word))
        && !tag.to_ascii_lowercase().starts_with("html")
}

/// Whether a text that begins with `---` is YAML. A complete text is YAML if a parser reads it to
/// its end. For an incomplete one the lines decide: each must begin with a key, an item, a comment
/// or a bracket. Prose after a head of keys, as in notes and snapshots, usually passes neither
/// test.
fn yaml(text: &str, is_whole: bool) -> bool {
    if is_whole {
        let mut events = Parser::new_from_str(text);
        // A document that is a mere text is the prose after a head of keys.
        let mut begins = false;
        return loop {
            match events.next_event() {
                None | Some(Ok((Event::StreamEnd, _))) => break true,
                Some(Ok((Event::Scalar(text, ..), _))) if begins && !text.is_empty() => {
                    break false;
                }
                Some(Ok((event, _))) => begins = matches!(event, Event::DocumentStart(_)),
                Some(Err(_)) => break false,
            }
        };
    }
    let whole = text.rsplit_once('\n').map_or(text, |(whole, _)| whole);
    let fits = |line: &str| {
        line.is_empty()
            || line.starts_with([' ', '\t', '#', '-', '[', ']', '{', '}', '%', '!', '&', '?'])
            || line.ends_with(':')
            || line.contains(": ")
            || line == "..."
    };
    whole.lines().all(fits)
        && whole.lines().any(|line| line.contains(':') || line.starts_with("- "))
}

/// Whether a header is C++ rather than C: it has declarations at the beginning of a line that C
/// does not have.
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

/// Whether a text is Objective-C rather than MATLAB: only the former has directives and C comments.
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
    use crate::{
        dispatch::{Evidence, dispatch},
        input::Input,
    };

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
    fn the_content_decides_what_a_name_leaves_open() {
        let rows: [(&str, &[u8], &str); 32] = [
            ("a.Rmd", b"---\ntitle: A\n---\n\nWords.\n", "markdown"),
            ("a.qmd", b"---\ntitle: A\n---\n\nWords.\n", "markdown"),
            ("a.snap", b"---\nsource: a\n---\nfn f() { \"a: b\" }: c\n", "text"),
            ("a.snap", b"---\nsource: a\n---\nx = 1\n", "text"),
            ("a.unknown", b"---\ntitle: A\n---\n\n# Notes\n\nWords.\n", "text"),
            ("a.unknown", b"---\nOne line of words.\n", "text"),
            ("Gemfile.lock", b"GEM\n  specs:\n    rake (13.0.6)\n", "text"),
            ("Gemfile", b"gem 'rake'\n", "ruby"),
            ("a.unknown", b"---\ntitle: A\n---\n# Notes\nA word: and words.\nMore.\n", "text"),
            ("a.unknown", b"---\na: 1\nb:\n- 2\n---\n# c\nd: 3\n", "yaml"),
            ("my.cnf", b"[mysqld]\nport = 3306\n", "ini"),
            ("a.rng", b"<grammar xmlns=\"u\">\n</grammar>\n", "xml"),
            ("a.jspx", b"<jsp:root xmlns:jsp=\"u\"/>", "xml"),
            ("a.ttx", b"<ttFont>\n</ttFont>\n", "xml"),
            ("a.unknown", b"<a xmlns='u'>\n</a>\n", "xml"),
            ("a.unknown", b"<a>\n</a>\n", "text"),
            ("nginx.conf", b"user www;\nhttp {\n  server {\n  }\n}\n", "text"),
            ("httpd.conf", b"Listen 80\n<Directory /a>\n  Require all\n</Directory>\n", "text"),
            ("a.conf", b"[a]\nb = {\nc = 1\n", "ini"),
            ("a.out", b"{\n  \"a\": [1]\n}\n", "json"),
            ("a.out", b"{\"level\":\"info\"}\n{\"level\":\"warn\"}\n", "log"),
            ("a.out", b"linking\nerror: no\n", "log"),
            ("a.app", b"{application, a,\n [{vsn, \"1\"}]}.\n", "text"),
            ("a.txt", b"n x y\na 1 2\nb 3 4\nc 5 6\nd 7 8\n", "csv"),
            ("A.TXT", b"n x y\na 1 2\nb 3 4\nc 5 6\nd 7 8\n", "csv"),
            ("a.txt", b"A line, and words.\nAnother, and more.\n", "text"),
            ("a.so", b"/* GNU ld script */\nGROUP ( libc.so.6 )\n", "text"),
            ("a.png", b"version https://example.org/spec/v1\noid sha256:0\n", "text"),
            ("a.pgm", b"P2\n2 2\n9\n1 2 3 4\n", "image"),
            ("a.mmdb", b"\0\0\x01\0\0\x02\0\0\x03\0\0\x04\0\0\x05\0\0\x06\0\0\x07", "binary"),
            ("a.jp2", b"\0\0\0\x0cjP  \r\n\x87\n\0\0", "image"),
            ("noname", b"icns\0\0\0\x10ic07\0\0\0\x08", "image"),
        ];
        for (name, bytes, expected) in rows {
            assert_eq!(id(name, bytes), expected, "{name} {}", String::from_utf8_lossy(bytes));
        }
        let icon = b"\0\0\x02\0\x01\0\x20\x20\0\0\0\0\0\0\x08\0\0\0\x16\0\0\0\0\0\0\0";
        assert_eq!(id("noname", icon), "image");
    }

    #[test]
    fn what_is_not_recognised_is_said() {
        let evidence = |name: &str, bytes: &[u8]| {
            dispatch(&Input::memory(name, bytes), None).unwrap().evidence
        };
        assert_eq!(evidence("a.py", b"x = 1\n"), Evidence::Name);
        assert_eq!(evidence("a.png", b"words\n"), Evidence::Contradiction);
        assert_eq!(evidence("run", b"#!/bin/sh\n"), Evidence::Shebang);
        assert_eq!(evidence("data", b"%PDF-1.7\n"), Evidence::Magic);
        assert_eq!(evidence("data", b"<?xml version='1.0'?>"), Evidence::Text);
        for (name, bytes) in [("data", &b"words\n"[..]), ("a.conf", b"a {\n}\n"), ("a", b"\0\x01")]
        {
            assert_eq!(evidence(name, bytes), Evidence::None, "{name}");
        }
    }

    #[test]
    fn every_key_in_the_code_is_in_the_table() {
        for (_, _, key) in super::MAGIC {
            assert_eq!(super::by_id(key).id, *key);
        }
    }
}
