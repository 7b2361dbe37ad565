//! What no exploration shows of a file: its secrets, nor a piece of one.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test fails by panicking, and reads its own files"
)]

use explore::{Exploration, Input, Options, Profile, Project, Secrets, explore};

fn with(name: &str, text: &str, options: Options) -> Exploration {
    explore(&Input::memory(name, text.as_bytes()), &Project::default(), options)
}

/// The explorations of a text in both profiles, with and without the text in the place of its summary.
fn all(name: &str, text: &str) -> Vec<Exploration> {
    let options = |profile, short| Options { short, ..Options::from(profile) };
    [(Profile::Parity, false), (Profile::Enhancement, false), (Profile::Enhancement, true)]
        .map(|(profile, short)| with(name, text, options(profile, short)))
        .into()
}

#[test]
fn no_secret_of_a_file_is_shown() {
    let token = ["gh", "p_", &"a1B2".repeat(9)].concat();
    let key = "-----BEGIN RSA PRIVATE KEY-----\nMIIEhunter2\n-----END RSA PRIVATE KEY-----\n";
    for (name, text) in [
        (".env.local", "DBPASS=hunter2\n".to_owned()),
        (".env.production", "ACCESSKEY=hunter2\n".to_owned()),
        (".aws/credentials", "[default]\naws_secret_access_key = hunter2\n".to_owned()),
        (".netrc", "machine a login b\n  password hunter2\n".to_owned()),
        ("Dockerfile", "FROM a\nENV DB_PASSWORD hunter2\n".to_owned()),
        ("a.csv", "user,password\na,hunter2\nb,hunter2\n".to_owned()),
        ("b.csv", "name,value\ndb_password,hunter2\ncolour,red\n".to_owned()),
        ("a.log", "2024-01-01 10:00:00 ERROR url=db://me:hunter2@host\n2024-01-01 10:00:01 INFO Bearer hunter2hunter2x\n".to_owned()),
        ("a.md", "# T\n\n[a](https://me:hunter2@host/x)\n".to_owned()),
        ("a.toml", "password = {a = \"hunter2\", b = \"c\"}\n".to_owned()),
        ("a.json", "{\"privatekey\": \"hunter2\", \"pgpwd\": \"hunter2\"}".to_owned()),
        ("c.json", "{\n  \"credentials\": {\n    \"value\": \"hunter2\"\n  }\n}\n".to_owned()),
        ("d.json", "{\"passwords\": [\"hunter2\"]}".to_owned()),
        ("a.yaml", "a: 1\npassword:\n  - hunter2\n".to_owned()),
        ("b.yaml", "env:\n- name: DB_PASSWORD\n  value: hunter2\n- value: hunter2\n  name: API_KEY\n".to_owned()),
        ("c.yaml", "env:\n- value: hunter2\n  name: API_KEY\n- name: A\n  value: b\n".to_owned()),
        ("e.json", "{\"a\": [{\"ParameterKey\": \"DbPassword\", \"ParameterValue\": \"hunter2\"}]}".to_owned()),
        ("a.ipynb", "{\"nbformat\": 4, \"cells\": [{\"cell_type\": \"code\", \"source\": [\"API_KEY = \\\"hunter2\\\"\\n\"]}]}".to_owned()),
        ("a.proto", "message A { string password = 1 [default = \"hunter2\"]; }\n".to_owned()),
        ("b.sql", "CREATE TABLE u(id int, password text DEFAULT 'hunter2');\nINSERT INTO s VALUES ('db_password','hunter22');\n".to_owned()),
        ("b.log", "2024-01-01 10:00:00 INFO db_password | hunter22\n2024-01-01 10:00:00 INFO DB_PASSWORD hunter22\n".to_owned()),
        ("b.toml", "[db.password]\nvalue = \"hunter2\"\n".to_owned()),
        ("a.ini", "[credentials]\nvalue = hunter2\n".to_owned()),
        ("a.py", "def f(password=\"hunter2\"):\n    pass\n".to_owned()),
        ("a.sql", "CREATE USER a IDENTIFIED BY 'hunter2';\n".to_owned()),
        ("key.pem", key.to_owned()),
        ("a.xml", "<a><password>hunter2</password></a>".to_owned()),
        ("b.xml", "<a><credentials><value>hunter2</value></credentials></a>".to_owned()),
        ("c.xml", "<a>\n<credentials id='b'>\n<c>\n<d>hunter2</d>\n</c>\n</credentials>\n</a>\n".to_owned()),
        ("b.json", format!("{{\"note\": \"hunter2 {token}\"}}").replace("hunter2 ", "")),
    ] {
        for found in all(name, &text) {
            let shown = format!("{found:?}");
            assert!(!shown.contains("hunter2") && !shown.contains(&token), "{name}: {shown}");
        }
    }
}

