//! What a map needs to know of a text besides its tags. A tag cache keeps it with them, so that only
//! texts that are shown or searched are read again.

use explore::Import;

use crate::{
    enhancement::imports,
    language::Language,
    repo::{BlobId, blob_id},
};

/// Length of an id that git gives, in hexadecimal digits.
const DIGITS: usize = 2 * size_of::<BlobId>();

/// What is known of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// Whether the text is in the rival of the language that the name of its file tells.
    pub is_rival: bool,
    /// Length of the file in bytes.
    pub length: u64,
    /// Git's ids of it.
    pub blobs: Blobs,
    /// The imports, as far as they are found without a parser.
    pub imports: Vec<Import>,
}

/// The ids that git gives to the bytes of a file, and to its text: line ends may differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Blobs(pub [BlobId; 2]);

/// What is known of the bytes of a file before they are decoded.
#[derive(Debug, Clone, Copy)]
pub struct Raw {
    length: u64,
    blob: BlobId,
    has_returns: bool,
}

impl Raw {
    /// Looks at the bytes of a file.
    pub fn of(bytes: &[u8]) -> Self {
        let has_returns = bytes.contains(&b'\r');
        Self { length: bytes.len() as u64, blob: blob_id(bytes), has_returns }
    }
}

impl Facts {
    /// What is known of a text that was decoded from these bytes. `language` is the language that the
    /// name of the file tells, and `spoken` that of the text.
    pub fn of(raw: Raw, text: &str, language: &Language, spoken: &Language) -> Self {
        // Decoding changes nothing but carriage returns.
        let of_text = if raw.has_returns { blob_id(text.as_bytes()) } else { raw.blob };
        Self {
            is_rival: spoken.key != language.key,
            length: raw.length,
            blobs: Blobs([raw.blob, of_text]),
            imports: imports(spoken.key, text),
        }
    }
}

impl Blobs {
    /// Whether a blob with this id, in hexadecimal digits, has the same content; `None` if the
    /// repository does not name its objects by SHA-1.
    pub fn is(self, id: &str) -> Option<bool> {
        let is_one = |blob: &BlobId| {
            let mut digits = [0; DIGITS];
            hex::encode_to_slice(blob, &mut digits).is_ok() && digits == id.as_bytes()
        };
        (id.len() == DIGITS).then(|| self.0.iter().any(is_one))
    }
}
