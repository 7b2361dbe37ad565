//! The drift audit against the real comparator, and the alterations that must make it fail.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use base::{profile::Profile, text::open};
use harness::{
    Folders,
    audit::{
        Answer, Aspect, Audit, AuditedFile, Exceptions, Facts, Pins, Survey, Tally, Verdict,
        bundled, compare, files, ours, recorded,
        revisions::{Archives, definitions},
        survey,
        verify::Names,
    },
    comparator::{Comparator, ComparatorSpec, Environment, Environments},
};
use languages::{Table, Texts};
use map::{
    language::{Detected, TagQuery, registry},
    syntax::captured_by,
};

struct Ready {
    folders: Folders,
    spec: ComparatorSpec,
    environment: Environment,
}

/// The installed comparator, which is installed first if necessary.
fn ready() -> Ready {
    let folders = Folders::find().unwrap();
    let spec = ComparatorSpec::open(&folders.comparator()).unwrap();
    let environment = Environments::new(&spec, &folders.cache).prepare(&mut |_| ()).unwrap();
    Ready { folders, spec, environment }
}

impl Ready {
    const fn comparator(&self) -> Comparator<'_> {
        Comparator { spec: &self.spec, environment: &self.environment }
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.folders.root.join(file)).unwrap()
    }

    /// The committed table of languages.
    fn texts(&self) -> Texts {
        Table::texts(&self.folders.root.join("queries")).unwrap()
    }

    /// The result of the check for a table and the facts of an environment.
    fn survey(&self, texts: &Texts, facts: &Facts) -> Survey {
        let (published, unfetched) = bundled::published(&self.folders).unwrap();
        assert_eq!(unfetched, [""; 0]);
        self.survey_with(texts, facts, &published, &self.captures())
    }

    /// The recorded differences of the published queries from the comparator's.
    fn captures(&self) -> bundled::Record {
        toml::from_str(&self.read(bundled::RECORD)).unwrap()
    }

    fn survey_with(
        &self,
        texts: &Texts,
        facts: &Facts,
        published: &BTreeMap<String, bundled::Published>,
        captures: &bundled::Record,
    ) -> Survey {
        let archives = Archives::parse(&self.read("engine/grammars/archives.toml")).unwrap();
        let definitions = definitions(&self.folders.cache, archives.pack().unwrap()).unwrap();
        let pins = Pins {
            texts,
            table: &Table::parse(texts).unwrap(),
            expected_versions: &self.spec.definition.expected.versions,
            archives: &archives,
            definitions: definitions.as_ref(),
            models: &serde_json::from_str(&self.read(recorded::MODELS)).unwrap(),
            published,
            captures,
            cargo_lock: &self.read("Cargo.lock"),
        };
        survey(&pins, facts)
    }

    fn facts(&self) -> Facts {
        Facts::ask(&self.comparator(), &Table::parse(&self.texts()).unwrap()).unwrap()
    }

    fn audit(
        &self,
        files: &[AuditedFile],
        ours: &(dyn Fn(&Path, Names) -> Answer + Sync),
    ) -> Tally {
        let exceptions = Exceptions::default();
        let comparator = self.comparator();
        let audit = Audit {
            comparator: &comparator,
            ours,
            names: Names::All,
            workers: 1,
            exceptions: &exceptions,
        };
        audit.run(files, Tally::of(["python", "c"]), &|_| ()).unwrap()
    }
}

/// Python and C files that we wrote, counted here as files of real projects.
fn authored() -> Vec<AuditedFile> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpora/authored/polyglot/files");
    let root = root.canonicalize().unwrap();
    let mut found = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|one| one == "py" || one == "c") {
                let relative = path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
                found.push(files::of_file("polyglot", &root, &relative, true));
            }
        }
    }
    found.sort();
    found
}

/// The table with another text in one of its files.
fn replaced(texts: &Texts, file: &str, old: &str, new: &str) -> Texts {
    let mut texts = texts.clone();
    let text = texts.get_mut(file).unwrap();
    assert!(text.contains(old), "{file}: {old}");
    *text = text.replace(old, new);
    texts
}

fn kinds(survey: &Survey) -> Vec<(&'static str, &str)> {
    survey.drift.iter().map(|drift| (drift.what, drift.subject.as_str())).collect()
}

