//! Runs every path once in each profile, in a store of its own.

use std::{num::NonZeroU64, path::Path};

use base::{profile::Profile, scratch::Scratch};

use crate::{
    Asker, Caller, Error, InProcess, Lcm, Put, Settings, Source, store::NewSummary, trace::Trace,
};

/// The ways into the store, each with the name of a content for it. This list is kept apart from
/// the registration table on purpose, so that a path missing from the table is noticed.
const WAYS_IN: [(&str, &str); 7] = [
    ("lcm.tool_output.create", "output.log"),
    ("volt.prompt.file.persist", "attached.txt"),
    ("volt.prompt.image.persist", "image.png"),
    ("volt.prompt.user_text.nonpersist", "text"),
    ("volt.tool.large_output.nonpersist", "output.log"),
    ("volt.tool.read.nonpersist", "read.txt"),
    ("volt.map_shared.persist", "items.jsonl"),
];
/// Size, in bytes, of a content that is large by the rules of every path.
const LARGE: usize = 120_000;

/// Runs all paths, and returns which of them were taken.
///
/// # Errors
/// A path does not work.
pub fn exercise() -> Result<Trace, Error> {
    let mut all = Trace::default();
    for profile in [Profile::Parity, Profile::Enhancement] {
        let folder = Scratch::new("lcm")?;
        let (done, trace) = Trace::of(|| take_all(folder.path(), profile));
        done?;
        all.add(trace);
    }
    Ok(all)
}

fn take_all(folder: &Path, profile: Profile) -> Result<(), Error> {
    let settings =
        Settings { large_tool_output_token_threshold: NonZeroU64::MIN, ..Settings::default() };
    let mut lcm = Lcm::at(&folder.join("store"), profile, settings, Box::new(InProcess))?;
    let content: String = (0..).map(|line| format!("line {line}\n")).take(LARGE / 8).collect();
    let (session, agent) = ("session", Asker { session: "session", caller: Caller::SubAgent });
    lcm.store()?.make_session(session, None)?;
    let mut stored = Vec::new();
    for (path, name) in WAYS_IN {
        let source = Source::Bytes(content.as_bytes());
        let (put, error) = lcm.put(&Put { session, path, tool: None, name: Some(name), source })?;
        error.map_or(Ok(()), Err)?;
        stored.extend(put.id);
    }
    let message = lcm.store()?.append(session, crate::store::Role::User, b"a message")?;
    let new = NewSummary { session, content: b"a summary", messages: &[message], parents: &[] };
    let summary = lcm.store()?.summarise(&new)?;
    for id in &stored {
        lcm.describe(id, &agent)?;
        lcm.read(id, &agent)?;
    }
    lcm.expand(&summary, &agent)?;
    Ok(())
}
