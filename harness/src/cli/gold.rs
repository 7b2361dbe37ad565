//! `parity gold`: makes and checks gold.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use clap::{Args, Subcommand};
use record::{
    Gold as Labels, GoldFile, VisibilityClass, exit, gold::CorpusShare, write_atomically,
};
use serde_json::json;

use crate::{
    Failure, Folders,
    console::{Output, Teller, talk},
    gold::{Frozen, Generator, agreements, crosscheck, ctags_version},
    oracle::{Installed, OracleSpec, Programs, install},
    planning::Corpora,
};

/// Where oracles are, relative to the checkout.
const ORACLES: &str = "comparators/oracles";

/// Make or check the labels that explorations are scored against.
#[derive(Debug, Args)]
pub struct Gold {
    #[command(subcommand)]
    action: Action,
    /// Print one JSON object.
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Make new gold and replace the current gold with it.
    Generate(Selection),
    /// Make gold again and compare it with the current gold; changes nothing.
    Check(Selection),
    /// Report how far universal-ctags agrees with the current gold.
    Crosscheck {
        #[command(flatten)]
        selection: Selection,
        /// Also write the table to this file.
        #[arg(long, value_name = "FILE")]
        report: Option<PathBuf>,
    },
}

#[derive(Debug, Args)]
struct Selection {
    /// Only these languages, separated by commas.
    #[arg(long, value_name = "LANGUAGE", value_delimiter = ',')]
    language: Vec<String>,
    /// Only corpora whose name matches this regular expression; the labels of others stay.
    #[arg(long, value_name = "REGEX")]
    corpus: Option<regex::Regex>,
}

/// The result for one language.
struct Made {
    language: String,
    files: u64,
    symbols: usize,
    imports: usize,
    entities: usize,
    excluded: BTreeMap<String, u64>,
    /// Files whose labels differ from the current gold; absent if nothing was compared.
    different: Option<Vec<String>>,
}

impl Gold {
    /// Runs the action.
    pub fn run(self) -> Result<u8, Failure> {
        let folders = Folders::find()?;
        let (selection, write) = match &self.action {
            Action::Crosscheck { selection, report } => {
                return self.crosscheck(&folders, selection, report.as_deref());
            }
            Action::Generate(selection) => (selection, true),
            Action::Check(selection) => (selection, false),
        };
        let frozen = Frozen::draft(&folders.root).map_err(|error| fail(&error))?;
        let (scoring, formats) = (frozen.scoring.clone(), frozen.formats.clone());
        let corpora =
            Corpora::ensure(&folders, &["smoke", "full", "formats"], selection.corpus.as_ref())?;
        let mut generator = Generator::new(&scoring, &formats);
        for (row, ready) in &corpora.ready {
            generator
                .add(&row.name, row.fingerprint(), &ready.path)
                .map_err(|error| Failure::new(exit::IO, error.to_string()))?;
        }
        let names: BTreeSet<&str> =
            corpora.ready.iter().map(|(row, _)| row.name.as_str()).collect();
        let mut made = Vec::new();
        let mut missing = Vec::new();
        let mut differs = false;
        for spec in specs(&folders, &frozen)? {
            let languages: Vec<String> = wanted(&spec, selection)
                .into_iter()
                .filter(|language| generator.planned(&spec, language) > 0)
                .collect();
            if languages.is_empty() {
                continue;
            }
            let oracle = match place(&spec, &folders) {
                Ok(oracle) => oracle,
                Err(failure) => {
                    // If an oracle cannot be installed, the gold of other languages is still made.
                    missing.push(format!("{}: {failure}", spec.name()));
                    continue;
                }
            };
            for language in languages {
                let planned = generator.planned(&spec, &language);
                talk(&format!("{language}: asking {} about {planned} files", spec.definition.name));
                let fresh = generator
                    .generate(&oracle, &language, &mut |_| ())
                    .map_err(|error| Failure::new(exit::SETUP, format!("{language}: {error}")))?;
                let outcome = if write {
                    let old = frozen.gold(&language).ok();
                    let merged = merge(old, fresh, &names);
                    frozen.put(&merged).map_err(|error| fail(&error))?;
                    summary(&language, &merged, None)
                } else {
                    let old = frozen.gold(&language).map_err(|error| fail(&error))?;
                    let different = differences(&old, &fresh, &names);
                    differs |= !different.is_empty();
                    summary(&language, &fresh, Some(different))
                };
                made.push(outcome);
            }
        }
        let printed = self.print(&made, &missing);
        if made.is_empty() && missing.is_empty() {
            talk("no oracle covers the selection");
            return Failure::after(printed, exit::NOTHING_RAN);
        }
        Failure::after(printed, exit_code(differs, !missing.is_empty()))
    }

