//! Enumerators with a macro. A grammar that does not expand `OPTION(WRITE_DATA, TYPE_POINTER, 1),` takes each argument
//! for an enumerator; by custom, the first one is the name. Behind a name, as in `SIZE OUTDATED(7.55, "use SIZE_T") = 7`,
//! a macro stands for an attribute.

use super::{
    annotations::is_shouted,
    branches::{line_end, literal_end, with_spaces},
};

/// Longest head of an enumeration, and longest call, in bytes, so that a text is read in linear time.
const LONGEST: usize = 2048;

/// The text with spaces for all of such macros but the names, so that lines and positions stay the same; `None` if
/// it has none.
pub fn named(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut blank = Vec::new();
    let mut at = 0;
    while let Some(start) = next(bytes, at) {
        at = word_end(bytes, start).max(start + 1);
        if bytes.get(start..at) == Some(b"enum")
            && let Some(body) = body(bytes, at)
        {
            at = items(text, body, &mut blank);
        }
    }
    if blank.is_empty() { None } else { with_spaces(text, blank) }
}

/// The position behind the brace that opens the body of an enumeration whose head begins at `at`.
fn body(bytes: &[u8], mut at: usize) -> Option<usize> {
    let end = at + LONGEST;
    let mut open = 0_usize;
    let mut word: &[u8] = &[];
    while let Some(start) = next(bytes, at).filter(|start| *start < end) {
        at = word_end(bytes, start).max(start + 1);
        match bytes.get(start)? {
            b'{' => return Some(start + 1),
            // Behind `__attribute__`, or within its parentheses.
            b'(' if open > 0 || word.starts_with(b"__") => open += 1,
            b')' if open > 0 => open -= 1,
            b'(' | b')' | b';' | b'=' | b'}' => return None,
            b',' if open == 0 => return None,
            _ => {}
        }
        word = bytes.get(start..at)?;
    }
    None
}

/// Adds what must become blank in a body that begins at `at`; returns its end.
fn items(text: &str, mut at: usize, blank: &mut Vec<(usize, usize)>) -> usize {
    let bytes = text.as_bytes();
    let mut begins = true;
    let mut open = 0_usize;
    while let Some(start) = next(bytes, at) {
        at = word_end(bytes, start).max(start + 1);
        match bytes.get(start) {
            Some(b'}') if open == 0 => return at,
            Some(b'(' | b'{' | b'[') => open += 1,
            Some(b')' | b'}' | b']') => open = open.saturating_sub(1),
            Some(b',') if open == 0 => {
                begins = true;
                continue;
            }
            _ if begins && at > start => {
                let is_macro = is_shouted(text.get(start..at).unwrap_or_default());
                if let Some((name, name_end, end)) = call(bytes, at).filter(|_| is_macro) {
                    blank.extend([(start, name), (name_end, end)]);
                    at = end;
                } else if let Some((from, end)) = attribute(text, at) {
                    blank.push((from, end));
                    at = end;
                }
            }
            _ => {}
        }
        begins = false;
    }
    bytes.len()
}

/// The range of a macro behind the name that ends at `at`, if the enumerator ends behind it or has its value there.
fn attribute(text: &str, at: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let start = next(bytes, at)?;
    let mut end = word_end(bytes, start);
    if !is_shouted(text.get(start..end)?) {
        return None;
    }
    if let Some(open) = next(bytes, end).filter(|open| bytes.get(*open) == Some(&b'(')) {
        end = closed(bytes, open + 1, at + LONGEST)?;
    }
    let behind = bytes.get(next(bytes, end)?)?;
    matches!(behind, b'=' | b',' | b'}').then_some((start, end))
}

/// The position behind the bracket that closes what is open at `at`, before `most`.
fn closed(bytes: &[u8], at: usize, most: usize) -> Option<usize> {
    let (mut open, mut end) = (1_usize, next(bytes, at)?);
    loop {
        match bytes.get(end)? {
            b'(' => open += 1,
            b')' => open -= 1,
            _ => {}
        }
        end = word_end(bytes, end).max(end + 1);
        if open == 0 {
            return Some(end);
        }
        end = next(bytes, end).filter(|end| *end < most)?;
    }
}

