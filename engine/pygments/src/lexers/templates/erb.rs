//! Scanner for ERB templates, which the comparator guesses for JavaScript that contains `<%` and
//! `%>`. The text between them is read as Ruby.

use std::ops::Range;

use super::layers::{Layers, Outside};
use crate::{cursor::Cursor, lexers::ruby};

/// Splits a text into the template's parts and the rest.
pub(super) fn split(text: &str) -> Layers {
    let cursor = Cursor::new(text);
    let (mut names, mut outside) = (Vec::new(), Outside::default());
    let mut ruby = |part: Range<usize>| {
        ruby::scan_part(cursor.slice(part.clone()), part.start, &mut names);
    };
    let mut at = 0;
    loop {
        let Some(tag) = next_tag(cursor, at) else {
            outside.add(at..cursor.len());
            return Layers { names, outside };
        };
        outside.add(at..tag.start);
        at = tag.end;
        match cursor.slice(tag.clone()) {
            "<%%" | "%%>" => outside.add(tag),
            "%>" | "-%>" => {}
            open @ ("<%" | "<%=" | "<%-" | "<%#") => {
                let close = next_tag(cursor, at);
                let end = close.as_ref().map_or(cursor.len(), |close| close.start);
                if open != "<%#" {
                    ruby(at..end);
                }
                let Some(close) = close else {
                    return Layers { names, outside };
                };
                at = close.end;
                // The next token ends the block, whatever it is.
                if !matches!(cursor.slice(close.clone()), "%>" | "-%>") {
                    outside.add(close);
                }
            }
            _ => ruby(tag.start + 1..tag.end),
        }
    }
}

/// The next tag, or the next line of Ruby after a `%`.
fn next_tag(cursor: Cursor, from: usize) -> Option<Range<usize>> {
    let tags = ["<%%", "%%>", "<%=", "<%#", "<%-", "<%", "-%>", "%>"];
    let mut at = from;
    while at < cursor.len() {
        at = cursor.ascii_run(at, |byte| !matches!(byte, b'<' | b'%' | b'-'));
        if let Some(tag) = tags.iter().find(|tag| cursor.starts(at, tag)) {
            return Some(at..at + tag.len());
        }
        let statement = cursor.byte(at) == b'%' && cursor.at_line_start(at);
        if statement && cursor.byte(at + 1) != b'%' && at + 1 < cursor.len() {
            return Some(at..cursor.line_end(cursor.after(at + 1)));
        }
        at += 1;
    }
    None
}
