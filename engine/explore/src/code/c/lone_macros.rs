//! Macros that stand alone on a line of C or C++, such as `G_BEGIN_DECLS` or `Q_OBJECT`. They need no
//! semicolon, so a grammar that does not expand them takes them for the beginning of what follows.

/// Words that begin a declaration, in front of which a name alone can only be a macro.
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

/// A text with the same lines and places in which such macros are spaces; none if it has none.
pub fn blanked(text: &str) -> Option<String> {
    let mut bytes: Option<Vec<u8>> = None;
    let mut before = Before::Start;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let code = code_of(line);
        if is_shouted(code) && before != Before::Open {
            let rest = text.get(at + line.len()..).unwrap_or_default();
            if stands_alone(code, before, next_word(rest)) {
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

/// What stands before a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Before {
    /// Nothing, or a directive.
    Start,
    /// The end of a declaration.
    Closed,
    /// The opening brace of a body, where the first name may be an enumerator.
    Body,
    /// Something that goes on.
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

/// Whether a shouted name is a macro of its own, by what stands around it.
fn stands_alone(name: &str, before: Before, next: &str) -> bool {
    let brackets = name.split('_').any(|part| matches!(part, "BEGIN" | "END" | "DECLS"));
    OPENERS.contains(&next)
        || before != Before::Body && (brackets || next.is_empty() || next == "#")
}

/// A line without the space around it and without the comment behind it.
fn code_of(line: &str) -> &str {
    let line = line.trim();
    if line.starts_with('*') || line.starts_with("/*") {
        return "";
    }
    line.find("//").and_then(|at| line.get(..at)).unwrap_or(line).trim_end()
}

/// Capital letters, digits and underscores, more than three of them.
fn is_shouted(code: &str) -> bool {
    let shouted = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    code.len() > 3
        && code.bytes().all(shouted)
        && !code.starts_with(|first: char| first.is_ascii_digit())
}

/// The first word of the code that follows, `#` for a directive, nothing at the end.
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
        ] {
            assert_eq!(blanked(text), None, "{text}");
        }
    }
}
