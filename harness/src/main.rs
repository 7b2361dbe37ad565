//! The `parity` program.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// Also serves the parser's C code, which allocates every node of every tree.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    ExitCode::from(harness::cli::main())
}
