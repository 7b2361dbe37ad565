//! The graph of one root. What is asked for is resolved, and no more.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use index::{
    Occurrence, Role, Symbols,
    nav::{Meaning, Place, Walk, answer::Resolution},
};

use super::{
    edge::{Edge, Kind, Tier, Uses},
    owners::{Owners, is_symbol},
    symbol::is_type,
};

/// Kinds of definitions that can be called.
const CALLABLE: [&str; 4] = ["constructor", "function", "macro", "method"];
/// Names of the object of the method around them, or of the class that it derives from.
const OWN: [&str; 5] = ["self", "Self", "cls", "super", "this"];

/// The graph over the files of a walk.
#[derive(Debug)]
pub struct Graph<'a, 'w> {
    /// The files.
    pub walk: &'a mut Walk<'w>,
    owners: BTreeMap<String, Arc<Owners>>,
}

/// What an identifier says about its use.
enum Found {
    Edge(Edge),
    Candidate(Place),
    Unresolved,
    External,
    /// It defines or imports, or means something that is seen in a part of its file only.
    Nothing,
}

impl<'a, 'w> Graph<'a, 'w> {
    /// The graph over these files.
    pub const fn new(walk: &'a mut Walk<'w>) -> Self {
        Self { walk, owners: BTreeMap::new() }
    }

    /// What a symbol uses, without what the symbols inside it use.
    pub fn outgoing(&mut self, of: &Place) -> Uses {
        let mut uses = Uses::default();
        let Some(symbols) = self.walk.symbols(&of.file) else { return uses };
        let owners = self.owners(&of.file, &symbols);
        for at in 0..symbols.occurrences.len() as u32 {
            if owners.owner(at) == of.definition {
                self.add(&mut uses, &of.file, &symbols, at, None);
            }
        }
        uses
    }

    /// What the symbols of a file use, each symbol's with its place, in the order of the symbols; first that of
    /// the top level.
    pub fn of_file(&mut self, file: &str) -> Vec<(Place, Uses)> {
        let Some(symbols) = self.walk.symbols(file) else { return Vec::new() };
        let owners = self.owners(file, &symbols);
        let mut uses: BTreeMap<Option<u32>, Uses> = BTreeMap::new();
        for at in 0..symbols.occurrences.len() as u32 {
            let of = uses.entry(owners.owner(at)).or_default();
            self.add(of, file, &symbols, at, None);
        }
        let place = |definition| Place { file: file.to_owned(), definition };
        uses.into_iter().map(|(of, uses)| (place(of), uses)).collect()
    }

    /// Who uses a symbol: the edges to it. A use under another name is found in files that import it
    /// under that name.
    pub fn incoming(&mut self, to: &Place) -> Uses {
        let mut uses = Uses::default();
        let defined = self.walk.symbols(&to.file);
        let name = defined.as_ref().zip(to.definition).and_then(|(symbols, number)| {
            symbols.definition(number).map(|one| symbols.defined(one).to_owned())
        });
        let Some(name) = name else { return uses };
        let family = self.walk.family(&to.file);
        for file in self.walk.with_name(&name).iter() {
            if self.walk.family(file) != family {
                continue;
            }
            let Some(symbols) = self.walk.symbols(file) else { continue };
            let names = names_in(&symbols, &name);
            for (at, one) in symbols.occurrences.iter().enumerate() {
                if names.contains(symbols.name(one)) {
                    self.add(&mut uses, file, &symbols, at as u32, Some(to));
                }
            }
        }
        uses
    }

    /// Adds the use that an identifier makes; with `only`, if it is one of this symbol.
    fn add(
        &mut self,
        uses: &mut Uses,
        file: &str,
        symbols: &Symbols,
        at: u32,
        only: Option<&Place>,
    ) {
        let Some(one) = symbols.occurrence(at).copied() else { return };
        let is_wanted = |to: &Place| only.is_none_or(|only| only == to);
        let line = one.row + 1;
        if let (Some(only), Role::Import) = (only, one.role) {
            let meant = self.walk.meaning(file, at);
            if matches!(meant, Meaning::Known(places, _) if places.contains(only)) {
                uses.imports.push((file.to_owned(), line));
            }
            return;
        }
        match self.found(file, symbols, at, &one) {
            Found::Edge(edge) if is_wanted(&edge.to) => uses.edges.push(edge),
            Found::Candidate(to) if is_wanted(&to) => uses.candidates.push((to, line)),
            Found::Unresolved if only.is_none() => uses.unresolved += 1,
            Found::External if only.is_none() => uses.external += 1,
            _ => {}
        }
    }

