//! The encoding that a text declares.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// Number of bytes at the start of a text in which a declaration is searched.
const HEAD: usize = 1024;

/// The encoding declared by an XML declaration, a `meta` element of HTML, `@charset` in CSS, or a
/// comment on one of the first two lines (PEP 263; editors accept it in other languages as well).
/// `None` if nothing is declared, or an unknown encoding. A declared UTF-16 counts as UTF-8,
/// because otherwise the declaration could not have been read.
pub fn encoding(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = bytes.get(..bytes.len().min(HEAD)).unwrap_or_default();
    let head: String = head.iter().map(|byte| char::from(*byte)).collect();
    let label = xml(&head)
        .or_else(|| html(&head))
        .or_else(|| css(&head))
        .or_else(|| head.lines().take(2).find_map(comment))?;
    let found = known(label)?;
    Some(if found == UTF_16LE || found == UTF_16BE { UTF_8 } else { found })
}

/// The encoding for a label, as used on the web or by Python (`latin-1`, `euc_jp`).
fn known(label: &str) -> Option<&'static Encoding> {
    let label = label.to_ascii_lowercase();
    // Editors append the kind of line ends.
    let label = label.trim_end_matches("-unix").trim_end_matches("-dos");
    [label.to_owned(), label.replace('_', "-"), label.replace(['-', '_'], "")]
        .iter()
        .find_map(|label| Encoding::for_label_no_replacement(label.as_bytes()))
}

fn xml(head: &str) -> Option<&str> {
    let declaration = head.trim_start().strip_prefix("<?xml")?.split("?>").next()?;
    value(declaration, "encoding")
}

/// The character set in the first `meta` that has one, for a text that begins like an HTML page.
fn html(head: &str) -> Option<&str> {
    let lower = head.to_ascii_lowercase();
    let start = lower.trim_start();
    if !["<!doctype html", "<html", "<head", "<meta", "<!--"]
        .iter()
        .any(|tag| start.starts_with(tag))
    {
        return None;
    }
    lower.match_indices("<meta").find_map(|(at, _)| {
        let tag = head.get(at..)?.split('>').next()?;
        value(tag, "charset")
    })
}

fn css(head: &str) -> Option<&str> {
    head.strip_prefix("@charset \"")?.split('"').next()
}

fn comment(line: &str) -> Option<&str> {
    let comment = line.trim_start().strip_prefix(['#', '%', ';'])?;
    let at = comment.find("coding")?;
    let rest = comment.get(at + "coding".len()..)?.strip_prefix([':', '='])?;
    word(rest.trim_start())
}

/// The value after a name and `=`, with or without quotes.
fn value<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let at = text.to_ascii_lowercase().find(name)?;
    let rest = text.get(at + name.len()..)?.trim_start().strip_prefix('=')?;
    word(rest.trim_start().trim_start_matches(['"', '\'']))
}

fn word(text: &str) -> Option<&str> {
    let fits = |sign: char| sign.is_ascii_alphanumeric() || "-_.:+".contains(sign);
    let word = text.get(..text.find(|sign| !fits(sign)).unwrap_or(text.len()))?;
    (!word.is_empty()).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::encoding;

    #[test]
    fn each_way_to_declare_an_encoding_is_read() {
        for (text, expected) in [
            ("<?xml version='1.0' encoding='Shift_JIS'?>", Some("Shift_JIS")),
            ("<?xml version=\"1.0\"?><a encoding='koi8-r'/>", None),
            ("<!DOCTYPE html>\n<META content='text/html; charset=EUC-KR' name=a>", Some("EUC-KR")),
            ("<html><head><meta charset=gb2312>", Some("GBK")),
            ("words about <meta charset=gb2312>", None),
            ("@charset \"ISO-8859-2\";", Some("ISO-8859-2")),
            ("#!/usr/bin/python\n# -*- coding: latin-1 -*-", Some("windows-1252")),
            ("# vim: set fileencoding=cp1251 :", Some("windows-1251")),
            ("# coding: euc_jp", Some("EUC-JP")),
            ("# coding: nonsense", None),
            ("x = 1\ny = 2\n# coding: koi8-r", None),
            ("<?xml version='1.0' encoding='UTF-16'?>", Some("UTF-8")),
        ] {
            assert_eq!(
                encoding(text.as_bytes()).map(encoding_rs::Encoding::name),
                expected,
                "{text}"
            );
        }
    }
}
