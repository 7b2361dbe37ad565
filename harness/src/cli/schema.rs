//! `parity schema`: the JSON Schemas of inputs and outputs.

use clap::{Args, builder::PossibleValuesParser};
use record::exit;

use crate::{Failure, console::Output, schemas};

/// Print the JSON Schema of an input or output.
#[derive(Debug, Args)]
pub struct Schema {
    /// Of what.
    #[arg(value_parser = PossibleValuesParser::new(schemas::names()))]
    name: String,
}

impl Schema {
    /// Prints the schema.
    pub fn run(self) -> Result<u8, Failure> {
        let mut out = Output::new();
        out.text(&schemas::published(&self.name).unwrap_or_default())?;
        out.flush()?;
        Ok(exit::PASS)
    }
}
