//! The plugin for clients that run plugins instead of commands at their events.

use serde_json::json;

/// The plugin of opencode.
const OPENCODE: &str = include_str!("../../clients/opencode.js");
/// Placeholder in the plugin for the command that it starts.
const COMMAND: &str = "@COMMAND@";

/// The text of the plugin that starts `program` with the arguments in `event`.
pub fn text(program: &str, event: &str) -> String {
    let words: Vec<&str> = [program].into_iter().chain(event.split_whitespace()).collect();
    OPENCODE.replace(COMMAND, &json!(words).to_string())
}

/// Whether a file is our plugin, of any version.
pub fn is_ours(text: &str) -> bool {
    let first = |text: &str| text.lines().next().map(str::to_owned);
    first(text) == first(OPENCODE)
}

#[cfg(test)]
mod tests {
    use super::{is_ours, text};

    #[test]
    fn a_path_with_quotes_is_a_string_of_the_plugin() {
        let text = text("/a \"b\"/parity", "hook --client opencode");
        let expected = r#"const COMMAND = ["/a \"b\"/parity","hook","--client","opencode"];"#;
        assert!(text.contains(expected) && is_ours(&text));
        assert!(!is_ours("// mine\n") && !is_ours(""));
    }
}
