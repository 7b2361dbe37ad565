//! The pieces of one text that were counted last: names come again and again.

use super::{hash::hash, merge};

/// Most pieces that are remembered.
const MOST: usize = 1024;

/// One remembered piece for each slot of its hash.
pub struct Memo<'t> {
    slots: Vec<(&'t [u8], usize)>,
}

impl<'t> Memo<'t> {
    /// A memory whose size suits a text.
    pub fn of(text: &'t str) -> Self {
        let size = (text.len() / 16).next_power_of_two().min(MOST);
        Self { slots: vec![(&[][..], 0); size] }
    }

    /// Number of tokens of a piece.
    pub fn tokens(&mut self, piece: &'t [u8]) -> usize {
        let hash = hash(piece);
        let at = (hash as usize) & (self.slots.len() - 1);
        let Some(slot) = self.slots.get_mut(at) else { return merge::tokens(piece, hash) };
        if slot.0 != piece {
            *slot = (piece, merge::tokens(piece, hash));
        }
        slot.1
    }
}
