//! The tags of a file as a row of the store.

use std::collections::BTreeMap;

use map::{
    Kept,
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
    Content { names: join(names.into_iter()), data }
}

/// Decodes the tags of a row; `None` if it is damaged.
pub fn decode(row: &Content) -> Option<Kept> {
    let names = split(&row.names)?;
    let mut data = row.data.as_slice();
    if take(&mut data)? == REFUSED {
        let [reason] = *names else { return None };
        let refused = Some(reason.to_owned());
        return Some(Kept { text: String::new(), tags: Vec::new(), refused });
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
    data.is_empty().then_some(Kept { text, tags, refused: None })
}

#[cfg(test)]
mod tests {
    use map::{
        Kept,
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
        Kept { text, tags, refused: None }
    }

    fn read(kept: &Kept) -> Vec<(&str, i32, TagKind)> {
        kept.tags.iter().map(|tag| (tag.name(&kept.text), tag.line, tag.kind)).collect()
    }

    #[test]
    fn names_lines_and_kinds_are_read_back_in_order() {
        let back = decode(&encode(&kept())).unwrap();
        let (def, reference) = (TagKind::Definition, TagKind::Reference);
        assert_eq!(read(&back), [("größe", 0, def), ("größe", 0, def), ("rufe", -1, reference)]);
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
