//! A declaration in one line.

/// Longest signature, in characters.
pub const LONGEST: usize = 400;
/// Maximum number of lines of a declaration that are read.
const LINES: usize = 24;

/// The declaration whose name stands in a line, without its body: up to the brace that opens the
/// body, or to the end of the line in which all brackets are closed. White space becomes one blank.
pub fn of(lines: &[String], line: u32, end: u32) -> String {
    let mut text = String::new();
    let mut open = 0_i32;
    let from = line.max(1) as usize - 1;
    let to = (end as usize).min(lines.len()).min(from + LINES);
    'lines: for line in lines.get(from..to).unwrap_or_default() {
        if !text.is_empty() {
            text.push(' ');
        }
        for c in line.trim().chars().take(LONGEST) {
            match c {
                '(' | '[' => open += 1,
                ')' | ']' => open -= 1,
                '{' if open <= 0 && !text.trim().is_empty() => break 'lines,
                _ => {}
            }
            text.push(c);
        }
        if open <= 0 || text.len() > LONGEST {
            break;
        }
    }
    let text: Vec<&str> = text.split_whitespace().collect();
    let text = text.join(" ");
    let text = text.trim_end_matches([':', ';', '=', ' ']);
    text.chars().take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use super::of;

    fn first(text: &str) -> String {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        of(&lines, 1, u32::MAX)
    }

    #[test]
    fn a_declaration_ends_before_its_body() {
        for (text, signature) in [
            ("def pay(self, sum):\n    pass", "def pay(self, sum)"),
            (
                "pub fn pay(\n    sum: u32,\n) -> bool {\n  true\n}",
                "pub fn pay( sum: u32, ) -> bool",
            ),
            ("class Purse extends Bag {", "class Purse extends Bag"),
            ("const f = ({a, b}) => {", "const f = ({a, b}) =>"),
            ("#define PAY 1", "#define PAY 1"),
            ("int x;", "int x"),
            ("", ""),
        ] {
            assert_eq!(first(text), signature);
        }
    }

    #[test]
    fn a_line_without_end_is_cut() {
        assert_eq!(first(&"(".repeat(100_000)).len(), super::LONGEST);
    }
}
