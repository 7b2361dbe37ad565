//! The skill: a file of ours that tells an agent when to call which tool.

/// The text of the skill, the same for all clients.
const SKILL: &str = include_str!("../../clients/SKILL.md");
/// The folder of the skill, which holds no other file.
pub const FOLDER: &str = "parity";

/// The file of the skill.
pub fn text() -> String {
    SKILL.to_owned()
}

/// Whether a file is our skill, of any version: it ends as ours does.
pub fn is_ours(text: &str) -> bool {
    let last = |text: &str| text.trim_end().lines().next_back().map(str::to_owned);
    last(text) == last(SKILL)
}

#[cfg(test)]
mod tests {
    use super::{FOLDER, SKILL, is_ours, text};

    #[test]
    fn it_is_short_and_names_itself_as_clients_demand() {
        assert!(SKILL.lines().count() < 60);
        let mut lines = SKILL.lines();
        assert_eq!(lines.next(), Some("---"));
        assert_eq!(lines.next(), Some(format!("name: {FOLDER}").as_str()));
        let description = lines.next().and_then(|line| line.strip_prefix("description: ")).unwrap();
        assert!((1..=1024).contains(&description.chars().count()));
        assert!(!description.contains(": "), "it is plain YAML");
        assert_eq!(lines.next(), Some("---"));
    }

    #[test]
    fn it_names_every_tool_of_the_server() {
        let tools: serde_json::Value =
            serde_json::from_str(include_str!("../mcp/tools.json")).unwrap();
        let tools = tools.as_array().unwrap();
        assert!(!tools.is_empty());
        for tool in tools {
            let name = format!("`{}`", tool["name"].as_str().unwrap());
            assert!(SKILL.contains(&name), "{name}");
        }
    }

    #[test]
    fn a_skill_of_others_is_none_of_ours() {
        assert!(is_ours(&text()) && is_ours(&text().replace("how far", "as far")));
        assert!(!is_ours("") && !is_ours("---\nname: parity\n---\n# Mine\n"));
        assert!(!is_ours(&format!("{}\nMine too.\n", text())));
    }
}
