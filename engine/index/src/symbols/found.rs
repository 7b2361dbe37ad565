//! The symbols of a file while they are collected.

use std::collections::BTreeMap;

use tree_sitter::{Node, Tree};

use super::{
    Definition, Import, Occurrence, Role, Symbols, bind,
    declarator::declared,
    identifier::{Columns, DEFAULT, is_identifier, next},
    matches::Matches,
    named_by::named_by,
    query::{Capture, Locals},
};

/// How far the groups around a path of Rust are followed, in nodes.
const DEEPEST_GROUP: usize = 64;
/// Kinds that a definition gets only if no pattern gives it another one.
const WEAK: [&str; 2] = ["type", "variable"];
/// Symbols while they are collected.
#[derive(Debug, Default)]
pub struct Found {
    /// The symbols so far.
    pub symbols: Symbols,
    /// Positions of occurrences, by first byte.
    at: BTreeMap<u32, u32>,
    /// Positions of names, by name.
    names: BTreeMap<String, u32>,
}

impl Found {
    fn name(&mut self, text: &str) -> u32 {
        if let Some(known) = self.names.get(text) {
            return *known;
        }
        let position = self.symbols.names.len() as u32;
        self.symbols.names.push(text.to_owned());
        self.names.insert(text.to_owned(), position);
        position
    }

