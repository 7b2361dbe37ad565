//! A model on the loopback interface, for real clients: keeps what it is asked, and answers as its test
//! says.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use serde_json::Value;

/// How long a connection may be silent.
const SILENCE: Duration = Duration::from_secs(10);

/// Gives the events of an answer, from the path and the body of a request and the number of requests that
/// were answered before it. `None` for a request that is not for the model.
pub type Answer = dyn Fn(&str, &Value, usize) -> Option<Vec<Value>> + Send + Sync;

/// The server; it ends when it is dropped.
pub struct Stub {
    address: SocketAddr,
    model: Arc<Model>,
    accepting: Option<JoinHandle<()>>,
}

struct Model {
    answer: Box<Answer>,
    asked: Mutex<Vec<Value>>,
    has_ended: AtomicBool,
}

impl Stub {
    pub fn start(answer: Box<Answer>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let has_ended = AtomicBool::new(false);
        let model = Arc::new(Model { answer, asked: Mutex::default(), has_ended });
        let shared = Arc::clone(&model);
        let accepting = thread::spawn(move || {
            for connection in listener.incoming().map_while(Result::ok) {
                if shared.has_ended.load(Ordering::Relaxed) {
                    break;
                }
                let model = Arc::clone(&shared);
                thread::spawn(move || model.serve(&connection));
            }
        });
        Self { address, model, accepting: Some(accepting) }
    }

    /// The address as the beginning of a URL.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The bodies of the requests to the model, in their order.
    pub fn asked(&self) -> Vec<Value> {
        self.model.asked.lock().unwrap().clone()
    }
}

impl Drop for Stub {
    fn drop(&mut self) {
        self.model.has_ended.store(true, Ordering::Relaxed);
        // A last connection ends the wait for one.
        let _ = TcpStream::connect(self.address);
        let _ = self.accepting.take().map(JoinHandle::join);
    }
}

impl Model {
    /// Answers one request of a connection. A connection that breaks is the client's business.
    fn serve(&self, mut connection: &TcpStream) -> Option<()> {
        connection.set_read_timeout(Some(SILENCE)).ok()?;
        let (path, body) = request(&mut BufReader::new(connection))?;
        let reply = match self.events(&path, &body) {
            Some(text) => format!(
                "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\
                 content-length: {}\r\n\r\n{text}",
                text.len()
            ),
            None => {
                "HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n".into()
            }
        };
        connection.write_all(reply.as_bytes()).ok()
    }

    fn events(&self, path: &str, body: &[u8]) -> Option<String> {
        let body = serde_json::from_slice(body).ok()?;
        let mut asked = self.asked.lock().unwrap();
        let events = (self.answer)(path, &body, asked.len())?;
        asked.push(body);
        // Some clients want the name of an event beside its data.
        let named = |event: &Value| {
            let name = event["type"].as_str().map(|name| format!("event: {name}\n"));
            format!("{}data: {event}\n\n", name.unwrap_or_default())
        };
        Some(events.iter().map(named).collect())
    }
}

/// The path and the body of a request.
fn request(input: &mut BufReader<&TcpStream>) -> Option<(String, Vec<u8>)> {
    let path = line(input)?.split(' ').nth(1)?.to_owned();
    let (mut length, mut is_chunked) = (0, false);
    loop {
        let header = line(input)?.to_ascii_lowercase();
        match header.split_once(':') {
            Some(("content-length", value)) => length = value.trim().parse().ok()?,
            Some(("transfer-encoding", value)) => is_chunked = value.trim() == "chunked",
            Some(_) => {}
            None => break,
        }
    }
    let mut body = Vec::new();
    if !is_chunked {
        input.take(length).read_to_end(&mut body).ok()?;
        return Some((path, body));
    }
    loop {
        let size = u64::from_str_radix(line(input)?.trim(), 16).ok()?;
        input.take(size).read_to_end(&mut body).ok()?;
        line(input)?;
        if size == 0 {
            return Some((path, body));
        }
    }
}

fn line(input: &mut BufReader<&TcpStream>) -> Option<String> {
    let mut line = String::new();
    input.read_line(&mut line).ok().filter(|read| *read > 0)?;
    Some(line.trim_end().to_owned())
}
