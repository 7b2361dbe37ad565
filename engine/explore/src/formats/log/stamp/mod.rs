//! Timestamps in the formats that programs write.

mod cursor;

use cursor::{Cursor, DAY, DAYS, MONTHS, NANO, days};

/// A timestamp in a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp<'a> {
    /// The class of the timestamp, such as `iso` or `syslog`.
    pub class: &'static str,
    /// The time in nanoseconds from an origin that differs from class to class: it only orders
    /// timestamps of one class.
    pub key: i128,
    /// The timestamp as written.
    pub text: &'a str,
    /// Its byte range in the line.
    pub start: usize,
    pub end: usize,
}

/// Number of bytes of a line in which a timestamp may begin.
const HEAD: usize = 120;

/// The first timestamp that begins in the head of a line.
pub fn find(line: &str) -> Option<Stamp<'_>> {
    let bytes = line.as_bytes();
    let mut start = 0;
    let mut tokens = 0;
    while start < bytes.len().min(HEAD) {
        let before = start.checked_sub(1).and_then(|index| bytes.get(index)).copied();
        let begins = match before {
            None => true,
            Some(byte) => b" \t[(<\"'=|>:{,".contains(&byte),
        };
        let byte = bytes.get(start).copied().unwrap_or_default();
        if begins && (byte.is_ascii_alphanumeric() || byte == b'@') {
            if let Some((class, key, end)) = at(bytes, start, tokens == 0, before) {
                return line.get(start..end).map(|text| Stamp { class, key, text, start, end });
            }
            tokens += 1;
        }
        start += 1;
    }
    None
}

/// The timestamp that begins at a position: its class, its key and its end.
fn at(
    bytes: &[u8],
    start: usize,
    first: bool,
    before: Option<u8>,
) -> Option<(&'static str, i128, usize)> {
    let cursor = Cursor { bytes, at: start };
    let byte = cursor.peek()?;
    if byte == b'@' {
        return tai(cursor);
    }
    if byte.is_ascii_alphabetic() {
        return named(cursor, first);
    }
    dated(cursor)
        .or_else(|| day_month(cursor))
        .or_else(|| if first { compact(cursor) } else { None })
        .or_else(|| epoch(cursor, first, before))
        .or_else(|| if first { uptime(cursor, before) } else { None })
        .or_else(|| if first { android(cursor) } else { None })
        .or_else(|| if first { clock(cursor) } else { None })
}

/// Three numbers and a time, with the year first or last.
fn dated(mut c: Cursor) -> Option<(&'static str, i128, usize)> {
    let start = c.at;
    let one = c.digits(1, 4)?;
    let length = c.at - start;
    let mark = c.any(b"-/.:")?;
    let two = c.digits(1, 2)?;
    c.any(&[mark])?;
    let middle = c.at;
    let three = c.digits(1, 4)?;
    let last = c.at - middle;
    let (year, month, day, class) = if length == 4 && last <= 2 {
        let class = match mark {
            b'-' => "iso",
            b'/' => "slash",
            _ => "year_first",
        };
        (one, two, three, class)
    } else if length <= 2 && last == 4 && mark != b':' {
        // If both numbers could be the month, one line cannot tell; only a number that cannot be a
        // month decides.
        let (month, day) =
            if two > 12 || mark == b'/' && one <= 12 { (one, two) } else { (two, one) };
        (three, month, day, "year_last")
    } else {
        return None;
    };
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    // Between date and time: a letter, a sign, or spaces around a dash.
    if c.any(b"T_t").is_none() && c.any(b"-:,").is_none() {
        c.spaces()?;
        if c.any(b"-").is_some() {
            c.spaces()?;
        }
    } else {
        let _ = c.spaces();
    }
    let time = c.time()?;
    if c.peek() == Some(b':') && c.bytes.get(c.at + 1).is_some_and(u8::is_ascii_digit) {
        return None;
    }
    let zone = c.zone();
    Some((class, days(year, month, day) * DAY + time - zone, c.at))
}

