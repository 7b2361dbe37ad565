//! JSON-RPC 2.0, one message per line.

use std::io::{self, BufRead, Read, Write};

use base::text::visible;
use serde_json::{Map, Value, json};

/// Longest line, in bytes; longer ones are refused and skipped.
const LONGEST: u64 = 8 << 20;

/// The text is not JSON.
pub const PARSE_ERROR: i64 = -32700;
/// The JSON is not a request.
pub const INVALID_REQUEST: i64 = -32600;
/// There is no such method.
pub const METHOD_NOT_FOUND: i64 = -32601;
/// The parameters are wrong.
pub const INVALID_PARAMS: i64 = -32602;
/// There is no such resource, in revisions up to 2025-11-25.
pub const RESOURCE_NOT_FOUND: i64 = -32002;
/// The requested revision of the protocol is not supported.
pub const UNSUPPORTED_VERSION: i64 = -32022;

/// A message from the client.
#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    /// A request, which needs an answer.
    Request {
        /// A string or a number.
        id: Value,
        /// What is asked for.
        method: String,
        /// The parameters.
        params: Map<String, Value>,
    },
    /// A notification, which gets no answer.
    Notification {
        /// What happened.
        method: String,
        /// The parameters.
        params: Map<String, Value>,
    },
    /// A response. This server sends no requests, so there should be none.
    Response,
    /// A message that is refused with this answer.
    Refused(Value),
}

/// An error that answers a request.
#[derive(Debug, Clone, PartialEq)]
pub struct WireError {
    /// The JSON-RPC error code.
    pub code: i64,
    /// The message for people.
    pub message: String,
    /// Additional data.
    pub data: Option<Value>,
}

impl WireError {
    /// An error.
    pub fn new(code: i64, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }

    /// The response to the request with this id.
    pub fn answer(&self, id: &Value) -> Value {
        let mut error = json!({"code": self.code, "message": self.message});
        if let (Some(data), Some(fields)) = (&self.data, error.as_object_mut()) {
            fields.insert("data".to_owned(), data.clone());
        }
        json!({"jsonrpc": "2.0", "id": id, "error": error})
    }
}

/// The next message; `None` at the end of the input.
///
/// # Errors
/// The input cannot be read.
pub fn read(input: &mut impl BufRead) -> io::Result<Option<Message>> {
    loop {
        let mut line = Vec::new();
        if input.by_ref().take(LONGEST).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        if line.len() as u64 == LONGEST && !line.ends_with(b"\n") {
            skip_line(input)?;
            return Ok(Some(refused(PARSE_ERROR, "the line is too long")));
        }
        if !line.trim_ascii().is_empty() {
            return Ok(Some(understood(&line)));
        }
    }
}

fn understood(line: &[u8]) -> Message {
    let Ok(value) = serde_json::from_slice::<Value>(line) else {
        return refused(PARSE_ERROR, "the line is not JSON");
    };
    let Value::Object(mut fields) = value else {
        return refused(INVALID_REQUEST, "the line is not a JSON object");
    };
    let method = fields.get("method").and_then(Value::as_str).map(str::to_owned);
    let params = match fields.remove("params") {
        Some(Value::Object(params)) => params,
        _ => Map::new(),
    };
    match (method, fields.remove("id")) {
        (Some(method), Some(id @ (Value::String(_) | Value::Number(_)))) => {
            Message::Request { id, method, params }
        }
        (Some(method), None) => Message::Notification { method, params },
        (None, Some(_)) if fields.contains_key("result") || fields.contains_key("error") => {
            Message::Response
        }
        _ => refused(INVALID_REQUEST, "the object is not a request"),
    }
}

fn refused(code: i64, why: &str) -> Message {
    Message::Refused(WireError::new(code, why).answer(&Value::Null))
}

fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let (used, is_last) =
            (end.map_or(buffer.len(), |end| end + 1), end.is_some() || buffer.is_empty());
        input.consume(used);
        if is_last {
            return Ok(());
        }
    }
}

/// Writes a message. Characters that would steer a terminal are escaped, without a change of
/// meaning.
///
/// # Errors
/// The output is closed.
pub fn write(output: &mut impl Write, message: &Value) -> io::Result<()> {
    let line = serde_json::to_string(message)?;
    output.write_all(visible::json(&line).as_bytes())?;
    output.write_all(b"\n")?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use serde_json::json;

    use super::{LONGEST, Message, read};

    fn messages(input: &str) -> Vec<Message> {
        let mut input = BufReader::new(input.as_bytes());
        std::iter::from_fn(|| read(&mut input).unwrap()).collect()
    }

    #[test]
    fn each_line_is_a_message_or_refused() {
        let found = messages(
            "\n{\"id\":1,\"method\":\"a\",\"params\":{\"x\":1}}\r\n{\"method\":\"b\"}\n{\"id\":2,\"result\":{}}\n\
             {\"id\":null,\"method\":\"c\"}\n[]\nnonsense\n{\"id\":\"z\",\"method\":\"d\",\"params\":[]}",
        );
        let params = json!({"x": 1}).as_object().unwrap().clone();
        assert_eq!(found[0], Message::Request { id: json!(1), method: "a".to_owned(), params });
        assert!(matches!(&found[1], Message::Notification { method, .. } if method == "b"));
        assert_eq!(found[2], Message::Response);
        let codes: Vec<_> = found[3..6]
            .iter()
            .map(|message| match message {
                Message::Refused(answer) => answer["error"]["code"].as_i64().unwrap(),
                _ => 0,
            })
            .collect();
        assert_eq!(codes, [-32600, -32600, -32700]);
        assert!(matches!(&found[6], Message::Request { id, .. } if *id == json!("z")));
    }

    #[test]
    fn a_line_without_end_is_skipped() {
        let input = format!("{}\n{{\"method\":\"next\"}}\n", "x".repeat(LONGEST as usize + 70_000));
        let found = messages(&input);
        assert!(matches!(&found[0], Message::Refused(_)));
        assert!(matches!(&found[1], Message::Notification { method, .. } if method == "next"));
        assert_eq!(found.len(), 2);
    }
}
