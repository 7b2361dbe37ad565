//! Codex itself with our hooks and our server; its model is a stub.

use std::fs;

use record::Capture;
use serde_json::{Value, json};

use super::{
    clients::client,
    events::EVENTS,
    place::{Place, answer, context, told},
    real::{
        self, Recorder, SHOWN, TOOLS, assert_edit_is_known, count, fill, printed, replace_program,
        set_up,
    },
    stub::Stub,
};

const HOOKS: &str = ".codex/hooks.json";
/// A model that Codex does not know: it gets our tools without having to search for them.
const UNKNOWN: &str = "stub-model";
/// A model that Codex lets edit files by its tool `apply_patch`.
const EDITOR: &str = "gpt-5.5";
/// The events of a session, and what Codex calls them in its schemas.
const SCHEMAS: [(&str, &str); 3] = [
    ("SessionStart", "session-start"),
    ("UserPromptSubmit", "user-prompt-submit"),
    ("PostToolUse", "post-tool-use"),
];

/// A model that answers with these items of the Responses API one after the other, then with a text.
fn model(items: Vec<Value>) -> Stub {
    Stub::start(Box::new(move |path, _, number| {
        let text = json!({"type": "message", "role": "assistant", "id": "m",
            "content": [{"type": "output_text", "text": "done"}]});
        let item = items.get(number).unwrap_or(&text);
        let usage = json!({"input_tokens": 1, "output_tokens": 1, "total_tokens": 2});
        (path == "/v1/responses").then(|| {
            vec![
                json!({"type": "response.created", "response": {"id": "r"}}),
                json!({"type": "response.output_item.done", "item": item}),
                json!({"type": "response.completed", "response": {"id": "r", "usage": usage}}),
            ]
        })
    }))
}

/// Runs `codex exec` with these arguments; it must succeed.
fn exec(place: &Place, stub: &Stub, model: &str, arguments: &[&str]) -> Capture {
    let provider = format!(
        "model_providers.stub={{name=\"stub\",base_url=\"{}/v1\",env_key=\"STUB_KEY\",\
         wire_api=\"responses\",request_max_retries=0,stream_max_retries=0}}",
        stub.url()
    );
    let options = ["exec", "-c", &provider, "-c", "model_provider=stub", "-m", model];
    let all = [&options[..], arguments].concat();
    let capture = real::run(&client("codex"), place, &[("STUB_KEY", "none")], &all);
    assert!(capture.succeeded(), "{}", printed(&capture));
    capture
}

/// The requests of a session with one prompt, and what Codex printed.
fn session(place: &Place) -> (Vec<Value>, String) {
    let stub = model(Vec::new());
    let capture = exec(place, &stub, UNKNOWN, &["What does area_of do?"]);
    (stub.asked(), printed(&capture))
}

/// Trusts the project.
fn trust_project(place: &Place) {
    let root = place.root().canonicalize().unwrap();
    let config = format!("[projects.\"{}\"]\ntrust_level = \"trusted\"\n", root.display());
    fs::create_dir_all(place.outside().join(".codex")).unwrap();
    fs::write(place.outside().join(".codex/config.toml"), config).unwrap();
}

/// Reviews the hooks as a user does, and trusts them.
fn trust_hooks(place: &Place) {
    let installed = client("codex");
    let mut node = place.program("node");
    node.arg(installed.folder.join("trust.js")).arg(place.root().canonicalize().unwrap());
    let said = told(node, b"");
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    let said: Value = serde_json::from_slice(&said.stdout).unwrap();
    let all = |status: &str| json!({"sessionStart": status, "userPromptSubmit": status, "postToolUse": status});
    assert_eq!(said, json!({"before": all("untrusted"), "after": all("trusted")}));
}

/// The names of the tools of our server in a request.
fn tools(request: &Value) -> Vec<&str> {
    let tools = request["tools"].as_array().unwrap().iter();
    let ours = tools.filter(|tool| tool["name"] == "mcp__parity");
    ours.flat_map(|tool| tool["tools"].as_array().unwrap())
        .map(|tool| tool["name"].as_str().unwrap())
        .collect()
}

