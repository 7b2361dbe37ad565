//! Definitions as the enhancement profile shows them: one line each.

use std::ops::Range;

use base::text::characters;

/// Maximum number of rows that a signature is read from.
const MAX_ROWS: usize = 40;
/// Length in code points after which no further row is read.
const MAX_READ: usize = 2000;
/// Stands for what was left out.
const CUT: char = '…';

/// The signature that starts at a row, in one line: that row, and the following ones while a
/// bracket is open, without the beginning of a body. If the line is longer than `most` code points, its
/// longest list is folded, so that what follows a list of parameters, such as the type of a result, stays.
pub fn signature(lines: &[&str], row: usize, most: usize) -> String {
    let mut text = String::new();
    let mut open = 0_i32;
    for line in lines.iter().skip(row).take(MAX_ROWS) {
        let line = line.trim();
        if line.starts_with([')', ']']) {
            text.truncate(text.trim_end_matches(',').len());
        } else if !text.is_empty() && !text.ends_with(['(', '[']) {
            text.push(' ');
        }
        text.push_str(line);
        open += line.chars().map(depth).sum::<i32>();
        if open <= 0 || characters::length(&text) > MAX_READ {
            break;
        }
    }
    let mut text = text.trim_end_matches(['{', ' ']).to_owned();
    // The name of a C type may stand after its body.
    if let Some(name) = text.strip_prefix('}').filter(|name| name.ends_with(';')) {
        text = format!("typedef {CUT}{name}");
    }
    if characters::length(&text) > most {
        text = folded(&text, most).unwrap_or(text);
    }
    cut(text, most)
}

/// A text of at most `most` code points; if it was longer, its last character says so.
pub fn cut(text: String, most: usize) -> String {
    if characters::length(&text) <= most {
        return text;
    }
    let mut cut = characters::prefix(&text, most.saturating_sub(1)).trim_end().to_owned();
    cut.push(CUT);
    cut
}

/// A signature whose longest list is reduced to as many items as fit; `None` if no list is closed,
/// or if the line would be too long even without any item.
fn folded(text: &str, most: usize) -> Option<String> {
    let list = longest_list(text)?;
    let (head, items, tail) =
        (text.get(..list.start)?, text.get(list.clone())?, text.get(list.end..)?);
    // A body that starts in the same line is not part of the signature.
    let tail = tail.split_once('{').map_or(tail, |(tail, _)| tail).trim_end();
    let room = most
        .checked_sub(characters::length(head) + characters::length(tail) + 1)
        .filter(|_| !items.trim().is_empty())?;
    let mut kept = 0;
    for end in ends_of_items(items) {
        // The item is followed by a space and the sign of the cut.
        if characters::length(items.get(..end)?) + 1 > room {
            break;
        }
        kept = end;
    }
    let kept = items.get(..kept)?;
    let space = if kept.is_empty() { "" } else { " " };
    Some(format!("{head}{kept}{space}{CUT}{tail}"))
}

/// The contents of the longest outermost pair of brackets before any body, as a range of bytes.
fn longest_list(text: &str) -> Option<Range<usize>> {
    let (mut open, mut start) = (0_i32, 0);
    let mut longest: Option<Range<usize>> = None;
    for (at, character) in text.char_indices() {
        if character == '{' && open == 0 {
            break;
        }
        let step = depth(character);
        if step > 0 && open == 0 {
            start = at + 1;
        }
        open = (open + step).max(0);
        let is_longer = longest.as_ref().is_none_or(|known| known.len() < at.saturating_sub(start));
        if step < 0 && open == 0 && is_longer {
            longest = Some(start..at);
        }
    }
    longest
}

/// The offsets behind the commas that separate the items of a list. A comma inside brackets of any
/// kind separates no items.
fn ends_of_items(items: &str) -> Vec<usize> {
    let (mut open, mut previous) = (0_i32, ' ');
    let mut ends = Vec::new();
    for (at, character) in items.char_indices() {
        match character {
            '(' | '[' | '{' | '<' => open += 1,
            // Arrows end nothing.
            '>' if matches!(previous, '-' | '=') => {}
            ')' | ']' | '}' | '>' => open = (open - 1).max(0),
            ',' if open == 0 => ends.push(at + 1),
            _ => {}
        }
        previous = character;
    }
    ends
}

/// How a character changes the number of open brackets.
pub const fn depth(character: char) -> i32 {
    match character {
        '(' | '[' => 1,
        ')' | ']' => -1,
        _ => 0,
    }
}

/// The rows of the definitions that enclose the one at `row`, outermost first. `defined` are the
/// rows of all definitions of the file, sorted. Indentation decides: a row is enclosed by the
/// nearest row above that is indented less, and by whatever encloses that row.
pub fn around(lines: &[&str], defined: &[usize], row: usize) -> Vec<usize> {
    let mut around = Vec::new();
    let mut least = indentation(lines, row);
    for above in (0..row).rev() {
        if least == 0 {
            break;
        }
        let own = indentation(lines, above);
        if own < least && encloses(lines.get(above).map_or("", |line| line.trim())) {
            least = own;
            if defined.binary_search(&above).is_ok() {
                around.push(above);
            }
        }
    }
    around.reverse();
    around
}

