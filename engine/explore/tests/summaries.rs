//! Summaries of the enhancement profile: what files of a known kind are made of, how long a summary is, and
//! what is not shown in it.

use base::tokens::Counter;
use explore::{Exploration, Input, Options, Profile, Project, Secrets, explore};

/// The exploration of a text, without the text in its place.
fn look(name: &str, text: &str) -> Exploration {
    with(name, text, Options { short: false, ..Options::from(Profile::Enhancement) })
}

fn with(name: &str, text: &str, options: Options) -> Exploration {
    explore(&Input::memory(name, text.as_bytes()), &Project::default(), options)
}

/// The parts under a title, as `line text`.
fn parts(found: &Exploration, title: &str) -> Vec<String> {
    let part = found.parts.iter().find(|part| part.title == title);
    let part = part.unwrap_or_else(|| panic!("no {title}: {}", found.summary));
    for entry in &part.entries {
        assert!(
            found.summary.contains(&format!("{}: {}", entry.line, entry.text)),
            "{}",
            found.summary
        );
    }
    part.entries.iter().map(|entry| format!("{} {}", entry.line, entry.text)).collect()
}

#[test]
fn documents_of_a_cluster_have_kind_and_name() {
    let text = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n  namespace: shop\nspec:\n  replicas: 3\n  \
                template:\n    spec:\n      containers:\n        - name: web\n          image: web:1.2\n          ports:\n            \
                - containerPort: 8080\n---\napiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec:\n  ports:\n    - port: 80\n";
    assert_eq!(
        parts(&look("a.yaml", text), "Objects"),
        [
            "1 Deployment web in shop, image web:1.2, ports 8080, replicas 3",
            "16 Service web, ports 80"
        ]
    );
}

#[test]
fn a_workflow_has_jobs_and_steps() {
    let text = "name: ci\non: [push, pull_request]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: \
                actions/checkout@v4\n      - name: Test\n        run: |\n          make test\n          make more\n";
    let found = look("ci.yml", text);
    assert_eq!(parts(&found, "Runs on"), ["2 push, pull_request"]);
    assert_eq!(
        parts(&found, "Jobs"),
        ["4 test, on ubuntu-latest", "7 - actions/checkout@v4", "8 - Test: make test"]
    );
}

#[test]
fn other_pipelines_have_jobs_and_steps() {
    let circle = "version: 2.1\njobs:\n  build:\n    docker:\n      - image: a\n    steps:\n      - checkout\n      - run: make\n      - \
                  run:\n          name: Test\n          command: make test\n      - save_cache:\n          key: a\n";
    assert_eq!(
        parts(&look(".circleci/config.yml", circle), "Jobs"),
        ["3 build", "7 - checkout", "8 - make", "9 - Test: make test", "12 - save_cache"]
    );
    let azure = "jobs:\n- job: Linux\n  dependsOn: Lint\n  steps:\n  - script: make\n    displayName: Build\n  - task: UsePython@0\n";
    assert_eq!(
        parts(&look("azure-pipelines.yml", azure), "Jobs"),
        ["2 Linux, after Lint", "5 - Build: make", "7 - UsePython@0"]
    );
    let stages = "stages:\n- stage: Test\n  jobs:\n  - job: A\n    steps:\n    - bash: x\n";
    assert_eq!(
        parts(&look("azure-pipelines.yml", stages), "Jobs"),
        ["2 stage Test", "4 A", "6 - x"]
    );
}

#[test]
fn every_text_says_on_which_lines_its_entries_are() {
    let html = "<title>T</title>\n<h1>One</h1>\n<form action=\"/go\"><input name=q></form>\n";
    let found = look("a.html", html);
    for line in ["  H1: One [2]", "  GET /go [3]"] {
        assert!(found.summary.contains(line), "{}", found.summary);
    }
    let xml = "<a>\n <b c='1'>x</b>\n <b/>\n</a>\n";
    let found = look("a.xml", xml);
    for line in ["\n  a [1]\n", "\n    b [c]: x (x2) [2]"] {
        assert!(found.summary.contains(line), "{}", found.summary);
    }
    let notebook =
        "{\"nbformat\": 4,\n\"cells\": [\n{\"cell_type\": \"markdown\", \"source\": [\"# T\"]}]}\n";
    let found = look("a.ipynb", notebook);
    assert!(found.summary.contains("  markdown (1 lines): # T [3]"), "{}", found.summary);
}

#[test]
fn compose_files_have_services() {
    let text = "services:\n  db:\n    image: postgres:16\n    ports:\n      - \"5432:5432\"\n  web:\n    build: ./web\n    \
                depends_on: [db]\nvolumes:\n  data: {}\n";
    let found = look("compose.yaml", text);
    assert_eq!(
        parts(&found, "Services"),
        ["2 db, image postgres:16, ports 5432:5432", "6 web, built from ./web, after db"]
    );
    assert_eq!(parts(&found, "Volumes"), ["10 data"]);
}

