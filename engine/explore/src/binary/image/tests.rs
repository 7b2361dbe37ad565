#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use base::profile::Profile;

use crate::{Exploration, Input, Project, explore};

fn look(name: &str, bytes: &[u8]) -> Exploration {
    explore(&Input::memory(name, bytes), &Project::default(), Profile::Enhancement)
}

/// A PNG of a size without pixels.
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
        (&found.fields["width"], &found.fields["height"]),
        (&3.into(), &4_000_000_000_u64.into())
    );
    assert_eq!(
        (&found.fields["color_space"], &found.fields["has_alpha"]),
        (&"rgba".into(), &true.into())
    );
    assert_eq!(found.malformed, None);
    let gif = b"GIF89a\x05\0\x07\0\0\0\0,\0\0\0\0\x05\0\x07\0\0\x02\x01\0\0,\0\0\0\0\x05\0\x07\0\0\x02\x01\0\0;";
    let found = look("a.gif", gif);
    assert_eq!((&found.fields["width"], &found.fields["frame_count"]), (&5.into(), &2.into()));
    assert_eq!(found.fields["animated"], true);
    let jpeg = b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\x01\0\x48\0\x48\0\0\xff\xc2\0\x0b\x08\0\x09\0\x0a\x01\0\0\0\xff\xd9";
    let found = look("a.jpg", jpeg);
    assert_eq!((&found.fields["width"], &found.fields["height"]), (&10.into(), &9.into()));
    assert_eq!(
        (&found.fields["color_space"], &found.fields["compression"]),
        (&"grayscale".into(), &"progressive".into())
    );
    assert_eq!(found.fields["dpi"]["x"], 72.0);
    let found = look("a.ppm", b"P6\n# c\n7 8\n255\n");
    assert_eq!((&found.fields["width"], &found.fields["bit_depth"]), (&7.into(), &8.into()));
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
    assert_eq!((&found.fields["width"], &found.fields["frame_count"]), (&6.into(), &1.into()));
}
