//! The dialects, line by line.
//!
//! Sources: the documentation of Python's `configparser`, systemd.syntax(7), the class
//! documentation of `java.util.Properties`, and the README of python-dotenv.

/// Longest value that is put together from several lines, in bytes.
const JOINED: usize = 64 * 1024;

/// How a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// Sections, `=` or `:`, values that go on in deeper indented lines.
    Ini,
    /// Sections, `=` alone, values that go on behind a backslash.
    Unit,
    /// Java: no sections, escapes, white space separates as well.
    Properties,
    /// `NAME=value`, with quotes that may span lines.
    Environment,
}

impl Dialect {
    /// The dialect of a file name.
    pub fn of(name: &str) -> Self {
        let name = name.to_lowercase();
        match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
            "properties" => Self::Properties,
            "service" | "socket" | "timer" | "mount" | "automount" | "target" | "path"
            | "slice" | "scope" | "swap" | "network" | "netdev" | "link" | "nspawn" | "desktop" => {
                Self::Unit
            }
            "env" => Self::Environment,
            _ if name.starts_with(".env") => Self::Environment,
            _ => Self::Ini,
        }
    }

    /// Its key in the fields.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ini => "ini",
            Self::Unit => "unit",
            Self::Properties => "properties",
            Self::Environment => "env",
        }
    }

    /// Its name for people.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Ini => "INI",
            Self::Unit => "INI (unit file)",
            Self::Properties => "INI (Java properties)",
            Self::Environment => "INI (environment)",
        }
    }
}

/// One thing in a file. Lines are 1-based.
#[derive(Debug, PartialEq, Eq)]
pub enum Entry {
    /// A header.
    Section { name: String, line: u64 },
    /// A key, with its value if a separator stands behind it.
    Key { name: String, value: Option<String>, line: u64 },
    /// A line that is a comment.
    Comment,
    /// A line that is none of these.
    Other,
    /// A line that breaks the dialect's rules.
    Bad { what: &'static str, line: u64 },
}

/// Reads a dialect from its lines.
pub struct Reader {
    dialect: Dialect,
    /// The key whose value may go on.
    open: Option<Entry>,
    indent: usize,
    in_section: bool,
    /// A logical line that a backslash continues, or a quoted value, with its first line.
    joined: Option<(String, u64)>,
}

impl Reader {
    /// A reader at the first line.
    pub const fn new(dialect: Dialect) -> Self {
        Self { dialect, open: None, indent: 0, in_section: false, joined: None }
    }

    /// Takes the next line in and gives what is complete.
    pub fn line(&mut self, line: &str, number: u64, give: &mut impl FnMut(Entry)) {
        match self.dialect {
            Dialect::Ini => self.ini(line, number, give),
            Dialect::Unit => self.unit(line, number, give),
            Dialect::Properties => self.properties(line, number, give),
            Dialect::Environment => self.environment(line, number, give),
        }
    }

    /// Gives what is open at the end.
    pub fn finish(&mut self, give: &mut impl FnMut(Entry)) {
        if let Some((text, number)) = self.joined.take() {
            match self.dialect {
                Dialect::Properties => property(&text, number, give),
                Dialect::Environment => {
                    let what = "the text ends inside quotes";
                    give(Entry::Bad { what, line: number });
                    variable(&text, number, give);
                }
                Dialect::Ini | Dialect::Unit => self.pair(&text, number, give),
            }
        }
        self.flush(give);
    }

    fn flush(&mut self, give: &mut impl FnMut(Entry)) {
        if let Some(entry) = self.open.take() {
            give(entry);
        }
    }

    fn ini(&mut self, line: &str, number: u64, give: &mut impl FnMut(Entry)) {
        let text = line.trim();
        if text.starts_with(['#', ';']) {
            give(Entry::Comment);
            return;
        }
        if text.is_empty() {
            return;
        }
        let indent = line.chars().take_while(|character| character.is_whitespace()).count();
        if indent > self.indent
            && let Some(Entry::Key { value, .. }) = &mut self.open
        {
            let value = value.get_or_insert_default();
            if value.len() < JOINED {
                value.push('\n');
                value.push_str(text);
            }
            return;
        }
        self.indent = indent;
        self.flush(give);
        if self.header(text, number, give) {
            return;
        }
        self.pair(text, number, give);
    }

    /// A section's header, with a comment behind it at most.
    fn header(&mut self, text: &str, number: u64, give: &mut impl FnMut(Entry)) -> bool {
        let Some(rest) = text.strip_prefix('[') else { return false };
        let Some((name, _)) = rest.rsplit_once(']').filter(|(name, _)| !name.is_empty()) else {
            let what = "the bracket of a section's name is not closed";
            give(Entry::Bad { what, line: number });
            return true;
        };
        self.in_section = true;
        give(Entry::Section { name: name.to_owned(), line: number });
        true
    }

