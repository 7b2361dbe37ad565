//! The scenarios of gate B3: requests to a store of large content, by processes that run one after the
//! other.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::Edit;

/// The id that is asked about if an earlier answer lacks the id that it should have had.
const UNKNOWN: &str = "file_0000000000000000";

/// A store of its own, and the processes that work on it. Paths are relative to a copy of the corpus.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Unique among the scenarios of a plan.
    pub id: String,
    /// The processes, in order.
    pub processes: Vec<StoreProcess>,
}

/// One process of `parity lcm`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoreProcess {
    /// Its arguments after `lcm`.
    pub args: Vec<String>,
    /// Environment variables that only this process has.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// Edits of the copy before it starts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<Edit>,
    /// The requests, one on each line of its input; none if the process does not serve.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requests: Vec<StoreRequest>,
}

/// One request to a store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoreRequest {
    /// Unique among the requests of its scenario.
    pub name: String,
    /// The fields of the request, without the `text` and `id` that the two fields below give.
    pub fields: Map<String, Value>,
    /// The content: a text, and how often it is repeated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<(String, usize)>,
    /// The name of a request to an earlier process: this request asks about the id in its answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
}

/// The ids that a store has given so far, by the name of the request.
pub type StoreIds = BTreeMap<String, String>;

impl StoreRequest {
    /// The line that the process reads.
    pub fn line(&self, ids: &StoreIds) -> String {
        let mut fields = self.fields.clone();
        if let Some((text, times)) = &self.text {
            fields.insert("text".to_owned(), text.repeat(*times).into());
        }
        if let Some(about) = &self.about {
            let id = ids.get(about).map_or(UNKNOWN, String::as_str);
            fields.insert("id".to_owned(), id.into());
        }
        format!("{}\n", Value::Object(fields))
    }
}

impl StoreProcess {
    /// Its standard input, if the store has given these ids so far.
    pub fn input(&self, ids: &StoreIds) -> String {
        self.requests.iter().map(|request| request.line(ids)).collect()
    }

    /// Its answers on standard output, in the order of the requests; an answer that is missing or is not
    /// JSON is null.
    pub fn answers(&self, stdout: &[u8]) -> Vec<Value> {
        let mut lines = stdout.split(|byte| *byte == b'\n');
        let answer = |line: &[u8]| serde_json::from_slice(line).ok();
        let answers = self.requests.iter().map(|_| lines.next().and_then(answer));
        answers.map(Option::unwrap_or_default).collect()
    }

    /// Adds the ids of its answers on standard output.
    pub fn learn(&self, stdout: &[u8], ids: &mut StoreIds) {
        for (request, answer) in self.requests.iter().zip(self.answers(stdout)) {
            if let Some(id) = answer.pointer("/answer/id").and_then(Value::as_str) {
                ids.insert(request.name.clone(), id.to_owned());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{StoreIds, StoreProcess, StoreRequest};
    use serde_json::{Value, json};

    fn request(name: &str, fields: Value) -> StoreRequest {
        let Value::Object(fields) = fields else { panic!("{fields} is no object") };
        StoreRequest { name: name.to_owned(), fields, text: None, about: None }
    }

    #[test]
    fn a_request_asks_about_the_id_that_an_earlier_one_was_given() {
        let put = StoreRequest {
            text: Some(("ab".to_owned(), 3)),
            ..request("put", json!({ "op": "put" }))
        };
        let first = StoreProcess { requests: vec![put], ..StoreProcess::default() };
        let mut ids = StoreIds::new();
        assert_eq!(first.input(&ids), "{\"op\":\"put\",\"text\":\"ababab\"}\n");
        first.learn(b"{\"answer\":{\"id\":\"file_1\"}}\n", &mut ids);
        let ask = StoreRequest {
            about: Some("put".to_owned()),
            ..request("ask", json!({ "op": "read" }))
        };
        assert_eq!(ask.line(&ids), "{\"id\":\"file_1\",\"op\":\"read\"}\n");
        assert_eq!(
            ask.line(&StoreIds::new()),
            "{\"id\":\"file_0000000000000000\",\"op\":\"read\"}\n"
        );
    }

    #[test]
    fn what_was_not_answered_is_null() {
        let requests = ["a", "b", "c"].map(|name| request(name, json!({}))).to_vec();
        let process = StoreProcess { requests, ..StoreProcess::default() };
        assert_eq!(
            process.answers(b"{\"code\":0}\nnonsense"),
            [json!({ "code": 0 }), Value::Null, Value::Null]
        );
    }
}
