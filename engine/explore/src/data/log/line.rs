//! One line of a log: its dialect, time, level, component and message.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::{
    level::{self, Level},
    stamp::{self, Stamp},
};

/// How a line is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dialect {
    Json,
    ApacheCombined,
    ApacheCommon,
    ApacheError,
    Nginx,
    Syslog,
    Zeek,
    Tex,
    Postgres,
    Android,
    Glog,
    Iso,
    Custom,
    /// A line of a stack trace or of a message that began above.
    Continuation,
    Unknown,
}

impl Dialect {
    /// The name in `format`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::ApacheCombined => "apache_combined",
            Self::ApacheCommon => "apache_common",
            Self::ApacheError => "apache_error",
            Self::Nginx => "nginx",
            Self::Syslog => "syslog",
            Self::Zeek => "zeek",
            Self::Tex => "tex",
            Self::Postgres => "postgres",
            Self::Android => "android",
            Self::Glog => "glog",
            Self::Iso => "iso_timestamp",
            Self::Custom => "custom_timestamp",
            Self::Continuation | Self::Unknown => "unknown",
        }
    }
}

/// A line that was read.
#[derive(Debug)]
pub struct Line<'a> {
    pub dialect: Dialect,
    pub stamp: Option<Stamp<'a>>,
    pub level: Option<Level>,
    pub source: Option<Cow<'a, str>>,
    pub message: Cow<'a, str>,
    pub is_error: bool,
    pub is_warning: bool,
}

/// Reads a line that is not empty.
pub fn read(text: &str) -> Line<'_> {
    let trimmed = text.trim();
    if trimmed.starts_with('{')
        && let Ok(Value::Object(object)) = serde_json::from_str(trimmed)
    {
        return json(text, object);
    }
    if zeek(text) {
        let stamp = if text.starts_with('#') { None } else { stamp::find(text) };
        return Line {
            dialect: Dialect::Zeek,
            stamp,
            level: None,
            source: None,
            message: Cow::Borrowed(text),
            is_error: false,
            is_warning: false,
        };
    }
    plain(text)
}

/// A line of Zeek's tables: a comment with a known first word, or an epoch before tabs.
fn zeek(text: &str) -> bool {
    if let Some(comment) = text.strip_prefix('#') {
        let word = comment.split(['\t', ' ']).next().unwrap_or_default();
        return matches!(
            word,
            "separator"
                | "set_separator"
                | "empty_field"
                | "unset_field"
                | "path"
                | "open"
                | "close"
                | "fields"
                | "types"
        );
    }
    let Some((first, rest)) = text.split_once('\t') else { return false };
    first.len() >= 12
        && rest.contains('\t')
        && first.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

fn json(text: &str, mut object: Map<String, Value>) -> Line<'_> {
    // Some loggers put the fields of the event one object deeper.
    let key = |object: &Map<String, Value>, names: &[&str]| {
        object.keys().find(|key| names.contains(&key.to_lowercase().as_str())).cloned()
    };
    let level = key(&object, &["level", "severity", "log_level", "loglevel", "lvl", "levelname"])
        .and_then(|key| match object.get(&key) {
            Some(Value::String(word)) => Level::of_word(word.trim()),
            Some(Value::Number(number)) => Level::of_number(number.as_u64()?),
            _ => None,
        });
    let times = ["timestamp", "time", "ts", "@timestamp", "datetime", "date", "t", "asctime"];
    let stamp = key(&object, &times).and_then(|key| match object.get(&key) {
        Some(Value::String(value)) => value_stamp(text, value),
        Some(Value::Number(number)) => value_stamp(text, &number.to_string()),
        _ => None,
    });
    let mut take = |names: &[&str]| {
        let value = object.get_mut(&key(&object, names)?).map(Value::take);
        match value {
            Some(Value::String(text)) => Some(text),
            _ => None,
        }
    };
    let source = take(&["logger", "component", "source", "service", "module", "name", "app"]);
    let message = take(&["msg", "message", "error", "err", "event"]).unwrap_or_default();
    let is_error = level.is_some_and(Level::is_error) || level.is_none() && fails(&message);
    Line {
        dialect: Dialect::Json,
        stamp,
        level,
        source: source.map(Cow::Owned),
        is_error,
        is_warning: level == Some(Level::Warn),
        message: Cow::Owned(message),
    }
}

