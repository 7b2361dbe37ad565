//! Stands in for the library `tokenizers` while `claude-tokenizer` is compiled.
//!
//! That crate is wanted for one file, the vocabulary, and it gives it out only to this library. The
//! library itself would bring 42 crates and need a C++ compiler. So `[patch]` in the workspace's
//! `Cargo.toml` puts this crate in its place: it has the names that `claude-tokenizer` calls, keeps the
//! file that it is given, and encodes nothing.

use std::{borrow::Cow, convert::Infallible, fmt};

pub use tokenizer::{EncodeInput, InputSequence, Tokenizer};

/// What `claude-tokenizer` imports by the path of a module.
pub mod tokenizer {
    pub use super::kept::{EncodeInput, InputSequence, Tokenizer};
}

/// As [`tokenizer`].
pub mod pre_tokenizers {
    /// As [`tokenizer`](super::tokenizer).
    pub mod byte_level {
        /// Imported by `claude-tokenizer` and not used there.
        #[derive(Debug)]
        pub struct ByteLevel;
    }
}

mod kept {
    use super::{Cow, Encoding, Infallible, Unable};

    /// Keeps a vocabulary.
    #[derive(Debug)]
    pub struct Tokenizer(Vec<u8>);

    impl Tokenizer {
        /// Keeps the bytes of a vocabulary's file.
        pub fn from_bytes(bytes: impl AsRef<[u8]>) -> Result<Self, Infallible> {
            Ok(Self(bytes.as_ref().to_vec()))
        }

        /// The bytes of the file.
        pub fn bytes(&self) -> &[u8] {
            &self.0
        }

        /// Always an error.
        #[allow(clippy::needless_pass_by_value, reason = "it is called so")]
        pub fn encode(&self, _: EncodeInput, _: bool) -> Result<Encoding, Unable> {
            Err(Unable)
        }
    }

    /// A text to encode.
    #[derive(Debug)]
    pub enum EncodeInput<'t> {
        /// One text.
        Single(InputSequence<'t>),
    }

    /// The form of a text.
    #[derive(Debug)]
    pub enum InputSequence<'t> {
        /// As it is.
        Raw(Cow<'t, str>),
    }
}

/// The tokens of a text: there are none of this type.
#[derive(Debug)]
pub enum Encoding {}

#[allow(clippy::len_without_is_empty, reason = "only what is called is here")]
impl Encoding {
    /// The ids of the tokens.
    pub fn get_ids(&self) -> &[u32] {
        match *self {}
    }

    /// The tokens.
    pub fn get_tokens(&self) -> &[String] {
        match *self {}
    }

    /// Number of tokens.
    pub fn len(&self) -> usize {
        match *self {}
    }
}

/// Why nothing is encoded.
#[derive(Debug)]
pub struct Unable;

impl fmt::Display for Unable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this crate stands in for the library `tokenizers` and encodes nothing")
    }
}