#[test]
fn an_interface_has_all_of_its_operations() {
    let paths: Vec<String> = (0..40)
        .map(|number| format!("    \"/p{number}\": {{\n      \"get\": {{\"operationId\": \"read{number}\"}}\n    }}"))
        .collect();
    let text = format!(
        "{{\n  \"openapi\": \"3.0.0\",\n  \"paths\": {{\n{}\n  }}\n}}\n",
        paths.join(",\n")
    );
    let operations = parts(&look("api.json", &text), "Operations");
    assert_eq!(operations.len(), 40);
    assert_eq!(operations[1], "8 GET /p1 read1");
}

#[test]
fn manifests_have_scripts_and_dependencies_and_locks_have_packages() {
    let manifest = "{\n \"name\": \"a\",\n \"scripts\": {\n  \"build\": \"tsc -p .\"\n },\n \"dependencies\": {\n  \"left\": \
                    \"^1.0\"\n },\n \"devDependencies\": {\"jest\": \"29\"}\n}\n";
    let found = look("package.json", manifest);
    assert_eq!(parts(&found, "Scripts"), ["4 build tsc -p ."]);
    assert_eq!(parts(&found, "Dependencies"), ["7 left ^1.0"]);
    assert_eq!(parts(&found, "Development dependencies"), ["9 jest 29"]);
    let cargo =
        "[package]\nname = \"a\"\n\n[dependencies]\nserde = { version = \"1\" }\nlibc = \"0.2\"\n";
    assert_eq!(parts(&look("Cargo.toml", cargo), "Dependencies"), ["5 serde 1", "6 libc 0.2"]);
    let lock = "[[package]]\nname = \"a\"\nversion = \"1.0.0\"\n\n[[package]]\nname = \"b\"\nversion = \"2.0.0\"\n";
    let packages = parts(&look("Cargo.lock", lock), "Packages");
    let bare: Vec<&str> = packages.iter().map(|one| one.split_once(' ').unwrap().1).collect();
    assert_eq!(bare, ["a 1.0.0", "b 2.0.0"]);
    let npm =
        "{\"packages\": {\"\": {\"name\": \"me\"}, \"node_modules/x\": {\"version\": \"3.0.0\"}}}";
    assert_eq!(parts(&look("package-lock.json", npm), "Packages"), ["1 me", "1 x 3.0.0"]);
}

#[test]
fn a_playbook_has_its_tasks() {
    let text = "- name: Web\n  hosts: web\n  tasks:\n    - name: Install\n      ansible.builtin.apt:\n        name: nginx\n    \
                - name: Set up\n      block:\n        - name: Copy\n          copy:\n            src: a\n";
    assert_eq!(
        parts(&look("site.yml", text), "Plays"),
        [
            "1 Web, hosts web",
            "4 - Install (ansible.builtin.apt)",
            "7 - Set up (block)",
            "9   - Copy (copy)"
        ]
    );
}

#[test]
fn items_of_arrays_are_called_by_their_names() {
    let text = "{\n \"users\": [\n  {\"id\": 7, \"name\": \"ann\"},\n  {\"id\": 8, \"name\": \"bob\"}\n ]\n}\n";
    assert_eq!(parts(&look("a.json", text), "Items"), ["3 users: ann", "4 users: bob"]);
}

#[test]
fn a_notebook_has_imports_and_definitions() {
    let text = "{\n \"cells\": [\n  {\"cell_type\": \"markdown\", \"source\": [\"# T\"]},\n  {\"cell_type\": \"code\", \"source\": \
                [\"%time\\n\", \"import numpy\\n\", \"import numpy\\n\", \"def load(path):\\n\", \"    pass\\n\"], \"outputs\": []}\n ],\n \
                \"metadata\": {\"language_info\": {\"name\": \"python\"}}, \"nbformat\": 4\n}\n";
    let found = look("a.ipynb", text);
    assert_eq!(parts(&found, "Imports"), ["4 cell 2: numpy"]);
    assert_eq!(parts(&found, "Definitions"), ["4 cell 2: function load(path)"]);
}

#[test]
fn a_module_is_imported_once() {
    let found =
        look("a.py", "import contextlib\nimport functools\nfrom contextlib import suppress\n");
    assert!(
        found.summary.contains("Standard library (2): contextlib, functools"),
        "{}",
        found.summary
    );
    assert_eq!(found.imports.len(), 3);
}

