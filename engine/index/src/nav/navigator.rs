//! Answers questions about one root.

use std::path::{Path, PathBuf};

use base::text::{paths, visible::visible};
use map::repo::{Present, present, root_of};

use super::{
    NavError, Query, Scope, Target,
    answer::{
        Definition, Definitions, Freshness, Hover, Location, ParseErrors, Parsed, Reference,
        References, Resolution, Warning,
    },
    classes::is_member,
    cut::{self, Cut},
    library::Files,
    meaning::{Meaning, Place},
    parse::{self, Outcome},
    show,
};
use crate::{
    crates,
    extractor::Navigated,
    gomod, packages,
    settings::Settings,
    store::Store,
    symbols::{Role, Symbols, supported},
    sync::{self, Library, language_of},
};

/// Note for definitions that were found by name only.
const BY_NAME: &str = "Found by name: another symbol of the same name may be meant.";
/// Note for names from outside the root.
const FROM_OUTSIDE: &str = "The name comes from outside of this repository.";
/// Note for documentation.
const OF_COMMENTS: &str = "Documentation is taken from comments; types are not inferred.";

/// Answers questions about one root. Each question first brings the index up to date with the
/// files, so no answer describes an older state of a file.
#[derive(Debug)]
pub struct Navigator {
    root: PathBuf,
    settings: Settings,
    store: Store,
    notice: Option<String>,
}

/// The symbol that a question is about.
struct Asked {
    /// The name.
    symbol: String,
    /// The file of the question, relative to the root; empty for a question by name alone.
    file: String,
    /// The occurrence; `None` for a question by name.
    at: Option<u32>,
}

impl Navigator {
    /// Opens the root around a directory. An unusable store is no error.
    ///
    /// # Errors
    /// The directory does not exist.
    pub fn open(dir: &Path, settings: Settings) -> Result<Self, NavError> {
        let root = root_of(dir).map_err(|error| NavError::Root(error.to_string()))?;
        let (store, notice) = Store::open(&settings.folder);
        Ok(Self { root, settings, store, notice })
    }

    /// The root, without symbolic links.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// What the user should know about the store, if anything.
    pub fn notice(&self) -> Option<&str> {
        self.notice.as_deref()
    }

    /// The definitions of a symbol.
    ///
    /// # Errors
    /// As [`NavError`] says.
    pub fn definition(&mut self, query: &Query) -> Result<Definitions, NavError> {
        self.ask(query, |files, asked, warning, freshness| {
            let (places, resolution) = meant(files, asked);
            let places = within(query.scope, &asked.file, places);
            let mut all: Vec<Definition> = places
                .iter()
                .filter_map(|place| show::definition(files, place, resolution))
                .collect();
            all.dedup();
            let total_count = all.len();
            let Cut { entries, cursor } = cut::cut(query, all)?;
            let note = match resolution {
                Resolution::External => FROM_OUTSIDE,
                Resolution::NameMatch => BY_NAME,
                _ => "",
            };
            Ok(Definitions {
                symbol: asked.symbol.clone(),
                definitions: entries,
                total_count,
                resolution,
                note: note.to_owned(),
                cursor,
                index: freshness,
                warning,
            })
        })
    }

    /// All uses of a symbol, including its definitions.
    ///
    /// # Errors
    /// As [`NavError`] says.
    pub fn references(&mut self, query: &Query) -> Result<References, NavError> {
        self.ask(query, |files, asked, warning, freshness| {
            let (places, how) = meant(files, asked);
            let mut all = Vec::new();
            for file in candidates(files, query.scope, asked) {
                uses(files, &file, asked, &places, how, &mut all);
            }
            let total_count = all.len();
            let resolution = all.iter().map(|one| one.resolution).max().unwrap_or(how);
            let Cut { entries, cursor } = cut::cut(query, all)?;
            Ok(References {
                symbol: asked.symbol.clone(),
                references: entries,
                total_count,
                resolution,
                cursor,
                index: freshness,
                warning,
            })
        })
    }

    /// The signature and documentation of a symbol's first definition.
    ///
    /// # Errors
    /// As [`NavError`] says; or the symbol has no definition in the root.
    pub fn hover(&mut self, query: &Query) -> Result<Hover, NavError> {
        let time = self.settings.parse_timeout_ms;
        self.ask(query, |files, asked, warning, freshness| {
            let (places, resolution) = meant(files, asked);
            let places = within(query.scope, &asked.file, places);
            let found = places.iter().find_map(|place| show::hover(files, place, time));
            let Some(found) = found else {
                return Err(not_found(files.library, query, asked, "identifier"));
            };
            Ok(Hover {
                symbol: asked.symbol.clone(),
                signature: found.signature,
                documentation: found.documentation,
                definition_location: Location { file_path: found.file_path, line: found.line },
                resolution,
                note: OF_COMMENTS.to_owned(),
                index: freshness,
                warning,
            })
        })
    }

