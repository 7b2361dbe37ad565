//! Source code within pages: the scripts of HTML and of components, and the front matter of a page.

use std::ops::Range;

/// Which part of a file is source code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Embedded {
    /// The contents of `script` elements.
    Scripts,
    /// The same, and the lines between two lines of `---` at the start.
    FrontMatter,
}

/// Beginnings and ends of scripts and of comments. No script begins inside a comment.
const OPEN: &str = "<script";
const CLOSE: &str = "</script";
const COMMENT: [&str; 2] = ["<!--", "-->"];
/// A line before and after front matter.
const FENCE: &str = "---";
/// Values of the attribute `type` for scripts that are programs. Other values mean that a script is
/// data.
const PROGRAMS: [&str; 10] = [
    "",
    "module",
    "ts",
    "text/javascript",
    "text/ecmascript",
    "text/typescript",
    "text/babel",
    "text/jsx",
    "application/javascript",
    "application/typescript",
];

/// The text with every byte that is not code replaced by a space; line ends stay. Takes linear
/// time.
pub fn code(part: Embedded, text: &str) -> String {
    let mut ranges = Vec::new();
    let front = (part == Embedded::FrontMatter).then(|| front_matter(text)).flatten();
    let from = front.as_ref().map_or(0, |front| front.end);
    ranges.extend(front);
    scripts(text, from, &mut ranges);
    let mut code = String::with_capacity(text.len());
    let mut at = 0;
    for range in ranges {
        blank(text.get(at..range.start).unwrap_or_default(), &mut code);
        at = range.end;
        code.push_str(text.get(range).unwrap_or_default());
    }
    blank(text.get(at..).unwrap_or_default(), &mut code);
    code
}

fn blank(text: &str, code: &mut String) {
    code.extend(
        text.bytes().map(|byte| if matches!(byte, b'\n' | b'\r') { char::from(byte) } else { ' ' }),
    );
}

/// The lines between the first line, if it is a fence, and the next fence.
fn front_matter(text: &str) -> Option<Range<usize>> {
    let mut start = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        match start {
            None if line.trim().is_empty() => {}
            None if line.trim_end() == FENCE => start = Some(end),
            None => return None,
            Some(start) if line.trim_end() == FENCE => return Some(start..at),
            Some(_) => {}
        }
        at = end;
    }
    None
}

/// Adds the contents of the `script` elements after `from` that are programs, in order.
fn scripts(text: &str, from: usize, ranges: &mut Vec<Range<usize>>) {
    // Only ASCII letters change, so byte positions stay the same.
    let lower = text.to_ascii_lowercase();
    let find = |what: &str, from: usize| Some(from + lower.get(from..)?.find(what)?);
    let [open_comment, close_comment] = COMMENT;
    let mut at = from;
    // Each marker is searched again only after its last match was passed, so the text is read once
    // for each.
    let (mut script, mut comment) = (find(OPEN, at), find(open_comment, at));
    loop {
        if script.is_some_and(|start| start < at) {
            script = find(OPEN, at);
        }
        if comment.is_some_and(|start| start < at) {
            comment = find(open_comment, at);
        }
        let Some(open) = script else { return };
        if let Some(start) = comment.filter(|start| *start < open) {
            // An unclosed comment hides the rest.
            let Some(end) = find(close_comment, start) else { return };
            at = end + close_comment.len();
            continue;
        }
        at = open + OPEN.len();
        let Some(tag) = lower.get(at..).and_then(attributes) else { return };
        let is_script =
            tag.is_empty() || tag.starts_with(|c: char| c.is_ascii_whitespace() || c == '/');
        at += tag.len() + 1;
        if !is_script || tag.trim_end().ends_with('/') {
            continue;
        }
        let end = find(CLOSE, at).unwrap_or(text.len());
        if PROGRAMS.contains(&attribute(tag, "type").unwrap_or_default()) {
            ranges.push(at..end);
        }
        at = end;
    }
}

/// The text of a start tag up to the `>` that ends it; a `>` in quotes does not.
fn attributes(text: &str) -> Option<&str> {
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (None, b'>') => return text.get(..at),
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), byte) if open == byte => quote = None,
            _ => {}
        }
    }
    None
}

/// The value of an attribute.
fn attribute<'tag>(tag: &'tag str, name: &str) -> Option<&'tag str> {
    let mut from = 0;
    while let Some(found) = tag.get(from..)?.find(name) {
        let start = from + found;
        from = start + name.len();
        let stands_alone = tag.get(..start)?.ends_with(|c: char| c.is_ascii_whitespace());
        let Some(value) = tag.get(from..)?.trim_start().strip_prefix('=').filter(|_| stands_alone)
        else {
            continue;
        };
        let value = value.trim_start();
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
        return match quote {
            Some(quote) => value.get(1..)?.split(quote).next(),
            None => value.split(|c: char| c.is_ascii_whitespace()).next(),
        };
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{Embedded, code};

    /// The code of a page, without blank lines.
    fn scripts(part: Embedded, text: &str) -> Vec<String> {
        let code = code(part, text);
        assert_eq!(code.len(), text.len(), "every byte stays where it is");
        assert_eq!(code.matches('\n').count(), text.matches('\n').count());
        let lines = code.lines().map(str::trim).filter(|line| !line.is_empty());
        lines.map(str::to_owned).collect()
    }

    #[test]
    fn scripts_are_code_and_nothing_around_them() {
        let page = "<template>größe</template>\n<script lang=\"ts\" setup>\nlet a = 1\n</script>\n\
            <SCRIPT type='module' data-x='>'>let b = 2</SCRIPT>\n<style>.c {}</style>\n";
        assert_eq!(scripts(Embedded::Scripts, page), ["let a = 1", "let b = 2"]);
    }

    #[test]
    fn data_comments_other_elements_and_what_lies_elsewhere_are_no_code() {
        let page = "<script type=\"application/json\">{\"a\": 1}</script>\n<!-- <script>x()</script> -->\n\
            <scripted>y()</scripted>\n<script src=\"z.js\"/>\n<script src=\"w.js\"></script>\n";
        assert!(scripts(Embedded::Scripts, page).is_empty());
        assert!(scripts(Embedded::Scripts, "<script>1</script").contains(&"1".to_owned()));
        assert!(scripts(Embedded::Scripts, "<script").is_empty());
        assert!(scripts(Embedded::Scripts, "<!-- <script>x()</script>").is_empty());
        assert!(scripts(Embedded::Scripts, "---\nlet a\n---\n").is_empty());
    }

    #[test]
    fn front_matter_is_code_where_it_is_asked_for_and_stands_first() {
        let page = "---\nconst a = 1\n---\n<p>{a}</p>\n<script>b()</script>\n";
        assert_eq!(scripts(Embedded::FrontMatter, page), ["const a = 1", "b()"]);
        assert!(scripts(Embedded::FrontMatter, "<p/>\n---\nconst a = 1\n---\n").is_empty());
        assert!(scripts(Embedded::FrontMatter, "---\nconst a = 1\n").is_empty(), "it has no end");
    }

    #[test]
    fn many_unfinished_scripts_and_comments_cost_no_square() {
        for piece in [
            "<script",
            "<script>",
            "<!--",
            "<!-- -->",
            "<!-- --><script ",
            "<script a='",
            "<scripts>",
        ] {
            let text = [&piece.repeat(100_000), "<script>1"].concat();
            assert_eq!(code(Embedded::Scripts, &text).len(), text.len());
            assert_eq!(
                code(Embedded::Scripts, &piece.repeat(100_000)).len(),
                piece.len() * 100_000
            );
        }
    }
}
