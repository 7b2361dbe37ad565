//! Which imports a part uses: those whose names stand in it as whole words.

use std::collections::{BTreeMap, BTreeSet};

use base::text::words;
use explore::Import;

use crate::Part;

/// The imports of a file, and where their names stand.
#[derive(Debug)]
pub struct Imports {
    /// Lines with a name of an import, by the line of the import; both 1-based, in order.
    used: BTreeMap<u32, Vec<u32>>,
}

impl Imports {
    /// Looks for the names of imports in lines.
    pub fn of(imports: &[Import], lines: &[String]) -> Self {
        let mut by_name: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
        for import in imports {
            for name in names(import) {
                by_name.entry(name).or_default().insert(import.line);
            }
        }
        let mut used: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        if by_name.is_empty() {
            return Self { used };
        }
        for (number, line) in (1_u32..).zip(lines) {
            for word in words::names(line) {
                for import in by_name.get(word).into_iter().flatten() {
                    let lines = used.entry(*import).or_default();
                    if lines.last() != Some(&number) {
                        lines.push(number);
                    }
                }
            }
        }
        Self { used }
    }

    /// Writes into each symbol which imports it uses. Comments and blocks between symbols have none.
    pub fn assign(&self, parts: &mut [Part], lines: &[String]) {
        for part in parts.iter_mut().filter(|part| part.is_symbol) {
            part.imports = self
                .used
                .iter()
                .filter(|(import, used)| {
                    let at = used.partition_point(|line| *line < part.start);
                    lines.len() >= **import as usize
                        && used.get(at).is_some_and(|line| *line <= part.end)
                })
                .map(|(import, _)| *import)
                .collect();
        }
    }
}

/// The names that an import brings: those that it lists, or the last part of the module.
fn names(import: &Import) -> impl Iterator<Item = &str> {
    let listed = import.names.iter().map(String::as_str).filter(|name| *name != "*");
    let whole = import.names.iter().all(|name| name == "*");
    let last = words::names(import.path.trim_end_matches(".h")).last();
    listed.chain(last.filter(|_| whole))
}