#[test]
fn the_value_beside_another_name_is_shown() {
    let text = "env:\n- name: COLOUR\n  value: red\n- name: DB_PASSWORD\n  value: hunter2\n";
    for found in all("a.yaml", text) {
        assert!(found.summary.contains("red"), "{}", found.summary);
    }
}

/// Texts of every format with a place for a secret.
const LAYOUTS: &[(&str, &str)] = &[
    (
        "a.log",
        "2024-01-01 10:00:00 ERROR {v}\n2024-01-01 10:00:00 WARN {v}\n2024-01-01 10:00:01 ERROR {v}\n",
    ),
    ("a.md", "---\ntitle: {v}\ndescription: {v}\n---\n# {v}\n\n[{v}](https://a.b/{u})\n"),
    (
        "a.html",
        "<title>{v}</title><meta name=description content=\"{v}\"><h1>{v}</h1><a href=\"https://a.b/{u}\">{v}</a><form action=\"{v}\"><img src=\"{v}\">",
    ),
    ("a.ini", "[a]\nb = {v}\n[{v}]\nc = 1\n"),
    ("a.json", "{\"a\": \"{v}\", \"b\": [{\"name\": \"{v}\"}, {\"name\": \"x\"}]}"),
    ("a.yaml", "a: \"{v}\"\nb:\n  - name: \"{v}\"\n  - name: x\n"),
    ("a.toml", "a = \"{v}\"\n"),
    ("ci.yml", "on: push\njobs:\n  a:\n    runs-on: x\n    steps:\n      - run: \"{v}\"\n"),
    ("package.json", "{\"name\": \"a\", \"scripts\": {\"b\": \"{v}\"}}"),
    ("a.csv", "a,b\n1,{v}\n2,{v}\n"),
    ("a.xml", "<a b=\"{v}\"><c>{v}</c></a>"),
    ("a.txt", "{v}\n"),
    ("Makefile", "A = {v}\nb:\n\techo {v}\n"),
    ("Dockerfile", "FROM a\nENV A={u}\nRUN {v}\n"),
    ("a.sql", "INSERT INTO a VALUES ('{v}');\nALTER TABLE a COMMENT '{v}';\n"),
    ("a.rst", "{v}\n====\n"),
    (
        "a.tex",
        "\\documentclass{article}\n\\title{{v}}\n\\begin{document}\n\\section{{v}}\n\\end{document}\n",
    ),
    ("a.bib", "@book{a, title = {{v}}, year = 2000}\n"),
    ("a.diff", "Subject: {v}\n\n--- a/x\n+++ b/x\n@@ -1 +1 @@ {v}\n-a\n+{v}\n"),
    ("a.py", "\"\"\"{v}\"\"\"\nA = \"{v}\"\ndef f(a=\"{v}\"):\n    \"\"\"{v}\"\"\"\n"),
    ("a.c", "#define A \"{v}\"\n/* {v} */\nint f(void) { return 0; }\n"),
    ("a.ts", "/** {v} */\nexport const a = \"{v}\";\nexport type B = \"{v}\";\n"),
    ("a.rs", "/// {v}\npub fn f() {}\nconst A: &str = \"{v}\";\n"),
    (
        "a.ipynb",
        "{\"nbformat\": 4, \"cells\": [{\"cell_type\": \"code\", \"source\": [\"f('{v}')\"]}]}",
    ),
];

#[test]
fn no_piece_of_a_secret_is_left_where_a_text_is_cut() {
    // A token that no name gives away, in pieces that are none.
    let token = ["gh", "p_", "x9Kq2mZp7Lw4Rt8Vb3Nc6Hd1Js5Fg0Ya4Ue"].concat() + "Q7";
    let pieces: Vec<&str> = (4..token.len() - 8).map(|at| &token[at..at + 8]).collect();
    let near = |limit: usize| (limit - 40..limit).step_by(15);
    let lengths = (0..240).step_by(15).chain(near(300)).chain(near(500)).chain(near(1000));
    for length in lengths.chain(near(2000)) {
        let words = "word ".repeat(length / 5);
        for (name, layout) in LAYOUTS {
            let text = layout
                .replace("{v}", &format!("{words}{token} end"))
                .replace("{u}", &format!("{}/{token}", words.replace(' ', "/")));
            for found in all(name, &text) {
                let shown = format!("{found:?}");
                let left = pieces.iter().find(|piece| shown.contains(**piece));
                assert!(left.is_none(), "{name} behind {length} signs: {left:?} in {shown}");
            }
        }
    }
}

