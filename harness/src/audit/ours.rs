//! The engine's answer about a file, in the comparator's format.

use std::path::Path;

use base::{
    profile::Profile,
    text::{open, read::ReadError},
};
use map::{
    language::{Detected, registry},
    syntax::{Tag, TagKind, captured, needs_backfill},
};

use super::{
    compare::{Answer, TagRow},
    verify::Names,
};

/// Largest file of a corpus that is audited: 1 GiB.
const LIMIT: u64 = 1 << 30;

/// What the engine finds in a file in the parity profile.
pub fn answer(path: &Path, names: Names) -> Answer {
    let shown = path.to_string_lossy();
    let Detected::Tagged(language) = registry().detect(&shown, Profile::Parity) else {
        return Answer::default();
    };
    let mut answer = Answer {
        language: Some(language.key.to_owned()),
        tags: Some(Vec::new()),
        ..Answer::default()
    };
    let text = match open::text(path, LIMIT) {
        Ok(text) => text,
        // The comparator also only reports this, and goes on without tags.
        Err(ReadError::Encoding(_)) => return answer,
        Err(error @ (ReadError::TooLarge { .. } | ReadError::Io(_))) => {
            answer.error = Some(error.to_string());
            return answer;
        }
    };
    match captured(language, &text) {
        Ok(tags) => {
            if names == Names::All && !text.is_empty() || needs_backfill(&tags) {
                add_names(&mut answer, &shown, &text);
            }
            answer.tags = Some(rows(&tags, &text));
        }
        Err(error) => answer.error = Some(error.to_string()),
    }
    answer
}

/// Tags as the comparator's script writes them.
pub fn rows(tags: &[Tag], text: &str) -> Vec<TagRow> {
    let row = |tag: &Tag| {
        let kind = match tag.kind {
            TagKind::Definition => "def",
            TagKind::Reference => "ref",
        };
        TagRow(tag.line.into(), tag.name(text).to_owned(), kind.to_owned())
    };
    tags.iter().map(row).collect()
}

fn add_names(answer: &mut Answer, path: &str, text: &str) {
    let found = pygments::names(path, text);
    answer.lexer = found.lexer.map(str::to_owned);
    answer.names = found.lexer.map(|_| found.names.iter().map(|name| (*name).to_owned()).collect());
}
