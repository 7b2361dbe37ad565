//! Summaries of code with the comparator's sections, order, caps and markers: the parity profile.
//!
//! Each language is one file here with one [`Layout`]: a table of its lists, their order, how many
//! entries of each are shown and how an entry is written. Lists are named by
//! [selectors](crate::selector), so a section cannot show anything that is not in the JSON. Entries
//! come from the syntax tree, so ours are right even where the comparator's line scan goes wrong.
//!
//! [`Layout::facts`] are the comparator's metadata of the language, as lists in `fields`; they are
//! made in both profiles.

mod c;
mod cpp;
mod csharp;
mod css;
mod cuda;
mod entry;
mod fact;
mod go;
mod java;
mod javascript;
mod objc;
mod parts;
mod python;
mod ruby;
mod rust;
mod sheet;
mod swift;
mod tcl;
mod typescript;

use serde_json::{Map, Value};

use crate::{
    disclosure::{List, Marker},
    findings::Findings,
    selector::{Item, Selector},
    symbol::Symbol,
};
pub use sheet::{Sheet, qualified};

/// The layout of each language that the comparator has an explorer for, by key.
const LAYOUTS: &[(&str, &Layout)] = &[
    ("c", &c::LAYOUT),
    ("cpp", &cpp::LAYOUT),
    ("csharp", &csharp::LAYOUT),
    ("css", &css::LAYOUT),
    ("cuda", &cuda::LAYOUT),
    ("go", &go::LAYOUT),
    ("java", &java::LAYOUT),
    ("javascript", &javascript::LAYOUT),
    ("objc", &objc::LAYOUT),
    ("python", &python::LAYOUT),
    ("ruby", &ruby::LAYOUT),
    ("rust", &rust::LAYOUT),
    ("scss", &css::LAYOUT),
    ("swift", &swift::LAYOUT),
    ("tcl", &tcl::LAYOUT),
    ("tsx", &typescript::LAYOUT),
    ("typescript", &typescript::LAYOUT),
];

/// What the comparator shows of one language.
#[derive(Debug)]
pub struct Layout {
    /// Sections in order; each but the first is preceded by an empty line.
    pub sections: &'static [Section],
    /// Lists inside entries, by the name that is passed to [`Sheet::inline`]. A list that is
    /// missing here has no cap.
    pub inner: &'static [Inner],
    /// Lists of the comparator's metadata.
    pub facts: &'static [Facts],
}

/// A part of the summary.
#[derive(Debug)]
pub enum Section {
    /// Lines without a list, such as `Format: Go`; if there are none, the section is left out.
    Lines(fn(&Sheet) -> Vec<String>),
    /// A title with lists below it; left out if all lists are empty.
    Lists {
        /// The title line with its colon; `{n}` stands for the number of all entries. Empty for
        /// none.
        title: &'static str,
        /// The lists.
        lists: &'static [Part],
    },
}

/// One list of a section; left out if it is empty.
#[derive(Debug)]
pub struct Part {
    /// Its own title, such as `  Local ({n}): `. A [`Form::Line`] continues on the title's line,
    /// and the lines of a [`Form::Lines`] follow below it. Empty for none.
    pub title: &'static str,
    /// Where the entries come from, as a [selector](crate::selector).
    pub list: &'static str,
    /// Maximum number of entries shown; `usize::MAX` for as many as fit.
    pub cap: usize,
    /// The marker for a cut.
    pub marker: Marker,
    /// How the entries are arranged.
    pub form: Form,
}

/// A list inside an entry, such as the parameters of a function.
#[derive(Debug)]
pub struct Inner {
    /// Its name in [`Truncation::section`](crate::Truncation::section): the section, a comma and
    /// the name of the list.
    pub section: &'static str,
    /// Maximum number of entries shown.
    pub cap: usize,
    /// The marker for a cut.
    pub marker: Marker,
}

/// How the entries of a list are arranged, and how one is written.
#[derive(Debug)]
pub enum Form {
    /// All on one line.
    Line(fn(Item) -> String),
    /// Each on lines of its own after an indent.
    Lines(&'static str, fn(&mut Sheet, Item) -> Vec<String>),
}

/// One list of the comparator's metadata: objects made from symbols.
#[derive(Debug)]
pub struct Facts {
    /// Its name in `fields`.
    pub field: &'static str,
    /// The symbols, as a selector.
    pub of: &'static str,
    /// Keys of each object with the functions for their values; a null is left out.
    pub keys: &'static [(&'static str, Fact)],
}

/// The value of a key of the metadata for one symbol.
pub type Fact = fn(&Sheet, &Symbol) -> Value;

/// The layout of a language.
pub fn layout(language: &str) -> Option<&'static Layout> {
    LAYOUTS.iter().find(|(key, _)| *key == language).map(|(_, layout)| *layout)
}

/// Every language with a layout, with the name, the cap and the marker of each list that its
/// summary cuts.
pub fn capped() -> impl Iterator<Item = (&'static str, Vec<(String, usize, Marker)>)> {
    LAYOUTS.iter().map(|(language, layout)| (*language, layout.capped()))
}

impl Layout {
    fn capped(&self) -> Vec<(String, usize, Marker)> {
        let lists = self.sections.iter().flat_map(|section| match section {
            Section::Lines(_) => Vec::new(),
            Section::Lists { title, lists } => lists
                .iter()
                .map(|part| (section_name(title, part), part.cap, part.marker))
                .collect(),
        });
        let inner = self.inner.iter().map(|one| (one.section.to_owned(), one.cap, one.marker));
        lists.chain(inner).filter(|(_, cap, _)| *cap < usize::MAX).collect()
    }
}

