//! Lists of numbers as bytes: they are read back in a tenth of the time of numbers of different lengths.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A list of numbers of one size, each with its least significant byte first.
#[derive(Debug, Clone, Default)]
pub struct Flat<'a>(pub Cow<'a, [u8]>);

impl Flat<'_> {
    /// A list of whole numbers. Its first byte is the number of bytes that the greatest of them needs.
    pub fn of_u32(numbers: impl IntoIterator<Item = u32>) -> Self {
        let numbers: Vec<u32> = numbers.into_iter().collect();
        let greatest = numbers.iter().max().copied().unwrap_or_default();
        let width = 4 - (greatest.leading_zeros() / 8).min(3) as usize;
        let mut bytes = Vec::with_capacity(1 + width * numbers.len());
        bytes.push(width as u8);
        for number in numbers {
            bytes.extend_from_slice(number.to_le_bytes().get(..width).unwrap_or_default());
        }
        Self(bytes.into())
    }

    /// A list of floats.
    pub fn of_f64(numbers: impl IntoIterator<Item = f64>) -> Self {
        Self(numbers.into_iter().flat_map(f64::to_le_bytes).collect::<Vec<_>>().into())
    }

    /// The whole numbers one after the other, for those that are not kept as they are; `None` if it is no list of
    /// them.
    pub fn numbers(&self) -> Option<impl ExactSizeIterator<Item = u32>> {
        let (width, bytes) = self.0.split_first()?;
        let width = usize::from(*width);
        let is_list = (1..=4).contains(&width) && bytes.len().is_multiple_of(width);
        let number = |bytes: &[u8]| match *bytes {
            [a] => u32::from(a),
            [a, b] => u32::from_le_bytes([a, b, 0, 0]),
            [a, b, c] => u32::from_le_bytes([a, b, c, 0]),
            [a, b, c, d] => u32::from_le_bytes([a, b, c, d]),
            _ => 0,
        };
        is_list.then(|| bytes.chunks_exact(width).map(number))
    }

    /// The whole numbers; `None` if it is no list of them.
    pub fn u32(&self) -> Option<Vec<u32>> {
        let (width, bytes) = self.0.split_first()?;
        match width {
            1 => Some(bytes.iter().map(|byte| u32::from(*byte)).collect()),
            2 => chunked(bytes, |[a, b]| u32::from_le_bytes([a, b, 0, 0])),
            3 => chunked(bytes, |[a, b, c]| u32::from_le_bytes([a, b, c, 0])),
            4 => chunked(bytes, u32::from_le_bytes),
            _ => None,
        }
    }

    /// The floats; `None` if it is no list of them.
    pub fn f64(&self) -> Option<impl ExactSizeIterator<Item = f64>> {
        let (floats, rest) = self.0.as_chunks();
        rest.is_empty().then(|| floats.iter().map(|bytes| f64::from_le_bytes(*bytes)))
    }
}

/// Numbers of so many bytes; `None` if some bytes are left.
fn chunked<T, const N: usize>(bytes: &[u8], number: impl Fn([u8; N]) -> T) -> Option<Vec<T>> {
    let (numbers, rest) = bytes.as_chunks();
    rest.is_empty().then(|| numbers.iter().map(|bytes| number(*bytes)).collect())
}

impl Serialize for Flat<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Flat<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <&[u8]>::deserialize(deserializer).map(|bytes| Self(bytes.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::Flat;

    #[test]
    fn numbers_are_read_back() {
        for greatest in [0, 0xff, 0x100, 0xffff, 0x10000, 0xff_ffff, 0x100_0000, u32::MAX] {
            let numbers = [0, greatest / 2, greatest];
            let bytes = postcard::to_allocvec(&Flat::of_u32(numbers)).unwrap();
            let back: Flat = postcard::from_bytes(&bytes).unwrap();
            assert_eq!(back.u32().unwrap(), numbers);
            assert_eq!(back.numbers().unwrap().collect::<Vec<u32>>(), numbers);
        }
        assert_eq!(Flat::of_u32([0x100, 1]).0.len(), 5);
        assert!(Flat::of_u32([]).u32().unwrap().is_empty());
        let floats = [0.0, -1.5, f64::MAX];
        assert_eq!(Flat::of_f64(floats).f64().unwrap().collect::<Vec<f64>>(), floats);
        for bytes in [vec![], vec![0], vec![5, 1], vec![2, 1], vec![3, 1, 2], vec![4, 1, 2, 3]] {
            let flat = Flat(bytes.into());
            assert_eq!(flat.u32(), None);
            assert!(flat.numbers().is_none());
        }
        assert!(Flat(vec![1; 12].into()).f64().is_none());
    }
}
