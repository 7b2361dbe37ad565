//! Languages that a user has set for certain extensions.

use std::collections::BTreeMap;

use base::{profile::Profile, text::paths};

use super::manifest::{Detected, Language, registry};

/// Languages by the ends of file names. The parity profile ignores them.
#[derive(Debug, Clone, Default)]
pub struct Overrides(Vec<(String, &'static Language)>);

impl Overrides {
    /// Overrides from the keys of languages by extension, with its dot. Unknown keys are ignored.
    pub fn of(languages: &BTreeMap<String, String>) -> Self {
        let language = |(extension, key): (&String, &String)| {
            Some((extension.clone(), registry().by_key(key)?))
        };
        Self(languages.iter().filter_map(language).collect())
    }

    /// The keys of the languages by the ends of names, in order.
    pub fn keys(&self) -> Vec<(&str, &'static str)> {
        self.0.iter().map(|(end, language)| (end.as_str(), language.key)).collect()
    }

    /// The language set for a file, if any: the one for the longest matching end of its name.
    pub fn end_of(&self, path: &str) -> Option<&'static Language> {
        let name = paths::basename(path);
        let ends = self.0.iter().filter(|(end, _)| name.ends_with(end.as_str()));
        ends.max_by_key(|(end, _)| end.len()).map(|(_, language)| *language)
    }

    /// The language of a file: the one that is set, or else the one that the registry detects.
    pub fn detect(&self, path: &str, profile: Profile) -> Detected {
        match self.end_of(path).filter(|_| !profile.is_parity()) {
            Some(language) => Detected::Tagged(language),
            None => registry().detect(path, profile),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use base::profile::Profile;

    use super::{Detected, Overrides};

    #[test]
    fn the_longest_end_decides_and_never_in_the_parity_profile() {
        let set = [(".inc", "php"), (".html.inc", "ql"), (".py", "go"), (".x", "nothing")];
        let pair = |(end, key): (&str, &str)| (end.to_owned(), key.to_owned());
        let overrides = Overrides::of(&BTreeMap::from(set.map(pair)));
        let key = |path, profile| match overrides.detect(path, profile) {
            Detected::Tagged(language) => Some(language.key),
            Detected::Untagged => None,
        };
        let enhancement = |path| key(path, Profile::Enhancement);
        assert_eq!(enhancement("a/b.inc"), Some("php"));
        assert_eq!(enhancement("a.inc/b.html.inc"), Some("ql"));
        assert_eq!(enhancement("b.py"), Some("go"));
        assert_eq!((enhancement("b.x"), enhancement("b.rs")), (None, Some("rust")));
        assert_eq!(key("b.py", Profile::Parity), Some("python"));
        assert_eq!(key("b.inc", Profile::Parity), None);
    }
}
