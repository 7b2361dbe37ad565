//! Decodes bytes to text, and records what was found on the way.
//!
//! A byte order mark decides first, then a declaration in the text, then the bytes themselves.

mod declared;

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::UTF_8;
use serde::{Serialize, Serializer};

/// How a text was encoded; it serialises to its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8.
    Utf8,
    /// UTF-8 with a byte order mark.
    Utf8Bom,
    /// UTF-16, little endian.
    Utf16Le,
    /// UTF-16, big endian.
    Utf16Be,
    /// A non-Unicode encoding that the text declares.
    Declared(&'static encoding_rs::Encoding),
    /// A non-Unicode encoding that was guessed from the bytes.
    Detected(&'static encoding_rs::Encoding),
}

/// Number of bytes from which an undeclared encoding is guessed.
const SAMPLE: usize = 1 << 20;

/// The byte order mark of UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// A decoded text.
#[expect(clippy::struct_field_names, reason = "the text of a text has no better name")]
#[derive(Debug, Clone)]
pub struct Text<'a> {
    /// The text without byte order marks at its start. Line ends are not changed.
    pub text: Cow<'a, str>,
    /// The encoding of the bytes.
    pub encoding: Encoding,
    /// True if something could not be decoded and was replaced.
    pub damaged: bool,
}

impl Encoding {
    /// The encoding's name as people write it.
    pub fn name(self) -> String {
        match self {
            Self::Utf8 => "UTF-8".to_owned(),
            Self::Utf8Bom => "UTF-8 with a byte order mark".to_owned(),
            Self::Utf16Le => "UTF-16 LE".to_owned(),
            Self::Utf16Be => "UTF-16 BE".to_owned(),
            Self::Declared(encoding) => format!("{} (declared)", encoding.name()),
            Self::Detected(encoding) => format!("not Unicode, read as {}", encoding.name()),
        }
    }

    /// Whether it is a Unicode encoding.
    pub const fn is_unicode(self) -> bool {
        !matches!(self, Self::Declared(_) | Self::Detected(_))
    }
}

impl Serialize for Encoding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.name())
    }
}

impl<'a> Text<'a> {
    /// Decodes bytes that are known to be text.
    pub fn decode(bytes: &'a [u8]) -> Self {
        let of = |text, encoding, damaged| Text { text, encoding, damaged };
        if let Some(mut rest) = bytes.strip_prefix(MARK) {
            // Programs that concatenate files leave a mark at the start of each.
            while let Some(next) = rest.strip_prefix(MARK) {
                rest = next;
            }
            let text = String::from_utf8_lossy(rest);
            let damaged = matches!(text, Cow::Owned(_));
            return of(text, Encoding::Utf8Bom, damaged);
        }
        if let Some((encoding, skip)) = utf16(bytes) {
            let units = bytes.get(skip..).unwrap_or_default().chunks_exact(2).map(|pair| {
                let pair = [pair[0], pair[1]];
                if encoding == Encoding::Utf16Le {
                    u16::from_le_bytes(pair)
                } else {
                    u16::from_be_bytes(pair)
                }
            });
            let mut damaged = (bytes.len() - skip) % 2 == 1;
            let text = char::decode_utf16(units)
                .map(|unit| {
                    unit.unwrap_or_else(|_| {
                        damaged = true;
                        char::REPLACEMENT_CHARACTER
                    })
                })
                .collect::<String>();
            return of(Cow::Owned(text), encoding, damaged);
        }
        if !bytes.is_ascii()
            && let Some(declared) = declared::encoding(bytes).filter(|one| *one != UTF_8)
        {
            let (text, damaged) = declared.decode_without_bom_handling(bytes);
            return of(text, Encoding::Declared(declared), damaged);
        }
        match std::str::from_utf8(bytes) {
            Ok(text) => of(Cow::Borrowed(text), Encoding::Utf8, false),
            // A file that is UTF-8 except for a few bytes is a damaged UTF-8 file.
            Err(_) if mostly_utf8(bytes) => {
                of(Cow::Owned(String::from_utf8_lossy(bytes).into_owned()), Encoding::Utf8, true)
            }
            Err(_) => {
                let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
                detector.feed(bytes.get(..bytes.len().min(SAMPLE)).unwrap_or_default(), true);
                let detected = detector.guess(None, Utf8Detection::Deny);
                let (text, damaged) = detected.decode_without_bom_handling(bytes);
                of(text, Encoding::Detected(detected), damaged)
            }
        }
    }

