//! TIFF directories: of TIFF files, and of the EXIF data inside other images.

use std::collections::BTreeSet;

use super::{Picture, fields::Density};
use crate::{
    findings::cut,
    formats::shared::bytes::{Order, number},
};

/// Maximum number of directories and entries that are read.
const DIRECTORIES: usize = 1_000;
const ENTRIES: usize = 1_000;

/// Whether bytes begin as a TIFF file does, or as a BigTIFF file, whose offsets have eight bytes.
pub fn is(bytes: &[u8]) -> bool {
    bytes.starts_with(b"II*\0") || bytes.starts_with(b"MM\0*") || is_big(bytes)
}

fn is_big(bytes: &[u8]) -> bool {
    bytes.starts_with(b"II+\0\x08\0\0\0") || bytes.starts_with(b"MM\0+\0\x08\0\0")
}

/// A TIFF structure.
struct Tiff<'a> {
    bytes: &'a [u8],
    order: Order,
    /// Size in bytes of a count of entries, and of an offset.
    short: usize,
    long: usize,
}

/// One entry of a directory.
struct Entry<'a> {
    tag: u64,
    kind: u64,
    count: u64,
    data: &'a [u8],
}

impl<'a> Tiff<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        let order = if bytes.starts_with(b"II") { Order::Little } else { Order::Big };
        let (short, long) = if is_big(bytes) { (8, 8) } else { (2, 4) };
        Self { bytes, order, short, long }
    }

    fn at(&self, at: usize, count: usize) -> Option<u64> {
        number(self.bytes, at, count, self.order)
    }

    /// Offset of the first directory.
    fn start(&self) -> Option<usize> {
        let at = if self.long == 8 { 8 } else { 4 };
        usize::try_from(self.at(at, self.long)?).ok()
    }

    /// The entries of a directory, and the offset of the next directory.
    fn directory(&self, start: usize) -> Option<(Vec<Entry<'a>>, usize)> {
        let count = usize::try_from(self.at(start, self.short)?).ok()?;
        let first = start.checked_add(self.short)?;
        let length = 4 + 2 * self.long;
        let mut entries = Vec::new();
        for index in 0..count.min(ENTRIES) {
            let at = first.checked_add(index * length)?;
            let (tag, kind) = (self.at(at, 2)?, self.at(at + 2, 2)?);
            let count = self.at(at + 4, self.long)?;
            let size: u64 = match kind {
                1 | 2 | 6 | 7 => 1,
                3 | 8 => 2,
                4 | 9 | 11 => 4,
                5 | 10 | 12 | 16 | 17 | 18 => 8,
                _ => continue,
            };
            let length = size.saturating_mul(count).min(64 * 1024) as usize;
            let value = at + 4 + self.long;
            let from =
                if length <= self.long { value } else { self.at(value, self.long)? as usize };
            let end = from.saturating_add(length).min(self.bytes.len());
            let data = self.bytes.get(from..end).unwrap_or_default();
            entries.push(Entry { tag, kind, count, data });
        }
        let behind = count.checked_mul(length).and_then(|bytes| first.checked_add(bytes));
        let next = behind.and_then(|at| self.at(at, self.long)).unwrap_or(0) as usize;
        Some((entries, next))
    }

    fn integer(&self, entry: &Entry) -> Option<u64> {
        match entry.kind {
            3 => number(entry.data, 0, 2, self.order),
            4 => number(entry.data, 0, 4, self.order),
            16 | 18 => number(entry.data, 0, 8, self.order),
            1 => number(entry.data, 0, 1, self.order),
            _ => None,
        }
    }

    fn fraction(&self, entry: &Entry, index: usize) -> Option<f64> {
        let above = number(entry.data, index * 8, 4, self.order)?;
        let below = number(entry.data, index * 8 + 4, 4, self.order)?;
        if below == 0 {
            return None;
        }
        // Type 10 is signed.
        let sign = |value: u64| {
            if entry.kind == 10 { f64::from(value as u32 as i32) } else { value as f64 }
        };
        Some(sign(above) / sign(below))
    }

    fn text(entry: &Entry) -> Option<String> {
        let text = String::from_utf8_lossy(entry.data);
        let text = text.trim_matches(['\0', ' ']);
        (entry.kind == 2 && !text.is_empty()).then(|| cut(text, 100))
    }
}

/// Reads a TIFF file: its first directory, and the number of directories.
pub fn read(bytes: &[u8]) -> Picture {
    let mut picture = Picture::new("tiff");
    let tiff = Tiff::new(bytes);
    let Some(mut start) = tiff.start() else {
        picture.errors.push("its header is cut off".to_owned());
        return picture;
    };
    let mut seen = BTreeSet::new();
    while start != 0 && seen.len() < DIRECTORIES && seen.insert(start) {
        let Some((entries, next)) = tiff.directory(start) else {
            picture.errors.push(format!("its directory at byte {start} is cut off"));
            break;
        };
        if seen.len() == 1 {
            first(&tiff, &entries, &mut picture);
        }
        start = next;
    }
    picture.frame_count = Some(seen.len() as u64);
    picture
}

