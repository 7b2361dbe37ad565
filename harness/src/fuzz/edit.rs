//! Changes to a text such as an editor, a merge or an accident makes.

use fastrand::Rng;

use super::alphabet::{BROKEN, PIECES};

/// The most lines that are taken from a text.
const LINES: usize = 160;

/// Some consecutive lines of a text.
pub fn part(rng: &mut Rng, bytes: &[u8]) -> Vec<u8> {
    let lines = lines(bytes);
    if lines.len() <= 8 || rng.u8(..4) == 0 && lines.len() <= LINES {
        return bytes.to_vec();
    }
    let length = rng.usize(4..=lines.len().min(LINES));
    let from = rng.usize(..=lines.len() - length);
    lines.get(from..from + length).unwrap_or_default().concat()
}

/// Makes one random change to a text. `other` is another text, which may be in another language.
pub fn change(rng: &mut Rng, bytes: &[u8], other: &[u8]) -> Vec<u8> {
    let mut parts = lines(bytes);
    let at = |rng: &mut Rng, parts: &[&[u8]]| rng.usize(..=parts.len());
    match rng.u8(..12) {
        0 => {
            let (from, to) = range(rng, parts.len(), 12);
            parts.drain(from..to);
        }
        1 => {
            let (from, to) = range(rng, parts.len(), 12);
            let again: Vec<&[u8]> = parts.get(from..to).unwrap_or_default().to_vec();
            let place = at(rng, &parts);
            parts.splice(place..place, again);
        }
        2 => {
            let theirs = lines(other);
            let (from, to) = range(rng, theirs.len(), 30);
            let place = at(rng, &parts);
            parts.splice(place..place, theirs.get(from..to).unwrap_or_default().iter().copied());
        }
        3 if parts.len() > 1 => {
            let (one, two) = (rng.usize(..parts.len()), rng.usize(..parts.len()));
            parts.swap(one, two);
        }
        4 => return cut(rng, bytes),
        5 | 6 => {
            return insert(rng, bytes, rng.clone().choice(PIECES).unwrap_or_default().as_bytes());
        }
        7 if rng.u8(..4) == 0 => {
            return insert(rng, bytes, rng.clone().choice(BROKEN).unwrap_or_default());
        }
        8 => return replaced(bytes, rng),
        9 => return ends(rng, bytes),
        10 => return one_line(rng, &parts),
        _ => return nested(rng, bytes),
    }
    parts.concat()
}

/// The lines of a text with their line ends.
pub fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.split_inclusive(|byte| *byte == b'\n').collect()
}

/// The words of a text: names of at least three characters.
pub fn words(bytes: &[u8]) -> Vec<&str> {
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    let named =
        |word: &&str| word.len() > 2 && !word.starts_with(|first: char| first.is_ascii_digit());
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(named).collect()
}

fn range(rng: &mut Rng, length: usize, most: usize) -> (usize, usize) {
    let from = rng.usize(..=length);
    (from, (from + rng.usize(..=most)).min(length))
}

/// The nearest character boundary at or before `at`.
fn boundary(bytes: &[u8], at: usize) -> usize {
    (0..=at).rev().find(|&at| bytes.get(at).is_none_or(|byte| byte & 0xc0 != 0x80)).unwrap_or(0)
}

/// Removes some bytes, or all bytes after a random place.
fn cut(rng: &mut Rng, bytes: &[u8]) -> Vec<u8> {
    let from = boundary(bytes, rng.usize(..=bytes.len()));
    let to = if rng.u8(..3) == 0 { bytes.len() } else { from + rng.usize(..=8) };
    let to = boundary(bytes, to.min(bytes.len())).max(from);
    [bytes.get(..from).unwrap_or_default(), bytes.get(to..).unwrap_or_default()].concat()
}

fn insert(rng: &mut Rng, bytes: &[u8], piece: &[u8]) -> Vec<u8> {
    let at = if rng.u8(..6) == 0 { 0 } else { boundary(bytes, rng.usize(..=bytes.len())) };
    let (before, behind) = bytes.split_at(at);
    [before, piece, behind].concat()
}

/// Replaces one word by another, everywhere.
fn replaced(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let Ok(text) = std::str::from_utf8(bytes) else { return bytes.to_vec() };
    let words = words(bytes);
    let (Some(old), Some(new)) = (rng.choice(&words), rng.choice(&words)) else {
        return bytes.to_vec();
    };
    let new = match rng.u8(..4) {
        0 => format!("_{new}"),
        1 => format!("{new}Ünï"),
        2 => format!("{new}_{old}"),
        _ => (*new).to_owned(),
    };
    text.replace(*old, &new).into_bytes()
}

/// Changes the line ends, or the end of the text.
fn ends(rng: &mut Rng, bytes: &[u8]) -> Vec<u8> {
    let all = |end: &[u8]| lines(bytes).join(end).into_iter().filter(|b| *b != b'\n').collect();
    match rng.u8(..5) {
        0 => bytes.strip_suffix(b"\n").unwrap_or(bytes).to_vec(),
        1 => [bytes, b"\n\n\n"].concat(),
        2 => all(b"\r"),
        3 => String::from_utf8_lossy(bytes).replace('\n', "\r\n").into_bytes(),
        _ => String::from_utf8_lossy(bytes).replace("    ", "\t").into_bytes(),
    }
}

/// Joins some lines.
fn one_line(rng: &mut Rng, parts: &[&[u8]]) -> Vec<u8> {
    let (from, to) = range(rng, parts.len(), 20);
    let joined = parts.iter().enumerate().flat_map(|(at, line)| {
        let inside = at >= from && at < to;
        line.iter().map(move |byte| if inside && *byte == b'\n' { b' ' } else { *byte })
    });
    joined.collect()
}

/// Indents some lines, or puts brackets around them.
fn nested(rng: &mut Rng, bytes: &[u8]) -> Vec<u8> {
    let parts = lines(bytes);
    let (from, to) = range(rng, parts.len(), 20);
    let deeper = " ".repeat(rng.usize(1..9));
    let mut text = Vec::new();
    for (at, line) in parts.iter().enumerate() {
        if at >= from && at < to {
            text.extend_from_slice(deeper.as_bytes());
        }
        text.extend_from_slice(line);
    }
    if rng.u8(..3) == 0 {
        let depth = rng.usize(1..40);
        let (open, close) =
            *rng.clone().choice(&[("(", ")"), ("{\n", "}\n"), ("[", "]")]).unwrap_or(&("", ""));
        text.extend_from_slice(open.repeat(depth).as_bytes());
        if rng.bool() {
            text.extend_from_slice(close.repeat(depth).as_bytes());
        }
    }
    text
}
