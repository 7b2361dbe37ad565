//! `parity warden`: ends the children of a run that was killed. The program starts it itself.

use clap::Args;
use record::exit;

use crate::process::warden;

/// End the process groups that standard input tells of, once it ends; for the program's own use.
#[derive(Debug, Args)]
#[command(hide = true)]
pub struct Warden;

/// Watches until standard input ends.
pub fn run() -> u8 {
    warden::keep_watch(std::io::stdin().lock());
    exit::PASS
}
