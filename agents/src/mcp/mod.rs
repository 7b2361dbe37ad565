//! The server for agents: the Model Context Protocol over standard input and output.
//!
//! It answers before it has read any file: each call runs in a process of its own, which is killed
//! when the call is cancelled or the input ends. It speaks revisions 2025-03-26 to 2025-11-25, and
//! 2026-07-28.

mod arguments;
mod navigation;
mod resources;
mod revision;
mod search;
mod tools;
mod wire;

use std::{
    collections::BTreeMap,
    io::{self, BufRead, Write},
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use serde_json::{Map, Value, json};

use crate::{Configured, DEFAULT_TOKENS, Refresh};
use revision::{FOREVER, Revision, discovery, greeting};
use tools::{Refusal, TOOLS};
use wire::{
    INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, Message, RESOURCE_NOT_FOUND, WireError,
};

/// Maximum length of an answer in UTF-16 units: clients put longer ones into a file.
const MOST_UNITS: usize = 48_000;
/// Maximum number of calls that run at the same time.
const MOST_CALLS: usize = 16;
/// Error code for a call beyond that number.
const BUSY: i64 = -32000;
/// Interval of progress notifications, for a client that asks for them.
const BEAT: Duration = Duration::from_secs(1);

/// How a server answers.
#[derive(Debug, Clone)]
pub struct Setup {
    /// A directory inside the work tree.
    pub root: PathBuf,
    /// Maximum number of tokens of a map, unless a call sets another.
    pub max_tokens: u32,
    /// The settings of the configuration for every map.
    pub configured: Configured,
    /// When a stored map is good enough.
    pub refresh: Refresh,
    /// The folder in which maps are kept, if any.
    pub cache: Option<PathBuf>,
    /// The flag that makes the answering processes ignore configuration files, if this process
    /// ignores them.
    pub without_files: Option<&'static str>,
    /// The executable that makes maps and explorations.
    pub program: PathBuf,
}

impl Setup {
    /// A setup with every default.
    pub fn of(root: PathBuf, program: PathBuf) -> Self {
        Self {
            root,
            max_tokens: DEFAULT_TOKENS,
            configured: Configured::default(),
            refresh: Refresh::Auto,
            cache: None,
            without_files: None,
            program,
        }
    }
}

/// Answers requests until the input ends or the output is closed.
///
/// # Errors
/// The input cannot be read.
pub fn serve(setup: &Setup, mut input: impl BufRead, output: impl Write + Send) -> io::Result<()> {
    let server = Server {
        setup,
        output: Mutex::new(output),
        calls: Mutex::new(BTreeMap::new()),
        is_read: AtomicBool::new(true),
        is_greeted: AtomicBool::new(false),
    };
    thread::scope(|scope| {
        let ended = loop {
            match wire::read(&mut input) {
                Ok(Some(message)) if server.is_read.load(Ordering::Relaxed) => {
                    server.take(scope, message);
                }
                Ok(_) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        server.cancel_all();
        ended
    })
}

struct Server<'a, W> {
    setup: &'a Setup,
    output: Mutex<W>,
    /// The calls that are running, by their ids as JSON; a flag is false once the answer is no
    /// longer wanted.
    calls: Mutex<BTreeMap<String, Arc<AtomicBool>>>,
    /// Whether the output is still being read.
    is_read: AtomicBool,
    /// Whether the client has sent `initialize`.
    is_greeted: AtomicBool,
}

/// A running call.
struct Call {
    id: Value,
    method: String,
    params: Map<String, Value>,
    revision: Revision,
    wanted: Arc<AtomicBool>,
}

impl<W: Write + Send> Server<'_, W> {
    fn take<'scope>(&'scope self, scope: &'scope thread::Scope<'scope, '_>, message: Message) {
        match message {
            Message::Refused(answer) => self.say(&answer),
            Message::Response => {}
            Message::Notification { method, params } => {
                if method == "notifications/cancelled" {
                    let id = params.get("requestId").unwrap_or(&Value::Null);
                    if let Some(wanted) = lock(&self.calls).get(&id.to_string()) {
                        wanted.store(false, Ordering::Relaxed);
                    }
                }
            }
            Message::Request { id, method, params } => {
                let answered = self.revision_of(&method, &params).and_then(|revision| {
                    if !matches!(method.as_str(), "tools/call" | "resources/read") {
                        return at_once(&method, &params, revision).map(Some);
                    }
                    let wanted = self.admit(&id)?;
                    let call = Call { id: id.clone(), method, params, revision, wanted };
                    scope.spawn(move || self.work(&call));
                    Ok(None)
                });
                match answered {
                    Ok(Some(result)) => self.say(&result_of(&id, &result)),
                    Ok(None) => {}
                    Err(error) => self.say(&error.answer(&id)),
                }
            }
        }
    }

    /// The revision in which a request is answered. Without a session, only `initialize` and `ping`
    /// may leave it out.
    fn revision_of(
        &self,
        method: &str,
        params: &Map<String, Value>,
    ) -> Result<Revision, WireError> {
        let begins = method == "initialize";
        let is_session = begins || method == "ping" || self.is_greeted.load(Ordering::Relaxed);
        let revision = Revision::of(params, is_session)?;
        if begins && revision == Revision::Greeted {
            self.is_greeted.store(true, Ordering::Relaxed);
        }
        Ok(revision)
    }

    /// Registers a call, and returns the flag that says whether its answer is wanted.
    fn admit(&self, id: &Value) -> Result<Arc<AtomicBool>, WireError> {
        let mut calls = lock(&self.calls);
        if calls.len() >= MOST_CALLS {
            return Err(WireError::new(BUSY, "too many calls at once; ask again"));
        }
        // A cancellation could not tell two calls with the same id apart.
        if calls.contains_key(&id.to_string()) {
            return Err(WireError::new(INVALID_REQUEST, "a call of this id is being worked on"));
        }
        let wanted = Arc::new(AtomicBool::new(true));
        calls.insert(id.to_string(), Arc::clone(&wanted));
        Ok(wanted)
    }

    /// Runs a call and writes its answer, unless it was cancelled.
    fn work(&self, call: &Call) {
        let progress = Progress::of(&call.params);
        let is_wanted = || {
            if let Some(beat) = progress.as_ref().and_then(Progress::beat) {
                self.say(&beat);
            }
            call.wanted.load(Ordering::Relaxed)
        };
        let answer = match call.method.as_str() {
            "tools/call" => self.tool(call, &is_wanted),
            _ => self.resource(call, &is_wanted),
        };
        lock(&self.calls).remove(&call.id.to_string());
        if call.wanted.load(Ordering::Relaxed) {
            match answer {
                Ok(result) => self.say(&result_of(&call.id, &result)),
                Err(error) => self.say(&error.answer(&call.id)),
            }
        }
    }

    fn tool(&self, call: &Call, is_wanted: &dyn Fn() -> bool) -> Result<Value, WireError> {
        let name = call.params.get("name").and_then(Value::as_str).unwrap_or_default();
        let arguments = call.params.get("arguments").cloned();
        let result = match tools::call(self.setup, name, arguments, is_wanted) {
            Ok(answer) => json!({
                "content": [{"type": "text", "text": answer.text}],
                "structuredContent": answer.structured,
                "isError": false,
            }),
            Err(Refusal::NoSuchTool) => {
                return Err(WireError::new(INVALID_PARAMS, format!("there is no tool {name:?}")));
            }
            Err(refusal) => json!({
                "content": [{"type": "text", "text": refusal.envelope().to_string()}],
                "isError": true,
            }),
        };
        Ok(call.revision.result(result))
    }

    fn resource(&self, call: &Call, is_wanted: &dyn Fn() -> bool) -> Result<Value, WireError> {
        let uri = call.params.get("uri").and_then(Value::as_str).unwrap_or_default();
        let read = resources::read(self.setup, uri, is_wanted);
        // The files may change at any moment, so the answer must not be cached.
        read.map(|contents| call.revision.kept(0, contents)).map_err(|refusal| {
            let code = match (&refusal, call.revision) {
                (Refusal::File(_), Revision::Greeted) => RESOURCE_NOT_FOUND,
                _ => INVALID_PARAMS,
            };
            let envelope = refusal.envelope();
            let message = envelope["error"]["message"].as_str().unwrap_or_default();
            WireError { data: Some(json!({"uri": uri})), ..WireError::new(code, message) }
        })
    }

    fn say(&self, message: &Value) {
        if wire::write(&mut *lock(&self.output), message).is_err() {
            self.is_read.store(false, Ordering::Relaxed);
            self.cancel_all();
        }
    }

    fn cancel_all(&self) {
        for wanted in lock(&self.calls).values() {
            wanted.store(false, Ordering::Relaxed);
        }
    }
}

