//! How long summaries are beside their files: `cargo run -p explore --example ratio -- FOLDER…`
//!
//! Of every text above 2 kB in the folders, in the enhancement profile: the bytes of the summary for each byte
//! of the file, by explorer. `reports/explore/ratio.txt` is what it prints over some of the locked corpora.

use std::{
    collections::BTreeMap,
    error::Error,
    fs,
    path::{Path, PathBuf},
};

use explore::{
    Input, Profile, Project,
    dispatch::{Family, dispatch},
    explore,
};

/// Smallest file that counts, and the largest, in bytes: larger ones are sampled, and their summaries are short
/// beside them whatever they show.
const SMALLEST: u64 = 2_000;
const LARGEST: u64 = 8 << 20;

#[derive(Default)]
struct Row {
    ratios: Vec<f64>,
    /// Files whose summary has more than they and a line.
    above: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    for folder in std::env::args().skip(1) {
        let root = PathBuf::from(&folder);
        let project = Project::at(&root);
        for file in files(&root)? {
            let name = file.strip_prefix(&root)?.to_string_lossy().into_owned();
            let Ok(input) = Input::open(&name, &file) else { continue };
            let size = input.size();
            let is_text = dispatch(&input, None)?.explorer.family != Family::Binary;
            if !(SMALLEST..=LARGEST).contains(&size) || !is_text {
                continue;
            }
            let found = explore(&input, &project, Profile::Enhancement);
            let shown = found.summary.len() as u64;
            let longest_line = found.summary.lines().next().map_or(0, str::len) as u64 + 1;
            for key in [found.explorer_used.as_str(), "all"] {
                let row = rows.entry(key.to_owned()).or_default();
                row.ratios.push(shown as f64 / size as f64);
                row.above += usize::from(shown > size + longest_line);
            }
        }
    }
    println!(
        "{:14} {:>6} {:>7} {:>7} {:>7} {:>6}",
        "explorer", "files", "median", "9 of 10", "largest", "longer"
    );
    for (key, mut row) in rows {
        row.ratios.sort_by(f64::total_cmp);
        let at = |share: f64| {
            let index = ((row.ratios.len() - 1) as f64 * share).round() as usize;
            row.ratios.get(index).copied().unwrap_or_default()
        };
        let count = row.ratios.len();
        println!(
            "{key:14} {count:6} {:7.3} {:7.3} {:7.3} {:6}",
            at(0.5),
            at(0.9),
            at(1.0),
            row.above
        );
    }
    Ok(())
}

/// The files below a folder, in the order of their paths.
fn files(root: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let (mut found, mut folders) = (Vec::new(), vec![root.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_dir() && entry.file_name() != ".git" {
                folders.push(entry.path());
            } else if kind.is_file() {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    Ok(found)
}
