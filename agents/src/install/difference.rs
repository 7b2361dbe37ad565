//! The difference that a change makes to a text, for people.

/// The removed and the added lines, marked `-` and `+`, from the first line that differs to the
/// last.
pub fn difference(before: &str, after: &str) -> String {
    let before: Vec<&str> = before.lines().collect();
    let after: Vec<&str> = after.lines().collect();
    let same = |(a, b): &(&&str, &&str)| a == b;
    let head = before.iter().zip(&after).take_while(same).count();
    let rest = before.len().min(after.len()) - head;
    let tail = before.iter().rev().zip(after.iter().rev()).take(rest).take_while(same).count();
    let changed = |lines: &[&str], mark: char| -> String {
        let lines = lines.get(head..lines.len() - tail).unwrap_or_default();
        lines.iter().flat_map(|line| [mark.to_string(), format!(" {line}\n")]).collect()
    };
    changed(&before, '-') + &changed(&after, '+')
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn only_what_differs_is_shown() {
        assert_eq!(difference("a\nb\nc\n", "a\nx\ny\nc\n"), "- b\n+ x\n+ y\n");
        assert_eq!(difference("", "a\n"), "+ a\n");
        assert_eq!(difference("a\na\n", "a\n"), "- a\n");
        assert_eq!(difference("a\n", "a\n"), "");
    }
}
