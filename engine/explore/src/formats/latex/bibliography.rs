//! BibTeX files: entries with a kind, a key and fields.

use super::{
    Document,
    fields::{Bibliography, Entry},
};
use base::secrets::Secrets;

use crate::{findings::cut, lines::LineStarts, masked::shortened};

/// Longest value that is kept, in characters.
const VALUE: usize = 300;

/// Reads the entries; text between them is a comment.
pub fn read(text: &str, starts: &LineStarts) -> Document {
    let mut document = Document {
        bibliography: Bibliography { kind: "bibtex", ..Bibliography::default() },
        ..Document::default()
    };
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr::memchr(b'@', rest)) {
        let start = at + found;
        let kind: String = bytes
            .get(start + 1..)
            .unwrap_or_default()
            .iter()
            .take_while(|byte| byte.is_ascii_alphabetic())
            .map(|byte| char::from(byte.to_ascii_lowercase()))
            .take(100)
            .collect();
        let rest = text.get(start + 1 + kind.len()..).unwrap_or_default();
        let open = start + 1 + kind.len() + (rest.len() - rest.trim_start().len());
        let close = match bytes.get(open) {
            Some(b'{') if !kind.is_empty() => b'}',
            Some(b'(') if !kind.is_empty() => b')',
            _ => {
                at = start + 1;
                continue;
            }
        };
        if kind == "comment" {
            at = open + 1;
            continue;
        }
        let Some(end) = closing(bytes, open, close) else {
            let what = format!("the entry of kind {kind} is never closed");
            document.error.get_or_insert((what, starts.line(start)));
            // Complete entries may still follow.
            at = open + 1;
            if document.entries.len() > 100_000 {
                break;
            }
            continue;
        };
        at = end + 1;
        if kind == "string" || kind == "preamble" {
            continue;
        }
        let inside = text.get(open + 1..end).unwrap_or_default();
        let (key, body) = inside.split_once(',').unwrap_or((inside, ""));
        let fields = fields(body);
        let value = |name: &str| {
            fields.iter().find(|(field, _)| field == name).map(|(_, value)| value.clone())
        };
        document.entries.push(Entry {
            kind,
            key: cut(key.trim(), VALUE),
            title: value("title"),
            year: value("year").or_else(|| value("date")),
            fields: fields.len(),
            line: starts.line(start),
        });
    }
    document
}

/// The sign that closes an entry. An unclosed entry ends where a line begins the next entry, so
/// that the search never runs through the whole file for each of them.
fn closing(bytes: &[u8], open: usize, close: u8) -> Option<usize> {
    let mut depth = 0_usize;
    let mut line_start = false;
    for (index, byte) in bytes.iter().enumerate().skip(open + 1) {
        match byte {
            b'{' => depth += 1,
            b'}' if depth > 0 => depth -= 1,
            byte if *byte == close && depth == 0 => return Some(index),
            b'@' if line_start => return None,
            _ => {}
        }
        line_start = *byte == b'\n';
    }
    None
}

/// The fields of an entry with their values, without the surrounding braces or quotes.
fn fields(body: &str) -> Vec<(String, String)> {
    let bytes = body.as_bytes();
    let mut fields = Vec::new();
    let mut start = 0;
    let (mut depth, mut quoted) = (0_usize, false);
    for (index, byte) in bytes.iter().enumerate().chain([(bytes.len(), &b',')]) {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            b'"' if depth == 0 => quoted = !quoted,
            b',' if index == bytes.len() || depth == 0 && !quoted => {
                let field = body.get(start..index).unwrap_or_default();
                start = index + 1;
                if let Some((name, value)) = field.split_once('=') {
                    let value = value.trim();
                    let bare = value
                        .strip_prefix(['{', '"'])
                        .and_then(|value| value.strip_suffix(['}', '"']))
                        .unwrap_or(value);
                    let short: String = bare.chars().take(4 * VALUE).collect();
                    let folded = short.split_whitespace().collect::<Vec<_>>().join(" ");
                    // A value that is cut is masked here, whether or not secrets are shown.
                    let value = shortened(Secrets::Masked, &folded, VALUE);
                    fields.push((name.trim().to_lowercase(), value));
                }
            }
            _ => {}
        }
    }
    fields
}