/// The timestamp that a JSON value is, as it stands in the line.
fn value_stamp<'a>(line: &'a str, value: &str) -> Option<Stamp<'a>> {
    let found = stamp::find(value)?;
    let start = line.find(value)?;
    let end = start + found.end;
    let start = start + found.start;
    Some(Stamp { class: found.class, key: found.key, text: line.get(start..end)?, start, end })
}

fn plain(text: &str) -> Line<'_> {
    let stamp = stamp::find(text);
    let behind = match &stamp {
        Some(stamp) => text.get(stamp.end..).unwrap_or_default(),
        None => text,
    };
    let before = stamp.as_ref().map_or("", |stamp| text.get(..stamp.start).unwrap_or_default());
    let rest = behind.trim_start_matches([']', ')', '>', '"', ':', ' ', '\t', '|', ',']);
    let status = stamp.as_ref().filter(|stamp| stamp.class == "clf").and_then(|_| status(behind));
    let dialect = dialect(text, stamp.as_ref(), rest, status);
    let access = matches!(dialect, Dialect::ApacheCombined | Dialect::ApacheCommon);
    let level = if access { None } else { level_of(text, stamp.as_ref(), before, rest, dialect) };
    let source = if dialect == Dialect::Syslog { program(rest).map(Cow::Borrowed) } else { None };
    let tex_error = text.starts_with("! ");
    let is_error = match (level, status) {
        (Some(level), _) => level.is_error(),
        (None, Some(status)) => status >= 400,
        (None, None) => tex_error || fails(rest),
    };
    let is_warning = match level {
        Some(level) => level == Level::Warn,
        None => !is_error && !access && warns(rest),
    };
    Line { dialect, stamp, level, source, message: Cow::Borrowed(rest), is_error, is_warning }
}

fn dialect(text: &str, stamp: Option<&Stamp>, rest: &str, status: Option<u32>) -> Dialect {
    let Some(stamp) = stamp else {
        let begins = |words: &[&str]| words.iter().any(|word| text.starts_with(word));
        return if begins(&[
            "! ",
            "This is ",
            "**",
            "LaTeX Warning",
            "Package ",
            "Overfull \\",
            "Underfull \\",
            "l.",
        ]) && tex(text)
        {
            Dialect::Tex
        } else if text.starts_with([' ', '\t'])
            || begins(&["Caused by:", "Traceback (", "at ", "... "])
        {
            Dialect::Continuation
        } else {
            Dialect::Unknown
        };
    };
    match stamp.class {
        "syslog" => Dialect::Syslog,
        "clf" if status.is_some() && text.trim_end().ends_with('"') => Dialect::ApacheCombined,
        "clf" if status.is_some() => Dialect::ApacheCommon,
        "ctime" if text.starts_with('[') => Dialect::ApacheError,
        "slash" if rest.starts_with('[') => Dialect::Nginx,
        "android" => Dialect::Android,
        "glog" => Dialect::Glog,
        "iso" if postgres(rest) => Dialect::Postgres,
        "iso" => Dialect::Iso,
        _ => Dialect::Custom,
    }
}

fn tex(text: &str) -> bool {
    !text.starts_with("This is ") || text.contains("TeX")
}

/// PostgreSQL's words behind a level and two spaces.
fn postgres(rest: &str) -> bool {
    [
        "LOG:  ",
        "STATEMENT:  ",
        "DETAIL:  ",
        "HINT:  ",
        "CONTEXT:  ",
        "FATAL:  ",
        "PANIC:  ",
        "ERROR:  ",
    ]
    .iter()
    .any(|word| rest.contains(word))
}

