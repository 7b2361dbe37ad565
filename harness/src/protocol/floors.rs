//! Floors only rise: no threshold may be weaker than in the version before.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use record::exit;
use serde::Serialize;

use crate::Failure;

/// The files with the numbers and lists that runs are judged by. Only these are kept of an older protocol.
pub const COMPARED: [&str; 6] =
    ["floors.toml", "formats.toml", "gates.toml", MODELS, NOISE, "scoring.toml"];

/// The file among them that came with protocol 4.
const MODELS: &str = "models.toml";
/// The file among them that came with protocol 2.
const NOISE: &str = "noise.toml";

/// Which way a value may go from one version to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Up,
    Down,
    /// It must not change: another value would measure something else.
    Same,
    /// It may change: nothing is judged by it.
    Free,
}

/// The values that are weaker in the protocol in folder `now` than in the one in folder `before`, in sentences
/// with file, key and both values. A key without a known direction is named, too: it could be lowered unseen.
///
/// # Errors
/// A file of either protocol cannot be read.
pub fn lowered(before: &Path, now: &Path) -> Result<Vec<String>, Failure> {
    let mut lowered = Vec::new();
    for file in COMPARED {
        let now = values(&now.join(file))?;
        let before = before.join(file);
        let later = [MODELS, NOISE].contains(&file);
        let before = if later && !before.exists() { BTreeMap::new() } else { values(&before)? };
        let keys: BTreeSet<&String> = before.keys().chain(now.keys()).collect();
        for key in keys {
            let Some(way) = way(file, key) else {
                lowered.push(format!("{file}: {key} has no direction in which it may go"));
                continue;
            };
            if let Some(less) = less(key, way, before.get(key), now.get(key)) {
                lowered.push(format!("{file}: {less}"));
            }
        }
    }
    Ok(lowered)
}

/// The direction in which a number or an entry of a list changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Turn {
    /// More is demanded.
    Stricter,
    /// Less is demanded.
    Weaker,
}

/// The direction in which a number changed; `None` if nothing is judged by it, or it measures something else.
pub fn turn(file: &str, key: &str, was: Option<f64>, is: Option<f64>) -> Option<Turn> {
    if !COMPARED.contains(&file) {
        return None;
    }
    let way = way(file, key)?;
    let weaker =
        |was: Option<f64>, is: Option<f64>| less(key, way, was.as_ref(), is.as_ref()).is_some();
    match (weaker(was, is), weaker(is, was)) {
        (true, false) => Some(Turn::Weaker),
        (false, true) => Some(Turn::Stricter),
        _ => None,
    }
}

/// Whether runs are judged by this value, so that it may change in one direction only.
pub fn judges(file: &str, key: &str) -> bool {
    COMPARED.contains(&file) && matches!(way(file, key), Some(Way::Up | Way::Down | Way::Same))
}

/// Says in words that a value is weaker than it was; `None` if it is not.
fn less(key: &str, way: Way, was: Option<&f64>, is: Option<&f64>) -> Option<String> {
    // An entry counts as 1 if it is in the list, else as 0.
    let in_list = key.contains(HAS);
    let (was, is) = if in_list {
        (was.copied().unwrap_or(0.0), is.copied().unwrap_or(0.0))
    } else {
        match (was, is) {
            (None, _) => return None,
            (Some(_), None) if way == Way::Free => return None,
            (Some(was), None) => return Some(format!("{key} was {was}, is gone")),
            (Some(was), Some(is)) => (*was, *is),
        }
    };
    let holds = match way {
        Way::Up => is >= was,
        Way::Down => is <= was,
        Way::Same => is == was,
        Way::Free => true,
    };
    if holds {
        None
    } else if in_list && is < was {
        Some(format!("{key} no more"))
    } else if in_list {
        Some(format!("{key} now"))
    } else {
        Some(format!("{key} was {was}, is {is}"))
    }
}