    /// Number of lines: line feeds, and one more for text after the last of them.
    pub fn lines(&self) -> usize {
        let text = self.text.as_bytes();
        memchr::memchr_iter(b'\n', text).count()
            + usize::from(!text.is_empty() && !text.ends_with(b"\n"))
    }

    /// Number of lines as the comparator counts them: a trailing line feed begins one more.
    pub fn pieces(&self) -> usize {
        memchr::memchr_iter(b'\n', self.text.as_bytes()).count() + 1
    }
}

/// Which UTF-16 encoding the bytes have, and the size of its mark in bytes; `None` if they do not
/// look like UTF-16.
pub fn utf16(bytes: &[u8]) -> Option<(Encoding, usize)> {
    match bytes {
        [0xff, 0xfe, ..] => Some((Encoding::Utf16Le, 2)),
        [0xfe, 0xff, ..] => Some((Encoding::Utf16Be, 2)),
        // Without a mark: every other byte of ASCII letters is zero.
        _ => {
            let head = bytes.get(..bytes.len().min(512) & !1)?;
            memchr::memchr(0, head)?;
            let zeros =
                |odd: usize| head.iter().skip(odd).step_by(2).filter(|byte| **byte == 0).count();
            let half = head.len() / 2;
            let (even, odd) = (zeros(0), zeros(1));
            if half < 4 {
                None
            } else if odd * 10 >= half * 9 && even == 0 {
                Some((Encoding::Utf16Le, 0))
            } else if even * 10 >= half * 9 && odd == 0 {
                Some((Encoding::Utf16Be, 0))
            } else {
                None
            }
        }
    }
}

/// Whether bytes are text by the comparator's rule: no zero byte in the first 8 KiB, and less than
/// a tenth of control characters. Unlike there, UTF-16 counts as text.
pub fn looks_like_text(head: &[u8]) -> bool {
    if head.is_empty() || utf16(head).is_some() {
        return true;
    }
    // Counting in single bytes lets many bytes be processed in one step.
    let is_control = |byte: u8| byte < 32 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c | 0x1b);
    let add = |count: u8, byte: &u8| count.wrapping_add(u8::from(is_control(*byte)));
    let count = |bytes: &[u8]| bytes.iter().fold(0, add);
    let control: usize = head.chunks(128).map(|bytes| usize::from(count(bytes))).sum();
    memchr::memchr(0, head).is_none() && control * 10 < head.len()
}

fn mostly_utf8(bytes: &[u8]) -> bool {
    let mut broken = 0_usize;
    let mut multi = 0_usize;
    for chunk in bytes.utf8_chunks() {
        multi += chunk.valid().bytes().filter(|byte| *byte >= 0xc0).count();
        broken += usize::from(!chunk.invalid().is_empty());
    }
    broken * 10 <= multi
}

#[cfg(test)]
mod tests {
    use encoding_rs::{KOI8_R, WINDOWS_1252};

    use super::{Encoding, Text, looks_like_text};

    #[test]
    fn each_encoding_is_recognised() {
        for (bytes, text, encoding) in [
            (&b"a\xc3\xa9"[..], "aé", Encoding::Utf8),
            (b"\xef\xbb\xbfa", "a", Encoding::Utf8Bom),
            (b"\xff\xfea\0\xe9\0", "aé", Encoding::Utf16Le),
            (b"\xfe\xff\0a", "a", Encoding::Utf16Be),
            (b"a\0b\0c\0d\0e\0", "abcde", Encoding::Utf16Le),
            (b"caf\xe9 s\xfcd", "café süd", Encoding::Detected(WINDOWS_1252)),
            (
                b"<?xml version='1.0' encoding='koi8-r'?><a>\xd0\xd2</a>",
                "<?xml version='1.0' encoding='koi8-r'?><a>пр</a>",
                Encoding::Declared(KOI8_R),
            ),
            (b"\xef\xbb\xbf# coding: koi8-r\n\xd0\xbf", "# coding: koi8-r\nп", Encoding::Utf8Bom),
        ] {
            let decoded = Text::decode(bytes);
            assert_eq!((decoded.text.as_ref(), decoded.encoding), (text, encoding));
            assert!(looks_like_text(bytes), "{bytes:?}");
        }
        assert!(Text::decode(b"\xff\xfea").damaged);
        assert!(!looks_like_text(b"\x7fELF\0\0\0"));
    }

    #[test]
    fn lines_and_pieces_differ_by_the_trailing_line_feed() {
        for (text, lines, pieces) in [("", 0, 1), ("a", 1, 1), ("a\n", 1, 2), ("a\nb", 2, 2)] {
            let text = Text::decode(text.as_bytes());
            assert_eq!((text.lines(), text.pieces()), (lines, pieces));
        }
    }
}
