//! Levels of log lines.

/// A level, least severe first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Trace,
    Debug,
    Info,
    Notice,
    /// PostgreSQL's own level, for administrators.
    Log,
    Warn,
    Error,
    Severe,
    Critical,
    Alert,
    Fatal,
    Panic,
    Emergency,
}

/// Words in lower case, with their levels.
const WORDS: &[(&str, Level)] = &[
    ("trace", Level::Trace),
    ("verbose", Level::Trace),
    ("finest", Level::Trace),
    ("finer", Level::Trace),
    ("debug", Level::Debug),
    ("debug1", Level::Debug),
    ("debug2", Level::Debug),
    ("debug3", Level::Debug),
    ("debug4", Level::Debug),
    ("debug5", Level::Debug),
    ("dbg", Level::Debug),
    ("fine", Level::Debug),
    ("info", Level::Info),
    ("inf", Level::Info),
    ("information", Level::Info),
    ("informational", Level::Info),
    ("config", Level::Info),
    ("notice", Level::Notice),
    ("note", Level::Notice),
    ("log", Level::Log),
    ("warn", Level::Warn),
    ("warning", Level::Warn),
    ("wrn", Level::Warn),
    ("error", Level::Error),
    ("err", Level::Error),
    ("eror", Level::Error),
    ("severe", Level::Severe),
    ("critical", Level::Critical),
    ("crit", Level::Critical),
    ("alert", Level::Alert),
    ("fatal", Level::Fatal),
    ("panic", Level::Panic),
    ("emerg", Level::Emergency),
    ("emergency", Level::Emergency),
];

impl Level {
    /// The name under which the level is counted.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Trace => "TRACE",
            Self::Debug => "DEBUG",
            Self::Info => "INFO",
            Self::Notice => "NOTICE",
            Self::Log => "LOG",
            Self::Warn => "WARN",
            Self::Error => "ERROR",
            Self::Severe => "SEVERE",
            Self::Critical => "CRITICAL",
            Self::Alert => "ALERT",
            Self::Fatal => "FATAL",
            Self::Panic => "PANIC",
            Self::Emergency => "EMERGENCY",
        }
    }

    /// Whether a line with this level reports an error.
    pub fn is_error(self) -> bool {
        self >= Self::Error
    }

    /// The level for a word, in either case.
    pub fn of_word(word: &str) -> Option<Self> {
        if word.len() > 13 {
            return None;
        }
        let lower = word.to_ascii_lowercase();
        WORDS.iter().find(|(name, _)| *name == lower).map(|(_, level)| *level)
    }

    /// The level for a number as JavaScript loggers write it, in steps of ten.
    pub fn of_number(number: u64) -> Option<Self> {
        Some(match number {
            10 => Self::Trace,
            20 => Self::Debug,
            30 => Self::Info,
            40 => Self::Warn,
            50 => Self::Error,
            60 => Self::Fatal,
            _ => return None,
        })
    }

    /// The level for the single letter that Android and Google's loggers write.
    pub fn of_letter(letter: u8) -> Option<Self> {
        Some(match letter {
            b'V' => Self::Trace,
            b'D' => Self::Debug,
            b'I' => Self::Info,
            b'W' => Self::Warn,
            b'E' => Self::Error,
            b'F' => Self::Fatal,
            _ => return None,
        })
    }
}

/// Number of bytes of a message in which a level is searched.
const HEAD: usize = 160;

