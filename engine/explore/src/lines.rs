//! From byte offsets to 1-based lines.

/// The offset of each line of a text.
#[derive(Debug, Clone)]
pub struct LineStarts {
    starts: Vec<usize>,
}

impl LineStarts {
    /// The lines of a text; a line ends with its line feed.
    pub fn new(text: &str) -> Self {
        let mut starts = vec![0];
        starts.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|position| position + 1));
        Self { starts }
    }

    /// The lines of a text in which a carriage return without a line feed also ends a line, as in
    /// CommonMark.
    pub fn with_returns(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for position in memchr::memchr2_iter(b'\n', b'\r', bytes) {
            if bytes.get(position) == Some(&b'\n') || bytes.get(position + 1) != Some(&b'\n') {
                starts.push(position + 1);
            }
        }
        Self { starts }
    }

    /// The 1-based line that contains a byte offset.
    pub fn line(&self, offset: usize) -> u64 {
        self.starts.partition_point(|start| *start <= offset) as u64
    }

    /// The byte offset at which a 1-based line starts; if there are fewer lines, that of the last
    /// one.
    pub fn start(&self, line: u64) -> usize {
        let index = usize::try_from(line.saturating_sub(1)).unwrap_or(usize::MAX);
        let start = self.starts.get(index).or(self.starts.last());
        start.copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::LineStarts;

    #[test]
    fn offsets_become_lines() {
        let text = "ab\nçd\n\nx";
        let lines = LineStarts::new(text);
        for (offset, line) in [(0, 1), (2, 1), (3, 2), (5, 2), (7, 3), (8, 4)] {
            assert_eq!(lines.line(offset), line);
        }
        assert_eq!((lines.start(2), lines.start(99)), (3, 8));
        assert_eq!(LineStarts::with_returns("a\rb\r\nc").line(5), 3);
        assert_eq!(LineStarts::new("a\rb\r\nc").line(5), 2);
    }
}
