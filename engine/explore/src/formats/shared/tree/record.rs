//! The beginning of a document, value by value, from which the parts of a summary are read. Unlike
//! [`Tree`](super::Tree), it does not merge values at equal paths.

use super::Kind;

/// Maximum number of values that are kept, and longest text of a value, in bytes.
pub const KEPT: usize = 50_000;
const TEXT: usize = 300;

/// Values in the order of the document.
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
    /// Index after the value and everything inside it.
    end: usize,
}

/// One value of a record.
#[derive(Debug, Clone, Copy)]
pub struct At<'a> {
    record: &'a Record,
    index: usize,
}

impl Record {
    /// True if no more values will be kept.
    pub const fn is_full(&self) -> bool {
        self.full
    }

    /// Adds a key; its value follows.
    pub fn key(&mut self, name: &str, line: u64) {
        let name = name.get(..name.floor_char_boundary(TEXT)).unwrap_or(name);
        self.name = (!self.full).then(|| (name.into(), line));
    }

    /// Adds a value that is not a container.
    pub fn scalar(&mut self, kind: Kind, line: u64, text: &str) {
        let text = match text.get(..text.floor_char_boundary(TEXT)) {
            // The cut is not in the middle of a word, because a piece of a secret would not be
            // recognised.
            Some(cut) if cut.len() < text.len() => {
                cut.rsplit_once(char::is_whitespace).map_or(cut, |(whole, _)| whole)
            }
            _ => text,
        };
        self.add(kind, line, text);
    }

    /// Begins an object or array.
    pub fn open(&mut self, kind: Kind, line: u64) {
        let index = self.add(kind, line, "");
        self.open.push(index);
    }

    /// Ends the innermost object or array.
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

    /// The documents: the top-level values.
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

    /// Its key; empty for the items of an array.
    pub fn name(self) -> &'a str {
        self.item().and_then(|item| item.name.as_deref()).unwrap_or_default()
    }

    /// Its line, or that of its key.
    pub fn line(self) -> u64 {
        self.item().map_or(1, |item| item.line)
    }

    /// Its kind.
    pub fn kind(self) -> Kind {
        self.item().map_or(Kind::Null, |item| item.kind)
    }

    /// Its text, empty for an object or array.
    pub fn text(self) -> &'a str {
        self.item().map_or("", |item| &item.text)
    }

    /// The values directly inside it.
    pub fn inside(self) -> impl Iterator<Item = At<'a>> {
        let end = self.item().map_or(0, |item| item.end);
        self.record.between(self.index + 1, end)
    }

    /// The value of a key.
    pub fn get(self, name: &str) -> Option<At<'a>> {
        self.inside().find(|inner| inner.name() == name)
    }

    /// The text of a key's value; `None` if it is empty.
    pub fn text_of(self, name: &str) -> Option<&'a str> {
        self.get(name).map(Self::text).filter(|text| !text.is_empty())
    }

    /// The value at the end of a path of keys.
    pub fn below(self, names: &[&str]) -> Option<At<'a>> {
        names.iter().try_fold(self, |at, name| at.get(name))
    }

    /// The values inside the value of a key.
    pub fn all(self, name: &str) -> impl Iterator<Item = At<'a>> {
        self.get(name).into_iter().flat_map(At::inside)
    }

    /// The texts inside the value of a key, or that value's own text.
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
