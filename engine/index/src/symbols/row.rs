//! The symbols of a file as a row of the store.

use super::{
    Definition, Import, KINDS, Occurrence, Role, Symbols,
    listed::{list, listed},
};
use crate::{
    codec::{put, take},
    rows::Content,
};

/// Encodes symbols as a row.
pub fn encode(symbols: &Symbols) -> Content {
    let mut data = Vec::with_capacity(symbols.occurrences.len() * 6);
    let option = |value: Option<u32>| value.map_or(0, |value| value + 1);
    put(&mut data, symbols.occurrences.len() as u32);
    let (mut start, mut row) = (0, 0);
    for one in &symbols.occurrences {
        let role = Role::ALL.iter().position(|role| *role == one.role).unwrap_or(0) as u32;
        let (has_receiver, is_bound) = (one.receiver.is_some(), one.bound.is_some());
        put(&mut data, one.name);
        put(&mut data, one.start - start);
        put(&mut data, one.row - row);
        put(&mut data, one.column);
        put(
            &mut data,
            role << 4
                | u32::from(one.is_argument) << 3
                | u32::from(one.is_member) << 2
                | u32::from(has_receiver) << 1
                | u32::from(is_bound),
        );
        one.bound.iter().chain(&one.receiver).for_each(|number| put(&mut data, *number));
        (start, row) = (one.start, one.row);
    }
    put(&mut data, symbols.definitions.len() as u32);
    for one in &symbols.definitions {
        put(&mut data, one.occurrence);
        put(&mut data, u32::from(one.kind) << 1 | u32::from(one.is_local));
        put(&mut data, option(one.parent));
        put(&mut data, option(one.typed_by));
        put(&mut data, one.start);
        put(&mut data, one.end.saturating_sub(one.start));
    }
    put(&mut data, symbols.imports.len() as u32);
    for one in &symbols.imports {
        put(&mut data, option(one.definition));
        put(&mut data, one.module);
        put(&mut data, option(one.name));
    }
    put(&mut data, symbols.bases.len() as u32);
    for (class, base) in &symbols.bases {
        put(&mut data, *class);
        put(&mut data, *base);
    }
    put(&mut data, symbols.modules.len() as u32);
    for (occurrence, module) in &symbols.modules {
        put(&mut data, *occurrence);
        put(&mut data, *module);
    }
    Content { names: list(symbols), data }
}

/// Decodes the symbols of a row; `None` if it is damaged.
pub fn decode(row: &Content) -> Option<Symbols> {
    let name = |(name, _)| std::str::from_utf8(name).ok().map(str::to_owned);
    let names: Vec<String> = listed(&row.names)?.map(name).collect::<Option<_>>()?;
    let mut data = row.data.as_slice();
    let mut symbols = Symbols { names, ..Symbols::default() };
    let option = |value: u32| value.checked_sub(1);
    let (mut start, mut line) = (0_u32, 0_u32);
    let count = take(&mut data)?;
    // An occurrence has five bytes at least, whatever a damaged row says.
    symbols.occurrences.reserve((count as usize).min(data.len() / 5));
    for _ in 0..count {
        let name = take(&mut data)?;
        start = start.checked_add(take(&mut data)?)?;
        line = line.checked_add(take(&mut data)?)?;
        let column = take(&mut data)?;
        let flags = take(&mut data)?;
        let bound = if flags & 1 == 1 { Some(take(&mut data)?) } else { None };
        let receiver = if flags & 2 == 2 { Some(take(&mut data)?) } else { None };
        let role = *Role::ALL.get((flags >> 4) as usize)?;
        let is_member = flags & 4 == 4;
        let is_argument = flags & 8 == 8;
        symbols.names.get(name as usize)?;
        let one = Occurrence {
            name,
            start,
            row: line,
            column,
            role,
            bound,
            is_member,
            is_argument,
            receiver,
        };
        symbols.occurrences.push(one);
    }
    let count = take(&mut data)?;
    symbols.definitions.reserve((count as usize).min(data.len() / 6));
    for _ in 0..count {
        let occurrence = take(&mut data)?;
        let kind = take(&mut data)?;
        let (parent, typed_by) = (option(take(&mut data)?), option(take(&mut data)?));
        let start = take(&mut data)?;
        let end = start.checked_add(take(&mut data)?)?;
        let is_local = kind & 1 == 1;
        let kind = u8::try_from(kind >> 1).ok().filter(|kind| usize::from(*kind) < KINDS.len())?;
        symbols.occurrences.get(occurrence as usize)?;
        let one = Definition { occurrence, kind, parent, is_local, typed_by, start, end };
        symbols.definitions.push(one);
    }
    for _ in 0..take(&mut data)? {
        let definition = option(take(&mut data)?);
        let (module, name) = (take(&mut data)?, option(take(&mut data)?));
        symbols.imports.push(Import { definition, module, name });
    }
    for _ in 0..take(&mut data)? {
        symbols.bases.push((take(&mut data)?, take(&mut data)?));
    }
    for _ in 0..take(&mut data)? {
        symbols.modules.push((take(&mut data)?, take(&mut data)?));
    }
    data.is_empty().then_some(symbols)
}