/// Adds the comparator's metadata to the fields.
pub fn facts(findings: &mut Findings, layout: &Layout) {
    let sheet = Sheet::new(findings, layout);
    let mut lists = Vec::new();
    for facts in layout.facts {
        let list: Vec<Value> = sheet
            .select(&Selector::parse(facts.of))
            .into_iter()
            .filter_map(Item::symbol)
            .map(|symbol| {
                let object: Map<String, Value> = facts
                    .keys
                    .iter()
                    .map(|(key, value)| ((*key).to_owned(), value(&sheet, symbol)))
                    .filter(|(_, value)| !value.is_null())
                    .collect();
                Value::Object(object)
            })
            .collect();
        lists.push((facts.field, list));
    }
    for (field, list) in lists {
        findings.set(field, list);
    }
}

/// Writes the summary after its first line.
pub fn write(findings: &mut Findings, layout: &Layout) {
    let mut sheet = Sheet::new(findings, layout);
    for (index, section) in layout.sections.iter().enumerate() {
        match section {
            Section::Lines(lines) => {
                let lines = lines(&sheet);
                if index > 0 && !lines.is_empty() {
                    sheet.summary.blank();
                }
                for line in lines {
                    sheet.summary.line(&line);
                }
            }
            Section::Lists { title, lists } => write_lists(&mut sheet, title, lists),
        }
    }
}

fn write_lists(sheet: &mut Sheet, title: &str, parts: &[Part]) {
    let lists: Vec<(&Part, Vec<Item>)> = parts
        .iter()
        .map(|part| (part, sheet.select(&Selector::parse(part.list))))
        .filter(|(_, items)| !items.is_empty())
        .collect();
    if lists.is_empty() {
        return;
    }
    sheet.summary.blank();
    if !title.is_empty() {
        let total = lists.iter().map(|(_, items)| items.len()).sum();
        sheet.summary.line(&titled(title, total));
    }
    for (part, items) in lists {
        let section = section_name(title, part);
        let list =
            List { section: &section, source: part.list, cap: part.cap, marker: part.marker };
        let own = titled(part.title, items.len());
        match part.form {
            Form::Line(show) => {
                let shown: Vec<String> = items.iter().map(|item| show(*item)).collect();
                let line = sheet.summary.inline(&list, &shown);
                sheet.summary.line(&format!("{own}{line}"));
            }
            Form::Lines(indent, show) => {
                if !own.is_empty() {
                    sheet.summary.line(&own);
                }
                sheet.blocks(&list, indent, &items, show);
            }
        }
    }
}

fn titled(title: &str, total: usize) -> String {
    title.replace("{n}", &total.to_string())
}

/// The name of a list: the title of the section and its own.
fn section_name(title: &str, part: &Part) -> String {
    format!("{} {}", bare(title), bare(part.title)).trim().to_owned()
}

/// A title as the name of a section: without its count, colon and indent.
fn bare(title: &str) -> String {
    let text = title.replace("({n})", "").replace("{n}", "").replace(':', "");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::{LAYOUTS, Section};
    use crate::{
        code::languages::language,
        import::ImportCategory,
        symbol::{SymbolKind, Visibility},
    };

    /// Keys of symbols and imports that selectors in layouts use.
    const KEYS: [&str; 8] =
        ["kind", "category", "parent", "idioms", "decorators", "distinct", "type", "visibility"];

    /// What is wrong with a selector: one with an unknown key would always name an empty list.
    fn fault(selector: &str) -> Option<String> {
        let (pointer, query) = selector.split_once('?').unwrap_or((selector, ""));
        if !matches!(pointer, "/symbols" | "/imports") && !pointer.starts_with("/fields/") {
            return Some(format!("{selector}: {pointer} is no list"));
        }
        for condition in query.split('&').filter(|condition| !condition.is_empty()) {
            let (key, words) = condition.split_once('=')?;
            let key = key.trim_end_matches('!');
            if !KEYS.contains(&key) {
                return Some(format!("{selector}: {key} is no key"));
            }
            let known = |word: &str| match key {
                "kind" => SymbolKind::ALL.iter().any(|kind| kind.as_str() == word),
                "category" => ImportCategory::ALL.iter().any(|category| category.as_str() == word),
                "visibility" => Visibility::ALL.iter().any(|known| known.as_str() == word),
                _ => true,
            };
            if let Some(word) = words.split(',').find(|word| !word.is_empty() && !known(word)) {
                return Some(format!("{selector}: {word} is no {key}"));
            }
        }
        None
    }

    #[test]
    fn layouts_belong_to_languages_and_their_lists_exist() {
        for (key, layout) in LAYOUTS {
            assert!(language(key).is_some(), "{key}");
            let parts = layout.sections.iter().flat_map(|section| match section {
                Section::Lines(_) => &[],
                Section::Lists { lists, .. } => *lists,
            });
            let lists =
                parts.map(|part| part.list).chain(layout.facts.iter().map(|facts| facts.of));
            let faults: Vec<String> = lists.filter_map(fault).collect();
            assert!(faults.is_empty(), "{key}: {faults:?}");
        }
    }

    #[test]
    fn faults_of_selectors_are_found() {
        for selector in ["/symbol?kind=class", "/symbols?kind=clas", "/imports?categories=local"] {
            assert!(fault(selector).is_some(), "{selector}");
        }
        assert_eq!(fault("/symbols?kind=class,struct&parent=&idioms!=actor"), None);
    }
}
