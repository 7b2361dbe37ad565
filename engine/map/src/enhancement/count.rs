//! Which token count a budget is checked with.

use base::tokens::{LineCounter, Model, Tokenizer, estimate_by, safety_count};

/// Which token count the enhancement profile checks its budget with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BudgetCount {
    /// The greater of the exact count and the safety count, which assumes 15 % more tokens than the
    /// number of bytes suggests. It also suits a model with another tokenizer.
    #[default]
    Safety,
    /// The exact count of `cl100k_base`, or the safety count if the comparator uses another tokenizer for
    /// the model.
    Tokenizer,
}

impl BudgetCount {
    /// The count that is available for a model.
    #[must_use]
    pub fn for_model(self, model: &Model) -> Self {
        if Tokenizer::of(&model.name) == Some(Tokenizer::Cl100k) { self } else { Self::Safety }
    }

    /// Number of tokens of a text by this count. `counter` knows the lines that were counted before.
    pub fn of(self, text: &str, counter: &mut LineCounter) -> f64 {
        let exact = counter.count(text) as f64;
        match self {
            Self::Tokenizer => exact,
            Self::Safety => {
                let estimate = estimate_by(&mut |text| counter.count(text), text);
                safety_count(estimate, text).max(exact)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use base::tokens::{LineCounter, Model};

    use super::BudgetCount;

    #[test]
    fn without_the_tokenizer_of_a_model_the_count_is_the_safe_one() {
        let count = |model: &str| BudgetCount::Tokenizer.for_model(&Model::named(model));
        assert_eq!(count("gpt-4o"), BudgetCount::Tokenizer);
        assert_eq!(count("sonnet"), BudgetCount::Safety);
    }

    #[test]
    fn the_safe_count_is_never_the_smaller_one() {
        let mut counter = LineCounter::default();
        for text in ["", "fn main() {}", "(((((((((((((", &"a b c d ".repeat(100)] {
            let exact = BudgetCount::Tokenizer.of(text, &mut counter);
            assert!(BudgetCount::Safety.of(text, &mut counter) >= exact, "{text}");
        }
    }
}