#[test]
fn whatever_is_in_the_data_of_a_kubernetes_secret_is_one() {
    let secret = "apiVersion: v1\ndata:\n  colour: aGlkZGVu\nkind: Secret\nmetadata:\n  name: shop\nstringData:\n  a:\n    b: aGlkZGVu\n";
    let list = format!(
        "kind: List\nitems:\n- {}- kind: ConfigMap\n  data:\n    mode: open\n",
        secret.replace('\n', "\n  ").trim_end_matches(' ')
    );
    let json = "{\"kind\": \"Secret\", \"data\": {\"colour\": \"aGlkZGVu\"}}".to_owned();
    let broken = format!("{secret}x: [\n");
    // The items of such a list need not have a kind.
    let items = "{\"kind\": \"SecretList\", \"items\": [{\"data\": {\"colour\": \"aGlkZGVu\"}}]}"
        .to_owned();
    for (name, text) in [
        ("a.yaml", secret.to_owned()),
        ("b.yaml", list),
        ("a.json", json),
        ("b.json", items),
        ("c.yaml", broken),
    ] {
        for found in all(name, &text) {
            let shown = format!("{found:?}");
            assert!(!shown.contains("aGlkZGVu"), "{name}: {shown}");
            assert!(found.malformed.is_some() || shown.contains("colour"), "{name}: {shown}");
        }
        let options = Options { secrets: Secrets::Shown, ..Options::from(Profile::Enhancement) };
        assert!(format!("{:?}", with(name, &text, options)).contains("aGlkZGVu"), "{name}");
    }
    let map = "kind: ConfigMap\ndata:\n  colour: aGlkZGVu\n";
    assert!(all("a.yaml", map).iter().all(|found| found.summary.contains("aGlkZGVu")));
}

#[test]
fn lines_of_a_malformed_file_are_not_shown_where_they_may_hold_secrets() {
    for (name, text) in [
        ("a.json", "{\"credentials\": {\n\"value\": \"hunter2\"\n"),
        ("a.yaml", "password:\n  - hunter2\nx: [\n"),
        ("a.toml", "[db.password]\nvalue = \"hunter2\"\nb = \n"),
        ("a.xml", "<a>\n<credentials>\n<value>hunter2</value>\n"),
    ] {
        for found in all(name, text) {
            assert!(found.malformed.is_some(), "{name}");
            assert!(!format!("{found:?}").contains("hunter2"), "{name}: {}", found.summary);
        }
    }
}

#[test]
fn facts_have_no_secret_whatever_their_format() {
    let address = "https://me:hunter2@example.org/a";
    for (name, text) in [
        (
            "a.html",
            "<a href='{a}'>x</a><img src='{a}'><script src='{a}'></script><link rel=stylesheet href='{a}'><form action='{a}'>",
        ),
        ("a.md", "[x]\n\n[x]: {a}\n![y]({a})\n"),
        ("a.xml", "<a xmlns:b='{a}'/>"),
        ("a.tex", "\\documentclass{article}\n\\input{{a}}\n\\title{{a}}\n"),
        ("a.rb", "gem 'x', '{a}'\nrequire '{a}'\n"),
        ("a.css", "@import url('{a}');\n@font-face { src: url('{a}'); }\n"),
    ] {
        for found in all(name, &text.replace("{a}", address)) {
            let shown = format!("{found:?}");
            assert!(!shown.contains("hunter2"), "{name}: {shown}");
        }
    }
}

#[test]
fn a_cell_of_a_database_is_masked_before_it_is_cut() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let token = ["gh", "p_", "x9Kq2mZp7Lw4Rt8Vb3Nc6Hd1Js5Fg0Ya4UeQ7"].concat();
    let text = format!("{} {token}", "word ".repeat(16));
    let database = rusqlite::Connection::open(&path).unwrap();
    database.execute_batch("CREATE TABLE a (b TEXT)").unwrap();
    database.execute("INSERT INTO a VALUES (?1)", [&text]).unwrap();
    drop(database);
    for profile in [Profile::Parity, Profile::Enhancement] {
        let input = Input::open("a.db", &path).unwrap();
        let shown = format!("{:?}", explore(&input, &Project::default(), profile));
        assert!(shown.contains("word  ****") && !shown.contains("ghp_"), "{shown}");
    }
}
