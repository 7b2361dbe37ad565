//! `parity unit`: records one unit of a plan, for a run on another machine.

use std::{
    io::{self, BufRead, Read, Write},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
};

use clap::Args;
use record::exit;

use crate::{
    Failure, Folders, console, process,
    run::{MAX_ORDER, UnitOrder, Worker},
};

/// Record one unit of a plan: an order on standard input, a framed answer on standard output.
///
/// The order is one line of JSON; docs/cluster.md describes both. The workers of `parity run --cluster` call this.
/// Engine, corpus and comparator are found by their digests in the cache, else in the shared store, and fetched from
/// nowhere else: exits with 26 if one of them is not here, with 21 if it has another digest.
#[derive(Debug, Args)]
pub struct Unit {
    /// Read one order after another. Before each answer stands a line with the number of its bytes. If standard input
    /// ends while a unit is recorded, the program that asked is gone, and the unit is given up.
    #[arg(long)]
    many: bool,
    /// The store that machines share: file:///FOLDER or s3://BUCKET/FOLDER.
    #[arg(long, value_name = "URL", env = "PARITY_STORE")]
    store: Option<String>,
}

impl Unit {
    /// Runs the command.
    pub fn run(self) -> Result<u8, Failure> {
        let folders = Folders::find()?.with_store(self.store.as_deref())?;
        let mut worker = Worker::new(&folders);
        let mut out = console::protocol()?;
        if !self.many {
            let line = next_line()?.unwrap_or_default();
            out.write_all(&worker.answer(&order(&line)?)?)?;
            out.flush()?;
            return Ok(exit::PASS);
        }
        let unanswered = Arc::new(AtomicUsize::new(0));
        for line in lines(Arc::clone(&unanswered)) {
            let answer = worker.answer(&order(&line?)?)?;
            unanswered.fetch_sub(1, Ordering::SeqCst);
            writeln!(out, "{}", answer.len())?;
            out.write_all(&answer)?;
            out.flush()?;
        }
        process::go_on()?;
        Ok(exit::PASS)
    }
}

/// The lines of standard input, which is read while units are recorded: its end then stops this process.
fn lines(unanswered: Arc<AtomicUsize>) -> mpsc::Receiver<Result<Vec<u8>, Failure>> {
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || {
        while let Some(line) = next_line().transpose() {
            unanswered.fetch_add(1, Ordering::SeqCst);
            let is_last = line.is_err();
            if sender.send(line).is_err() || is_last {
                return;
            }
        }
        if unanswered.load(Ordering::SeqCst) > 0 {
            process::interrupt();
        }
    });
    lines
}

/// The next line of standard input; absent at its end.
fn next_line() -> Result<Option<Vec<u8>>, Failure> {
    let mut line = Vec::new();
    io::stdin().lock().take(MAX_ORDER + 1).read_until(b'\n', &mut line)?;
    if line.len() as u64 > MAX_ORDER {
        let why = format!("the order is longer than {MAX_ORDER} bytes");
        return Err(Failure::new(exit::USAGE, why));
    }
    Ok(Some(line).filter(|line| !line.is_empty()))
}

fn order(line: &[u8]) -> Result<UnitOrder, Failure> {
    serde_json::from_slice(line).map_err(|error| {
        let why = format!(
            "standard input is no order of this version: {error}; docs/cluster.md describes orders"
        );
        Failure::new(exit::USAGE, why)
    })
}
