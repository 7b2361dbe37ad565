//! The types of bytes without an explorer of their own, judged by their first bytes or their name.

/// Offset, first bytes, MIME type and name of a kind.
const MAGIC: &[(usize, &[u8], &str, &str)] = &[
    (0, b"\xca\xfe\xba\xbe", "application/java-vm", "Java class"),
    (0, b"\x93NUMPY", "application/x-npy", "NumPy array"),
    (0, b"PAR1", "application/vnd.apache.parquet", "Parquet table"),
    (0, b"ARROW1", "application/vnd.apache.arrow.file", "Arrow table"),
    (0, b"Obj\x01", "application/avro", "Avro container"),
    (0, b"\x89HDF\r\n\x1a\n", "application/x-hdf5", "HDF5 container"),
    (0, b"\0\x01\0\0", "font/ttf", "TrueType font"),
    (0, b"OTTO", "font/otf", "OpenType font"),
    (0, b"wOFF", "font/woff", "WOFF font"),
    (0, b"wOF2", "font/woff2", "WOFF2 font"),
    (0, b"ID3", "audio/mpeg", "MP3 audio"),
    (0, b"\xff\xfb", "audio/mpeg", "MP3 audio"),
    (0, b"fLaC", "audio/flac", "FLAC audio"),
    (0, b"OggS", "audio/ogg", "Ogg media"),
    (8, b"WAVE", "audio/wav", "WAV audio"),
    (8, b"AVI ", "video/x-msvideo", "AVI video"),
    (4, b"ftyp", "video/mp4", "MP4 media"),
    (0, b"\x1a\x45\xdf\xa3", "video/x-matroska", "Matroska media"),
    (0, b"\xde\x12\x04\x95", "application/x-gettext-translation", "translations (gettext)"),
    (0, b"\x95\x04\x12\xde", "application/x-gettext-translation", "translations (gettext)"),
    (0, b"\xd4\xc3\xb2\xa1", "application/vnd.tcpdump.pcap", "packet capture"),
    (0, b"\xa1\xb2\xc3\xd4", "application/vnd.tcpdump.pcap", "packet capture"),
    (0, b"\x0a\x0d\x0d\x0a", "application/x-pcapng", "packet capture"),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage", "OLE2 document"),
    (0, b"ElfFile\0", "application/x-ms-evtx", "Windows event log"),
    (0, b"regf", "application/x-windows-registry", "Windows registry hive"),
    (0, b"BC\xc0\xde", "application/x-llvm", "LLVM bitcode"),
];

/// Extension, MIME type and name of a type whose first bytes do not tell enough.
const EXTENSIONS: &[(&str, &str, &str)] = &[
    ("pyc", "application/x-python-bytecode", "Python bytecode"),
    ("pyo", "application/x-python-bytecode", "Python bytecode"),
    ("pkl", "application/x-pickle", "Python pickle"),
    ("eot", "application/vnd.ms-fontobject", "embedded font"),
    ("mp3", "audio/mpeg", "MP3 audio"),
];

/// MIME type and name; `application/octet-stream` and `unknown` if nothing is known.
pub fn kind(head: &[u8], name: &str) -> (&'static str, &'static str) {
    let by_bytes = MAGIC
        .iter()
        .find(|(at, magic, ..)| head.get(*at..).is_some_and(|rest| rest.starts_with(magic)))
        .map(|(_, _, mime, what)| (*mime, *what));
    let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_lowercase());
    let by_name = || {
        EXTENSIONS
            .iter()
            .find(|(of, ..)| extension.as_deref() == Some(*of))
            .map(|(_, mime, what)| (*mime, *what))
    };
    by_bytes.or_else(by_name).unwrap_or(("application/octet-stream", "unknown"))
}
