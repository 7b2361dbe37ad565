//! What the words of a message without a level tell.

/// Number of bytes of a message whose words are read.
const HEAD: usize = 1_000;

/// The words in the head of a message, consisting of letters only.
fn words(message: &str) -> impl Iterator<Item = &str> {
    let end = message.floor_char_boundary(HEAD);
    message
        .get(..end)
        .unwrap_or_default()
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
}

/// Whether a message without a level reports a failure.
pub fn fails(message: &str) -> bool {
    let mut before = "";
    for word in words(message) {
        let denied = matches!(before, "0" | "no" | "No" | "without");
        before = word;
        let is = |other: &&str| word.eq_ignore_ascii_case(other);
        let named = word.len() > 9 && word.ends_with("Exception")
            || word.len() > 5 && word.ends_with("Error");
        if !denied
            && (named
                || [
                    "error",
                    "errors",
                    "exception",
                    "failed",
                    "fail",
                    "fails",
                    "failing",
                    "failure",
                    "failures",
                    "fatal",
                    "panic",
                    "panicked",
                    "traceback",
                    "segfault",
                    "crash",
                    "crashed",
                    "aborted",
                ]
                .iter()
                .any(is))
        {
            return true;
        }
    }
    false
}

/// Whether a message without a level is a warning.
pub fn warns(message: &str) -> bool {
    words(message).any(|word| {
        ["warn", "warning", "deprecated", "timeout", "retry", "retrying", "overfull", "underfull"]
            .iter()
            .any(|other| word.eq_ignore_ascii_case(other))
    })
}
