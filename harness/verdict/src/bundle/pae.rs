//! The pre-authentication encoding of DSSE 1.0.2: the exact bytes that are signed.

/// Encodes `payload_type` and `payload` so that neither can pass for a part of the other:
/// `DSSEv1`, then each of the two preceded by its length in bytes (decimal, no leading zero),
/// all separated by one space.
pub fn encode(payload_type: &str, payload: &[u8]) -> Vec<u8> {
    let mut bytes =
        format!("DSSEv1 {} {payload_type} {} ", payload_type.len(), payload.len()).into_bytes();
    bytes.extend_from_slice(payload);
    bytes
}

#[cfg(test)]
mod tests {
    use super::encode;

    #[test]
    fn the_vector_of_the_specification() {
        let encoded = encode("http://example.com/HelloWorld", b"hello world");
        assert_eq!(encoded, b"DSSEv1 29 http://example.com/HelloWorld 11 hello world");
    }

    #[test]
    fn lengths_count_bytes() {
        assert_eq!(encode("\u{e9}", b""), "DSSEv1 2 \u{e9} 0 ".as_bytes());
    }
}