#[test]
fn a_file_shorter_than_its_summary_is_shown_itself() {
    for (name, text) in [
        ("a.toml", "[a]\nb = 1\npassword = \"hunter2hunter2\"\n"),
        ("a.yaml", "a: 1\nb: [1, 2]\npassword: hunter2hunter2\n"),
        ("a.txt", "one\npassword=hunter2hunter2\n"),
        ("a.py", "import os\npassword = 'hunter2hunter2'\n"),
    ] {
        let found = with(name, text, Profile::Enhancement.into());
        let expected = text.replace("hunter2hunter2", "****");
        assert_eq!(found.summary, format!("File: {name}, whole\n{}", expected.trim_end()));
        assert!(found.truncated.is_empty());
        let shown = Options { secrets: Secrets::Shown, ..Options::from(Profile::Enhancement) };
        assert!(with(name, text, shown).summary.contains("hunter2hunter2"));
        let parity = with(name, text, Profile::Parity.into());
        assert!(!parity.summary.contains(", whole") && !parity.summary.contains("hunter2hunter2"));
    }
}

#[test]
fn a_budget_is_kept_by_every_explorer() {
    let json: Vec<String> =
        (0..300).map(|number| format!("\"key {number}\": {{\"a\": {number}}}")).collect();
    let json = format!("{{{}}}", json.join(",\n"));
    let code: String =
        (0..300).map(|number| format!("def f{number}(a, b):\n    return a\n\n")).collect();
    let text: String =
        (0..300).map(|number| format!("line {number} of a long text, with some words\n")).collect();
    for (name, text) in [("a.json", &json), ("a.py", &code), ("a.txt", &text), ("a.md", &text)] {
        for budget in [1, 7, 50, 200, 500, 1000, 2000, 100_000] {
            for profile in [Profile::Parity, Profile::Enhancement] {
                let options = Options { budget: Some(budget), ..Options::from(profile) };
                let found = with(name, text, options);
                let count = Counter.count(&found.summary);
                assert!(count <= budget, "{name} {budget}: {count}");
            }
        }
    }
}

#[test]
fn what_a_budget_cuts_is_counted_again() {
    let code: String =
        (0..300).map(|number| format!("def f{number}(a, b):\n    return a\n\n")).collect();
    let targets: String = (0..50).map(|number| format!("t{number}: a\n")).collect();
    for (name, text, list, is_entry, total) in [
        ("a.py", &code, "/symbols", "function f", 300),
        ("Makefile", &targets, "/parts/0/entries", ": t", 50),
    ] {
        for budget in [60, 200, 500, 1000, 1500] {
            let short = false;
            let options = Options { budget: Some(budget), short, ..Profile::Enhancement.into() };
            let found = with(name, text, options);
            let shown = found.summary.lines().filter(|line| line.contains(is_entry)).count();
            let row = found.truncated.iter().find(|row| row.list == list);
            if shown == total {
                assert!(row.is_none(), "{budget}: {row:?}");
            } else {
                let row =
                    row.unwrap_or_else(|| panic!("{name} at {budget}: {:?}", found.truncated));
                assert_eq!((row.shown, row.total), (shown, total), "{name} at {budget}");
            }
        }
    }
}

/// The summary within a budget that has no room for the whole text.
fn within(name: &str, text: &str, budget: usize) -> String {
    let options = Options { budget: Some(budget), ..Options::from(Profile::Enhancement) };
    let summary = with(name, text, options).summary;
    assert!(Counter.count(&summary) <= budget, "{summary}");
    summary
}

#[test]
fn catalogues_of_messages_have_their_states() {
    let text = "# comment\nmsgid \"\"\nmsgstr \"\"\n\"Language: fr\\n\"\n\"Content-Type: text/plain\\n\"\n\n#: a.c:1\n#, \
                c-format\nmsgid \"Found %d\"\nmsgstr \"Vu %d\"\n\n#, fuzzy, c-format\nmsgid \"\"\n\"Lost \"\n\"%d\"\nmsgstr \
                \"Perdu\"\n\nmsgid \"One\"\nmsgid_plural \"Many\"\nmsgstr[0] \"\"\nmsgstr[1] \"\"\n\n#~ msgid \"Old\"\n#~ \
                msgstr \"Vieux\"\n";
    let found = look("fr.po", text);
    assert_eq!(parts(&found, "Header"), ["2 Language: fr", "2 Content-Type: text/plain"]);
    assert_eq!(
        parts(&found, "States"),
        [
            "9 c-format: 2 messages",
            "9 translated: 2 messages",
            "13 fuzzy: 1 messages",
            "18 not translated: 1 messages"
        ]
    );
    assert_eq!(parts(&found, "Messages"), ["9 Found %d", "13 Lost %d", "18 One"]);
}