/// `10/Oct/2000:13:55:36 +0200`, `22-Jan-2013 22:28:21`, `14 Mar 2020 10:00:00`.
fn day_month(mut c: Cursor) -> Option<(&'static str, i128, usize)> {
    let day = c.digits(1, 2)?;
    let mark = c.any(b"/- ")?;
    let month = c.name(&MONTHS)? + 1;
    let _ = c.any(b".");
    c.any(&[mark])?;
    let year = c.digits(4, 4)?;
    let class = if mark == b'/' { "clf" } else { "day_month" };
    if c.any(b":").is_none() {
        let _ = c.any(b",");
        c.spaces()?;
    }
    let time = c.time()?;
    let zone = c.zone();
    Some((class, days(year, month, day) * DAY + time - zone, c.at))
}

/// `130324  0:04:00`, `20130324 00:04:00` or `20130324T000400`.
fn compact(mut c: Cursor) -> Option<(&'static str, i128, usize)> {
    let start = c.at;
    let date = c.digits(6, 8)?;
    let long = c.at - start == 8;
    if c.at - start == 7 {
        return None;
    }
    let (year, month, day) = (date / 10_000, date / 100 % 100, date % 100);
    let year = if long { year } else { 2_000 + year };
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let time = if c.any(b"T").is_some() {
        let time = c.digits(6, 6)?;
        (time / 10_000 * 3600 + time / 100 % 100 * 60 + time % 100) * NANO
    } else {
        if c.any(b"-").is_none() {
            c.spaces()?;
        }
        c.time()?
    };
    Some(("compact", days(year, month, day) * DAY + time, c.at))
}

/// Seconds or milliseconds since 1970, in this century.
fn epoch(mut c: Cursor, first: bool, before: Option<u8>) -> Option<(&'static str, i128, usize)> {
    let audit = before == Some(b'(') && c.bytes.get(..c.at)?.ends_with(b"audit(");
    if !first && !audit {
        return None;
    }
    let start = c.at;
    let value = c.digits(10, 13)?;
    let key = match c.at - start {
        10 => value * NANO + c.fraction(),
        13 => value * 1_000_000,
        _ => return None,
    };
    let sane = (900_000_000 * NANO..4_000_000_000 * NANO).contains(&key);
    let closes =
        matches!(c.peek(), None | Some(b' ' | b'\t' | b']' | b')' | b':' | b',' | b'|' | b'.'));
    (sane && closes).then_some(("epoch", key, c.at))
}

/// `[   12.345678]`: seconds since the start of a kernel.
fn uptime(mut c: Cursor, before: Option<u8>) -> Option<(&'static str, i128, usize)> {
    if !matches!(before, Some(b'[' | b' ')) || !c.bytes.trim_ascii_start().starts_with(b"[") {
        return None;
    }
    let seconds = c.digits(1, 8)?;
    if c.peek() != Some(b'.') {
        return None;
    }
    let back = c.at;
    let fraction = c.fraction();
    (c.at - back == 7 && c.peek() == Some(b']')).then_some((
        "uptime",
        seconds * NANO + fraction,
        c.at,
    ))
}

/// `03-17 16:13:38.811`.
fn android(mut c: Cursor) -> Option<(&'static str, i128, usize)> {
    let month = c.digits(2, 2).filter(|month| (1..=12).contains(month))?;
    c.any(b"-")?;
    let day = c.digits(2, 2).filter(|day| (1..=31).contains(day))?;
    c.spaces()?;
    let time = c.time()?;
    Some(("android", days(2_000, month, day) * DAY + time, c.at))
}

/// A time of day without a date; without seconds it could not be distinguished from a ratio.
fn clock(mut c: Cursor) -> Option<(&'static str, i128, usize)> {
    let start = c.at;
    let time = c.time()?;
    let colons = c.bytes.get(start..c.at)?.iter().filter(|byte| **byte == b':').count();
    (colons == 2 && !c.goes_on() && c.peek() != Some(b':')).then_some(("time", time, c.at))
}

/// Timestamps that begin with a letter.
fn named(c: Cursor, first: bool) -> Option<(&'static str, i128, usize)> {
    let mut day = c;
    if day.name(&DAYS).is_some() {
        let _ = day.any(b",");
        day.spaces()?;
        return ctime(day).or_else(|| {
            let (_, key, end) = day_month(day)?;
            Some(("day_month", key, end))
        });
    }
    month_first(c).or_else(|| if first { glog(c) } else { None })
}

