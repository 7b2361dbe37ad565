//! The answers of a hook when nothing goes wrong.

use serde_json::{Value, json};

use super::{
    events::{EDITS, EVENTS},
    place::{Place, answer, context},
};

#[test]
fn every_client_gets_the_map_in_its_own_form() {
    for (client, event, input) in EVENTS.into_iter().filter(|(_, event, _)| !EDITS.contains(event))
    {
        let place = Place::new();
        let input = input.replace("ROOT", place.root().to_str().unwrap());
        let output = place.hook(&["--client", client, "--timeout", "25000"], &input);
        let answer = answer(&output);
        // Codex refuses an answer with a field that it does not know.
        let context = context(&answer).to_owned();
        let expected = json!({"hookSpecificOutput":
            {"hookEventName": event, "additionalContext": context}});
        assert_eq!(answer, expected, "{client}");
        assert!(
            context.contains("shapes.py:\n") && context.contains("def area_of(shape):"),
            "{context}"
        );
    }
}

#[test]
fn what_a_client_edits_is_left_out_of_its_map() {
    for (client, edit, input) in EVENTS.into_iter().filter(|(_, event, _)| EDITS.contains(event)) {
        let place = Place::new();
        let hook = |input: &str| {
            let input = input.replace("ROOT", place.root().to_str().unwrap());
            answer(&place.hook(&["--client", client, "--timeout", "25000"], &input))
        };
        let (_, _, prompt) =
            EVENTS.into_iter().rfind(|(of, event, _)| *of == client && *event != edit).unwrap();
        assert_eq!(hook(input), Value::Null, "{client}");
        let map = hook(prompt);
        let map = context(&map);
        assert!(
            map.contains("\nshapes.py:") && !map.contains("\nuse_shapes.py"),
            "{client}: {map}"
        );
    }
}

#[test]
fn a_session_is_told_what_changed_and_nothing_twice() {
    let place = Place::new();
    let prompt = json!({"prompt": "please go on"});
    let first = place.claude("SessionStart", &json!({"source": "startup"}));
    assert!(context(&first).contains("area_of"));
    assert_eq!(place.claude("UserPromptSubmit", &prompt), Value::Null, "it is in the context");
    assert_eq!(place.claude("SessionStart", &json!({"source": "resume"})), Value::Null);
    place.write("shapes.py", "def volume_of(shape):\n    return shape.side_length ** 3\n");
    place.write("use_shapes.py", "from shapes import volume_of\n\nprint(volume_of(1))\n");
    let changed = place.claude("UserPromptSubmit", &prompt);
    assert!(context(&changed).contains("volume_of") && !context(&changed).contains("area_of"));
    let emptied = place.claude("SessionStart", &json!({"source": "compact"}));
    assert_eq!(context(&emptied), context(&changed), "the context was emptied");
}

#[test]
fn a_session_is_told_no_more_than_its_tokens() {
    let place = Place::new();
    let input = place.event("SessionStart", &json!({}));
    let flags = ["--client", "claude", "--timeout", "25000", "--session-tokens", "3"];
    assert_eq!(answer(&place.hook(&flags, &input)), Value::Null);
}

#[test]
fn what_the_agent_edits_becomes_its_chat() {
    let place = Place::new();
    place.claude("SessionStart", &json!({"source": "startup"}));
    let file = place.root().join("use_shapes.py");
    let edit = json!({"tool_name": "Edit", "tool_input": {"file_path": file}});
    assert_eq!(place.claude("PostToolUse", &edit), Value::Null);
    place.write("other.py", "from use_shapes import nothing\n");
    place.write("shapes.py", "def area_of(shape):\n    return shape.side\n");
    place.git(&["add", "-A"]);
    let map = place.claude("UserPromptSubmit", &json!({"prompt": "go on"}));
    let map = context(&map);
    assert!(map.contains("\nshapes.py:"), "{map}");
    assert!(!map.contains("\nuse_shapes.py"), "a file of the chat is left out: {map}");
}

