//! The rank of a token: a look-up in static tables that the build script wrote.

use super::hash::{RANK_BITS, SLOTS, hash, slot, tag};

static BYTES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/bytes.bin"));
static OFFSETS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/offsets.bin"));
static TABLE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/slots.bin"));

/// The rank of the token that consists of these bytes; `None` if they are not a token.
pub fn rank(bytes: &[u8]) -> Option<u32> {
    rank_of(bytes, hash(bytes))
}

/// As [`rank`], for bytes whose hash is known.
pub fn rank_of(bytes: &[u8], hash: u64) -> Option<u32> {
    let (mut at, tag) = (slot(hash), tag(hash));
    loop {
        let entry = number(TABLE, at)?;
        // More than half of the slots are empty, so every search reaches an empty one.
        let rank = (entry & ((1 << RANK_BITS) - 1)).checked_sub(1)?;
        if entry >> RANK_BITS == tag && token(rank) == Some(bytes) {
            return Some(rank);
        }
        at = (at + 1) % SLOTS;
    }
}

/// The bytes of a token.
fn token(rank: u32) -> Option<&'static [u8]> {
    let rank = rank as usize;
    BYTES.get(number(OFFSETS, rank)? as usize..number(OFFSETS, rank + 1)? as usize)
}

fn number(table: &[u8], at: usize) -> Option<u32> {
    table.get(at * 4..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}
