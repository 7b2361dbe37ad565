//! Images: the facts in their headers. No pixel is decoded, so even the largest dimensions cost no
//! memory.

mod chunks;
pub mod fields;
mod icon;
mod jpeg;
mod tiff;

use std::{collections::BTreeMap, io};

use super::{
    binary,
    shared::bytes::{be16, be32, le16, le32},
};
use crate::{Findings, Task, findings::grouped, input::WHOLE_LIMIT};
use fields::{Density, ImageFields};

/// Number of bytes of the file that are read, unless a format needs more.
const HEAD: u64 = 1 << 20;

/// The facts in the header of an image.
#[derive(Debug, Default, PartialEq)]
struct Picture {
    format: &'static str,
    width: u64,
    height: u64,
    bit_depth: Option<u32>,
    /// `rgb`, `rgba`, `grayscale`, `grayscale_alpha`, `indexed` or `cmyk`.
    color_space: Option<&'static str>,
    channels: Option<u32>,
    has_alpha: Option<bool>,
    animated: bool,
    frame_count: Option<u64>,
    dpi: Option<Density>,
    color_profile: Option<String>,
    compression: Option<&'static str>,
    /// EXIF tags by name, as text.
    exif: BTreeMap<&'static str, String>,
    /// What is wrong with the file.
    errors: Vec<String>,
}

impl Picture {
    fn new(format: &'static str) -> Self {
        Self { format, ..Self::default() }
    }

    /// Sets the color space and the facts that follow from it.
    fn colors(&mut self, space: &'static str) {
        self.color_space = Some(space);
        self.channels = match space {
            "grayscale" | "indexed" => Some(1),
            "grayscale_alpha" => Some(2),
            "rgb" => Some(3),
            "rgba" | "cmyk" => Some(4),
            _ => None,
        };
        let alpha = matches!(space, "rgba" | "grayscale_alpha");
        self.has_alpha = Some(self.has_alpha.unwrap_or(false) || alpha);
    }
}

/// Explores an image.
pub fn explore(task: &Task) -> io::Result<Findings> {
    let mut bytes = task.input.head(HEAD as usize)?;
    let size = task.input.size();
    // Frames and the end of the file matter even if they come after the first pixels.
    let whole = size <= WHOLE_LIMIT && (bytes.starts_with(b"GIF8") || chunks::is_png(&bytes));
    if whole || tiff::is(&bytes) && size <= WHOLE_LIMIT {
        bytes = task.input.piece(0, WHOLE_LIMIT)?;
    }
    let complete = bytes.len() as u64 == size;
    let mut findings = Findings::new(task);
    let picture = read(&bytes, complete, task.input.base_name());
    for error in &picture.errors {
        findings.malformed(error.clone(), None, None);
    }
    if picture.width == 0 || picture.height == 0 {
        findings.malformed("its dimensions cannot be read", None, None);
    }
    write(&mut findings, &picture, size);
    if findings.malformed.is_some() {
        binary::rows(&mut findings, &bytes);
    }
    findings.facts = facts(picture, size).into();
    Ok(findings)
}

/// Reads the header of the format with its magic number.
fn read(bytes: &[u8], complete: bool, name: &str) -> Picture {
    if chunks::is_png(bytes) {
        chunks::png(bytes, complete)
    } else if bytes.starts_with(b"\xff\xd8\xff") {
        jpeg::read(bytes, complete)
    } else if bytes.starts_with(b"GIF8") {
        chunks::gif(bytes, complete)
    } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        chunks::webp(bytes)
    } else if bytes.starts_with(b"BM") {
        bitmap(bytes)
    } else if tiff::is(bytes) {
        tiff::read(bytes)
    } else if let Some(picture) = icon::read(bytes) {
        picture
    } else if matches!(bytes, [b'P', b'1'..=b'7', ..]) {
        portable(bytes)
    } else {
        other(bytes, name)
    }
}

/// A Windows bitmap with an old or a new information header.
fn bitmap(bytes: &[u8]) -> Picture {
    let mut picture = Picture::new("bmp");
    let read = (|| {
        let (width, height, depth) = if le32(bytes, 14)? == 12 {
            (i64::from(le16(bytes, 18)?), i64::from(le16(bytes, 20)?), le16(bytes, 24)?)
        } else {
            let signed = |at| le32(bytes, at).map(|value| i64::from(value as i32));
            (signed(18)?, signed(22)?, le16(bytes, 28)?)
        };
        Some((width, height, depth))
    })();
    let Some((width, height, depth)) = read else {
        picture.errors.push("its header is cut off".to_owned());
        return picture;
    };
    // A negative height means that the first row is at the top.
    (picture.width, picture.height) = (width.unsigned_abs(), height.unsigned_abs());
    picture.bit_depth = Some(if depth <= 8 { depth } else { 8 });
    picture.colors(match depth {
        1..=8 => "indexed",
        32 => "rgba",
        _ => "rgb",
    });
    picture.compression = match le32(bytes, 30) {
        Some(1 | 2) => Some("run length"),
        Some(0 | 3) => Some("none"),
        _ => None,
    };
    if let (Some(x), Some(y)) = (le32(bytes, 38), le32(bytes, 42))
        && x > 0
        && y > 0
    {
        picture.dpi = Some(Density { x: per_inch(x), y: per_inch(y) });
    }
    picture
}