#[test]
#[ignore = "Codex takes 404 MB of disk; the nightly run has it"]
fn the_map_and_the_tools_reach_the_model() {
    let place = Place::new();
    set_up(&place, "codex");
    trust_project(&place);
    trust_hooks(&place);
    let (asked, printed) = session(&place);
    assert_eq!((asked.len(), count(&asked[0], SHOWN)), (1, 1), "{printed}");
    assert_eq!(tools(&asked[0]), TOOLS);
    for event in ["SessionStart", "UserPromptSubmit"] {
        assert!(printed.contains(&format!("hook: {event} Completed")), "{printed}");
    }
}

#[test]
#[ignore = "Codex takes 404 MB of disk; the nightly run has it"]
fn without_installation_or_trust_nothing_arrives() {
    let place = Place::new();
    let (asked, _) = session(&place);
    assert_eq!((count(&asked[0], SHOWN), tools(&asked[0]).len()), (0, 0));
    set_up(&place, "codex");
    let (asked, _) = session(&place);
    assert_eq!(
        (count(&asked[0], SHOWN), tools(&asked[0]).len()),
        (0, 0),
        "the project is not trusted"
    );
    trust_project(&place);
    let (asked, printed) = session(&place);
    assert_eq!((count(&asked[0], SHOWN), tools(&asked[0]).len()), (0, 4), "nor are the hooks");
    assert!(!printed.contains("hook: "), "{printed}");
}

#[test]
#[ignore = "Codex takes 404 MB of disk; the nightly run has it"]
fn a_hook_that_is_gone_does_not_hold_the_request_up() {
    let place = Place::new();
    set_up(&place, "codex");
    replace_program(&place, HOOKS, "/gone/parity");
    trust_project(&place);
    trust_hooks(&place);
    let (asked, printed) = session(&place);
    assert_eq!((asked.len(), count(&asked[0], SHOWN)), (1, 0));
    assert!(printed.contains("hook: SessionStart Failed"), "{printed}");
}

#[test]
#[ignore = "Codex takes 404 MB of disk; the nightly run has it"]
fn an_answer_with_an_unknown_field_is_refused() {
    for (filter, ending, arrived) in
        [("sed 's/^{/{\"surprise\":1,/'", "Failed", 0), ("cat", "Completed", 1)]
    {
        let place = Place::new();
        set_up(&place, "codex");
        Recorder::put(&place, HOOKS, filter);
        trust_project(&place);
        trust_hooks(&place);
        let (asked, printed) = session(&place);
        assert!(printed.contains(&format!("hook: SessionStart {ending}")), "{printed}");
        assert_eq!((asked.len(), count(&asked[0], SHOWN)), (1, arrived), "{filter}");
    }
}

#[test]
#[ignore = "Codex takes 404 MB of disk; the nightly run has it"]
fn an_edit_is_known_at_the_next_prompt() {
    let place = Place::new();
    set_up(&place, "codex");
    let recorder = Recorder::put(&place, HOOKS, "cat");
    trust_project(&place);
    trust_hooks(&place);
    let patch = "*** Begin Patch\n*** Update File: use_shapes.py\n@@\n-print(area_of(1))\n\
                 +print(area_of(2))\n*** End Patch\n";
    let edit = json!({"type": "custom_tool_call", "id": "e", "call_id": "c", "name": "apply_patch",
        "input": patch});
    let stub = model(vec![edit]);
    let sandbox = ["--sandbox", "danger-full-access"];
    exec(&place, &stub, EDITOR, &[&sandbox[..], &["Print two."]].concat());
    assert!(fs::read_to_string(place.root().join("use_shapes.py")).unwrap().contains("area_of(2)"));
    exec(&place, &stub, EDITOR, &["resume", "--last", "Go on."]);
    let events = recorder.events();
    let names = ["SessionStart", "UserPromptSubmit", "PostToolUse"];
    assert_edit_is_known("codex", names, &events);
    let documents = events.iter().flat_map(|(event, answer)| {
        let name = event["hook_event_name"].as_str().unwrap();
        let output = (!answer.is_null()).then(|| line(name, "output", answer));
        [line(name, "input", event)].into_iter().chain(output)
    });
    assert_eq!(wrong(&place, &documents.collect::<Vec<_>>()), 0);
    let asked = stub.asked();
    let maps = |request: &Value| count(request, "<repository-map ");
    assert_eq!((asked.len(), maps(&asked[1]), maps(&asked[2])), (3, 1, 2));
}

