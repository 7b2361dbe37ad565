//! Searches over small trees that are written here.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::{collections::BTreeMap, fs, path::Path};

use base::tokens::Counter;
use index::{Overrides, Settings};
use search::{Answer, Query, SearchError, Searcher};
use tempfile::TempDir;

const RETRY: &str = "class Client:\n    def send(self, request):\n        return self.retry(request)\n\n    def \
                     retry(self, request):\n        \"\"\"Sends again, up to the limit of attempts.\"\"\"\n        \
                     for attempt in range(5):\n            pass\n";
const TEST: &str = "def test_retry():\n    \"\"\"Checks the limit of retry attempts.\"\"\"\n    retry = \
                    limit\n    attempts = retry\n";
const OTHER: &str = "fn colour(paint: Paint) -> u8 {\n    paint.hue\n}\n";

/// A tree, and a folder for the index beside it.
struct Tree {
    folder: TempDir,
}

impl Tree {
    fn new(files: &[(&str, &str)]) -> Self {
        let tree = Self { folder: TempDir::new().unwrap() };
        for (path, text) in files {
            tree.write(path, text.as_bytes());
        }
        tree
    }

    fn usual() -> Self {
        Self::new(&[("net/client.py", RETRY), ("tests/test_client.py", TEST), ("paint.rs", OTHER)])
    }

    fn root(&self) -> std::path::PathBuf {
        self.folder.path().join("tree")
    }

    fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    fn open(&self) -> Searcher {
        self.open_with(&[])
    }

    /// With languages set for extensions.
    fn open_with(&self, set: &[(&str, &str)]) -> Searcher {
        let set = set.iter().map(|&(end, key)| (end.to_owned(), key.to_owned()));
        let languages = Overrides::of(&set.collect::<BTreeMap<_, _>>());
        let settings =
            Settings { languages, ..Settings::in_folder(self.folder.path().join("index")) };
        Searcher::open(&settings, &self.root(), &|_, _| {}).unwrap()
    }

    fn ask(&self, text: &str) -> Answer {
        self.open().search(&Query::new(text)).unwrap()
    }
}

fn names(answer: &Answer) -> Vec<&str> {
    answer.results.iter().map(|one| one.name.as_str()).collect()
}

#[test]
fn the_symbol_that_a_question_means_comes_first_and_whole() {
    let tree = Tree::usual();
    let answer = tree.ask("where is the limit of attempts to send again");
    let first = &answer.results[0];
    assert_eq!((first.file.as_str(), first.name.as_str()), ("net/client.py", "retry"));
    assert_eq!((first.line, first.start_line, first.end_line), (5, 5, 8));
    assert_eq!((first.kind.as_str(), first.parent.as_deref()), ("method", Some("Client")));
    assert!(first.source.as_ref().unwrap().ends_with("            pass\n"));
    assert_eq!((first.score, answer.backend), (1.0, "none"));
    assert_eq!((answer.files, answer.skipped.len()), (3, 0));
}

#[test]
fn a_language_that_is_set_for_an_extension_holds_for_unknown_and_for_known_ones() {
    let tree = Tree::new(&[("shade.inc", OTHER), ("paint.py", OTHER)]);
    let found = |searcher: &Searcher| {
        let answer = searcher.search(&Query::new("colour hue")).unwrap();
        answer.results.into_iter().map(|one| (one.file, one.language, one.name)).collect::<Vec<_>>()
    };
    let unset = found(&tree.open());
    assert!(unset.iter().all(|(file, language, _)| file == "paint.py" && language == "python"));
    let expected =
        ["paint.py", "shade.inc"].map(|file| (file.into(), "rust".into(), "colour".into()));
    assert_eq!(found(&tree.open_with(&[(".inc", "rust"), (".py", "rust")])), expected);
    // What was kept under another language is not taken.
    assert_eq!(found(&tree.open()), unset);
}

#[test]
fn the_id_is_that_of_the_chunk() {
    let tree = Tree::usual();
    let file = semantic::File::read("paint.rs", OTHER.as_bytes()).unwrap();
    let answer = tree.ask("hue of a paint");
    assert_eq!(answer.results[0].id.as_ref(), Some(&file.chunks("paint.rs")[0].id));
}

