//! How well a text fits a lexer, as Pygments scores it: from 0 to 1.
//!
//! The sums keep Pygments' order of operations, so that equal scores stay
//! equal to the last bit.

use crate::cursor::{Cursor, Searched, is_space, is_word, starts_identifier};

/// Whether `open` is followed by `close` on the same line.
fn on_one_line(text: &str, open: &str, close: &str) -> bool {
    text.split('\n').any(|line| line.split_once(open).is_some_and(|(_, rest)| rest.contains(close)))
}

/// Whether `open` occurs, and after it, on the same line, all the endings in their order. For the
/// end of `open`, the test returns where the text before the endings starts.
fn ends_on_line(
    text: &str,
    open: &str,
    endings: &[&str],
    start: impl Fn(Cursor, usize) -> Option<usize>,
) -> bool {
    let cursor = Cursor::new(text);
    let mut searched = Searched::default();
    text.match_indices(open).any(|(at, _)| {
        let Some(body) = start(cursor, at + open.len()) else {
            return false;
        };
        // The first match on a line has the most text after it.
        if searched.end(body).is_some() {
            return false;
        }
        let line_end = searched.search(body, || cursor.line_end(body));
        let mut rest = cursor.slice(body..line_end);
        endings.iter().all(|ending| {
            let found = rest.split_once(ending);
            rest = found.map_or("", |(_, behind)| behind);
            found.is_some()
        })
    })
}

/// Whether a line starts, after white space, with one of some words.
fn line_starts(text: &str, words: &[&str]) -> bool {
    text.split('\n').any(|line| {
        let line = line.trim_start_matches(is_space);
        words.iter().any(|word| line.starts_with(word))
    })
}

/// Whether the text includes a header in angle brackets of plain letters.
fn includes_library(text: &str) -> bool {
    let cursor = Cursor::new(text);
    text.match_indices("#include <").any(|(at, open)| {
        let start = at + open.len();
        let end = cursor.ascii_run(start, |byte| byte.is_ascii_lowercase() || byte == b'_');
        end > start && cursor.byte(end) == b'>'
    })
}

/// Whether the first line is a shebang whose program, without path and `.exe` or a similar
/// extension, passes the test.
fn shebang(text: &str, test: impl Fn(&str) -> bool) -> bool {
    let line = text.split('\n').next().unwrap_or("").to_lowercase();
    let Some(command) = line.strip_prefix("#!") else {
        return false;
    };
    let mut words = command.trim_matches(is_space).split(['/', '\\', ' ']);
    let last = words.rfind(|word| !word.is_empty() && !word.starts_with('-')).unwrap_or("");
    let endings = [".exe", ".cmd", ".bat", ".bin"];
    let bare = endings.iter().find_map(|ending| last.strip_suffix(ending));
    test(last) || bare.is_some_and(test)
}

/// C: a line that starts with one of some directives.
pub(crate) fn c(text: &str) -> f64 {
    let directives = ["#include <", "#include \"", "#ifdef ", "#ifndef "];
    if line_starts(text, &directives) { 0.1 } else { 0.0 }
}

/// C++: a header of the standard library, or a `using namespace`.
pub(crate) fn cpp(text: &str) -> f64 {
    if includes_library(text) {
        0.2
    } else if text.contains("using namespace ") {
        0.4
    } else {
        0.0
    }
}

/// Objective-C: any sign of it counts more than an `#include`.
pub(crate) fn objective_c(text: &str) -> f64 {
    let boxed = |(at, _): (usize, &str)| Cursor::new(text).byte(at + 1).is_ascii_digit();
    if ["@end", "@implementation", "@protocol"].iter().any(|word| text.contains(word)) {
        1.0
    } else if text.contains("@\"") {
        0.8
    } else if text.match_indices('@').any(boxed) {
        0.7
    } else if has_message(text) {
        0.8
    } else {
        0.0
    }
}

/// Whether the text contains something like `[receiver message]` or `[receiver message:`.
fn has_message(text: &str) -> bool {
    let cursor = Cursor::new(text);
    text.match_indices('[').any(|(open, _)| {
        let receiver = cursor.run(open + 1, is_space);
        let Some(end) = cursor.identifier_end(receiver) else {
            return false;
        };
        let message = cursor.run(end, is_space);
        if message == end {
            return false;
        }
        let Some(end) = cursor.identifier_end(message) else {
            return cursor.byte(message) == b':';
        };
        cursor.byte(end) == b':' || cursor.byte(cursor.space_end(end)) == b']'
    })
}

/// Ruby: a shebang.
pub(crate) fn ruby(text: &str) -> f64 {
    let is_ruby = |program: &str| matches!(program, "ruby" | "ruby1.8" | "ruby1.9");
    if shebang(text, is_ruby) { 1.0 } else { 0.0 }
}