    /// A key and its value; without a separator it is a key only inside a section.
    fn pair(&mut self, text: &str, number: u64, give: &mut impl FnMut(Entry)) {
        let separators: &[char] = if self.dialect == Dialect::Ini { &['=', ':'] } else { &['='] };
        let (name, value) = match text.split_once(separators) {
            Some((name, value)) => (name.trim_end(), Some(value.trim().to_owned())),
            None if self.in_section => (text, None),
            None => {
                give(Entry::Other);
                return;
            }
        };
        if name.is_empty() {
            give(Entry::Bad { what: "a name should stand before the sign", line: number });
            return;
        }
        self.open = Some(Entry::Key { name: name.to_owned(), value, line: number });
    }

    fn unit(&mut self, line: &str, number: u64, give: &mut impl FnMut(Entry)) {
        let text = line.trim();
        if text.starts_with(['#', ';']) {
            // A comment inside a value that goes on is left out of it.
            give(Entry::Comment);
            return;
        }
        if let Some((mut joined, first)) = self.joined.take() {
            let (text, goes_on) = continued(text);
            if joined.len() < JOINED {
                joined.push(' ');
                joined.push_str(text);
            }
            if goes_on {
                self.joined = Some((joined, first));
            } else {
                self.pair(&joined, first, give);
                self.flush(give);
            }
            return;
        }
        if text.is_empty() || self.header(text, number, give) {
            return;
        }
        let (text, goes_on) = continued(text);
        if goes_on {
            self.joined = Some((text.to_owned(), number));
        } else {
            self.pair(text, number, give);
            self.flush(give);
        }
    }

    fn properties(&mut self, line: &str, number: u64, give: &mut impl FnMut(Entry)) {
        let text = line.trim_start_matches([' ', '\t', '\x0c']);
        let (mut joined, first) = match self.joined.take() {
            Some(open) => open,
            None if text.is_empty() => return,
            None if text.starts_with(['#', '!']) => {
                give(Entry::Comment);
                return;
            }
            None => (String::new(), number),
        };
        let backslashes = text.bytes().rev().take_while(|byte| *byte == b'\\').count();
        let goes_on = backslashes % 2 == 1;
        if joined.len() < JOINED {
            joined.push_str(if goes_on { &text[..text.len() - 1] } else { text });
        }
        if goes_on {
            self.joined = Some((joined, first));
        } else {
            property(&joined, first, give);
        }
    }

    fn environment(&mut self, line: &str, number: u64, give: &mut impl FnMut(Entry)) {
        let (joined, first) = if let Some((mut joined, first)) = self.joined.take() {
            joined.push('\n');
            if joined.len() < JOINED {
                joined.push_str(line);
            }
            (joined, first)
        } else {
            let text = line.trim();
            if text.is_empty() {
                return;
            }
            if text.starts_with('#') {
                give(Entry::Comment);
                return;
            }
            (text.to_owned(), number)
        };
        if quote_is_open(&joined) && joined.len() < JOINED {
            self.joined = Some((joined, first));
        } else {
            variable(&joined, first, give);
        }
    }
}

/// A line without the backslash at its end, and whether there is one.
fn continued(text: &str) -> (&str, bool) {
    match text.strip_suffix('\\') {
        Some(rest) => (rest.trim_end(), true),
        None => (text, false),
    }
}

/// A logical line of Java properties.
fn property(text: &str, line: u64, give: &mut impl FnMut(Entry)) {
    let blank = |character: char| matches!(character, ' ' | '\t' | '\x0c');
    let mut escaped = false;
    let mut end = text.len();
    for (at, character) in text.char_indices() {
        if !escaped && (blank(character) || matches!(character, '=' | ':')) {
            end = at;
            break;
        }
        escaped = !escaped && character == '\\';
    }
    let (name, rest) = text.split_at(end);
    let rest = rest.trim_start_matches(blank);
    let rest = rest.strip_prefix(['=', ':']).unwrap_or(rest).trim_start_matches(blank);
    give(Entry::Key { name: unescape(name), value: Some(unescape(rest)), line });
}

/// Resolves the escapes of Java properties.
fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut units: Vec<u16> = Vec::new();
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        let hex = rest.as_str().strip_prefix('u').and_then(|hex| hex.get(..4));
        let unit =
            hex.filter(|_| character == '\\').and_then(|hex| u16::from_str_radix(hex, 16).ok());
        if let Some(unit) = unit {
            units.push(unit);
            rest = rest.as_str().get(5..).unwrap_or_default().chars();
            continue;
        }
        plain.push_str(&String::from_utf16_lossy(&units));
        units.clear();
        match character {
            '\\' => match rest.next() {
                Some('n') => plain.push('\n'),
                Some('r') => plain.push('\r'),
                Some('t') => plain.push('\t'),
                Some('f') => plain.push('\x0c'),
                Some(other) => plain.push(other),
                None => {}
            },
            _ => plain.push(character),
        }
    }
    plain.push_str(&String::from_utf16_lossy(&units));
    plain
}

