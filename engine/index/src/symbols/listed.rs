//! The names of a file as its row lists them. Those that the file may define for others are marked, so
//! that files which only use a name need not be decoded.

use std::borrow::Cow;

use super::{Definition, Symbols};
use crate::codec::{join, pieces};

/// Stands before a name that the file defines. It occurs in no UTF-8 text.
const DEFINED: u8 = 0xfe;

/// Lists the names of a file in their order.
pub fn list(symbols: &Symbols) -> Vec<u8> {
    let mut is_defined = vec![false; symbols.names.len()];
    for one in symbols.definitions.iter().filter(|one| is_sought(one)) {
        let name = symbols.occurrence(one.occurrence).map(|at| at.name as usize);
        if let Some(mark) = name.and_then(|name| is_defined.get_mut(name)) {
            *mark = true;
        }
    }
    let names = symbols.names.iter().map(String::as_bytes).zip(is_defined);
    join(names.map(|(name, is_defined)| {
        if is_defined { Cow::Owned([&[DEFINED], name].concat()) } else { Cow::Borrowed(name) }
    }))
}

/// The names of a list with whether the file defines them, in their order; `None` if the list is
/// damaged.
pub fn listed(bytes: &[u8]) -> Option<impl Iterator<Item = (&[u8], bool)>> {
    Some(pieces(bytes)?.map(|name| match name.strip_prefix(&[DEFINED]) {
        Some(name) => (name, true),
        None => (name, false),
    }))
}

/// Whether other files may look for a definition by its name.
fn is_sought(one: &Definition) -> bool {
    !matches!(
        (one.kind(), one.is_local),
        ("import" | "label" | "parameter", _) | ("variable", true)
    )
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use map::language::registry;

    use super::{list, listed};
    use crate::symbols::extract;

    #[test]
    fn what_others_may_look_for_is_marked() {
        let text = "from a import b\n\ndef made(given):\n    inner = given\n    return b(inner)\n";
        let language = registry().by_key("python").unwrap();
        let found = extract(language, text, Duration::from_mins(1)).unwrap().symbols;
        let names = list(&found);
        let of = |wanted: bool| -> Vec<&[u8]> {
            listed(&names).unwrap().filter(|(_, is)| *is == wanted).map(|(name, _)| name).collect()
        };
        assert_eq!(of(true), [b"made"]);
        assert_eq!(of(false), [&b"a"[..], b"b", b"given", b"inner"]);
        for damaged in [&b""[..], b"a", b"\xffa", b"a\xff"] {
            assert!(listed(damaged).is_none(), "{damaged:?}");
        }
    }
}
