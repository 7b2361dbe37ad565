//! One pattern of an ignore file, matched against a whole path without backtracking.

/// A pattern: a sequence of parts that must match a path from its start.
#[derive(Debug)]
pub struct Pattern {
    excludes: bool,
    parts: Vec<Part>,
}

/// What a piece of a pattern matches.
#[derive(Debug, PartialEq, Eq)]
enum Part {
    /// One character.
    Literal(char),
    /// One character but a slash.
    One,
    /// A bracket expression. A negated one also matches a slash, as in the comparator.
    Class { negated: bool, ranges: Vec<(char, char)> },
    /// At least `least` characters other than slashes.
    Run { least: usize },
    /// Nothing, or any number of folders, each with a slash after it.
    LeadingFolders,
    /// Nothing, or a slash and any path after it.
    InnerFolders,
    /// Any text at all.
    Anything,
    /// The end of the path, or a slash and anything after it.
    FileOrFolder,
    /// A slash and anything after it.
    Folder,
}

impl Pattern {
    /// Reads one line; `None` for a comment or a blank line.
    pub fn parse(line: &str) -> Result<Option<Self>, &'static str> {
        let text = if line.ends_with("\\ ") {
            line
        } else {
            line.trim_end_matches(base::text::characters::is_space)
        };
        if text.is_empty() || text.starts_with('#') || text == "/" {
            return Ok(None);
        }
        let (excludes, text) = text.strip_prefix('!').map_or((true, text), |rest| (false, rest));
        Ok(Some(Self { excludes, parts: parts(text)? }))
    }

    /// True if a match excludes the path, false if it includes the path again.
    pub const fn excludes(&self) -> bool {
        self.excludes
    }

    /// True if the pattern matches a path, given as its characters.
    pub fn matches(&self, path: &[char]) -> bool {
        // `reached[i]` says that the parts so far can match the first `i` characters.
        let mut reached = vec![false; path.len() + 1];
        reached[0] = true;
        for part in &self.parts {
            reached = part.step(path, &reached);
            if !reached.contains(&true) {
                return false;
            }
        }
        true
    }
}

impl Part {
    /// The positions in the path that can be reached after this part, given those reached before.
    fn step(&self, path: &[char], before: &[bool]) -> Vec<bool> {
        let mut after = vec![false; before.len()];
        match self {
            Self::Literal(_) | Self::One | Self::Class { .. } => {
                for (at, c) in path.iter().enumerate() {
                    after[at + 1] = before[at] && self.takes(*c);
                }
            }
            Self::Run { least } => {
                let mut length = None;
                for at in 0..before.len() {
                    if before[at] {
                        length = Some(length.unwrap_or(0));
                    }
                    after[at] = length.is_some_and(|length| length >= *least);
                    length = match path.get(at) {
                        Some('/') => None,
                        _ => length.map(|length| length + 1),
                    };
                }
            }
            Self::LeadingFolders => {
                after[0] = before[0];
                for (at, c) in path.iter().enumerate().skip(1) {
                    after[at + 1] = before[0] && *c == '/';
                }
            }
            Self::InnerFolders => {
                after.copy_from_slice(before);
                let mut since = None;
                for at in 0..before.len() {
                    if since.is_some_and(|slash| at >= slash + 2) {
                        after[at] = true;
                    }
                    if since.is_none() && before[at] && path.get(at) == Some(&'/') {
                        since = Some(at);
                    }
                }
            }
            Self::Anything => after.fill(true),
            Self::FileOrFolder | Self::Folder => {
                for (at, reached) in before.iter().enumerate() {
                    let end = *self == Self::FileOrFolder && at == path.len();
                    after[at] = *reached && (end || path.get(at) == Some(&'/'));
                }
            }
        }
        after
    }

    fn takes(&self, c: char) -> bool {
        match self {
            Self::Literal(literal) => *literal == c,
            Self::One => c != '/',
            Self::Class { negated, ranges } => {
                ranges.iter().any(|(first, last)| (*first..=*last).contains(&c)) != *negated
            }
            _ => false,
        }
    }
}

