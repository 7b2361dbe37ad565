//! Definitions as the enhancement profile shows them: one line each.

use base::text::characters;

/// Maximum length of a line, in code points.
const MAX_LINE: usize = 100;
/// Maximum number of rows that a signature is read from.
const MAX_ROWS: usize = 8;
/// Last character of a line that was cut.
const CUT: char = '…';

/// The signature that starts at a row, in one line: that row, and the following ones while a
/// bracket is open, without the beginning of a body.
pub fn signature(lines: &[&str], row: usize) -> String {
    let mut text = String::new();
    let mut open = 0_i32;
    for line in lines.iter().skip(row).take(MAX_ROWS) {
        let line = line.trim();
        if !text.is_empty() && !text.ends_with(['(', '[']) && !line.starts_with([')', ']']) {
            text.push(' ');
        }
        text.push_str(line);
        open += line.chars().map(depth).sum::<i32>();
        if open <= 0 || characters::length(&text) > MAX_LINE {
            break;
        }
    }
    let mut text = text.trim_end_matches(['{', ' ']).to_owned();
    // The name of a C type may stand after its body.
    if let Some(name) = text.strip_prefix('}').filter(|name| name.ends_with(';')) {
        text = format!("typedef {CUT}{name}");
    }
    if characters::length(&text) <= MAX_LINE {
        return text;
    }
    let mut cut = characters::prefix(&text, MAX_LINE - 1).trim_end().to_owned();
    cut.push(CUT);
    cut
}

const fn depth(character: char) -> i32 {
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
        signature(&text.split('\n').collect::<Vec<_>>(), row)
    }

    #[test]
    fn a_signature_is_one_line_without_its_body() {
        assert_eq!(of("  pub fn run(&self) -> u8 {\n    1\n", 0), "pub fn run(&self) -> u8");
        assert_eq!(of("def f(\n    a,\n    b,\n):\n    pass", 0), "def f(a, b,):");
        assert_eq!(of("int f(int a,\n      int b)\n{", 0), "int f(int a, int b)");
        assert_eq!(of("class A:", 0), "class A:");
        assert_eq!(of("} point;", 0), "typedef … point;");
        assert_eq!(of("", 3), "");
    }

    #[test]
    fn a_long_signature_is_cut_and_says_so() {
        let long = of(&format!("fn f({})", "argument, ".repeat(20)), 0);
        assert!(long.ends_with('…') && long.chars().count() <= 100, "{long}");
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
