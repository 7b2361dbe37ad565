//! The few settings of a repository that are needed to read it. Git sees no others.
//!
//! A configuration can name programs to run and files to include in more ways than anyone can list,
//! and each release of git adds more. So git never reads the configuration of a repository. It
//! reads ours, which contains the settings that are copied here: facts about the format, checked
//! one by one.

use std::path::Path;

use base::text::open;

use super::git::GitError;

/// Largest configuration that is read, in bytes.
const CONFIG_LIMIT: u64 = 4 << 20;
/// Extensions that only say where more data may be read or fetched from, and not what the format
/// is.
const WITHOUT_EFFECT: [&str; 2] = ["partialclone", "worktreeconfig"];
/// Settings in `[core]` that decide how names are compared.
const NAMES: [&str; 2] = ["ignorecase", "precomposeunicode"];

/// The settings that are copied from a repository's configuration.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Settings {
    /// True if the repository says that it has no work tree.
    pub bare: bool,
    /// Section, key and value, in the order of the file.
    kept: Vec<(&'static str, String, String)>,
}

impl Settings {
    /// Reads the settings. A repository without a configuration has none.
    pub fn read(config: &Path) -> Result<Self, GitError> {
        if !config.exists() {
            return Ok(Self::default());
        }
        let bytes = open::bytes(config, CONFIG_LIMIT)
            .map_err(|error| GitError::Odd(config.to_owned(), error.to_string()))?;
        Ok(Self::parse(&String::from_utf8_lossy(&bytes)))
    }

    /// Reads the sections `[core]` and `[extensions]`, as git-config(1) describes the syntax.
    fn parse(text: &str) -> Self {
        let mut settings = Self::default();
        let text = text.replace("\\\r\n", "").replace("\\\n", "");
        let mut section = String::new();
        for line in text.lines() {
            let mut line = line.trim_start();
            if let Some(header) = line.strip_prefix('[') {
                let Some((name, rest)) = header.split_once(']') else { continue };
                section = name.trim().to_ascii_lowercase();
                line = rest.trim_start();
            }
            if line.is_empty() || line.starts_with(['#', ';']) {
                continue;
            }
            let (key, value) = match line.split_once('=') {
                Some((key, value)) => (key, plain_value(value)),
                // A key without a value is a switch that is on.
                None => (line, "true".to_owned()),
            };
            settings.take(&section, &key.trim().to_ascii_lowercase(), value);
        }
        settings
    }

    fn take(&mut self, section: &str, key: &str, value: String) {
        let is_plain = |text: &str| {
            text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
        };
        if !is_plain(key) || !is_plain(&value) {
            return;
        }
        match section {
            "core" if key == "bare" => self.bare = is_true(&value),
            "core" if key == "repositoryformatversion" || NAMES.contains(&key) => {
                self.kept.push(("core", key.to_owned(), value));
            }
            "extensions" if !WITHOUT_EFFECT.contains(&key) => {
                self.kept.push(("extensions", key.to_owned(), value));
            }
            _ => {}
        }
    }

    /// The configuration that git reads in place of the repository's own.
    pub fn configuration(&self) -> String {
        let kept = self.kept.iter();
        kept.map(|(section, key, value)| format!("[{section}]\n\t{key} = {value}\n")).collect()
    }
}

/// A value without quotes and comment.
fn plain_value(text: &str) -> String {
    let mut value = String::new();
    let mut quoted = false;
    for c in text.trim().chars() {
        match c {
            '"' => quoted = !quoted,
            '#' | ';' if !quoted => break,
            _ => value.push(c),
        }
    }
    value.trim_end().to_owned()
}

/// Whether git reads a value as true.
fn is_true(value: &str) -> bool {
    let value = value.to_ascii_lowercase();
    matches!(value.as_str(), "true" | "yes" | "on")
        || value.parse::<i64>().is_ok_and(|number| number != 0)
}

#[cfg(test)]
mod tests {
    use super::Settings;

    #[test]
    fn the_format_is_taken_over_and_nothing_else() {
        let settings = Settings::parse(
            "[core]\n\trepositoryformatversion = 1 ; one\n\tbare = FALSE\n\tfsmonitor = /evil\n\
             \tworktree = /\n\tignoreCase\n[Extensions]\n\tobjectFormat = \"sha256\"\n\
             \tpartialClone = origin\n\tworktreeConfig = true\n\trefStorage = reft\\\nable\n\
             [include]\n\tpath = /evil\n[core \"x\"]\n\tbare = true\n[extensions] noop = a\n",
        );
        assert!(!settings.bare);
        assert_eq!(
            settings.configuration(),
            "[core]\n\trepositoryformatversion = 1\n[core]\n\tignorecase = true\n\
             [extensions]\n\tobjectformat = sha256\n[extensions]\n\trefstorage = reftable\n\
             [extensions]\n\tnoop = a\n"
        );
    }

    #[test]
    fn what_git_takes_for_true_makes_it_bare() {
        for (value, bare) in [
            ("= true", true),
            ("", true),
            ("= 1", true),
            ("= yes#", true),
            ("=", false),
            ("= off", false),
        ] {
            assert_eq!(Settings::parse(&format!("[core]bare {value}\n")).bare, bare, "{value}");
        }
    }
}
