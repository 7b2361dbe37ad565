//! The cross-reference tables of a PDF: where each object is.

use std::{collections::BTreeMap, io::Read};

use flate2::read::ZlibDecoder;

use super::object::{Object, Parser};
use crate::formats::shared::bytes::{Order, number};

/// Maximum number of bytes that are unpacked for one file, 64 MiB.
pub const UNPACKED: u64 = 64 << 20;
/// Maximum number of tables in the chain of updates, and of objects, that are read.
const TABLES: usize = 1_000;
const OBJECTS: u64 = 5_000_000;
/// Maximum number of unpacked object streams that are kept.
const STREAMS: usize = 64;

/// Where an object is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// At an offset of the file.
    Offset(usize),
    /// In an object stream: the number of the stream, and the index in it.
    Inside(u64, usize),
}

/// A file with its tables.
pub struct File<'a> {
    bytes: &'a [u8],
    places: BTreeMap<u64, Place>,
    /// The entries of all trailers; newer trailers take precedence.
    pub trailer: BTreeMap<String, Object>,
    /// What is wrong with the tables, if anything.
    pub error: Option<String>,
    left: u64,
    streams: BTreeMap<u64, (Vec<u8>, usize)>,
}

impl<'a> File<'a> {
    /// Reads the tables or, without them, searches for the objects.
    pub fn open(bytes: &'a [u8]) -> Self {
        let mut file = Self {
            bytes,
            places: BTreeMap::new(),
            trailer: BTreeMap::new(),
            error: None,
            left: UNPACKED,
            streams: BTreeMap::new(),
        };
        let whole = file.tables().is_some() && {
            let root = file.trailer.get("Root").cloned().unwrap_or(Object::Null);
            matches!(file.resolve(&root), Object::Dictionary(_))
        };
        if !whole {
            file.error =
                Some("its tables of objects are broken; its objects were searched".to_owned());
            file.search();
        }
        file
    }

    /// Number of objects.
    pub fn count(&self) -> usize {
        self.places.len()
    }

    /// The object that a reference refers to, or the object itself; null if there is none.
    pub fn resolve(&mut self, object: &Object) -> Object {
        let mut object = object.clone();
        // A reference to a reference is not allowed, but harmless.
        for _ in 0..8 {
            let Object::Reference(number) = object else { return object };
            object = self.load(number).unwrap_or(Object::Null);
        }
        Object::Null
    }

    fn load(&mut self, number: u64) -> Option<Object> {
        match *self.places.get(&number)? {
            Place::Offset(offset) => {
                let mut parser = Parser::new(self.bytes, offset);
                let found = parser.number()?;
                parser.number()?;
                (found == number && parser.word("obj")).then(|| parser.object()).flatten()
            }
            Place::Inside(stream, index) => {
                if !self.streams.contains_key(&stream) {
                    let Place::Offset(offset) = *self.places.get(&stream)? else { return None };
                    let (dictionary, data) = self.stream(offset)?;
                    let first = usize::try_from(dictionary.get("First")?.integer()?).ok()?;
                    if self.streams.len() >= STREAMS {
                        self.streams.pop_first();
                    }
                    self.streams.insert(stream, (data, first));
                }
                let (data, first) = self.streams.get(&stream)?;
                // Pairs of a number and an offset come before the first object.
                let mut parser = Parser::new(data, 0);
                for _ in 0..index {
                    parser.number()?;
                    parser.number()?;
                }
                if parser.number()? != number {
                    return None;
                }
                let offset = usize::try_from(parser.number()?).ok()?;
                Parser::new(data, first.checked_add(offset)?).object()
            }
        }
    }

    /// Follows the chain of tables, from the newest to the oldest.
    fn tables(&mut self) -> Option<()> {
        let tail = self.bytes.len().saturating_sub(4_096);
        let found = memchr::memmem::rfind(self.bytes.get(tail..)?, b"startxref")?;
        let mut parser = Parser::new(self.bytes, tail + found + 9);
        let mut waiting = vec![parser.number()?];
        let mut seen = std::collections::BTreeSet::new();
        while let Some(offset) = waiting.pop() {
            if !seen.insert(offset) || seen.len() > TABLES {
                continue;
            }
            let offset = usize::try_from(offset).ok()?;
            let trailer = self.table(offset)?;
            let next = |key: &str| {
                trailer.get(key).and_then(Object::integer).and_then(|next| u64::try_from(next).ok())
            };
            waiting.extend(next("Prev"));
            waiting.extend(next("XRefStm"));
            for (key, value) in trailer {
                self.trailer.entry(key).or_insert(value);
            }
        }
        Some(())
    }

