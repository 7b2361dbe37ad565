//! The scanner: commands and pairs of braces, outside comments and verbatim text.

/// Environments whose content is verbatim.
const VERBATIM: &[&str] = &[
    "verbatim",
    "verbatim*",
    "Verbatim",
    "Verbatim*",
    "BVerbatim",
    "LVerbatim",
    "lstlisting",
    "minted",
    "comment",
    "filecontents",
    "filecontents*",
    "pycode",
    "luacode",
    "luacode*",
    "asy",
    "sagesilent",
];

/// A command: the offsets of its backslash and of the end of its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Command {
    pub start: usize,
    pub end: usize,
}

/// The result of a scan.
#[derive(Debug, Default)]
pub struct Scanned {
    pub commands: Vec<Command>,
    /// Pairs of an opening and a closing brace, sorted by the opening one; braces that are never
    /// closed are left out.
    braces: Vec<(usize, usize)>,
    /// The first brace without a partner.
    pub unmatched: Option<usize>,
    /// Number of dollar signs that begin or end formulas.
    pub dollars: usize,
}

impl Scanned {
    /// The brace that closes the one at an offset.
    pub fn closing(&self, open: usize) -> Option<usize> {
        let index = self.braces.binary_search_by_key(&open, |pair| pair.0).ok()?;
        self.braces.get(index).map(|pair| pair.1)
    }
}

/// Scans a text. In packages and classes `@` counts as a letter.
pub fn scan(text: &str, at_is_letter: bool) -> Scanned {
    let bytes = text.as_bytes();
    let mut scanned = Scanned::default();
    let mut open: Vec<usize> = Vec::new();
    let mut at_letter = at_is_letter;
    let mut at = 0;
    while let Some(step) =
        bytes.get(at..).and_then(|rest| rest.iter().position(|byte| b"\\%{}$".contains(byte)))
    {
        at += step;
        match bytes.get(at) {
            Some(b'%') => {
                let rest = bytes.get(at..).unwrap_or_default();
                at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            }
            Some(b'{') => {
                open.push(at);
                at += 1;
            }
            Some(b'}') => {
                match open.pop() {
                    Some(start) => scanned.braces.push((start, at)),
                    None => scanned.unmatched = scanned.unmatched.or(Some(at)),
                }
                at += 1;
            }
            Some(b'$') => {
                scanned.dollars += 1;
                at += 1 + usize::from(bytes.get(at + 1) == Some(&b'$'));
            }
            _ => at = command(text, at, &mut at_letter, &mut scanned),
        }
    }
    scanned.unmatched = scanned.unmatched.or(open.first().copied());
    scanned.braces.sort_unstable();
    scanned
}

/// Records the command at a backslash, and returns where the scan continues.
fn command(text: &str, start: usize, at_letter: &mut bool, scanned: &mut Scanned) -> usize {
    let bytes = text.as_bytes();
    let letter = |byte: &u8| byte.is_ascii_alphabetic() || *at_letter && *byte == b'@';
    let length =
        bytes.get(start + 1..).unwrap_or_default().iter().take_while(|byte| letter(byte)).count();
    if length == 0 {
        // A backslash before a sign: an accent, a space, or the sign itself.
        if bytes.get(start + 1) == Some(&b'[') || bytes.get(start + 1) == Some(&b'(') {
            scanned.dollars += 2;
        }
        let next = text.get(start + 1..).and_then(|rest| rest.chars().next());
        return start + 1 + next.map_or(0, char::len_utf8);
    }
    let end = start + 1 + length;
    let name = text.get(start + 1..end).unwrap_or_default();
    match name {
        "makeatletter" => *at_letter = true,
        "makeatother" => *at_letter = false,
        "verb" | "lstinline" | "mintinline" => return inline_verbatim(bytes, end).max(end),
        _ => {}
    }
    scanned.commands.push(Command { start, end });
    if name == "begin" {
        let rest = text.get(end..).unwrap_or_default();
        let opened = rest.strip_prefix('{').and_then(|rest| rest.split_once('}'));
        if let Some((name, _)) = opened.filter(|(name, _)| VERBATIM.contains(name)) {
            let close = format!("\\end{{{name}}}");
            // The braces of the name are skipped with the text, but a later search needs them.
            scanned.braces.push((end, end + 1 + name.len()));
            // The end of the environment is scanned as a command again.
            return memchr::memmem::find(rest.as_bytes(), close.as_bytes())
                .map_or(bytes.len(), |found| end + found);
        }
    }
    end
}

/// The position after text such as `\verb|text|`, which never extends beyond its line.
fn inline_verbatim(bytes: &[u8], end: usize) -> usize {
    let mut at = end + usize::from(bytes.get(end) == Some(&b'*'));
    if bytes.get(at) == Some(&b'[') {
        let rest = bytes.get(at..).unwrap_or_default();
        at += memchr::memchr(b']', rest).map_or(0, |close| close + 1);
    }
    let Some(mark) = bytes.get(at).copied() else { return end };
    let mark = if mark == b'{' { b'}' } else { mark };
    let rest = bytes.get(at + 1..).unwrap_or_default();
    match memchr::memchr2(mark, b'\n', rest) {
        Some(close) if rest.get(close) == Some(&mark) => at + 1 + close + 1,
        _ => end,
    }
}
