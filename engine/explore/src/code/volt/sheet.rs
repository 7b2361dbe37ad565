//! The argument of a layout's functions: the findings to read and the summary to write.

use std::{cell::OnceCell, collections::BTreeMap};

use serde_json::{Map, Value};

use super::{Inner, Layout};
use crate::{
    disclosure::{List, Marker, Summary},
    findings::{Findings, grouped},
    import::Import,
    selector::{Item, Selector, entries, escaped},
    symbol::Symbol,
};

/// The findings of one file while they are written down.
#[derive(Debug)]
pub struct Sheet<'a> {
    /// All symbols.
    pub symbols: &'a [Symbol],
    /// All imports.
    pub imports: &'a [Import],
    /// Facts of the file.
    pub fields: &'a Map<String, Value>,
    /// The summary.
    pub summary: &'a mut Summary,
    /// Indices of the members of each qualified name.
    members: BTreeMap<&'a str, Vec<usize>>,
    /// Indices of owners, by the name that their members use for them; filled in when first needed.
    owners: OnceCell<BTreeMap<&'a str, Vec<usize>>>,
    inner: &'static [Inner],
}

impl<'a> Sheet<'a> {
    /// The sheet of findings.
    pub fn new(findings: &'a mut Findings, layout: &Layout) -> Self {
        let Findings { symbols, imports, fields, summary, .. } = findings;
        let symbols: &'a [Symbol] = symbols;
        let mut members: BTreeMap<&'a str, Vec<usize>> = BTreeMap::new();
        for (index, symbol) in symbols.iter().enumerate() {
            if let Some(parent) = &symbol.parent {
                members.entry(parent).or_default().push(index);
            }
        }
        let owners = OnceCell::new();
        Self { symbols, imports, fields, summary, members, owners, inner: layout.inner }
    }