#[test]
fn advice_says_where_the_artifact_is() {
    let place = Place::new();
    let folder = place.root().join("out dir");
    let input = place.event("SessionStart", &json!({}));
    for (mode, is_said) in [("advise", true), ("artifact", false)] {
        let flags = ["--client", "claude", "--timeout", "25000", "--mode", mode, "--artifact-dir"];
        let output = place.hook(&[&flags[..], &[folder.to_str().unwrap()]].concat(), &input);
        let said = context(&answer(&output)).contains("out dir/latest.json");
        assert_eq!(said, is_said, "{mode}");
        let artifact: Value =
            serde_json::from_slice(&std::fs::read(folder.join("s-1.json")).unwrap()).unwrap();
        assert_eq!(artifact["ok"], true);
        assert_eq!(artifact["provenance"]["timeout_ms"], 25_000);
    }
}

#[test]
fn hooks_are_installed_shown_and_taken_out() {
    let place = Place::new();
    let run = |arguments: &[&str]| {
        let output = place.parity(&[&["hook"], arguments].concat()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let settings = place.root().join(".gemini/settings.json");
    let shown = run(&["install", "--client", "gemini", "--dry-run"]);
    assert!(shown.contains("+ ") && shown.contains("BeforeAgent") && !settings.exists());
    assert_eq!(run(&["install", "--client", "gemini"]), shown);
    assert!(run(&["install", "--client", "gemini"]).contains("nothing to change"));
    assert!(run(&["status"]).contains("gemini: 3 of 3 hooks, server, skill\n"));
    assert!(run(&["status"]).contains("claude: not installed\n"));
    assert!(run(&["status", "--client", "gemini"]).starts_with("gemini: 3 of 3 hooks"));
    assert_eq!(run(&["status", "--client", "codex"]), "codex: not installed\n");
    let written: Value = serde_json::from_slice(&std::fs::read(&settings).unwrap()).unwrap();
    let command = written["hooks"]["SessionStart"][0]["hooks"][0]["command"].as_str().unwrap();
    assert!(command.ends_with("hook --client gemini --mode inject || true"), "{command}");
    let server = &written["mcpServers"]["parity"];
    assert_eq!(server["args"], json!(["mcp"]), "{server}");
    assert!(server["command"].as_str().unwrap().ends_with("parity"));
    run(&["uninstall", "--client", "gemini"]);
    assert!(!settings.exists());
}

#[test]
fn what_the_user_must_trust_is_said() {
    for (client, said) in
        [("claude", false), ("codex", true), ("gemini", true), ("opencode", false)]
    {
        let place = Place::new();
        let output = place.parity(&["hook", "install", "--client", client]).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(told.contains(" trust"), said, "{client}: {told}");
    }
}

#[test]
fn a_skill_is_written_shown_and_taken_back() {
    let place = Place::new();
    let run = |arguments: &[&str]| {
        let output = place.parity(&[&["hook"], arguments].concat()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let skill = place.root().join(".claude/skills/parity/SKILL.md");
    let shown = run(&["install", "--client", "claude", "--dry-run"]);
    assert!(shown.contains("SKILL.md:\n+ ---\n+ name: parity\n") && !skill.exists());
    run(&["install", "--client", "claude", "--no-skill"]);
    assert!(
        !skill.exists() && run(&["status"]).contains("claude: 3 of 3 hooks, server, no skill\n")
    );
    run(&["install", "--client", "claude"]);
    let text = std::fs::read_to_string(&skill).unwrap();
    assert!(
        text.lines().count() < 60 && text.contains("`repo_map`") && text.contains("parity search")
    );
    assert!(run(&["install", "--client", "claude"]).contains("SKILL.md: nothing to change"));
    assert!(run(&["status"]).contains("  skill: "));
    run(&["uninstall", "--client", "claude"]);
    assert!(!skill.parent().unwrap().exists());
}
