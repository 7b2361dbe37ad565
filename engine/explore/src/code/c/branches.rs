//! Prepares the text of C-like languages for a grammar that knows no macros.
//!
//! A grammar sees every branch of `#if`. If two branches open the same brace, or one of them closes
//! a brace far below, the text that the grammar sees does not nest, and whole files are lost. So
//! only the first of such branches is kept, and lines for the preprocessor alone become blank. All
//! bytes keep their positions.

/// The text with branches blanked until every `#if` nests with the braces around it; `None` if it
/// does already.
pub fn balanced(text: &str) -> Option<String> {
    let mut blank: Vec<(usize, usize)> = Vec::new();
    let mut groups: Vec<Group> = Vec::new();
    let mut depth: i64 = 0;
    let mut scan = Scan::of(text);
    while let Some(found) = scan.next() {
        match found {
            Found::Open => depth += 1,
            Found::Close => depth -= 1,
            Found::Directive(start, end) => {
                let line = text.get(start..end).unwrap_or_default();
                let word = line.trim_start_matches(['#', ' ', '\t']);
                if word.starts_with("if") {
                    groups.push(Group { base: depth, ends: Vec::new(), lines: vec![(start, end)] });
                } else if word.starts_with("el") || word.starts_with("endif") {
                    let Some(group) = groups.last_mut() else { continue };
                    group.ends.push(depth - group.base);
                    group.lines.push((start, end));
                    depth = group.base;
                    if word.starts_with("endif")
                        && let Some(group) = groups.pop()
                    {
                        depth += group.close(&mut blank);
                    }
                }
            }
        }
    }
    if blank.is_empty() {
        return None;
    }
    with_spaces(text, blank)
}

/// A text with these byte ranges replaced by spaces; lines and offsets stay the same. `None` if a
/// range would split a character.
pub(super) fn with_spaces(text: &str, ranges: Vec<(usize, usize)>) -> Option<String> {
    let mut bytes = text.as_bytes().to_vec();
    for (start, end) in ranges {
        for byte in bytes.get_mut(start..end).unwrap_or_default() {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }
    String::from_utf8(bytes).ok()
}

/// One `#if` with its branches.
#[derive(Debug)]
struct Group {
    /// Number of open braces before it.
    base: i64,
    /// Number of open braces after each branch.
    ends: Vec<i64>,
    /// Its directives as byte ranges, one more than there are branches.
    lines: Vec<(usize, usize)>,
}

impl Group {
    /// Adds the ranges that must become blank, and returns the number of open braces afterwards.
    fn close(&self, blank: &mut Vec<(usize, usize)>) -> i64 {
        let Some(kept) = self.ends.iter().position(|end| *end != 0) else { return 0 };
        blank.extend(&self.lines);
        for (branch, pair) in self.lines.windows(2).enumerate() {
            if let ([(_, start), (end, _)], true) = (pair, branch != kept) {
                blank.push((*start, *end));
            }
        }
        self.ends.get(kept).copied().unwrap_or(0)
    }
}

/// What the scan has reached.
pub enum Found {
    Open,
    Close,
    /// A directive with its continuation lines, from its `#` to before its line feed.
    Directive(usize, usize),
}

/// Finds braces and directives outside comments and literals.
pub struct Scan<'a> {
    bytes: &'a [u8],
    /// Where it goes on.
    pub at: usize,
    line_start: bool,
}

impl<'a> Scan<'a> {
    /// The scan of a whole text.
    pub const fn of(text: &'a str) -> Self {
        Self { bytes: text.as_bytes(), at: 0, line_start: true }
    }

    /// The next brace or directive.
    pub fn next(&mut self) -> Option<Found> {
        loop {
            let byte = *self.bytes.get(self.at)?;
            let start = self.at;
            self.at += 1;
            match byte {
                b'\n' => self.line_start = true,
                b' ' | b'\t' | b'\r' => {}
                b'#' if self.line_start => {
                    self.at = line_end(self.bytes, start);
                    return Some(Found::Directive(start, self.at));
                }
                b'/' if self.bytes.get(self.at) == Some(&b'/') => {
                    self.at = line_end(self.bytes, start);
                }
                b'/' if self.bytes.get(self.at) == Some(&b'*') => {
                    let rest = self.bytes.get(self.at + 1..).unwrap_or_default();
                    let end = memchr::memmem::find(rest, b"*/");
                    self.at = end.map_or(self.bytes.len(), |end| self.at + 1 + end + 2);
                }
                _ => {
                    self.line_start = false;
                    match byte {
                        b'"' | b'\'' => self.at = literal_end(self.bytes, self.at, byte),
                        b'{' => return Some(Found::Open),
                        b'}' => return Some(Found::Close),
                        _ => {}
                    }
                }
            }
        }
    }
}

/// The end of a line and of its continuation lines.
pub fn line_end(bytes: &[u8], mut at: usize) -> usize {
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        let Some(end) = memchr::memchr(b'\n', rest) else { return bytes.len() };
        let line = rest.get(..end).unwrap_or_default();
        at += end;
        if !line.strip_suffix(b"\r").unwrap_or(line).ends_with(b"\\") {
            return at;
        }
        at += 1;
    }
}

/// The position after the literal whose text begins at `at`, or the end of its line if it is not
/// closed: an apostrophe may also separate digits.
pub fn literal_end(bytes: &[u8], mut at: usize, quote: u8) -> usize {
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            b'\n' => return at,
            _ if *byte == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    at.min(bytes.len())
}

/// The text without the macros between `class` and the name of a class: they say how the class is
/// exported, but a grammar takes them for its name.
pub fn plain_heads(text: &str) -> Option<String> {
    let mut bytes: Option<Vec<u8>> = None;
    for word in ["class ", "struct "] {
        for (at, _) in text.match_indices(word) {
            let start = at + word.len();
            let Some(rest) = text.get(start..) else { continue };
            let Some(length) = macro_before_name(rest) else { continue };
            let bytes = bytes.get_or_insert_with(|| text.as_bytes().to_vec());
            bytes.get_mut(start..start + length).unwrap_or_default().fill(b' ');
        }
    }
    bytes.and_then(|bytes| String::from_utf8(bytes).ok())
}

/// Length of a macro that precedes `Name {` or `Name :`.
fn macro_before_name(rest: &str) -> Option<usize> {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let length = |text: &str| text.bytes().take_while(|byte| is_name(byte)).count();
    let mut end = length(rest);
    let head = rest.get(..end)?;
    // Names that begin with two underscores belong to compilers, such as `__packed`.
    let shouted = end > 1 && !head.bytes().any(|byte| byte.is_ascii_lowercase());
    if !shouted && !head.starts_with("__") {
        return None;
    }
    if rest.get(end..)?.starts_with('(') {
        end += rest.get(end..)?.find(')')? + 1;
    }
    let behind = rest.get(end..)?;
    let name = behind.trim_start_matches([' ', '\t']);
    let own = length(name);
    if own == 0 || name.len() == behind.len() {
        return None;
    }
    let after = name.get(own..)?.trim_start();
    let after = after.strip_prefix("final").unwrap_or(after).trim_start();
    let opens = after.starts_with('{') || after.starts_with(':') && !after.starts_with("::");
    opens.then_some(end)
}
