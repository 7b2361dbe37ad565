//! The first sentence of a definition's documentation, found in the text around its row.

use explore::code::doc::{self, Style};

use super::signature::{cut, depth};

/// Maximum number of rows between a definition and its documentation.
const MAX_HEAD: usize = 12;
/// Maximum number of rows of a docstring that are read.
const MAX_ROWS: usize = 40;
/// Quotes that a docstring begins with, longest first.
const QUOTES: &[&str] = &["\"\"\"", "'''", "\"", "'"];
/// Comments that say these words are about the file.
const OF_FILES: &[&str] = &["copyright", "license", "spdx-"];

/// Where a language has documentation, besides the comments above a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Nowhere else.
    Above,
    /// In a string above the definition, between lines of three quotes.
    Heredoc,
    /// In a string that is the first statement of the body.
    Body,
    /// In a string in the next row.
    NextRow,
}

/// How a language is documented.
#[derive(Debug, Clone, Copy)]
struct Manner {
    comments: Style,
    /// Beginnings of rows between the documentation and the name: attributes and decorators.
    head: &'static [&'static str],
    /// Whether the type of a function may have a row of its own above its name.
    types_above: bool,
    place: Place,
}

const SLASHES: Manner =
    Manner { comments: doc::C, head: &[], types_above: false, place: Place::Above };
const HASH: Manner = Manner { comments: doc::HASH, ..SLASHES };
const DASHES: Manner = Manner { comments: doc::DASHES, ..SLASHES };
const SEMICOLON: Style = Style { line: &[";"], block: None };

impl Manner {
    /// How a language is documented; `None` if its comments are not known.
    fn of(key: &str) -> Option<Self> {
        let block = |open, close| Style { line: &[], block: Some((open, close)) };
        Some(match key {
            "c" | "cpp" | "arduino" | "cuda" | "objc" => {
                Self { head: &["template", "__attribute__"], types_above: true, ..SLASHES }
            }
            "go" | "pony" | "proto" | "ql" | "scss" | "solidity" | "zig" => SLASHES,
            "astro" | "d" | "dart" | "gleam" | "html" | "java" | "javascript" | "kotlin"
            | "scala" | "svelte" | "swift" | "tsx" | "typescript" | "vue" => {
                Self { head: &["@"], ..SLASHES }
            }
            "c_sharp" | "csharp" => Self { head: &["["], ..SLASHES },
            "php" | "rust" => Self { head: &["#["], ..SLASHES },
            "bash" | "dockerfile" | "graphql" | "hcl" | "make" | "properties" | "r" | "ruby"
            | "tcl" | "udev" => HASH,
            "python" => Self { head: &["@"], place: Place::Body, ..HASH },
            "elixir" => Self { head: &["@"], place: Place::Heredoc, ..HASH },
            "julia" => Self { place: Place::Heredoc, ..HASH },
            "lua" => DASHES,
            "haskell" => Self { comments: Style { line: &["--"], ..block("{-", "-}") }, ..SLASHES },
            "elm" => Self { comments: Style { line: &["--"], ..block("{-|", "-}") }, ..SLASHES },
            "sql" => Self { comments: Style { line: &["--"], ..doc::C }, ..SLASHES },
            "clojure" | "commonlisp" | "elisp" | "racket" => {
                Self { comments: SEMICOLON, place: Place::NextRow, ..SLASHES }
            }
            "matlab" => Self { comments: Style { line: &["%"], block: None }, ..SLASHES },
            "fortran" => Self { comments: Style { line: &["!"], block: None }, ..SLASHES },
            "ocaml" | "ocaml_interface" => Self { comments: block("(*", "*)"), ..SLASHES },
            "css" => Self { comments: block("/*", "*/"), ..SLASHES },
            _ => return None,
        })
    }

    /// A sentence as a comment of the language, of at most `most` code points.
    fn comment(&self, sentence: String, most: usize) -> String {
        let signs = match (self.comments.line.first(), self.comments.block) {
            (Some(sign), _) => sign.len() + 1,
            (None, Some((open, close))) => open.len() + close.len() + 2,
            (None, None) => 0,
        };
        let sentence = cut(sentence, most.saturating_sub(signs));
        match (self.comments.line.first(), self.comments.block) {
            (Some(sign), _) => format!("{sign} {sentence}"),
            (None, Some((open, close))) => format!("{open} {sentence} {close}"),
            (None, None) => sentence,
        }
    }
}

