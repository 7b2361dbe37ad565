//! By which count a budget is held.

use base::tokens::{Counter, Model, TokenizerFamily, estimate, safety_count};

/// By which count the enhancement profile holds its budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BudgetCount {
    /// The greater of the exact count and of the safety count, which assumes 15 % more tokens than
    /// bytes suggest: it also holds for a model whose tokenizer is another one.
    #[default]
    Safety,
    /// The exact count of the tokenizer that the comparator picks for the model; the safety count
    /// where that tokenizer is not built in.
    Tokenizer,
}

impl BudgetCount {
    /// The count that can be made for a model.
    #[must_use]
    pub fn for_model(self, model: &Model) -> Self {
        let built_in = TokenizerFamily::of(&model.name).is_some_and(TokenizerFamily::is_built_in);
        if built_in { self } else { Self::Safety }
    }

    /// Tokens of a text.
    pub fn of(self, text: &str) -> f64 {
        let exact = Counter.count(text) as f64;
        match self {
            Self::Tokenizer => exact,
            Self::Safety => safety_count(estimate(&Counter, text), text).max(exact),
        }
    }
}

#[cfg(test)]
mod tests {
    use base::tokens::Model;

    use super::BudgetCount;

    #[test]
    fn without_the_tokenizer_of_a_model_the_count_is_the_safe_one() {
        let count = |model: &str| BudgetCount::Tokenizer.for_model(&Model::named(model));
        assert_eq!(count("gpt-4o"), BudgetCount::Tokenizer);
        assert_eq!(count("sonnet"), BudgetCount::Safety);
    }

    #[test]
    fn the_safe_count_is_never_the_smaller_one() {
        for text in ["", "fn main() {}", "(((((((((((((", &"a b c d ".repeat(100)] {
            assert!(BudgetCount::Safety.of(text) >= BudgetCount::Tokenizer.of(text), "{text}");
        }
    }
}
