//! Strict JSON: one document, no duplicate keys, known fields only.
//!
//! Parsers disagree on duplicate keys (first wins, last wins), so a signed document with duplicate keys
//! could mean one thing here and another elsewhere.

use std::{collections::BTreeSet, fmt};

use serde::{
    Serialize,
    de::{Deserialize, DeserializeOwned, Deserializer, Error, MapAccess, SeqAccess, Visitor},
};

/// Parses `bytes` as exactly one JSON document. Refuses duplicate keys at any depth, trailing
/// bytes, nesting beyond 128 levels and, when `T` denies them, unknown fields.
pub fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, serde_json::Error> {
    serde_json::from_slice::<UniqueKeys>(bytes)?;
    serde_json::from_slice(bytes)
}

/// Writes a document of ours in its canonical form: compact, with the fields in the order of the struct.
/// Every struct here declares them alphabetically, so that `jq -cS` agrees.
pub fn canonical<T: Serialize>(value: &T) -> Result<Vec<u8>, serde_json::Error> {
    serde_json::to_vec(value)
}

/// Any JSON value whose objects have no duplicate key; the value itself is dropped.
struct UniqueKeys;

impl<'de> Deserialize<'de> for UniqueKeys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(UniqueKeysVisitor)
    }
}

struct UniqueKeysVisitor;

impl<'de> Visitor<'de> for UniqueKeysVisitor {
    type Value = UniqueKeys;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any JSON value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<UniqueKeys, A::Error> {
        let mut keys = BTreeSet::new();
        while let Some(key) = map.next_key::<String>()? {
            map.next_value::<UniqueKeys>()?;
            if keys.contains(&key) {
                return Err(A::Error::custom(format_args!("duplicate key {key:?}")));
            }
            keys.insert(key);
        }
        Ok(UniqueKeys)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<UniqueKeys, A::Error> {
        while seq.next_element::<UniqueKeys>()?.is_some() {}
        Ok(UniqueKeys)
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<UniqueKeys, E> {
        Ok(UniqueKeys)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<UniqueKeys, E> {
        Ok(UniqueKeys)
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<UniqueKeys, E> {
        Ok(UniqueKeys)
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<UniqueKeys, E> {
        Ok(UniqueKeys)
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<UniqueKeys, E> {
        Ok(UniqueKeys)
    }

    fn visit_unit<E: Error>(self) -> Result<UniqueKeys, E> {
        Ok(UniqueKeys)
    }
}

#[cfg(test)]
mod tests {
    use super::parse;
    use serde_json::Value;

    #[test]
    fn duplicate_keys_are_refused_at_any_depth() {
        assert!(parse::<Value>(br#"{"a":[{"b":1,"c":null,"d":-1.5,"e":true}]}"#).is_ok());
        for bad in [r#"{"a":1,"a":1}"#, r#"[{"x":{"a":1,"\u0061":2}}]"#] {
            let error = parse::<Value>(bad.as_bytes()).expect_err(bad).to_string();
            assert!(error.contains("duplicate key"), "{error}");
        }
    }

    #[test]
    fn trailing_bytes_and_bottomless_nesting_are_refused() {
        assert!(parse::<Value>(b"{} x").is_err());
        assert!(parse::<Value>(b"{}{}").is_err());
        assert!(parse::<Value>("[".repeat(100_000).as_bytes()).is_err());
    }
}
