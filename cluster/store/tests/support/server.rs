//! A server of S3 (`s3s-fs`, which keeps objects as files) with faults in front of it.

use std::{
    io,
    path::Path,
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use futures_util::stream::unfold;
use http_body_util::{BodyExt, StreamBody, combinators::BoxBody};
use hyper::{
    Method, Request, Response,
    body::{Bytes, Frame, Incoming},
    header::CONTENT_LENGTH,
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::TokioIo;
use s3s::{
    auth::SimpleAuth,
    service::{S3Service, S3ServiceBuilder},
};
use s3s_fs::FileSystem;
use tokio::net::TcpListener;

/// Who may ask.
pub const USER: &str = "user";
/// How the user proves it.
pub const SECRET: &str = "secret-of-the-test";

/// What the server does wrong.
#[derive(Clone)]
pub enum Fault {
    /// Answers with this status and does nothing.
    Refuse(u16),
    /// Does it and answers with this status.
    DoAndRefuse(u16),
    /// Does it and closes the connection without an answer.
    DoAndClose,
    /// Does something else, and closes the connection.
    Instead(Arc<dyn Fn() + Send + Sync>),
    /// Never answers, and does nothing.
    Silent,
    /// Sends the body in ten pieces with so long a pause before each.
    Slow(Duration),
    /// Sends half of the body, and closes the connection.
    Cut,
    /// Sends half of the body and says that this is all.
    Short,
    /// Changes one bit in the middle of the body.
    Flip,
    /// Sends this body.
    Send(Vec<u8>),
}

/// Which requests are served wrongly.
#[derive(Clone)]
struct Rule {
    method: Method,
    /// What their path contains.
    part: String,
    fault: Fault,
    /// How many more.
    left: usize,
}

#[derive(Default)]
struct State {
    rules: Vec<Rule>,
    served_wrongly: usize,
    /// Method and path of each request.
    log: Vec<String>,
}

/// A running server. It ends with the process of the test.
pub struct Server {
    /// Where it is.
    pub endpoint: String,
    state: Arc<Mutex<State>>,
}

type Body = BoxBody<Bytes, io::Error>;

impl Server {
    /// Starts a server with the buckets in a folder.
    pub fn start(root: &Path) -> Self {
        let files = FileSystem::new(root).unwrap();
        let mut service = S3ServiceBuilder::new(files);
        service.set_auth(SimpleAuth::from_single(USER, SECRET));
        let service = service.build();
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        listener.set_nonblocking(true).unwrap();
        let state = Arc::new(Mutex::new(State::default()));
        let shared = state.clone();
        std::thread::spawn(move || {
            let runtime =
                tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(accept(listener, service, shared));
        });
        Self { endpoint, state }
    }

    /// Serves the next `times` requests wrongly that have this method, and `part` in their path.
    pub fn fail(&self, method: &Method, part: &str, times: usize, fault: Fault) {
        let rule = Rule { method: method.clone(), part: part.to_owned(), fault, left: times };
        self.state().rules.push(rule);
    }

    /// Serves everything as it should from now on. Returns how many requests were served wrongly.
    pub fn behave(&self) -> usize {
        let mut state = self.state();
        state.rules.clear();
        std::mem::take(&mut state.served_wrongly)
    }

    /// How many requests were served wrongly so far.
    pub fn served_wrongly(&self) -> usize {
        self.state().served_wrongly
    }

    /// Method and path of each request since the last call.
    pub fn requests(&self) -> Vec<String> {
        std::mem::take(&mut self.state().log)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }
}

async fn accept(listener: std::net::TcpListener, service: S3Service, state: Arc<Mutex<State>>) {
    let listener = TcpListener::from_std(listener).unwrap();
    // The server looks whether an object exists, and then writes it. A service must do both in one step.
    let writes = Arc::new(tokio::sync::Mutex::new(()));
    while let Ok((socket, _)) = listener.accept().await {
        let (service, state, writes) = (service.clone(), state.clone(), writes.clone());
        tokio::spawn(async move {
            let answer = service_fn(|request| {
                serve(request, service.clone(), state.clone(), writes.clone())
            });
            // An answer that is lost on purpose ends the connection with an error.
            let _ = http1::Builder::new().serve_connection(TokioIo::new(socket), answer).await;
        });
    }
}

async fn serve(
    request: Request<Incoming>,
    service: S3Service,
    state: Arc<Mutex<State>>,
    writes: Arc<tokio::sync::Mutex<()>>,
) -> Result<Response<Body>, io::Error> {
    let fault = next_fault(&request, &state);
    let lost = || io::Error::other("the answer is lost");
    match &fault {
        Some(Fault::Refuse(status)) => return Ok(empty(*status)),
        Some(Fault::Silent) => std::future::pending::<()>().await,
        Some(Fault::Instead(something)) => {
            something();
            return Err(lost());
        }
        _ => {}
    }
    let one_writer = (request.method() == Method::PUT).then_some(writes);
    let one_writer = match &one_writer {
        Some(writes) => Some(writes.lock().await),
        None => None,
    };
    let request = request.map(s3s::Body::from);
    let response =
        service.call(request).await.map_err(|error| io::Error::other(format!("{error:?}")));
    drop(one_writer);
    let (mut head, body) = response?.into_parts();
    match &fault {
        Some(Fault::DoAndRefuse(status)) => return Ok(empty(*status)),
        Some(Fault::DoAndClose) => return Err(lost()),
        _ => {}
    }
    let body = body.collect().await.map_err(|error| io::Error::other(error.to_string()))?;
    let mut bytes = body.to_bytes().to_vec();
    let half = bytes.len() / 2;
    let mut pieces: Vec<io::Result<Bytes>> = Vec::new();
    let mut pause = Duration::ZERO;
    match fault {
        Some(Fault::Cut) => {
            bytes.truncate(half);
            pieces.push(Ok(bytes.into()));
            pieces.push(Err(lost()));
        }
        Some(Fault::Slow(each)) => {
            pause = each;
            let size = (bytes.len() / 10).max(1);
            pieces.extend(bytes.chunks(size).map(|piece| Ok(Bytes::copy_from_slice(piece))));
        }
        other => {
            match other {
                Some(Fault::Short) => bytes.truncate(half),
                Some(Fault::Flip) => bytes[half] ^= 1,
                Some(Fault::Send(another)) => bytes = another,
                _ => {}
            }
            // The answer to HEAD has the length of what it does not send.
            if head.headers.contains_key(CONTENT_LENGTH) && !bytes.is_empty() {
                head.headers.insert(CONTENT_LENGTH, bytes.len().into());
            }
            pieces.push(Ok(bytes.into()));
        }
    }
    let stream = unfold(pieces.into_iter(), move |mut pieces| async move {
        let piece = pieces.next()?;
        if !pause.is_zero() {
            tokio::time::sleep(pause).await;
        }
        Some((piece.map(Frame::data), pieces))
    });
    Ok(Response::from_parts(head, BodyExt::boxed(StreamBody::new(stream))))
}

fn empty(status: u16) -> Response<Body> {
    let body = http_body_util::Empty::new().map_err(|never| match never {});
    Response::builder().status(status).body(BodyExt::boxed(body)).unwrap()
}

fn next_fault(request: &Request<Incoming>, state: &Mutex<State>) -> Option<Fault> {
    let mut state = state.lock().unwrap();
    let (method, path) = (request.method(), request.uri().path());
    state.log.push(format!("{method} {path}"));
    let rule = state
        .rules
        .iter_mut()
        .find(|rule| rule.left > 0 && rule.method == *method && path.contains(&rule.part))?;
    rule.left -= 1;
    let fault = rule.fault.clone();
    state.served_wrongly += 1;
    Some(fault)
}