/// The part after a day's name: `Oct 11 14:32:52.123456 2000`, optionally with a zone before the
/// year.
fn ctime(mut c: Cursor) -> Option<(&'static str, i128, usize)> {
    let month = c.name(&MONTHS)? + 1;
    c.spaces()?;
    let day = c.digits(1, 2)?;
    c.spaces()?;
    let time = c.time()?;
    let end = c.at;
    let mut year = 2_000;
    let mut with_year = c;
    if with_year.spaces().is_some() {
        let mut behind_zone = with_year;
        let letters = behind_zone.bytes.get(behind_zone.at..).unwrap_or_default();
        let letters = letters.iter().take_while(|byte| byte.is_ascii_uppercase()).count();
        if (3..=5).contains(&letters) {
            behind_zone.at += letters;
            if behind_zone.spaces().is_some() {
                with_year = behind_zone;
            }
        }
        if let Some(found) = with_year.digits(4, 4) {
            year = found;
            return Some(("ctime", days(year, month, day) * DAY + time, with_year.at));
        }
    }
    Some(("ctime", days(year, month, day) * DAY + time, end))
}

/// `Oct 11 14:32:52`, optionally with the year after the day or after the time.
fn month_first(mut c: Cursor) -> Option<(&'static str, i128, usize)> {
    let month = c.month()?;
    let mark = c.any(b" -")?;
    while mark == b' ' && c.any(b" ").is_some() {}
    let day = c.digits(1, 2).filter(|day| (1..=31).contains(day))?;
    if mark == b'-' {
        c.any(b"-")?;
        let year = c.digits(2, 4)?;
        c.spaces()?;
        let time = c.time()?;
        let year = if year < 100 { 2_000 + year } else { year };
        return Some(("month_first", days(year, month, day) * DAY + time, c.at));
    }
    let comma = c.any(b",").is_some();
    c.spaces()?;
    let mut with_year = c;
    if let Some(year) = with_year.digits(4, 4)
        && with_year.any(b" ,").is_some()
    {
        while with_year.any(b" ").is_some() {}
        let mut time = with_year.time()?;
        let mut end = with_year;
        if end.spaces().is_some() {
            let half = end.bytes.get(end.at..end.at + 2).map(<[u8]>::to_ascii_lowercase);
            if let Some(half) = half.filter(|half| half == b"am" || half == b"pm") {
                let noon = time >= 12 * 3600 * NANO;
                time += match (half == b"pm", noon) {
                    (true, false) => 12 * 3600 * NANO,
                    (false, true) => -12 * 3600 * NANO,
                    _ => 0,
                };
                with_year.at = end.at + 2;
            }
        }
        let class = if comma { "java" } else { "month_first" };
        return Some((class, days(year, month, day) * DAY + time, with_year.at));
    }
    let time = c.time()?;
    Some(("syslog", days(2_000, month, day) * DAY + time, c.at))
}

/// `I0102 15:04:05.123456`.
fn glog(mut c: Cursor) -> Option<(&'static str, i128, usize)> {
    c.any(b"IWEFD")?;
    let date = c.digits(4, 4)?;
    let (month, day) = (date / 100, date % 100);
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    c.spaces()?;
    let time = c.time()?;
    Some(("glog", days(2_000, month, day) * DAY + time, c.at))
}

/// `@400000004c91b044077a9e94`: TAI64N, 24 hexadecimal digits.
fn tai(mut c: Cursor) -> Option<(&'static str, i128, usize)> {
    c.any(b"@")?;
    let text = std::str::from_utf8(c.bytes.get(c.at..c.at + 24)?).ok()?;
    let seconds = u64::from_str_radix(text.get(..16)?, 16).ok()?;
    let nanoseconds = u64::from_str_radix(text.get(16..)?, 16).ok()?;
    let seconds = seconds.checked_sub(1 << 62)?;
    Some(("tai64n", i128::from(seconds) * NANO + i128::from(nanoseconds), c.at + 24))
}
