//! An oracle's answer about one file, read strictly: a word that is not in the closed lists is a fault
//! of the oracle, never a label.

use std::collections::BTreeMap;

use explore::{ImportCategory, SymbolKind, Visibility};
use record::{ImportLabel, Labels, SymbolLabel, Unjudged, Why};
use serde::Deserialize;
use serde_json::Value;

/// One line of an oracle's output.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The file, as it was asked for.
    pub file: String,
    /// The front end with its version, as it names itself.
    pub oracle: String,
    /// The labels, or why the file has none.
    pub outcome: Result<Labels, &'static str>,
}

/// The line is not one that an oracle may print.
#[derive(Debug, thiserror::Error)]
pub enum AnswerError {
    /// It is not JSON of the agreed format.
    #[error("the oracle printed {line:?}, which is no answer: {source}")]
    Json {
        /// The beginning of the line.
        line: String,
        /// What is wrong.
        source: serde_json::Error,
    },
    /// A label is impossible.
    #[error("the oracle's answer on {file} is impossible: {why}")]
    Impossible {
        /// The file.
        file: String,
        /// What is wrong.
        why: String,
    },
}

#[derive(Deserialize)]
struct Line {
    file: String,
    #[serde(default)]
    oracle: Option<String>,
    #[serde(default)]
    parse_errors: u64,
    /// Of these errors, or of those before them, files to include that were not found.
    #[serde(default)]
    missing_headers: u64,
    #[serde(default)]
    unjudged: Vec<Unjudged>,
    #[serde(default)]
    lines: u32,
    #[serde(default)]
    error: Option<String>,
    #[serde(default)]
    symbols: Vec<Symbol>,
    #[serde(default)]
    imports: Vec<Import>,
    #[serde(default)]
    entities: Vec<Vec<Value>>,
    #[serde(default)]
    counts: BTreeMap<String, u64>,
}

#[derive(Deserialize)]
struct Symbol {
    name: String,
    kind: SymbolKind,
    line: u32,
    #[serde(default)]
    decl_line: Option<u32>,
    #[serde(default)]
    end_line: Option<u32>,
    #[serde(default)]
    parent: Option<String>,
    #[serde(default)]
    visibility: Option<Visibility>,
    #[serde(default)]
    exported: Option<bool>,
}

#[derive(Deserialize)]
struct Import {
    path: String,
    #[serde(default)]
    names: Vec<String>,
    #[serde(default)]
    category: Option<ImportCategory>,
    line: u32,
}

impl Answer {
    /// Reads one line.
    ///
    /// # Errors
    /// It is not an answer, or a label in it is impossible.
    pub fn parse(line: &[u8]) -> Result<Self, AnswerError> {
        let parsed: Line = serde_json::from_slice(line).map_err(|source| AnswerError::Json {
            line: String::from_utf8_lossy(line).chars().take(120).collect(),
            source,
        })?;
        let Line {
            file,
            oracle,
            parse_errors,
            missing_headers,
            mut unjudged,
            lines,
            error,
            symbols,
            imports,
            mut entities,
            counts,
        } = parsed;
        let oracle = oracle.unwrap_or_default();
        let outcome = if error.is_some() {
            Err("front_end_error")
        } else if parse_errors > 0 && missing_headers > 0 {
            Err("missing_header")
        } else if parse_errors > 0 {
            Err("parse_errors")
        } else {
            entities.sort_by_cached_key(|entity| Value::from(entity.clone()).to_string());
            unjudged.sort_unstable();
            let labels = labels(symbols, imports)
                .map(|labels| Labels { entities, counts, unjudged, lines, ..labels })
                .and_then(possible);
            Ok(labels.map_err(|why| AnswerError::Impossible { file: file.clone(), why })?)
        };
        Ok(Self { file, oracle, outcome })
    }
}

fn labels(symbols: Vec<Symbol>, imports: Vec<Import>) -> Result<Labels, String> {
    let mut labels = Labels {
        symbols: symbols.into_iter().map(symbol).collect::<Result<_, _>>()?,
        imports: imports.into_iter().map(import).collect::<Result<_, _>>()?,
        ..Labels::default()
    };
    // Gold has a fixed order, whatever order an oracle walks in.
    labels.symbols.sort();
    labels.imports.sort();
    Ok(labels)
}

/// Labels whose unjudged lines are in the file, and have no label where the front end skipped them.
fn possible(labels: Labels) -> Result<Labels, String> {
    for one in &labels.unjudged {
        if one.first == 0 || one.last < one.first || one.last > labels.lines {
            return Err(format!(
                "unjudged lines {} to {} of {}",
                one.first, one.last, labels.lines
            ));
        }
        let inside =
            |line: u32| one.why == Why::Configured && (one.first..=one.last).contains(&line);
        if let Some(symbol) = labels.symbols.iter().find(|symbol| inside(symbol.line)) {
            return Err(format!(
                "symbol {:?} on line {} that was skipped",
                symbol.name, symbol.line
            ));
        }
    }
    Ok(labels)
}

