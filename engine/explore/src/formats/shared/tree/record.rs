//! The beginning of a document as it stands there, value by value: what the parts of a summary are read from.
//! [`Tree`](super::Tree) merges what stands at equal paths, this does not.

use super::Kind;

/// Most values that are kept, and the longest text of one, in bytes.
pub const KEPT: usize = 50_000;
const TEXT: usize = 300;

/// Values in the order of their text.
#[derive(Debug, Default)]
pub struct Record {
    items: Vec<Item>,
    open: Vec<Option<usize>>,
    name: Option<(Box<str>, u64)>,
    full: bool,
}

#[derive(Debug)]
struct Item {
    name: Option<Box<str>>,
    line: u64,
    kind: Kind,
    text: Box<str>,
    /// The first item behind this one and all that is in it.
    end: usize,
}

/// One value of a record.
#[derive(Debug, Clone, Copy)]
pub struct At<'a> {
    record: &'a Record,
    index: usize,
}

impl Record {
    /// True if no more values are kept.
    pub const fn is_full(&self) -> bool {
        self.full
    }

    /// A key; its value follows.
    pub fn key(&mut self, name: &str, line: u64) {
        let name = name.get(..name.floor_char_boundary(TEXT)).unwrap_or(name);
        self.name = (!self.full).then(|| (name.into(), line));
    }

    /// A value that holds no others.
    pub fn scalar(&mut self, kind: Kind, line: u64, text: &str) {
        let text = match text.get(..text.floor_char_boundary(TEXT)) {
            // Not in the middle of a word: a piece of a secret looks like none.
            Some(cut) if cut.len() < text.len() => {
                cut.rsplit_once(char::is_whitespace).map_or(cut, |(whole, _)| whole)
            }
            _ => text,
        };
        self.add(kind, line, text);
    }

    /// An object or array begins.
    pub fn open(&mut self, kind: Kind, line: u64) {
        let index = self.add(kind, line, "");
        self.open.push(index);
    }

    /// The innermost object or array ends.
    pub fn close(&mut self) {
        let end = self.items.len();
        if let Some(item) = self.open.pop().flatten().and_then(|index| self.items.get_mut(index)) {
            item.end = end;
        }
    }

    fn add(&mut self, kind: Kind, line: u64, text: &str) -> Option<usize> {
        self.full |= self.items.len() >= KEPT;
        if self.full {
            return None;
        }
        let index = self.items.len();
        let (name, line) = match self.name.take() {
            Some((name, key)) => (Some(name), key),
            None => (None, line),
        };
        self.items.push(Item { name, line, kind, text: text.into(), end: index + 1 });
        Some(index)
    }

    /// The documents: values that are in no other.
    pub fn documents(&self) -> impl Iterator<Item = At<'_>> {
        self.between(0, self.items.len())
    }

    fn between(&self, start: usize, end: usize) -> impl Iterator<Item = At<'_>> {
        let mut index = start;
        std::iter::from_fn(move || {
            let item = self.items.get(index).filter(|_| index < end)?;
            let at = At { record: self, index };
            index = item.end.max(index + 1);
            Some(at)
        })
    }
}

impl<'a> At<'a> {
    fn item(self) -> Option<&'a Item> {
        self.record.items.get(self.index)
    }

    /// Its key; none for the items of an array.
    pub fn name(self) -> &'a str {
        self.item().and_then(|item| item.name.as_deref()).unwrap_or_default()
    }

    /// Its line, or that of its key.
    pub fn line(self) -> u64 {
        self.item().map_or(1, |item| item.line)
    }

    /// What it is.
    pub fn kind(self) -> Kind {
        self.item().map_or(Kind::Null, |item| item.kind)
    }

    /// Its text, empty for an object or array.
    pub fn text(self) -> &'a str {
        self.item().map_or("", |item| &item.text)
    }

    /// What is in it.
    pub fn inside(self) -> impl Iterator<Item = At<'a>> {
        let end = self.item().map_or(0, |item| item.end);
        self.record.between(self.index + 1, end)
    }

    /// The value of a key.
    pub fn get(self, name: &str) -> Option<At<'a>> {
        self.inside().find(|inner| inner.name() == name)
    }

    /// The text of a key; none if it is empty.
    pub fn text_of(self, name: &str) -> Option<&'a str> {
        self.get(name).map(Self::text).filter(|text| !text.is_empty())
    }

    /// What is below keys in turn.
    pub fn below(self, names: &[&str]) -> Option<At<'a>> {
        names.iter().try_fold(self, |at, name| at.get(name))
    }

    /// What is in the value of a key.
    pub fn all(self, name: &str) -> impl Iterator<Item = At<'a>> {
        self.get(name).into_iter().flat_map(At::inside)
    }

    /// The texts that are in the value of a key, or that text.
    pub fn texts(self, name: &str) -> Vec<&'a str> {
        let of = |at: At<'a>| {
            if at.text().is_empty() {
                Some(at.name()).filter(|name| !name.is_empty())
            } else {
                Some(at.text())
            }
        };
        match self.text_of(name) {
            Some(text) => vec![text],
            None => self.all(name).filter_map(of).collect(),
        }
    }
}