    /// A second opinion on the current gold. ctags does not know the entities of data formats.
    fn crosscheck(
        &self,
        folders: &Folders,
        selection: &Selection,
        report: Option<&Path>,
    ) -> Result<u8, Failure> {
        let setup = |error: &dyn std::fmt::Display| Failure::new(exit::SETUP, error.to_string());
        let version = ctags_version().map_err(|error| setup(&error))?;
        let frozen = Frozen::open(&folders.root).map_err(|error| fail(&error))?;
        let corpora = Corpora::ensure(folders, &["smoke", "full"], selection.corpus.as_ref())?;
        let mut rows = Vec::new();
        for language in frozen.languages() {
            let asked = selection.language.is_empty()
                || selection.language.iter().any(|one| one == language);
            if !asked || frozen.formats.formats.contains_key(language) {
                continue;
            }
            let gold = frozen.gold(language).map_err(|error| fail(&error))?;
            let roots = corpora.ready.iter().map(|(row, ready)| (row.name.as_str(), &ready.path));
            rows.push(crosscheck(&gold, roots).map_err(|error| setup(&error))?);
        }
        let table = agreements(&version, &rows);
        if let Some(path) = report {
            write_atomically(path, table.as_bytes())
                .map_err(|error| Failure::new(exit::IO, error.to_string()))?;
        }
        let mut out = Output::new();
        if self.json {
            let languages: Vec<_> = rows
                .iter()
                .map(|row| {
                    json!({
                        "language": row.language, "files": row.files, "gold": row.gold,
                        "ctags": row.tags, "both": row.both,
                    })
                })
                .collect();
            let document = json!({"schema_version": 1, "ctags": version, "languages": languages});
            out.json(&document)?;
        } else {
            write!(out, "{table}")?;
        }
        out.flush()?;
        Ok(if rows.is_empty() { exit::NOTHING_RAN } else { exit::PASS })
    }

    fn print(&self, made: &[Made], missing: &[String]) -> Result<(), Failure> {
        let mut out = Output::new();
        if self.json {
            let languages: Vec<_> = made
                .iter()
                .map(|made| {
                    json!({
                        "language": made.language, "files": made.files, "symbols": made.symbols,
                        "imports": made.imports, "entities": made.entities, "excluded": made.excluded,
                        "different": made.different,
                    })
                })
                .collect();
            let document =
                json!({"schema_version": 1, "languages": languages, "missing_oracles": missing});
            out.json(&document)?;
            return Ok(out.flush()?);
        }
        for made in made {
            let excluded: Vec<String> =
                made.excluded.iter().map(|(why, count)| format!("{count} {why}")).collect();
            writeln!(
                out,
                "{:16} {:>6} files {:>8} symbols {:>7} imports {:>8} entities, excluded: {}",
                made.language,
                made.files,
                made.symbols,
                made.imports,
                made.entities,
                if excluded.is_empty() { "none".to_owned() } else { excluded.join(", ") },
            )?;
            for file in made.different.iter().flatten() {
                writeln!(out, "  differs: {file}")?;
            }
        }
        for line in missing {
            writeln!(out, "missing {line}")?;
        }
        Ok(out.flush()?)
    }
}

fn fail(error: &crate::gold::FrozenError) -> Failure {
    Failure::new(error.exit_code(), error.to_string())
}

/// All oracles, checked against the protocol: for each language that the protocol scores, both must
/// state the same class of visibility.
fn specs(folders: &Folders, frozen: &Frozen) -> Result<Vec<OracleSpec>, Failure> {
    let setup = |why: String| Failure::new(exit::SETUP, why);
    let specs =
        OracleSpec::all(&folders.root.join(ORACLES)).map_err(|error| setup(error.to_string()))?;
    let mut served = BTreeMap::new();
    for spec in &specs {
        for language in &spec.definition.languages {
            if let Some(other) = served.insert(language.clone(), spec.name()) {
                return Err(setup(format!("{other} and {} both serve {language}", spec.name())));
            }
            let of_format = frozen.formats.formats.get(language).map(|_| VisibilityClass::None);
            let of_code = frozen.scoring.languages.get(language).map(|rules| rules.visibility);
            let says = spec.definition.visibility;
            // A language without a row in the protocol is only reported, so any class is accepted.
            let protocol = of_code.or(of_format).unwrap_or(says);
            if protocol != says {
                return Err(setup(format!(
                    "{language}: the oracle's visibility is {says:?}, the protocol's {protocol:?}; \
                     make them agree"
                )));
            }
        }
    }
    Ok(specs)
}