#[test]
#[ignore = "Codex takes 404 MB of disk; the nightly run has it"]
fn the_longest_map_arrives_whole() {
    // Codex cuts by bytes. A map that is measured for another client is too long if it is not English.
    for (name, of, arrived) in
        [("something", "codex", 1), ("形状の面積", "codex", 1), ("形状の面積", "claude", 0)]
    {
        let place = Place::new();
        fill(&place, name);
        set_up(&place, "codex");
        let recorder = Recorder::put(&place, HOOKS, "cat");
        let hooks = fs::read_to_string(place.root().join(HOOKS)).unwrap();
        place.write(HOOKS, &hooks.replace("--client codex", &format!("--client {of}")));
        trust_project(&place);
        trust_hooks(&place);
        let (asked, printed) = session(&place);
        let events = recorder.events();
        let map = events.iter().map(|(_, answer)| context(answer)).find(|map| !map.is_empty());
        let map = map.unwrap();
        assert!(map.encode_utf16().count() > 7_000 && map.contains("more lines"), "{map}");
        assert_eq!(count(&asked[0], map), arrived, "{name}, {of}: {printed}");
    }
}

#[test]
#[ignore = "Codex takes 404 MB of disk; the nightly run has it"]
fn outputs_and_fixtures_fit_the_schemas_of_codex() {
    let place = Place::new();
    let flags = ["--client", "codex", "--timeout", "25000", "--session-tokens", "100000"];
    let mut documents = Vec::new();
    for (_, event, input) in EVENTS.into_iter().filter(|(client, ..)| *client == "codex") {
        let input = input.replace("ROOT", place.root().to_str().unwrap());
        documents.push(line(event, "input", &serde_json::from_str(&input).unwrap()));
        // The last flags make the artifact fail, which is told to the user.
        for more in [
            &["--mode", "inject"][..],
            &["--mode", "advise"],
            &["--mode", "artifact"],
            &["--mode", "advise", "--artifact-dir", "shapes.py/out"],
        ] {
            let answer = answer(&place.hook(&[&flags[..], more].concat(), &input));
            if !answer.is_null() {
                documents.push(line(event, "output", &answer));
            }
        }
    }
    // Three inputs; a map, an advice and a warning at the start, and a map at the prompt, since each start
    // was one of an empty context.
    assert_eq!((documents.len(), wrong(&place, &documents)), (7, 0), "{documents:#?}");
    assert!(documents.iter().any(|line| line["document"]["systemMessage"].is_string()));
    let mut altered = documents.clone();
    for document in &mut altered {
        document["document"]["surprise"] = 1.into();
    }
    let mut nameless = documents[0].clone();
    nameless["document"].as_object_mut().unwrap().remove("session_id");
    altered.push(nameless);
    assert_eq!(wrong(&place, &altered), altered.len());
}

/// A document that is to be checked by Codex's schema of an event.
fn line(event: &str, kind: &str, document: &Value) -> Value {
    let (_, schema) = SCHEMAS.into_iter().find(|(known, _)| *known == event).unwrap();
    json!({"schema": format!("{schema}.command.{kind}"), "document": document})
}

/// How many documents do not fit their schemas.
fn wrong(place: &Place, documents: &[Value]) -> usize {
    let mut node = place.program("node");
    node.arg(client("codex").folder.join("schemas.js"));
    let lines: String = documents.iter().map(|document| format!("{document}\n")).collect();
    let said = told(node, lines.as_bytes());
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    let said = String::from_utf8(said.stdout).unwrap();
    assert_eq!(said.lines().count(), documents.len());
    said.lines().filter(|found| *found != "[]").inspect(|found| eprintln!("{found}")).count()
}
