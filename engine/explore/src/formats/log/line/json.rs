//! Lines that are JSON objects.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::{Dialect, Line, words::fails};
use crate::formats::log::{
    level::Level,
    stamp::{self, Stamp},
};

/// Parses a text that is a JSON object.
pub fn object(text: &str) -> Option<Map<String, Value>> {
    if !(text.starts_with('{') && text.ends_with('}')) {
        return None;
    }
    serde_json::from_str(text).ok()
}

/// The level in an object: a word, or a number in steps of ten, which may be quoted.
fn json_level(object: &Map<String, Value>) -> Option<Level> {
    let names = ["level", "severity", "log_level", "log.level", "loglevel", "lvl", "levelname"];
    let (_, value) = object.iter().find(|(key, _)| names.contains(&key.to_lowercase().as_str()))?;
    match value {
        Value::String(word) => Level::of_word(word.trim())
            .or_else(|| word.trim().parse().ok().and_then(Level::of_number)),
        Value::Number(number) => Level::of_number(number.as_u64()?),
        _ => None,
    }
}

/// Reads a line that is a JSON object.
pub fn read(text: &str, mut object: Map<String, Value>) -> Line<'_> {
    // Some loggers nest the fields of the event one object deeper.
    let key = |object: &Map<String, Value>, names: &[&str]| {
        object.keys().find(|key| names.contains(&key.to_lowercase().as_str())).cloned()
    };
    let level = json_level(&object).or_else(|| match object.get("log") {
        Some(Value::Object(log)) => json_level(log),
        _ => None,
    });
    let times = ["timestamp", "time", "ts", "@timestamp", "datetime", "date", "t", "asctime"];
    let stamp = key(&object, &times).and_then(|key| match object.get(&key) {
        Some(Value::String(value)) => value_stamp(text, value),
        Some(Value::Number(number)) => value_stamp(text, &number.to_string()),
        _ => None,
    });
    let mut take = |names: &[&str]| {
        let value = object.get_mut(&key(&object, names)?).map(Value::take);
        match value {
            Some(Value::String(text)) => Some(text),
            _ => None,
        }
    };
    let source = take(&["logger", "component", "source", "service", "module", "name", "app"]);
    let message = take(&["msg", "message", "error", "err", "event"]).unwrap_or_default();
    let is_error = level.is_some_and(Level::is_error) || level.is_none() && fails(&message);
    Line {
        dialect: Dialect::Json,
        stamp,
        level,
        source: source.map(Cow::Owned),
        is_error,
        is_warning: level == Some(Level::Warn),
        message: Cow::Owned(message),
    }
}

/// The timestamp in a JSON value, as it is written in the line.
fn value_stamp<'a>(line: &'a str, value: &str) -> Option<Stamp<'a>> {
    let found = stamp::find(value)?;
    let start = line.find(value)?;
    let end = start + found.end;
    let start = start + found.start;
    Some(Stamp { class: found.class, key: found.key, text: line.get(start..end)?, start, end })
}
