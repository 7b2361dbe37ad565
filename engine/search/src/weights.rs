//! The numbers that a search rests on: `weights.toml`.

use std::sync::LazyLock;

use serde::Deserialize;

/// Number of fields.
pub const FIELDS: usize = 6;
/// Number of the fields that a row keeps; the last field is the path, which the row does not know.
pub const KEPT: usize = 5;

/// What a field is worth.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// What a word in it counts, from 0.
    pub weight: f64,
    /// How much its length counts against a word, from 0 to 1.
    pub length: f64,
}

/// All numbers.
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

/// What each field is worth.
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
    /// All lines, without the bodies of the chunks inside.
    pub body: Field,
}

/// The second stage.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// Factor for a chunk whose name stands in the query.
    pub definition: f64,
    /// What is added to the candidates of the file whose candidates score most together, as a share of the best
    /// score. In other files it is less, in proportion.
    pub coherence: f64,
    /// Factor for an import.
    pub import: f64,
    /// Factor for a comment that stands alone.
    pub comment: f64,
    /// Factor for other lines between symbols.
    pub statement: f64,
    /// Factor for a file of declarations.
    pub declaration: f64,
    /// Ends of the names of such files.
    pub declaration_endings: Vec<String>,
}

/// Which results are shown where nobody says otherwise.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Select {
    /// Chunks that the second stage sees.
    pub candidates: usize,
    /// Least share of the best score, from 0 to 1.
    pub gate: f64,
    /// Tokens of all results together.
    pub tokens: usize,
}

static WEIGHTS: LazyLock<Weights> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "the table is embedded and loaded by a test")]
    toml::from_str(include_str!("../weights.toml")).expect("the embedded table is valid")
});

impl Weights {
    /// The numbers of this program.
    pub fn ours() -> &'static Self {
        &WEIGHTS
    }
}

impl Fields {
    /// The fields in the order in which rows keep them, the path last.
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
