//! The calls of a session: lines of standard input that outlive a restart of the program.
//!
//! A parser that crashes makes the program replace its whole process (`supervise.rs`). Input that was
//! read but not yet answered is therefore kept in a memory file, which the new process takes over.

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

/// The variable that passes the memory file's descriptor to the next start of the program.
pub const VARIABLE: &str = "PARITY_SESSION_CALLS";
/// Number of bytes that are read at once.
const CHUNK: usize = 64 * 1024;

/// The calls that are not answered yet.
#[derive(Debug)]
pub struct Calls {
    input: File,
    /// Number of the next call, from 0.
    number: usize,
    /// The bytes that were read and not returned yet.
    read: Vec<u8>,
    /// The memory file: the number of the call that is being answered, a line end, that call, and
    /// everything read after it.
    kept: File,
}

impl Calls {
    /// The calls on standard input, after those that an earlier start of this program did not answer.
    ///
    /// # Errors
    /// Standard input or the memory file cannot be used.
    pub fn open() -> io::Result<Self> {
        let input = File::from(stdio::stdin().try_clone_to_owned()?);
        let left = std::env::var(VARIABLE).ok().and_then(|number| number.parse::<u32>().ok());
        let Some(left) = left else {
            // Without the close-on-exec flag, so that the new process inherits it.
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

    /// The descriptor of the memory file, as text.
    pub fn descriptor(&self) -> String {
        self.kept.as_fd().as_raw_fd().to_string()
    }

    /// The next call with its number; `None` at the end of the input.
    ///
    /// # Errors
    /// Standard input cannot be read, or the call is not UTF-8.
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

/// The bytes before the first line end, and those after it.
fn split(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    Some((bytes.get(..end)?, bytes.get(end + 1..)?))
}