fn symbol(symbol: Symbol) -> Result<SymbolLabel, String> {
    let Symbol { name, kind, line, decl_line, end_line, parent, visibility, exported } = symbol;
    let decl_line = decl_line.unwrap_or(line);
    let end_line = end_line.unwrap_or(line);
    if name.is_empty() || line == 0 || decl_line == 0 || end_line < decl_line {
        return Err(format!("symbol {name:?} on lines {decl_line}, {line}, {end_line}"));
    }
    Ok(SymbolLabel {
        line,
        name,
        kind: word(kind)?,
        decl_line,
        end_line,
        parent: parent.filter(|parent| !parent.is_empty()),
        visibility: visibility.map(word).transpose()?,
        exported,
    })
}

fn import(import: Import) -> Result<ImportLabel, String> {
    let Import { path, names, category, line } = import;
    if line == 0 {
        return Err(format!("import {path:?} on line 0"));
    }
    Ok(ImportLabel { line, path, category: category.map(word).transpose()?, names })
}

/// The JSON word of an enumeration's value.
fn word(value: impl serde::Serialize) -> Result<String, String> {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => Ok(word),
        _ => Err("a value has no word".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::Answer;

    fn parse(text: &str) -> Result<Answer, String> {
        Answer::parse(text.as_bytes()).map_err(|error| error.to_string())
    }

    #[test]
    fn labels_are_sorted_and_lines_filled_in() {
        let answer = parse(
            r#"{"file":"a.py","oracle":"x 1","parse_errors":0,"error":null,"symbols":[
              {"name":"b","kind":"class","line":9,"end_line":10,"parent":null,"exported":true},
              {"name":"a","kind":"function","line":2,"decl_line":1,"end_line":3,"visibility":"public"}],
              "imports":[{"path":"os","names":[],"category":"stdlib","line":1}]}"#,
        );
        let labels = answer.unwrap().outcome.unwrap();
        let shown: Vec<_> =
            labels.symbols.iter().map(|one| (one.name.as_str(), one.decl_line)).collect();
        assert_eq!(shown, [("a", 1), ("b", 9)]);
        assert_eq!(labels.imports[0].category.as_deref(), Some("stdlib"));
    }

    #[test]
    fn a_file_with_an_error_has_no_labels() {
        for (field, why) in [
            ("\"parse_errors\":1", "parse_errors"),
            ("\"parse_errors\":2,\"missing_headers\":1", "missing_header"),
            ("\"error\":\"x\"", "front_end_error"),
        ] {
            let answer = parse(&format!("{{\"file\":\"a\",\"oracle\":\"x\",{field}}}"));
            assert_eq!(answer.unwrap().outcome, Err(why));
        }
    }

    #[test]
    fn unjudged_lines_are_sorted_and_those_that_cannot_be_are_refused() {
        let line = |unjudged: &str, symbols: &str| {
            parse(&format!(
                r#"{{"file":"a.c","lines":9,"unjudged":[{unjudged}],"symbols":[{symbols}]}}"#
            ))
        };
        let labels = line(r#"[7,9,"macro_made"],[2,3,"configured"]"#, "").unwrap().outcome.unwrap();
        let shown: Vec<_> = labels.unjudged.iter().map(|one| (one.first, one.last)).collect();
        assert_eq!((shown, labels.lines), (vec![(2, 3), (7, 9)], 9));
        let written = r#"{"name":"a","kind":"function","line":2}"#;
        assert!(line(r#"[2,3,"macro_made"]"#, written).is_ok());
        assert!(line(r#"[2,3,"configured"]"#, written).is_err());
        for wrong in [
            r#"[0,3,"configured"]"#,
            r#"[4,3,"configured"]"#,
            r#"[4,10,"configured"]"#,
            r#"[4,5,"hard"]"#,
        ] {
            assert!(line(wrong, "").is_err(), "{wrong}");
        }
    }

    #[test]
    fn words_outside_the_closed_lists_and_impossible_lines_are_refused() {
        for symbol in [
            r#"{"name":"a","kind":"thing","line":1}"#,
            r#"{"name":"a","kind":"class","line":0}"#,
            r#"{"name":"","kind":"class","line":1}"#,
            r#"{"name":"a","kind":"class","line":5,"end_line":4}"#,
            r#"{"name":"a","kind":"class","line":1,"visibility":"secret"}"#,
        ] {
            assert!(
                parse(&format!("{{\"file\":\"a\",\"symbols\":[{symbol}]}}")).is_err(),
                "{symbol}"
            );
        }
        assert!(parse("Traceback (most recent call last):").is_err());
    }
}
