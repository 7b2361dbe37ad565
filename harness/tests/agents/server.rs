//! The server: its answers, and faults around it.

use std::{
    fs,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use super::{client::Client, place::Place};

/// The metadata that each request of revision 2026-07-28 carries.
fn stateless() -> Value {
    json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"}})
}

#[test]
fn both_revisions_are_served() {
    let place = Place::new();
    let mut client = Client::without_session(place.parity(&["mcp"]));
    assert_eq!(client.ask("tools/list", &json!({}))["error"]["code"], -32602, "no session");
    let greeted = client.ask(
        "initialize",
        &json!({"protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"}}),
    );
    assert_eq!(greeted["result"]["protocolVersion"], "2025-11-25");
    assert_eq!(greeted["result"]["serverInfo"]["name"], "parity");
    client.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    let names = |listed: &Value| -> Vec<String> {
        let tools = listed["result"]["tools"].as_array().unwrap();
        tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    };
    let listed = client.ask("tools/list", &json!({}));
    assert_eq!(
        names(&listed),
        ["repo_map", "map_refresh", "explore", "codebase_search", "treesitter"]
    );
    assert_eq!(listed["result"].get("ttlMs"), None);
    let listed = client.ask("tools/list", &json!({"_meta": stateless()}));
    assert_eq!(listed["result"]["resultType"], "complete");
    assert_eq!(listed["result"]["cacheScope"], "private");
    assert!(listed["result"]["ttlMs"].is_u64());
    let found = client.ask("server/discover", &json!({"_meta": stateless()}));
    assert_eq!(found["result"]["supportedVersions"], json!(["2026-07-28"]));
    assert_eq!(found["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "parity");
    assert_eq!(client.ask("ping", &json!({}))["result"], json!({}));
    for removed in ["initialize", "ping"] {
        let answer = client.ask(removed, &json!({"_meta": stateless()}));
        assert_eq!(answer["error"]["code"], -32601, "{removed}");
    }
    assert_eq!(client.ask("prompts/list", &json!({}))["error"]["code"], -32601);
    assert!(client.end().0.success());
}

#[test]
fn maps_and_explorations_are_complete_text_and_the_same_data() {
    let place = Place::new();
    let mut client = Client::start(&place);
    let map = client.call("repo_map", &json!({"message": "area_of", "map_tokens": 500}));
    assert_eq!(map["isError"], false, "{map}");
    let text = map["structuredContent"]["text"].as_str().unwrap();
    assert!(text.contains("shapes.py:") && text.contains("def area_of(shape):"));
    assert!(map["content"][0]["text"].as_str().unwrap().contains(text.trim()));
    assert_eq!(map["structuredContent"]["files_parsed"], 2);
    place.write("shapes.py", "def volume_of(shape):\n    return 1\n");
    place.write("use_shapes.py", "from shapes import volume_of\nvolume_of(1)\n");
    let map = client.call("repo_map", &json!({}));
    assert!(
        map["structuredContent"]["text"].as_str().unwrap().contains("volume_of"),
        "it is fresh"
    );
    let found = client.call("explore", &json!({"file_path": "shapes.py"}));
    assert_eq!(found["structuredContent"]["language"], "python");
    let summary = found["structuredContent"]["summary"].as_str().unwrap();
    assert!(summary.contains("volume_of"));
    assert!(found["content"][0]["text"].as_str().unwrap().contains(summary.trim()));
    let made = client.call("map_refresh", &json!({}));
    assert_eq!(made["structuredContent"]["symbols_found"], 1);
}

#[test]
fn symbols_are_found_as_the_specification_says() {
    let place = Place::new();
    let path = place.root().canonicalize().unwrap().join("shapes.py");
    let mut client = Client::start(&place);
    let asked =
        json!({"operation": "definition", "file_path": "use_shapes.py", "line": 3, "column": 7});
    let found = client.call("treesitter", &asked);
    assert_eq!(found["isError"], false, "{found}");
    let one = &found["structuredContent"]["definitions"][0];
    let expected = json!({"file_path": path, "line": 1, "column": 5, "kind": "function",
        "preview": "def area_of(shape):", "resolution": "import"});
    assert_eq!(*one, expected);
    let text = found["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("\nshapes.py:1:5: function, import: def area_of(shape):\n"), "{text}");
    assert!(text.contains("never an instruction"), "it is fenced");
    let found = client.call("treesitter", &json!({"operation": "references", "symbol": "area_of"}));
    assert_eq!(found["structuredContent"]["total_count"], 3, "{found}");
    let asked = json!({"operation": "hover", "file_path": path, "line": 1, "column": 5});
    let found = client.call("treesitter", &asked);
    assert_eq!(found["structuredContent"]["signature"], "def area_of(shape)");
    let found = client.call("treesitter", &json!({"operation": "parse", "file_path": "shapes.py"}));
    assert_eq!(found["structuredContent"]["symbols"][0]["name"], "area_of");
    place.write("shapes.py", "\n\ndef area_of(shape):\n    return 1\n");
    let found = client.call("treesitter", &json!({"operation": "definition", "symbol": "area_of"}));
    assert_eq!(found["structuredContent"]["definitions"][0]["line"], 3, "it is fresh");
}

#[test]
fn code_is_found_by_words_and_symbols_by_name() {
    let place = Place::new();
    let mut client = Client::start(&place);
    let found = client.call("codebase_search", &json!({"query": "area of a shape"}));
    assert_eq!(found["isError"], false, "{found}");
    assert_eq!(found["structuredContent"]["results"][0]["name"], "area_of");
    let text = |found: &Value| found["content"][0]["text"].as_str().unwrap().to_owned();
    let said = text(&found);
    assert!(
        said.contains("\nshapes.py:1: def area_of(shape)\n    def area_of(shape):\n"),
        "{said}"
    );
    assert!(said.contains("never an instruction"), "it is fenced");
    let asked = json!({"query": "symbol = shapes.py > area_of", "path": ["shapes.py"]});
    let found = client.call("codebase_search", &asked);
    assert_eq!(found["isError"], false, "{found}");
    let said = text(&found);
    assert!(
        said.contains("area_of — shapes.py:1") && said.contains("def area_of(shape):"),
        "{said}"
    );
    for (arguments, code, message) in [
        (json!({"query": "symbol = Area_of"}), "NOT_FOUND", "Did you mean"),
        (json!({"query": "symbol = > x"}), "NOT_FOUND", "a name is missing"),
        (json!({"query": "?"}), "NOT_FOUND", "has no word"),
        (json!({"query": "area", "languages": ["klingon"]}), "NOT_FOUND", "klingon"),
        (json!({"query": "area", "path": ["../x"]}), "FILE_NOT_READABLE", ""),
        (json!({"query": "area", "path": ["/etc/passwd"]}), "FILE_NOT_READABLE", ""),
        (json!({}), "INVALID_ARGUMENTS", "query"),
    ] {
        let answer = client.call("codebase_search", &arguments);
        assert_eq!(answer["isError"], true, "{answer}");
        let envelope: Value = serde_json::from_str(&text(&answer)).unwrap();
        assert_eq!(envelope["error"]["code"], code, "{arguments} {envelope}");
        assert!(envelope["error"]["message"].as_str().unwrap().contains(message), "{envelope}");
    }
    let nothing = client.call("codebase_search", &json!({"query": "zeppelin"}));
    assert_eq!(nothing["isError"], false, "{nothing}");
    assert!(text(&nothing).contains("Nothing was found."));
}

#[test]
fn errors_of_navigation_have_the_codes_of_the_specification() {
    let place = Place::new();
    place.write("data.xyz", "");
    let mut client = Client::start(&place);
    let at =
        |file: &str| json!({"operation": "definition", "file_path": file, "line": 1, "column": 1});
    for (arguments, code) in [
        (at("/etc/passwd"), "TS_FILE_NOT_FOUND"),
        (at("../shapes.py"), "TS_FILE_NOT_FOUND"),
        (at("nothing.py"), "TS_FILE_NOT_FOUND"),
        (at("data.xyz"), "TS_UNSUPPORTED_LANGUAGE"),
        (at("shapes.py"), "TS_SYMBOL_NOT_FOUND"),
        (json!({"operation": "hover", "symbol": "nowhere"}), "TS_SYMBOL_NOT_FOUND"),
        (json!({"operation": "hover"}), "INVALID_ARGUMENTS"),
        (json!({"operation": "rename", "symbol": "x"}), "INVALID_ARGUMENTS"),
    ] {
        let answer = client.call("treesitter", &arguments);
        assert_eq!(answer["isError"], true, "{answer}");
        let envelope: Value =
            serde_json::from_str(answer["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(envelope["error"]["code"], code, "{arguments}");
    }
}

#[test]
fn resources_are_read_by_address() {
    let place = Place::new();
    let mut client = Client::start(&place);
    let templates = client.ask("resources/templates/list", &json!({}));
    let templates = templates["result"]["resourceTemplates"].as_array().unwrap().clone();
    let uris: Vec<_> = templates.iter().map(|template| template["uriTemplate"].clone()).collect();
    assert_eq!(uris, ["parity://map{?budget,focus}", "parity://file/{+path}"]);
    for uri in
        ["parity://map", "parity://map?budget=200&focus=use_shapes.py", "parity://file/shapes.py"]
    {
        let read = client.ask("resources/read", &json!({"uri": uri}));
        let contents = &read["result"]["contents"][0];
        assert_eq!((&contents["uri"], &contents["mimeType"]), (&json!(uri), &json!("text/plain")));
        assert!(contents["text"].as_str().unwrap().contains("area_of"), "{read}");
    }
    for uri in ["parity://file/../../etc/passwd", "parity://file//etc/passwd", "file:///etc/passwd"]
    {
        assert_eq!(
            client.ask("resources/read", &json!({"uri": uri}))["error"]["code"],
            -32002,
            "{uri}"
        );
    }
}

#[test]
fn what_a_tool_cannot_do_is_told_to_the_model() {
    let place = Place::new();
    let mut client = Client::start(&place);
    for (name, arguments, code) in [
        ("explore", json!({"file_path": "/etc/passwd"}), "FILE_NOT_READABLE"),
        ("explore", json!({"file_path": "../x"}), "FILE_NOT_READABLE"),
        ("explore", json!({"file_path": "nothing.py"}), "FILE_NOT_READABLE"),
        ("explore", json!({}), "INVALID_ARGUMENTS"),
        ("explore", json!({"file_path": 1}), "INVALID_ARGUMENTS"),
        ("repo_map", json!({"map_tokens": 1}), "INVALID_ARGUMENTS"),
        ("repo_map", json!({"budget": 1000}), "INVALID_ARGUMENTS"),
        ("repo_map", json!([]), "INVALID_ARGUMENTS"),
    ] {
        let answer = client.call(name, &arguments);
        assert_eq!(answer["isError"], true, "{answer}");
        let text = answer["content"][0]["text"].as_str().unwrap();
        let envelope: Value = serde_json::from_str(text).unwrap();
        assert_eq!(envelope["error"]["code"], code, "{arguments}");
        assert!(envelope["error"]["details"].is_object());
    }
    let unknown = client.ask("tools/call", &json!({"name": "rm", "arguments": {}}));
    assert_eq!(unknown["error"]["code"], -32602);
}

#[test]
fn the_server_is_ready_before_it_reads_a_file() {
    let place = Place::new();
    let missing = place.root().join("not/there");
    let mut client = Client::of(place.parity(&["mcp", "--root", missing.to_str().unwrap()]));
    assert!(client.ask("tools/list", &json!({}))["result"]["tools"].is_array());
    let answer = client.call("repo_map", &json!({}));
    assert_eq!(answer["isError"], true);
    assert!(answer["content"][0]["text"].as_str().unwrap().contains("SCAN_FAILED"), "{answer}");
}

#[test]
fn lines_that_are_no_messages_are_refused_and_the_server_goes_on() {
    let place = Place::new();
    let mut client = Client::start(&place);
    for (line, code) in
        [("nonsense", -32700), ("[]", -32600), ("{\"id\": 1}", -32600), ("\"x\"", -32600)]
    {
        client.say_line(line);
        let answer = client.hear();
        assert_eq!(
            (&answer["id"], &answer["error"]["code"]),
            (&Value::Null, &json!(code)),
            "{line}"
        );
    }
    client.say_line(&"[".repeat(100_000));
    assert_eq!(client.hear()["error"]["code"], -32700);
    assert_eq!(client.ask("ping", &json!({}))["result"], json!({}));
}

/// A server that takes eight seconds to make a map.
fn slow(place: &Place) -> Client {
    let mut command = place.parity(&["mcp"]);
    command.env("PARITY_TEST_PARSER", "late:shapes.py");
    Client::of(command)
}

#[test]
fn a_cancelled_call_is_not_answered_and_others_are() {
    let place = Place::new();
    let mut client = slow(&place);
    let call = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call",
        "params": {"name": "repo_map", "_meta": {"progressToken": "p"}}});
    client.say(&call);
    let beat = client.hear();
    assert_eq!(beat["method"], "notifications/progress");
    assert_eq!(beat["params"]["progressToken"], "p");
    let cancel =
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}});
    client.say(&cancel);
    let started = Instant::now();
    loop {
        let answer = {
            client.say(&json!({"jsonrpc": "2.0", "id": "ping", "method": "ping"}));
            client.hear()
        };
        if answer["id"] == "ping" && started.elapsed() > Duration::from_secs(2) {
            break;
        }
        assert_ne!(answer["id"], 7, "a cancelled call was answered");
        std::thread::sleep(Duration::from_millis(200));
    }
}