#[test]
fn nothing_has_drifted_and_every_alteration_of_the_record_is_seen() {
    let ready = ready();
    let texts = ready.texts();
    let facts = ready.facts();
    let clean = ready.survey(&texts, &facts);
    assert_eq!(kinds(&clean), []);
    assert_eq!(clean.running, 38);
    let manual: Vec<&str> = clean.manual_exceptions.iter().map(|row| row.key.as_str()).collect();
    assert!(
        ["c_sharp", "csharp", "julia", "ql"].iter().all(|key| manual.contains(key)),
        "{manual:?}"
    );
    assert!(clean.manual_exceptions.iter().all(|row| row.reason.is_some()));
    assert_eq!(clean.auto_resolved.len(), 37);

    let digest = "1db81da2d853f498e4e7a08e5d3b5491501d675e2b64d9eaccb6d654b791b395";
    let (arduino, julia, all) = ("arduino/language.toml", "julia/language.toml", "comparator.toml");
    for (file, old, new, expected) in [
        (arduino, digest, &"ab".repeat(32)[..], ("query", "arduino")),
        (arduino, "[\".ino\"]", "[\".ino\", \".pde\"]", ("detection", "extensions of arduino")),
        (all, "Pygments = \"2.19.2\"", "Pygments = \"2.19.1\"", ("version", "Pygments")),
        (all, "version = \"0.25.10\"", "version = \"0.26.0\"", ("version", "crate tree-sitter")),
        (arduino, "abi = 15", "abi = 14", ("grammar", "arduino")),
        (julia, "manual_exception = ", "# manual_exception = ", ("exception", "julia")),
        (all, "\"WORKSPACE\", ", "", ("detection", "shadowed file names")),
    ] {
        let altered = replaced(&texts, file, old, new);
        let drifted = ready.survey(&altered, &facts);
        assert!(kinds(&drifted).contains(&expected), "{expected:?}: {:#?}", drifted.drift);
        assert!(drifted.drift.iter().all(|drift| !drift.next.is_empty()));
    }
}

#[test]
fn every_change_of_the_environment_is_seen() {
    let ready = ready();
    let texts = ready.texts();
    let facts = ready.facts();
    let changed = |change: &dyn Fn(&mut Facts)| {
        let mut facts = facts.clone();
        change(&mut facts);
        let survey = ready.survey(&texts, &facts);
        survey.drift.into_iter().map(|drift| (drift.what, drift.subject)).collect::<Vec<_>>()
    };
    let has = |found: &[(&str, String)], what: &str, subject: &str| {
        assert!(
            found.iter().any(|(a, b)| *a == what && b == subject),
            "{what} {subject}: {found:?}"
        );
    };
    let language = |facts: &mut Facts, key: &str| facts.languages.get(key).cloned().unwrap();
    let inherits = changed(&|facts| {
        let mut go = language(facts, "go");
        go.inherits.push("; inherits: c".to_owned());
        facts.languages.insert("go".to_owned(), go);
    });
    has(&inherits, "inherits", "go");
    let stopped = changed(&|facts| {
        let mut go = language(facts, "go");
        go.error = Some("QueryError".to_owned());
        facts.languages.insert("go".to_owned(), go);
    });
    has(&stopped, "language", "go");
    has(&stopped, "detection", "a.go");
    let reshaped = changed(&|facts| {
        let mut go = language(facts, "go");
        go.shape_sha256 = Some("ab".repeat(32));
        facts.languages.insert("go".to_owned(), go);
    });
    assert_eq!(reshaped, [("grammar", "go".to_owned())]);
    let new_query = changed(&|facts| {
        facts
            .queries
            .insert("queries/tree-sitter-language-pack/new-tags.scm".to_owned(), "x".to_owned());
    });
    assert_eq!(new_query, [("query", "queries/tree-sitter-language-pack/new-tags.scm".to_owned())]);
    let remapped = changed(&|facts| {
        facts.detected.insert("a.pyi".to_owned(), Some("python".to_owned()));
    });
    assert_eq!(remapped, [("detection", "a.pyi".to_owned())]);
    let widened = changed(&|facts| {
        facts.models.windows.insert("gpt-4".to_owned(), Some(128_000));
        facts.models.aliases.insert("4o".to_owned(), "gpt-4".to_owned());
        facts.models.windows.remove("deepseek/deepseek-chat");
    });
    let models = ["4o", "deepseek/deepseek-chat", "gpt-4"];
    assert_eq!(widened, models.map(|name| ("model", name.to_owned())));
}

#[test]
fn a_published_query_that_captures_something_else_is_seen() {
    let ready = ready();
    let texts = ready.texts();
    let facts = ready.facts();
    let (published, _) = bundled::published(&ready.folders).unwrap();
    let captures = ready.captures();
    // A known difference: the published JavaScript query tags constants, and the comparator's does not.
    let clean = ready.survey_with(&texts, &facts, &published, &captures);
    assert_eq!(clean.published, captures);
    assert_eq!(captures["javascript"].only_published, ["definition.constant export_statement"]);
    assert_eq!(captures["python"].only_published, [""; 0]);
    assert!(captures.len() >= 25, "{}", captures.len());

    let seen = |published: &BTreeMap<String, bundled::Published>,
                captures: &bundled::Record,
                facts: &Facts| {
        let survey = ready.survey_with(&texts, facts, published, captures);
        survey.drift.into_iter().map(|drift| (drift.what, drift.subject)).collect::<Vec<_>>()
    };
    let python = [("published", "python".to_owned())];
    let mut newer = published.clone();
    newer.get_mut("python").unwrap().text.push_str("\n(new_node) @definition.new\n");
    assert_eq!(seen(&newer, &captures, &facts), python);
    let mut released = published.clone();
    released.get_mut("python").unwrap().package = "tree-sitter-python 9.9.9".to_owned();
    assert_eq!(seen(&released, &captures, &facts), python);
    let mut dropped = published.clone();
    dropped.remove("python");
    assert_eq!(seen(&dropped, &captures, &facts), python);
    let mut forgotten = captures.clone();
    forgotten.remove("python");
    assert_eq!(seen(&published, &forgotten, &facts), python);
    let mut moved = facts.clone();
    moved.languages.get_mut("python").unwrap().query_text = Some(String::new());
    assert_eq!(seen(&published, &captures, &moved), python);
}