/// The first sentence of the documentation of the definition at `row`, as a comment of its
/// language of at most `most` code points. `text` has these `lines`, without their ends.
pub fn documentation(
    key: &str,
    text: &str,
    lines: &[&str],
    row: usize,
    most: usize,
) -> Option<String> {
    let manner = Manner::of(key)?;
    let inside = match manner.place {
        Place::Body => docstring(lines, after_head(lines, row)),
        Place::NextRow => docstring(lines, row + 1),
        Place::Above | Place::Heredoc => None,
    };
    let paragraph = inside.or_else(|| {
        let first = first_row(&manner, lines, row);
        let heredoc = Some(first).filter(|_| manner.place == Place::Heredoc);
        heredoc.and_then(|first| heredoc_above(lines, first)).or_else(|| {
            let start = lines.iter().take(first).map(|line| line.len() + 1).sum();
            doc::above(text, start, manner.comments)
        })
    })?;
    sentence(&paragraph).map(|sentence| manner.comment(sentence, most))
}

/// The first row of a definition whose name is at `row`.
fn first_row(manner: &Manner, lines: &[&str], row: usize) -> usize {
    let line = |row: usize| lines.get(row).map_or("", |line| line.trim_end());
    let mut first = row;
    for above in (0..row).rev().take(MAX_HEAD) {
        let trimmed = line(above).trim_start();
        let is_head = manner.head.iter().any(|sign| trimmed.starts_with(sign));
        let is_type = manner.types_above && above + 1 == row && is_type(line(above));
        if !is_head && !is_type {
            break;
        }
        first = above;
    }
    first
}

/// Whether a row holds nothing but words and stars from its first column on, like the type of a
/// function in C.
fn is_type(line: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '*' | ' ' | '\t');
    line.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && line.chars().all(is_part)
}

/// The row after the head of a definition, which ends where all brackets are closed.
fn after_head(lines: &[&str], row: usize) -> usize {
    let mut open = 0;
    for (at, line) in lines.iter().enumerate().skip(row).take(MAX_ROWS) {
        open += line.chars().map(depth).sum::<i32>();
        if open <= 0 {
            return at + 1;
        }
    }
    lines.len()
}

/// The first paragraph of a string that is the first thing from a row on.
fn docstring(lines: &[&str], row: usize) -> Option<String> {
    let mut rest = lines.iter().skip(row).take(MAX_ROWS).skip_while(|line| line.trim().is_empty());
    let first = rest.next()?.trim_start().trim_start_matches(['r', 'R', 'u', 'U']);
    let quote = QUOTES.iter().find(|quote| first.starts_with(**quote))?;
    let mut body = String::new();
    for line in [first.get(quote.len()..)?].into_iter().chain(rest.copied()) {
        if let Some((end, _)) = line.split_once(quote) {
            body.push_str(end);
            break;
        }
        body.push_str(line);
        body.push('\n');
    }
    doc::paragraph(&body)
}

/// The first paragraph of the string that ends above a row with a line of three quotes.
fn heredoc_above(lines: &[&str], row: usize) -> Option<String> {
    let last =
        row.checked_sub(1).filter(|last| lines.get(*last).is_some_and(|l| l.trim() == "\"\"\""))?;
    let begin = (0..last)
        .rev()
        .take(MAX_ROWS)
        .find(|at| lines.get(*at).is_some_and(|l| l.contains("\"\"\"")))?;
    doc::paragraph(&lines.get(begin + 1..last)?.join("\n"))
}

/// The first sentence of a paragraph, without tags around it; `None` if it is not about a
/// definition or says nothing.
fn sentence(paragraph: &str) -> Option<String> {
    let words: Vec<&str> = paragraph
        .split_whitespace()
        .filter(|word| !(word.starts_with('<') && word.ends_with('>')))
        .collect();
    let mut sentence = String::new();
    for (at, word) in words.iter().enumerate() {
        if at > 0 {
            sentence.push(' ');
        }
        sentence.push_str(word);
        // A lower-case word goes on after an abbreviation.
        let goes_on = words.get(at + 1).is_some_and(|next| next.starts_with(char::is_lowercase));
        if word.ends_with(['.', '!', '?']) && !goes_on {
            break;
        }
    }
    let lower = sentence.to_lowercase();
    let says_something = sentence.contains(' ') && sentence.contains(char::is_alphabetic);
    let is_of_file = OF_FILES.iter().any(|word| lower.contains(word));
    (says_something && !is_of_file).then_some(sentence)
}

