//! Conditional compilation in C#: which lines the compiler sees if no symbols are defined outside
//! the file.

use std::collections::BTreeSet;

/// Lines that the compiler does not see.
#[derive(Debug, PartialEq, Eq)]
pub struct Region {
    /// First line, 1-based.
    pub line: u32,
    /// Last line.
    pub end_line: u32,
}

/// An `#if` that is open.
struct Branch {
    /// Whether the code around it is seen.
    around: bool,
    /// Whether one of its earlier branches was seen.
    taken: bool,
    /// Whether this branch is seen.
    seen: bool,
}

/// The text with spaces in place of the lines that the compiler does not see and of the directives
/// that hide them; `None` if there are no such directives.
pub fn seen(text: &str) -> Option<String> {
    memchr::memmem::find(text.as_bytes(), b"#if")?;
    let mut out = String::with_capacity(text.len());
    lines(text, |line, seen| {
        if seen {
            out.push_str(line);
        } else {
            let keep = |byte: u8| if matches!(byte, b'\n' | b'\r') { byte } else { b' ' };
            out.extend(line.bytes().map(|byte| char::from(keep(byte))));
        }
    });
    Some(out)
}

/// The regions that the compiler does not see, without the directives that enclose them.
pub fn hidden(text: &str) -> Vec<Region> {
    let mut regions: Vec<Region> = Vec::new();
    let mut number = 0;
    lines(text, |line, seen| {
        number += 1;
        if seen || line.trim_start().starts_with('#') {
            return;
        }
        match regions.last_mut().filter(|region| region.end_line + 1 == number) {
            Some(region) => region.end_line = number,
            None => regions.push(Region { line: number, end_line: number }),
        }
    });
    regions
}

/// Calls `each` for every line, with whether the compiler sees it.
fn lines(text: &str, mut each: impl FnMut(&str, bool)) {
    let mut defined: BTreeSet<&str> = BTreeSet::new();
    let mut open: Vec<Branch> = Vec::new();
    for line in text.split_inclusive('\n') {
        let seen = open.last().is_none_or(|branch| branch.seen);
        let Some(directive) = line.trim().strip_prefix('#') else {
            each(line, seen);
            continue;
        };
        let directive = directive.trim_start();
        let end = directive.find(|sign: char| !sign.is_alphabetic()).unwrap_or(directive.len());
        let (word, rest) = directive.split_at(end);
        let rest = rest.split("//").next().unwrap_or_default().trim();
        match word {
            "if" => {
                let holds = seen && holds(rest, &defined);
                open.push(Branch { around: seen, taken: holds, seen: holds });
            }
            "elif" | "else" => {
                if let Some(branch) = open.last_mut() {
                    let holds = word == "else" || holds(rest, &defined);
                    branch.seen = branch.around && !branch.taken && holds;
                    branch.taken |= branch.seen;
                }
            }
            "endif" => {
                open.pop();
            }
            _ => {
                match word {
                    "define" if seen => _ = defined.insert(rest),
                    "undef" if seen => _ = defined.remove(rest),
                    _ => {}
                }
                each(line, seen);
                continue;
            }
        }
        each(line, false);
    }
}

/// Whether a condition holds. The operators are `||`, `&&`, `==`, `!=`, `!` and parentheses, lowest
/// precedence first.
fn holds(condition: &str, defined: &BTreeSet<&str>) -> bool {
    let mut values: Vec<bool> = Vec::new();
    let mut operators: Vec<&str> = Vec::new();
    let mut rest = condition.trim_start();
    while !rest.is_empty() {
        let end = rest.find(|sign: char| !sign.is_alphanumeric() && sign != '_');
        let end = match end {
            Some(0) if ["||", "&&", "==", "!="].iter().any(|sign| rest.starts_with(sign)) => 2,
            Some(0) => rest.chars().next().map_or(1, char::len_utf8),
            Some(end) => end,
            None => rest.len(),
        };
        let (token, behind) = rest.split_at(end);
        rest = behind.trim_start();
        match token {
            "(" | "!" => operators.push(token),
            ")" => {
                while operators.last().is_some_and(|last| *last != "(") {
                    apply(&mut values, &mut operators);
                }
                operators.pop();
            }
            "||" | "&&" | "==" | "!=" => {
                while operators.last().is_some_and(|last| tightness(last) >= tightness(token)) {
                    apply(&mut values, &mut operators);
                }
                operators.push(token);
            }
            "true" => values.push(true),
            "false" => values.push(false),
            symbol => values.push(defined.contains(symbol)),
        }
    }
    while !operators.is_empty() {
        apply(&mut values, &mut operators);
    }
    values.pop().unwrap_or(false)
}

fn tightness(operator: &str) -> u8 {
    match operator {
        "||" => 1,
        "&&" => 2,
        "==" | "!=" => 3,
        "!" => 4,
        _ => 0,
    }
}

fn apply(values: &mut Vec<bool>, operators: &mut Vec<&str>) {
    let operator = operators.pop().unwrap_or_default();
    if operator == "(" {
        return;
    }
    // A condition that lacks an operand is malformed and does not hold, even when it is negated.
    let right = values.pop().unwrap_or(operator == "!");
    let mut left = || values.pop().unwrap_or(false);
    let value = match operator {
        "!" => !right,
        "||" => left() | right,
        "&&" => left() & right,
        "==" => left() == right,
        "!=" => left() != right,
        _ => right,
    };
    values.push(value);
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Region, hidden, holds, seen};

    #[test]
    fn conditions_follow_the_language() {
        let defined = BTreeSet::from(["A", "B"]);
        for (condition, expected) in [
            ("A", true),
            ("C", false),
            ("!C && (A || C)", true),
            ("!(A && B)", false),
            ("C || A && B", true),
            ("A == B", true),
            ("A != true", false),
            ("", false),
            (") ! (", false),
        ] {
            assert_eq!(holds(condition, &defined), expected, "{condition}");
        }
    }

    #[test]
    fn what_is_not_compiled_is_blank_and_named() {
        let text = "#define A\n#if B\nint x;\n#elif A\nint y;\n#else\nint z;\n#endif\nint w;\n";
        let read = seen(text).unwrap_or_default();
        assert_eq!(read.len(), text.len());
        assert_eq!(
            read.split_whitespace().collect::<Vec<_>>(),
            ["#define", "A", "int", "y;", "int", "w;"]
        );
        assert_eq!(
            hidden(text),
            [Region { line: 3, end_line: 3 }, Region { line: 7, end_line: 7 }]
        );
    }
}
