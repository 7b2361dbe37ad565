//! The facts of an image.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::masked::masked;

/// The contents of an image's header; facts that it does not give are absent.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ImageFields {
    /// The format, such as `png` or `jpeg`; `unknown` if it is not recognised.
    pub format: &'static str,
    /// Width in pixels; 0 if it cannot be read.
    pub width: u64,
    /// Height in pixels; 0 if it cannot be read.
    pub height: u64,
    /// Size of the file in bytes.
    pub size_bytes: u64,
    /// Bits per channel of a pixel.
    pub bit_depth: Option<u32>,
    /// `rgb`, `rgba`, `grayscale`, `grayscale_alpha`, `indexed`, `cmyk` or `unknown`.
    pub color_space: &'static str,
    /// Number of channels of a pixel.
    pub channels: Option<u32>,
    /// Whether pixels can be transparent.
    pub has_alpha: Option<bool>,
    /// Whether its pictures are frames of an animation.
    pub animated: bool,
    /// Number of pictures in the file.
    pub frame_count: Option<u64>,
    /// Pixels per inch.
    pub dpi: Option<Density>,
    /// Name of the colour profile.
    pub color_profile: Option<String>,
    /// How pixels are compressed, such as `deflate` or `progressive`.
    pub compression: Option<&'static str>,
    /// EXIF tags by name, as text, such as `camera_make` or `gps_latitude`.
    pub exif: BTreeMap<&'static str, String>,
}

/// Dots per inch; both are finite.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Density {
    /// Horizontally.
    pub x: f64,
    /// Vertically.
    pub y: f64,
}

masked! {
    ImageFields {
        format, width, height, size_bytes, bit_depth, color_space, channels, has_alpha, animated,
        frame_count, dpi, color_profile, compression, exif,
    }
    Density { x, y }
}
