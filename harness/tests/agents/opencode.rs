//! The plugin of opencode, run by node as opencode runs it.

use std::fs;

use serde_json::Value;

use super::place::{Place, told};

/// Starts a session, repeats a request until the map is there (a busy machine may take longer than the
/// hook's deadline), and prints the results of two requests and an edit.
const SCRIPT: &str = r#"
import { Parity } from "./plugin.mjs";
const hooks = await Parity({ directory: process.cwd() });
const request = async (sessionID) => {
  const output = { system: ["base"] };
  await hooks["experimental.chat.system.transform"]({ sessionID }, output);
  return output.system;
};
let first = [];
for (let tries = 0; first.length < 2 && tries < 20; tries++) {
  await hooks["chat.message"]({ sessionID: "s" }, { parts: [{ type: "text", text: "go on" }] });
  first = await request("s");
}
await hooks["tool.execute.after"]({ sessionID: "s", tool: "edit", args: { filePath: "shapes.py" } }, {});
const again = await request("s");
console.log(JSON.stringify({ first, again }));
"#;

#[test]
fn the_plugin_puts_the_map_into_every_request_once() {
    let place = Place::new();
    let output = told(place.parity(&["hook", "install", "--client", "opencode"]), b"");
    assert!(output.status.success());
    let plugin = place.root().join(".opencode/plugins/parity.js");
    fs::copy(plugin, place.root().join("plugin.mjs")).unwrap();
    let mut node = place.program("node");
    node.args(["--input-type=module", "--eval", SCRIPT]);
    let said = told(node, b"");
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    let said: Value = serde_json::from_slice(&said.stdout).unwrap();
    let first = said["first"].as_array().unwrap();
    assert_eq!((first.len(), &first[0]), (2, &Value::from("base")));
    assert!(first[1].as_str().unwrap().contains("def area_of(shape):"), "{said}");
    assert_eq!(said["again"], said["first"]);
}

#[test]
fn a_plugin_whose_program_is_gone_is_silent() {
    let place = Place::new();
    told(place.parity(&["hook", "install", "--client", "opencode"]), b"");
    let plugin = fs::read_to_string(place.root().join(".opencode/plugins/parity.js")).unwrap();
    place.write("plugin.mjs", &plugin.replace("const COMMAND = [", "const COMMAND = [\"/gone\","));
    let mut node = place.program("node");
    let script = SCRIPT.replace("tries < 20", "tries < 1");
    node.args(["--input-type=module", "--eval", &script]);
    let said = told(node, b"");
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    let said: Value = serde_json::from_slice(&said.stdout).unwrap();
    assert_eq!(said["first"], serde_json::json!(["base"]));
}

/// A session whose first prompt got no map: prints what a request holds then, and what one holds after a
/// tool was used.
const FOLLOWED: &str = r#"
import { Parity } from "./plugin.mjs";
const hooks = await Parity({ directory: process.cwd() });
const request = async () => {
  const output = { system: ["base"] };
  await hooks["experimental.chat.system.transform"]({ sessionID: "s" }, output);
  return output.system;
};
await hooks["chat.message"]({ sessionID: "s" }, { parts: [{ type: "text", text: "go on" }] });
const first = await request();
let later = [];
for (let tries = 0; later.length < 2 && tries < 100; tries++) {
  await hooks["tool.execute.after"]({ sessionID: "s", tool: "read", args: {} }, {});
  await new Promise((resolve) => setTimeout(resolve, 300));
  later = await request();
}
console.log(JSON.stringify({ first, later }));
"#;

#[test]
fn a_map_that_was_late_for_the_prompt_follows_while_the_agent_works() {
    let place = Place::new();
    told(place.parity(&["hook", "install", "--client", "opencode"]), b"");
    // The start and the prompt get nothing, as if the repository were large.
    place.write(
        "late.sh",
        "echo asked >> calls\n[ \"$(wc -l < calls)\" -gt 2 ] || exec cat > ignored\nexec \"$@\"\n",
    );
    let plugin = fs::read_to_string(place.root().join(".opencode/plugins/parity.js")).unwrap();
    let late = "const COMMAND = [\"sh\", \"late.sh\",";
    place.write("plugin.mjs", &plugin.replace("const COMMAND = [", late));
    let mut node = place.program("node");
    node.args(["--input-type=module", "--eval", FOLLOWED]);
    let said = told(node, b"");
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    let said: Value = serde_json::from_slice(&said.stdout).unwrap();
    assert_eq!(said["first"], serde_json::json!(["base"]));
    assert!(said["later"][1].as_str().unwrap().contains("def area_of(shape):"), "{said}");
}
