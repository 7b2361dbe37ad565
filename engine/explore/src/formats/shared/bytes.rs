//! Numbers at offsets of a byte slice. A number beyond the end is `None`, never a panic.

/// Order of the bytes of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// The lowest byte first.
    Little,
    /// The highest byte first.
    Big,
}

/// Up to 8 bytes at an offset as an unsigned number.
pub fn number(bytes: &[u8], at: usize, count: usize, order: Order) -> Option<u64> {
    let bytes = bytes.get(at..at.checked_add(count)?)?;
    let push = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
    Some(match order {
        Order::Little => bytes.iter().rev().fold(0, push),
        Order::Big => bytes.iter().fold(0, push),
    })
}

/// Two bytes, the highest first.
pub fn be16(bytes: &[u8], at: usize) -> Option<u32> {
    number(bytes, at, 2, Order::Big).map(|value| value as u32)
}

/// Four bytes, the highest first.
pub fn be32(bytes: &[u8], at: usize) -> Option<u32> {
    number(bytes, at, 4, Order::Big).map(|value| value as u32)
}

/// Two bytes, the lowest first.
pub fn le16(bytes: &[u8], at: usize) -> Option<u32> {
    number(bytes, at, 2, Order::Little).map(|value| value as u32)
}

/// Four bytes, the lowest first.
pub fn le32(bytes: &[u8], at: usize) -> Option<u32> {
    number(bytes, at, 4, Order::Little).map(|value| value as u32)
}

/// Eight bytes, the lowest first.
pub fn le64(bytes: &[u8], at: usize) -> Option<u64> {
    number(bytes, at, 8, Order::Little)
}
