//! Writes the vocabulary that the crate `claude-tokenizer` carries as static tables.
//!
//! The file is one of the library `tokenizers`: a token is a string in which every byte of the text is a
//! character, and a merge names the two tokens that it joins. Everything that a count rests on is checked
//! here, so that another file stops the build.

use std::{collections::BTreeMap, env, error::Error, fs, path::PathBuf};

use serde::Deserialize;

/// The tokens of the vocabulary: 5 special ones, 256 single bytes, and one for each merge.
const TOKENS: usize = 65_000;
/// The special tokens, which have the first ids.
const SPECIAL: usize = 5;

#[derive(Deserialize)]
struct File {
    truncation: Option<serde_json::Value>,
    post_processor: Option<serde_json::Value>,
    added_tokens: Vec<Added>,
    normalizer: Part,
    pre_tokenizer: Part,
    model: Model,
}

#[derive(Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "the fields of the file")]
struct Added {
    id: usize,
    content: String,
    special: bool,
    single_word: bool,
    lstrip: bool,
    rstrip: bool,
    normalized: bool,
}

#[derive(Deserialize)]
struct Part {
    r#type: String,
    #[serde(default)]
    add_prefix_space: bool,
}

#[derive(Deserialize)]
struct Model {
    vocab: BTreeMap<String, usize>,
    merges: Vec<String>,
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let file: File = serde_json::from_slice(claude_tokenizer::get_tokenizer().bytes())?;
    let is_plain = |added: &Added| {
        added.special && !(added.single_word || added.lstrip || added.rstrip || added.normalized)
    };
    let as_expected = file.truncation.is_none()
        && file.post_processor.is_none()
        && file.normalizer.r#type == "NFKC"
        && file.pre_tokenizer.r#type == "ByteLevel"
        && !file.pre_tokenizer.add_prefix_space
        && file.added_tokens.len() == SPECIAL
        && file.added_tokens.iter().enumerate().all(|(at, one)| one.id == at && is_plain(one));
    if !as_expected {
        return Err(
            "the vocabulary asks for another treatment of texts than is written here".into()
        );
    }
    let tokens = tokens(&file)?;
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let (mut bytes, mut offsets) = (Vec::new(), vec![0_u32]);
    for token in &tokens {
        bytes.extend_from_slice(token);
        offsets.push(u32::try_from(bytes.len())?);
    }
    fs::write(out.join("bytes.bin"), bytes)?;
    let offsets: Vec<u8> = offsets.iter().flat_map(|value| value.to_le_bytes()).collect();
    fs::write(out.join("offsets.bin"), offsets)?;
    let merges: Vec<u8> = merges(&file)?.iter().flat_map(|value| value.to_le_bytes()).collect();
    fs::write(out.join("merges.bin"), merges)?;
    Ok(())
}

/// The bytes of each token, by id.
fn tokens(file: &File) -> Result<Vec<Vec<u8>>, Box<dyn Error>> {
    let characters = characters();
    let mut tokens = vec![Vec::new(); TOKENS];
    for (written, &id) in &file.model.vocab {
        let place = tokens.get_mut(id).ok_or_else(|| format!("there is a token {id}"))?;
        *place = if id < SPECIAL {
            written.clone().into_bytes()
        } else {
            let byte = |character| characters.get(&character).copied();
            let bytes: Option<_> = written.chars().map(byte).collect();
            bytes.ok_or_else(|| format!("{written:?} has a character that means no byte"))?
        };
    }
    let added = file.added_tokens.iter().map(|added| added.content.as_bytes());
    if !added.eq(tokens.iter().take(SPECIAL).map(Vec::as_slice)) {
        return Err("the special tokens are not the first ones".into());
    }
    // No token may be missing, and no two may have the same bytes.
    let distinct: std::collections::BTreeSet<_> = tokens.iter().collect();
    if distinct.len() != TOKENS || tokens.iter().any(Vec::is_empty) {
        return Err(format!("there are {} tokens, not {TOKENS}", distinct.len()).into());
    }
    Ok(tokens)
}

/// What character stands for what byte (the byte-level alphabet of GPT-2): printable characters of
/// Latin-1 for themselves, those from U+0100 on for the other bytes in their order.
fn characters() -> BTreeMap<char, u8> {
    let mut spare = '\u{100}'..;
    let printable = |byte: u8| matches!(byte, b'!'..=b'~' | 0xa1..=0xac | 0xae..=0xff);
    (0..=255)
        .filter_map(|byte| Some((if printable(byte) { byte.into() } else { spare.next()? }, byte)))
        .collect()
}

/// The two tokens that each token after the single bytes is made of, as ids, in the order of the merges.
/// That must be the order of the ids, too, because an id is taken for a rank.
fn merges(file: &File) -> Result<Vec<u16>, Box<dyn Error>> {
    let first = TOKENS - file.model.merges.len();
    let mut parts = Vec::new();
    for (at, merge) in file.model.merges.iter().enumerate() {
        let (left, right) = merge.split_once(' ').ok_or("a merge does not name two tokens")?;
        let id = |token: &str| {
            file.model.vocab.get(token).copied().ok_or_else(|| format!("{token:?} is no token"))
        };
        if id(&format!("{left}{right}"))? != first + at {
            return Err(format!("the merge {merge:?} is not in the order of the ids").into());
        }
        parts.extend([u16::try_from(id(left)?)?, u16::try_from(id(right)?)?]);
    }
    if first == SPECIAL + 256 {
        Ok(parts)
    } else {
        Err(format!("there are {} merges", file.model.merges.len()).into())
    }
}
