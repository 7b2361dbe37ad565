//! Numbers of variable length, and lists of names: the encodings of the store's rows.
//!
//! Everything that is read back is checked: a damaged row counts as missing.

/// Stands before, between and after names. It occurs in no UTF-8 text, so a name with a mark on
/// both sides can be found in a list without decoding the list.
pub const MARK: u8 = 0xff;

/// Appends a number: seven bits per byte, the lowest first.
pub fn put(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes a number from the front; `None` if the bytes are damaged.
pub fn take(bytes: &mut &[u8]) -> Option<u32> {
    let mut number = 0_u32;
    for shift in (0..32).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u32::from(byte & 0x7f).checked_shl(shift)?;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

/// Maps a number near zero, of either sign, to a small unsigned number.
pub const fn fold(number: i32) -> u32 {
    (number.cast_unsigned() << 1) ^ (number >> 31).cast_unsigned()
}

/// The inverse of [`fold`].
pub const fn unfold(number: u32) -> i32 {
    (number >> 1).cast_signed() ^ -((number & 1).cast_signed())
}

/// Encodes a list of names, in order.
pub fn join(names: impl Iterator<Item = impl AsRef<[u8]>>) -> Vec<u8> {
    let mut bytes = vec![MARK];
    for name in names {
        bytes.extend_from_slice(name.as_ref());
        bytes.push(MARK);
    }
    bytes
}

/// The bytes of the names of an encoded list; `None` if the list is damaged.
pub fn pieces(bytes: &[u8]) -> Option<impl Iterator<Item = &[u8]>> {
    let inner = bytes.strip_prefix(&[MARK])?;
    let names = inner.strip_suffix(&[MARK]);
    (names.is_some() || inner.is_empty())
        .then(|| names.into_iter().flat_map(|names| names.split(|byte| *byte == MARK)))
}

/// The names of an encoded list; `None` if the bytes are damaged.
pub fn split(bytes: &[u8]) -> Option<Vec<&str>> {
    pieces(bytes)?.map(|name| std::str::from_utf8(name).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::{fold, join, put, split, take, unfold};

    #[test]
    fn numbers_are_read_back_and_what_is_cut_is_none() {
        for number in [0, 1, 127, 128, 16_383, 16_384, u32::MAX] {
            let mut bytes = Vec::new();
            put(&mut bytes, number);
            assert_eq!(take(&mut bytes.as_slice()), Some(number));
            bytes.pop();
            assert_eq!(take(&mut bytes.as_slice()), None, "{number}");
        }
        assert_eq!(take(&mut [0xff; 9].as_slice()), None);
        for number in [0, -1, 1, i32::MIN, i32::MAX] {
            assert_eq!(unfold(fold(number)), number);
        }
        assert_eq!([fold(0), fold(-1), fold(1)], [0, 1, 2]);
    }

    #[test]
    fn names_are_read_back_whatever_they_hold() {
        for names in [vec![], vec!["a"], vec!["", "b\nc", "ä"], vec![""]] {
            assert_eq!(split(&join(names.iter().copied())).unwrap(), names);
        }
        for damaged in [&b""[..], b"a", b"\xffa", b"\xff\xc3\xff"] {
            assert_eq!(split(damaged), None, "{damaged:?}");
        }
    }
}