/// Python: a shebang, or an import among the first thousand characters.
pub(crate) fn python(text: &str) -> f64 {
    let is_python = |program: &str| {
        let rest = program.strip_prefix("python");
        let version = rest.map(|rest| rest.strip_prefix('w').unwrap_or(rest));
        let minor = version.and_then(|version| version.strip_prefix("3."));
        matches!(version, Some("" | "3"))
            || minor
                .is_some_and(|minor| matches!(minor.as_bytes(), [digit] if digit.is_ascii_digit()))
    };
    if shebang(text, is_python) || head(text).contains("import ") { 1.0 } else { 0.0 }
}

/// The first thousand characters.
fn head(text: &str) -> &str {
    let end = text.char_indices().nth(1000).map_or(text.len(), |(offset, _)| offset);
    text.get(..end).unwrap_or(text)
}

/// Django and Jinja.
pub(crate) fn django(text: &str) -> f64 {
    let cursor = Cursor::new(text);
    let tag = |test: &dyn Fn(usize) -> bool| {
        text.match_indices("{%").any(|(at, _)| test(cursor.space_end(at + 2)))
    };
    let mut score = 0.0;
    if tag(&|at| cursor.starts(at, "block") || cursor.starts(at, "extends")) {
        score += 0.4;
    }
    let condition = |cursor: Cursor, at: usize| {
        let word = cursor.space_end(at);
        cursor.starts(word, "if").then(|| cursor.space_end(word + 2))
    };
    if ends_on_line(text, "{%", &["%}"], condition) {
        score += 0.1;
    }
    if on_one_line(text, "{{", "}}") {
        score += 0.1;
    }
    f64::max(0.0, score - 0.05)
}

/// ERB.
pub(crate) fn erb(text: &str) -> f64 {
    if text.contains("<%") && text.contains("%>") { 0.4 - 0.05 } else { 0.0 }
}

/// Genshi.
pub(crate) fn genshi(text: &str) -> f64 {
    let mut score = 0.0;
    if on_one_line(text, "${", "}") {
        score += 0.2;
    }
    if on_one_line(text, "py:", "=\"") || on_one_line(text, "py:", "='") {
        score += 0.2;
    }
    let xml = if looks_like_xml(text) { 0.45 } else { 0.0 };
    f64::max(0.0, f64::max(0.0, score + xml - 0.01) - 0.05)
}

/// Whether the text starts with an XML declaration, contains a document type, or has an element
/// near its start.
fn looks_like_xml(text: &str) -> bool {
    let start = text.trim_start_matches(is_space);
    let declared = start.get(..5).is_some_and(|open| open.eq_ignore_ascii_case("<?xml"))
        && start
            .get(5..)
            .and_then(|rest| rest.split_once('>'))
            .is_some_and(|(rest, _)| rest.ends_with('?'));
    declared || document_type(text).is_some() || has_element(Cursor::new(head(text)))
}

/// The text after the opening of the first document type, starting at its name.
fn document_type(text: &str) -> Option<&str> {
    let cursor = Cursor::new(text);
    let last = text.rfind('>')?;
    text.match_indices("<!DOCTYPE").find_map(|(at, open)| {
        let name = cursor.spaced(at + open.len())?;
        (starts_identifier(cursor.byte(name)) && last > name).then(|| cursor.rest(name))
    })
}

/// Whether the text contains `<name>...</name>`, in the loosest sense.
fn has_element(cursor: Cursor) -> bool {
    let found = cursor
        .find(0, b'<')
        .and_then(|open| cursor.find(cursor.after(open + 1), b'>'))
        .and_then(|close| cursor.find_text(close + 1, "</"))
        .and_then(|open| cursor.find(cursor.after(open + 2), b'>'));
    found.is_some()
}

/// PHP.
pub(crate) fn php(text: &str) -> f64 {
    let cursor = Cursor::new(text);
    if shebang(text, |program| program == "php") {
        return 1.0;
    }
    let tag = text.match_indices("<?").any(|(at, _)| !cursor.starts(at + 2, "xml"));
    if tag { 0.3 } else { 0.0 }
}

/// PHP in HTML.
pub(crate) fn html_php(text: &str) -> f64 {
    let name = document_type(text).and_then(|rest| rest.get(..4));
    let html = name.is_some_and(|name| name.eq_ignore_ascii_case("html"));
    (php(text) - 0.01 + if html { 0.5 } else { 0.0 }).clamp(0.0, 1.0)
}

/// PHP in XML.
pub(crate) fn xml_php(text: &str) -> f64 {
    (php(text) - 0.01 + if looks_like_xml(text) { 0.4 } else { 0.0 }).clamp(0.0, 1.0)
}

