//! Tokens by the forms that services have published, from `forms.toml`.

use std::{borrow::Cow, sync::LazyLock};

use regex::Regex;
use serde::Deserialize;

use super::MASK;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    forms: Vec<Form>,
}

/// One form.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    #[expect(dead_code, reason = "it says to readers of the table whose tokens these are")]
    name: String,
    expression: String,
}

/// All forms as one expression. A token must not follow a letter, a digit or an underscore; what
/// comes after it does not matter.
static FORMS: LazyLock<Regex> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "it is embedded and loaded by a test")]
    let table: Table =
        toml::from_str(include_str!("forms.toml")).expect("the embedded table is valid");
    let all: Vec<&str> = table.forms.iter().map(|form| form.expression.as_str()).collect();
    let expression = format!(r"(^|[^0-9A-Za-z_])(?:{})", all.join("|"));
    #[expect(clippy::expect_used, reason = "it is embedded and loaded by a test")]
    let forms = Regex::new(&expression).expect("the embedded expressions are valid");
    forms
});

/// The text with the tokens in it masked.
pub fn masked(text: Cow<'_, str>) -> Cow<'_, str> {
    if FORMS.is_match(&text) {
        Cow::Owned(FORMS.replace_all(&text, format!("${{1}}{MASK}").as_str()).into_owned())
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::masked;

    #[test]
    fn a_token_is_found_between_signs_that_are_none_of_its_own() {
        let token = ["gh", "p_", &"a1B2".repeat(9)].concat();
        assert_eq!(masked(format!("x({token:?})").into()), "x(\"****\")");
        assert_eq!(masked(format!("é{token} {token}").into()), "é**** ****");
        let inside = format!("a{token}");
        assert_eq!(masked(inside.as_str().into()), inside);
    }
}