fn level_of(
    text: &str,
    stamp: Option<&Stamp>,
    before: &str,
    rest: &str,
    dialect: Dialect,
) -> Option<Level> {
    match dialect {
        Dialect::Glog => {
            let stamp = stamp?;
            return Level::of_letter(*stamp.text.as_bytes().first()?);
        }
        Dialect::Android => {
            let word = rest.split_whitespace().take(4).find(|word| word.len() == 1)?;
            return Level::of_letter(*word.as_bytes().first()?);
        }
        _ => {}
    }
    // `<W>` and `<34>` before the time.
    if let Some(mark) = before.trim_end().strip_prefix('<').and_then(|mark| mark.strip_suffix('>'))
    {
        match mark.as_bytes() {
            [letter] if letter.is_ascii_uppercase() => return Level::of_letter(*letter),
            _ => {
                if let Ok(priority) = mark.parse::<u32>() {
                    return level::find(rest).or_else(|| severity(priority));
                }
            }
        }
    }
    let _ = text;
    level::find(before).or_else(|| level::find(rest))
}

/// The severity in the priority of a syslog message: its lowest three bits.
fn severity(priority: u32) -> Option<Level> {
    if priority > 191 {
        return None;
    }
    Some(match priority & 7 {
        0 => Level::Emergency,
        1 => Level::Alert,
        2 => Level::Critical,
        3 => Level::Error,
        4 => Level::Warn,
        5 => Level::Notice,
        6 => Level::Info,
        _ => Level::Debug,
    })
}

/// The status of an access line: the number behind the quoted request.
fn status(rest: &str) -> Option<u32> {
    let behind = rest.get(rest.find('"')? + 1..)?;
    let behind = behind.get(behind.find("\" ")? + 2..)?;
    let word = behind.split_whitespace().next()?;
    let status = word.parse::<u32>().ok()?;
    (word.len() == 3 && (100..600).contains(&status)).then_some(status)
}

/// The program of a syslog line: the first of two words that ends in a colon or in brackets.
fn program(rest: &str) -> Option<&str> {
    let word =
        rest.split_whitespace().take(2).find(|word| word.ends_with(':') || word.contains('['))?;
    let name = word.split(['[', ':']).next()?;
    (!name.is_empty() && name.len() <= 80).then_some(name)
}

/// Bytes of a message whose words are looked at.
const HEAD: usize = 400;

/// Words of the head of a message, letters only.
fn words(message: &str) -> impl Iterator<Item = &str> {
    let end = message.floor_char_boundary(HEAD);
    message
        .get(..end)
        .unwrap_or_default()
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
}

/// Whether a message without a level speaks of a failure.
fn fails(message: &str) -> bool {
    let mut before = "";
    for word in words(message) {
        let denied = matches!(before, "0" | "no" | "No" | "without");
        before = word;
        let is = |other: &&str| word.eq_ignore_ascii_case(other);
        let named = word.len() > 9 && word.ends_with("Exception")
            || word.len() > 5 && word.ends_with("Error");
        if !denied
            && (named
                || [
                    "error",
                    "errors",
                    "exception",
                    "failed",
                    "fail",
                    "failure",
                    "failures",
                    "fatal",
                    "panic",
                    "traceback",
                    "segfault",
                    "crash",
                    "crashed",
                    "aborted",
                ]
                .iter()
                .any(is))
        {
            return true;
        }
    }
    false
}

/// Whether a message without a level warns.
fn warns(message: &str) -> bool {
    words(message).any(|word| {
        ["warning", "warn", "deprecated", "timeout", "retry", "retrying", "overfull", "underfull"]
            .iter()
            .any(|other| word.eq_ignore_ascii_case(other))
    })
}