/// The parts of a pattern without its exclamation mark.
fn parts(text: &str) -> Result<Vec<Part>, &'static str> {
    let mut segments: Vec<&str> = text.split('/').collect();
    let folder_only = segments.last() == Some(&"");
    match segments.as_slice() {
        ["", ..] => drop(segments.remove(0)),
        // A pattern with a single segment matches at any depth.
        [first] | [first, ""] if *first != "**" => segments.insert(0, "**"),
        _ => {}
    }
    match segments.last_mut() {
        None => return Err("the pattern is empty"),
        Some(last) if last.is_empty() => *last = "**",
        Some(_) => {}
    }
    segments.dedup_by(|next, previous| *next == "**" && *previous == "**");
    match segments.as_slice() {
        ["**"] if folder_only => {
            return Ok(vec![Part::LeadingFolders, Part::Run { least: 0 }, Part::Folder]);
        }
        ["**"] | ["**", "*"] => return Ok(vec![Part::Anything]),
        ["**", "*", "**"] => {
            return Ok(vec![Part::LeadingFolders, Part::Run { least: 0 }, Part::Folder]);
        }
        _ => {}
    }
    let last = segments.len() - 1;
    let mut parts = Vec::new();
    let mut slash_pending = false;
    for (index, segment) in segments.iter().enumerate() {
        if *segment == "**" {
            parts.push(match index {
                0 => Part::LeadingFolders,
                _ if index == last => Part::Folder,
                _ => Part::InnerFolders,
            });
            slash_pending = index > 0;
            continue;
        }
        if slash_pending {
            parts.push(Part::Literal('/'));
        }
        if *segment == "*" {
            parts.push(Part::Run { least: 1 });
        } else {
            glob(segment, &mut parts)?;
        }
        if index == last {
            parts.push(Part::FileOrFolder);
        }
        slash_pending = true;
    }
    Ok(parts)
}

/// Appends the parts of one segment.
fn glob(segment: &str, parts: &mut Vec<Part>) -> Result<(), &'static str> {
    let mut rest = segment.chars();
    while let Some(c) = rest.next() {
        parts.push(match c {
            '\\' => Part::Literal(rest.next().ok_or("a backslash ends the pattern")?),
            '*' => Part::Run { least: 0 },
            '?' => Part::One,
            '[' => match class(rest.as_str())? {
                Some((class, after)) => {
                    rest = after.chars();
                    class
                }
                None => Part::Literal('['),
            },
            other => Part::Literal(other),
        });
    }
    Ok(())
}

/// The bracket expression after an opening bracket, and the rest of the text; `None` if the bracket
/// is never closed. A backslash in it is an ordinary character.
fn class(text: &str) -> Result<Option<(Part, &str)>, &'static str> {
    let (negated, body) = text.strip_prefix(['!', '^']).map_or((false, text), |rest| (true, rest));
    // A closing bracket at the beginning is an ordinary character.
    let skipped = usize::from(body.starts_with(']'));
    let Some(end) = body.get(skipped..).and_then(|rest| rest.find(']')) else { return Ok(None) };
    let (inside, after) = body.split_at(skipped + end);
    let inside: Vec<char> = inside.chars().collect();
    let mut ranges = Vec::new();
    let mut at = 0;
    while let Some(&first) = inside.get(at) {
        match (inside.get(at + 1), inside.get(at + 2)) {
            (Some('-'), Some(&last)) if first <= last => ranges.push((first, last)),
            (Some('-'), Some(_)) => return Err("a range of a bracket expression runs backwards"),
            _ => {
                ranges.push((first, first));
                at += 1;
                continue;
            }
        }
        at += 3;
    }
    Ok(Some((Part::Class { negated, ranges }, after.get(1..).unwrap_or_default())))
}
