//! Files, variables and flags, and which of them holds.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{collections::BTreeMap, ffi::OsString, fs, os::unix::fs::symlink, path::Path};

use config::{Asked, Config, ConfigError, KEYS, Known, Source, Trust, Value, load, name};
use tempfile::TempDir;

/// A user's file, a repository's file, variables and flags.
struct Place {
    user: TempDir,
    root: TempDir,
    variables: BTreeMap<&'static str, &'static str>,
    flags: Vec<(&'static str, Value)>,
}

impl Place {
    fn of(user: &str, repository: &str) -> Self {
        let place = Self {
            user: tempfile::tempdir().unwrap(),
            root: tempfile::tempdir().unwrap(),
            variables: BTreeMap::new(),
            flags: Vec::new(),
        };
        for (folder, text) in [(&place.user, user), (&place.root, repository)] {
            if !text.is_empty() {
                fs::write(folder.path().join("parity.toml"), text).unwrap();
            }
        }
        place
    }

    fn load(&self) -> Result<Config, ConfigError> {
        let pattern = |text: &str| match text {
            "[" => Err("a pattern".to_owned()),
            _ => Ok(()),
        };
        load(&Asked {
            user: Some(&self.user.path().join("parity.toml")),
            root: Some(self.root.path()),
            home: Some(Path::new("/home/somebody")),
            variable: &|name| self.variables.get(name).map(OsString::from),
            flags: self.flags.clone(),
            known: Known { languages: &["go", "php", "python", "typescript"], pattern: &pattern },
        })
    }

