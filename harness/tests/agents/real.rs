//! Real clients, each in a place of its own: how they are set up and run, and what goes through their
//! hooks.

use std::{collections::BTreeMap, env, fs, os::unix::fs::PermissionsExt, path::PathBuf};

use harness::{
    oracle::Installed,
    process::{self, Invocation},
};
use record::Capture;
use serde_json::{Value, json};

use super::{
    events::EVENTS,
    place::{Place, context, told},
};

/// What the map of [`Place::new`] shows, and no other part of a request does.
pub const SHOWN: &str = "def area_of(shape):";
/// The names of our tools, sorted.
pub const TOOLS: [&str; 5] =
    ["codebase_search", "explore", "map_refresh", "repo_map", "treesitter"];

/// Sets a client up in a place where a map has been made, so that its hooks are answered at once.
pub fn set_up(place: &Place, client: &str) {
    place.claude("SessionStart", &json!({"source": "startup"}));
    let output = told(place.parity(&["hook", "install", "--client", client]), b"");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Fills a place with functions that call each other, more than fit into the longest map.
pub fn fill(place: &Place, name: &str) {
    place.configure("[repo_map]\nmax_tokens = 8000\n\n[hook]\nsession_tokens = 16000\n");
    for file in 0..30 {
        let next = (file + 1) % 30;
        let kinds = (0..12).map(|kind| {
            format!(
                "def {name}_of_the_{file:02}_and_{kind:02}_kind(first_{file}, second_{kind}):\n    \
                 return {name}_of_the_{next:02}_and_{kind:02}_kind(1, 2)\n"
            )
        });
        place.write(&format!("part_{file:02}.py"), &kinds.collect::<String>());
    }
    place.git(&["add", "-A"]);
}

/// Runs a client in a place. It sees no variable of the user but the search path, and is stopped after a
/// minute.
pub fn run(
    client: &Installed,
    place: &Place,
    variables: &[(&str, &str)],
    arguments: &[&str],
) -> Capture {
    let (program, words) = client.argv.split_first().unwrap();
    let mut invocation = Invocation::new(program, place.root());
    invocation = invocation.args(words).args(arguments.iter().copied());
    invocation.max_stdout = 16 << 20;
    let (path, home) = (env::var("PATH").unwrap(), place.outside().to_str().unwrap());
    let own = ["HOME", "TMPDIR", "PARITY_CACHE_DIR"].map(|name| (name, home));
    let all = own.into_iter().chain([("PATH", path.as_str())]).chain(variables.iter().copied());
    invocation.env.extend(all.map(|(name, value)| (name.to_owned(), value.to_owned())));
    process::run(&invocation).unwrap()
}

/// What a client printed, for messages.
pub fn printed(capture: &Capture) -> String {
    let streams = [&capture.stdout.bytes, &capture.stderr.bytes];
    streams.map(|bytes| String::from_utf8_lossy(bytes).into_owned()).concat()
}

/// How often a text is in the strings of a value.
pub fn count(value: &Value, text: &str) -> usize {
    match value {
        Value::String(string) => string.matches(text).count(),
        Value::Array(values) => values.iter().map(|value| count(value, text)).sum(),
        Value::Object(fields) => fields.values().map(|value| count(value, text)).sum(),
        _ => 0,
    }
}

/// Replaces the program in the commands of installed hooks.
pub fn replace_program(place: &Place, settings: &str, program: &str) {
    let file = place.root().join(settings);
    let mut written: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    let events = written["hooks"].as_object_mut().unwrap();
    assert_eq!(events.len(), 3);
    for groups in events.values_mut() {
        let command = &mut groups[0]["hooks"][0]["command"];
        let (_, call) = command.as_str().unwrap().split_once(" hook ").unwrap();
        *command = format!("{program} hook {call}").into();
    }
    fs::write(file, written.to_string()).unwrap();
}

/// A program between a client and our hooks. It keeps what goes in and what comes out.
pub struct Recorder(PathBuf);

impl Recorder {
    /// Puts it in front of installed hooks; `filter` is a command that changes our answers.
    pub fn put(place: &Place, settings: &str, filter: &str) -> Self {
        let folder = place.outside().join("recorded");
        fs::create_dir(&folder).unwrap();
        let script = place.outside().join("recorder");
        let parity = env!("CARGO_BIN_EXE_parity");
        let text = format!(
            "#!/bin/sh\nfile={0}/$(ls {0} | wc -l)\ncat > $file.in\n\
             {parity} \"$@\" < $file.in | {filter} | tee $file.out\n",
            folder.display()
        );
        fs::write(&script, text).unwrap();
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
        replace_program(place, settings, script.to_str().unwrap());
        Self(folder)
    }

    /// The events, each with our answer, in their order.
    pub fn events(&self) -> Vec<(Value, Value)> {
        // Two files for each event; the script numbers them by how many there are.
        (0..)
            .step_by(2)
            .map_while(|number| {
                fs::read(self.0.join(format!("{number}.in"))).ok().map(|i| (number, i))
            })
            .map(|(number, input)| {
                let answer = fs::read(self.0.join(format!("{number}.out"))).unwrap();
                let answer = serde_json::from_slice(&answer).unwrap_or_default();
                (serde_json::from_slice(&input).unwrap(), answer)
            })
            .collect()
    }
}

/// Checks the events of a session in which the model edited `use_shapes.py`, and which was then resumed: they
/// are those of our fixtures, and the last map leaves the file out. The names are the client's for a start, a
/// prompt and an edit.
pub fn assert_edit_is_known(client: &str, names: [&str; 3], events: &[(Value, Value)]) {
    let [start, prompt, edit] = names;
    let told: Vec<_> =
        events.iter().map(|(event, _)| event["hook_event_name"].as_str().unwrap()).collect();
    assert_eq!(told, [start, prompt, edit, start, prompt]);
    assert_like_fixtures(client, events);
    let last = events.iter().rev().find(|(_, answer)| !answer.is_null()).unwrap();
    let map = context(&last.1);
    assert!(map.contains("\nshapes.py:") && !map.contains("\nuse_shapes.py"), "{map}");
}

/// Checks that our fixtures of a client have the fields of the events that it really sent. A session that
/// is resumed is told about with more fields, which no fixture has.
pub fn assert_like_fixtures(client: &str, events: &[(Value, Value)]) {
    for (event, _) in events.iter().filter(|(event, _)| event["source"] != "resume") {
        let name = event["hook_event_name"].as_str().unwrap();
        let fixture = EVENTS.iter().find(|(of, known, _)| (*of, *known) == (client, name));
        let (_, _, text) = fixture.unwrap();
        let fixture = serde_json::from_str(text).unwrap();
        assert_eq!(fields(&fixture), fields(event), "{client}, {name}");
    }
}

/// The fields of an object, each with its type.
fn fields(object: &Value) -> BTreeMap<&str, &'static str> {
    let types = object.as_object().unwrap().iter().map(|(name, value)| {
        let of = match value {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(_) => "number",
            Value::String(_) => "string",
            Value::Array(_) => "list",
            Value::Object(_) => "object",
        };
        (name.as_str(), of)
    });
    types.collect()
}
