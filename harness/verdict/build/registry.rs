//! Generates the registry of gates from the names of their files.

use std::{
    collections::BTreeMap,
    error::Error,
    fs,
    path::{Path, PathBuf},
};

/// The file of each gate by its key, which is the name of the file or of its folder.
pub type Gates = BTreeMap<String, PathBuf>;

/// The gates in a folder.
///
/// # Errors
/// The folder cannot be read, or something in it is not a gate.
pub fn gates(folder: &Path) -> Result<Gates, Box<dyn Error>> {
    let mut gates = Gates::new();
    let unreadable = |error: std::io::Error| format!("{}: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name == "mod.rs" {
            continue;
        }
        let (key, file) = match name.strip_suffix(".rs") {
            Some(key) => (key, path.clone()),
            None => (name.as_str(), path.join("mod.rs")),
        };
        let is_key = key.starts_with(|first: char| first.is_ascii_lowercase())
            && key.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
        if !is_key || !file.is_file() {
            return Err(format!(
                "{} is no gate: a gate is GATE.rs or GATE/mod.rs, its name in lower case with `_`; what gates \
                 share stands outside of that folder",
                path.display()
            )
            .into());
        }
        if let Some(other) = gates.insert(key.to_owned(), file) {
            return Err(format!("{} and {} are one gate", path.display(), other.display()).into());
        }
    }
    Ok(gates)
}

/// Checks that each table of a file of thresholds belongs to a gate.
///
/// # Errors
/// The text is not TOML, or has a table with the name of no gate.
pub fn owned(file: &str, text: &str, gates: &Gates) -> Result<(), Box<dyn Error>> {
    let thresholds = text.parse::<toml::Table>().map_err(|error| format!("{file}: {error}"))?;
    let mut tables = thresholds.iter().filter(|(_, value)| value.is_table()).map(|(key, _)| key);
    match tables.find(|key| !gates.contains_key(*key)) {
        None => Ok(()),
        Some(key) => {
            let wanted = format!("no {key}.rs and no {key}/mod.rs");
            Err(format!("{file} has [{key}], and harness/verdict/src/gate/ has {wanted}").into())
        }
    }
}

/// The modules, the list of the gates in order of their keys, and their names as constants. The file
/// of a gate defines its name, `GATE`, and its type, which has the name of the file: `VerticalSlice`
/// in `vertical_slice.rs`.
pub fn code(gates: &Gates) -> String {
    let (mut modules, mut rows, mut names) = (String::new(), String::new(), String::new());
    for (key, file) in gates {
        let gate = key.split('_').map(capitalised).collect::<String>();
        modules.push_str(&format!("#[path = {:?}]\nmod {key};\n", file.display().to_string()));
        rows.push_str(&format!("    ({key}::GATE, &{key}::{gate}),\n"));
        names.push_str(&format!(
            "    /// The gate of `gate/{key}`.\n    pub const {}: GateName = super::{key}::GATE;\n",
            key.to_uppercase()
        ));
    }
    format!(
        "{modules}\n/// Every gate with its name, in order of their files.\n\
         static GATES: [(GateName, &dyn Gate); {}] = [\n{rows}];\n\n\
         /// The names of the gates, called as their files are.\n\
         pub mod id {{\n    use record::GateName;\n\n{names}}}\n",
        gates.len()
    )
}

/// A word with a capital first letter.
fn capitalised(word: &str) -> String {
    let (first, rest) = word.split_at(word.len().min(1));
    first.to_uppercase() + rest
}
