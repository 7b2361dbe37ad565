//! PNG, GIF and WebP: files that are lists of blocks, each with its length.

use super::{Picture, fields::Density, jpeg, per_inch, tiff};
use crate::{
    findings::cut,
    formats::shared::bytes::{Order, be32, le16, le32, number},
};

/// Maximum number of blocks that are read; later ones add no new facts.
const BLOCKS: usize = 200_000;

/// Whether bytes begin as a PNG does.
pub fn is_png(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x89PNG\r\n\x1a\n")
}

/// Reads the chunks of a PNG.
pub fn png(bytes: &[u8], complete: bool) -> Picture {
    let mut picture = Picture::new("png");
    picture.compression = Some("deflate");
    let mut at = 8_usize;
    let mut ended = false;
    let mut transparent = false;
    for _ in 0..BLOCKS {
        let (Some(length), Some(kind)) = (be32(bytes, at), bytes.get(at + 4..at + 8)) else {
            break;
        };
        let start = at + 8;
        let end = start.saturating_add(length as usize);
        let data = bytes.get(start..end.min(bytes.len())).unwrap_or_default();
        match kind {
            b"IHDR" if at == 8 => header(data, &mut picture),
            b"acTL" => {
                picture.animated = true;
                picture.frame_count = be32(data, 0).map(u64::from);
            }
            b"tRNS" => transparent = true,
            b"pHYs" if data.get(8) == Some(&1) => {
                if let (Some(x), Some(y)) = (be32(data, 0), be32(data, 4)) {
                    picture.dpi = Some(Density { x: per_inch(x), y: per_inch(y) });
                }
            }
            b"iCCP" => {
                let name = data.split(|byte| *byte == 0).next().unwrap_or_default();
                picture.color_profile = Some(cut(&String::from_utf8_lossy(name), 80));
            }
            b"sRGB" => picture.color_profile = Some("sRGB".to_owned()),
            b"eXIf" => tiff::camera(data, &mut picture),
            b"IEND" => {
                ended = true;
                break;
            }
            _ => {}
        }
        if end > bytes.len() {
            break;
        }
        at = end.saturating_add(4);
    }
    if transparent {
        picture.has_alpha = Some(true);
    }
    if picture.width == 0 {
        picture.errors.push("it has no header chunk".to_owned());
    } else if complete && !ended {
        picture.errors.push("it is cut off before its last chunk".to_owned());
    }
    picture
}

fn header(data: &[u8], picture: &mut Picture) {
    let (Some(width), Some(height)) = (be32(data, 0), be32(data, 4)) else { return };
    (picture.width, picture.height) = (u64::from(width), u64::from(height));
    picture.bit_depth = data.get(8).map(|depth| u32::from(*depth));
    match data.get(9) {
        Some(0) => picture.colors("grayscale"),
        Some(2) => picture.colors("rgb"),
        Some(3) => picture.colors("indexed"),
        Some(4) => picture.colors("grayscale_alpha"),
        Some(6) => picture.colors("rgba"),
        other => picture.errors.push(format!("its color type {other:?} does not exist")),
    }
}

/// Reads the blocks of a GIF; a frame is an image descriptor.
pub fn gif(bytes: &[u8], complete: bool) -> Picture {
    let mut picture = Picture::new("gif");
    picture.compression = Some("lzw");
    let (Some(width), Some(height), Some(flags)) =
        (le16(bytes, 6), le16(bytes, 8), bytes.get(10).copied())
    else {
        picture.errors.push("its header is cut off".to_owned());
        return picture;
    };
    (picture.width, picture.height) = (u64::from(width), u64::from(height));
    picture.bit_depth = Some(8);
    picture.colors("indexed");
    let mut at = 13 + table(flags);
    let mut frames = 0_u64;
    let mut ended = false;
    for _ in 0..BLOCKS {
        match bytes.get(at) {
            Some(0x21) => {
                if bytes.get(at + 1) == Some(&0xf9)
                    && bytes.get(at + 3).is_some_and(|flags| flags & 1 == 1)
                {
                    picture.has_alpha = Some(true);
                }
                at = blocks(bytes, at + 2);
            }
            Some(0x2c) => {
                frames += 1;
                let flags = bytes.get(at + 9).copied().unwrap_or_default();
                at = blocks(bytes, at + 11 + table(flags));
            }
            Some(0x3b) => {
                ended = true;
                break;
            }
            _ => break,
        }
    }
    picture.animated = frames > 1;
    picture.frame_count = Some(frames);
    if complete && !ended {
        picture.errors.push("it is cut off before its trailer".to_owned());
    }
    picture
}

/// Size in bytes of the color table that these flags announce.
fn table(flags: u8) -> usize {
    if flags & 0x80 == 0 { 0 } else { 3 << ((flags & 7) + 1) }
}

/// The position after a chain of blocks of at most 255 bytes.
fn blocks(bytes: &[u8], mut at: usize) -> usize {
    while let Some(length) = bytes.get(at) {
        at += usize::from(*length) + 1;
        if *length == 0 {
            break;
        }
    }
    at
}

/// Reads the chunks of a WebP.
pub fn webp(bytes: &[u8]) -> Picture {
    let mut picture = Picture::new("webp");
    picture.bit_depth = Some(8);
    let mut at = 12_usize;
    let mut frames = 0;
    for _ in 0..BLOCKS {
        let (Some(kind), Some(length)) = (bytes.get(at..at + 4), le32(bytes, at + 4)) else {
            break;
        };
        let start = at + 8;
        let end = start.saturating_add(length as usize);
        let data = bytes.get(start..end.min(bytes.len())).unwrap_or_default();
        match kind {
            b"VP8X" => extended(data, &mut picture),
            b"VP8 " if picture.width == 0 => {
                if let (Some(width), Some(height)) = (le16(data, 6), le16(data, 8)) {
                    picture.width = u64::from(width & 0x3fff);
                    picture.height = u64::from(height & 0x3fff);
                    picture.colors("rgb");
                }
                picture.compression = Some("lossy");
            }
            b"VP8L" if picture.width == 0 => {
                if let Some(bits) = le32(data, 1) {
                    picture.width = u64::from(bits & 0x3fff) + 1;
                    picture.height = u64::from(bits >> 14 & 0x3fff) + 1;
                    picture.colors(if bits >> 28 & 1 == 1 { "rgba" } else { "rgb" });
                }
                picture.compression = Some("lossless");
            }
            b"VP8 " => picture.compression = Some("lossy"),
            b"VP8L" => picture.compression = Some("lossless"),
            b"ANMF" => frames += 1,
            b"ICCP" => picture.color_profile = jpeg::profile_name(data),
            b"EXIF" => {
                tiff::camera(data.strip_prefix(b"Exif\0\0").unwrap_or(data), &mut picture);
            }
            _ => {}
        }
        if end > bytes.len() {
            break;
        }
        at = end + length as usize % 2;
    }
    if frames > 0 {
        picture.frame_count = Some(frames);
    }
    if picture.width == 0 {
        picture.errors.push("it has no chunk with dimensions".to_owned());
    }
    picture
}

fn extended(data: &[u8], picture: &mut Picture) {
    let (Some(flags), Some(width), Some(height)) =
        (data.first(), number(data, 4, 3, Order::Little), number(data, 7, 3, Order::Little))
    else {
        return;
    };
    picture.width = width + 1;
    picture.height = height + 1;
    picture.animated = flags & 2 != 0;
    picture.colors(if flags & 0x10 == 0 { "rgb" } else { "rgba" });
}
