//! Prints the lexer and the names of files: `cargo run -p pygments --example names FILE…`.
//!
//! A line per file, `path: lexer` (`-` for none), then a line per name, indented.

#![allow(clippy::disallowed_methods, reason = "whoever runs the example names the files")]

use std::io::{self, Write};

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for path in std::env::args_os().skip(1) {
        let text = String::from_utf8_lossy(&std::fs::read(&path)?)
            .replace("\r\n", "\n")
            .replace('\r', "\n");
        let path = path.to_string_lossy();
        let found = pygments::names(&path, &text);
        writeln!(out, "{path}: {}", found.lexer.unwrap_or("-"))?;
        for name in found.names {
            writeln!(out, "  {}", name.escape_debug())?;
        }
    }
    Ok(())
}
