//! `parity unit`: records one unit of a plan, for a run on another machine.

use std::io::{self, BufRead, Read, Write};

use clap::Args;
use record::exit;

use crate::{
    Failure, Folders, console, process,
    run::{MAX_ORDER, UnitOrder, unit_answer},
};

/// Record one unit of a plan: an order on standard input, a framed answer on standard output.
///
/// The order is one line of JSON; docs/cluster.md describes both. The workers of `parity run --cluster` call this.
/// Engine, corpus and comparator are found by their digests in the cache, else in the shared store, and fetched from
/// nowhere else: exits with 26 if one of them is not here, with 21 if it has another digest.
#[derive(Debug, Args)]
pub struct Unit {
    /// Stop when standard input ends, because the program that asked is gone. Without this, input may end after the
    /// order.
    #[arg(long)]
    tied: bool,
    /// The store that machines share: file:///FOLDER or s3://BUCKET/FOLDER.
    #[arg(long, value_name = "URL", env = "PARITY_STORE")]
    store: Option<String>,
}

impl Unit {
    /// Runs the command.
    pub fn run(self) -> Result<u8, Failure> {
        let mut line = Vec::new();
        io::stdin().lock().take(MAX_ORDER + 1).read_until(b'\n', &mut line)?;
        if line.len() as u64 > MAX_ORDER {
            let why = format!("the order is longer than {MAX_ORDER} bytes");
            return Err(Failure::new(exit::USAGE, why));
        }
        let order: UnitOrder = serde_json::from_slice(&line).map_err(|error| {
            let why = format!(
                "standard input is no order of this version: {error}; docs/cluster.md describes orders"
            );
            Failure::new(exit::USAGE, why)
        })?;
        if self.tied {
            std::thread::spawn(|| {
                io::copy(&mut io::stdin().lock(), &mut io::sink()).ok();
                process::interrupt();
            });
        }
        let frame = unit_answer(&Folders::find()?.with_store(self.store.as_deref())?, &order)?;
        let mut out = console::protocol()?;
        out.write_all(&frame)?;
        out.flush()?;
        Ok(exit::PASS)
    }
}
