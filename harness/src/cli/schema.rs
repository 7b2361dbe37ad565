//! `parity schema`: the JSON Schemas of the inputs and outputs for agents.

use agents::SCHEMAS;
use clap::{Args, builder::PossibleValuesParser};
use record::exit;

use crate::{Failure, console::Output};

/// Print the JSON Schema of an input or output.
#[derive(Debug, Args)]
pub struct Schema {
    /// Of what.
    #[arg(value_parser = PossibleValuesParser::new(SCHEMAS.map(|(name, _)| name)))]
    name: String,
}

impl Schema {
    /// Prints the schema.
    pub fn run(self) -> Result<u8, Failure> {
        let mut out = Output::new();
        for (_, schema) in SCHEMAS.iter().filter(|(name, _)| *name == self.name) {
            out.text(schema)?;
        }
        out.flush()?;
        Ok(exit::PASS)
    }
}
