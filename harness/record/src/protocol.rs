//! The protocol in force: its name, and the paths of its files in a checkout and in evidence.
//!
//! `protocols/current` names it. `protocols/README.md` says what each file holds.

/// Its name, such as `v2`: a folder of `protocols/` and one of `gold/`.
pub const NAME: &str = env!("PROTOCOL");
/// The file of a checkout that names it.
pub const CURRENT: &str = "protocols/current";
/// Folder of its files.
pub const FOLDER: &str = concat!("protocols/", env!("PROTOCOL"), "/");
/// Folder of its gold.
pub const GOLD: &str = concat!("gold/", env!("PROTOCOL"), "/");

/// Constants with the paths of files of the protocol.
macro_rules! files {
    ($($(#[$about:meta])* $name:ident = $file:literal;)*) => {
        $($(#[$about])* pub const $name: &str = concat!("protocols/", env!("PROTOCOL"), "/", $file);)*
    };
}

/// Folder of the files that gate B3 judges by. They belong to no version of the protocol, and each version
/// freezes them as they are, so a change needs a new file.
pub const RUNTIME_FOLDER: &str = "protocols/runtime/";
/// The inventory of the ways of large content into the store and out of it.
pub const PATHS: &str = "protocols/runtime/runtime_ingestion_paths.v1.json";
/// What the comparator of explorations does with large content.
pub const CONTRACTS: &str = "protocols/runtime/volt_contracts.toml";
/// What gate B3 asks of every path.
pub const RUNTIME: &str = "protocols/runtime/runtime_matrix.v1.toml";

files! {
    /// Thresholds of the A gates and of E1.
    GATES = "gates.toml";
    /// Rules and thresholds of B1 and B2, and the rules of gold.
    SCORING = "scoring.toml";
    /// Rules and thresholds of B4.
    FORMATS = "formats.toml";
    /// Which families of explorers must be proved.
    FAMILIES = "explorer_family_matrix.v1.json";
    /// How many files of each language the corpora must hold.
    FLOORS = "floors.toml";
    /// Where seeded runs of the comparator are due.
    NOISE = "noise.toml";
    /// Which models may be scored.
    TOKENIZERS = "tokenizer_support.v1.json";
    /// The models that gate A3 compares.
    MODELS = "models.toml";
    /// The call sequences of gate A4.
    SEQUENCES = "refresh_sequences.toml";
    /// What the tasks of gate E1 changed.
    TASKS = "tasks.jsonl";
    /// The places of gate N1, with what they mean.
    NAVIGATION = "navigation.jsonl";
    /// The questions of gate U1, with their answers.
    QUESTIONS = "questions.jsonl";
    /// Declared differences from the comparator.
    DEVIATIONS = "deviations.toml";
    /// What a sign-off must consist of.
    COMPOSITION = "composition.toml";
    /// Digests of everything that may not change under this version.
    FREEZE = "freeze.toml";
}

/// The version that some paths of a checkout are of, such as those that a plan rests on.
pub fn version_in<'a>(paths: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    paths.into_iter().find_map(|path| {
        let (name, _) = path.strip_prefix("protocols/")?.split_once('/')?;
        name.strip_prefix('v')?.parse::<u32>().ok().map(|_| name)
    })
}

#[cfg(test)]
mod tests {
    use super::version_in;

    #[test]
    fn paths_say_of_which_version_they_are() {
        let paths =
            ["gold/v9/c.jsonl.gz", "protocols/runtime/x.v1.json", "protocols/v2/gates.toml"];
        assert_eq!(version_in(paths), Some("v2"));
        assert_eq!(version_in(["protocols/current", "protocols/vx/gates.toml"]), None);
    }
}