    /// The definitions and the errors of a file.
    ///
    /// # Errors
    /// As [`NavError`] says.
    pub fn parse(&mut self, file: &Path) -> Result<Parsed, NavError> {
        let file = self.relative(file)?;
        parse::parsed(&self.root, &self.settings, &file)
    }

    /// Brings everything up to date, finds the symbol in question, and answers.
    fn ask<T>(
        &mut self,
        query: &Query,
        answer: impl FnOnce(&mut Files, &Asked, Option<Warning>, Freshness) -> Result<T, NavError>,
    ) -> Result<T, NavError> {
        let file = query.file.as_deref().map(|file| self.relative(file)).transpose()?;
        if file.is_none()
            && (query.scope != Scope::Project || matches!(query.target, Target::At { .. }))
        {
            let why = "a question without a file is one by name about the whole project";
            return Err(NavError::Invalid(why.to_owned()));
        }
        let file = file.unwrap_or_default();
        // The file of the question is parsed now, for its errors and the node at the place.
        let outcome = match &query.target {
            Target::At { line, column } => {
                Some(parse::at(&self.root, &self.settings, &file, *line, *column)?)
            }
            Target::Symbol(_) => None,
        };
        self.with_files(|_, mut files, freshness| {
            let warning = outcome.as_ref().and_then(|outcome| warning(&outcome.errors));
            let asked = asked(&mut files, query, &file, outcome)?;
            answer(&mut files, &asked, warning, freshness)
        })?
    }

    /// Brings the index up to date, and hands over the files.
    pub(super) fn with_files<T>(
        &mut self,
        visit: impl FnOnce(&Settings, Files, Freshness) -> T,
    ) -> Result<T, NavError> {
        let present = present(&self.root, &self.settings.excluded)
            .map_err(|error| NavError::Root(error.to_string()))?;
        let library = self.sync(&present)?;
        let freshness =
            Freshness { generation: library.generation, pending: library.pending.len() };
        let files = Files::new(&self.store, &self.settings, &present.folder, &library);
        Ok(visit(&self.settings, files, freshness))
    }

    fn sync(&mut self, present: &Present) -> Result<Library, NavError> {
        let level = Navigated::new();
        let synced = sync::sync(&mut self.store, &self.settings, present, &level, &|_, _| {});
        let mut library = match synced {
            Ok(library) => library,
            Err(error) => {
                self.notice = self.store.reopen_damaged(error);
                sync::sync(&mut self.store, &self.settings, present, &level, &|_, _| {})
                    .map_err(|error| NavError::Root(error.to_string()))?
            }
        };
        library.go_modules = gomod::modules(present);
        library.crates = crates::crates(present);
        library.packages = packages::packages(present);
        if library.notice.is_some() {
            self.notice.clone_from(&library.notice);
        }
        Ok(library)
    }

    /// A path relative to the root, with links resolved.
    fn relative(&self, file: &Path) -> Result<String, NavError> {
        let shown = file.to_string_lossy().into_owned();
        let failed = |why: String| NavError::Unreadable { file_path: shown.clone(), why };
        let found = std::fs::canonicalize(self.root.join(file))
            .map_err(|error| failed(error.to_string()))?;
        let below = found.strip_prefix(&self.root).map_err(|_| {
            failed(format!("it lies outside of {}", visible(&self.root.to_string_lossy())))
        })?;
        let rel = below.to_string_lossy().into_owned();
        if language_of(&self.settings, &rel).is_none() {
            let (_, extension) = paths::split_extension(&rel);
            let extension =
                if extension.is_empty() { paths::basename(&rel) } else { extension }.to_owned();
            let file_path = found.to_string_lossy().into_owned();
            let supported_extensions = supported();
            return Err(NavError::UnsupportedLanguage {
                file_path,
                extension,
                supported_extensions,
            });
        }
        Ok(rel)
    }
}

fn warning(errors: &ParseErrors) -> Option<Warning> {
    (errors.error_count > 0).then(|| Warning {
        code: "TS_PARSE_ERRORS".into(),
        message: "File parsed with errors (results may be incomplete)".to_owned(),
        details: errors.clone(),
    })
}

