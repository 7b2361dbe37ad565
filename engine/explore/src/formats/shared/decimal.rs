//! The part of decimal numbers that the formats have in common.

/// The part of a number after its whole digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tail {
    /// Whether there is a decimal point.
    pub point: bool,
    /// Number of digits after the point.
    pub fraction: usize,
}

/// Reads the part of a number after its whole digits, to its end: a point with digits, and an
/// exponent with at least one digit. `None` if the text is something else.
pub fn behind_whole(text: &[u8]) -> Option<Tail> {
    let run = |bytes: &[u8]| bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (tail, rest) = match text.strip_prefix(b".") {
        Some(behind) => {
            let fraction = run(behind);
            (Tail { point: true, fraction }, behind.get(fraction..)?)
        }
        None => (Tail { point: false, fraction: 0 }, text),
    };
    let ends = match rest {
        [] => true,
        [b'e' | b'E', b'+' | b'-', digits @ ..] | [b'e' | b'E', digits @ ..] => {
            !digits.is_empty() && run(digits) == digits.len()
        }
        _ => false,
    };
    ends.then_some(tail)
}

#[cfg(test)]
mod tests {
    use super::behind_whole;

    #[test]
    fn points_and_exponents_may_follow() {
        for (text, expected) in [
            ("", Some((false, 0))),
            (".", Some((true, 0))),
            (".25", Some((true, 2))),
            ("e9", Some((false, 0))),
            (".5E-10", Some((true, 1))),
            ("e", None),
            ("e+", None),
            (".5.5", None),
            ("x", None),
        ] {
            let tail = behind_whole(text.as_bytes()).map(|tail| (tail.point, tail.fraction));
            assert_eq!(tail, expected, "{text}");
        }
    }
}
