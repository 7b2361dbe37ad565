//! opencode itself with our plugin and our server; its model is the stub in
//! `comparators/clients/opencode/`.

use std::{fs, thread, time::Duration};

use serde_json::{Value, json};

use super::{
    clients::{client, said},
    place::{Place, context, told},
};

const TOOLS: [&str; 5] = [
    "parity_codebase_search",
    "parity_explore",
    "parity_map_refresh",
    "parity_repo_map",
    "parity_treesitter",
];
/// The beginning of the mark before each map.
const MARK: &str = "<repository-map ";

/// Sets opencode up, and waits until there is a map: a hook on a busy machine may pass its deadline.
fn set_up(place: &Place) {
    let output = told(place.parity(&["hook", "install", "--client", "opencode"]), b"");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for _ in 0..30 {
        let answer = place.claude("SessionStart", &json!({"source": "startup"}));
        if context(&answer).contains(MARK) {
            return;
        }
        thread::sleep(Duration::from_secs(1));
    }
    panic!("no map within 30 tries");
}

/// Runs a session whose model answers with `script`; returns the requests that opencode made.
fn session(place: &Place, script: &Value, options: &[&str]) -> Vec<Value> {
    let [script_file, record] =
        ["script.json", "record.jsonl"].map(|name| place.outside().join(name));
    fs::write(&script_file, script.to_string()).unwrap();
    let paths = [place.root(), &script_file, &record].map(|path| path.to_str().unwrap());
    let arguments = [&paths[..], &["Where is the area of a shape computed?"], options].concat();
    let output = said(&client("opencode"), place, &arguments);
    let answers = script.as_array().unwrap();
    let last = answers.last().unwrap()["text"].as_str().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(printed.contains(last), "opencode has not received the last answer: {printed}");
    let record = fs::read_to_string(record).unwrap();
    let requests: Vec<Value> =
        record.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(requests.len(), answers.len());
    requests
}

/// The system prompt of a request.
fn system(request: &Value) -> String {
    let messages = request["messages"].as_array().unwrap().iter();
    let system = messages.filter(|message| message["role"] == "system");
    system.map(|message| message["content"].as_str().unwrap()).collect::<Vec<_>>().join("\n")
}

/// How often each text is in the system prompt of a request.
fn counts<const N: usize>(request: &Value, texts: [&str; N]) -> [usize; N] {
    let system = system(request);
    texts.map(|text| system.matches(text).count())
}

/// Our tools among those that a request offers.
fn offered(request: &Value) -> Vec<&str> {
    let tools = request["tools"].as_array().unwrap().iter();
    let names = tools.map(|tool| tool["function"]["name"].as_str().unwrap());
    names.filter(|name| name.starts_with("parity_")).collect()
}

/// The last message of a request: the result of a call.
fn result(request: &Value) -> &str {
    let last = request["messages"].as_array().unwrap().last().unwrap();
    assert_eq!(last["role"], "tool", "{last}");
    last["content"].as_str().unwrap()
}

#[test]
fn every_request_holds_one_map_and_the_tools_answer() {
    let place = Place::new();
    set_up(&place);
    let file = place.root().join("use_shapes.py");
    let call =
        |name: &str, arguments: Value| json!({"calls": [{"name": name, "arguments": arguments}]});
    let edit = json!({"filePath": file, "oldString": "area_of(1)", "newString": "area_of(2)"});
    let script = json!([
        call("parity_repo_map", json!({"map_tokens": 500})),
        call("read", json!({"filePath": file})),
        call("edit", edit),
        {"text": "doubled"},
    ]);
    let texts = [MARK, "def area_of(shape):", "\nuse_shapes.py"];
    let requests = session(&place, &script, &[]);
    for request in &requests {
        assert_eq!(counts(request, texts), [1, 1, 1]);
        assert_eq!(offered(request), TOOLS);
    }
    let map = result(&requests[1]);
    assert!(map.contains(MARK) && map.contains("def area_of(shape):"), "{map}");
    assert!(fs::read_to_string(file).unwrap().contains("area_of(2)"));

    // The next prompt of the session gets a map without the file that the agent has edited, and that
    // alone. A busy machine gets the map before it at first.
    let next = json!([{"text": "nothing more"}]);
    let is_current = (0..5).any(|_| {
        let requests = session(&place, &next, &["--continue"]);
        assert!(requests[0]["messages"].to_string().contains("doubled"), "another session");
        let found = counts(&requests[0], texts);
        assert_eq!(found[..2], [1, 1], "{}", system(&requests[0]));
        found[2] == 0
    });
    assert!(is_current, "the edit was not reported");
}

#[test]
fn without_the_installation_there_is_neither_a_map_nor_a_tool() {
    let place = Place::new();
    let requests = session(&place, &json!([{"text": "answered"}]), &[]);
    assert_eq!(counts(&requests[0], [MARK, "area_of"]), [0, 0]);
    assert_eq!(offered(&requests[0]), [""; 0]);
}

#[test]
fn without_the_program_there_is_an_answer_but_no_map() {
    let place = Place::new();
    set_up(&place);
    for name in [".opencode/plugins/parity.js", "opencode.json"] {
        let text = fs::read_to_string(place.root().join(name)).unwrap();
        let gone = text.replace(env!("CARGO_BIN_EXE_parity"), "/gone/parity");
        assert_ne!(gone, text, "{name}");
        place.write(name, &gone);
    }
    let requests = session(&place, &json!([{"text": "answered"}]), &[]);
    assert_eq!(counts(&requests[0], [MARK, "def area_of(shape):"]), [0, 0]);
    assert_eq!(offered(&requests[0]), [""; 0]);
}
