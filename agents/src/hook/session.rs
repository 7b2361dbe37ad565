//! What is stored of a session from one event to the next.

use record::Digest;
use serde::{Deserialize, Serialize};

/// Maximum number of files of a session that count as its chat: those that were changed last.
const MOST_FILES: usize = 64;

/// A session of a client.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    /// The files that the agent changed, the most recent last.
    pub edited: Vec<String>,
    /// Digest of the map in its context.
    told: Option<Digest>,
    /// Tokens of all maps that were put into its context.
    spent: u64,
}

impl Session {
    /// Records that its context is new and holds no map.
    pub fn forget(&mut self) {
        self.told = None;
        self.spent = 0;
    }

    /// Records that the agent changed files.
    pub fn add(&mut self, files: &[String]) {
        for file in files {
            self.edited.retain(|known| known != file);
            self.edited.push(file.clone());
        }
        let excess = self.edited.len().saturating_sub(MOST_FILES);
        self.edited.drain(..excess);
    }

    /// Whether the session should get a map: it differs from the last one, and its tokens stay
    /// within `most`, the limit for the whole session.
    pub fn wants(&self, map: &str, tokens: u64, most: u64) -> bool {
        self.told.as_ref() != Some(&Digest::of(map)) && self.spent.saturating_add(tokens) <= most
    }

    /// Records that the session got a map.
    pub fn tell(&mut self, map: &str, tokens: u64) {
        self.told = Some(Digest::of(map));
        self.spent = self.spent.saturating_add(tokens);
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_FILES, Session};

    #[test]
    fn a_map_is_told_once_and_within_the_budget() {
        let mut session = Session::default();
        assert!(session.wants("a", 10, 25));
        session.tell("a", 10);
        assert!(!session.wants("a", 10, 25), "it is in the context");
        assert!(session.wants("b", 15, 25) && !session.wants("b", 16, 25));
        session.tell("b", 15);
        assert!(!session.wants("a", 1, 25), "the budget is used up");
        session.forget();
        assert!(session.wants("a", 10, 25));
    }

    #[test]
    fn the_last_files_are_remembered() {
        let mut session = Session::default();
        let names: Vec<String> = (0..MOST_FILES + 2).map(|number| number.to_string()).collect();
        session.add(&names);
        session.add(&["5".to_owned()]);
        assert_eq!(session.edited.len(), MOST_FILES);
        assert_eq!(session.edited.last().unwrap(), "5");
        assert!(!session.edited.contains(&"0".to_owned()));
    }
}
