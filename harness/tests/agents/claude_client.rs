//! Claude Code itself with our hooks and our server; its model is a stub.

use std::fs;

use serde_json::{Value, json};

use super::{
    clients::client,
    place::{Place, context},
    real::{
        self, Recorder, SHOWN, TOOLS, assert_edit_is_known, count, fill, printed, replace_program,
        set_up,
    },
    stub::Stub,
};

const HOOKS: &str = ".claude/settings.json";

/// A model that answers with these blocks of the Messages API one after the other, then with a text.
fn model(blocks: Vec<Value>) -> Stub {
    Stub::start(Box::new(move |path, request, number| {
        let text = json!({"type": "text", "text": "done"});
        let block = blocks.get(number).unwrap_or(&text);
        let (begun, delta, why) = if block["type"] == "text" {
            let delta = json!({"type": "text_delta", "text": block["text"]});
            (json!({"type": "text", "text": ""}), delta, "end_turn")
        } else {
            let input = block["input"].to_string();
            let delta = json!({"type": "input_json_delta", "partial_json": input});
            let mut begun = block.clone();
            begun["input"] = json!({});
            (begun, delta, "tool_use")
        };
        let usage = json!({"input_tokens": 1, "output_tokens": 1});
        let message = json!({"id": "m", "type": "message", "role": "assistant", "content": [],
            "model": request["model"], "stop_reason": null, "stop_sequence": null, "usage": usage});
        let stop = json!({"stop_reason": why, "stop_sequence": null});
        let is_asked = path.split('?').next() == Some("/v1/messages") && request["stream"] == true;
        is_asked.then(|| {
            vec![
                json!({"type": "message_start", "message": message}),
                json!({"type": "content_block_start", "index": 0, "content_block": begun}),
                json!({"type": "content_block_delta", "index": 0, "delta": delta}),
                json!({"type": "content_block_stop", "index": 0}),
                json!({"type": "message_delta", "delta": stop, "usage": usage}),
                json!({"type": "message_stop"}),
            ]
        })
    }))
}

/// Runs `claude --print` with these arguments, and returns the messages that it printed.
fn print(place: &Place, stub: &Stub, arguments: &[&str]) -> Vec<Value> {
    let url = stub.url();
    let variables = [
        ("ANTHROPIC_BASE_URL", url.as_str()),
        ("ANTHROPIC_API_KEY", "none"),
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
        ("DISABLE_AUTOUPDATER", "1"),
        ("DISABLE_ERROR_REPORTING", "1"),
        ("DISABLE_TELEMETRY", "1"),
    ];
    let options = ["--print", "--verbose", "--output-format", "stream-json"];
    let all = [&options[..], arguments].concat();
    let capture = real::run(&client("claude"), place, &variables, &all);
    assert!(capture.succeeded(), "{}", printed(&capture));
    let said = String::from_utf8(capture.stdout.bytes).unwrap();
    said.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The requests of a session with one prompt, and what Claude Code said at its beginning.
fn session(place: &Place) -> (Vec<Value>, Value) {
    let stub = model(Vec::new());
    let said = print(place, &stub, &["What does area_of do?"]);
    let beginning = said.into_iter().find(|message| message["subtype"] == "init").unwrap();
    (stub.asked(), beginning)
}

#[test]
#[ignore = "Claude Code takes 364 MB of disk; the nightly run has it"]
fn the_map_and_the_tools_reach_the_model() {
    let place = Place::new();
    set_up(&place, "claude");
    let (asked, beginning) = session(&place);
    assert_eq!((asked.len(), count(&asked[0], SHOWN)), (1, 1));
    let server = &beginning["mcp_servers"][0];
    assert_eq!((&server["name"], &server["status"]), (&json!("parity"), &json!("connected")));
    for tool in TOOLS {
        assert!(count(&asked[0], &format!("mcp__parity__{tool}")) > 0, "{tool}");
    }
    assert!(beginning["skills"].as_array().unwrap().contains(&json!("parity")), "{beginning}");
}

#[test]
#[ignore = "Claude Code takes 364 MB of disk; the nightly run has it"]
fn without_installation_nothing_arrives() {
    let place = Place::new();
    let (asked, beginning) = session(&place);
    assert_eq!((asked.len(), count(&asked[0], SHOWN)), (1, 0));
    assert_eq!((&beginning["mcp_servers"], count(&asked[0], "mcp__parity")), (&json!([]), 0));
}

#[test]
#[ignore = "Claude Code takes 364 MB of disk; the nightly run has it"]
fn a_hook_that_is_gone_does_not_hold_the_request_up() {
    let place = Place::new();
    set_up(&place, "claude");
    replace_program(&place, HOOKS, "/gone/parity");
    let (asked, _) = session(&place);
    assert_eq!((asked.len(), count(&asked[0], SHOWN)), (1, 0));
}

#[test]
#[ignore = "Claude Code takes 364 MB of disk; the nightly run has it"]
fn an_edit_is_known_at_the_next_prompt() {
    let place = Place::new();
    set_up(&place, "claude");
    let recorder = Recorder::put(&place, HOOKS, "cat");
    let file = place.root().canonicalize().unwrap().join("use_shapes.py");
    let stub = model(vec![
        json!({"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": file}}),
        json!({"type": "tool_use", "id": "t2", "name": "Edit",
            "input": {"file_path": file, "old_string": "area_of(1)", "new_string": "area_of(2)"}}),
    ]);
    print(&place, &stub, &["--permission-mode", "acceptEdits", "Print two."]);
    assert!(fs::read_to_string(file).unwrap().contains("area_of(2)"));
    print(&place, &stub, &["--continue", "Go on."]);
    let events = recorder.events();
    let names = ["SessionStart", "UserPromptSubmit", "PostToolUse"];
    assert_edit_is_known("claude", names, &events);
    let asked = stub.asked();
    let maps = |request: &Value| count(request, "<repository-map ");
    assert_eq!((asked.len(), maps(&asked[2]), maps(&asked[3])), (4, 1, 2));
}

#[test]
#[ignore = "Claude Code takes 364 MB of disk; the nightly run has it"]
fn the_longest_map_arrives_whole() {
    // Claude Code keeps a text above 10,000 UTF-16 units out of the context.
    let longer = "sed \"s/Repository map/$(head -c 1500 /dev/zero | tr '\\0' x)&/\"";
    for (name, filter, arrived) in
        [("something", "cat", 1), ("形状の面積", "cat", 1), ("something", longer, 0)]
    {
        let place = Place::new();
        fill(&place, name);
        set_up(&place, "claude");
        let recorder = Recorder::put(&place, HOOKS, filter);
        let (asked, _) = session(&place);
        let events = recorder.events();
        let map = events.iter().map(|(_, answer)| context(answer)).find(|map| !map.is_empty());
        let map = map.unwrap();
        assert!(map.encode_utf16().count() > 9_000 && map.contains("more lines"), "{map}");
        assert_eq!(count(&asked[0], map), arrived, "{name}, {filter}");
    }
}
