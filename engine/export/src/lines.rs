//! Bytes of a text as lines and columns.

/// The lines of a text.
#[derive(Debug)]
pub struct Lines<'a> {
    text: &'a str,
    /// The first byte of each line.
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    /// The lines of a text. They end at line feeds, as in the index.
    pub fn of(text: &'a str) -> Self {
        let after =
            text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        Self { text, starts: std::iter::once(0).chain(after).collect() }
    }

    /// Line and column of a byte, both from 0. Columns count code points.
    pub fn place(&self, byte: u32) -> (u32, u32) {
        let byte = byte as usize;
        let line = self.starts.partition_point(|start| *start <= byte).saturating_sub(1);
        let start = self.starts.get(line).copied().unwrap_or(0);
        let column = self.text.get(start..byte).map_or(0, |before| before.chars().count());
        (line as u32, column as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::Lines;

    #[test]
    fn columns_count_code_points() {
        let lines = Lines::of("a\n😀é b\r\n");
        assert_eq!(lines.place(0), (0, 0));
        assert_eq!(lines.place(1), (0, 1));
        assert_eq!(lines.place(2), (1, 0));
        assert_eq!(lines.place(6), (1, 1));
        assert_eq!(lines.place(9), (1, 3));
        assert_eq!(lines.place(12), (2, 0));
    }
}
