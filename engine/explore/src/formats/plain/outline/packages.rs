//! Lists of packages that are plain text, and the stages of a Jenkinsfile.

use std::collections::BTreeSet;

use super::{Part, entry};
use crate::exploration::Entry;

/// `yarn.lock`: blocks that begin with a name and its range, with the version below.
pub fn yarn(lines: &[&str]) -> Vec<Part> {
    let mut name: Option<(usize, &str)> = None;
    let mut entries = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        if !line.starts_with([' ', '#']) && line.ends_with(':') {
            let first = line.trim_end_matches(':').split(',').next().unwrap_or_default();
            let first = first.trim().trim_matches('"');
            // A scope begins with `@`, too.
            let end =
                first.get(1..).and_then(|rest| rest.find('@')).map_or(first.len(), |at| at + 1);
            name = first.get(..end).map(|name| (index, name));
        } else if let Some(version) = line.trim_start().strip_prefix("version")
            && line.starts_with("  ")
            && !line.starts_with("   ")
            && let Some((index, name)) = name.take()
        {
            let version = version.trim_start_matches(':').trim().trim_matches('"');
            entries.push(entry(index, &format!("{name} {version}")));
        }
    }
    vec![("Packages", entries)]
}

/// `Gemfile.lock`: gems are indented by four spaces, what they need by six.
pub fn gems(lines: &[&str]) -> Vec<Part> {
    let of = |(index, line): (usize, &&str)| {
        let gem = line.strip_prefix("    ").filter(|rest| !rest.starts_with(' '))?;
        let (name, version) = gem.trim_end().strip_suffix(')')?.split_once(" (")?;
        Some(entry(index, &format!("{name} {version}")))
    };
    vec![("Packages", lines.iter().enumerate().filter_map(of).collect())]
}

/// `go.mod`: what the module requires and replaces.
pub fn go_module(lines: &[&str]) -> Vec<Part> {
    let mut parts: [Part; 4] = ["Module", "Dependencies", "Indirect dependencies", "Replaced"]
        .map(|title| (title, Vec::new()));
    let mut block = "";
    for (index, line) in lines.iter().enumerate() {
        let (text, comment) = line.split_once("//").unwrap_or((line, ""));
        let text = text.trim();
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        let (kind, rest) = match (block, word, rest.trim()) {
            (_, ")", _) => {
                block = "";
                continue;
            }
            ("", _, "(") => {
                block = word;
                continue;
            }
            ("", _, rest) => (word, rest),
            (block, ..) => (block, text),
        };
        let at = match kind {
            "module" | "go" | "toolchain" => 0,
            "require" if comment.trim() == "indirect" => 2,
            "require" => 1,
            "replace" => 3,
            _ => continue,
        };
        let shown = if at == 0 { format!("{kind} {rest}") } else { rest.to_owned() };
        if let Some((_, entries)) = parts.get_mut(at)
            && !rest.is_empty()
        {
            entries.push(entry(index, &shown));
        }
    }
    parts.into()
}

/// `go.sum`: each module with its version, once.
pub fn go_sums(lines: &[&str]) -> Vec<Part> {
    let mut seen = BTreeSet::new();
    let mut entries: Vec<Entry> = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let mut words = line.split_whitespace();
        let (Some(module), Some(version), Some(_)) = (words.next(), words.next(), words.next())
        else {
            continue;
        };
        let version = version.trim_end_matches("/go.mod");
        if seen.insert((module, version)) {
            entries.push(entry(index, &format!("{module} {version}")));
        }
    }
    vec![("Packages", entries)]
}

/// `requirements.txt`: packages with their versions, and files that are included.
pub fn requirements(lines: &[&str]) -> Vec<Part> {
    let (mut packages, mut files) = (Vec::new(), Vec::new());
    for (index, line) in lines.iter().enumerate() {
        let text = line.split(" #").next().unwrap_or_default().trim().trim_end_matches('\\').trim();
        if text.is_empty() || text.starts_with('#') || line.starts_with([' ', '\t']) {
            continue;
        }
        if let Some(file) = ["-r ", "-c ", "--requirement ", "--constraint "]
            .iter()
            .find_map(|option| text.strip_prefix(option))
        {
            files.push(entry(index, file));
        } else if !text.starts_with('-') || text.starts_with("-e ") {
            packages.push(entry(index, text));
        }
    }
    vec![("Dependencies", packages), ("Included", files)]
}

/// `Jenkinsfile`: stages and the parameters they are called with.
pub fn stages(lines: &[&str]) -> Vec<Part> {
    let of = |(index, line): (usize, &&str)| {
        let rest = line.trim().strip_prefix("stage")?.trim_start().strip_prefix('(')?.trim_start();
        let quote = rest.chars().next().filter(|sign| matches!(sign, '"' | '\''))?;
        let name = rest.get(1..)?.split(quote).next()?;
        Some(entry(index, name))
    };
    vec![("Stages", lines.iter().enumerate().filter_map(of).collect())]
}
