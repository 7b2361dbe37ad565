//! Generates `enum GateId` from the files of the gates.

use std::{
    collections::BTreeMap,
    error::Error,
    fs,
    path::{Path, PathBuf},
};

/// Beginning of the line in a gate's file that states its name.
const NAME: &str = "pub(super) const NAME: &str = \"";

/// A gate.
#[derive(Debug)]
pub struct Gate {
    /// The file that defines it.
    file: PathBuf,
    /// Its name, which the file states.
    name: String,
}

/// The gates by their keys. A key is the name of the gate's file or folder.
pub type Gates = BTreeMap<String, Gate>;

/// The gates in a folder.
///
/// # Errors
/// The folder cannot be read, something in it is not a gate, or two gates have one name.
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
        let gate = Gate { name: name_in(&file)?, file };
        if let Some(other) = gates.insert(key.to_owned(), gate) {
            let other = other.file.display();
            return Err(format!("{} and {other} are one gate", path.display()).into());
        }
    }
    let mut names = BTreeMap::new();
    for Gate { file, name } in gates.values() {
        if let Some(other) = names.insert(name, file.display()) {
            return Err(format!("{} and {other} both have the name {name}", file.display()).into());
        }
    }
    Ok(gates)
}

/// The name of the gate that a file defines.
fn name_in(file: &Path) -> Result<String, String> {
    let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let name = text.lines().find_map(|line| line.strip_prefix(NAME)?.strip_suffix("\";"));
    name.map(str::to_owned).ok_or_else(|| {
        format!("{} does not state the name of its gate: `{NAME}…\";`", file.display())
    })
}

/// Checks that each table of a file of thresholds belongs to a gate.
///
/// # Errors
/// The text is not TOML, or has a table that does not belong to a gate.
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

/// The modules, `enum GateId` with one variant for each gate in order of the names, and `gate`, which has the gate of
/// each variant. Variant and type of a gate are named after its file: `VerticalSlice` in
/// `vertical_slice.rs`.
pub fn code(gates: &Gates) -> String {
    let mut by_name: Vec<(&String, &Gate)> = gates.iter().collect();
    by_name.sort_by_key(|(_, gate)| &gate.name);
    let (mut modules, mut variants, mut all) = (String::new(), String::new(), String::new());
    let (mut texts, mut names, mut rows) = (String::new(), String::new(), String::new());
    for (key, Gate { file, name }) in by_name {
        let gate = key.split('_').map(capitalised).collect::<String>();
        modules += &format!("#[path = {:?}]\nmod {key};\n", file.display().to_string());
        variants += &format!("    /// The gate `{name}`, of `gate/{key}`.\n    {gate},\n");
        all += &format!("Self::{gate}, ");
        texts += &format!("            Self::{gate} => {key}::NAME,\n");
        names +=
            &format!("            Self::{gate} => const {{ GateName::named({key}::NAME) }},\n");
        rows += &format!("        GateId::{gate} => &{key}::{gate},\n");
    }
    format!(
        "{modules}
/// A gate of this version. Gates are ordered by name; in JSON a gate is its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(try_from = \"GateName\", into = \"GateName\")]
pub enum GateId {{
{variants}}}

impl GateId {{
    /// Every gate, in order.
    pub const ALL: [Self; {}] = [{all}];

    /// Its name on the command line, in files and in reports.
    pub const fn as_str(self) -> &'static str {{
        match self {{
{texts}        }}
    }}

    /// Its name as it is written to files.
    pub const fn name(self) -> GateName {{
        match self {{
{names}        }}
    }}
}}

/// The gate with its title, its needs and its thresholds.
pub fn gate(id: GateId) -> &'static dyn Gate {{
    match id {{
{rows}    }}
}}
",
        gates.len()
    )
}

/// A word with a capital first letter.
fn capitalised(word: &str) -> String {
    let (first, rest) = word.split_at(word.len().min(1));
    first.to_uppercase() + rest
}