    /// Reads one table, of either kind, and returns its trailer.
    fn table(&mut self, offset: usize) -> Option<BTreeMap<String, Object>> {
        let mut parser = Parser::new(self.bytes, offset);
        if !parser.word("xref") {
            return self.table_stream(offset);
        }
        loop {
            if parser.word("trailer") {
                return match parser.object()? {
                    Object::Dictionary(entries) => Some(entries),
                    _ => None,
                };
            }
            let first = parser.number()?;
            let count = parser.number()?;
            for index in 0..count.min(OBJECTS) {
                let offset = parser.number()?;
                parser.number()?;
                if parser.word("n") {
                    let offset = usize::try_from(offset).ok()?;
                    let number = first.checked_add(index)?;
                    self.places.entry(number).or_insert(Place::Offset(offset));
                } else if !parser.word("f") {
                    return None;
                }
            }
        }
    }

    fn table_stream(&mut self, offset: usize) -> Option<BTreeMap<String, Object>> {
        let (dictionary, data) = self.stream(offset)?;
        let Object::Dictionary(entries) = &dictionary else { return None };
        let widths: Vec<usize> = dictionary
            .get("W")?
            .items()
            .iter()
            .filter_map(|width| usize::try_from(width.integer()?).ok())
            .collect();
        let [kind_width, two_width, three_width] = *widths.as_slice() else { return None };
        if widths.iter().any(|width| *width > 8) {
            return None;
        }
        let row = kind_width + two_width + three_width;
        let size = dictionary.get("Size").and_then(Object::integer).unwrap_or(0);
        let ranges: Vec<i64> = match dictionary.get("Index") {
            Some(index) => index.items().iter().filter_map(Object::integer).collect(),
            None => vec![0, size],
        };
        let mut rows = data.chunks_exact(row.max(1));
        for range in ranges.chunks_exact(2) {
            let (first, count) = (u64::try_from(range[0]).ok()?, u64::try_from(range[1]).ok()?);
            for index in 0..count.min(OBJECTS) {
                let Some(row) = rows.next() else { break };
                let read = |at, width| number(row, at, width, Order::Big);
                let kind = if kind_width == 0 { 1 } else { read(0, kind_width)? };
                let two = read(kind_width, two_width)?;
                let three = read(kind_width + two_width, three_width)?;
                let place = match kind {
                    1 => Place::Offset(usize::try_from(two).ok()?),
                    2 => Place::Inside(two, usize::try_from(three).ok()?),
                    _ => continue,
                };
                self.places.entry(first.checked_add(index)?).or_insert(place);
            }
        }
        Some(entries.clone())
    }

    /// The dictionary and the unpacked data of the stream at an offset.
    fn stream(&mut self, offset: usize) -> Option<(Object, Vec<u8>)> {
        let mut parser = Parser::new(self.bytes, offset);
        parser.number()?;
        parser.number()?;
        if !parser.word("obj") {
            return None;
        }
        let dictionary = parser.object()?;
        if !parser.word("stream") {
            return None;
        }
        let mut start = parser.at;
        start += usize::from(self.bytes.get(start) == Some(&b'\r'));
        start += usize::from(self.bytes.get(start) == Some(&b'\n'));
        // The given length may be wrong; packed data marks its own end.
        let rest = self.bytes.get(start..)?;
        let length = dictionary.get("Length").and_then(Object::integer);
        let length = length.and_then(|length| usize::try_from(length).ok());
        let filter = match dictionary.get("Filter") {
            Some(Object::Name(name)) => Some(name.as_str()),
            Some(Object::Array(names)) => match names.as_slice() {
                [one] => one.name(),
                [] => None,
                _ => return None,
            },
            _ => None,
        };
        let data = match filter {
            None => rest.get(..length?)?.to_vec(),
            Some("FlateDecode" | "Fl") => {
                let mut data = Vec::new();
                // A truncated stream returns the data before its end.
                let _ = ZlibDecoder::new(rest).take(self.left).read_to_end(&mut data);
                data
            }
            Some(_) => return None,
        };
        self.left = self.left.saturating_sub(data.len() as u64);
        let data = predicted(&dictionary, data)?;
        Some((dictionary, data))
    }