fn first(tiff: &Tiff, entries: &[Entry], picture: &mut Picture) {
    let (mut x, mut y, mut unit) = (None, None, 2);
    let mut samples = None;
    let mut extra = false;
    let mut photometric = None;
    for entry in entries {
        let value = tiff.integer(entry);
        match entry.tag {
            0x100 => picture.width = value.unwrap_or(0),
            0x101 => picture.height = value.unwrap_or(0),
            0x102 => picture.bit_depth = value.map(|depth| depth as u32),
            0x103 => {
                picture.compression = match value {
                    Some(1) => Some("none"),
                    Some(5) => Some("lzw"),
                    Some(6 | 7) => Some("jpeg"),
                    Some(8 | 32_946) => Some("deflate"),
                    Some(32_773) => Some("packbits"),
                    Some(2..=4) => Some("fax"),
                    _ => None,
                }
            }
            0x106 => photometric = value,
            0x115 => samples = value,
            0x11a => x = tiff.fraction(entry, 0),
            0x11b => y = tiff.fraction(entry, 0),
            0x128 => unit = value.unwrap_or(2),
            0x152 => extra = entry.count > 0,
            0x8773 => picture.color_profile = super::jpeg::profile_name(entry.data),
            _ => {}
        }
    }
    picture.has_alpha = Some(extra);
    match (photometric, samples) {
        (Some(0 | 1), _) if extra => picture.colors("grayscale_alpha"),
        (Some(0 | 1), _) => picture.colors("grayscale"),
        (Some(3), _) => picture.colors("indexed"),
        (Some(5), _) => picture.colors("cmyk"),
        (Some(2), _) if extra => picture.colors("rgba"),
        (Some(2 | 6), _) => picture.colors("rgb"),
        _ => {}
    }
    if let Some(samples) = samples {
        picture.channels = Some(samples as u32);
    }
    let scale = match unit {
        2 => 1.0,
        3 => 2.54,
        _ => 0.0,
    };
    if let (Some(x), Some(y)) = (x, y)
        && scale > 0.0
    {
        picture.dpi = Some(Density { x: x * scale, y: y * scale });
    }
    tags(tiff, entries, picture);
}

/// Reads EXIF data.
pub fn camera(bytes: &[u8], picture: &mut Picture) {
    if !is(bytes) {
        return;
    }
    let tiff = Tiff::new(bytes);
    let start = tiff.start().unwrap_or(0);
    if let Some((entries, _)) = tiff.directory(start) {
        tags(&tiff, &entries, picture);
    }
}

/// Copies the tags of interest from a directory and the two directories that it points to.
fn tags(tiff: &Tiff, entries: &[Entry], picture: &mut Picture) {
    let below = |tag: u64| {
        let entry = entries.iter().find(|entry| entry.tag == tag)?;
        tiff.directory(tiff.integer(entry)? as usize).map(|(entries, _)| entries)
    };
    let exif = below(0x8769).unwrap_or_default();
    for entry in entries.iter().chain(&exif) {
        let text = Tiff::text(entry);
        let (name, value) = match entry.tag {
            0x10f => ("camera_make", text),
            0x110 => ("camera", text),
            0x131 => ("software", text),
            0x13b => ("artist", text),
            0x8298 => ("copyright", text),
            0x9003 => ("date_time", text),
            0xa434 => ("lens", text),
            0x829a => ("exposure_time", tiff.fraction(entry, 0).map(exposure)),
            0x829d => ("f_number", tiff.fraction(entry, 0).map(|value| format!("{value:.1}"))),
            0x8827 => ("iso", tiff.integer(entry).map(|value| value.to_string())),
            0x920a => ("focal_length", tiff.fraction(entry, 0).map(|value| format!("{value} mm"))),
            0x112 => ("orientation", tiff.integer(entry).map(|value| value.to_string())),
            _ => continue,
        };
        if let Some(value) = value {
            picture.exif.entry(name).or_insert(value);
        }
    }
    let place = below(0x8825).unwrap_or_default();
    let of = |tag: u64| place.iter().find(|entry| entry.tag == tag);
    for (name, side, degrees) in [("gps_latitude", 1, 2), ("gps_longitude", 3, 4)] {
        let Some(entry) = of(degrees) else { continue };
        let parts: Vec<f64> = (0..3).filter_map(|index| tiff.fraction(entry, index)).collect();
        let [degrees, minutes, seconds] = parts.as_slice() else { continue };
        let value = degrees + minutes / 60.0 + seconds / 3600.0;
        let side = of(side).and_then(Tiff::text).unwrap_or_default();
        let sign = if matches!(side.as_str(), "S" | "W") { -1.0 } else { 1.0 };
        picture.exif.insert(name, format!("{:.6}", sign * value));
    }
}

/// An exposure time as photographers write it.
fn exposure(seconds: f64) -> String {
    if seconds > 0.0 && seconds < 1.0 {
        format!("1/{:.0} s", 1.0 / seconds)
    } else {
        format!("{seconds} s")
    }
}
