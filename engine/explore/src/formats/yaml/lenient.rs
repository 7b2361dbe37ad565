//! Texts that libyaml reads although the specification refuses them. The lines of a flow collection
//! or a quoted text must be indented deeper than what contains them, and libyaml does not ask for
//! that:
//!
//! ```yaml
//! ports: [
//!   80
//! ]
//! ```
//!
//! Nor does it mind a tab after the colon of a key.

/// Deepest indentation that is added, in characters.
const DEEPEST: usize = 1000;

/// The text with those lines indented as the specification asks, and with a space for each of those
/// tabs; `None` if it has neither. Every line keeps its number.
pub fn indented(text: &str) -> Option<String> {
    let mut reader = Reader::default();
    let mut shown = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if ["---", "..."].iter().any(|mark| line.starts_with(mark)) {
            reader = Reader::default();
        }
        let indent = line.len() - line.trim_start_matches(' ').len();
        if reader.is_inside() && !line.trim().is_empty() && indent < reader.least {
            if reader.least > DEEPEST {
                return None;
            }
            shown.extend(std::iter::repeat_n(' ', reader.least - indent));
        }
        reader.read(line, indent, &mut shown);
    }
    (shown != text).then_some(shown)
}

/// What the reader of the lines is inside of.
#[derive(Default)]
struct Reader {
    /// Open brackets and braces.
    depth: usize,
    /// The quote that is open.
    quote: Option<char>,
    /// The least indentation of the lines of what is open.
    least: usize,
    /// The least indentation of the lines of the block of text (`|`, `>`) that is open.
    block: Option<usize>,
    /// Whether a value may begin at the next character.
    at_start: bool,
}

impl Reader {
    const fn is_inside(&self) -> bool {
        self.depth > 0 || self.quote.is_some()
    }

    /// Reads a line and adds it to the text.
    fn read(&mut self, line: &str, indent: usize, shown: &mut String) {
        if let Some(least) = self.block {
            if line.trim().is_empty() || indent >= least {
                shown.push_str(line);
                return;
            }
            self.block = None;
        }
        let mut signs = line.char_indices().peekable();
        let mut before = ' ';
        // What the values of the line belong to: a key, or else a dash.
        let (mut owner, mut key) = (indent.checked_sub(1), indent);
        if !self.is_inside() {
            self.at_start = true;
        }
        let mut in_front = !self.is_inside();
        let mut after_colon = false;
        while let Some((at, sign)) = signs.next() {
            let next = signs.peek().map_or('\n', |(_, next)| *next);
            shown.push(if after_colon && sign == '\t' { ' ' } else { sign });
            after_colon &= sign.is_whitespace();
            if let Some(quote) = self.quote {
                if sign == '\\' && quote == '"' || sign == quote && quote == '\'' && next == quote {
                    shown.extend(signs.next().map(|(_, next)| next));
                } else if sign == quote {
                    self.quote = None;
                }
                before = quote;
                continue;
            }
            if sign == '#' && before.is_whitespace() {
                shown.push_str(line.get(at + 1..).unwrap_or_default());
                return;
            }
            let ends = next.is_whitespace();
            match sign {
                _ if sign.is_whitespace() => {}
                '-' | '?' if in_front && ends => (owner, key) = (Some(at), at + 1),
                '-' if in_front && line.starts_with("---") && at < 3 => owner = None,
                '"' | '\'' if self.at_start => {
                    self.begins(if in_front { at } else { key + 1 });
                    (self.quote, self.at_start, in_front) = (Some(sign), false, false);
                }
                '{' | '[' if self.at_start || self.depth > 0 => {
                    self.begins(if in_front { at } else { key + 1 });
                    (self.depth, self.at_start, in_front) = (self.depth + 1, true, false);
                }
                '}' | ']' if self.depth > 0 => {
                    (self.depth, self.at_start) = (self.depth - 1, false);
                }
                ',' if self.depth > 0 => self.at_start = true,
                '|' | '>' if self.at_start && self.depth == 0 => {
                    self.block = Some(owner.map_or(0, |owner| owner + 1));
                    shown.push_str(line.get(at + 1..).unwrap_or_default());
                    return;
                }
                ':' if ends
                    || self.depth > 0 && (",]}".contains(next) || "\"'".contains(before)) =>
                {
                    if self.depth == 0 {
                        // A colon at the start of a line stands for a key above, and libyaml minds a tab behind it.
                        (owner, after_colon) = (Some(key), !in_front);
                    }
                    (self.at_start, in_front) = (true, false);
                }
                // What precedes a value: an anchor or a tag.
                '&' | '!' if self.at_start => {
                    while let Some((_, next)) = signs.next_if(|(_, next)| !next.is_whitespace()) {
                        shown.push(next);
                    }
                }
                _ => {
                    if in_front {
                        key = at;
                    }
                    (self.at_start, in_front) = (false, false);
                }
            }
            before = sign;
        }
    }

    /// A collection or a quoted text begins, and its lines need an indentation.
    const fn begins(&mut self, least: usize) {
        if self.depth == 0 {
            self.least = least;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::indented;

    #[test]
    fn lines_inside_of_brackets_and_quotes_are_indented() {
        for (text, shown) in [
            ("a: {\n}\n", "a: {\n }\n"),
            ("a: [\n1,\n# c\n\n2 ]\nb: 1\n", "a: [\n 1,\n # c\n\n 2 ]\nb: 1\n"),
            ("a: \"b\nc\"\nd: 'e''\nf'\n", "a: \"b\n c\"\nd: 'e''\n f'\n"),
            ("a:\n  b: [\n  1\n  ]\n", "a:\n  b: [\n   1\n   ]\n"),
            ("- - a: {\n  }\n", "- - a: {\n     }\n"),
            ("a: &x !t [\n]\n", "a: &x !t [\n ]\n"),
            ("a: {b: 'c\nd', e: [f\n]}\n", "a: {b: 'c\n d', e: [f\n ]}\n"),
            ("a:\t1\n", "a: 1\n"),
            ("a: [\n---\nb: [\n]\n", "a: [\n---\nb: [\n ]\n"),
        ] {
            assert_eq!(indented(text).as_deref(), Some(shown), "{text}");
        }
    }

    #[test]
    fn other_lines_stay() {
        for text in [
            "a: it's\nb: x\n",
            "a: 5\" x\nb: y\n",
            "a: b[\nc: d\n",
            "a: |\n  \"b\n\n   c: {\nd: 1\n",
            "- |\n  'x\n- y\n",
            "--- >\nx: [\n",
            "a: b # 'c\nd: {e: f#g}\n",
            "a: {b: \"c\\\"d\"}\n\"e\": 1\n",
            "a:\n  {\n    b: 1\n  }\n",
            "{a: 1}\n",
            "? a\n:\tb: 1\n",
            "",
        ] {
            assert_eq!(indented(text), None, "{text}");
        }
    }
}