/// Columns of white space before a row; a tab counts as four.
fn indentation(lines: &[&str], row: usize) -> usize {
    let line = lines.get(row).copied().unwrap_or_default();
    let blank = line.chars().take_while(|c| matches!(c, ' ' | '\t'));
    blank.map(|c| if c == '\t' { 4 } else { 1 }).sum()
}

/// True if a line encloses deeper indented lines below it. Comments, directives, labels, and
/// brackets that open a body or close a parameter list do not.
fn encloses(line: &str) -> bool {
    !line.is_empty()
        && !line.starts_with(['#', '/', '*', '{', '(', ')', '[', ']', '@'])
        && !["public:", "private:", "protected:"].contains(&line)
}

#[cfg(test)]
mod tests {
    use super::{around, signature};

    fn of(text: &str, row: usize) -> String {
        signature(&text.split('\n').collect::<Vec<_>>(), row, 100)
    }

    #[test]
    fn a_signature_is_one_line_without_its_body() {
        assert_eq!(of("  pub fn run(&self) -> u8 {\n    1\n", 0), "pub fn run(&self) -> u8");
        assert_eq!(of("def f(\n    a,\n    b,\n):\n    pass", 0), "def f(a, b):");
        assert_eq!(of("int f(int a,\n      int b)\n{", 0), "int f(int a, int b)");
        assert_eq!(of("class A:", 0), "class A:");
        assert_eq!(of("} point;", 0), "typedef … point;");
        assert_eq!(of("", 3), "");
    }

    #[test]
    fn a_long_signature_is_cut_and_says_so() {
        let long = of(&format!("let text = \"{}\";", "word ".repeat(30)), 0);
        assert!(long.ends_with('…') && long.chars().count() <= 100, "{long}");
        let open = of(&format!("static NAMES: &[&str] = &[\n{}", "    \"name\",\n".repeat(90)), 0);
        assert!(open.ends_with('…') && open.chars().count() <= 100, "{open}");
    }

    #[test]
    fn a_long_list_is_folded_and_what_follows_it_stays() {
        let long = of(
            &format!("fn f({}last: u8) -> Result<u8, Error> {{", "one: Map<A, B>, ".repeat(9)),
            0,
        );
        assert_eq!(long, format!("fn f({}…) -> Result<u8, Error>", "one: Map<A, B>, ".repeat(4)));
        let rows = of(
            &format!("def f(\n{}) -> int:\n    pass", "    argument: str = 'a',\n".repeat(12)),
            0,
        );
        assert_eq!(rows, format!("def f({}…) -> int:", "argument: str = 'a', ".repeat(4)));
        let method =
            format!("func (r *Reader) Read({}) error {{ return nil }}", "name string, ".repeat(9));
        assert_eq!(
            of(&method, 0),
            format!("func (r *Reader) Read({}…) error", "name string, ".repeat(5))
        );
        let one = of(&format!("f({})", "x".repeat(200)), 0);
        assert_eq!(one, "f(…)");
        let body = of(&format!(".card {{ width: double({}) }}", "$a, ".repeat(40)), 0);
        assert!(body.starts_with(".card { width: double($a, ") && body.ends_with('…'), "{body}");
    }

    #[test]
    fn brackets_that_do_not_match_are_cut_like_any_line() {
        for text in ["(", ")", "f(]", "((((", "a)b(c", "f(\"(\", x)"] {
            let long = of(&text.repeat(120), 0);
            assert!(long.chars().count() <= 100, "{long}");
        }
        assert!(of(&"ä(ö, ü) -> é ".repeat(20), 0).chars().count() <= 100);
    }

    #[test]
    fn definitions_around_are_those_that_are_indented_less() {
        let text = "class A:\n    x = 1\n    def f(self):\n        pass\n\n    def g(self):\n        def h():\n            pass\n\ndef k():\n    pass\n\nif x:\n    def m():\n        pass\n";
        let lines: Vec<&str> = text.split('\n').collect();
        let defined = [0, 2, 5, 6, 9, 13];
        assert_eq!(around(&lines, &defined, 2), [0]);
        assert_eq!(around(&lines, &defined, 6), [0, 5]);
        assert!(around(&lines, &defined, 9).is_empty());
        assert!(around(&lines, &defined, 13).is_empty(), "the condition ends what is above it");
    }

    #[test]
    fn brackets_and_labels_end_nothing() {
        let text = "class A\n{\npublic:\n    void f();\n#ifdef X\n    void g();\n#endif\n};\nnamespace n {\n    void h();\n}";
        let lines: Vec<&str> = text.split('\n').collect();
        assert_eq!(around(&lines, &[0, 3, 5, 9], 5), [0]);
        assert!(around(&lines, &[0, 3, 5, 9], 9).is_empty(), "A ended");
    }
}
