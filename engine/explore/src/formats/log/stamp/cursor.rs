//! Reads the parts of a timestamp, one after the other.

/// Beginnings of the English names of months.
pub const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
/// Beginnings of the names of months in other European languages, if they differ from the English
/// ones.
const FOREIGN: [(&str, i128); 18] = [
    ("ene", 1),
    ("gen", 1),
    ("fev", 2),
    ("mrz", 3),
    ("abr", 4),
    ("avr", 4),
    ("mai", 5),
    ("mag", 5),
    ("giu", 6),
    ("lug", 7),
    ("ago", 8),
    ("aou", 8),
    ("set", 9),
    ("okt", 10),
    ("ott", 10),
    ("out", 10),
    ("dez", 12),
    ("dic", 12),
];
/// Beginnings of the English names of days.
pub const DAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/// Nanoseconds per second and per day.
pub const NANO: i128 = 1_000_000_000;
pub const DAY: i128 = 86_400 * NANO;

/// A position in a line. Every step may fail, and after a failed step the position is undefined.
#[derive(Clone, Copy)]
pub struct Cursor<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
}

impl Cursor<'_> {
    pub fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    pub fn any(&mut self, of: &[u8]) -> Option<u8> {
        let byte = self.peek().filter(|byte| of.contains(byte))?;
        self.at += 1;
        Some(byte)
    }

    pub fn spaces(&mut self) -> Option<()> {
        self.any(b" \t")?;
        while self.any(b" \t").is_some() {}
        Some(())
    }

    /// A number with `least` to `most` digits.
    pub fn digits(&mut self, least: usize, most: usize) -> Option<i128> {
        let start = self.at;
        let mut value = 0;
        while let Some(byte) = self.peek().filter(u8::is_ascii_digit) {
            if self.at - start >= most {
                return None;
            }
            value = value * 10 + i128::from(byte - b'0');
            self.at += 1;
        }
        (self.at - start >= least).then_some(value)
    }

    /// The index of one of the names, recognised by its first three letters; the word may be
    /// longer.
    pub fn name(&mut self, names: &[&str]) -> Option<i128> {
        let word = self.bytes.get(self.at..)?;
        let length = word.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let three = word.get(..3)?.to_ascii_lowercase();
        let found = names.iter().position(|name| name.as_bytes() == three)?;
        if !(3..=9).contains(&length) {
            return None;
        }
        self.at += length;
        Some(found as i128)
    }

    /// A month by its name, in English or as in [`FOREIGN`].
    pub fn month(&mut self) -> Option<i128> {
        if let Some(month) = self.name(&MONTHS) {
            return Some(month + 1);
        }
        let names = FOREIGN.map(|(name, _)| name);
        let found = self.name(&names)?;
        FOREIGN.get(usize::try_from(found).ok()?).map(|(_, month)| *month)
    }

    /// `HH:MM`, optionally with seconds and a fraction, in nanoseconds.
    pub fn time(&mut self) -> Option<i128> {
        let hour = self.digits(1, 2).filter(|hour| *hour < 25)?;
        self.any(b":")?;
        let minute = self.digits(2, 2).filter(|minute| *minute < 60)?;
        let mut nanoseconds = (hour * 3600 + minute * 60) * NANO;
        let back = self.at;
        if self.any(b":").is_some() {
            let Some(second) = self.digits(2, 2).filter(|second| *second < 61) else {
                self.at = back;
                return Some(nanoseconds);
            };
            nanoseconds += second * NANO;
            nanoseconds += self.fraction();
        }
        Some(nanoseconds)
    }

    /// A fraction of a second in nanoseconds, if one follows; else 0.
    pub fn fraction(&mut self) -> i128 {
        let back = self.at;
        if self.any(b".,").is_none() {
            return 0;
        }
        let start = self.at;
        let Some(value) = self.digits(1, 9) else {
            self.at = back;
            return 0;
        };
        value * 10_i128.pow(9 - (self.at - start).min(9) as u32)
    }

    /// The offset to subtract for the time zone that follows, in nanoseconds; 0 if there is none.
    pub fn zone(&mut self) -> i128 {
        let back = self.at;
        if self.any(b"Z").is_some() {
            return 0;
        }
        let _ = self.any(b" ");
        let Some(sign) = self.any(b"+-") else {
            self.at = back;
            return 0;
        };
        let hours = self.digits(2, 4);
        let (hours, minutes) = match hours {
            Some(value) if value > 99 => (value / 100, value % 100),
            Some(value) => {
                let minutes = if self.any(b":").is_some() { self.digits(2, 2) } else { Some(0) };
                (value, minutes.unwrap_or(0))
            }
            None => {
                self.at = back;
                return 0;
            }
        };
        let offset = (hours * 3600 + minutes * 60) * NANO;
        if sign == b'-' { -offset } else { offset }
    }

    /// Whether a word or number continues here.
    pub fn goes_on(&self) -> bool {
        self.peek().is_some_and(|byte| byte.is_ascii_alphanumeric())
    }
}

/// Days since a fixed day, by Howard Hinnant's algorithm for the civil calendar
/// (`days_from_civil`).
pub fn days(year: i128, month: i128, day: i128) -> i128 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year
}