/// The direction in which the value of a key may change; `None` for a key without a rule.
fn way(file: &str, key: &str) -> Option<Way> {
    let table = key.split('.').next().unwrap_or(key);
    if let Some((list, _)) = key.split_once(HAS) {
        let last = list.rsplit('.').next().unwrap_or(list);
        return match last {
            // Required entries, the values that every case is run with, and languages of which a metric is judged.
            "budgets" | "gain_budgets" | "modes" | "threads" | "locales" | "sets" | "entities"
            | "models" | "unknown" | "callables" | "others" | "stated" => Some(Way::Up),
            _ if last.starts_with("required") => Some(Way::Up),
            // Entries that are allowed, and kinds that count as the same.
            "valued_flags"
            | "switches"
            | "file_sources"
            | "multiplier_sources"
            | "enhancement_languages"
            | "enhancement_extensions" => Some(Way::Down),
            _ if table == "kind_classes" => Some(Way::Down),
            "separators" => Some(Way::Same),
            "commits" => Some(Way::Free),
            _ => None,
        };
    }
    match key.rsplit('.').next().unwrap_or(key) {
        "version" | "protocol_version" => Some(Way::Free),
        // More gold and more explored files make a harder test; so do a wider interval and more
        // draws for it.
        "max_files_per_corpus"
        | "max_files_per_explorer"
        | "max_file_bytes"
        | "interval_above"
        | "lead_above"
        | "confidence"
        | "resamples" => Some(Way::Up),
        // More seeded runs, and of more corpora.
        "seeds" | "max_cpu_seconds" if file == NOISE => Some(Way::Up),
        // Below `min_shared` files an order is only reported, and with a higher
        // `min_tasks_of_language`, fewer languages are judged by themselves.
        "mape" | "accepted_error" | "line_tolerance" | "min_shared" | "min_tasks_of_language" => {
            Some(Way::Down)
        }
        // Another seed draws other samples.
        "seed" if ["e1", "n1"].contains(&table) => Some(Way::Same),
        "budget" if table == "u1" => Some(Way::Same),
        "top" | "wide_budget" => Some(Way::Same),
        _ if file == "floors.toml" => Some(Way::Up),
        // With a higher minimum, fewer languages are judged.
        _ if table == "minimum_sample" => Some(Way::Down),
        last if table == "thresholds" || last.starts_with("min_") => Some(Way::Up),
        last if last.starts_with("max_") => Some(Way::Down),
        _ => None,
    }
}

/// Separates a list from one of its entries in a key.
pub const HAS: &str = " has ";

