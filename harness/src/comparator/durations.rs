//! Durations in an answer of the driver. They differ from run to run and are removed, so that the
//! recordings of equal answers are equal. How long a unit took is in the note of a bundle.

use std::borrow::Cow;

/// Replaces the durations of the whole run.
const RUN: &[u8] = b"{}";
/// Replaces the seconds of a case or an attempt.
const SECONDS: &[u8] = b"0";

/// The answer without durations; every other byte is unchanged. Text that is not an answer is returned
/// as it is.
pub fn without(answer: &[u8]) -> Cow<'_, [u8]> {
    // The last key in each object or list that encloses the current position; empty for a list.
    let mut keys: Vec<&[u8]> = Vec::new();
    let (mut at, mut copied, mut kept) = (0, 0, Vec::new());
    while let Some(byte) = answer.get(at) {
        match byte {
            b'"' => {
                let end = end_of_string(answer, at);
                let text = answer.get(at + 1..end.saturating_sub(1)).unwrap_or_default();
                at = behind_space(answer, end);
                if answer.get(at) == Some(&b':') {
                    at = behind_space(answer, at + 1);
                    if let Some(last) = keys.last_mut() {
                        *last = text;
                    }
                    if let Some(instead) = instead_of(&keys) {
                        kept.extend_from_slice(answer.get(copied..at).unwrap_or_default());
                        kept.extend_from_slice(instead);
                        at = end_of_value(answer, at);
                        copied = at;
                    }
                }
            }
            b'{' | b'[' => {
                keys.push(b"");
                at += 1;
            }
            b'}' | b']' => {
                keys.pop();
                at += 1;
            }
            _ => at += 1,
        }
    }
    if copied == 0 {
        return Cow::Borrowed(answer);
    }
    kept.extend_from_slice(answer.get(copied..).unwrap_or_default());
    Cow::Owned(kept)
}

/// The replacement for the value under these keys if that is a duration. The key of a list element is
/// empty.
fn instead_of(keys: &[&[u8]]) -> Option<&'static [u8]> {
    match keys {
        [b"timing"] => Some(RUN),
        [b"cases", _, b"seconds"] | [b"cases", _, b"attempts", _, b"seconds"] => Some(SECONDS),
        _ => None,
    }
}

fn behind_space(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
        at += 1;
    }
    at
}

/// The position after the string that begins at `at`.
fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    at += 1;
    loop {
        match bytes.get(at) {
            None => return bytes.len(),
            Some(b'"') => return at + 1,
            Some(b'\\') => at += 2,
            Some(_) => at += 1,
        }
    }
}

/// The position after the value that begins at `at`.
fn end_of_value(bytes: &[u8], mut at: usize) -> usize {
    let mut depth = 0_usize;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => {
                at = end_of_string(bytes, at);
                if depth == 0 {
                    return at;
                }
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth <= 1 => return if depth == 0 { at } else { at + 1 },
            b'}' | b']' => depth -= 1,
            b',' if depth == 0 => return at,
            _ if depth == 0 && byte.is_ascii_whitespace() => return at,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use serde_json::Value;

    use super::without;

    fn text(answer: &str) -> String {
        String::from_utf8(without(answer.as_bytes()).into_owned()).unwrap()
    }

    #[test]
    fn durations_go_and_everything_else_stays() {
        let answer = r#"{"a": "\"timing\": {", "timing": {"cpu": 1.5, "x": [{"y": "}"}]}, "cases": [
            {"seconds": 0.25 , "attempts": [{"seconds":1e-3,"tags": {"seconds": 7}}], "seconds": 2}], "seconds": 3}"#;
        let kept = r#"{"a": "\"timing\": {", "timing": {}, "cases": [
            {"seconds": 0 , "attempts": [{"seconds":0,"tags": {"seconds": 7}}], "seconds": 0}], "seconds": 3}"#;
        assert_eq!(text(answer), kept);
        assert_eq!(text(kept), kept);
    }

    #[test]
    fn what_is_no_answer_stays_what_it_is() {
        for other in ["", "\"", "{\"timing\"", "{\"cases\":[{\"sec", "Traceback\n", "]}\"a\\"] {
            assert_eq!(text(other), other);
        }
        // A duration that was cut off is replaced up to the end.
        assert_eq!(text("{\"timing\": {\"cpu\": 1"), "{\"timing\": {}");
    }

    #[test]
    fn a_committed_answer_says_the_same_without_its_durations() {
        for name in ["recording.json", "refresh.json"] {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpora/authored/slice");
            let bytes = fs::read(path.join(name)).unwrap();
            let mut whole: Value = serde_json::from_slice(&bytes).unwrap();
            let kept: Value = serde_json::from_slice(&without(&bytes)).unwrap();
            assert_ne!(whole, kept);
            whole["timing"] = serde_json::json!({});
            for case in whole["cases"].as_array_mut().unwrap() {
                case["seconds"] = 0.into();
                for attempt in case["attempts"].as_array_mut().unwrap() {
                    if attempt.get("seconds").is_some() {
                        attempt["seconds"] = 0.into();
                    }
                }
            }
            assert_eq!(whole, kept);
        }
    }
}
