//! Literals of Rust.

use super::Rust;

impl Rust<'_, '_> {
    /// A literal that starts with `b`, `r` or `br`.
    pub fn prefixed(&mut self, end: usize) -> bool {
        let prefix = self.cursor.slice(self.at..end);
        match self.cursor.byte(end) {
            b'\'' if prefix == "b" => {
                let close = self.character_end(end, true);
                self.at = close.unwrap_or(self.at);
                close.is_some()
            }
            b'"' if prefix == "b" => {
                self.at = end;
                self.text();
                true
            }
            b'"' | b'#' if prefix != "b" => {
                let close = self.raw_end(end);
                self.at = close.unwrap_or(self.at);
                close.is_some()
            }
            _ => false,
        }
    }

    /// End of a raw string with its hashes, if any, starting at `at`.
    fn raw_end(&mut self, at: usize) -> Option<usize> {
        let open = self.cursor.ascii_run(at, |byte| byte == b'#');
        let count = open - at;
        if self.cursor.byte(open) != b'"'
            || self.memory.open_raw.is_some_and(|known| known <= count)
        {
            return None;
        }
        let mut from = open + 1;
        while let Some(quote) = self.cursor.find(from, b'"') {
            let end = quote + 1 + count;
            if (quote + 1..end).all(|place| self.cursor.byte(place) == b'#') {
                return Some(end);
            }
            from = quote + 1;
        }
        self.memory.open_raw = Some(count);
        None
    }

    /// End of the character literal whose quote is at `at`.
    pub fn character_end(&self, at: usize, byte_literal: bool) -> Option<usize> {
        let body = at + 1;
        let closed = |end: usize| (self.cursor.byte(end) == b'\'').then_some(end + 1);
        if self.cursor.byte(body) == b'\\' {
            let escape = match self.cursor.byte(body + 1) {
                b'\'' | b'"' | b'\\' | b'n' | b'r' | b't' | b'0' => Some(body + 2),
                b'x' => {
                    let first = self.cursor.byte(body + 2);
                    let fits = byte_literal || matches!(first, b'0'..=b'7');
                    (fits && self.cursor.hex_digits(body + 2, 2)).then_some(body + 4)
                }
                b'u' if self.cursor.byte(body + 2) == b'{' => {
                    let end = self.cursor.ascii_run(body + 3, |byte| byte.is_ascii_hexdigit());
                    let fits = (1..=6).contains(&(end - body - 3));
                    (fits && self.cursor.byte(end) == b'}').then_some(end + 1)
                }
                _ => None,
            };
            if let Some(end) = escape.and_then(closed) {
                return Some(end);
            }
        }
        if body >= self.cursor.len() || self.cursor.byte(body) == b'\n' {
            return None;
        }
        closed(self.cursor.after(body))
    }

    /// A string; a backslash escapes a quote or a backslash after it.
    pub fn text(&mut self) {
        self.at = self.cursor.quoted_end(self.at, b'"').unwrap_or(self.cursor.len());
    }

    /// A number with its type suffix; what follows is scanned as usual.
    pub fn number(&mut self) {
        let run = |at: usize, test: fn(u8) -> bool| self.cursor.ascii_run(at, test);
        let digits = |at: usize| run(at, |byte| byte.is_ascii_digit() || byte == b'_');
        let based = match (self.cursor.byte(self.at), self.cursor.byte(self.at + 1)) {
            (b'0', b'b') => run(self.at + 2, |byte| matches!(byte, b'0' | b'1' | b'_')),
            (b'0', b'o') => run(self.at + 2, |byte| matches!(byte, b'0'..=b'7' | b'_')),
            (b'0', b'x' | b'X') => {
                run(self.at + 2, |byte| byte.is_ascii_hexdigit() || byte == b'_')
            }
            _ => 0,
        };
        if based > self.at + 2 {
            return self.suffix(based);
        }
        let exponent = |at: usize| self.cursor.exponent_end(at, b"eE", digits);
        let whole = digits(self.at);
        if self.cursor.byte(whole) != b'.' {
            return self.suffix(exponent(whole).unwrap_or(whole));
        }
        let fraction = digits(whole + 1);
        let has_fraction = fraction > whole + 1;
        let end = match exponent(fraction) {
            Some(end) if has_fraction => end,
            _ if self.cursor.byte(fraction) != b'.' => fraction,
            // The last digit is left out, so that no dot follows the number.
            _ if has_fraction => fraction - 1,
            _ => whole,
        };
        self.suffix(end);
    }

    fn suffix(&mut self, end: usize) {
        let sizes: &[&str] = match self.cursor.byte(end) {
            b'u' | b'i' => &["8", "16", "32", "64", "size"],
            b'f' => &["32", "64"],
            _ => &[],
        };
        let size = sizes.iter().find(|size| self.cursor.starts(end + 1, size));
        self.at = size.map_or(end, |size| end + 1 + size.len());
    }
}
