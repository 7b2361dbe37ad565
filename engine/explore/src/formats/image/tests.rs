#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use crate::{Exploration, Input, Profile, Project, explore};

fn look(name: &str, bytes: &[u8]) -> Exploration {
    explore(&Input::memory(name, bytes), &Project::default(), Profile::Enhancement)
}

/// A PNG of the given size without pixels.
fn png(width: u32, height: u32, end: bool) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    bytes.extend(width.to_be_bytes());
    bytes.extend(height.to_be_bytes());
    bytes.extend([8, 6, 0, 0, 0, 0, 0, 0, 0]);
    if end {
        bytes.extend(b"\0\0\0\0IEND\xaeB`\x82");
    }
    bytes
}

#[test]
fn headers_say_dimensions_and_colors() {
    let found = look("a.png", &png(3, 4_000_000_000, true));
    assert_eq!(
        (&found.json()["width"], &found.json()["height"]),
        (&3.into(), &4_000_000_000_u64.into())
    );
    assert_eq!(
        (&found.json()["color_space"], &found.json()["has_alpha"]),
        (&"rgba".into(), &true.into())
    );
    assert_eq!(found.malformed, None);
    let gif = b"GIF89a\x05\0\x07\0\0\0\0,\0\0\0\0\x05\0\x07\0\0\x02\x01\0\0,\0\0\0\0\x05\0\x07\0\0\x02\x01\0\0;";
    let found = look("a.gif", gif);
    assert_eq!((&found.json()["width"], &found.json()["frame_count"]), (&5.into(), &2.into()));
    assert_eq!(found.json()["animated"], true);
    let jpeg = b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\x01\0\x48\0\x48\0\0\xff\xc2\0\x0b\x08\0\x09\0\x0a\x01\0\0\0\xff\xd9";
    let found = look("a.jpg", jpeg);
    assert_eq!((&found.json()["width"], &found.json()["height"]), (&10.into(), &9.into()));
    assert_eq!(
        (&found.json()["color_space"], &found.json()["compression"]),
        (&"grayscale".into(), &"progressive".into())
    );
    assert_eq!(found.json()["dpi"]["x"], 72.0);
    let found = look("a.ppm", b"P6\n# c\n7 8\n255\n");
    assert_eq!((&found.json()["width"], &found.json()["bit_depth"]), (&7.into(), &8.into()));
}

#[test]
fn sizes_of_cursors_large_tiffs_and_apples_icons_are_read() {
    let cursor =
        b"\0\0\x02\0\x02\0\x20\x10\0\0\0\0\0\0\x08\0\0\0\x26\0\0\0\0\x80\0\0\0\0\0\0\x08\0\0\0\x2e\0\0\0";
    // Two entries of 20 bytes: width and height, as numbers of eight bytes.
    let mut tiff = b"II+\0\x08\0\0\0\x10\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0".to_vec();
    for (tag, value) in [(0_u8, 70_000_u64), (1, 5)] {
        tiff.extend([tag, 1, 16, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
        tiff.extend(value.to_le_bytes());
    }
    tiff.extend([0; 8]);
    let icns = b"icns\0\0\0\x20ic07\0\0\0\x08ic09\0\0\0\x08is32\0\0\0\x08";
    let jp2 = b"\0\0\0\x0cjP  \r\n\x87\n\0\0\0\x1ejp2h\0\0\0\x16ihdr\0\0\0\x09\0\0\0\x0a\0\x03\x07\x07\0\0";
    for (name, bytes, format, width, height, frames) in [
        ("a.cur", &cursor[..], "cur", 256, 128, Some(2)),
        ("a.tif", &tiff, "tiff", 70_000, 5, Some(1)),
        ("a.icns", icns, "icns", 512, 512, Some(3)),
        ("a.jp2", jp2, "jp2", 10, 9, None),
    ] {
        let found = look(name, bytes);
        let fields = found.json();
        assert_eq!((found.explorer_used.as_str(), &fields["format"]), ("image", &format.into()));
        assert_eq!(
            (&fields["width"], &fields["height"]),
            (&width.into(), &height.into()),
            "{name}"
        );
        assert_eq!(fields["frame_count"].as_u64(), frames, "{name}");
        assert_eq!(found.malformed, None, "{name}");
    }
}

#[test]
fn damaged_images_say_so() {
    for (name, bytes) in [
        ("a.png", png(1, 1, false)),
        ("a.png", b"\x89PNG\r\n\x1a\n\xff\xff\xff\xffIHDR".to_vec()),
        ("a.jpg", b"\xff\xd8\xff\xe0\xff\xff".to_vec()),
        ("a.gif", b"GIF89a\x05".to_vec()),
        ("a.tif", b"II*\0\xff\xff\xff\xff".to_vec()),
        ("a.bmp", b"BM\0\0\0\0\x01".to_vec()),
        ("a.webp", b"RIFF\0\0\0\0WEBPVP8X\xff\xff\xff\xff".to_vec()),
    ] {
        let found = look(name, &bytes);
        assert!(found.success && found.malformed.is_some(), "{name} {bytes:?}");
    }
}

#[test]
fn directories_that_point_to_themselves_end() {
    // One entry (width 6), and the next directory is the same one.
    let mut bytes = b"II*\0\x08\0\0\0\x01\0".to_vec();
    bytes.extend([0, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0, 8, 0, 0, 0]);
    let found = look("a.tif", &bytes);
    assert_eq!((&found.json()["width"], &found.json()["frame_count"]), (&6.into(), &1.into()));
}