/// The result of a request that needs no work on files.
fn at_once(
    method: &str,
    params: &Map<String, Value>,
    revision: Revision,
) -> Result<Value, WireError> {
    match method {
        "initialize" if revision == Revision::Greeted => Ok(greeting(params)),
        "ping" if revision == Revision::Greeted => Ok(json!({})),
        "server/discover" => Ok(discovery()),
        "tools/list" => Ok(revision.kept(FOREVER, json!({"tools": *TOOLS}))),
        "resources/list" => Ok(revision.kept(FOREVER, resources::list())),
        "resources/templates/list" => Ok(revision.kept(FOREVER, resources::templates())),
        _ => Err(WireError::new(METHOD_NOT_FOUND, format!("there is no method {method:?}"))),
    }
}

fn result_of(id: &Value, result: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Progress notifications for a client that asks for them while a call runs.
struct Progress {
    token: Value,
    started: Instant,
    told: Mutex<u64>,
}

impl Progress {
    fn of(params: &Map<String, Value>) -> Option<Self> {
        let token = params.get("_meta")?.get("progressToken")?.clone();
        Some(Self { token, started: Instant::now(), told: Mutex::new(0) })
    }

    /// The next notification, if one is due.
    fn beat(&self) -> Option<Value> {
        let seconds = self.started.elapsed().as_secs() / BEAT.as_secs();
        let mut told = lock(&self.told);
        if seconds <= *told {
            return None;
        }
        *told = seconds;
        Some(json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {
            "progressToken": self.token,
            "progress": seconds,
            "message": format!("working for {seconds} s"),
        }}))
    }
}