    fn found(&mut self, file: &str, symbols: &Symbols, at: u32, one: &Occurrence) -> Found {
        let is_use = !matches!(one.role, Role::Definition | Role::Import);
        if !is_use || one.is_argument || symbols.module_at(at).is_some() {
            return Found::Nothing;
        }
        match self.walk.meaning(file, at) {
            Meaning::Known(places, how) => match self.symbol(&places) {
                Some(to) => {
                    let deriving = self.deriving(file, symbols, at);
                    let kind = self.kind_of(one, &to, deriving.as_ref());
                    let tier = self.tier(file, symbols, one, how);
                    let owner = self.owners(file, symbols).owner(at);
                    let from = deriving
                        .unwrap_or_else(|| Place { file: file.to_owned(), definition: owner });
                    let (line, column) = (one.row + 1, one.column + 1);
                    Found::Edge(Edge { from, to, kind, tier, line, column })
                }
                None => Found::Nothing,
            },
            Meaning::External => Found::External,
            Meaning::Unknown => {
                let same = self.walk.namesakes(file, at);
                match same.as_slice() {
                    [only] => self
                        .symbol(std::slice::from_ref(only))
                        .map_or(Found::Unresolved, Found::Candidate),
                    _ => Found::Unresolved,
                }
            }
        }
    }

    /// The first of these places, if it is a symbol.
    fn symbol(&mut self, places: &[Place]) -> Option<Place> {
        let first = places.first()?;
        let symbols = self.walk.symbols(&first.file)?;
        let definition = symbols.definition(first.definition?)?;
        is_symbol(definition).then(|| first.clone())
    }

    /// The type that derives from what an identifier names; `None` if it is no base. What is written
    /// apart from its type belongs to the type.
    fn deriving(&mut self, file: &str, symbols: &Symbols, at: u32) -> Option<Place> {
        let (number, _) = symbols.bases.iter().find(|(_, base)| *base == at)?;
        let definition = symbols.definition(*number)?;
        if definition.kind() == "extension" {
            let meant = self.walk.meaning(file, definition.occurrence);
            return match meant {
                Meaning::Known(places, _) => self.symbol(&places),
                _ => None,
            };
        }
        let itself = || Place { file: file.to_owned(), definition: Some(*number) };
        is_type(definition.kind()).then(itself)
    }

    /// How an identifier uses a symbol, given the type that derives from it, if one does.
    fn kind_of(&mut self, one: &Occurrence, to: &Place, deriving: Option<&Place>) -> Kind {
        let target = self.kind(to);
        let is_interface = |kind| matches!(kind, "interface" | "trait");
        match (one.role, deriving) {
            (Role::Call, _) if is_type(target) => Kind::New,
            (Role::Call, _) => Kind::Call,
            (_, Some(from)) if is_type(target) => {
                let is_implemented = is_interface(target) && !is_interface(self.kind(from));
                if is_implemented { Kind::Implements } else { Kind::Extends }
            }
            (Role::Read, _) if CALLABLE.contains(&target) => Kind::Callback,
            _ => Kind::Reference,
        }
    }

    fn kind(&mut self, place: &Place) -> &'static str {
        place.definition.and_then(|number| self.walk.kind(&place.file, number)).unwrap_or_default()
    }

    fn tier(&mut self, file: &str, symbols: &Symbols, one: &Occurrence, how: Resolution) -> Tier {
        let receiver = one.receiver.filter(|_| how == Resolution::Member);
        let Some(at) = receiver else {
            return if how == Resolution::Member { Tier::Annotated } else { Tier::Bound };
        };
        let is_own = symbols.occurrence(at).is_some_and(|of| OWN.contains(&symbols.name(of)));
        if is_own {
            return Tier::Bound;
        }
        let Meaning::Known(places, how) = self.walk.meaning(file, at) else {
            return Tier::Annotated;
        };
        let is_named = places.iter().all(|place| {
            let kind = self.kind(place);
            place.definition.is_none() || is_type(kind) || kind == "module"
        });
        if is_named && how != Resolution::Member { Tier::Bound } else { Tier::Annotated }
    }

    fn owners(&mut self, file: &str, symbols: &Symbols) -> Arc<Owners> {
        if let Some(known) = self.owners.get(file) {
            return Arc::clone(known);
        }
        let owners = Arc::new(Owners::of(symbols));
        self.owners.insert(file.to_owned(), Arc::clone(&owners));
        owners
    }
}

/// The names that a file may use a symbol by: its own, and those that it is imported as.
fn names_in<'s>(symbols: &'s Symbols, name: &'s str) -> BTreeSet<&'s str> {
    let renamed = symbols
        .imports
        .iter()
        .filter(|import| import.name.is_some_and(|imported| symbols.text(imported) == name));
    let local = renamed.filter_map(|import| symbols.definition(import.definition?));
    local.map(|one| symbols.defined(one)).chain([name]).collect()
}