/// The value of an environment line, without white space before it.
fn assigned(text: &str) -> Option<(&str, &str)> {
    let (name, value) = text.split_once('=')?;
    Some((name.trim(), value.trim_start_matches([' ', '\t'])))
}

/// Whether the value begins with a quote that is not closed.
fn quote_is_open(text: &str) -> bool {
    let Some((_, value)) = assigned(text) else { return false };
    let Some(quote) = value.chars().next().filter(|first| matches!(first, '"' | '\'')) else {
        return false;
    };
    closing(value, quote).is_none()
}

/// Where the quote that a value begins with is closed.
fn closing(value: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, character) in value.char_indices().skip(1) {
        if !escaped && character == quote {
            return Some(at);
        }
        escaped = !escaped && character == '\\';
    }
    None
}

/// An environment variable.
fn variable(text: &str, line: u64, give: &mut impl FnMut(Entry)) {
    let Some((name, value)) = assigned(text) else {
        let name = text.strip_prefix("export ").unwrap_or(text).trim();
        if name.chars().all(|character| character.is_alphanumeric() || character == '_') {
            give(Entry::Key { name: name.to_owned(), value: None, line });
        } else {
            give(Entry::Other);
        }
        return;
    };
    let name = name.strip_prefix("export ").unwrap_or(name).trim().trim_matches('\'');
    if name.is_empty() || name.contains(char::is_whitespace) {
        give(Entry::Bad { what: "a name should stand before the sign", line });
        return;
    }
    let quote = value.chars().next().filter(|first| matches!(first, '"' | '\''));
    let value = match quote.and_then(|quote| closing(value, quote)) {
        Some(end) => value.get(1..end).unwrap_or_default(),
        None => value.split(" #").next().unwrap_or_default().trim_end(),
    };
    give(Entry::Key { name: name.to_owned(), value: Some(value.to_owned()), line });
}

#[cfg(test)]
mod tests {
    use super::{Dialect, Entry, Reader};

    fn entries(dialect: Dialect, text: &str) -> Vec<String> {
        let mut reader = Reader::new(dialect);
        let mut found = Vec::new();
        let mut give = |entry| {
            found.push(match entry {
                Entry::Section { name, line } => format!("{line} [{name}]"),
                Entry::Key { name, value: Some(value), line } => format!("{line} {name}={value}"),
                Entry::Key { name, value: None, line } => format!("{line} {name}"),
                Entry::Comment => "comment".to_owned(),
                Entry::Other => "other".to_owned(),
                Entry::Bad { what, line } => format!("{line} bad: {what}"),
            });
        };
        for (index, line) in text.lines().enumerate() {
            reader.line(line, index as u64 + 1, &mut give);
        }
        reader.finish(&mut give);
        found
    }

    #[test]
    fn ini_values_go_on_in_deeper_lines() {
        let text = "top: 1\n[a]\n# c\n  b = 1\n    2\n  flag\n\n[c d]\n= x\n[open\n";
        assert_eq!(
            entries(Dialect::Ini, text),
            [
                "1 top=1",
                "2 [a]",
                "comment",
                "4 b=1\n2",
                "6 flag",
                "8 [c d]",
                "9 bad: a name should stand before the sign",
                "10 bad: the bracket of a section's name is not closed"
            ]
        );
    }

    #[test]
    fn unit_values_go_on_behind_a_backslash() {
        let text = "[Service]\nExecStart=/bin/a \\\n# c\n  -b:c\nExecStart=\n";
        assert_eq!(
            entries(Dialect::Unit, text),
            ["1 [Service]", "comment", "2 ExecStart=/bin/a -b:c", "5 ExecStart="]
        );
    }

    #[test]
    fn properties_have_escapes_and_three_separators() {
        let text = "# c\n! c\na = 1\nb:2\nc 3\nd\\ e=\\u00e4\\\n   5\n\\u12 = x\nf\n";
        assert_eq!(
            entries(Dialect::Properties, text),
            ["comment", "comment", "3 a=1", "4 b=2", "5 c=3", "6 d e=ä5", "8 u12=x", "9 f="]
        );
    }

    #[test]
    fn environment_values_may_be_quoted_over_lines() {
        let text = "# c\nexport A=1 # x\nB=\"x\ny\" # z\nC='it''\nD\n= 1\nE=\"open\n";
        assert_eq!(
            entries(Dialect::Environment, text),
            [
                "comment",
                "2 A=1",
                "3 B=x\ny",
                "5 C=it",
                "6 D",
                "7 bad: a name should stand before the sign",
                "8 bad: the text ends inside quotes",
                "8 E=\"open"
            ]
        );
    }
}
