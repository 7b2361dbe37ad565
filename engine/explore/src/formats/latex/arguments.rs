//! The arguments of commands.

use super::scan::{Command, Scanned};

/// Maximum number of arguments in brackets that are read for a command.
const BRACKETS: usize = 3;

/// Reads the arguments of commands.
pub struct Reader<'a> {
    pub text: &'a str,
    pub scanned: &'a Scanned,
}

impl<'a> Reader<'a> {
    pub fn skip_space(&self, mut at: usize) -> usize {
        let bytes = self.text.as_bytes();
        let mut breaks = 0;
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'\n' => breaks += 1,
                b' ' | b'\t' | b'\r' => {}
                // A comment at the end of a line includes the line end.
                b'%' => {
                    let rest = bytes.get(at..).unwrap_or_default();
                    at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                }
                _ => break,
            }
            // An empty line ends a paragraph, and therefore the search for an argument.
            if breaks > 1 {
                break;
            }
            at += 1;
        }
        at
    }

    /// The argument in braces at an offset, and the offset after it.
    pub fn braces(&self, at: usize) -> Option<(&'a str, usize)> {
        let at = self.skip_space(at);
        if self.text.as_bytes().get(at) != Some(&b'{') {
            return None;
        }
        let close = self.scanned.closing(at)?;
        Some((self.text.get(at + 1..close)?, close + 1))
    }

    /// Whether a command is the name that the previous command defines.
    pub fn defines(&self, before: &Command, command: &Command) -> bool {
        let name = self.text.get(before.start + 1..before.end).unwrap_or_default();
        let between = self.text.get(before.end..command.start).unwrap_or_default();
        DEFINING.contains(&name) && between.trim_matches(['*', '{', ' ', '\t']).is_empty()
    }

    /// The argument in brackets at an offset, and the offset after it.
    pub fn brackets(&self, at: usize) -> Option<(&'a str, usize)> {
        let start = self.skip_space(at);
        let bytes = self.text.as_bytes();
        if bytes.get(start) != Some(&b'[') {
            return None;
        }
        let mut end = start + 1;
        // Far longer than any list of options; a bracket that is not closed within it is not an
        // argument.
        let last = start + 8 * 1024;
        while end < last {
            match bytes.get(end)? {
                b']' => return Some((self.text.get(start + 1..end)?, end + 1)),
                b'{' => end = self.scanned.closing(end)? + 1,
                b'\\' => end += 2,
                _ => end += 1,
            }
        }
        None
    }

    /// The first argument in braces, after any in brackets, with the last of the latter and the
    /// offset after it.
    pub fn argument(&self, mut at: usize) -> Option<(Option<&'a str>, &'a str, usize)> {
        let mut option = None;
        for _ in 0..BRACKETS {
            match self.brackets(at) {
                Some((found, end)) => {
                    option = Some(found);
                    at = end;
                }
                None => break,
            }
        }
        let (argument, end) = self.braces(at)?;
        Some((option, argument, end))
    }

    /// The name of a command that is not in braces.
    pub fn bare(&self, at: usize) -> Option<(&'a str, usize)> {
        let start = self.skip_space(at);
        let rest = self.text.get(start..)?;
        let inside = rest.strip_prefix('\\')?;
        let letters = inside.bytes().take_while(|byte| byte.is_ascii_alphabetic() || *byte == b'@');
        let length = letters.count();
        let length = if length == 0 { inside.chars().next()?.len_utf8() } else { length };
        Some((rest.get(..=length)?, start + 1 + length))
    }
}

/// Commands that define the command that follows them.
const DEFINING: &[&str] = &[
    "newcommand",
    "renewcommand",
    "providecommand",
    "DeclareRobustCommand",
    "def",
    "gdef",
    "edef",
    "xdef",
    "let",
];
