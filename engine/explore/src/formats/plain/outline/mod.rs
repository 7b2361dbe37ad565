//! Outlines of texts that none of our parsers reads: the targets of a Makefile, the statements of
//! SQL, the titles of a document, the packages of a lock file. Each outline is read line by line, and lists only what it is sure
//! of.

mod dockerfile;
mod gettext;
mod makefile;
mod packages;
mod sql;
mod titles;

use crate::exploration::Entry;

/// Longest line that is joined from several, in bytes: much longer than what an entry shows.
const LONGEST: usize = 1_600;

/// A title and its entries.
pub type Part = (&'static str, Vec<Entry>);

/// The outline of a text whose file has this name; empty for other files.
pub fn parts(name: &str, lines: &[&str]) -> Vec<Part> {
    let name = name.to_lowercase();
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let stem = name.split('.').next().unwrap_or(&name);
    match name.as_str() {
        "yarn.lock" => return packages::yarn(lines),
        "gemfile.lock" => return packages::gems(lines),
        "go.mod" => return packages::go_module(lines),
        "go.sum" => return packages::go_sums(lines),
        "jenkinsfile" => return packages::stages(lines),
        _ => {}
    }
    match (stem, extension) {
        (_, "txt") if stem.starts_with("requirements") || stem.ends_with("requirements") => {
            packages::requirements(lines)
        }
        (_, "po" | "pot") => gettext::catalogue(lines),
        (_, "rst" | "rest") => titles::underlined(lines),
        (_, "adoc" | "asciidoc" | "asc") => titles::marked(lines),
        (_, "sql" | "ddl" | "psql" | "pgsql") => sql::statements(lines),
        (_, "mk" | "mak" | "make") | ("makefile" | "gnumakefile", _) => makefile::rules(lines),
        (_, "dockerfile") | ("dockerfile" | "containerfile", _) => dockerfile::instructions(lines),
        _ => Vec::new(),
    }
}

fn entry(index: usize, text: &str) -> Entry {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    Entry { line: index as u64 + 1, text }
}

/// Lines with their continuations after backslashes joined, each with the index of its first line.
fn joined(lines: &[&str]) -> Vec<(usize, String)> {
    let mut joined: Vec<(usize, String)> = Vec::new();
    let mut goes_on = false;
    for (index, line) in lines.iter().enumerate() {
        let (part, more) = match line.trim_end().strip_suffix('\\') {
            Some(part) => (part, true),
            None => (*line, false),
        };
        match joined.last_mut().filter(|_| goes_on) {
            // Entries show much less than this.
            Some((_, text)) if text.len() < LONGEST => {
                text.push(' ');
                text.push_str(part.trim());
            }
            Some(_) => {}
            None => joined.push((index, part.to_owned())),
        }
        goes_on = more;
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::parts;

    /// Titles and entries of an outline, with each entry as `line text`.
    fn outline(name: &str, text: &str) -> Vec<(&'static str, Vec<String>)> {
        let lines: Vec<&str> = text.lines().collect();
        let shown = |part: super::Part| {
            (part.0, part.1.iter().map(|entry| format!("{} {}", entry.line, entry.text)).collect())
        };
        parts(name, &lines)
            .into_iter()
            .map(shown)
            .filter(|(_, entries): &(_, Vec<_>)| !entries.is_empty())
            .collect()
    }

    #[test]
    fn a_makefile_has_targets_and_variables() {
        let text = "CC := gcc\ninclude a.mk\nall: lib \\\n  tests ## builds all\n\techo x: y\n.PHONY: all\nlib tests:\n%.o: %.c\n";
        assert_eq!(
            outline("Makefile", text),
            [
                (
                    "Targets",
                    vec![
                        "3 all: lib tests".to_owned(),
                        "7 lib tests".to_owned(),
                        "8 %.o: %.c".to_owned()
                    ]
                ),
                ("Variables", vec!["1 CC := gcc".to_owned()]),
                ("Included", vec!["2 a.mk".to_owned()]),
            ]
        );
    }

    #[test]
    fn lists_of_packages_have_names_and_versions() {
        let yarn = "# yarn lockfile v1\n\n\"@a/b@^1.0\", \"@a/b@^1.1\":\n  version \"1.2.3\"\n  dependencies:\n    version \"^9\"\n\nc@npm:^2:\n  version: 2.0.1\n";
        let gems =
            "GEM\n  specs:\n    rake (13.0.6)\n      json (>= 1)\n\nBUNDLED WITH\n   2.4.1\n";
        let sums =
            "a.org/b v1.0.0 h1:x=\na.org/b v1.0.0/go.mod h1:y=\nc.org/d v2.1.0/go.mod h1:z=\n";
        let requirements = "# pinned\na==1.0  # why\n-r base.txt\n--index-url https://a.b\nc[d]>=2 \\\n    --hash=sha256:0\n";
        let jenkins =
            "pipeline {\n  stages {\n    stage('Build') {\n    }\n    stage(\"Test it\") {\n";
        for (name, text, title, entries) in [
            ("yarn.lock", yarn, "Packages", &["3 @a/b 1.2.3", "8 c 2.0.1"][..]),
            ("Gemfile.lock", gems, "Packages", &["3 rake 13.0.6"]),
            ("go.sum", sums, "Packages", &["1 a.org/b v1.0.0", "3 c.org/d v2.1.0"]),
            ("requirements-dev.txt", requirements, "Dependencies", &["2 a==1.0", "5 c[d]>=2"]),
            ("Jenkinsfile", jenkins, "Stages", &["3 Build", "5 Test it"]),
        ] {
            let shown = outline(name, text);
            assert_eq!(shown[0], (title, entries.iter().map(|one| (*one).to_owned()).collect()));
        }
        let module = "module a.org/b\n\ngo 1.22\n\nrequire (\n\tc.org/d v1.0.0\n\te.org/f v2.0.0 // indirect\n)\nreplace c.org/d => ../d\n";
        let own = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        assert_eq!(
            outline("go.mod", module),
            [
                ("Module", own(&["1 module a.org/b", "3 go 1.22"])),
                ("Dependencies", own(&["6 c.org/d v1.0.0"])),
                ("Indirect dependencies", own(&["7 e.org/f v2.0.0"])),
                ("Replaced", own(&["9 c.org/d => ../d"])),
            ]
        );
    }

    #[test]
    fn a_dockerfile_has_its_instructions() {
        let text = "# syntax\nFROM rust AS build\nRUN a \\\n  && b\nENV X=1\nCOPY <<EOF /x\nFROM here\nEOF\nEXPOSE 80\n";
        assert_eq!(
            outline("Dockerfile.dev", text),
            [(
                "Instructions",
                [
                    "2 FROM rust AS build",
                    "3 RUN a && b",
                    "5 ENV X=1",
                    "6 COPY <<EOF /x",
                    "9 EXPOSE 80"
                ]
                .map(str::to_owned)
                .to_vec()
            )]
        );
    }

    #[test]
    fn sql_has_its_objects_with_columns() {
        let text = "-- CREATE TABLE no (a int);\nCREATE TABLE IF NOT EXISTS app.\"user\" (\n  id INT PRIMARY KEY,\n  \
                    price DECIMAL(10, 2) DEFAULT 0,\n  PRIMARY KEY (id)\n);\nINSERT INTO app.user VALUES (1, 'a;b');\n\
                    INSERT INTO app.user VALUES (2, 'CREATE TABLE x');\ncreate or replace view v as select 1;\n";
        assert_eq!(
            outline("a.sql", text),
            [
                (
                    "Statements",
                    vec!["2 TABLE app.\"user\" (id, price)".to_owned(), "9 VIEW v".to_owned()]
                ),
                ("Inserted rows", vec!["7 app.user: 2 statements".to_owned()]),
            ]
        );
    }

    #[test]
    fn documents_have_their_titles() {
        let rst = "=====\nTitle\n=====\n\ntext\n\nPart\n----\n\n::\n\n  code\n  ----\n\nNext\n----\nDeep\n~~~~\n";
        let titles = ["2 Title", "7 Part", "15 Next", "17 Deep"];
        let shown = outline("a.rst", rst);
        let (_, entries) = &shown[0];
        let bare: Vec<String> = entries
            .iter()
            .map(|entry| entry.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect();
        assert_eq!(bare, titles);
        let adoc = "= Title\n\n== Part\n----\n== code\n----\n=== Deep\n";
        assert_eq!(
            outline("a.adoc", adoc),
            [(
                "Titles",
                vec!["1 Title".to_owned(), "3   Part".to_owned(), "7     Deep".to_owned()]
            )]
        );
    }
}
