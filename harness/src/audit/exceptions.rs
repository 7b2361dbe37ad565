//! Exceptions of the audit: rows of the protocol's `deviations.toml` that name files of the audit.

use regex::Regex;

use super::compare::Aspect;
use crate::deviations::Deviations;

/// All rows that name files.
#[derive(Debug, Default)]
pub struct Exceptions(Vec<(String, Exception)>);

#[derive(Debug)]
struct Exception {
    language: String,
    aspect: Aspect,
    files: Regex,
}

impl Exceptions {
    /// Reads the rows; the message says which one is wrong.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut rows = Vec::new();
        for row in Deviations::parse(text)?.rows {
            let Some(named) = row.audit else { continue };
            let files = Regex::new(&format!("^(?:{})$", named.files))
                .map_err(|error| format!("deviation {}: {error}", row.id))?;
            let exception = Exception { language: named.language, aspect: named.aspect, files };
            rows.push((row.id, exception));
        }
        Ok(Self(rows))
    }

    /// The row that declares this difference of a file, if one does.
    pub fn declares(
        &self,
        language: &str,
        aspect: Aspect,
        corpus: &str,
        path: &str,
    ) -> Option<&str> {
        let place = format!("{corpus}/{path}");
        let matches = |one: &Exception| {
            one.language == language && one.aspect == aspect && one.files.is_match(&place)
        };
        self.0.iter().find(|(_, one)| matches(one)).map(|(id, _)| id.as_str())
    }
}