    /// The entries that a selector names; an unknown list is empty.
    pub fn select(&self, selector: &Selector) -> Vec<Item<'a>> {
        match selector.pointer {
            "/symbols" => selector.select(self.symbols.iter().map(Item::Symbol)),
            "/imports" => selector.select(self.imports.iter().map(Item::Import)),
            pointer => {
                let mut path = pointer.strip_prefix("/fields/").unwrap_or_default().split('/');
                let list = path
                    .next()
                    .and_then(|first| self.fields.get(first))
                    .and_then(|first| path.try_fold(first, |value, key| value.get(key)))
                    .map(entries);
                selector.select(list.into_iter().flatten().map(Item::Value))
            }
        }
    }

    /// The symbols whose parent is this symbol, in order; `separator` is the language's.
    pub fn members(&self, symbol: &Symbol, separator: &str) -> Vec<&'a Symbol> {
        self.members
            .get(qualified(symbol, separator).as_str())
            .into_iter()
            .flatten()
            .filter_map(|index| self.symbols.get(*index))
            .collect()
    }

    /// The members inside this very symbol, for languages in which all members are inside their
    /// owner. A file may contain any number of symbols with one name, and each gets only its own
    /// members.
    pub fn members_inside(&self, owner: &Symbol, separator: &str) -> Vec<&'a Symbol> {
        self.members_between(owner, |symbol| qualified(symbol, separator))
    }

    /// As [`Sheet::members_inside`]; `named` gives the name that members use for an owner.
    pub fn members_between(
        &self,
        owner: &Symbol,
        named: impl Fn(&Symbol) -> String,
    ) -> Vec<&'a Symbol> {
        let name = named(owner);
        let Some(all) = self.members.get(name.as_str()) else { return Vec::new() };
        let Some(own) = self.symbols.element_offset(owner) else { return Vec::new() };
        let line = |index: usize| self.symbols.get(index).map_or(0, |symbol| symbol.line);
        // Symbols are in file order, and members come after their owner.
        let start = all.partition_point(|index| *index <= own);
        let end = all.partition_point(|index| line(*index) <= owner.end_line);
        let mut inside = all.get(start..end).unwrap_or_default();
        // On the line where it ends, another symbol of the same name may begin.
        if inside.last().is_some_and(|last| line(*last) == owner.end_line) {
            let owners = self.owners.get_or_init(|| owners(self.symbols, &self.members, named));
            let owners = owners.get(name.as_str()).map_or(&[][..], Vec::as_slice);
            let next = owners.get(owners.partition_point(|index| *index <= own));
            let end = inside.partition_point(|index| next.is_none_or(|next| index < next));
            inside = inside.get(..end).unwrap_or_default();
        }
        inside.iter().filter_map(|index| self.symbols.get(*index)).collect()
    }

    /// A list inside an entry, with the cap that the layout gives it. `source` names the complete
    /// list: a selector, or a pointer such as [`Sheet::pointer`] returns.
    pub fn list<'l>(&self, section: &'l str, source: &'l str) -> List<'l> {
        let known = self.inner.iter().find(|inner| inner.section == section);
        let (cap, marker) =
            known.map_or((usize::MAX, Marker::Counted), |inner| (inner.cap, inner.marker));
        List { section, source, cap, marker }
    }

    /// Entries inside an entry, on one line. `section` and `source` are as in [`Sheet::list`].
    pub fn inline(&mut self, section: &str, source: &str, entries: &[String]) -> String {
        let list = self.list(section, source);
        self.summary.inline(&list, entries)
    }

    /// The JSON pointer to a list of a symbol, such as `/symbols/17/params`.
    pub fn pointer(&self, symbol: &Symbol, list: &str) -> String {
        let index = self.symbols.element_offset(symbol).unwrap_or_default();
        format!("/symbols/{index}/{list}")
    }

    /// The selector of a symbol's members of some kinds.
    pub fn selector(symbol: &Symbol, separator: &str, kinds: &str) -> String {
        format!("/symbols?kind={kinds}&parent={}", escaped(&qualified(symbol, separator)))
    }

    /// Adds entries of one or more lines each, and the marker. Only entries that are shown are
    /// rendered.
    pub fn blocks(
        &mut self,
        list: &List,
        indent: &str,
        items: &[Item],
        show: fn(&mut Sheet, Item) -> Vec<String>,
    ) {
        let mut shown = 0;
        for item in items.iter().take(list.cap) {
            if !self.summary.has_room() {
                break;
            }
            for line in show(self, *item) {
                self.summary.line(&format!("{indent}{line}"));
            }
            shown += 1;
        }
        self.summary.mark_behind(list, indent, shown, items.len());
    }

    /// Whether a flag in `fields` is set.
    pub fn flag(&self, name: &str) -> bool {
        self.fields.get(name).and_then(Value::as_bool).unwrap_or(false)
    }

    /// A word after a title, such as ` (esm)`; empty if it is not known.
    pub fn bracketed(&self, name: &str) -> String {
        match self.word(name) {
            "" => String::new(),
            word => format!(" ({word})"),
        }
    }

    /// A word in `fields`; empty if there is none.
    pub fn word(&self, name: &str) -> &'a str {
        self.fields.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    /// A count in `fields`, or the length of a list there.
    pub fn count(&self, name: &str) -> u64 {
        match self.fields.get(name) {
            Some(Value::Array(list)) => list.len() as u64,
            Some(value) => value.as_u64().unwrap_or(0),
            None => 0,
        }
    }

    /// The line count as `Lines: 1,234`.
    pub fn lines(&self) -> String {
        format!("Lines: {}", grouped(self.count("line_count")))
    }
}

/// Indices of owners, by the name that their members use for them.
fn owners<'a>(
    symbols: &[Symbol],
    members: &BTreeMap<&'a str, Vec<usize>>,
    named: impl Fn(&Symbol) -> String,
) -> BTreeMap<&'a str, Vec<usize>> {
    let mut owners: BTreeMap<&'a str, Vec<usize>> = BTreeMap::new();
    for (index, symbol) in symbols.iter().enumerate() {
        if let Some((name, _)) = members.get_key_value(named(symbol).as_str()) {
            owners.entry(name).or_default().push(index);
        }
    }
    owners
}

/// A symbol's name, qualified by its parent's.
pub fn qualified(symbol: &Symbol, separator: &str) -> String {
    match &symbol.parent {
        Some(parent) => format!("{parent}{separator}{}", symbol.name),
        None => symbol.name.clone(),
    }
}
