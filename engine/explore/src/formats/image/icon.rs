//! Windows cursors, Apple icons, and JPEG 2000: formats whose headers give little more than the
//! size of their pictures.

use super::Picture;
use crate::formats::shared::bytes::{be16, be32, le16};

/// Reads one of the formats; `None` if it is another.
pub fn read(bytes: &[u8]) -> Option<Picture> {
    if bytes.starts_with(&[0, 0, 2, 0]) {
        Some(cursor(bytes))
    } else if bytes.starts_with(b"icns") {
        Some(apple(bytes))
    } else if bytes.starts_with(b"\0\0\0\x0cjP  ") {
        Some(jpeg_2000(bytes))
    } else {
        None
    }
}

/// The largest picture of a cursor: a list of 16-byte entries, in whose sizes 0 stands for 256.
fn cursor(bytes: &[u8]) -> Picture {
    let mut picture = Picture::new("cur");
    let count = le16(bytes, 4).unwrap_or(0);
    picture.frame_count = Some(u64::from(count));
    let side = |at: usize| match bytes.get(at) {
        Some(0) => Some(256),
        other => other.map(|side| u64::from(*side)),
    };
    for entry in 0..count as usize {
        let at = 6 + 16 * entry;
        let (Some(width), Some(height)) = (side(at), side(at + 1)) else {
            picture.errors.push(format!("its list of pictures ends behind the first {entry}"));
            break;
        };
        if width * height > picture.width * picture.height {
            (picture.width, picture.height) = (width, height);
        }
    }
    picture
}

/// Types of Apple's pictures with the length of their sides in pixels, without masks.
const APPLE: &[(&[u8; 4], u64)] = &[
    (b"ICN#", 32),
    (b"icm#", 16),
    (b"ics#", 16),
    (b"ics4", 16),
    (b"ics8", 16),
    (b"is32", 16),
    (b"icl4", 32),
    (b"icl8", 32),
    (b"il32", 32),
    (b"ich#", 48),
    (b"ich4", 48),
    (b"ich8", 48),
    (b"ih32", 48),
    (b"it32", 128),
    (b"icp4", 16),
    (b"icp5", 32),
    (b"icp6", 64),
    (b"ic04", 16),
    (b"ic05", 32),
    (b"ic07", 128),
    (b"ic08", 256),
    (b"ic09", 512),
    (b"ic10", 1024),
    (b"ic11", 32),
    (b"ic12", 64),
    (b"ic13", 256),
    (b"ic14", 512),
];

/// The largest picture of an Apple icon: blocks with a type and a length, which includes both.
fn apple(bytes: &[u8]) -> Picture {
    let mut picture = Picture::new("icns");
    let (mut at, mut frames) = (8, 0);
    while let (Some(kind), Some(length)) = (bytes.get(at..at + 4), be32(bytes, at + 4)) {
        if let Some((_, side)) = APPLE.iter().find(|(name, _)| name.as_slice() == kind) {
            frames += 1;
            picture.width = picture.width.max(*side);
        }
        at = at.saturating_add((length as usize).max(8));
    }
    picture.height = picture.width;
    picture.frame_count = Some(frames);
    picture
}

/// JPEG 2000: the first box `ihdr`, in the first box `jp2h`.
fn jpeg_2000(bytes: &[u8]) -> Picture {
    let mut picture = Picture::new("jp2");
    let head = bytes.get(..bytes.len().min(64 * 1024)).unwrap_or_default();
    let Some(at) = memchr::memmem::find(head, b"ihdr") else {
        picture.errors.push("it has no header of a picture".to_owned());
        return picture;
    };
    picture.height = be32(bytes, at + 4).unwrap_or(0).into();
    picture.width = be32(bytes, at + 8).unwrap_or(0).into();
    match be16(bytes, at + 12) {
        Some(1) => picture.colors("grayscale"),
        Some(2) => picture.colors("grayscale_alpha"),
        Some(3) => picture.colors("rgb"),
        Some(4) => picture.colors("rgba"),
        other => picture.channels = other,
    }
    // The highest bit says whether samples are signed; 255 says that their depths differ.
    let depth = bytes.get(at + 14).filter(|depth| **depth != 255);
    picture.bit_depth = depth.map(|depth| u32::from(depth & 0x7f) + 1);
    picture
}
