//! `parity preflight`: does a run have everything that it needs?

use clap::Args;
use record::{exit, protocol::DEVIATIONS};
use serde::Serialize;

use super::Format;
use crate::{
    Failure, Folders,
    comparator::{
        Check, Comparator, ComparatorSpec, Environments, Preflight as Checks, preflight,
        prerequisites,
    },
    console::{Output, talk},
    deviations::{Deviations, InForce, protocol_version},
    gold::Frozen,
    planning::{self, comparator},
    process,
};

/// Check prerequisites, comparator and protocol; downloads nothing.
#[derive(Debug, Args)]
pub struct Preflight {
    /// Read every byte of the comparator, also where nothing was written since the last time.
    #[arg(long)]
    deep: bool,
    /// text: one line a check; json: one object.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Short for --format json.
    #[arg(long)]
    json: bool,
}

/// Whether the scoring protocol and the gold are the frozen ones.
fn scoring(folders: &Folders) -> Check {
    let check = Check::new("scoring protocol", "the frozen version and gold", exit::DIGEST);
    let opened = Frozen::open(&folders.root).and_then(|frozen| {
        let languages: Vec<String> = frozen.languages().map(str::to_owned).collect();
        for language in &languages {
            frozen.gold(language)?;
        }
        Ok(format!("version {}, gold of {} languages", frozen.scoring.version, languages.len()))
    });
    match opened {
        Ok(found) => check.found(&found).pass(),
        Err(error) => check.found(&error.to_string()).fix("git checkout protocols gold"),
    }
}

/// Whether every declared deviation is still valid.
fn deviations(folders: &Folders, spec: &ComparatorSpec) -> Check {
    let check = Check::new("declared deviations", "rows of which none has ended", exit::SETUP);
    let path = folders.root.join(DEVIATIONS);
    let rows = std::fs::read_to_string(&path)
        .map_err(|error| error.to_string())
        .and_then(|text| Deviations::parse(&text));
    let rows = match rows {
        Ok(rows) => rows,
        Err(why) => return check.found(&why).fix(&format!("correct {DEVIATIONS}")),
    };
    let versions = &spec.definition.expected.versions;
    let ended = rows.expired(InForce { protocol: protocol_version(), versions });
    if ended.is_empty() {
        return check.found(&format!("{} rows", rows.rows.len())).pass();
    }
    let said: Vec<String> =
        ended.iter().map(|(id, why)| format!("{id} has ended: {why}")).collect();
    check
        .found(&said.join("; "))
        .fix("try the row against the new comparator, then renew or remove it")
}

impl Preflight {
    /// Checks and prints.
    pub fn run(self) -> Result<u8, Failure> {
        let folders = Folders::find()?;
        planning::protocol(&folders)?;
        comparator::require_tokenizer(&folders)?;
        let spec = comparator::spec(&folders)?;
        let mut checks: Checks = prerequisites::check(&spec.definition.install, true);
        checks.extend(comparator::profile()?);
        checks.checks.push(scoring(&folders));
        checks.checks.push(deviations(&folders, &spec));
        let mut tuple = None;
        match Environments::new(&spec, &folders.cache).ready() {
            Some(environment) => {
                if self.deep {
                    environment.forget();
                }
                let comparator = Comparator { spec: &spec, environment: &environment };
                let (more, found) = preflight::comparator(&comparator)
                    .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
                checks.extend(more);
                tuple = found;
            }
            None => talk("the comparator is not installed yet; `cargo parity run` installs it"),
        }
        // An interrupt would make a check fail, and the advice for it would be wrong.
        process::go_on()?;
        Failure::after(self.print(&checks, &tuple), checks.exit_code())
    }

    fn print(&self, checks: &Checks, tuple: &impl Serialize) -> Result<(), Failure> {
        let mut out = Output::new();
        if self.json || self.format == Format::Json {
            let document = serde_json::json!({
                "schema_version": 1,
                "ok": checks.ok(),
                "checks": checks.checks,
                "comparator_tuple": tuple,
            });
            out.pretty_json(&document)?;
        } else {
            for line in checks.lines() {
                writeln!(out, "{line}")?;
            }
        }
        Ok(out.flush()?)
    }
}
