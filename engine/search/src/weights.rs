//! The weights and limits of a search: `weights.toml`.

use std::sync::LazyLock;

use serde::Deserialize;

/// Number of fields.
pub const FIELDS: usize = 6;
/// Number of the fields that a row keeps; the last field is the path, which the row does not know.
pub const KEPT: usize = 5;

/// The weight of a field.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// Weight of a word in the field, at least 0.
    pub weight: f64,
    /// How strongly the length of the field reduces the weight of its words, from 0 to 1 (b of
    /// BM25F).
    pub length: f64,
}

/// All weights and limits.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weights {
    /// Saturation of repeated words.
    pub saturation: Saturation,
    /// The fields.
    pub fields: Fields,
    /// The second stage.
    pub stage: Stage,
    /// Which results are shown.
    pub select: Select,
}

/// Saturation of repeated words.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Saturation {
    /// k1 of BM25, above 0.
    pub k1: f64,
}

/// The weight of each field.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fields {
    /// The name.
    pub name: Field,
    /// The enclosing scope.
    pub parent: Field,
    /// The path of the file.
    pub path: Field,
    /// The declaration.
    pub signature: Field,
    /// The first paragraph of the documentation.
    pub documentation: Field,
    /// All lines, without the bodies of the chunks inside it.
    pub body: Field,
}

/// The second stage.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// Factor for a chunk whose name occurs in the question.
    pub definition: f64,
    /// What is added to the candidates of a file, as a share of the best score: this much in the
    /// file whose candidates have the highest total score, and proportionally less in other files.
    pub coherence: f64,
    /// Factor for an import.
    pub import: f64,
    /// Factor for a comment that stands alone.
    pub comment: f64,
    /// Factor for other lines between symbols.
    pub statement: f64,
    /// Factor for a file that only declares, such as a C header.
    pub declaration: f64,
    /// Endings of the names of such files.
    pub declaration_endings: Vec<String>,
}

/// Which results are shown, unless the question says otherwise.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Select {
    /// Number of chunks that enter the second stage.
    pub candidates: usize,
    /// The least share of the best score that a result must have, from 0 to 1.
    pub gate: f64,
    /// Maximum number of tokens of all results together.
    pub tokens: usize,
}

static WEIGHTS: LazyLock<Weights> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "the table is embedded and loaded by a test")]
    toml::from_str(include_str!("../weights.toml")).expect("the embedded table is valid")
});

impl Weights {
    /// The built-in weights.
    pub fn ours() -> &'static Self {
        &WEIGHTS
    }
}

impl Fields {
    /// The fields in the order in which rows keep them, followed by the path.
    pub const fn all(&self) -> [Field; FIELDS] {
        [self.name, self.parent, self.signature, self.documentation, self.body, self.path]
    }
}

#[cfg(test)]
mod tests {
    use super::Weights;

    #[test]
    fn the_table_is_read_and_in_range() {
        let ours = Weights::ours();
        for field in ours.fields.all() {
            assert!(field.weight >= 0.0 && (0.0..=1.0).contains(&field.length));
        }
        assert!(ours.saturation.k1 > 0.0 && (0.0..=1.0).contains(&ours.select.gate));
        assert!(ours.select.candidates > 0 && ours.select.tokens > 0);
    }
}