/// Of a call whose name ends at `at` and which is a whole item: beginning and end of its first argument, if that is
/// a name, and its end.
fn call(bytes: &[u8], at: usize) -> Option<(usize, usize, usize)> {
    if bytes.get(at) != Some(&b'(') {
        return None;
    }
    let name = next(bytes, at + 1)?;
    let name_end = word_end(bytes, name);
    if name_end == name || bytes.get(name)?.is_ascii_digit() {
        return None;
    }
    let behind = next(bytes, name_end)?;
    if !matches!(bytes.get(behind), Some(b',' | b')')) {
        return None;
    }
    let end = closed(bytes, behind, at + LONGEST)?;
    let behind = bytes.get(next(bytes, end)?)?;
    matches!(behind, b',' | b'}').then_some((name, name_end, end))
}

/// The position of the next character from `at` on that is neither space nor in a comment, a literal or a directive.
fn next(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        match *bytes.get(at)? {
            b' ' | b'\t' | b'\r' | b'\n' | b'\\' => at += 1,
            b'#' => at = line_end(bytes, at),
            b'/' if bytes.get(at + 1) == Some(&b'/') => at = line_end(bytes, at),
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                let rest = bytes.get(at + 2..)?;
                at += memchr::memmem::find(rest, b"*/")? + 4;
            }
            quote @ (b'"' | b'\'') => at = literal_end(bytes, at + 1, quote),
            _ => return Some(at),
        }
    }
}

/// The end of the word that begins at `at`; `at` itself if none does.
fn word_end(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count()
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn the_first_argument_of_a_call_is_the_name_of_the_enumerator() {
        let text = "typedef enum {\n  /* a, b */\n  OPTION(WRITE, TYPE_CB, 1),\n  OLDER(POST, 24,\n    \
                    7.56.0, \"Use (MIME)\"),\n  PLAIN,\n  SINGLE(LAST)\n} option;\nint f(int a);\n";
        let read = named(text).unwrap();
        let expected = text
            .replace("OPTION(WRITE, TYPE_CB, 1)", "       WRITE             ")
            .replace("OLDER(POST, 24,", "      POST     ")
            .replace("7.56.0, \"Use (MIME)\")", &" ".repeat(21))
            .replace("SINGLE(LAST)", "       LAST ");
        assert_eq!(read.len(), text.len());
        assert_eq!(read, expected);
        assert!(named("enum class e : int { OPTION(A, 1) };").is_some());
        assert!(named("enum __attribute__((packed, x)) e { OPTION(A, 1) };").is_some());
    }

    #[test]
    fn a_macro_behind_a_name_is_an_attribute() {
        let text =
            "enum e {\n  A OLDER(7.1, \"x\"),\n  B OLDER (f(1))\n    = D + 7,\n  C OLDER };\n";
        let expected = text
            .replace("OLDER(7.1, \"x\")", &" ".repeat(15))
            .replace("OLDER (f(1))", &" ".repeat(12))
            .replace("C OLDER", "C      ");
        assert_eq!(named(text).unwrap(), expected);
    }

    #[test]
    fn values_and_what_is_outside_of_enumerations_stay() {
        for text in [
            "enum e { A = GREATEST(B, C), D };\n",
            "enum e { A older(7.1, \"x\"), B };\n",
            "enum e { A OLDER B };\n",
            "enum e { FIRST(bar)\n SECOND(c)\n };\n",
            "enum e { VALUE(1, A), lower(B, 2) };\n",
            "enum e f(void);\nint x[] = { OPTION(A, B) };\n",
            "void g(enum e a) { OPTION(A, B), OPTION(C, D) }\n",
            "enum e f(void) { OPTION(A, B), OPTION(C, D) }\n",
            "// enum { OPTION(A, B) }\n",
            "enum e { OPTION(A, B",
        ] {
            assert_eq!(named(text), None, "{text}");
        }
    }
}
