//! Writes the vocabulary and the character classes of `cl100k_base` as static tables, and the merges of the
//! Claude tokenizer.
//!
//! The vocabulary is the one that tiktoken-rs carries, the classes are those of the regular
//! expression library that it splits text with, so that both have one source. The merges are those of
//! the crate `vocabulary`.

use std::{env, error::Error, fmt::Write as _, fs, path::PathBuf};

#[path = "src/hash.rs"]
mod hash;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=src/hash.rs");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let tokens = vocabulary()?;
    let (bytes, offsets) = blob(&tokens)?;
    fs::write(out.join("bytes.bin"), bytes)?;
    fs::write(out.join("offsets.bin"), little_endian(&offsets))?;
    fs::write(out.join("slots.bin"), little_endian(&slots(&tokens)?))?;
    let mut classes = String::new();
    for (name, pattern) in [("LETTERS", r"\p{L}"), ("NUMBERS", r"\p{N}")] {
        writeln!(classes, "/// First and last code point of each range of `{pattern}`, sorted.")?;
        writeln!(classes, "pub static {name}: &[(u32, u32)] = &{:?};", ranges(pattern)?)?;
    }
    fs::write(out.join("classes.rs"), classes)?;
    let Merges { rows, partners, bytes } = merges()?;
    fs::write(out.join("rows.bin"), little_endian(&rows))?;
    fs::write(out.join("partners.bin"), little_endian(&partners))?;
    fs::write(out.join("bytes.rs"), format!("{bytes:?}"))?;
    Ok(())
}

/// The merges of the Claude tokenizer, by the left token.
struct Merges {
    /// Where the partners of each token begin; one more ends the last.
    rows: Vec<u32>,
    /// The right token in the upper half, the merged one in the lower; sorted within a row.
    partners: Vec<u32>,
    /// The token of each single byte.
    bytes: Vec<u16>,
}

fn merges() -> Result<Merges, Box<dyn Error>> {
    let mut sorted: Vec<_> = (vocabulary::FIRST_MERGED..)
        .zip(vocabulary::merges())
        .map(|(merged, (left, right))| (left, right, merged))
        .collect();
    sorted.sort_unstable();
    let tokens = vocabulary::tokens().count();
    let row = |left: usize| sorted.partition_point(|merge| usize::from(merge.0) < left);
    let rows = (0..=tokens).map(|left| u32::try_from(row(left))).collect::<Result<_, _>>()?;
    let partners =
        sorted.iter().map(|&(_, right, merged)| u32::from(right) << 16 | u32::from(merged));
    let single: Vec<_> = (0..vocabulary::FIRST_MERGED)
        .zip(vocabulary::tokens())
        .skip(usize::from(vocabulary::SPECIAL))
        .collect();
    let of = |byte: u8| single.iter().find(|(_, token)| **token == [byte]).map(|(id, _)| *id);
    let bytes: Option<_> = (0..=u8::MAX).map(of).collect();
    let bytes = bytes.ok_or("a byte has no token of its own in the Claude vocabulary")?;
    Ok(Merges { rows, partners: partners.collect(), bytes })
}

/// The bytes of every token; its position is its rank. Special tokens, whose ranks follow those of the
/// ordinary ones after a gap, are left out: they count as ordinary text.
fn vocabulary() -> Result<Vec<Vec<u8>>, Box<dyn Error>> {
    let reference = tiktoken_rs::cl100k_base()?;
    let tokens: Vec<_> = (0..).map_while(|rank| reference.decode_bytes(&[rank]).ok()).collect();
    // 256 single bytes and 100,000 merges (published with the encoding).
    if tokens.len() == 100_256 {
        Ok(tokens)
    } else {
        Err(format!("the vocabulary has {} ordinary tokens, not 100256", tokens.len()).into())
    }
}

/// All tokens in one run, and where each begins; one more offset ends the last.
fn blob(tokens: &[Vec<u8>]) -> Result<(Vec<u8>, Vec<u32>), Box<dyn Error>> {
    let mut bytes = Vec::new();
    let mut offsets = vec![0];
    for token in tokens {
        bytes.extend_from_slice(token);
        offsets.push(u32::try_from(bytes.len())?);
    }
    Ok((bytes, offsets))
}

/// The open-addressing table: 0 for an empty slot, else tag and rank plus one.
fn slots(tokens: &[Vec<u8>]) -> Result<Vec<u32>, Box<dyn Error>> {
    let mut slots = vec![0_u32; hash::SLOTS];
    for (rank, token) in tokens.iter().enumerate() {
        let hash = hash::hash(token);
        let mut at = hash::slot(hash);
        while slots[at] != 0 {
            at = (at + 1) % hash::SLOTS;
        }
        let entry = u32::try_from(rank + 1)?;
        assert!(entry >> hash::RANK_BITS == 0, "rank {rank} does not fit its bits");
        slots[at] = hash::tag(hash) << hash::RANK_BITS | entry;
    }
    Ok(slots)
}

fn ranges(pattern: &str) -> Result<Vec<(u32, u32)>, Box<dyn Error>> {
    use regex_syntax::hir::{Class, HirKind};
    let parsed = regex_syntax::parse(pattern)?;
    let HirKind::Class(Class::Unicode(class)) = parsed.kind() else {
        return Err(format!("{pattern} is no class of characters").into());
    };
    Ok(class.iter().map(|range| (u32::from(range.start()), u32::from(range.end()))).collect())
}

fn little_endian(values: &[u32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}
