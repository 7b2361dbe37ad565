//! Answers as text, for people and for models: one line per entry, beginning with
//! `path:line:column`.

use std::{fmt::Write as _, path::Path};

use super::answer::{
    Definitions, Freshness, Hover, ParseError, Parsed, References, Resolution, Warning,
};

/// An answer that can be written as text.
pub trait Text {
    /// The answer as whole lines: everything except what its `cursor` leads to. Paths below `base`
    /// are written relative to it.
    fn text(&self, base: &Path) -> String;
}

impl Text for Definitions {
    fn text(&self, base: &Path) -> String {
        let mut out = String::new();
        for one in &self.definitions {
            let at = place(base, &one.file_path, one.line, one.column);
            entry(&mut out, &at, &one.kind, one.resolution, &one.preview);
        }
        if !self.note.is_empty() {
            line(&mut out, &self.note);
        }
        rest(&mut out, self.definitions.len(), self.total_count, self.cursor.as_deref());
        beside(&mut out, self.index, self.warning.as_ref());
        out
    }
}

impl Text for References {
    fn text(&self, base: &Path) -> String {
        let mut out = String::new();
        for one in &self.references {
            let at = place(base, &one.file_path, one.line, one.column);
            entry(&mut out, &at, &one.kind, one.resolution, &one.preview);
        }
        rest(&mut out, self.references.len(), self.total_count, self.cursor.as_deref());
        beside(&mut out, self.index, self.warning.as_ref());
        out
    }
}

impl Text for Hover {
    fn text(&self, base: &Path) -> String {
        let mut out = String::new();
        let path = relative(base, &self.definition_location.file_path);
        let resolution = self.resolution.as_str();
        line(&mut out, &format!("{path}:{}: {resolution}", self.definition_location.line));
        line(&mut out, self.signature.trim_end());
        if !self.documentation.is_empty() {
            line(&mut out, "");
            line(&mut out, self.documentation.trim_end());
        }
        beside(&mut out, self.index, self.warning.as_ref());
        out
    }
}

impl Text for Parsed {
    fn text(&self, _base: &Path) -> String {
        let mut out = String::new();
        line(&mut out, &format!("{}, {}", self.language, counted(self.symbols.len(), "symbol")));
        for one in &self.symbols {
            line(&mut out, &format!("{}:{}: {} {}", one.line, one.column, one.kind, one.name));
        }
        errors(&mut out, &self.errors);
        out
    }
}

fn line(out: &mut String, text: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{text}");
}

fn relative<'a>(base: &Path, path: &'a str) -> &'a str {
    Path::new(path).strip_prefix(base).ok().and_then(Path::to_str).unwrap_or(path)
}

fn place(base: &Path, path: &str, row: u32, column: u32) -> String {
    format!("{}:{row}:{column}", relative(base, path))
}

fn entry(out: &mut String, at: &str, kind: &str, resolution: Resolution, preview: &str) {
    line(out, &format!("{at}: {kind}, {}: {}", resolution.as_str(), preview.trim()));
}

fn counted(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// Says how many entries there are, if not all of them are shown.
fn rest(out: &mut String, shown: usize, total: usize, cursor: Option<&str>) {
    if shown < total {
        let more =
            cursor.map_or(String::new(), |cursor| format!("; the next with cursor {cursor}"));
        line(out, &format!("{shown} of {total}{more}"));
    } else if total == 0 {
        line(out, "Nothing was found.");
    }
}

/// Says what the answer does not cover, and that the file has syntax errors.
fn beside(out: &mut String, index: Freshness, warning: Option<&Warning>) {
    if index.pending > 0 {
        line(out, &format!("{} could not be read or parsed.", counted(index.pending, "file")));
    }
    if let Some(warning) = warning {
        line(out, &format!("{}:", warning.message));
        errors(out, &warning.details.errors);
    }
}

fn errors(out: &mut String, errors: &[ParseError]) {
    for one in errors {
        line(out, &format!("{}:{}: error: {}", one.line, one.column, one.message));
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::Text;
    use crate::nav::answer::{
        Definition, Definitions, Freshness, Hover, Location, ParseError, Parsed, ParsedSymbol,
        Resolution,
    };

    const INDEX: Freshness = Freshness { generation: 3, pending: 0 };

    fn definitions(total_count: usize) -> Definitions {
        let one = Definition {
            file_path: "/r/a/b.py".to_owned(),
            line: 4,
            column: 5,
            kind: "function".into(),
            preview: "    def make(size):".to_owned(),
            resolution: Resolution::Scope,
        };
        let definitions = if total_count == 0 { vec![] } else { vec![one] };
        let cursor = (total_count > 1).then(|| "at:1".to_owned());
        Definitions {
            symbol: "make".to_owned(),
            definitions,
            total_count,
            resolution: Resolution::Scope,
            note: String::new(),
            cursor,
            index: INDEX,
            warning: None,
        }
    }

    #[test]
    fn an_entry_is_a_line_that_starts_with_its_place() {
        let entry = "a/b.py:4:5: function, scope: def make(size):\n";
        assert_eq!(definitions(1).text(Path::new("/r")), entry);
        let elsewhere = definitions(1).text(Path::new("/other"));
        assert_eq!(elsewhere, format!("/r/{entry}"));
        let more = definitions(7).text(Path::new("/r"));
        assert_eq!(more, format!("{entry}1 of 7; the next with cursor at:1\n"));
        let mut none = definitions(0);
        none.index.pending = 1;
        let said = none.text(Path::new("/r"));
        assert_eq!(said, "Nothing was found.\n1 file could not be read or parsed.\n");
    }

    #[test]
    fn documentation_is_whole_and_errors_are_listed() {
        let hover = Hover {
            symbol: "make".to_owned(),
            signature: "def make(size)".to_owned(),
            documentation: "Makes one.\n\nOf a size.".to_owned(),
            definition_location: Location { file_path: "/r/b.py".to_owned(), line: 4 },
            resolution: Resolution::Import,
            note: "a note".to_owned(),
            index: INDEX,
            warning: None,
        };
        let expected = "b.py:4: import\ndef make(size)\n\nMakes one.\n\nOf a size.\n";
        assert_eq!(hover.text(Path::new("/r")), expected);
        let symbol =
            ParsedSymbol { name: "A".to_owned(), kind: "class".into(), line: 1, column: 7 };
        let error = ParseError { line: 5, column: 7, message: "Expected )".to_owned() };
        let parsed = Parsed {
            language: "python".into(),
            root_node: "module".to_owned(),
            symbols: vec![symbol],
            errors: vec![error],
            parse_time_ms: 1,
        };
        let expected = "python, 1 symbol\n1:7: class A\n5:7: error: Expected )\n";
        assert_eq!(parsed.text(Path::new("/r")), expected);
    }

    #[test]
    fn answers_are_read_back() {
        let answer = definitions(7);
        let json = serde_json::to_string(&answer).unwrap();
        assert_eq!(serde_json::from_str::<Definitions>(&json).unwrap(), answer);
    }
}
