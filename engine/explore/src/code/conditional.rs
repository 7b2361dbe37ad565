//! Conditional compilation: which branches of `#if` can be told from the text alone.

use tree_sitter::Node;

use super::walk::Walk;

/// The truth of a branch's condition, or nothing if it depends on how the program is built.
pub fn truth(walk: &Walk, branch: Node, cpp: bool) -> Option<bool> {
    match branch.kind() {
        "preproc_if" | "preproc_elif" => value(walk.field(branch, "condition")?.trim(), cpp),
        "preproc_ifdef" | "preproc_elifdef" => {
            let known = defined(walk.field(branch, "name")?, cpp)?;
            let negated = branch.child(0).is_some_and(|word| walk.of(word).ends_with("ndef"));
            Some(known != negated)
        }
        _ => None,
    }
}

/// A condition that is a number or asks for one known macro.
fn value(condition: &str, cpp: bool) -> Option<bool> {
    let (condition, negated) = match condition.strip_prefix('!') {
        Some(rest) => (rest.trim(), true),
        None => (condition, false),
    };
    let truth = match condition {
        "0" => Some(false),
        "1" => Some(true),
        _ => {
            let name = condition
                .strip_prefix("defined")?
                .trim()
                .trim_start_matches('(')
                .trim_end_matches(')')
                .trim();
            defined(name, cpp)
        }
    };
    truth.map(|truth| truth != negated)
}

/// Whether a macro is defined, where the language itself decides it.
fn defined(name: &str, cpp: bool) -> Option<bool> {
    (name == "__cplusplus").then_some(cpp)
}