fn wanted(spec: &OracleSpec, selection: &Selection) -> Vec<String> {
    let all = spec.definition.languages.iter();
    all.filter(|language| selection.language.is_empty() || selection.language.contains(language))
        .cloned()
        .collect()
}

fn place(spec: &OracleSpec, folders: &Folders) -> Result<Installed, Failure> {
    let mut teller = Teller::new();
    let mut programs = Programs::default();
    let placed = install(spec, &folders.cache, &mut programs, &mut |line| teller.tell(line))
        .map_err(|error| Failure::new(error.exit_code(), error.to_string()));
    teller.finish();
    placed
}

/// The new labels for the corpora in `names`, and the old ones for all others.
fn merge(old: Option<Labels>, mut fresh: Labels, names: &BTreeSet<&str>) -> Labels {
    // Labels of another oracle are dropped instead of mixed with the new ones.
    let same = |old: &Labels| old.header.oracle_sha256 == fresh.header.oracle_sha256;
    if let Some(old) = old.filter(same) {
        let keep = |corpus: &str| !names.contains(corpus);
        fresh.files.extend(old.files.into_iter().filter(|file| keep(&file.corpus)));
        fresh.header.corpora.extend(old.header.corpora.into_iter().filter(|(name, _)| keep(name)));
        fresh.files.sort_by(|a, b| (&a.corpus, &a.file).cmp(&(&b.corpus, &b.file)));
    }
    fresh
}

/// The files whose labels differ between the current gold and new labels, in the corpora in `names`.
fn differences(old: &Labels, fresh: &Labels, names: &BTreeSet<&str>) -> Vec<String> {
    let here = |gold: &Labels| -> BTreeMap<(String, String), GoldFile> {
        let files = gold.files.iter().filter(|file| names.contains(file.corpus.as_str()));
        files.map(|file| ((file.corpus.clone(), file.file.clone()), file.clone())).collect()
    };
    let (old_files, new_files) = (here(old), here(fresh));
    let keys: BTreeSet<_> = old_files.keys().chain(new_files.keys()).collect();
    let mut different: Vec<String> = keys
        .into_iter()
        .filter(|key| old_files.get(key) != new_files.get(key))
        .map(|(corpus, file)| format!("{corpus}/{file}"))
        .collect();
    let identity = |gold: &Labels| {
        let header = &gold.header;
        (header.oracle_sha256.clone(), header.oracle_said.clone())
    };
    if identity(old) != identity(fresh) {
        different.push(format!("the oracle: {:?}, now {:?}", identity(old), identity(fresh)));
    }
    different
}

/// The exit code for what was made or compared. A difference counts more than a missing prerequisite,
/// because it is certain.
const fn exit_code(differs: bool, missing: bool) -> u8 {
    if differs {
        exit::DIGEST
    } else if missing {
        exit::SETUP
    } else {
        exit::PASS
    }
}

fn summary(language: &str, gold: &Labels, different: Option<Vec<String>>) -> Made {
    let mut excluded: BTreeMap<String, u64> = BTreeMap::new();
    for CorpusShare { excluded: reasons, .. } in gold.header.corpora.values() {
        for (why, count) in reasons {
            *excluded.entry(why.clone()).or_default() += count;
        }
    }
    Made {
        language: language.to_owned(),
        files: gold.labelled().count() as u64,
        symbols: gold.labelled().map(|file| file.labels.symbols.len()).sum(),
        imports: gold.labelled().map(|file| file.labels.imports.len()).sum(),
        entities: gold.labelled().map(|file| file.labels.entities.len()).sum(),
        excluded,
        different,
    }
}

#[cfg(test)]
mod tests {
    use record::exit;

    use super::exit_code;

    #[test]
    fn a_missing_oracle_hides_no_difference() {
        for (differs, missing, code) in [
            (false, false, exit::PASS),
            (false, true, exit::SETUP),
            (true, false, exit::DIGEST),
            (true, true, exit::DIGEST),
        ] {
            assert_eq!(exit_code(differs, missing), code);
        }
    }
}
