//! Remembers the token counts of recent pieces of one text, because names recur often.

use super::{hash::hash, merge};

/// Maximum number of pieces that are remembered.
const MOST: usize = 1024;

/// One remembered piece for each slot; the hash of a piece decides its slot.
pub struct Memo<'t> {
    slots: Vec<(&'t [u8], usize)>,
}

impl<'t> Memo<'t> {
    /// A memo with a size that suits the text.
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
