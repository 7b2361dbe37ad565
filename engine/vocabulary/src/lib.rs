//! The vocabulary of the older Claude tokenizer, with which the comparator counts bare Claude names.
//!
//! It is the one that the crate `claude-tokenizer` carries, written as static tables by the build, so
//! nothing is loaded at run time. This crate has data and no counter: the engine (`tokenizer`) and the
//! verifier (`verdict`) count by different ways, and share only this.
//! `docs/decisions/0026-models.md` says why.

static BYTES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/bytes.bin"));
static OFFSETS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/offsets.bin"));
static MERGES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/merges.bin"));

/// Number of special tokens, such as `<EOT>`. They have the first ids, and their bytes are their text.
pub const SPECIAL: u16 = 5;
/// The id of the first token that two others are merged into. Between the special tokens and these are
/// the 256 single bytes, in an order of their own.
pub const FIRST_MERGED: u16 = SPECIAL + 256;

/// The bytes of each token; its position is its id, and the ids of merged tokens are their ranks: of two
/// merges, that with the lower id comes first.
pub fn tokens() -> impl Iterator<Item = &'static [u8]> {
    let ends = OFFSETS.chunks_exact(4).filter_map(|four| four.try_into().ok());
    let ends = ends.map(|four| u32::from_le_bytes(four) as usize);
    ends.clone().zip(ends.skip(1)).filter_map(|(start, end)| BYTES.get(start..end))
}

/// The ids of the two tokens that each token from [`FIRST_MERGED`] on is merged from, in their order.
pub fn merges() -> impl Iterator<Item = (u16, u16)> {
    MERGES.chunks_exact(4).filter_map(|four| match *four {
        [a, b, c, d] => Some((u16::from_le_bytes([a, b]), u16::from_le_bytes([c, d]))),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::{FIRST_MERGED, SPECIAL, merges, tokens};

    #[test]
    fn every_merged_token_is_its_two_parts() {
        let tokens: Vec<_> = tokens().collect();
        assert_eq!(tokens.len(), 65_000);
        assert_eq!(tokens.first().copied(), Some(&b"<EOT>"[..]));
        let single = &tokens[usize::from(SPECIAL)..usize::from(FIRST_MERGED)];
        assert!(single.iter().all(|token| token.len() == 1));
        assert_eq!(merges().count(), tokens.len() - usize::from(FIRST_MERGED));
        for ((left, right), merged) in merges().zip(&tokens[usize::from(FIRST_MERGED)..]) {
            let parts = [tokens[usize::from(left)], tokens[usize::from(right)]].concat();
            assert_eq!(parts, *merged);
        }
    }
}
