//! What the program prints and says.

use std::io::{self, Write};

/// Prints a result.
#[expect(clippy::disallowed_methods, reason = "this program has no other console")]
pub fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Says a line. What a service said may hold characters that steer a terminal.
#[expect(clippy::disallowed_methods, reason = "this program has no other console")]
pub fn say(text: &str) {
    let plain: String =
        text.chars().map(|c| if c.is_control() && c != '\n' { '\u{fffd}' } else { c }).collect();
    // There is nobody else to tell if standard error is closed.
    let _ = writeln!(io::stderr().lock(), "{plain}");
}
