//! Prints which explorer looks at each file whose path stands on a line of the input, and what the
//! choice rests on: `explorer`, `evidence` and the path, with tabulators between them.
//! `comparators/dispatch` compares the answers with another program's.

use std::{
    error::Error,
    io::{BufRead, stdin},
    path::Path,
};

use explore::{Input, dispatch::dispatch};

fn main() -> Result<(), Box<dyn Error>> {
    for path in stdin().lock().lines() {
        let path = path?;
        let found = dispatch(&Input::open(&path, Path::new(&path))?, None)?;
        let evidence = serde_json::to_value(found.evidence)?;
        println!("{}\t{}\t{path}", found.explorer.id, evidence.as_str().unwrap_or_default());
    }
    Ok(())
}