/// Smarty.
pub(crate) fn smarty(text: &str) -> f64 {
    let mut score = 0.0;
    if ends_on_line(text, "{if", &["}", "{/if}"], |cursor, at| cursor.spaced(at)) {
        score += 0.15;
    }
    let file = |cursor: Cursor, at: usize| {
        cursor.spaced(at).filter(|at| cursor.starts(*at, "file=")).map(|at| at + 5)
    };
    if ends_on_line(text, "{include", &["}"], file) {
        score += 0.15;
    }
    if ends_on_line(text, "{foreach", &["}", "{/foreach}"], |cursor, at| cursor.spaced(at)) {
        score += 0.15;
    }
    if on_one_line(text, "{$", "}") {
        score += 0.01;
    }
    f64::max(0.0, score - 0.05)
}

/// Lasso.
pub(crate) fn lasso(text: &str) -> f64 {
    let before = |at: usize, word: &str| {
        let start = at.checked_sub(word.len());
        let found = start.and_then(|start| text.as_bytes().get(start..at));
        found.is_some_and(|found| found.eq_ignore_ascii_case(word.as_bytes()))
    };
    let calls_local = memchr::memchr_iter(b'(', text.as_bytes()).any(|at| before(at, "local"));
    let opens = text.match_indices("<?").any(|(at, _)| before(at + 7, "<?lasso"));
    let mut score = 0.0;
    if text.contains("bin/lasso9") {
        score += 0.8;
    }
    if opens {
        score += 0.4;
    }
    if calls_local {
        score += 0.4;
    }
    f64::max(0.0, f64::min(1.0, score) - 0.05)
}

/// SuperCollider: one of two words that occur only there.
pub(crate) fn supercollider(text: &str) -> f64 {
    if text.contains("SinOsc") || text.contains("thisFunctionDef") { 0.1 } else { 0.0 }
}

/// Common Lisp: a function defined at the very start.
pub(crate) fn common_lisp(text: &str) -> f64 {
    let start = text.trim_start_matches(is_space);
    let defines = start.strip_prefix("(defun").is_some_and(|rest| rest.starts_with(is_space));
    if defines { 0.8 } else { 0.0 }
}

/// Visual Prolog: the end of a scope, or the keyword of a section alone, at the very start.
pub(crate) fn visual_prolog(text: &str) -> f64 {
    let start = text.trim_start_matches(is_space);
    let sections = ["clauses", "predicates", "domains", "facts", "constants", "properties"];
    let section = sections.iter().filter_map(|word| start.strip_prefix(word));
    let alone = section.into_iter().any(|rest| rest.trim_start_matches(is_space).is_empty());
    let scope = start.strip_prefix("end").is_some_and(|rest| {
        let word = rest.trim_start_matches(is_space);
        let scopes = ["interface", "class", "implement"];
        word.len() < rest.len() && scopes.iter().any(|scope| word.starts_with(scope))
    });
    if alone || scope { 0.98 } else { 0.0 }
}

/// Makefiles: a variable with a name in capitals.
pub(crate) fn make(text: &str) -> f64 {
    let cursor = Cursor::new(text);
    let variable = text.match_indices("$(").any(|(at, open)| {
        let start = at + open.len();
        let end = cursor.ascii_run(start, |byte| byte.is_ascii_uppercase() || byte == b'_');
        end > start && cursor.byte(end) == b')'
    });
    if variable { 0.1 } else { 0.0 }
}

/// Shell scripts.
pub(crate) fn bash(text: &str) -> f64 {
    if shebang(text, |program| matches!(program, "bash" | "zsh" | "sh")) {
        1.0
    } else if text.starts_with("$ ") {
        0.2
    } else {
        0.0
    }
}

/// MATLAB: a function on the first line, a comment or a system command.
pub(crate) fn matlab(text: &str) -> f64 {
    let cursor = Cursor::new(text);
    let breaks = |c: char| matches!(u32::from(c), 0xa..=0xd | 0x1c..=0x1e | 0x85 | 0x2028 | 0x2029);
    let first = text.split(breaks).next().unwrap_or("").trim_matches(is_space);
    let is_comment = cursor.byte(cursor.space_end(0)) == b'%';
    if !is_comment && first.starts_with("function") && !first.contains('{') {
        return 1.0;
    }
    let calls_system = |line: &str| {
        line.strip_prefix('!').is_some_and(|command| Cursor::new(command).is(0, is_word))
    };
    if line_starts(text, &["%"]) || text.split('\n').any(calls_system) { 0.2 } else { 0.0 }
}

/// Mason: its templates share an extension with MATLAB.
pub(crate) fn mason(text: &str) -> f64 {
    if ["</%class>", "</%doc>", "</%init>"].iter().any(|tag| text.contains(tag)) {
        return 1.0;
    }
    let open = text.find("<&");
    let close = text.rfind("&>");
    if open.zip(close).is_some_and(|(open, close)| close > open + 2) { 0.11 } else { 0.0 }
}
