//! The fixtures: one event of each kind as each client sends it, written by us. The tests of the real
//! clients check their fields. `ROOT` stands for the repository.

/// The client, the name of the event, and the event.
pub const EVENTS: [(&str, &str, &str); 11] = [
    ("claude", "SessionStart", include_str!("events/claude-start.json")),
    ("claude", "UserPromptSubmit", include_str!("events/claude-prompt.json")),
    ("claude", "PostToolUse", include_str!("events/claude-edit.json")),
    ("codex", "SessionStart", include_str!("events/codex-start.json")),
    ("codex", "UserPromptSubmit", include_str!("events/codex-prompt.json")),
    ("codex", "PostToolUse", include_str!("events/codex-edit.json")),
    ("gemini", "SessionStart", include_str!("events/gemini-start.json")),
    ("gemini", "BeforeAgent", include_str!("events/gemini-prompt.json")),
    ("gemini", "AfterTool", include_str!("events/gemini-edit.json")),
    ("plain", "SessionStart", include_str!("events/plain-start.json")),
    ("plain", "UserPromptSubmit", include_str!("events/plain-prompt.json")),
];

/// The names of the events that tell of an edit.
pub const EDITS: [&str; 2] = ["PostToolUse", "AfterTool"];