/// The level in the head of a message: a word in capitals, a word in brackets, a word before a
/// colon at the beginning, or the value of a key such as `level=`.
pub fn find(message: &str) -> Option<Level> {
    let head = head(message);
    if let Some(level) = keyed(message) {
        return Some(level);
    }
    let bytes = head.as_bytes();
    let mut start = 0;
    let mut words = 0;
    let mut previous = "";
    let mut found: Option<Level> = None;
    while start < bytes.len() {
        let Some(byte) = bytes.get(start) else { break };
        if !byte.is_ascii_alphabetic() {
            // Quoted text and paths belong to the message, not to its level.
            if *byte == b'"' && words > 0 {
                break;
            }
            start += 1;
            continue;
        }
        let rest = bytes.get(start..).unwrap_or_default();
        let length = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_');
        let length = length.count();
        let end = start + length;
        let word = head.get(start..end).unwrap_or_default();
        let before = start.checked_sub(1).and_then(|index| bytes.get(index)).copied();
        let after = bytes.get(end).copied();
        let apart = matches!(
            before,
            None | Some(
                b' ' | b'[' | b'(' | b'<' | b'|' | b'\t' | b':' | b',' | b'-' | b'=' | b'/'
            )
        ) && matches!(
            after,
            None | Some(
                b' ' | b']' | b')' | b'>' | b'|' | b'\t' | b':' | b',' | b'[' | b'/' | b'-' | b';'
            )
        );
        let of_stack = names_stack(previous, word);
        previous = word;
        if apart
            && !of_stack
            && let Some(level) = Level::of_word(word)
        {
            // A key directly followed by a colon and its value is not a level, except at the
            // beginning.
            let keyed = words > 0
                && after == Some(b':')
                && !matches!(bytes.get(end + 1), None | Some(b' ' | b'\t' | b'"' | b'['));
            let capitals =
                word.len() > 2 && !keyed && word.bytes().all(|byte| !byte.is_ascii_lowercase());
            let bracketed = matches!(after, Some(b']' | b'>' | b')'))
                && matches!(before, Some(b'[' | b'<' | b'(' | b':' | b'.'));
            let begins = head.get(..start).is_some_and(|before| before.ends_with(": "));
            let leading = words < 4 && !keyed && after == Some(b':') && before != Some(b'/')
                || begins && after == Some(b',')
                || words == 0 && after == Some(b' ') && names_program(head, end + 1);
            let weak = matches!(level, Level::Log) && !(capitals && after == Some(b':'));
            let piped =
                matches!(after, Some(b'|')) || matches!(after, Some(b',')) && before == Some(b',');
            if (capitals || bracketed || leading || piped)
                && !weak
                && before != Some(b'/')
                && !(capitals && matches!(after, Some(b'/')))
            {
                found = Some(level);
                break;
            }
        }
        words += 1;
        start = end.max(start + 1);
    }
    found
}

/// The level in formats of particular tools: npm's second word, and a Rust panic.
pub fn of_tool(line: &str) -> Option<Level> {
    let line = line.trim_start();
    if let Some(rest) = line.strip_prefix("npm ") {
        let word = rest.split(' ').next().unwrap_or_default();
        return Level::of_word(word.trim_end_matches('!'));
    }
    let panics = line.starts_with("thread '") && line.contains("' panicked at ");
    panics.then_some(Level::Panic)
}

/// The level at the beginning of a message after a timestamp, in lower case and without a sign
/// after it.
pub fn leading(message: &str) -> Option<Level> {
    let (word, rest) = message.split_once(' ')?;
    let known = matches!(word, "trace" | "debug" | "info" | "warn" | "error" | "fatal");
    (known && !rest.is_empty()).then(|| Level::of_word(word)).flatten()
}

/// Whether two words announce a stack trace, which is not a level.
pub fn names_stack(first: &str, second: &str) -> bool {
    second.eq_ignore_ascii_case("trace")
        && ["stack", "call"].iter().any(|word| first.eq_ignore_ascii_case(word))
}

/// Whether the next word is a program with its process id, as in `sshd[12]:`.
fn names_program(head: &str, at: usize) -> bool {
    let word = head.get(at..).and_then(|rest| rest.split_whitespace().next()).unwrap_or_default();
    word.ends_with("]:") && word.contains('[')
}

/// The level in a row of a PostgreSQL table log: the field before a code of five letters and
/// digits.
pub fn table(line: &str) -> Option<Level> {
    let mut before = "";
    for field in line.split(',') {
        let code = field.len() == 5
            && field.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_uppercase())
            && field.bytes().any(|b| b.is_ascii_digit());
        if code
            && before.bytes().all(|b| b.is_ascii_uppercase())
            && let Some(level) = Level::of_word(before)
        {
            return Some(level);
        }
        before = field;
    }
    None
}

/// The value of a key such as `level=` or `severity=`.
fn keyed(message: &str) -> Option<Level> {
    for key in ["level=", "lvl=", "severity=", "Severity=", "loglevel="] {
        let Some(at) = memchr::memmem::find(message.as_bytes(), key.as_bytes()) else { continue };
        let before = at.checked_sub(1).and_then(|index| message.as_bytes().get(index));
        if before.is_some_and(u8::is_ascii_alphanumeric) {
            continue;
        }
        let value = message.get(at + key.len()..)?.trim_start_matches('"');
        let word: String = value.chars().take_while(char::is_ascii_alphanumeric).take(14).collect();
        if let Some(level) = Level::of_word(&word) {
            return Some(level);
        }
    }
    None
}

fn head(message: &str) -> &str {
    let mut end = message.len().min(HEAD);
    while !message.is_char_boundary(end) {
        end -= 1;
    }
    message.get(..end).unwrap_or(message)
}