    /// Adds every identifier of the trees of a text. One that is an identifier in any of them counts.
    pub fn identifiers<'tree>(&mut self, trees: impl IntoIterator<Item = &'tree Tree>, text: &str) {
        for tree in trees {
            self.identifiers_of(tree, text);
        }
        self.symbols.occurrences.sort_unstable_by_key(|one| one.start);
        let starts = self.symbols.occurrences.iter().map(|one| one.start);
        self.at = starts.zip(0..).collect();
    }

    /// Adds every identifier of a tree that is not known, without recursion.
    fn identifiers_of(&mut self, tree: &Tree, text: &str) {
        let mut columns = Columns::new(text);
        let mut cursor = tree.walk();
        loop {
            let node = cursor.node();
            if node.child_count() == 0
                && let Some(name) = text.get(node.byte_range())
                && is_identifier(&node, name)
                && !self.at.contains_key(&(node.start_byte() as u32))
            {
                let start = node.start_byte() as u32;
                let (row, column) = columns.of(&node);
                let name = self.name(name);
                self.at.insert(start, self.symbols.occurrences.len() as u32);
                self.symbols.occurrences.push(Occurrence {
                    name,
                    start,
                    row,
                    column,
                    role: Role::Read,
                    bound: None,
                    is_member: false,
                    is_argument: false,
                    receiver: None,
                });
            }
            if !next(&mut cursor) {
                return;
            }
        }
    }

    /// The occurrence that a node is, or that it ends in.
    fn occurrence(&self, node: &Node) -> Option<u32> {
        let (start, end) = (node.start_byte() as u32, node.end_byte() as u32);
        let (first, at) = self.at.range(start..end).next_back()?;
        let found = self.symbols.occurrence(*at)?;
        let ends = first + self.symbols.name(found).len() as u32;
        (ends == end).then_some(*at)
    }

    /// Adds what the query found.
    pub fn apply(&mut self, locals: &Locals, matches: &Matches, text: &str) {
        let mut definitions = BTreeMap::new();
        let mut imports = Vec::new();
        let mut bases = Vec::new();
        for one in &matches.named {
            let node = |wanted: Capture| {
                one.iter().find(|(says, _)| *says == wanted).map(|(_, node)| *node)
            };
            let declared = node(Capture::Declarator).and_then(declared);
            let name = declared.as_ref().map(|declared| declared.name).or(node(Capture::Name));
            let name = name.and_then(|node| self.occurrence(&node));
            let apart = declared.as_ref().and_then(|declared| declared.scope);
            let apart = apart.and_then(|scope| self.occurrence(&named_by(scope, text)));
            bases.extend(name.zip(apart));
            for (says, at) in one {
                match *says {
                    Capture::Definition(kind) => {
                        let Some(name) = name else { continue };
                        let kind = declared.as_ref().map_or(kind, |one| one.kind(kind, at, text));
                        let typed = node(Capture::Type).map(|node| named_by(node, text));
                        let typed = typed.and_then(|node| self.occurrence(&node));
                        let whole = define(name, kind, at, typed);
                        let known = definitions.entry(name).or_insert(whole);
                        known.typed_by = known.typed_by.or(whole.typed_by);
                        if whole.start <= known.start && known.end <= whole.end {
                            (known.start, known.end) = (whole.start, whole.end);
                        }
                        // A more specific pattern has already given it a kind.
                        if WEAK.contains(&known.kind()) && !WEAK.contains(&whole.kind()) {
                            known.kind = whole.kind;
                        }
                        let module = node(Capture::Module);
                        if let Some(module) = module.and_then(|node| path(&node, text)) {
                            let module = self.name(unquoted(&module));
                            let imported = node(Capture::Imported);
                            let imported = imported
                                .and_then(|node| text.get(node.byte_range()))
                                .or(node(Capture::ImportedDefault).map(|_| DEFAULT))
                                .map(|name| self.name(name));
                            imports.push((Some(name), module, imported));
                        }
                    }
                    Capture::NamedDefinition(kind) => {
                        let Some(name) = self.occurrence(at) else { continue };
                        let whole = at.parent().unwrap_or(*at);
                        definitions.entry(name).or_insert(define(name, kind, &whole, None));
                    }
                    Capture::Wildcard => {
                        let module = node(Capture::Module);
                        if let Some(module) = module.and_then(|node| path(&node, text)) {
                            let module = self.name(unquoted(&module));
                            imports.push((None, module, None));
                        }
                    }
                    Capture::Base => {
                        bases.extend(name.zip(self.occurrence(&named_by(*at, text))));
                    }
                    Capture::Reference(role) => {
                        let found = self.occurrence(at).map(|at| at as usize);
                        if let Some(found) =
                            found.and_then(|at| self.symbols.occurrences.get_mut(at))
                        {
                            found.role = role;
                        }
                    }
                    Capture::Member | Capture::Argument => {
                        let receiver = node(Capture::Receiver).map(|node| named_by(node, text));
                        let receiver = receiver.and_then(|node| self.occurrence(&node));
                        let found = self.occurrence(at).map(|at| at as usize);
                        if let Some(found) =
                            found.and_then(|at| self.symbols.occurrences.get_mut(at))
                        {
                            // What names an argument may look like a member as well.
                            found.is_argument |= *says == Capture::Argument;
                            found.is_member = !found.is_argument;
                            found.receiver = receiver.or(found.receiver);
                        }
                    }
                    Capture::Module => self.within_module(at, text),
                    _ => {}
                }
            }
        }
        self.finish(locals, definitions, imports, &bases);
    }

    /// Adds the identifiers within the module path of an import.
    fn within_module(&mut self, module: &Node, text: &str) {
        let (start, end) = (module.start_byte() as u32, module.end_byte() as u32);
        let inside: Vec<(u32, u32)> =
            self.at.range(start..end).map(|(at, one)| (*at, *one)).collect();
        for (first, one) in inside {
            let Some(found) = self.symbols.occurrence(one) else { continue };
            let behind = first as usize + self.symbols.name(found).len();
            let up_to = text.get(start as usize..behind).unwrap_or_default();
            let up_to = self.name(up_to);
            self.symbols.modules.push((one, up_to));
        }
    }

    fn finish(
        &mut self,
        locals: &Locals,
        definitions: BTreeMap<u32, Definition>,
        imports: Vec<(Option<u32>, u32, Option<u32>)>,
        bases: &[(u32, u32)],
    ) {
        let symbols = &mut self.symbols;
        symbols.modules.sort_unstable();
        symbols.modules.dedup();
        let mut numbers = BTreeMap::new();
        for (number, (at, definition)) in definitions.into_iter().enumerate() {
            numbers.insert(at, number as u32);
            if let Some(found) = symbols.occurrences.get_mut(at as usize) {
                // An extension names a type that is defined elsewhere.
                let is_extension = definition.kind() == "extension";
                found.role = match definition.kind() {
                    "import" => Role::Import,
                    "extension" => Role::Type,
                    _ => Role::Definition,
                };
                found.bound = (!is_extension).then_some(number as u32);
            }
            symbols.definitions.push(definition);
        }
        bind::parents(symbols);
        symbols.imports = imports
            .into_iter()
            .map(|(at, module, name)| Import {
                definition: at.and_then(|at| numbers.get(&at).copied()),
                module,
                name,
            })
            .collect();
        let class = |(at, base): &(u32, u32)| Some((*numbers.get(at)?, *base));
        symbols.bases = bases.iter().filter_map(class).collect();
        if !locals.has_scopes {
            return;
        }
        symbols.bases.sort_unstable();
        symbols.bases.dedup();
    }
}

fn define(occurrence: u32, kind: u8, whole: &Node, typed_by: Option<u32>) -> Definition {
    Definition {
        occurrence,
        kind,
        parent: None,
        is_local: false,
        typed_by,
        start: whole.start_byte() as u32,
        end: whole.end_byte() as u32,
    }
}

/// The path of a module. In Rust, it begins with the paths of the groups around it.
fn path(module: &Node, text: &str) -> Option<String> {
    let mut path = text.get(module.byte_range())?.to_owned();
    let mut inner = *module;
    for _ in 0..DEEPEST_GROUP {
        let Some(around) = inner.parent() else { break };
        match around.kind() {
            "scoped_use_list" => {
                let outer = around.child_by_field_name("path").filter(|outer| *outer != inner);
                if let Some(outer) = outer.and_then(|outer| text.get(outer.byte_range())) {
                    path = format!("{outer}::{path}");
                }
            }
            "scoped_identifier" | "use_as_clause" | "use_list" | "use_wildcard" => {}
            _ => break,
        }
        inner = around;
    }
    Some(path)
}

/// A module as it is written, without quotes.
fn unquoted(text: &str) -> &str {
    text.trim_matches(['"', '\'', '`', '<', '>'])
}