    fn sources(&self, name: &str) -> Vec<Source> {
        let config = self.load().unwrap();
        config.all().find(|(key, _)| key.name == name).unwrap().1.sources.clone()
    }
}

/// The error of a user's file or, in its place, of a repository's.
fn errors(text: &str) -> [String; 2] {
    [Place::of(text, ""), Place::of("", text)].map(|place| place.load().unwrap_err().to_string())
}

#[test]
fn a_flag_comes_before_a_variable_before_the_repository_before_the_user() {
    let mut place = Place::of("", "");
    assert_eq!(place.load().unwrap(), Config::default());
    assert_eq!(place.load().unwrap().max_tokens(), 1024);
    let at = |folder: &TempDir| folder.path().join("parity.toml");
    place = Place::of("[repo_map]\nmax_tokens = 4000\n", "");
    assert_eq!(place.load().unwrap().max_tokens(), 4000);
    assert_eq!(place.sources(name::MAX_TOKENS), [Source::User(at(&place.user), 2)]);
    place = Place::of("[repo_map]\nmax_tokens = 4000\n", "\n[repo_map]\nmax_tokens = 3000\n");
    assert_eq!(place.load().unwrap().max_tokens(), 3000);
    assert_eq!(place.sources(name::MAX_TOKENS), [Source::Repository(at(&place.root), 3)]);
    place.variables.insert("REPO_MAP_MAX_TOKENS", "2000");
    assert_eq!(place.load().unwrap().max_tokens(), 2000);
    assert_eq!(place.sources(name::MAX_TOKENS), [Source::Variable("REPO_MAP_MAX_TOKENS")]);
    place.flags.push((name::MAX_TOKENS, Value::Number(1000)));
    assert_eq!(place.load().unwrap().max_tokens(), 1000);
    assert_eq!(place.sources(name::MAX_TOKENS), [Source::Flag]);
    place.variables.insert("REPO_MAP_MAX_TOKENS", "");
    place.flags.clear();
    assert_eq!(place.load().unwrap().max_tokens(), 3000, "an empty variable says nothing");
}

#[test]
fn every_key_can_be_set() {
    let user = r#"
        [repo_map]
        max_tokens = 2048
        cache_dir = "~/maps"
        cache_threshold = 0.5
        refresh_mode = "files"
        verbose = true
        excluded_patterns = ["*.min.js", "dist/*"]
        language_overrides = { ".tsx" = "typescript" }
        [treesitter]
        max_file_size = 1000
        parse_timeout_ms = 900
        max_cache_entries = 10000
        disabled_languages = ["go"]
        default_scope = "file"
        [hook]
        enabled = false
        session_tokens = 0
    "#;
    let config = Place::of(user, "").load().unwrap();
    for (key, set) in config.all() {
        assert!(matches!(set.sources[..], [Source::User(..)]), "{}", key.name);
        assert_ne!(set.value, key.default, "{}", key.name);
    }
    assert_eq!(config.max_tokens(), 2048);
    assert_eq!(config.cache_dir().unwrap(), Path::new("/home/somebody/maps"));
    assert_eq!(config.cache_threshold(), 0.5);
    assert_eq!(config.refresh_mode(), "files");
    assert!(config.is_verbose() && !config.is_hook_enabled());
    assert_eq!(config.excluded_patterns(), ["*.min.js", "dist/*"]);
    assert_eq!(config.language_overrides()[".tsx"], "typescript");
    assert_eq!((config.max_file_size(), config.parse_timeout_ms()), (1000, 900));
    assert_eq!(config.max_cache_entries(), Some(10000));
    assert_eq!(config.disabled_languages(), ["go"]);
    assert_eq!((config.default_scope(), config.session_tokens()), ("file", 0));
    assert!(!Config::default().is_set(name::MAX_TOKENS) && config.is_set(name::MAX_TOKENS));
}

#[test]
fn variables_are_read_as_the_documents_write_them() {
    let mut place = Place::of("", "");
    place.variables = BTreeMap::from([
        ("REPO_MAP_MAX_TOKENS", "1024"),
        ("REPO_MAP_CACHE_DIR", ".maps"),
        ("REPO_MAP_REFRESH_MODE", "manual"),
        ("REPO_MAP_VERBOSE", "true"),
    ]);
    let config = place.load().unwrap();
    assert_eq!(config.cache_dir().unwrap(), Path::new(".maps"));
    assert_eq!((config.refresh_mode(), config.is_verbose()), ("manual", true));
    for (variable, wrong) in [
        ("REPO_MAP_MAX_TOKENS", "0"),
        ("REPO_MAP_MAX_TOKENS", "many"),
        ("REPO_MAP_REFRESH_MODE", "sometimes"),
        ("REPO_MAP_VERBOSE", "yes"),
    ] {
        place.variables = BTreeMap::from([(variable, wrong)]);
        let error = place.load().unwrap_err().to_string();
        assert!(error.starts_with(&format!("{variable}: repo_map.")), "{error}");
    }
}

#[test]
fn lists_and_tables_of_both_files_add_up() {
    let one = "[repo_map]\nexcluded_patterns = [\"a\"]\nlanguage_overrides = { \".x\" = \"go\", \".y\" = \"go\" }\n";
    let other =
        "[repo_map]\nexcluded_patterns = [\"b\"]\nlanguage_overrides = { \".x\" = \"php\" }\n";
    let place = Place::of(one, other);
    let config = place.load().unwrap();
    assert_eq!(config.excluded_patterns(), ["a", "b"]);
    let languages: Vec<_> = config.language_overrides().into_values().collect();
    assert_eq!(languages, ["php", "go"]);
    assert_eq!(place.sources(name::EXCLUDED_PATTERNS).len(), 2);
}

#[test]
fn an_unknown_key_is_an_error_that_names_the_nearest() {
    for (text, line, nearest) in [
        ("[repo_map]\n\nmax_token = 5\n", 3, "repo_map.max_tokens"),
        ("max_tokens = 5\n", 1, "repo_map.max_tokens"),
        ("[repomap]\nmax_tokens = 5\n", 2, "repo_map.max_tokens"),
        ("[repo-map]\n", 1, "repo_map."),
        ("[treesitter]\ndisabled_language = []\n", 2, "treesitter.disabled_languages"),
        ("[repo_map.max_tokens]\nx = 1\n", 0, ""),
    ] {
        for error in errors(text) {
            if line > 0 {
                assert!(error.contains(&format!("parity.toml:{line}: there is no key")), "{error}");
            }
            assert!(error.contains(nearest), "{error}");
        }
    }
}

#[test]
fn a_wrong_value_is_an_error_with_its_line() {
    for (text, expected) in [
        ("[repo_map]\nmax_tokens = 0", "from 1 to"),
        ("[repo_map]\nmax_tokens = -1", "from 1 to"),
        ("[repo_map]\nmax_tokens = \"many\"", "from 1 to"),
        ("[repo_map]\nrefresh_mode = \"x\"", "one of auto, manual"),
        ("[repo_map]\nexcluded_patterns = \"x\"", "a list"),
        ("[repo_map]\nexcluded_patterns = [1]", "a list"),
        ("[repo_map]\nexcluded_patterns = [\"[\"]", "a pattern"),
        ("[repo_map]\nlanguage_overrides = { tsx = \"typescript\" }", "by extension"),
        ("[repo_map]\nlanguage_overrides = { \".tsx\" = \"typescrip\" }", "such as typescript"),
        ("[treesitter]\ndisabled_languages = [\"pyton\"]", "such as python"),
        ("[treesitter]\ndefault_scope = true", "one of project"),
        ("[treesitter]\nx = ", ""),
        ("[treesitter]\n\u{1b}[2J = 1", ""),
    ] {
        for error in errors(text) {
            assert!(error.contains("parity.toml:2: ") && error.contains(expected), "{error}");
            assert!(!error.contains('\u{1b}') && !error.contains('\n'), "{error:?}");
        }
    }
    for folder in ["maps", "./maps", "~", "~other/maps", ""] {
        let error = Place::of(&format!("[repo_map]\ncache_dir = \"{folder}\""), "").load();
        assert!(error.unwrap_err().to_string().contains("absolute folder"), "{folder}");
    }
}

#[test]
fn a_repository_says_nothing_of_places_limits_and_programs() {
    for key in KEYS.iter().filter(|key| key.trust == Trust::User) {
        let (table, field) = key.name.split_once('.').unwrap();
        let place = Place::of("", &format!("[{table}]\n{field} = \"/tmp/theirs\"\n"));
        let error = place.load().unwrap_err();
        assert!(matches!(error, ConfigError::NotTrusted { line: 2, .. }), "{error}");
        assert!(error.to_string().contains("--no-config"));
    }
    for name in [
        name::CACHE_DIR,
        name::CACHE_THRESHOLD,
        name::VERBOSE,
        name::MAX_CACHE_ENTRIES,
        name::HOOK_ENABLED,
        name::SESSION_TOKENS,
    ] {
        assert_eq!(KEYS.iter().find(|key| key.name == name).unwrap().trust, Trust::User);
    }
}

#[test]
fn a_repository_asks_for_no_more_than_the_user_allows() {
    let asks = |user: &str, tokens: u64| {
        let theirs =
            format!("[repo_map]\nmax_tokens = {tokens}\n[treesitter]\nparse_timeout_ms = 90000\n");
        let config = Place::of(user, &theirs).load().unwrap();
        let refused = config.all().find(|(key, _)| key.name == name::MAX_TOKENS).unwrap().1.refused;
        (config.max_tokens(), refused, config.parse_timeout_ms())
    };
    assert_eq!(asks("", 8192), (8192, None, 5000));
    assert_eq!(asks("", 1_000_000), (8192, Some(1_000_000), 5000));
    assert_eq!(asks("[repo_map]\nmax_tokens = 512\n", 513), (512, Some(513), 5000));
    assert_eq!(asks("[repo_map]\nmax_tokens = 512\n", 100), (100, None, 5000));
    let patient = "[repo_map]\nmax_tokens = 20000\n[treesitter]\nparse_timeout_ms = 60000\n";
    assert_eq!(asks(patient, 15000), (15000, None, 60000));
}

#[test]
fn a_repositorys_file_is_a_small_regular_file_below_its_root() {
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("secret"), "[repo_map]\nmax_tokens = 5\n").unwrap();
    let place = Place::of("", "");
    let file = place.root.path().join("parity.toml");
    symlink(outside.path().join("secret"), &file).unwrap();
    assert!(matches!(place.load().unwrap_err(), ConfigError::Unreadable { .. }));
    fs::remove_file(&file).unwrap();
    fs::write(&file, "#".repeat(70_000)).unwrap();
    assert!(place.load().unwrap_err().to_string().contains("too large"));
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    assert!(matches!(place.load().unwrap_err(), ConfigError::Unreadable { .. }));
    fs::remove_dir(&file).unwrap();
    // Deeper than any setting, and more patterns than are held against each file.
    for text in [
        format!("[repo_map]\nexcluded_patterns = {}{}", "[".repeat(30_000), "]".repeat(30_000)),
        format!("[repo_map]\nexcluded_patterns = [{}]", "'x',".repeat(300)),
        format!("[repo_map]\nexcluded_patterns = ['{}']", "x".repeat(600)),
    ] {
        fs::write(&file, text).unwrap();
        assert!(place.load().is_err());
    }
}

#[test]
fn the_page_lists_every_key_as_it_is() {
    let page = include_str!("../README.md");
    for key in &KEYS {
        let variable = key.variable.map_or(String::new(), |name| format!("`{name}` "));
        let trust = match key.trust {
            Trust::User => "no".to_owned(),
            Trust::Repository => "yes".to_owned(),
            Trust::RepositoryUpTo(most) => format!("up to {most}"),
        };
        let row = format!("| `{}` | {variable}| {} | {trust} |", key.name, key.default);
        assert!(page.contains(&row), "{row}");
    }
}
