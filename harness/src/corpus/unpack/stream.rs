//! Readers that count, and that stop at the limits of [`Caps`].

use std::{
    cell::{Cell, OnceCell},
    io::{self, Read},
    rc::Rc,
};

use super::Caps;

/// Output below this size is never suspected of being a bomb.
const RATIO_FLOOR: u64 = 16 << 20;

/// Counts what is read from the compressed file.
pub(super) struct Counted<R> {
    /// What is read.
    pub inner: R,
    /// Bytes so far.
    pub total: Rc<Cell<u64>>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.total.set(self.total.get() + read as u64);
        Ok(read)
    }
}

/// Stops the stream at the limits.
pub(super) struct Limited<R> {
    /// What is read.
    pub inner: R,
    /// Compressed bytes so far.
    pub packed: Rc<Cell<u64>>,
    /// Uncompressed bytes so far.
    pub unpacked: Rc<Cell<u64>>,
    /// The limits.
    pub caps: Caps,
    /// Set to the limit that stopped the stream.
    pub reached: Rc<OnceCell<String>>,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        let unpacked = self.unpacked.get() + read as u64;
        self.unpacked.set(unpacked);
        let limit = if unpacked > self.caps.bytes {
            format!("{} bytes", self.caps.bytes)
        } else if unpacked > RATIO_FLOOR && unpacked / self.packed.get().max(1) > self.caps.ratio {
            format!("{} bytes for each packed byte", self.caps.ratio)
        } else {
            return Ok(read);
        };
        Err(io::Error::other(self.reached.get_or_init(|| limit).clone()))
    }
}
