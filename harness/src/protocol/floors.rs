//! Floors only rise: no number that a run is judged by may be weaker than in the version before.

use std::{collections::BTreeMap, fs, path::Path};

use record::exit;

use crate::Failure;

/// The files with numbers that runs are judged by. Of an older protocol, only they are kept.
pub const COMPARED: [&str; 4] = ["floors.toml", "formats.toml", "gates.toml", "scoring.toml"];

/// Which way a number may go from one version to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Up,
    Down,
}

/// What the protocol in folder `now` demands less than the one in folder `before`: file, key, both
/// values.
///
/// # Errors
/// A file of either cannot be read.
pub fn lowered(before: &Path, now: &Path) -> Result<Vec<String>, Failure> {
    let mut lowered = Vec::new();
    for file in COMPARED {
        let (before, now) = (numbers(&before.join(file))?, numbers(&now.join(file))?);
        for (key, was) in &before {
            let Some(way) = way(file, key) else { continue };
            match (now.get(key), way) {
                (Some(is), Way::Up) if is >= was => {}
                (Some(is), Way::Down) if is <= was => {}
                (Some(is), _) => lowered.push(format!("{file}: {key} was {was}, is {is}")),
                (None, _) => lowered.push(format!("{file}: {key} was {was}, is gone")),
            }
        }
    }
    Ok(lowered)
}

/// Which way a number may go; `None` for one that nothing is judged by.
fn way(file: &str, key: &str) -> Option<Way> {
    let last = key.rsplit('.').next().unwrap_or(key);
    let in_table = |table: &str| key.split('.').next() == Some(table);
    match last {
        // More gold, and more files that are looked at, are a harder test.
        "max_files_per_corpus" | "max_files_per_explorer" | "max_file_bytes" => Some(Way::Up),
        // Below `min_shared` files an order is only reported.
        "mape" | "accepted_error" | "line_tolerance" | "min_shared" => Some(Way::Down),
        _ if file == "floors.toml" || key.contains(REQUIRED) => Some(Way::Up),
        // With a higher minimum, fewer languages are judged.
        _ if in_table("minimum_sample") => Some(Way::Down),
        _ if in_table("thresholds") || last.starts_with("min_") => Some(Way::Up),
        _ if last.starts_with("max_") => Some(Way::Down),
        _ => None,
    }
}

/// What stands in a key between a list of what is required and one of its entries.
const REQUIRED: &str = " requires ";

/// The numbers of a TOML file by the path of their key. An entry of a list of what is required is a
/// number, too: 1.
fn numbers(path: &Path) -> Result<BTreeMap<String, f64>, Failure> {
    let failed = |why: String| {
        let why = format!("{} cannot be used: {why}", path.display());
        Failure::new(exit::SETUP, why)
    };
    let text = fs::read_to_string(path).map_err(|error| failed(error.to_string()))?;
    let table: toml::Table = toml::from_str(&text).map_err(|error| failed(error.to_string()))?;
    let mut numbers = BTreeMap::new();
    let mut pending = vec![(String::new(), toml::Value::Table(table))];
    while let Some((key, value)) = pending.pop() {
        match value {
            toml::Value::Integer(number) => drop(numbers.insert(key, number as f64)),
            toml::Value::Float(number) => drop(numbers.insert(key, number)),
            toml::Value::Table(table) => {
                let dot = if key.is_empty() { "" } else { "." };
                pending.extend(
                    table.into_iter().map(|(name, value)| (format!("{key}{dot}{name}"), value)),
                );
            }
            toml::Value::Array(entries) if last_is_required(&key) => {
                let names = entries.iter().filter_map(toml::Value::as_str);
                numbers.extend(names.map(|name| (format!("{key}{REQUIRED}{name}"), 1.0)));
            }
            _ => {}
        }
    }
    Ok(numbers)
}

fn last_is_required(key: &str) -> bool {
    key.rsplit('.').next().is_some_and(|last| last.starts_with("required"))
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use tempfile::TempDir;

    use super::{COMPARED, lowered};

    const FILES: [&str; 4] = [
        "protocol_version = 1\nmin_real_files = 10\n[sets.smoke]\nc = { files = 5, definitions = 9 }\n",
        "version = 3\n[gold]\nmax_files_per_corpus = 5\n[thresholds.parity]\nmicro_f1 = 0.9\nmape = 0.1\n\
         [formats.json]\nrequired = [\"/a.b\", \"/c\"]\n",
        "protocol_version = 1\n[a1]\ntop = 30\nmin_jaccard = 0.85\nmin_shared = 3\n[exact]\nmax_rank_error = 1e-12\n",
        "version = 1\n[minimum_sample]\nfiles = 10\n[disclosure]\nmax_files_per_explorer = 25\n[thresholds.parity.floor]\nsymbol_recall = 0.85\n",
    ];

    fn folder(texts: &[String; 4]) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (file, text) in COMPARED.iter().zip(texts) {
            fs::write(folder.path().join(file), text).unwrap();
        }
        folder
    }

    /// What is lowered by one replacement.
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
            ("\"/a.b\", ", "", "formats.json.required requires /a.b was 1, is gone"),
            ("min_jaccard = 0.85", "min_jaccard = 0.8", "a1.min_jaccard"),
            ("min_shared = 3", "min_shared = 4", "a1.min_shared"),
            ("1e-12", "1e-2", "exact.max_rank_error"),
            ("files = 10", "files = 11", "minimum_sample.files"),
            ("per_explorer = 25", "per_explorer = 24", "disclosure.max_files_per_explorer"),
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
            ("top = 30", "top = 20"),
            ("version = 3", "version = 2"),
        ] {
            assert_eq!(replaced(from, to), [""; 0], "{from} -> {to}");
        }
    }

    #[test]
    fn a_protocol_without_one_of_the_files_cannot_be_compared() {
        let before = folder(&FILES.map(str::to_owned));
        assert!(lowered(before.path(), Path::new("/nowhere")).is_err());
    }
}