#[test]
fn an_update_restores_the_recorded_facts_and_nothing_else() {
    let ready = ready();
    let texts = ready.texts();
    let facts = ready.facts();
    assert_eq!(recorded::updated(&texts, &facts), texts);
    let digest = "1db81da2d853f498e4e7a08e5d3b5491501d675e2b64d9eaccb6d654b791b395";
    let altered = replaced(&texts, "arduino/language.toml", digest, &"ab".repeat(32));
    let altered = replaced(&altered, "c/language.toml", "[\".c\", \".h\"]", "[\".c\"]");
    let altered = replaced(&altered, "comparator.toml", "\"2.19.2\"", "\"2.18.0\"");
    assert_eq!(recorded::updated(&altered, &facts), texts);
    assert_eq!(recorded::difference(&altered, &texts).len(), 8, "four lines moved");
}

/// Our answer with one line removed from the query.
fn without_line(path: &Path, names: Names, dropped: &str) -> Answer {
    let mut answer = ours::answer(path, names);
    let shown = path.to_string_lossy();
    let Detected::Tagged(language) = registry().detect(&shown, Profile::Parity) else {
        return answer;
    };
    let source = language.query;
    assert!(language.key != "python" || source.contains(dropped), "no {dropped:?} in the query");
    let query = TagQuery::compile(language, &source.replace(dropped, "")).unwrap();
    let text = open::text(path, 1 << 30).unwrap();
    let tags = captured_by(&query, language, &text).unwrap();
    answer.tags = Some(ours::rows(&tags, &text));
    answer
}

#[test]
fn our_queries_and_lexers_equal_the_comparators_and_altered_ones_do_not() {
    let ready = ready();
    let files = authored();
    let verdicts = |tally: &Tally| [tally.0["python"].verdict(), tally.0["c"].verdict()];
    let true_answers = ready.audit(&files, &ours::answer);
    assert_eq!(verdicts(&true_answers), [Verdict::Thin, Verdict::Thin], "{true_answers:#?}");
    assert!(true_answers.0["c"].backfilled_files > 0, "the fixture shows the backfill");

    let pattern = "(class_definition name: (identifier) @name.definition.class)";
    let dropped = ready.audit(&files, &|path, names| without_line(path, names, pattern));
    assert_eq!(verdicts(&dropped), [Verdict::Fail, Verdict::Thin]);
    assert!(
        dropped.0["python"].differences.iter().any(|one| one.difference.aspect == Aspect::Tags)
    );

    let nameless = ready.audit(&files, &|path, names| {
        let mut answer = ours::answer(path, names);
        if answer.language.as_deref() == Some("c") {
            answer.names.iter_mut().for_each(|names| drop(names.pop()));
        }
        answer
    });
    assert_eq!(verdicts(&nameless), [Verdict::Thin, Verdict::Fail]);
    let aspects = nameless.0["c"].differences.iter().map(|one| one.difference.aspect);
    assert!(aspects.eq(nameless.0["c"].differences.iter().map(|_| Aspect::Backfill)));
}

#[test]
fn a_file_that_kills_the_comparator_costs_no_other_file() {
    let ready = ready();
    let folder = tempfile::tempdir().unwrap();
    // The pinned Python scanner stores its stack of indentations when it meets a string, and
    // beyond its buffer that ends the process.
    let stairs: Vec<String> = (0..700).map(|width| " ".repeat(width) + "if x:\n").collect();
    let fatal = format!("{}{}'''a\nf'{{x}}'\n'''\n", stairs.concat(), " ".repeat(700));
    for (name, text) in [("a.py", "def f(): g()\n"), ("b.py", &fatal[..]), ("c.py", "h()\n")] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let root: PathBuf = folder.path().canonicalize().unwrap();
    let files: Vec<AuditedFile> = ["a.py", "b.py", "c.py"]
        .iter()
        .map(|name| files::of_file("x", &root, name, true))
        .collect();
    let tally = ready.audit(&files, &ours::answer);
    let python = &tally.0["python"];
    assert_eq!((python.files, python.equal_files, python.verdict()), (3, 2, Verdict::Fail));
    assert_eq!(python.differences[0].file, "b.py");
    assert!(python.differences[0].difference.theirs.contains("signal"), "{python:#?}");
}

#[test]
fn comparing_an_answer_with_itself_finds_nothing() {
    let file = authored().remove(0);
    let answer = ours::answer(&file.full, Names::All);
    assert!(answer.tags.as_ref().is_some_and(|tags| !tags.is_empty()));
    assert_eq!(compare(&answer, &answer).differences, []);
}
