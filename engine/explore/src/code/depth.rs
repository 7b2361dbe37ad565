//! How deep the brackets of a text nest: error recovery of the parsers is quadratic in it.
//!
//! A parser that meets the end of a file inside of many open brackets walks over all of them again for
//! each one: 100,000 open brackets of Dart or Scala took minutes. Depth is counted on the bytes,
//! strings and comments included, so that no machine answers otherwise than another.

/// Most open brackets at one place of a text that is parsed.
pub const DEEPEST: usize = 10_000;

/// Most brackets that are open at one place. A closing bracket without a partner counts for nothing.
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

#[cfg(test)]
mod tests {
    use super::deepest;

    #[test]
    fn depth_is_of_brackets_that_are_open_together() {
        assert_eq!(deepest("f(a[0], {b}) ()"), 2);
        assert_eq!(deepest(")))(("), 2);
        assert_eq!(deepest(&"[".repeat(100_000)), 100_000);
        assert_eq!(deepest(&"()".repeat(100_000)), 1);
    }
}
