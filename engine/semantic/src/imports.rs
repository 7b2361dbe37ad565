//! Which imports a part uses: those whose names occur in it as whole words.

use std::collections::{BTreeMap, BTreeSet};

use base::text::words;
use explore::Import;

use crate::Part;

/// Maximum number of imports with the same name that are kept. Without this limit, a file that
/// imports one name in each of its lines would need memory quadratic in its length.
const MOST_OF_NAME: usize = 16;

/// The imports of a file, and where their names occur.
#[derive(Debug)]
pub struct Imports {
    /// The lines of the imports whose names occur in a line, by that line; all lines are 1-based.
    used: BTreeMap<u32, BTreeSet<u32>>,
}

impl Imports {
    /// Searches lines for the names of imports.
    pub fn of(imports: &[Import], lines: &[String]) -> Self {
        let mut by_name: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
        for import in imports {
            for name in names(import) {
                let of_name = by_name.entry(name).or_default();
                if of_name.len() < MOST_OF_NAME {
                    of_name.insert(import.line);
                }
            }
        }
        let mut used: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
        if by_name.is_empty() {
            return Self { used };
        }
        for (number, line) in (1_u32..).zip(lines) {
            for of_name in words::names(line).filter_map(|word| by_name.get(word)) {
                used.entry(number).or_default().extend(of_name);
            }
        }
        Self { used }
    }

    /// Records in each symbol which imports it uses. Comments and blocks between symbols get none.
    pub fn assign(&self, parts: &mut [Part], lines: &[String]) {
        for part in parts.iter_mut().filter(|part| part.is_symbol) {
            let inside = self.used.range(part.start..).take_while(|(line, _)| **line <= part.end);
            let used: BTreeSet<u32> = inside.flat_map(|(_, imports)| imports).copied().collect();
            part.imports =
                used.into_iter().filter(|import| lines.len() >= *import as usize).collect();
        }
    }
}

/// The names that an import binds: those that it lists, or else the last part of the module.
fn names(import: &Import) -> impl Iterator<Item = &str> {
    let listed = import.names.iter().map(String::as_str).filter(|name| *name != "*");
    let whole = import.names.iter().all(|name| name == "*");
    let last = words::names(import.path.trim_end_matches(".h")).last();
    listed.chain(last.filter(|_| whole))
}
