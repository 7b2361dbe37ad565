//! `parity protocol status`: whether the protocol in force is unchanged, and which results are of an older one.

use clap::Args;

use crate::{
    Failure, Folders,
    console::Output,
    protocol::{Status as Standing, in_force},
};

/// Say whether the version in force is frozen and unchanged, and under which version each result was made,
/// with the command that makes it again. Exits with 21 if something frozen changed, with 11 if the version is a
/// draft or a result is missing, stale or of an unknown version.
#[derive(Debug, Args)]
pub struct Status {
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

impl Status {
    /// Looks and prints.
    pub fn run(self) -> Result<u8, Failure> {
        let root = Folders::find()?.root;
        in_force(&root)?;
        let status = Standing::of(&root)?;
        Failure::after(self.print(&status), status.exit_code())
    }

    fn print(&self, status: &Standing) -> Result<(), Failure> {
        let mut out = Output::new();
        if self.json {
            let mut document = serde_json::json!(status);
            document["schema_version"] = 1.into();
            document["current"] = (status.exit_code() == record::exit::PASS).into();
            out.pretty_json(&document)?;
        } else {
            out.text(&status.to_string())?;
        }
        Ok(out.flush()?)
    }
}
