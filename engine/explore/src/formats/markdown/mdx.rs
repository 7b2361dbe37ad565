//! The additions of MDX and of mathematics to Markdown, read from the text of paragraphs and of
//! HTML.

use super::fields::Mdx;

/// Collects MDX while a document is read.
#[derive(Debug)]
pub struct Reader {
    named: bool,
    found: Mdx,
    /// True inside a code block, which contains no MDX.
    pub in_code: bool,
}

impl Reader {
    /// A reader for one file; `named` says whether the file's name promises MDX.
    pub fn new(named: bool) -> Self {
        Self { named, found: Mdx::default(), in_code: false }
    }

    /// Reads a paragraph: lines with imports and exports, and components in the first column.
    pub fn paragraph(&mut self, source: &str) {
        for line in source.lines() {
            let import = line.starts_with("import ")
                && (line.contains(" from '") || line.contains(" from \"") || {
                    line.starts_with("import '") || line.starts_with("import \"")
                });
            if import {
                self.found.imports.push(line.trim_end().to_owned());
            } else if ["export const ", "export default ", "export function ", "export let "]
                .iter()
                .any(|word| line.starts_with(word))
            {
                self.found.exports.push(line.trim_end().to_owned());
            }
        }
    }

    /// Reads HTML: a tag with a capital letter is a component.
    pub fn html(&mut self, source: &str) {
        for tag in source.split('<').skip(1) {
            if !tag.starts_with(|first: char| first.is_ascii_uppercase()) {
                continue;
            }
            let name: String =
                tag.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '.').collect();
            let rest = tag.get(name.len()..).unwrap_or_default();
            let ends = rest.starts_with([' ', '>', '/', '\n', '\r', '\t']);
            if ends && !self.found.component_usages.contains(&name) {
                self.found.component_usages.push(name);
            }
        }
    }

    /// The result. Without a name that promises MDX, imports count only if there are also
    /// components.
    pub fn finish(self) -> Mdx {
        let Mdx { imports, component_usages, exports, .. } = self.found;
        let is_mdx = self.named || !imports.is_empty() && !component_usages.is_empty();
        if is_mdx { Mdx { is_mdx, imports, component_usages, exports } } else { Mdx::default() }
    }
}

/// Counts the formulas of a paragraph outside code: blocks in `$$` and inline formulas in `$`.
pub fn math(source: &str) -> (usize, usize) {
    if !source.contains('$') {
        return (0, 0);
    }
    let (mut blocks, mut inline) = (0, 0);
    let mut open: Option<(&str, usize)> = None;
    let mut code = false;
    let bytes = source.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let next = bytes.get(at + 1).copied().unwrap_or(b' ');
        let before = at.checked_sub(1).and_then(|index| bytes.get(index)).copied().unwrap_or(b' ');
        match byte {
            b'\\' => at += 1,
            b'`' => code = !code,
            b'$' if code => {}
            b'$' if next == b'$' => {
                open = match open {
                    Some(("$$", _)) => {
                        blocks += 1;
                        None
                    }
                    _ => Some(("$$", at)),
                };
                at += 1;
            }
            b'$' => match open {
                Some(("$$", _)) => {}
                Some((_, start)) if at > start + 1 && !before.is_ascii_whitespace() => {
                    // A digit after the sign makes it a price.
                    if next.is_ascii_digit() {
                        open = None;
                    } else {
                        inline += 1;
                        open = None;
                    }
                }
                _ if !next.is_ascii_whitespace() => open = Some(("$", at)),
                _ => open = None,
            },
            _ => {}
        }
        at += 1;
    }
    (blocks, inline)
}
