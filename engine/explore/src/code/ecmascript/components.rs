//! Components of React.

use serde::Serialize;

use super::{Ecmascript, Sighting, What};
use crate::{
    code::{volt::qualified, walk::distinct},
    symbol::{Symbol, SymbolKind},
};

/// A component, as a fact.
#[derive(Debug, Serialize)]
pub(super) struct Component<'w> {
    name: &'w str,
    /// How it is written: `class`, `arrow` or `function`.
    #[serde(rename = "type")]
    kind: &'static str,
    /// 1-based line of its name.
    line: u32,
    has_hooks: bool,
    /// Names of the hooks that it calls, each once.
    used_hooks: Vec<&'w str>,
    #[serde(flatten)]
    types: Option<ComponentTypes>,
}

/// The facts about a component that only TypeScript has.
#[derive(Debug, Serialize)]
struct ComponentTypes {
    has_props: bool,
    props_type: Option<String>,
    is_exported: Option<bool>,
}

impl ComponentTypes {
    fn new(symbol: &Symbol) -> Self {
        let props_type = props_type(symbol);
        Self {
            has_props: !symbol.params.is_empty() || props_type.is_some(),
            props_type,
            is_exported: symbol.exported,
        }
    }
}

impl Ecmascript {
    /// Functions and classes whose names begin with a capital and whose lines contain JSX, or that
    /// derive from a component. `typed` adds the facts that only TypeScript has.
    pub(super) fn components<'w>(
        &'w self,
        symbols: &'w [Symbol],
        typed: bool,
    ) -> Vec<Component<'w>> {
        let mut found = Vec::new();
        for (index, symbol) in symbols.iter().enumerate() {
            if !symbol.name.starts_with(char::is_uppercase) {
                continue;
            }
            let inside = self.inside(symbols, index, symbol);
            let has_jsx = || inside.iter().any(|seen| seen.what == What::Jsx);
            let kind = match symbol.kind {
                SymbolKind::Class if is_component_class(symbol) => "class",
                SymbolKind::Function if has_jsx() && symbol.has_idiom("arrow") => "arrow",
                SymbolKind::Function if has_jsx() => "function",
                _ => continue,
            };
            let used_hooks = distinct(inside.iter().filter_map(|seen| match &seen.what {
                What::Hook(name) => Some(name.as_str()),
                _ => None,
            }));
            found.push(Component {
                name: &symbol.name,
                kind,
                line: symbol.line,
                has_hooks: !used_hooks.is_empty(),
                used_hooks,
                types: typed.then(|| ComponentTypes::new(symbol)),
            });
        }
        found
    }

    /// The sightings inside a symbol.
    fn inside(&self, symbols: &[Symbol], index: usize, symbol: &Symbol) -> &[Sighting] {
        let all = self.sightings.as_slice();
        let start = all.partition_point(|seen| seen.behind <= index);
        let mut end = all.partition_point(|seen| seen.line <= symbol.end_line);
        if symbol.decl_line == symbol.end_line {
            // Any number of other symbols may be on the same line; the symbol ends before the next
            // one outside it.
            let own = qualified(symbol, ".");
            let is_nested = |parent: &str| {
                parent
                    .strip_prefix(&own)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            };
            let next = symbols.iter().skip(index + 1);
            let nested =
                next.take_while(|one| one.parent.as_deref().is_some_and(is_nested)).count();
            end = end.min(all.partition_point(|seen| seen.behind <= index + 1 + nested));
        }
        all.get(start..end).unwrap_or_default()
    }
}

fn is_component_class(symbol: &Symbol) -> bool {
    let name = |base: &String| base.split(['<', '(']).next().unwrap_or_default().trim().to_owned();
    symbol.bases.iter().map(name).any(|base| base.ends_with("Component"))
}

/// The type of a component's props: the type of its only parameter, or `Props` in `FC<Props>`.
fn props_type(symbol: &Symbol) -> Option<String> {
    let annotated = symbol.params.first().and_then(|one| one.rsplit_once(": ")).map(|(_, of)| of);
    let generic = |text: &str| {
        let (_, inner) = text.split_once('<')?;
        Some(inner.strip_suffix('>').unwrap_or(inner).to_owned())
    };
    let declared = symbol
        .return_type
        .as_deref()
        .filter(|text| text.contains("FC<") || text.contains("FunctionComponent<"));
    let base = symbol.bases.first().map(String::as_str);
    annotated.map(str::to_owned).or_else(|| generic(declared?)).or_else(|| generic(base?))
}
