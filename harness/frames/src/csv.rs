//! The table as comma-separated text (RFC 4180 quoting, LF line ends).
//!
//! The writer of polars is not used: it would pull in the input/output and streaming crates, and it does
//! not guard against names that a spreadsheet would run as a formula.

use std::fmt::Write as _;

use polars::prelude::AnyValue;

use crate::{FrameError, Measurements};

impl Measurements {
    /// The whole table with a header line. Each pair of `constant` is the name of one more column on the
    /// right and its value in every row. A missing value is an empty field; numbers are written in the
    /// shortest form that reads back to the same bits.
    pub fn to_csv(&self, constant: &[(&str, String)]) -> Result<String, FrameError> {
        let names = self.frame.get_column_names();
        let names = names.iter().map(|name| name.as_str());
        let names = names.chain(constant.iter().map(|(name, _)| *name));
        let mut text = names.collect::<Vec<_>>().join(",");
        text.push('\n');
        let last: String =
            constant.iter().map(|(_, value)| format!(",{}", quoted(value))).collect();
        for index in 0..self.len() {
            for (position, column) in self.frame.columns().iter().enumerate() {
                if position > 0 {
                    text.push(',');
                }
                let value = column.get(index).map_err(FrameError::during("reading a field"))?;
                match value {
                    AnyValue::Null => {}
                    AnyValue::String(name) => text.push_str(&quoted(name)),
                    AnyValue::StringOwned(name) => text.push_str(&quoted(&name)),
                    AnyValue::Float64(number) => drop(write!(text, "{number:?}")),
                    number => drop(write!(text, "{number}")),
                }
            }
            text.push_str(&last);
            text.push('\n');
        }
        Ok(text)
    }
}

/// One text field. A leading `=`, `+`, `-`, `@`, tab or carriage return gets an apostrophe in
/// front, because spreadsheets would otherwise evaluate the field.
fn quoted(field: &str) -> String {
    let runs_as_formula = field.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let guard = if runs_as_formula { "'" } else { "" };
    if runs_as_formula || field.contains([',', '"', '\n', '\r']) {
        format!("\"{guard}{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}
