//! How deeply the brackets of a text nest: the error recovery of some parsers is quadratic in
//! that depth.
//!
//! A parser that meets the end of a file inside many open brackets walks over all of them again for
//! each one: 100,000 open brackets of Dart or Scala took minutes. Depth is counted on the bytes,
//! strings and comments included, so that every machine gives the same answer.

/// The most brackets that may be open at once in a text for a grammar that takes too long with
/// more.
pub const DEEPEST: usize = 10_000;
/// The most angle brackets that may be open at once within a statement, where they may be
/// operators.
pub const MOST_ANGLES: usize = 1_000;

/// The largest number of brackets open at once. A closing bracket without a partner is ignored.
pub fn deepest(text: &str) -> usize {
    let (mut depth, mut most) = (0_usize, 0);
    for byte in text.bytes() {
        match byte {
            b'(' | b'[' | b'{' => {
                depth += 1;
                most = most.max(depth);
            }
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    most
}

/// The largest number of angle brackets open at once. The end of a statement closes all of them.
pub fn most_angles(text: &str) -> usize {
    let (mut depth, mut most) = (0_usize, 0);
    for byte in text.bytes() {
        match byte {
            b'<' => {
                depth += 1;
                most = most.max(depth);
            }
            b'>' => depth = depth.saturating_sub(1),
            b';' | b'{' | b'}' => depth = 0,
            _ => {}
        }
    }
    most
}

#[cfg(test)]
mod tests {
    use super::{deepest, most_angles};

    #[test]
    fn depth_is_of_brackets_that_are_open_together() {
        assert_eq!(deepest("f(a[0], {b}) ()"), 2);
        assert_eq!(deepest(")))(("), 2);
        assert_eq!(deepest(&"[".repeat(100_000)), 100_000);
        assert_eq!(deepest(&"()".repeat(100_000)), 1);
    }

    #[test]
    fn angles_are_counted_within_a_statement() {
        assert_eq!(most_angles("A<B<C>, D<E>> x;"), 2);
        assert_eq!(most_angles(&"if (a < b) { c(a < 1); }".repeat(1_000)), 1);
        assert_eq!(most_angles(&"A<".repeat(1_000)), 1_000);
    }
}