#[test]
fn tests_weigh_less_unless_they_are_asked_for() {
    let tree = Tree::usual();
    let first = |query: Query| {
        let answer = tree.open().search(&query).unwrap();
        answer.results[0].file.clone()
    };
    let question = "checks limit attempts";
    assert_eq!(first(Query::new(question)), "net/client.py");
    let with_tests = Query { with_tests: true, ..Query::new(question) };
    assert_eq!(first(with_tests), "tests/test_client.py");
    assert_eq!(first(Query::new("test that checks limit attempts")), "tests/test_client.py");
}

#[test]
fn a_question_is_about_languages_and_paths() {
    let tree = Tree::usual();
    let searcher = tree.open();
    let files = |query: Query| -> Vec<String> {
        let answer = searcher.search(&Query { gate: 0.0, ..query }).unwrap();
        answer.results.iter().map(|one| one.file.clone()).collect()
    };
    let question = || Query::new("retry paint");
    assert!(files(question()).len() > 2);
    let rust = Query { languages: vec!["rust".to_owned()], ..question() };
    assert_eq!(files(rust), ["paint.rs"]);
    let net = Query { paths: vec!["net".to_owned()], ..question() };
    assert!(files(net).iter().all(|file| file == "net/client.py"));
    let folder = Query { paths: vec!["net/".to_owned()], ..question() };
    assert!(files(folder).iter().all(|file| file == "net/client.py"));
    let unknown = Query { languages: vec!["cobol".to_owned()], ..question() };
    let why = SearchError::Language("cobol".to_owned(), "python, rust".to_owned());
    assert_eq!(searcher.search(&unknown), Err(why));
    // A path is that of a folder or a file, not the beginning of a name.
    let part = Query { paths: vec!["ne".to_owned()], ..question() };
    assert_eq!(searcher.search(&part), Err(SearchError::Path("ne".to_owned())));
}

#[test]
fn a_question_without_words_is_an_error_and_one_without_an_answer_is_empty() {
    let tree = Tree::usual();
    let searcher = tree.open();
    for nothing in ["", "  ", "?!() {}"] {
        assert_eq!(searcher.search(&Query::new(nothing)), Err(SearchError::Empty), "{nothing:?}");
    }
    let answer = searcher.search(&Query::new("zeppelin")).unwrap();
    assert_eq!((answer.results.len(), answer.passed, answer.tokens), (0, 0, 0));
}

#[test]
fn the_budget_is_never_exceeded_and_never_filled_with_what_is_below_the_gate() {
    let many: String =
        (0..60).map(|at| format!("def retry_{at}(limit):\n    return limit + {at}\n\n")).collect();
    let tree = Tree::new(&[("many.py", &many), ("one.py", "def other(limit):\n    pass\n")]);
    let searcher = tree.open();
    for tokens in [0, 1, 10, 40, 200, 1000] {
        let query = Query { tokens, gate: 0.0, ..Query::new("retry limit") };
        let answer = searcher.search(&query).unwrap();
        let text: usize = answer.results.iter().map(|one| Counter.count(&one.text())).sum();
        assert_eq!(text, answer.tokens);
        assert!(answer.tokens <= tokens, "{} of {tokens}", answer.tokens);
        assert!(tokens < 40 || !answer.results.is_empty(), "{tokens}");
    }
    let strict = searcher.search(&Query { gate: 1.0, ..Query::new("other") }).unwrap();
    assert_eq!(names(&strict), ["other"]);
}

#[test]
fn what_was_read_is_kept_and_the_answer_stays_the_same() {
    let tree = Tree::usual();
    let question = Query { explain: true, ..Query::new("limit of retry attempts") };
    let cold = tree.open();
    assert_eq!(cold.extracted(), 3);
    let first = cold.search(&question).unwrap();
    let warm = tree.open();
    assert_eq!(warm.extracted(), 0);
    let second = Answer { indexed_at: first.indexed_at, ..warm.search(&question).unwrap() };
    assert_eq!(second, first);
}

#[test]
fn an_index_that_was_changed_answers_as_one_that_is_made_anew() {
    let tree = Tree::usual();
    tree.ask("retry");
    tree.write("net/client.py", b"def resend(limit):\n    return limit\n");
    tree.write("net/new.py", b"def retry_later():\n    pass\n");
    fs::remove_file(tree.root().join("paint.rs")).unwrap();
    let settings = Settings::in_folder(tree.folder.path().join("another"));
    for text in ["retry limit", "paint", "resend"] {
        let query = Query { gate: 0.0, ..Query::new(text) };
        let changed = tree.open().search(&query).unwrap();
        let anew = Searcher::open(&settings, &tree.root(), &|_, _| {}).unwrap();
        let anew = anew.search(&query).unwrap();
        assert_eq!(Answer { indexed_at: 0, ..changed }, Answer { indexed_at: 0, ..anew }, "{text}");
    }
    assert_eq!(tree.ask("paint").results, []);
}

