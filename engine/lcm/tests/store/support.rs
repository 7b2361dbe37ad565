//! What the tests share.

use std::{num::NonZeroU64, path::Path};

use lcm::{
    Asker, Caller, Error, Explored, Explorer, InProcess, Lcm, Profile, Put, Settings, Source,
    Stored,
};

pub const PROFILES: [Profile; 2] = [Profile::Parity, Profile::Enhancement];
pub const TOOL_OUTPUT: &str = "lcm.tool_output.create";

/// Settings under which every content of more than one token is large.
pub fn all_large() -> Settings {
    Settings { large_tool_output_token_threshold: NonZeroU64::MIN, ..Settings::default() }
}

/// A store in a folder, in which everything is large.
pub fn at(folder: &Path, profile: Profile) -> Lcm {
    Lcm::at(&folder.join("store"), profile, all_large(), Box::new(InProcess)).unwrap()
}

pub fn request<'a>(session: &'a str, path: &'a str, content: &'a [u8]) -> Put<'a> {
    Put { session, path, tool: Some("bash"), name: Some("out.txt"), source: Source::Bytes(content) }
}

/// Puts a content in as the output of a tool, and expects that to work.
pub fn put(lcm: &mut Lcm, session: &str, content: &[u8]) -> String {
    let (stored, error) = lcm.put(&request(session, TOOL_OUTPUT, content)).unwrap();
    assert!(error.is_none(), "{error:?}");
    stored.id.unwrap()
}

pub fn agent(session: &str) -> Asker<'_> {
    Asker { session, caller: Caller::SubAgent }
}

pub fn is_hidden<T: std::fmt::Debug>(answer: &Result<T, Error>) -> bool {
    matches!(answer, Err(Error::NotVisible))
}

/// Explores nothing.
pub struct Blind;

impl Explorer for Blind {
    fn explore(&self, _: &str, _: &[u8], _: Profile) -> Option<Explored> {
        None
    }
}

/// Whether a content was not stored although it should have been.
pub fn failed((stored, error): &(Stored, Option<Error>)) -> bool {
    !stored.stored && stored.id.is_none() && error.is_some()
}
