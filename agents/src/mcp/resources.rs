//! The resources: the map and explorations of files, by URI.

use serde_json::{Value, json};

use super::{
    Setup,
    tools::{Refusal, explore, job, map},
};
use crate::Job;

/// The URI of the map.
const MAP: &str = "parity://map";
/// The beginning of the URIs of files.
const FILE: &str = "parity://file/";
/// The MIME type of all resources.
const TYPE: &str = "text/plain";

/// The answer to `resources/list`: the map with all defaults.
pub fn list() -> Value {
    json!({"resources": [{
        "uri": MAP,
        "name": "map",
        "title": "Repository map",
        "mimeType": TYPE,
    }]})
}

/// The answer to `resources/templates/list`.
pub fn templates() -> Value {
    json!({"resourceTemplates": [
        {
            "uriTemplate": "parity://map{?budget,focus}",
            "name": "map",
            "title": "Repository map within a budget of tokens, around files (separated by commas)",
            "mimeType": TYPE,
        },
        {
            "uriTemplate": "parity://file/{+path}",
            "name": "file",
            "title": "What is in a file",
            "mimeType": TYPE,
        },
    ]})
}

/// The answer to `resources/read`.
///
/// # Errors
/// There is no such resource, or it cannot be made.
pub fn read(setup: &Setup, uri: &str, is_wanted: &dyn Fn() -> bool) -> Result<Value, Refusal> {
    let answer = match uri.strip_prefix(FILE) {
        Some(path) => explore(setup, &decoded(path), is_wanted)?,
        None => map(setup, &map_job(setup, uri)?, is_wanted)?,
    };
    Ok(json!({"contents": [{"uri": uri, "mimeType": TYPE, "text": answer.text}]}))
}

/// The job that a URI of the map asks for.
fn map_job(setup: &Setup, uri: &str) -> Result<Job, Refusal> {
    let wrong = || Refusal::File(format!("there is no resource {uri}"));
    let query = uri.strip_prefix(MAP).ok_or_else(wrong)?;
    let mut job = job(setup);
    if query.is_empty() {
        return Ok(job);
    }
    for pair in query.strip_prefix('?').ok_or_else(wrong)?.split('&') {
        match pair.split_once('=').ok_or_else(wrong)? {
            ("budget", tokens) => {
                let tokens = tokens.parse().ok().filter(|tokens| (64..=16_384).contains(tokens));
                job.max_tokens = tokens.ok_or_else(wrong)?;
            }
            ("focus", files) => job.chat = files.split(',').map(decoded).collect(),
            _ => return Err(wrong()),
        }
    }
    Ok(job)
}

/// A part of a URI with its `%XX` escapes decoded.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, behind @ ..] = rest {
        let digits = behind.get(..2).filter(|_| *first == b'%');
        let read = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        if let Some(byte) = read.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            bytes.push(byte);
            rest = behind.get(2..).unwrap_or_default();
        } else {
            bytes.push(*first);
            rest = behind;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::{decoded, map_job};
    use crate::mcp::Setup;

    #[test]
    fn an_address_says_what_is_wanted() {
        let setup = Setup::of("/r".into(), "/bin/false".into());
        let job = map_job(&setup, "parity://map?budget=100&focus=a%20b.py,c.py").unwrap();
        assert_eq!((job.max_tokens, job.chat), (100, vec!["a b.py".to_owned(), "c.py".to_owned()]));
        assert_eq!(map_job(&setup, "parity://map").unwrap().max_tokens, setup.max_tokens);
        for wrong in
            ["parity://mapx", "parity://map?budget=1", "parity://map?x=1", "file:///etc/passwd"]
        {
            assert!(map_job(&setup, wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn escapes_are_read() {
        for (text, read) in
            [("a%2Fb", "a/b"), ("%", "%"), ("%zz", "%zz"), ("%C3%A4", "ä"), ("%F", "%F")]
        {
            assert_eq!(decoded(text), read);
        }
    }
}