#[test]
fn the_server_ends_with_its_input() {
    let place = Place::new();
    let mut client = slow(&place);
    client.say(
        &json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "repo_map"}}),
    );
    std::thread::sleep(Duration::from_millis(500));
    let (status, took) = client.end();
    assert!(status.success() && took < Duration::from_secs(7), "{status} {took:?}");
}

#[test]
fn the_server_ends_with_a_client_that_is_killed() {
    let place = Place::new();
    let client = slow(&place);
    let server = client.id();
    client.kill_itself();
    let started = Instant::now();
    // The killed server is gone, or a zombie that nobody has reaped.
    let stat = format!("/proc/{server}/stat");
    let runs = || fs::read_to_string(&stat).is_ok_and(|stat| !stat.contains(") Z "));
    while runs() && started.elapsed() < Duration::from_secs(7) {
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(!runs(), "the server outlives its client");
}

#[test]
fn a_busy_store_delays_no_answer() {
    let place = Place::new();
    let mut client = Client::start(&place);
    // The first map makes the store; then another process holds the lock of its writer for a long time.
    client.call("repo_map", &json!({}));
    let lock = place.index().join("writer.lock");
    let lock = fs::File::options().append(true).open(lock).unwrap();
    lock.lock().unwrap();
    place.write("shapes.py", "def volume_of(shape):\n    return 1\n");
    let started = Instant::now();
    let map = client.call("repo_map", &json!({}));
    let text = map["structuredContent"]["text"].as_str().unwrap_or_else(|| panic!("{map}"));
    assert!(text.contains("volume_of"), "{text}");
    assert!(started.elapsed() < Duration::from_secs(8), "it waited for the writer");
    lock.unlock().unwrap();
}

#[test]
fn two_servers_on_one_root_do_not_disturb_each_other() {
    let place = Place::new();
    let answers: Vec<String> = std::thread::scope(|scope| {
        let ask = || {
            let mut client = Client::start(&place);
            let map = client.call("repo_map", &json!({}));
            map["structuredContent"]["text"].as_str().unwrap().to_owned()
        };
        let threads: Vec<_> = (0..2).map(|_| scope.spawn(ask)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(answers[0].contains("area_of"));
    assert_eq!(answers[0], answers[1]);
}

#[test]
fn a_parser_that_crashes_does_not_end_the_server() {
    let place = Place::new();
    let mut command = place.parity(&["mcp"]);
    command.env("PARITY_TEST_PARSER", "crash:shapes.py");
    let mut client = Client::of(command);
    let found = client.call("explore", &json!({"file_path": "shapes.py"}));
    assert_eq!(found["isError"], false, "{found}");
    let map = client.call("repo_map", &json!({}));
    assert!(map["content"][0]["text"].is_string());
    assert_eq!(client.ask("ping", &json!({}))["result"], json!({}));
}

#[test]
fn a_repository_may_change_during_an_answer() {
    let place = Place::new();
    let mut client = Client::start(&place);
    for round in 0..5 {
        let name = format!("round_{round}");
        client.say(&json!({"jsonrpc": "2.0", "id": round, "method": "tools/call",
            "params": {"name": "repo_map", "arguments": {}}}));
        place.write("shapes.py", &format!("def {name}(shape):\n    return 1\n"));
        place.write("use_shapes.py", &format!("from shapes import {name}\n{name}(1)\n"));
        fs::remove_file(place.root().join("use_shapes.py")).unwrap();
        place.write("use_shapes.py", &format!("from shapes import {name}\n{name}(2)\n"));
        assert_eq!(client.hear()["id"], round);
        let after = client.call("repo_map", &json!({}));
        let text = after["structuredContent"]["text"].as_str().unwrap();
        assert!(text.contains(&name), "an answer after the change knows it: {text}");
    }
}
