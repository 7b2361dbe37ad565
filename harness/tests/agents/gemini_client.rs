//! Gemini CLI itself with our hooks and our server; its model is a stub.

use std::fs;

use record::Capture;
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

const HOOKS: &str = ".gemini/settings.json";
/// A model named here is asked itself, without a smaller one that chooses it first.
const MODEL: &str = "gemini-2.5-flash";
/// The exit code for a folder that is not trusted.
const UNTRUSTED: i32 = 55;

/// A model that answers with these parts of the Gemini API one after the other, then with a text.
fn model(parts: Vec<Value>) -> Stub {
    Stub::start(Box::new(move |path, _, number| {
        let text = json!({"text": "done"});
        let content = json!({"role": "model", "parts": [parts.get(number).unwrap_or(&text)]});
        let usage = json!({"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2});
        path.contains(":streamGenerateContent").then(|| {
            vec![json!({
                "candidates": [{"content": content, "finishReason": "STOP", "index": 0}],
                "usageMetadata": usage,
            })]
        })
    }))
}

/// Runs Gemini CLI with a prompt.
fn run(place: &Place, stub: &Stub, arguments: &[&str]) -> Capture {
    let settings = place.outside().join(".gemini");
    fs::create_dir_all(&settings).unwrap();
    let key = json!({"security": {"auth": {"selectedType": "gemini-api-key"}}});
    fs::write(settings.join("settings.json"), key.to_string()).unwrap();
    let url = stub.url();
    let variables = [
        ("GOOGLE_GEMINI_BASE_URL", url.as_str()),
        ("GEMINI_API_KEY", "none"),
        ("GEMINI_CLI_NO_RELAUNCH", "true"),
    ];
    let options = ["--model", MODEL, "--approval-mode", "yolo"];
    real::run(&client("gemini"), place, &variables, &[&options[..], arguments].concat())
}

/// Trusts the folder as its question does when it is answered.
fn trust(place: &Place) {
    let settings = place.outside().join(".gemini");
    fs::create_dir_all(&settings).unwrap();
    let root = place.root().canonicalize().unwrap();
    let trusted = json!({root.to_str().unwrap(): "TRUST_FOLDER"});
    fs::write(settings.join("trustedFolders.json"), trusted.to_string()).unwrap();
}

/// The requests of a session with one prompt in a trusted folder.
fn session(place: &Place) -> Vec<Value> {
    trust(place);
    let stub = model(Vec::new());
    let capture = run(place, &stub, &["--prompt", "What does area_of do?"]);
    assert!(capture.succeeded(), "{}", printed(&capture));
    stub.asked()
}

/// The names of the tools of our server in a request, sorted.
fn tools(request: &Value) -> Vec<&str> {
    let tools = request["tools"].as_array().unwrap().iter();
    let all = tools.flat_map(|tool| tool["functionDeclarations"].as_array().into_iter().flatten());
    let names = all.map(|tool| tool["name"].as_str().unwrap());
    let mut names: Vec<_> = names.filter_map(|name| name.strip_prefix("mcp_parity_")).collect();
    names.sort_unstable();
    names
}

#[test]
fn the_map_and_the_tools_reach_the_model() {
    let place = Place::new();
    set_up(&place, "gemini");
    let asked = session(&place);
    assert_eq!((asked.len(), count(&asked[0], SHOWN)), (1, 1));
    assert_eq!(tools(&asked[0]), TOOLS);
}

#[test]
fn without_installation_or_trust_nothing_arrives() {
    let place = Place::new();
    let asked = session(&place);
    assert_eq!((asked.len(), count(&asked[0], SHOWN), tools(&asked[0]).len()), (1, 0, 0));
    fs::remove_file(place.outside().join(".gemini/trustedFolders.json")).unwrap();
    set_up(&place, "gemini");
    let stub = model(Vec::new());
    let capture = run(&place, &stub, &["--prompt", "Go on."]);
    assert_eq!((capture.exit_code, stub.asked().len()), (Some(UNTRUSTED), 0));
}

#[test]
fn a_hook_that_is_gone_does_not_hold_the_request_up() {
    let place = Place::new();
    set_up(&place, "gemini");
    replace_program(&place, HOOKS, "/gone/parity");
    let asked = session(&place);
    assert_eq!((asked.len(), count(&asked[0], SHOWN)), (1, 0));
}

#[test]
fn an_edit_is_known_at_the_next_prompt() {
    let place = Place::new();
    set_up(&place, "gemini");
    let recorder = Recorder::put(&place, HOOKS, "cat");
    trust(&place);
    let edit = json!({"file_path": "use_shapes.py", "old_string": "area_of(1)",
        "new_string": "area_of(2)", "instruction": "Print two."});
    let stub = model(vec![json!({"functionCall": {"name": "replace", "args": edit}})]);
    let first = run(&place, &stub, &["--prompt", "Print two."]);
    let next = run(&place, &stub, &["--resume", "latest", "--prompt", "Go on."]);
    assert!(first.succeeded() && next.succeeded(), "{}", printed(&next));
    assert!(fs::read_to_string(place.root().join("use_shapes.py")).unwrap().contains("area_of(2)"));
    let events = recorder.events();
    assert_edit_is_known("gemini", ["SessionStart", "BeforeAgent", "AfterTool"], &events);
}

#[test]
fn the_longest_map_arrives_whole_and_once() {
    for name in ["something", "形状の面積"] {
        let place = Place::new();
        fill(&place, name);
        set_up(&place, "gemini");
        let recorder = Recorder::put(&place, HOOKS, "cat");
        let asked = session(&place);
        let events = recorder.events();
        let answers: Vec<_> = events.iter().map(|(_, answer)| context(answer)).collect();
        assert!(answers[0].encode_utf16().count() > 9_000 && answers[0].contains("more lines"));
        // Gemini CLI writes the marks of the map as `&lt;` and `&gt;`.
        let map = answers[0].replace('<', "&lt;").replace('>', "&gt;");
        assert_eq!(count(&asked[0], &map), 1, "{name}");
        // The prompt holds the map; what it names is not what the user named.
        assert!(count(&events[1].0, &map) == 1 && answers[1].is_empty(), "{}", answers[1]);
    }
}