/// Pixels per metre as pixels per inch, rounded to hundredths.
fn per_inch(per_metre: u32) -> f64 {
    (f64::from(per_metre) * 2.54).round() / 100.0
}

/// The portable Netpbm formats: numbers as text after the magic number.
fn portable(bytes: &[u8]) -> Picture {
    let kind = bytes.get(1).copied().unwrap_or_default();
    let mut picture = Picture::new(match kind {
        b'1' | b'4' => "pbm",
        b'2' | b'5' => "pgm",
        b'3' | b'6' => "ppm",
        _ => "pam",
    });
    let text = String::from_utf8_lossy(bytes.get(2..bytes.len().min(4_096)).unwrap_or_default());
    let mut words = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default())
        .flat_map(str::split_whitespace);
    if kind == b'7' {
        let words: Vec<&str> = words.collect();
        let value = |name: &str| {
            let at = words.iter().position(|word| *word == name)?;
            words.get(at + 1)?.parse().ok()
        };
        picture.width = value("WIDTH").unwrap_or(0);
        picture.height = value("HEIGHT").unwrap_or(0);
        return picture;
    }
    let mut next = || words.next().and_then(|word| word.parse::<u64>().ok());
    picture.width = next().unwrap_or(0);
    picture.height = next().unwrap_or(0);
    let most = if matches!(kind, b'1' | b'4') { Some(1) } else { next() };
    picture.bit_depth = most.map(|most| 64 - most.leading_zeros());
    picture.colors(if matches!(kind, b'3' | b'6') { "rgb" } else { "grayscale" });
    picture
}

/// Formats of which only the dimensions are read.
fn other(bytes: &[u8], name: &str) -> Picture {
    let mut picture = Picture::new("unknown");
    if let Ok(kind) = imagesize::image_type(bytes) {
        picture.format = match kind {
            imagesize::ImageType::Ico => "ico",
            imagesize::ImageType::Psd => "psd",
            imagesize::ImageType::Jxl => "jxl",
            imagesize::ImageType::Qoi => "qoi",
            imagesize::ImageType::Tga => "tga",
            imagesize::ImageType::Heif(imagesize::Compression::Av1) => "avif",
            imagesize::ImageType::Heif(_) => "heic",
            imagesize::ImageType::Exr => "exr",
            imagesize::ImageType::Hdr => "hdr",
            imagesize::ImageType::Dds(_) => "dds",
            _ => "unknown",
        };
    }
    match imagesize::blob_size(bytes) {
        Ok(size) => (picture.width, picture.height) = (size.width as u64, size.height as u64),
        Err(error) => picture.errors.push(format!("{name} has no header of an image: {error}")),
    }
    if picture.format == "ico" {
        picture.frame_count = le16(bytes, 4).map(u64::from);
    } else if picture.format == "psd" {
        picture.channels = be32(bytes, 12).map(|channels| channels & 0xffff);
        picture.bit_depth = be16(bytes, 22);
    }
    picture
}

fn facts(picture: Picture, size_bytes: u64) -> ImageFields {
    ImageFields {
        format: picture.format,
        width: picture.width,
        height: picture.height,
        size_bytes,
        bit_depth: picture.bit_depth,
        color_space: picture.color_space.unwrap_or("unknown"),
        channels: picture.channels,
        has_alpha: picture.has_alpha,
        animated: picture.animated,
        frame_count: picture.frame_count,
        dpi: picture.dpi,
        color_profile: picture.color_profile,
        compression: picture.compression,
        exif: picture.exif,
    }
}

fn write(findings: &mut Findings, picture: &Picture, size: u64) {
    let summary = &mut findings.summary;
    summary.line(&format!("Format: {}", picture.format.to_uppercase()));
    let (width, height) = (picture.width, picture.height);
    summary.line(&format!("Dimensions: {width} \u{d7} {height} pixels"));
    summary.line(&format!("Size: {} bytes", grouped(size)));
    if let Some(depth) = picture.bit_depth {
        summary.line(&format!("Bit Depth: {depth}"));
    }
    if let Some(space) = picture.color_space {
        summary.line(&format!("Color Space: {}", space.replace('_', " with ")));
    }
    if let Some(channels) = picture.channels {
        let alpha = if picture.has_alpha == Some(true) { " (with alpha)" } else { "" };
        summary.line(&format!("Channels: {channels}{alpha}"));
    }
    if let Some(frames) = picture.frame_count {
        let title = if picture.animated { "Animated" } else { "Pictures" };
        summary.line(&format!("{title}: {} frames", grouped(frames)));
    } else if picture.animated {
        summary.line("Animated: yes");
    }
    if let Some(dpi) = picture.dpi {
        summary.line(&format!("Resolution: {} \u{d7} {} dpi", dpi.x, dpi.y));
    }
    if let Some(compression) = picture.compression {
        summary.line(&format!("Compression: {compression}"));
    }
    if let Some(profile) = &picture.color_profile {
        summary.line(&format!("Color Profile: {profile}"));
    }
    if !picture.exif.is_empty() {
        summary.blank();
        summary.line("EXIF Data:");
        for (tag, value) in &picture.exif {
            summary.line(&format!("  {tag}: {value}"));
        }
    }
}

#[cfg(test)]
mod tests;
