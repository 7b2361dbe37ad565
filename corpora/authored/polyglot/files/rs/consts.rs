// Definitions without a reference: the names come from the lexer.
pub struct Marker;
pub enum Level { Low = 0x1f, High = 1_000 }
pub mod inner { pub const TEXT: &str = r#"raw "text""#; pub static BYTE: u8 = b'\n'; }
