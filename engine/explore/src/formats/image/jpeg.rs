//! JPEG: a list of segments up to the first pixels.

use super::{Picture, fields::Density, tiff};
use crate::{
    findings::cut,
    formats::shared::bytes::{be16, be32},
};

/// Reads the segments.
pub fn read(bytes: &[u8], complete: bool) -> Picture {
    let mut picture = Picture::new("jpeg");
    let mut at = 2_usize;
    while let (Some(0xff), Some(marker)) = (bytes.get(at), bytes.get(at + 1).copied()) {
        match marker {
            // Padding, and markers without a segment.
            0xff => {
                at += 1;
                continue;
            }
            0x01 | 0xd0..=0xd8 => {
                at += 2;
                continue;
            }
            0xd9 | 0xda => break,
            _ => {}
        }
        let Some(length) = be16(bytes, at + 2).filter(|length| *length >= 2) else { break };
        let start = at + 4;
        let end = at + 2 + length as usize;
        let data = bytes.get(start..end.min(bytes.len())).unwrap_or_default();
        segment(marker, data, &mut picture);
        at = end;
    }
    if picture.width == 0 {
        picture.errors.push("it has no frame header".to_owned());
    } else if complete && !ends(bytes) {
        picture.errors.push("it is cut off: its end marker is missing".to_owned());
    }
    picture
}

/// Whether an end marker is in the last bytes; some cameras write more data after it.
fn ends(bytes: &[u8]) -> bool {
    let tail = bytes.get(bytes.len().saturating_sub(64 * 1024)..).unwrap_or_default();
    memchr::memmem::rfind(tail, b"\xff\xd9").is_some()
}

fn segment(marker: u8, data: &[u8], picture: &mut Picture) {
    match marker {
        // Frame headers; c4, c8 and cc are tables.
        0xc0..=0xcf if !matches!(marker, 0xc4 | 0xc8 | 0xcc) && picture.width == 0 => {
            let (Some(height), Some(width)) = (be16(data, 1), be16(data, 3)) else { return };
            (picture.width, picture.height) = (u64::from(width), u64::from(height));
            picture.bit_depth = data.first().map(|depth| u32::from(*depth));
            match data.get(5) {
                Some(1) => picture.colors("grayscale"),
                Some(4) => picture.colors("cmyk"),
                _ => picture.colors("rgb"),
            }
            picture.compression =
                Some(if matches!(marker, 0xc2 | 0xca) { "progressive" } else { "baseline" });
        }
        0xe0 if data.starts_with(b"JFIF\0") => {
            let (Some(x), Some(y)) = (be16(data, 8), be16(data, 10)) else { return };
            let scale = match data.get(7) {
                Some(1) => 1.0,
                Some(2) => 2.54,
                _ => return,
            };
            picture.dpi = Some(Density { x: f64::from(x) * scale, y: f64::from(y) * scale });
        }
        0xe1 => {
            if let Some(exif) = data.strip_prefix(b"Exif\0\0") {
                tiff::camera(exif, picture);
            }
        }
        0xe2 if data.starts_with(b"ICC_PROFILE\0") && picture.color_profile.is_none() => {
            picture.color_profile = profile_name(data.get(14..).unwrap_or_default());
        }
        _ => {}
    }
}

/// The description in an ICC profile.
pub fn profile_name(profile: &[u8]) -> Option<String> {
    let count = be32(profile, 128)?.min(100);
    for tag in 0..count as usize {
        let at = 132 + tag * 12;
        if profile.get(at..at + 4)? != b"desc" {
            continue;
        }
        let start = be32(profile, at + 4)? as usize;
        let data = profile.get(start..)?;
        let text = if data.starts_with(b"desc") {
            let length = (be32(data, 8)? as usize).min(200);
            String::from_utf8_lossy(data.get(12..12 + length)?).into_owned()
        } else {
            let length = (be32(data, 20)? as usize).min(400);
            let offset = be32(data, 24)? as usize;
            let units = data.get(offset..offset.checked_add(length)?)?.chunks_exact(2);
            let units = units.filter_map(|unit| be16(unit, 0)).map(|unit| unit as u16);
            char::decode_utf16(units).map(|unit| unit.unwrap_or('?')).collect()
        };
        return Some(cut(text.trim_end_matches('\0'), 80));
    }
    None
}
