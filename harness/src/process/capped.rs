//! A byte stream of which only the beginning and the end are kept.

use std::collections::VecDeque;

use record::Capped;

/// Collects a stream within a fixed memory bound.
#[derive(Debug)]
pub(super) struct CappedBuffer {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    head_limit: usize,
    tail_limit: usize,
    total: u64,
}

impl CappedBuffer {
    /// A buffer for at most `limit` bytes: the head has one more than the tail when it is odd.
    pub(super) fn new(limit: usize) -> Self {
        let tail_limit = limit / 2;
        let head_limit = limit - tail_limit;
        Self { head: Vec::new(), tail: VecDeque::new(), head_limit, tail_limit, total: 0 }
    }

    /// Appends bytes of the stream.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let room = self.head_limit - self.head.len();
        let (first, rest) = bytes.split_at(room.min(bytes.len()));
        self.head.extend_from_slice(first);
        // Only the end of a long piece can be kept, so the rest is skipped.
        let rest = &rest[rest.len().saturating_sub(self.tail_limit)..];
        let excess = (self.tail.len() + rest.len()).saturating_sub(self.tail_limit);
        self.tail.drain(..excess);
        self.tail.extend(rest);
    }

    /// Whether more bytes came than are kept.
    pub(super) fn overflowed(&self) -> bool {
        self.total > (self.head_limit + self.tail_limit) as u64
    }

    /// What was kept.
    pub(super) fn finish(self) -> Capped {
        let truncated = self.overflowed();
        let head = self.head.len();
        let mut bytes = self.head;
        bytes.extend(self.tail);
        Capped { bytes, head, total: self.total, truncated }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collect(limit: usize, pieces: &[&[u8]]) -> Capped {
        let mut buffer = CappedBuffer::new(limit);
        for piece in pieces {
            buffer.push(piece);
        }
        buffer.finish()
    }

    #[test]
    fn keeps_everything_up_to_the_limit() {
        let kept = collect(6, &[b"ab", b"cd", b"ef"]);
        assert_eq!((kept.bytes.as_slice(), kept.total, kept.truncated), (&b"abcdef"[..], 6, false));
    }

    #[test]
    fn keeps_head_and_tail_beyond_the_limit_however_it_is_cut() {
        for pieces in
            [vec![&b"abcdefghij"[..]], vec![b"abc", b"defgh", b"ij"], vec![b"a", b"bcdefghij"]]
        {
            let kept = collect(5, &pieces);
            assert_eq!((kept.bytes.as_slice(), kept.head), (&b"abcij"[..], 3));
            assert_eq!((kept.total, kept.truncated), (10, true));
        }
    }

    #[test]
    fn a_limit_of_nothing_keeps_nothing() {
        let kept = collect(0, &[b"x"]);
        assert_eq!((kept.bytes.len(), kept.total, kept.truncated), (0, 1, true));
    }
}