    /// Finds objects by their headers, for files with broken tables.
    fn search(&mut self) {
        let mut streams = Vec::new();
        for at in memchr::memmem::find_iter(self.bytes, b" obj").take(OBJECTS as usize) {
            // Number and generation come before it.
            let before = self.bytes.get(at.saturating_sub(24)..at).unwrap_or_default();
            let digits = |text: &[u8]| text.iter().rev().take_while(|b| b.is_ascii_digit()).count();
            let generation = digits(before);
            let rest = before.get(..before.len() - generation).unwrap_or_default();
            let Some((b' ', rest)) = rest.split_last() else { continue };
            let length = digits(rest);
            if generation == 0 || length == 0 {
                continue;
            }
            let start = at - generation - 1 - length;
            let mut parser = Parser::new(self.bytes, start);
            let Some(number) = parser.number() else { continue };
            self.places.insert(number, Place::Offset(start));
            let near = self.bytes.get(at..(at + 200).min(self.bytes.len())).unwrap_or_default();
            if memchr::memmem::find(near, b"/ObjStm").is_some() {
                streams.push((number, start));
            }
            if memchr::memmem::find(near, b"/Catalog").is_some() {
                self.trailer.entry("Root".to_owned()).or_insert(Object::Reference(number));
            }
        }
        for (stream, start) in streams {
            let Some((dictionary, data)) = self.stream(start) else { continue };
            let count = dictionary.get("N").and_then(Object::integer).unwrap_or(0);
            let mut parser = Parser::new(&data, 0);
            for index in 0..usize::try_from(count).unwrap_or(0).min(100_000) {
                let Some(number) = parser.number() else { break };
                if parser.number().is_none() {
                    break;
                }
                self.places.entry(number).or_insert(Place::Inside(stream, index));
            }
        }
        for at in memchr::memmem::find_iter(self.bytes, b"trailer").take(TABLES) {
            if let Some(Object::Dictionary(entries)) = Parser::new(self.bytes, at + 7).object() {
                self.trailer.extend(entries);
            }
        }
        if !self.trailer.contains_key("Root") {
            let numbers: Vec<u64> = self.places.keys().copied().take(100_000).collect();
            for number in numbers {
                let object = self.resolve(&Object::Reference(number));
                if object.get("Type").and_then(Object::name) == Some("Catalog") {
                    self.trailer.insert("Root".to_owned(), Object::Reference(number));
                    return;
                }
            }
        }
    }
}

/// Undoes the prediction of rows, as in PNG.
fn predicted(dictionary: &Object, data: Vec<u8>) -> Option<Vec<u8>> {
    let parameters = dictionary.get("DecodeParms").map(|parameters| match parameters {
        Object::Array(items) => items.first().cloned().unwrap_or(Object::Null),
        other => other.clone(),
    });
    let value = |key: &str| parameters.as_ref()?.get(key)?.integer();
    if value("Predictor").unwrap_or(1) < 10 {
        return Some(data);
    }
    let columns = usize::try_from(value("Columns").unwrap_or(1)).ok()?.clamp(1, 1 << 20);
    let mut above = vec![0_u8; columns];
    let mut plain = Vec::with_capacity(data.len());
    for row in data.chunks_exact(columns + 1) {
        let (kind, row) = row.split_first()?;
        let mut current = row.to_vec();
        for index in 0..columns {
            let left = index.checked_sub(1).and_then(|left| current.get(left)).copied();
            let corner = index.checked_sub(1).and_then(|left| above.get(left)).copied();
            let (left, corner) = (left.unwrap_or(0), corner.unwrap_or(0));
            let up = above.get(index).copied().unwrap_or(0);
            let guess = match kind {
                0 => 0,
                1 => left,
                2 => up,
                3 => u16::midpoint(u16::from(left), u16::from(up)) as u8,
                _ => paeth(left, up, corner),
            };
            if let Some(byte) = current.get_mut(index) {
                *byte = byte.wrapping_add(guess);
            }
        }
        plain.extend_from_slice(&current);
        above = current;
    }
    Some(plain)
}

fn paeth(left: u8, up: u8, corner: u8) -> u8 {
    let (a, b, c) = (i16::from(left), i16::from(up), i16::from(corner));
    let guess = a + b - c;
    let (to_left, to_up, to_corner) = ((guess - a).abs(), (guess - b).abs(), (guess - c).abs());
    if to_left <= to_up && to_left <= to_corner {
        left
    } else if to_up <= to_corner {
        up
    } else {
        corner
    }
}
