//! Explorers of code, through the one public door, on texts written for the purpose.

mod go;
mod hostile;
mod javascript;
mod kotlin;
mod ocaml;
mod python;
mod styles;
mod systems;
mod twins;
mod typescript;

use base::profile::Profile;
use explore::{Exploration, Input, Options, Project, explore};

use crate::support::json::fact;

/// Explores a text under a name, in no project.
fn look(name: &str, text: &str, profile: Profile) -> Exploration {
    // The texts are shorter than their summaries.
    let options = Options { short: false, ..Options::from(profile) };
    explore(&Input::memory(name, text.as_bytes()), &Project::default(), options)
}

/// Symbols as `kind parent.name line exported`, in order.
fn symbols(found: &Exploration) -> Vec<String> {
    let symbol = |one: &explore::Symbol| {
        let parent = one.parent.as_ref().map(|of| format!("{of}.")).unwrap_or_default();
        let exported = if one.exported == Some(true) { " exported" } else { "" };
        format!("{} {parent}{} {}{exported}", one.kind.as_str(), one.name, one.line)
    };
    found.symbols.iter().map(symbol).collect()
}

/// Imports as `category path`.
fn imports(found: &Exploration) -> Vec<String> {
    found.imports.iter().map(|one| format!("{} {}", one.category.as_str(), one.path)).collect()
}
