//! One line of a log: its dialect, time, level, component and message.

mod access;
mod json;
mod words;

use std::borrow::Cow;

use super::{
    level::{self, Level},
    stamp::{self, Stamp},
};
use access::{squid_status, status};
use words::{fails, warns};

/// The format of a line.
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
    /// A line that continues a message or is part of a stack trace.
    Continuation,
    /// A line that begins with `#`.
    Comment,
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
            Self::Continuation | Self::Comment | Self::Unknown => "unknown",
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
    if let Some(object) = json::object(trimmed) {
        return json::read(text, object);
    }
    let bare = |dialect, stamp| Line {
        dialect,
        stamp,
        level: None,
        source: None,
        message: Cow::Borrowed(text),
        is_error: false,
        is_warning: false,
    };
    if zeek(text) {
        let stamp = if text.starts_with('#') { None } else { stamp::find(text) };
        return bare(Dialect::Zeek, stamp);
    }
    if trimmed.starts_with('#') {
        return bare(Dialect::Comment, None);
    }
    let line = plain(text);
    // The record may come after a prefix of its own.
    if line.stamp.is_none()
        && line.level.is_none()
        && let Some(start) = trimmed.find('{')
        && let Some(object) = trimmed.get(start..).and_then(json::object)
    {
        return json::read(text, object);
    }
    line
}

/// Whether a line is from one of Zeek's tables: a comment with a known first word, or epoch seconds
/// before tabs.
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

fn plain(text: &str) -> Line<'_> {
    let stamp = stamp::find(text);
    let behind = match &stamp {
        Some(stamp) => text.get(stamp.end..).unwrap_or_default(),
        None => text,
    };
    let before = stamp.as_ref().map_or("", |stamp| text.get(..stamp.start).unwrap_or_default());
    let rest = behind.trim_start_matches([']', ')', '>', '"', ':', ' ', '\t', '|', ',']);
    let status = stamp.as_ref().and_then(|stamp| match stamp.class {
        "clf" => status(behind),
        "epoch" => squid_status(rest),
        _ => None,
    });
    let dialect = dialect(text, stamp.as_ref(), rest, status);
    let access = status.is_some();
    let level = if access { None } else { level_of(text, stamp.as_ref(), before, rest, dialect) };
    let source = if dialect == Dialect::Syslog { program(rest).map(Cow::Borrowed) } else { None };
    // The quotes around a request belong to it.
    let message = if access {
        behind.trim_start_matches([']', ' '])
    } else {
        behind_program(rest, dialect == Dialect::Syslog)
    };
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
    Line { dialect, stamp, level, source, message: Cow::Borrowed(message), is_error, is_warning }
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

/// Whether the rest of a line is PostgreSQL's, with a level and two spaces.
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
            let letter = rest.split_whitespace().take(4).find(|word| word.len() == 1);
            if let Some(letter) = letter.and_then(|word| word.as_bytes().first()) {
                return Level::of_letter(*letter);
            }
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
    level::of_tool(text)
        .or_else(|| level::find(before))
        .or_else(|| if dialect == Dialect::Syslog { None } else { level::table(text) })
        .or_else(|| level::find(behind_program(rest, dialect == Dialect::Syslog)))
        .or_else(|| level::find(rest))
        .or_else(|| stamp.and_then(|_| level::leading(rest)))
}

/// The severity in the priority of a syslog message: the lowest three bits.
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

/// The message of a line after its host and program, both of which may be missing. A program ends
/// in a colon. Outside syslog, where a message may begin in the same way, only a program with its
/// process id is recognised.
fn behind_program(rest: &str, syslog: bool) -> &str {
    let mut behind = rest;
    let mut previous = "";
    for _ in 0..2 {
        let Some((word, more)) = behind.split_once(' ') else { break };
        let bare = word.trim_end_matches(':');
        if level::names_stack(previous, bare) {
            break;
        }
        if Level::of_word(bare).is_some() {
            return behind;
        }
        previous = bare;
        behind = more.trim_start();
        let program = word.ends_with("]:") && !word.starts_with('[');
        if program || syslog && word.ends_with(':') {
            return behind;
        }
    }
    rest
}

/// The program of a syslog line: the first of two words that ends in a colon or in brackets.
fn program(rest: &str) -> Option<&str> {
    let word =
        rest.split_whitespace().take(2).find(|word| word.ends_with(':') || word.contains('['))?;
    let name = word.split(['[', ':']).next()?;
    (!name.is_empty() && name.len() <= 80).then_some(name)
}
