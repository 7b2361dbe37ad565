//! The part of a decimal number that formats agree about.

/// What stands behind the whole digits of a number, to its end: a point with digits, and an exponent
/// with at least one. How many digits stand behind the point, or none if there is no point; nothing
/// if the text is something else.
pub fn behind_whole(text: &[u8]) -> Option<Option<usize>> {
    let run = |bytes: &[u8]| bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (fraction, rest) = match text.strip_prefix(b".") {
        Some(behind) => {
            let fraction = run(behind);
            (Some(fraction), behind.get(fraction..)?)
        }
        None => (None, text),
    };
    let ends = match rest {
        [] => true,
        [b'e' | b'E', b'+' | b'-', digits @ ..] | [b'e' | b'E', digits @ ..] => {
            !digits.is_empty() && run(digits) == digits.len()
        }
        _ => false,
    };
    ends.then_some(fraction)
}

#[cfg(test)]
mod tests {
    use super::behind_whole;

    #[test]
    fn points_and_exponents_may_follow() {
        for (text, expected) in [
            ("", Some(None)),
            (".", Some(Some(0))),
            (".25", Some(Some(2))),
            ("e9", Some(None)),
            (".5E-10", Some(Some(1))),
            ("e", None),
            ("e+", None),
            (".5.5", None),
            ("x", None),
        ] {
            assert_eq!(behind_whole(text.as_bytes()), expected, "{text}");
        }
    }
}