/// The numbers of a TOML file by the path of their key, and the entries of its lists: 1 for each.
fn values(path: &Path) -> Result<BTreeMap<String, f64>, Failure> {
    let failed = |why: String| {
        let why = format!("{} cannot be used: {why}", path.display());
        Failure::new(exit::SETUP, why)
    };
    let text = fs::read_to_string(path).map_err(|error| failed(error.to_string()))?;
    let table: toml::Table = toml::from_str(&text).map_err(|error| failed(error.to_string()))?;
    let mut values = BTreeMap::new();
    let mut pending = vec![(String::new(), toml::Value::Table(table))];
    while let Some((key, value)) = pending.pop() {
        match value {
            toml::Value::Integer(number) => drop(values.insert(key, number as f64)),
            toml::Value::Float(number) => drop(values.insert(key, number)),
            toml::Value::Table(table) => {
                let dot = if key.is_empty() { "" } else { "." };
                pending.extend(
                    table.into_iter().map(|(name, value)| (format!("{key}{dot}{name}"), value)),
                );
            }
            toml::Value::Array(entries) => {
                let entry = |entry: &toml::Value| {
                    entry.as_str().map_or_else(|| entry.to_string(), str::to_owned)
                };
                values.extend(entries.iter().map(|one| (format!("{key}{HAS}{}", entry(one)), 1.0)));
            }
            _ => {}
        }
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use tempfile::TempDir;

    use super::{COMPARED, lowered};

    const FILES: [&str; 6] = [
        "protocol_version = 1\nmin_real_files = 10\n[sets.smoke]\nc = { files = 5, definitions = 9 }\n",
        "version = 3\n[gold]\nmax_files_per_corpus = 5\n[thresholds.parity]\nmicro_f1 = 0.9\nmape = 0.1\n\
         [formats.json]\nrequired = [\"/a.b\", \"/c\"]\n",
        "protocol_version = 1\nbudgets = [1024, 2048]\n[a1]\ntop = 30\nmin_jaccard = 0.85\nmin_shared = 3\n\
         [a4]\nmodes = [\"auto\", \"manual\"]\n[a6]\nswitches = [\"--json\"]\n[exact]\nmax_rank_error = 1e-12\n",
        "corpus = \"c\"\nmin_equal_models = 2\nmodels = [\"a\", \"b\"]\nunknown = [\"b\"]\n",
        "seeds = 8\nsets = [\"full\"]\nmax_cpu_seconds = 15.0\n",
        "version = 1\n[minimum_sample]\nfiles = 10\n[disclosure]\nmax_files_per_explorer = 25\n[end_lines]\ncallables = [\"go\"]\nothers = [\"c\"]\n[imported_names]\nstated = [\"r\"]\n[thresholds.parity.floor]\nsymbol_recall = 0.85\n",
    ];

    fn folder(texts: &[String; 6]) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (file, text) in COMPARED.iter().zip(texts) {
            fs::write(folder.path().join(file), text).unwrap();
        }
        folder
    }

    /// The sentences about what one replacement lowers.
    fn replaced(from: &str, to: &str) -> Vec<String> {
        let before = FILES.map(str::to_owned);
        let now = before.clone().map(|text| text.replace(from, to));
        assert_ne!(before, now, "{from}");
        lowered(folder(&before).path(), folder(&now).path()).unwrap()
    }

    #[test]
    fn a_weaker_number_is_named_and_a_stronger_one_is_not() {
        for (from, to, key) in [
            ("files = 5,", "files = 4,", "sets.smoke.c.files was 5, is 4"),
            ("c = {", "d = {", "sets.smoke.c.definitions was 9, is gone"),
            ("min_real_files = 10", "min_real_files = 9", "min_real_files"),
            ("micro_f1 = 0.9", "micro_f1 = 0.8", "thresholds.parity.micro_f1"),
            ("mape = 0.1", "mape = 0.2", "thresholds.parity.mape"),
            ("max_files_per_corpus = 5", "max_files_per_corpus = 3", "gold.max_files_per_corpus"),
            ("\"/a.b\", ", "", "formats.json.required has /a.b no more"),
            ("min_jaccard = 0.85", "min_jaccard = 0.8", "a1.min_jaccard"),
            ("min_shared = 3", "min_shared = 4", "a1.min_shared"),
            ("1e-12", "1e-2", "exact.max_rank_error"),
            ("top = 30", "top = 20", "a1.top was 30, is 20"),
            ("1024, ", "", "gates.toml: budgets has 1024 no more"),
            ("\"auto\", ", "", "a4.modes has auto no more"),
            ("[\"--json\"", "[\"--json\", \"--trace\"", "a6.switches has --trace now"),
            ("seeds = 8", "seeds = 7", "noise.toml: seeds"),
            ("= 15.0", "= 14.0", "noise.toml: max_cpu_seconds"),
            ("[a1]", "[a1]\nfraction = 1.0", "gates.toml: a1.fraction has no direction"),
            ("[a1]", "[a1]\nnames = [\"x\"]", "gates.toml: a1.names has x has no direction"),
            ("models = 2", "models = 1", "models.toml: min_equal_models was 2, is 1"),
            ("[\"a\", ", "[", "models.toml: models has a no more"),
            ("unknown = [\"b\"]", "unknown = []", "models.toml: unknown has b no more"),
            ("files = 10", "files = 11", "minimum_sample.files"),
            ("per_explorer = 25", "per_explorer = 24", "disclosure.max_files_per_explorer"),
            ("[\"go\"]", "[]", "end_lines.callables has go no more"),
            ("[\"c\"]", "[]", "end_lines.others has c no more"),
            ("[\"r\"]", "[]", "imported_names.stated has r no more"),
            (
                "symbol_recall = 0.85",
                "symbol_recall = 0.80",
                "thresholds.parity.floor.symbol_recall",
            ),
        ] {
            let found = replaced(from, to);
            assert!(found.iter().any(|line| line.contains(key)), "{from} -> {to}: {found:?}");
        }
        for (from, to) in [
            ("files = 5,", "files = 6,"),
            ("mape = 0.1", "mape = 0.05"),
            ("min_jaccard = 0.85", "min_jaccard = 0.9"),
            ("min_shared = 3", "min_shared = 2"),
            ("1024, ", "512, 1024, "),
            ("[\"--json\"]", "[]"),
            ("[\"go\"]", "[\"go\", \"c\"]"),
            ("[\"r\"]", "[\"r\", \"go\"]"),
            ("seeds = 8", "seeds = 9"),
            ("\"a\", \"b\"", "\"a\", \"b\", \"c\""),
            ("version = 3", "version = 2"),
        ] {
            assert_eq!(replaced(from, to), [""; 0], "{from} -> {to}");
        }
    }

    #[test]
    fn every_key_of_the_protocols_has_a_direction() {
        let protocols = Path::new(env!("CARGO_MANIFEST_DIR")).join("../protocols");
        let current = protocols.join(record::protocol::NAME);
        for before in [&protocols.join("v1"), &current] {
            assert_eq!(lowered(before, &current).unwrap(), [""; 0], "{}", before.display());
        }
    }

    #[test]
    fn a_protocol_without_one_of_the_files_cannot_be_compared() {
        let before = folder(&FILES.map(str::to_owned));
        assert!(lowered(before.path(), Path::new("/nowhere")).is_err());
    }
}