#[test]
fn a_file_that_was_moved_is_found_at_its_new_place_and_not_parsed_again() {
    let tree = Tree::usual();
    tree.ask("retry");
    fs::create_dir(tree.root().join("wire")).unwrap();
    fs::rename(tree.root().join("net/client.py"), tree.root().join("wire/client.py")).unwrap();
    let searcher = tree.open();
    assert_eq!(searcher.extracted(), 0);
    let answer = searcher.search(&Query::new("send again")).unwrap();
    assert!(answer.results.iter().all(|one| one.file == "wire/client.py"));
}

#[test]
fn a_file_that_was_written_since_is_named_and_its_lines_are_not_shown() {
    let tree = Tree::usual();
    let searcher = tree.open();
    tree.write("paint.rs", b"fn gone() {}\n");
    let answer = searcher.search(&Query::new("hue of a paint")).unwrap();
    assert_eq!(answer.stale_files, ["paint.rs"]);
    assert_eq!((&answer.results[0].source, &answer.results[0].id), (&None, &None));
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let tree = Tree::usual();
    tree.write("broken.py", b"retry = '\xff'\n");
    let answer = tree.ask("retry");
    let skipped: Vec<(&str, &str)> =
        answer.skipped.iter().map(|one| (one.file.as_str(), one.reason.as_str())).collect();
    assert_eq!(skipped, [("broken.py", "not valid UTF-8 at byte 9")]);
    assert!(!answer.results.is_empty());
}

#[test]
fn secrets_are_neither_shown_nor_found() {
    let secret = "ghp_1234567890abcdefghijklmnopqrstuvwxyz";
    let tree = Tree::new(&[("a.py", &format!("def login():\n    return \"{secret}\"\n"))]);
    assert_eq!(tree.ask(secret).results, []);
    let text = tree.ask("login").results[0].text();
    assert!(text.contains("****") && !text.contains("1234567890"), "{text}");
    let kept = fs::read_dir(tree.folder.path().join("index")).unwrap();
    for file in kept.map(|file| file.unwrap().path()) {
        let bytes = base::text::open::bytes(&file, 1 << 30).unwrap();
        assert!(!String::from_utf8_lossy(&bytes).contains("1234567890"), "{}", file.display());
    }
}

#[test]
fn an_index_that_cannot_be_written_changes_no_answer() {
    let tree = Tree::usual();
    let usual = tree.ask("limit of retry attempts");
    // A file stands where the folder of the index would be.
    let settings = Settings::in_folder(tree.root().join("paint.rs"));
    let searcher = Searcher::open(&settings, &tree.root(), &|_, _| {}).unwrap();
    assert!(searcher.notice().is_some());
    let answer = searcher.search(&Query::new("limit of retry attempts")).unwrap();
    assert_eq!(Answer { indexed_at: usual.indexed_at, ..answer }, usual);
}

#[test]
fn an_explanation_adds_up_to_the_score() {
    let tree = Tree::usual();
    let query = Query { explain: true, gate: 0.0, ..Query::new("limit of retry attempts") };
    let answer = tree.open().search(&query).unwrap();
    let whole = |at: usize| {
        let explain = answer.results[at].explain.as_ref().unwrap();
        let sum: f64 = explain.terms.iter().map(|share| share.adds).sum();
        let factors = explain.factors;
        assert!((sum - factors.bm25f).abs() < 1e-9);
        let product = factors.bm25f
            * factors.definition
            * factors.kind
            * factors.standing
            * factors.declaration;
        product + factors.coherence
    };
    let best = whole(0);
    for (at, result) in answer.results.iter().enumerate() {
        assert!((whole(at) / best - result.score).abs() < 1e-9);
    }
}

#[test]
fn files_of_one_content_are_both_found() {
    let tree =
        Tree::new(&[("a/x.py", "def pay():\n    pass\n"), ("b/x.py", "def pay():\n    pass\n")]);
    let answer = tree.ask("pay");
    let files: Vec<&str> = answer.results.iter().map(|one| one.file.as_str()).collect();
    assert_eq!(files, ["a/x.py", "b/x.py"]);
    assert_eq!(Path::new(files[0]).file_name(), Path::new(files[1]).file_name());
}