#[cfg(test)]
mod tests {
    use super::documentation;

    /// The documentation of the definition in the row that contains `name`.
    fn of(key: &str, text: &str, name: &str) -> Option<String> {
        let lines: Vec<&str> = text.split('\n').collect();
        let row = lines.iter().position(|line| line.contains(name))?;
        documentation(key, text, &lines, row, 80)
    }

    fn expect(key: &str, text: &str, name: &str, expected: &str) {
        assert_eq!(of(key, text, name).as_deref(), Some(expected), "{text}");
    }

    #[test]
    fn comments_above_a_definition_are_its_documentation() {
        expect(
            "rust",
            "/// Adds two numbers.  Then\n/// some more.\n#[inline]\nfn add()",
            "fn add",
            "// Adds two numbers.",
        );
        expect(
            "c",
            "/*\n * Reads a header, e.g. one\n * of HTTP. And more.\n */\nstatic int\nread_header(int a)\n",
            "read_header",
            "// Reads a header, e.g. one of HTTP.",
        );
        expect("go", "// Run starts it\nfunc Run() {", "func", "// Run starts it");
        expect("ruby", "# Saves the record.\ndef save", "def", "# Saves the record.");
        expect(
            "csharp",
            "/// <summary>\n/// Opens a file.\n/// </summary>\n[Test]\nvoid Open()",
            "void",
            "// Opens a file.",
        );
        expect("ocaml", "(** The empty set. *)\nlet empty =", "let", "(* The empty set. *)");
        expect("css", "/* Buttons of forms. */\n.button {", ".button", "/* Buttons of forms. */");
        expect("lua", "--- Finds a node.\nfunction find()", "function", "-- Finds a node.");
    }

    #[test]
    fn docstrings_are_documentation() {
        expect(
            "python",
            "# Not this one.\ndef f(a,\n      b):\n    r\"\"\"Parse it.\n\n    More.\n    \"\"\"\n",
            "def f",
            "# Parse it.",
        );
        expect(
            "python",
            "class A:\n    '''\n    Holds things\n    together.\n    '''\n",
            "class",
            "# Holds things together.",
        );
        expect(
            "python",
            "# Says so above.\n@property\ndef f(self):\n    return 'a b'\n",
            "def",
            "# Says so above.",
        );
        expect(
            "elixir",
            "  @doc \"\"\"\n  Sends a message. Twice.\n  \"\"\"\n  @spec send(a) :: b\n  def send(a)",
            "def",
            "# Sends a message.",
        );
        expect("elisp", "(defun f (a)\n  \"Return A.  Or B.\"\n", "defun", "; Return A.");
    }

    #[test]
    fn what_is_not_about_the_definition_is_left_out() {
        for (key, text, name) in [
            ("c", "/* Copyright (c) somebody. */\nint f(void);", "int f"),
            ("c", "int a; /* of a */\nint f(void);", "int f"),
            ("c", "/* far away */\n\nint f(void);", "int f"),
            ("c", "#include <a.h>\nint f(void);", "int f"),
            ("c", "// ---------\nint f(void);", "int f"),
            ("java", "/**\n * @param a one of them\n */\nvoid f(int a)", "void f"),
            ("python", "def f():\n    return 1\n", "def f"),
            ("python", "def f(", "def f"),
            ("chatito", "# some text\n%[a]", "%[a]"),
        ] {
            assert_eq!(of(key, text, name), None, "{text}");
        }
    }

    #[test]
    fn a_long_sentence_is_cut() {
        let text = format!("# {}\ndef f", "word ".repeat(90));
        let found = of("ruby", &text, "def").unwrap_or_default();
        assert!(found.ends_with('…') && found.chars().count() <= 80, "{found}");
    }
}
