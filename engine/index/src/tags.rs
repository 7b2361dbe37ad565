//! The tags of a file as a row of the store.

use std::collections::BTreeMap;

use explore::{Import, ImportCategory};
use map::{
    Blobs, Facts, Kept,
    syntax::{Tag, TagKind},
};

use crate::{
    codec::{fold, join, put, split, take, unfold},
    rows::Content,
};

/// First number of a row that holds tags.
const TAGGED: u32 = 0;
/// First number of a row whose file must not be parsed; its only name is the reason.
const REFUSED: u32 = 1;

/// Encodes tags as a row.
pub fn encode(kept: &Kept) -> Content {
    if let Some(reason) = &kept.refused {
        return Content { names: join([reason.as_str()].into_iter()), data: vec![REFUSED as u8] };
    }
    let mut numbers = BTreeMap::new();
    let mut names = Vec::new();
    let mut data = Vec::new();
    put(&mut data, TAGGED);
    put(&mut data, kept.tags.len() as u32);
    for tag in &kept.tags {
        let name = tag.name(&kept.text);
        let number = *numbers.entry(name).or_insert_with(|| {
            names.push(name);
            names.len() as u32 - 1
        });
        put(&mut data, number << 1 | u32::from(tag.kind == TagKind::Reference));
        put(&mut data, fold(tag.line));
    }
    if let Some(facts) = &kept.facts {
        put_facts(&mut data, facts);
    }
    Content { names: join(names.into_iter()), data }
}

/// Appends what is known of the text besides its tags.
fn put_facts(data: &mut Vec<u8>, facts: &Facts) {
    let Facts { is_rival, length, blobs: Blobs([of_bytes, of_text]), imports } = facts;
    data.push(u8::from(*is_rival));
    data.extend_from_slice(&length.to_le_bytes());
    data.extend_from_slice(of_bytes);
    data.extend_from_slice(of_text);
    put(data, imports.len() as u32);
    for Import { path, names, category: _, line } in imports {
        put(data, *line);
        put(data, names.len() as u32);
        for word in [path].into_iter().chain(names) {
            put(data, word.len() as u32);
            data.extend_from_slice(word.as_bytes());
        }
    }
}

/// Takes what is known of the text from the front; `None` if the bytes are damaged.
fn take_facts(data: &mut &[u8]) -> Option<Facts> {
    let is_rival = take_bytes(data, 1)? == [1];
    let length = u64::from_le_bytes(take_bytes(data, 8)?.try_into().ok()?);
    let mut blob = || take_bytes(data, 20)?.try_into().ok();
    let blobs = Blobs([blob()?, blob()?]);
    let count = take(data)?;
    let mut imports = Vec::new();
    for _ in 0..count {
        let line = take(data)?;
        let names = take(data)?;
        let mut word = || {
            let length = take(data)?;
            std::str::from_utf8(take_bytes(data, length as usize)?).ok().map(str::to_owned)
        };
        let path = word()?;
        let names = (0..names).map(|_| word()).collect::<Option<_>>()?;
        // They are found without a parser, so nothing is known of where they come from.
        imports.push(Import { path, names, category: ImportCategory::Unknown, line });
    }
    Some(Facts { is_rival, length, blobs, imports })
}

fn take_bytes<'d>(data: &mut &'d [u8], count: usize) -> Option<&'d [u8]> {
    let (bytes, rest) = data.split_at_checked(count)?;
    *data = rest;
    Some(bytes)
}

/// Decodes the tags of a row; `None` if it is damaged.
pub fn decode(row: &Content) -> Option<Kept> {
    let names = split(&row.names)?;
    let mut data = row.data.as_slice();
    if take(&mut data)? == REFUSED {
        let [reason] = *names else { return None };
        let refused = Some(reason.to_owned());
        return Some(Kept { text: String::new(), tags: Vec::new(), refused, facts: None });
    }
    let mut text = String::new();
    let mut places = Vec::with_capacity(names.len());
    for name in names {
        places.push((text.len() as u32, name.len() as u32));
        text.push_str(name);
    }
    let count = take(&mut data)?;
    let mut tags = Vec::with_capacity(data.len() / 2);
    for _ in 0..count {
        let number = take(&mut data)?;
        let &(start, length) = places.get((number >> 1) as usize)?;
        let kind = if number & 1 == 0 { TagKind::Definition } else { TagKind::Reference };
        tags.push(Tag { start, length, line: unfold(take(&mut data)?), kind });
    }
    let facts = Some(take_facts(&mut data)?);
    data.is_empty().then_some(Kept { text, tags, refused: None, facts })
}

#[cfg(test)]
mod tests {
    use explore::{Import, ImportCategory};
    use map::{
        Blobs, Facts, Kept,
        syntax::{Tag, TagKind},
    };

    use super::{decode, encode};
    use crate::rows::Content;

    fn kept() -> Kept {
        let text = "def größe(): rufe()".to_owned();
        let tag = |start, length, line, kind| Tag { start, length, line, kind };
        let tags = vec![
            tag(4, 7, 0, TagKind::Definition),
            tag(4, 7, 0, TagKind::Definition),
            tag(15, 4, -1, TagKind::Reference),
        ];
        let import = |path: &str, names: &[&str], line| Import {
            path: path.to_owned(),
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            category: ImportCategory::Unknown,
            line,
        };
        let imports = vec![import("größe.maß", &["a", ""], 3), import(".", &[], 300)];
        let blobs = Blobs([[1; 20], [2; 20]]);
        let facts = Facts { is_rival: true, length: 1 << 40, blobs, imports };
        Kept { text, tags, refused: None, facts: Some(facts) }
    }

    fn read(kept: &Kept) -> Vec<(&str, i32, TagKind)> {
        kept.tags.iter().map(|tag| (tag.name(&kept.text), tag.line, tag.kind)).collect()
    }

    #[test]
    fn names_lines_and_kinds_are_read_back_in_order() {
        let back = decode(&encode(&kept())).unwrap();
        let (def, reference) = (TagKind::Definition, TagKind::Reference);
        assert_eq!(read(&back), [("größe", 0, def), ("größe", 0, def), ("rufe", -1, reference)]);
        assert_eq!(back.facts, kept().facts);
        let refused = Kept { refused: Some("too deep".to_owned()), ..kept() };
        assert_eq!(decode(&encode(&refused)).unwrap().refused.as_deref(), Some("too deep"));
    }

    #[test]
    fn a_damaged_row_is_no_row() {
        let row = encode(&kept());
        for length in 0..row.data.len() {
            let cut = Content { data: row.data[..length].to_vec(), names: row.names.clone() };
            assert_eq!(decode(&cut), None, "{length}");
        }
        let fewer = Content { names: b"\xffa\xff".to_vec(), data: row.data.clone() };
        assert_eq!(decode(&fewer), None);
        let more = Content { data: [row.data.as_slice(), &[0]].concat(), names: row.names };
        assert_eq!(decode(&more), None);
    }
}
