// The hash of the vocabulary table. The build script, which fills the table, includes this file,
// so that both sides agree.

/// Number of slots of the table: a power of two. Less than half of them are used.
pub const SLOTS: usize = 1 << 18;

/// Bits of a slot that hold a rank plus one; the remaining bits hold a tag of the hash.
pub const RANK_BITS: u32 = 17;

/// 64-bit FNV-1a, finished by folding the well-mixed upper half into the lower half.
pub fn hash(bytes: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for &byte in bytes {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash ^ (hash >> 32)
}

/// The slot at which a search for a hash begins.
pub const fn slot(hash: u64) -> usize {
    (hash as usize) & (SLOTS - 1)
}

/// The part of a hash that a slot keeps. It tells most other tokens apart without reading their
/// bytes, and shares no bit with [`slot`].
pub const fn tag(hash: u64) -> u32 {
    (hash >> 40) as u32 & ((1 << (32 - RANK_BITS)) - 1)
}
