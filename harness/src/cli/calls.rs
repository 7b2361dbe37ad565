//! The calls of a session: lines of standard input that outlive a restart of the program.
//!
//! A parser that crashes replaces the whole process (`supervise.rs`). What was read and is not yet
//! answered is therefore kept in a file of memory, which the new process takes over.

use std::{
    fs::File,
    io::{self, Read},
    os::{
        fd::{AsFd, AsRawFd},
        unix::fs::FileExt,
    },
};

use rustix::{
    fs::{MemfdFlags, memfd_create},
    stdio,
};

/// Names the descriptor of the file of memory to the next start of the program.
pub const VARIABLE: &str = "PARITY_SESSION_CALLS";
/// Bytes that are read at once.
const CHUNK: usize = 64 * 1024;

/// The calls that are still to be answered.
#[derive(Debug)]
pub struct Calls {
    input: File,
    /// Number of the next call, from 0.
    number: usize,
    /// What was read and not handed out.
    read: Vec<u8>,
    /// The number of the call that is being answered, a line's end, the call and what is behind it.
    kept: File,
}

impl Calls {
    /// The calls of standard input, and those that an earlier start of this program left.
    ///
    /// # Errors
    /// Standard input or memory cannot be used.
    pub fn open() -> io::Result<Self> {
        let input = File::from(stdio::stdin().try_clone_to_owned()?);
        let left = std::env::var(VARIABLE).ok().and_then(|number| number.parse::<u32>().ok());
        let Some(left) = left else {
            // It is inherited: the new process is to have it.
            let kept = memfd_create("parity-session", MemfdFlags::empty())?;
            return Ok(Self { input, number: 0, read: Vec::new(), kept: File::from(kept) });
        };
        let kept = File::options().read(true).write(true).open(format!("/proc/self/fd/{left}"))?;
        let mut bytes = Vec::new();
        (&kept).read_to_end(&mut bytes)?;
        let (number, read) = split(&bytes).unwrap_or((b"0", &[]));
        let number = std::str::from_utf8(number).ok().and_then(|number| number.parse().ok());
        Ok(Self { input, number: number.unwrap_or(0), read: read.to_vec(), kept })
    }

    /// The descriptor of the file of memory, as text.
    pub fn descriptor(&self) -> String {
        self.kept.as_fd().as_raw_fd().to_string()
    }

    /// The next call with its number, or nothing behind the last.
    ///
    /// # Errors
    /// Standard input cannot be read, or holds no text.
    pub fn next_call(&mut self) -> io::Result<Option<(usize, String)>> {
        while !self.read.contains(&b'\n') {
            let mut chunk = vec![0; CHUNK];
            let count = self.input.read(&mut chunk)?;
            if count == 0 {
                break;
            }
            self.read.extend_from_slice(chunk.get(..count).unwrap_or_default());
        }
        if self.read.is_empty() {
            return Ok(None);
        }
        let kept = [format!("{}\n", self.number).as_bytes(), &self.read].concat();
        self.kept.set_len(0)?;
        self.kept.write_all_at(&kept, 0)?;
        let (line, rest) = split(&self.read).unwrap_or((&self.read, &[]));
        let call = String::from_utf8(line.to_vec()).map_err(io::Error::other)?;
        self.read = rest.to_vec();
        self.number += 1;
        Ok(Some((self.number - 1, call)))
    }
}

/// What is before the first line's end, and what is behind it.
fn split(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    Some((bytes.get(..end)?, bytes.get(end + 1..)?))
}
