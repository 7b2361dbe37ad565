//! A client of the server that sends exactly what a test wants it to send.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Command, ExitStatus},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use super::place::Place;

/// A running server and its client.
pub struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Client {
    pub fn start(place: &Place) -> Self {
        Self::of(place.parity(&["mcp", "--root", place.root().to_str().unwrap()]))
    }

    /// Starts a server, and a session with it.
    pub fn of(command: Command) -> Self {
        let mut client = Self::without_session(command);
        client.ask(
            "initialize",
            &json!({"protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"}}),
        );
        client.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        client
    }

    /// Starts a server, and says nothing to it.
    pub fn without_session(mut command: Command) -> Self {
        let mut child = command.spawn().unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self { child, input, output }
    }

    pub fn say(&mut self, message: &Value) {
        self.say_line(&message.to_string());
    }

    pub fn say_line(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        input.write_all(line.as_bytes()).and_then(|()| input.write_all(b"\n")).unwrap();
        input.flush().unwrap();
    }

    /// The next message of the server.
    pub fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    /// The answer to a request.
    pub fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.say(&json!({"jsonrpc": "2.0", "id": method, "method": method, "params": params}));
        let answer = self.hear();
        assert_eq!(
            (&answer["jsonrpc"], &answer["id"]),
            (&json!("2.0"), &json!(method)),
            "{answer}"
        );
        answer
    }

    /// The result of a tool.
    pub fn call(&mut self, name: &str, arguments: &Value) -> Value {
        self.ask("tools/call", &json!({"name": name, "arguments": arguments}))["result"].take()
    }

    /// The process id of the server.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Ends like a client that is killed in the middle of a call: both pipes close at once.
    pub fn kill_itself(mut self) {
        self.say(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": "repo_map"}}));
        drop(self.input.take());
        drop(self.output);
        // The server is not waited for, like one whose client was killed.
        drop(self.child);
    }

    /// Closes the input; returns how the server ended, and how long that took.
    pub fn end(&mut self) -> (ExitStatus, Duration) {
        let started = Instant::now();
        self.input = None;
        (self.child.wait().unwrap(), started.elapsed())
    }
}
