//! Secrets in the lines of a repository: they are not shown.

use std::{borrow::Cow, sync::LazyLock};

use regex::Regex;

/// What stands in the place of a secret.
const MASK: &str = "[secret]";

/// Texts that are secrets by their form: private keys, and the tokens of services whose beginnings
/// are published so that they can be found.
static FORMS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let forms = [
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----[^\n]*",
        r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b",
        r"\bgh[pousr]_[0-9A-Za-z]{36,}",
        r"\bgithub_pat_[0-9A-Za-z_]{22,}",
        r"\bglpat-[0-9A-Za-z_-]{20,}",
        r"\bxox[abeprs]-[0-9A-Za-z-]{10,}",
        r"\bsk-[0-9A-Za-z_-]{20,}",
        r"\bAIza[0-9A-Za-z_-]{35}",
        r"\beyJ[0-9A-Za-z_-]{10,}\.[0-9A-Za-z_-]{10,}\.[0-9A-Za-z_-]+",
    ];
    Regex::new(&forms.join("|")).ok()
});

/// A quoted value of a name that says it is secret.
static ASSIGNED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r#"(?i)((?:password|passwd|secret|token|api_?key|credential)[a-z0-9_]*["']?\s*(?::\s*[a-z&'<>\[\]]+\s*)?[:=]+\s*)("[^"\n]{6,}"|'[^'\n]{6,}')"#,
    )
    .ok()
});

/// A text with every secret in it replaced.
pub fn masked(text: &str) -> Cow<'_, str> {
    let by_form = match &*FORMS {
        Some(forms) => forms.replace_all(text, MASK),
        None => Cow::Borrowed(text),
    };
    match &*ASSIGNED {
        Some(assigned) if assigned.is_match(&by_form) => {
            Cow::Owned(assigned.replace_all(&by_form, format!("${{1}}\"{MASK}\"")).into_owned())
        }
        _ => by_form,
    }
}

#[cfg(test)]
mod tests {
    use super::masked;

    #[test]
    fn secrets_are_not_shown() {
        // None of these opens anything; they are put together so that no scanner takes them for real.
        let token = ["gh", "p_", &"a1B2".repeat(9)].concat();
        let key = ["AK", "IA", "ABCDEFGHIJKLMNOP"].concat();
        assert_eq!(masked(&format!("│x = f({token:?}, {key})")), "│x = f(\"[secret]\", [secret])");
        assert_eq!(masked("│DB_PASSWORD = 'hunter22'"), "│DB_PASSWORD = \"[secret]\"");
        assert_eq!(masked("api_key: \"0123456789\","), "api_key: \"[secret]\",");
        assert_eq!(
            masked("const TOKEN: &str = \"abcdefgh\";"),
            "const TOKEN: &str = \"[secret]\";"
        );
        assert_eq!(masked("-----BEGIN RSA PRIVATE KEY----- MIIE"), "[secret]");
    }

    #[test]
    fn names_of_secrets_stay() {
        for harmless in
            ["│def reset_password(self, token):", "│class TokenStream:", "secret = load()"]
        {
            assert_eq!(masked(harmless), harmless);
        }
    }
}
