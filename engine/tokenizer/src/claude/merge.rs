//! Byte pair encoding of one piece by a list of merges.
//!
//! Unlike in `cl100k_base`, two neighbours are merged only if they are the two tokens that a merge names:
//! other neighbours whose union happens to have the bytes of a token stay apart.

use std::{cmp::Reverse, collections::BinaryHeap};

/// Where the partners of each left token begin, by its id.
static ROWS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/rows.bin"));
/// The right token of a merge in the upper half, the merged one in the lower; sorted within a row.
static PARTNERS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/partners.bin"));
/// The token of each single byte.
static BYTES: [u16; 256] = include!(concat!(env!("OUT_DIR"), "/bytes.rs"));

/// The place of a part that was merged into the one before it.
const GONE: usize = usize::MAX;

/// Number of tokens that a piece is encoded as: the parts that are left after its neighbours were merged, that with
/// the lowest merged token first, and the leftmost of equal ones. Takes O(n log n) time.
pub fn tokens(piece: &[u8]) -> usize {
    let mut parts = Parts {
        ids: piece.iter().filter_map(|byte| BYTES.get(usize::from(*byte)).copied()).collect(),
        before: (0..piece.len()).map(|at| at.wrapping_sub(1)).collect(),
        after: (1..=piece.len()).collect(),
    };
    let mut candidates: BinaryHeap<_> =
        (0..piece.len()).filter_map(|left| parts.candidate(left)).collect();
    let mut count = piece.len();
    while let Some(Reverse((merged, left))) = candidates.pop() {
        // A merge on either side has changed one of its parts since.
        if parts.candidate(left) != Some(Reverse((merged, left))) {
            continue;
        }
        parts.merge(left, merged);
        count -= 1;
        let before = parts.before.get(left).copied();
        let renewed = before.into_iter().chain([left]);
        candidates.extend(renewed.filter_map(|left| parts.candidate(left)));
    }
    count
}

/// The parts of a piece, each at the position of its first byte, linked in both directions.
struct Parts {
    ids: Vec<u16>,
    /// Where the part before begins; beyond all positions for the first part.
    before: Vec<usize>,
    /// Where the next part begins; [`GONE`] for a position where no part begins any more.
    after: Vec<usize>,
}

impl Parts {
    /// What the part at `left` and the next one are merged into, with its position.
    fn candidate(&self, left: usize) -> Option<Reverse<(u16, usize)>> {
        let right = *self.after.get(left)?;
        let merged = merged(*self.ids.get(left)?, *self.ids.get(right)?)?;
        Some(Reverse((merged, left)))
    }

    /// Merges the part at `left` with the next one.
    fn merge(&mut self, left: usize, merged: u16) {
        let Some(&right) = self.after.get(left) else { return };
        let next = self.after.get(right).copied().unwrap_or(GONE);
        for (list, at, value) in [(&mut self.after, left, next), (&mut self.before, next, left)] {
            if let Some(place) = list.get_mut(at) {
                *place = value;
            }
        }
        if let Some(place) = self.after.get_mut(right) {
            *place = GONE;
        }
        if let Some(id) = self.ids.get_mut(left) {
            *id = merged;
        }
    }
}

/// The token that two tokens are merged into, if they are.
fn merged(left: u16, right: u16) -> Option<u16> {
    let left = usize::from(left);
    let (mut low, mut high) = (number(ROWS, left)? as usize, number(ROWS, left + 1)? as usize);
    while low < high {
        let middle = low.midpoint(high);
        let partner = number(PARTNERS, middle)?;
        match ((partner >> 16) as u16).cmp(&right) {
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Equal => return Some(partner as u16),
            std::cmp::Ordering::Greater => high = middle,
        }
    }
    None
}

fn number(table: &[u8], at: usize) -> Option<u32> {
    table.get(at * 4..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}
