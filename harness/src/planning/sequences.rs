//! The call sequences of gate A4 in a checkout.

use std::{fs, path::Path};

use record::{Sequences, protocol::SEQUENCES};

/// Reads the sequences of a checkout. The error says what is wrong with the file.
pub fn load_sequences(root: &Path) -> Result<Sequences, String> {
    let path = root.join(SEQUENCES);
    let wrong = |why: String| format!("{} cannot be used: {why}", path.display());
    let text = fs::read_to_string(&path).map_err(|error| wrong(error.to_string()))?;
    toml::from_str(&text).map_err(|error| wrong(error.to_string()))
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, path::Path};

    use record::Refresh;

    use super::load_sequences;

    #[test]
    fn every_mode_has_sequences_and_no_id_comes_twice() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let all = load_sequences(root).unwrap().sequences;
        let modes: BTreeSet<Refresh> = all.iter().map(|one| one.refresh).collect();
        let every = [Refresh::Auto, Refresh::Files, Refresh::Manual, Refresh::Always];
        assert_eq!(modes.into_iter().collect::<Vec<_>>(), every);
        let ids: BTreeSet<&str> = all.iter().map(|one| one.id.as_str()).collect();
        assert_eq!(ids.len(), all.len());
    }
}
