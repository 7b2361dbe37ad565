//! Macros alone on a line of C or C++, such as `G_BEGIN_DECLS`, `Q_OBJECT` or `RB_HEAD(a, b)`. They
//! need no semicolon, so a grammar that does not expand them takes them for the beginning of what
//! follows.

use super::annotations::is_shouted;

/// Words that begin a declaration, so that a name alone before them can only be a macro.
const OPENERS: [&str; 19] = [
    "class",
    "constexpr",
    "enum",
    "explicit",
    "extern",
    "friend",
    "inline",
    "namespace",
    "private",
    "protected",
    "public",
    "signals",
    "static",
    "struct",
    "template",
    "typedef",
    "union",
    "using",
    "virtual",
];

/// The text with such macros replaced by spaces, so that lines and positions stay the same; `None`
/// if it has none.
pub fn blanked(text: &str) -> Option<String> {
    let mut bytes: Option<Vec<u8>> = None;
    let mut before = Before::Start;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let code = code_of(line);
        if before != Before::Open {
            let rest = text.get(at + line.len()..).unwrap_or_default();
            let is_macro = if is_shouted(code) {
                stands_alone(code, before, next_word(rest))
            } else {
                is_call(code) && before != Before::Body && begins_declaration(next_word(rest))
            };
            if is_macro {
                let bytes = bytes.get_or_insert_with(|| text.as_bytes().to_vec());
                let start = at + (line.len() - line.trim_start().len());
                bytes.get_mut(start..start + code.len()).unwrap_or_default().fill(b' ');
                at += line.len();
                continue;
            }
        }
        before = before.behind(code);
        at += line.len();
    }
    bytes.and_then(|bytes| String::from_utf8(bytes).ok())
}

/// What precedes a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Before {
    /// Nothing, or only a directive.
    Start,
    /// The end of a declaration.
    Closed,
    /// The opening brace of a body; the first name after it may be an enumerator.
    Body,
    /// A statement that continues on this line.
    Open,
}

impl Before {
    fn behind(self, code: &str) -> Self {
        match code.bytes().last() {
            None => self,
            Some(_) if code.starts_with('#') => Self::Start,
            Some(b';' | b'}' | b':') => Self::Closed,
            Some(b'{') => Self::Body,
            Some(_) => Self::Open,
        }
    }
}

/// Whether a name in capitals is a macro by itself, judged by its surroundings.
fn stands_alone(name: &str, before: Before, next: &str) -> bool {
    let brackets = name.split('_').any(|part| matches!(part, "BEGIN" | "END" | "DECLS"));
    OPENERS.contains(&next)
        || before != Before::Body && (brackets || next.is_empty() || next == "#")
}

/// Whether a line consists only of a name in capitals and its arguments.
fn is_call(code: &str) -> bool {
    let Some((name, arguments)) = code.split_once('(') else { return false };
    let mut open = 1_usize;
    let closes_last = arguments.bytes().enumerate().all(|(at, byte)| {
        match byte {
            b'(' => open += 1,
            b')' => open = open.saturating_sub(1),
            _ => {}
        }
        open > 0 || at + 1 == arguments.len()
    });
    is_shouted(name) && open == 0 && closes_last && !arguments.contains(['"', '\''])
}

/// Whether a word, a directive or the end of the text cannot continue the line before it.
fn begins_declaration(next: &str) -> bool {
    next.is_empty()
        || next.starts_with(|first: char| {
            first.is_ascii_alphabetic() || matches!(first, '_' | '#' | '}')
        })
}

/// A line without surrounding white space and without a comment at its end.
fn code_of(line: &str) -> &str {
    let line = line.trim();
    if line.starts_with('*') || line.starts_with("/*") {
        return "";
    }
    line.find("//").and_then(|at| line.get(..at)).unwrap_or(line).trim_end()
}

/// The first word of the following code; `#` for a directive, empty at the end of the text.
fn next_word(text: &str) -> &str {
    let Some(code) = text.lines().map(code_of).find(|code| !code.is_empty()) else { return "" };
    let end = code
        .bytes()
        .position(|byte| !byte.is_ascii_alphanumeric() && byte != b'_')
        .unwrap_or(code.len());
    code.get(..end.max(1)).unwrap_or(code)
}

#[cfg(test)]
mod tests {
    use super::blanked;

    #[test]
    fn macros_that_open_and_close_are_blanked_in_place() {
        let text = "#pragma once\n\nX_NAMESPACE_BEGIN\nnamespace a\n{\nclass B {\n  Q_OBJECT // m\n\
                    public:\n};\n} // namespace a\nX_NAMESPACE_END\n";
        let read = blanked(text).unwrap();
        assert_eq!(read.len(), text.len());
        assert_eq!(
            read,
            text.replace("X_NAMESPACE_BEGIN", &" ".repeat(17))
                .replace("Q_OBJECT", &" ".repeat(8))
                .replace("X_NAMESPACE_END", &" ".repeat(15))
        );
        assert!(blanked("G_BEGIN_DECLS\nint f(void);\nG_END_DECLS\n").is_some());
        let calls = "FIRST(bar)\nstatic int a;\nTREE_HEAD(b, (c))\n";
        assert_eq!(blanked(calls).unwrap().trim(), "static int a;");
    }

    #[test]
    fn names_that_belong_to_what_stands_around_them_stay() {
        for text in [
            "enum e {\n  ONLY_ONE\n};\n",
            "enum e {\n  ONE_A,\n  LIST_END\n};\n",
            "int x =\n  SOME_VALUE\n  ;\n",
            "HRESULT\nf(int a)\n{\n}\n",
            "static\nBOOL\nf(void);\n",
            "int f(void)\n{\n  return\n    A_VALUE\n;}\n",
            "int x =\n  FIRST(bar)\n  ;\n",
            "DEFINED(f)\n{\n}\n",
            "FIRST(bar) + SECOND(c)\nint a;\n",
            "enum e {\n  FIRST(bar)\n  SECOND(c)\n};\n",
        ] {
            assert_eq!(blanked(text), None, "{text}");
        }
    }
}