#[test]
fn lock_files_of_other_notations_have_packages_with_versions() {
    let yarn = "# yarn lockfile v1\n\n\n\"@a/b@^1.0.0\", \"@a/b@^1.1.0\":\n  version \"1.2.3\"\n  dependencies:\n    c \
                \"^2.0.0\"\n\nc@^2.0.0:\n  version \"2.0.1\"\n";
    assert_eq!(parts(&look("yarn.lock", yarn), "Packages"), ["4 @a/b 1.2.3", "9 c 2.0.1"]);
    let go =
        "a.org/x v1.0.0 h1:AAAA=\na.org/x v1.0.0/go.mod h1:BBBB=\nb.org/y v0.2.0/go.mod h1:CCCC=\n";
    let found = look("go.sum", go);
    assert_eq!(parts(&found, "Packages"), ["1 a.org/x v1.0.0", "3 b.org/y v0.2.0"]);
}

#[test]
fn logs_have_their_header_and_documents_in_xml_their_titles() {
    let log = "#separator \\x09\n#path\tconn\n#fields\tts\tuid\n1379288667.694367\tA\n1379288668.694367\tB\n#close\tx\n";
    let header = ["1 #separator \\x09", "2 #path conn", "3 #fields ts uid"];
    assert_eq!(parts(&look("conn.log", log), "Header"), header);
    let xml = "<article>\n <title>\n  One\n  thing</title>\n <section><title>Two</title></section>\n</article>\n";
    assert_eq!(parts(&look("a.xml", xml), "Titles"), ["3 One thing", "5 Two"]);
    assert!(look("a.xml", "<a><title>One</title></a>").parts.is_empty());
    // None is lost, however many or long they are.
    let many = "<s><title>x</title></s>\n".repeat(1500);
    let long = format!("<a>\n{many}<title>{}</title>\n</a>\n", "word ".repeat(200));
    assert_eq!(look("a.xml", &long).parts[0].entries.len(), 1501);
}

#[test]
fn texts_that_are_repeated_are_counted() {
    let rows = [("event", "a"), ("call", "b"), ("call", "c"), ("event", "d"), ("call", "e")];
    let rows: Vec<String> = rows
        .iter()
        .map(|(kind, name)| format!("{{\"kind\": \"{kind}\", \"name\": \"{name}\"}}"))
        .collect();
    let text = format!("{{\"rows\": [\n{}\n]}}\n", rows.join(",\n"));
    let summary = look("a.json", &text).summary;
    assert!(summary.contains("kind: string (\"event\" 2, \"call\" 3) [2]"), "{summary}");
    assert!(summary.contains("name: string (e.g. \"a\") [2]"), "{summary}");
    let secret = text.replace("kind", "password");
    let summary = look("a.json", &secret).summary;
    assert!(!summary.contains("event"), "{summary}");
    let parity = with("a.json", &text, Options::from(Profile::Parity)).summary;
    assert!(parity.contains("(e.g. \"event\")"), "{parity}");
}

#[test]
fn within_a_budget_a_scope_is_named_once() {
    let methods: Vec<String> = (0..100)
        .map(|index| format!("    def method_{index}(self):\n        return {index}\n"))
        .collect();
    let text =
        format!("class LongNameOfAScope:\n{}\n\ndef alone():\n    pass\n", methods.join("\n"));
    let summary = within("a.py", &text, 400);
    assert!(!summary.contains("LongNameOfAScope.method"), "{summary}");
    assert!(summary.contains("\n  1 LongNameOfAScope\n    "), "{summary}");
    assert!(summary.contains("alone"), "{summary}");
}

#[test]
fn a_whole_file_says_how_many_things_it_has_and_numbers_what_there_is_room_for() {
    let functions: Vec<String> =
        (0..20).map(|index| format!("def f{index}():\n    return {index}\n")).collect();
    let text = functions.join("\n");
    let counts = "Lines: 59; Symbols (20): function 20";
    let summary = within("a.py", &text, 1000);
    let mut lines = summary.lines();
    assert_eq!(lines.next(), Some("File: a.py, whole"));
    assert_eq!(lines.next(), Some(counts));
    assert_eq!(lines.next(), Some("1: def f0():"));
    assert_eq!(lines.next(), Some("2:     return 0"));
    let all = Counter.count(&summary);
    let summary = within("a.py", &text, all - 40);
    let start = format!("File: a.py, whole\n{counts}\n1: def f0():\n    return 0\n");
    assert!(summary.starts_with(&start), "{summary}");
    assert!(summary.ends_with("\n58: def f19():\n    return 19"), "{summary}");
}

#[test]
fn within_a_budget_all_sections_may_be_chosen() {
    let sections: Vec<String> =
        (0..40).map(|index| format!("[section{index}]\nkey{index} = value{index}\n")).collect();
    let text = sections.join(&format!("; {}\n", "comment ".repeat(40)));
    let summary = within("a.ini", &text, 1000);
    assert!(summary.contains("[section39] (1 keys)"), "{summary}");
    let usual = with("a.ini", &text, Options::from(Profile::Enhancement)).summary;
    assert!(!usual.contains("[section39]"), "{usual}");
}
