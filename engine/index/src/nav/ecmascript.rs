//! What a file of ECMAScript exports, and objects that are given members outside of a class.

use super::{
    answer::Resolution,
    classes::enclosing_class,
    library::Files,
    meaning::{Meaning, as_module},
    namesakes::top_level,
};
use crate::symbols::{Definition, Occurrence, Symbols};

/// The name of a `CommonJS` module's exports as a whole, in that module.
const MODULE_EXPORTS: &str = "exports";

impl Files<'_> {
    /// What an export under another name stands for; without such a name, the export itself.
    pub fn stood_for(
        &mut self,
        file: &str,
        symbols: &Symbols,
        number: u32,
        depth: usize,
    ) -> Meaning {
        match symbols.definition(number).and_then(|found| found.typed_by) {
            Some(name) => self.resolve(file, name, depth),
            None => Meaning::one(file, number, Resolution::Scope),
        }
    }

    /// A module as a whole: what a file assigns to `module.exports`, or else its files.
    pub fn whole(&mut self, files: Vec<String>, depth: usize) -> Meaning {
        if let [file] = files.as_slice()
            && self.family(file) == "ecmascript"
            && let Some(symbols) = self.symbols(file)
            && let Some((number, _)) = exports(&symbols, MODULE_EXPORTS).last()
        {
            return match self.stood_for(file, &symbols, *number, depth) {
                Meaning::Known(places, _) => Meaning::Known(places, Resolution::Import),
                other => other,
            };
        }
        as_module(files)
    }
}

/// The exports of a file under a name.
fn exports<'a>(symbols: &'a Symbols, name: &str) -> Vec<(u32, &'a Definition)> {
    let is_export = |(_, definition): &(u32, &Definition)| definition.kind() == "export";
    top_level(symbols, name).into_iter().filter(is_export).collect()
}

/// Whether a name refers to what the file exports: `exports`, or the same word in `module.exports`.
pub fn is_exports(symbols: &Symbols, one: &Occurrence) -> bool {
    let is_module = |at: u32| {
        symbols.occurrence(at).is_some_and(|of| of.bound.is_none() && symbols.name(of) == "module")
    };
    symbols.name(one) == MODULE_EXPORTS
        && if one.is_member { one.receiver.is_some_and(is_module) } else { one.bound.is_none() }
}

/// The object that the innermost function around a byte is given to, if that function lies within
/// the innermost class.
pub fn given_to(symbols: &Symbols, byte: u32) -> Option<u32> {
    let class = enclosing_class(symbols, byte).and_then(|at| symbols.definition(at));
    let around = symbols.bases.iter().filter_map(|(number, object)| {
        let method = symbols.definition(*number).filter(|found| found.kind() == "method")?;
        let is_around = method.start <= byte && byte < method.end;
        let is_inside = class.is_none_or(|class| class.start < method.start);
        (is_around && is_inside).then_some((method.end - method.start, *object))
    });
    around.min().map(|(_, object)| object)
}

/// The function around a byte whose prototype is given members: it makes the objects that have them.
pub fn constructor(symbols: &Symbols, byte: u32) -> Option<u32> {
    if enclosing_class(symbols, byte).is_some() {
        return None;
    }
    let around = symbols.definitions.iter().enumerate().filter(|(number, definition)| {
        definition.kind() == "function"
            && definition.start <= byte
            && byte < definition.end
            && is_given(symbols, *number as u32)
    });
    around.min_by_key(|(_, definition)| definition.end - definition.start).map(|(at, _)| at as u32)
}

/// Whether an object is given members in its file.
pub fn is_given(symbols: &Symbols, object: u32) -> bool {
    let is_it = |(_, at): &(u32, u32)| {
        symbols.occurrence(*at).is_some_and(|found| found.bound == Some(object))
    };
    let mut given = symbols
        .bases
        .iter()
        .filter(|(number, _)| !symbols.definition(*number).is_some_and(is_taken));
    given.any(is_it)
}

/// Whether a definition may be a variable that a pattern has given a member of a value.
pub fn is_taken(found: &Definition) -> bool {
    matches!(found.kind(), "parameter" | "variable")
}

/// A parameter of TypeScript's constructor that is a member as well.
pub fn parameter_property(symbols: &Symbols, class: u32, name: &str) -> Option<u32> {
    let is_constructor = |number: u32| {
        symbols
            .definition(number)
            .is_some_and(|one| one.parent == Some(class) && symbols.defined(one) == "constructor")
    };
    let found = symbols
        .named(name)
        .find(|(_, one)| one.kind() == "parameter" && one.parent.is_some_and(is_constructor));
    found.map(|(number, _)| number)
}
