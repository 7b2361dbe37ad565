//! Which lexer the comparator picks for a file.
//!
//! Pygments matches the file's base name against the patterns of all its
//! lexers. One match decides. Of several, the highest score for the text
//! wins, then a main pattern before a secondary one, then the priority, then
//! the greater class name.

use super::cursor::{Cursor, is_space, is_word};

/// The main alias of the lexer for a file, or `None` if it is none of ours.
pub(super) fn lexer(path: &str, text: &str) -> Option<&'static str> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let (_, extension) = name.rsplit_once('.')?;
    Some(match extension {
        "c" => "c",
        "h" => header(text),
        "cc" | "cpp" | "cxx" | "hpp" | "hxx" | "c++" | "h++" => "cpp",
        "rs" => "rust",
        "ts" => "typescript",
        "tsx" => "tsx",
        "js" | "mjs" => "javascript",
        "jsx" => "jsx",
        "py" => "python",
        "go" => "go",
        "java" => "java",
        "rb" => "ruby",
        "swift" => "swift",
        "zig" => "zig",
        "el" => "emacs-lisp",
        "ml" | "mli" => "ocaml",
        "hs" if name.ends_with("Spec.hs") => "hspec",
        "hs" => "haskell",
        "f" => "fortranfixed",
        "f90" | "f03" => "fortran",
        _ => return None,
    })
}

/// C or Objective-C: any sign of the latter outweighs an `#include`.
fn header(text: &str) -> &'static str {
    let keyword = ["@end", "@implementation", "@protocol", "@\""];
    let boxed = |(at, _)| Cursor::new(text).byte(at + 1).is_ascii_digit();
    let objective = keyword.iter().any(|word| text.contains(word))
        || text.match_indices('@').any(boxed)
        || has_message(text);
    if objective { "objective-c" } else { "c" }
}

/// Whether the text holds what looks like `[receiver message]` or
/// `[receiver message:`.
fn has_message(text: &str) -> bool {
    let cursor = Cursor::new(text);
    let identifier = |at: usize| {
        let first = cursor.byte(at);
        let starts = first.is_ascii_alphabetic() || first == b'_';
        starts.then(|| cursor.word_end(at))
    };
    text.match_indices('[').any(|(open, _)| {
        let receiver = cursor.run(open + 1, is_space);
        let Some(end) = identifier(receiver) else {
            return false;
        };
        let message = cursor.run(end, is_space);
        if message == end {
            return false;
        }
        let Some(end) = identifier(message) else {
            return cursor.byte(message) == b':';
        };
        debug_assert!(cursor.is(message, is_word));
        cursor.byte(end) == b':' || cursor.byte(cursor.space_end(end)) == b']'
    })
}
