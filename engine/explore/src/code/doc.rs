//! Documentation: the first paragraph of a comment or a docstring.

/// The first paragraph of a text whose comment signs are gone, one line per line; none if blank.
pub fn paragraph(text: &str) -> Option<String> {
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .skip_while(|line| line.is_empty())
        .take_while(|line| !line.is_empty())
        .collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// The first paragraph of a comment, without its signs (`//`, `/* */`, `*`, `#`); tags such as
/// `@param` end it.
pub fn comment(text: &str) -> Option<String> {
    let bare = |line: &str| {
        let line = line.trim();
        let line = line.strip_suffix("*/").unwrap_or(line).trim_end();
        let line = line.trim_start_matches('/');
        line.trim_start_matches(['*', '!', '#']).trim().to_owned()
    };
    let lines: Vec<String> = text.lines().map(bare).collect();
    let until = lines.iter().position(|line| line.starts_with('@')).unwrap_or(lines.len());
    paragraph(&lines.get(..until).unwrap_or_default().join("\n"))
}

#[cfg(test)]
mod tests {
    use super::{comment, paragraph};

    #[test]
    fn the_first_paragraph_is_taken() {
        assert_eq!(paragraph("\n  One\n  two.\n\n  Three").as_deref(), Some("One\ntwo."));
        assert_eq!(paragraph(" \n"), None);
        assert_eq!(comment("/**\n * Adds.\n * @param a b\n */").as_deref(), Some("Adds."));
        assert_eq!(comment("// One\n// two").as_deref(), Some("One\ntwo"));
    }
}