/// The symbol that the question is about.
fn asked(
    files: &mut Files,
    query: &Query,
    file: &str,
    outcome: Option<Outcome>,
) -> Result<Asked, NavError> {
    let asked = |symbol, at| Asked { symbol, file: file.to_owned(), at };
    match (&query.target, outcome) {
        (Target::Symbol(name), _) => {
            if files.with_name(name).is_empty() {
                let asked = asked(name.clone(), None);
                return Err(not_found(files.library, query, &asked, "none"));
            }
            Ok(asked(name.clone(), None))
        }
        (Target::At { .. }, Some(outcome)) => {
            let symbols = files.symbols(file);
            let at = outcome.start.and_then(|start| {
                let symbols = symbols.as_ref()?;
                symbols.occurrences.binary_search_by_key(&start, |one| one.start).ok()
            });
            let found = at.zip(symbols);
            match found.and_then(|(at, symbols)| {
                Some((at, symbols.occurrences.get(at).copied()?, symbols))
            }) {
                Some((at, one, symbols)) => {
                    Ok(asked(symbols.name(&one).to_owned(), Some(at as u32)))
                }
                None => Err(not_found(
                    files.library,
                    query,
                    &asked(String::new(), None),
                    &outcome.node_type,
                )),
            }
        }
        (Target::At { .. }, None) => Err(NavError::Invalid("no file is named".to_owned())),
    }
}

fn not_found(library: &Library, query: &Query, asked: &Asked, node_type: &str) -> NavError {
    let (line, column) = match query.target {
        Target::At { line, column } => (line, column),
        Target::Symbol(_) => (0, 0),
    };
    let file_path = match asked.file.as_str() {
        "" => String::new(),
        file => library.root.join(file).to_string_lossy().into_owned(),
    };
    NavError::SymbolNotFound { file_path, line, column, node_type: node_type.to_owned() }
}

/// What the symbol in question means, and how that was found.
fn meant(files: &mut Files, asked: &Asked) -> (Vec<Place>, Resolution) {
    let Some(at) = asked.at else {
        return (files.by_name(&asked.file, &asked.symbol, None), Resolution::NameMatch);
    };
    match files.meaning(&asked.file, at) {
        Meaning::Known(places, how) => (places, how),
        Meaning::External => (Vec::new(), Resolution::External),
        Meaning::Unknown => (files.namesakes(&asked.file, at), Resolution::NameMatch),
    }
}

/// The places that lie within the scope of the question.
fn within(scope: Scope, file: &str, places: Vec<Place>) -> Vec<Place> {
    places.into_iter().filter(|place| is_within(scope, file, &place.file)).collect()
}

fn is_within(scope: Scope, file: &str, other: &str) -> bool {
    let folder = super::modules::folder;
    match scope {
        Scope::File => file == other,
        Scope::Directory => folder(file) == folder(other),
        Scope::Project => true,
    }
}

/// The files in which uses are searched.
fn candidates(files: &mut Files, scope: Scope, asked: &Asked) -> Vec<String> {
    let family = files.family(&asked.file);
    let named = files.with_name(&asked.symbol);
    let is_candidate = |other: &&String| {
        is_within(scope, &asked.file, other) && (family.is_empty() || files.family(other) == family)
    };
    named.iter().filter(is_candidate).cloned().collect()
}

/// The uses of a symbol in one file.
fn uses(
    files: &mut Files,
    file: &str,
    asked: &Asked,
    places: &[Place],
    how: Resolution,
    all: &mut Vec<Reference>,
) {
    let Some(symbols) = files.symbols(file) else { return };
    let wants_member = member_wanted(files, places);
    // A field of Rust is called in parentheses alone.
    let is_never_called =
        files.family(file) == "rust" && places.iter().all(|place| files.kind(place) == "field");
    for (at, one) in symbols.occurrences.iter().enumerate() {
        if symbols.name(one) != asked.symbol {
            continue;
        }
        // Symbols that are only compared by name need not be resolved.
        let is_by_name = how == Resolution::NameMatch;
        let meaning = if is_by_name { Meaning::Unknown } else { files.meaning(file, at as u32) };
        let found = match meaning {
            _ if is_by_name => Some(Resolution::NameMatch),
            Meaning::Known(meant, how) => {
                let itself = Place { file: file.to_owned(), definition: one.bound };
                let is_same = meant.iter().chain([&itself]).any(|place| places.contains(place));
                is_same.then_some(how)
            }
            Meaning::External => (how == Resolution::External).then_some(Resolution::External),
            Meaning::Unknown => {
                let may_be = wants_member.is_none_or(|wanted| wanted == one.is_member)
                    && !(is_never_called && one.role == Role::Call);
                (may_be && how != Resolution::External).then_some(Resolution::NameMatch)
            }
        };
        if let Some(resolution) = found {
            all.extend(show::reference(files, file, &symbols, one, resolution));
        }
    }
}

/// `Some(true)` if all places are members, `Some(false)` if none is, `None` if they are mixed.
fn member_wanted(files: &mut Files, places: &[Place]) -> Option<bool> {
    let mut kinds = places.iter().filter_map(|place| {
        let symbols: std::sync::Arc<Symbols> = files.symbols(&place.file)?;
        Some(is_member(&symbols, symbols.definition(place.definition?)?))
    });
    let first = kinds.next()?;
    kinds.all(|other| other == first).then_some(first)
}
