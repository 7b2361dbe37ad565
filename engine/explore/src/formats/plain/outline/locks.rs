//! Lock files in notations of their own: the packages with their versions.

use super::{Part, entry};
use crate::exploration::Entry;

/// `yarn.lock`: a line of what is asked for, and the version below it.
pub fn yarn(lines: &[&str]) -> Vec<Part> {
    let mut name = None;
    let mut packages = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        if !line.starts_with([' ', '#', '\t']) && line.ends_with(':') {
            let first = line.trim_matches([':', '"']).split(',').next().unwrap_or(line);
            let first = first.trim_matches('"');
            // The name may begin with a scope, `@scope/name`.
            let end = first.char_indices().skip(1).find(|(_, sign)| *sign == '@');
            name = Some((index, &first[..end.map_or(first.len(), |(end, _)| end)]));
        } else if let Some(version) = line.strip_prefix("  version")
            && let Some((index, name)) = name.take()
        {
            packages.push(named(index, name, version));
        }
    }
    vec![("Packages", packages)]
}

/// `go.sum`: a module and its version with the checksum of its content, or of its `go.mod` alone.
pub fn go(lines: &[&str]) -> Vec<Part> {
    let (mut modules, mut only): (Vec<Entry>, Vec<Entry>) = (Vec::new(), Vec::new());
    for (index, line) in lines.iter().enumerate() {
        let mut words = line.split_whitespace();
        let (Some(name), Some(version)) = (words.next(), words.next()) else { continue };
        match version.strip_suffix("/go.mod") {
            None => modules.push(named(index, name, version)),
            Some(version) => {
                let own = named(index, name, version);
                let is_told = modules.last().is_some_and(|module| module.text == own.text);
                only.extend((!is_told).then_some(own));
            }
        }
    }
    vec![("Modules", modules), ("Only go.mod", only)]
}

fn named(index: usize, name: &str, version: &str) -> Entry {
    entry(index, &format!("{name} {}", version.trim_matches([':', '"', ' '])))
}
