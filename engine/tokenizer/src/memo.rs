//! Remembers the token counts of recent pieces of one text, because names recur often.

use super::hash::hash;

/// Maximum number of pieces that are remembered.
const MOST: usize = 1024;

/// One remembered piece for each slot; the hash of a piece decides its slot.
pub struct Memo<'t, F> {
    slots: Vec<(&'t [u8], usize)>,
    count: F,
}

impl<'t, F: Fn(&[u8], u64) -> usize> Memo<'t, F> {
    /// A memo with a size that suits the text. `count` counts the tokens of a piece, whose hash it is given.
    pub fn of(text: &'t str, count: F) -> Self {
        let size = (text.len() / 16).next_power_of_two().min(MOST);
        Self { slots: vec![(&[][..], 0); size], count }
    }

    /// Number of tokens of a piece.
    pub fn tokens(&mut self, piece: &'t [u8]) -> usize {
        let hash = hash(piece);
        let at = (hash as usize) & (self.slots.len() - 1);
        let Some(slot) = self.slots.get_mut(at) else { return (self.count)(piece, hash) };
        if slot.0 != piece {
            *slot = (piece, (self.count)(piece, hash));
        }
        slot.1
    }
}
