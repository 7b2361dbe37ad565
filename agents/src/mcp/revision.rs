//! The supported revisions of the Model Context Protocol.
//!
//! Up to 2025-11-25 a client begins with `initialize`, and the two sides agree on a revision. From
//! 2026-07-28 on each request names its revision, and results say how long they may be cached.

use serde_json::{Map, Value, json};

use super::wire::{INVALID_PARAMS, UNSUPPORTED_VERSION, WireError};

/// The revisions with `initialize`, newest first.
const GREETED: [&str; 3] = ["2025-11-25", "2025-06-18", "2025-03-26"];
/// The revision without `initialize`.
const STATELESS: &str = "2026-07-28";
/// The field in which a request names its revision.
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// The field in which such a request must also name the client's capabilities.
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// The field in which a result names the server.
const SERVER: &str = "io.modelcontextprotocol/serverInfo";

/// The way in which requests are answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Revision {
    /// After `initialize`.
    Greeted,
    /// Without `initialize`.
    Stateless,
}

impl Revision {
    /// The revision that a request names. A request without one belongs to a session that began
    /// with `initialize`, if there `is_session`.
    ///
    /// # Errors
    /// The revision is not supported, or the request lacks something that the revision requires.
    pub fn of(params: &Map<String, Value>, is_session: bool) -> Result<Self, WireError> {
        let meta = params.get("_meta").and_then(Value::as_object);
        let Some(named) = meta.and_then(|meta| meta.get(VERSION)) else {
            if is_session {
                return Ok(Self::Greeted);
            }
            let why = format!("_meta has no {VERSION}, and no session began with initialize");
            return Err(WireError::new(INVALID_PARAMS, why));
        };
        if named != STATELESS {
            return Err(WireError {
                data: Some(json!({"requested": named, "supported": [STATELESS]})),
                ..WireError::new(UNSUPPORTED_VERSION, "Unsupported protocol version")
            });
        }
        let has_capabilities =
            meta.and_then(|meta| meta.get(CAPABILITIES)).is_some_and(Value::is_object);
        if has_capabilities {
            return Ok(Self::Stateless);
        }
        Err(WireError::new(INVALID_PARAMS, format!("_meta has no object {CAPABILITIES}")))
    }

    /// A result in the form of this revision.
    pub fn result(self, mut result: Value) -> Value {
        if let (Self::Stateless, Some(fields)) = (self, result.as_object_mut()) {
            fields.insert("resultType".to_owned(), "complete".into());
        }
        result
    }

    /// A result that a client may cache for some milliseconds.
    pub fn kept(self, milliseconds: u64, result: Value) -> Value {
        let mut result = self.result(result);
        if let (Self::Stateless, Some(fields)) = (self, result.as_object_mut()) {
            fields.insert("ttlMs".to_owned(), milliseconds.into());
            fields.insert("cacheScope".to_owned(), "private".into());
        }
        result
    }
}

/// The answer to `initialize`: the requested revision if it is supported, else the newest.
pub fn greeting(params: &Map<String, Value>) -> Value {
    let asked = params.get("protocolVersion").and_then(Value::as_str);
    let spoken = GREETED.into_iter().find(|version| asked == Some(version));
    json!({
        "protocolVersion": spoken.unwrap_or(GREETED[0]),
        "capabilities": capabilities(),
        "serverInfo": server(),
        "instructions": INSTRUCTIONS,
    })
}

/// The answer to `server/discover`.
pub fn discovery() -> Value {
    Revision::Stateless.kept(
        FOREVER,
        json!({
            "supportedVersions": [STATELESS],
            "capabilities": capabilities(),
            "instructions": INSTRUCTIONS,
            "_meta": {SERVER: server()},
        }),
    )
}

/// How long clients may cache what never changes while a server runs, in milliseconds: an hour.
pub const FOREVER: u64 = 3_600_000;

/// Instructions for the client on how to use this server.
const INSTRUCTIONS: &str =
    "Call repo_map before you search the repository, explore before you read a long file.";

fn capabilities() -> Value {
    json!({"tools": {}, "resources": {}})
}

fn server() -> Value {
    json!({"name": "parity", "title": "Parity", "version": env!("CARGO_PKG_VERSION")})
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::{Revision, greeting};

    fn params(value: &Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn both_eras_are_told_apart() {
        assert_eq!(Revision::of(&Map::new(), true), Ok(Revision::Greeted));
        assert_eq!(Revision::of(&Map::new(), false).unwrap_err().code, -32602);
        let meta = |version: &str, more: Value| {
            params(&json!({"_meta": {"io.modelcontextprotocol/protocolVersion": version,
                "io.modelcontextprotocol/clientCapabilities": more}}))
        };
        let of = |params| Revision::of(&params, false);
        assert_eq!(of(meta("2026-07-28", json!({}))), Ok(Revision::Stateless));
        assert_eq!(of(meta("2026-07-28", json!(1))).unwrap_err().code, -32602);
        let error = of(meta("1900-01-01", json!({}))).unwrap_err();
        assert_eq!(error.code, -32022);
        assert_eq!(error.data.unwrap()["supported"], json!(["2026-07-28"]));
    }

    #[test]
    fn a_greeting_agrees_on_a_revision() {
        for (asked, agreed) in [
            ("2025-06-18", "2025-06-18"),
            ("2025-11-25", "2025-11-25"),
            ("2026-07-28", "2025-11-25"),
        ] {
            let answer = greeting(&params(&json!({"protocolVersion": asked})));
            assert_eq!(answer["protocolVersion"], agreed);
        }
    }
}
