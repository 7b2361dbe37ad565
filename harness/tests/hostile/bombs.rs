//! Nesting bombs: files with nested brackets whose only purpose is to keep a parser busy. Limits are in
//! seconds of processor time, so that a busy machine fails no test.

use std::{collections::BTreeSet, fs, path::Path, sync::LazyLock};

use serde::Deserialize;
use serde_json::Value;

use crate::repository::{Map, PROFILES, read, repository, within_cpu};

/// Size of a bomb in bytes.
const SIZE: usize = 100_000;
/// Seconds of processor time that one bomb may take.
const A_BOMB: usize = 2;
/// Seconds of processor time that a repository full of bombs may take.
const ALL_BOMBS: usize = 90;

/// A row of `bombs.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Bomb {
    language: String,
    extension: String,
    #[serde(default)]
    head: String,
    open: String,
    #[serde(default)]
    middle: String,
    #[serde(default)]
    close: String,
    #[serde(default)]
    tail: String,
}

#[derive(Debug, Deserialize)]
struct Table {
    bomb: Vec<Bomb>,
}

fn bombs() -> Vec<Bomb> {
    toml::from_str::<Table>(include_str!("bombs.toml")).unwrap().bomb
}

impl Bomb {
    /// Its two files with their texts: one without the closing brackets and one with all of them.
    fn files(&self) -> [(String, String); 2] {
        let Self { language, extension, head, open, middle, close, tail } = self;
        let endless = (SIZE - head.len()) / open.len();
        let fixed = head.len() + middle.len() + tail.len();
        let pairs = (SIZE - fixed) / (open.len() + close.len());
        [
            (format!("{language}_endless.{extension}"), format!("{head}{}", open.repeat(endless))),
            (
                format!("{language}_whole.{extension}"),
                format!("{head}{}{middle}{}{tail}", open.repeat(pairs), close.repeat(pairs)),
            ),
        ]
    }

    /// Writes both files; returns their names.
    fn write(&self, folder: &Path) -> [String; 2] {
        self.files().map(|(name, text)| {
            fs::write(folder.join(&name), text).unwrap();
            name
        })
    }
}

/// The part of a map about a file.
fn block<'a>(map: &'a str, file: &str) -> &'a str {
    let start = map.find(&format!("{file}:\n")).unwrap_or_else(|| panic!("no {file} in {map}"));
    map[start..].split("\n\n").next().unwrap().trim_end()
}

const MAP: [&str; 5] = ["map", ".", "--map-tokens", "8192", "--json"];

/// Fails if the honest file is not shown as it would be without bombs.
fn assert_honest(map: &str, profile: &str) {
    static ALONE: LazyLock<[(&str, String); 2]> = LazyLock::new(|| {
        PROFILES.map(|profile| {
            let alone = repository(|_| {});
            let arguments = [&MAP[..], &["--profile", profile]].concat();
            let told = within_cpu(A_BOMB, alone.path(), &[], &arguments, "");
            (profile, read(&told.stdout.bytes).text)
        })
    });
    let (_, alone) = ALONE.iter().find(|(one, _)| *one == profile).unwrap();
    assert_eq!(block(map, "honest.py"), block(alone, "honest.py"));
}

/// OCaml with a brace and a quote in the wrong places, as the search for slow inputs found it. Its parser keeps
/// so many readings of it apart that it takes minutes and gigabytes.
const READINGS: &str = r#"(* Carts. *)
open Base
module Cart = struct
  type 'a t = Items of { items : 'a list; mutable n : int"}e SHOP = sig val open_ : unit -> unit end
class c = object method m n Full of int
  let rec add ?(x = 1) ~item  type 'a t = Items of { items : 'a list; mut, n] | x :: xs -> x :: add ~item xs
end
module type SHOP = sig val open_ : unit -> pnit end
class c> x :: add ~item xs
end
modud m = 1 end
let () = print_string {|x|}
"#;

#[test]
fn a_small_file_whose_parser_takes_too_many_steps_is_left_out() {
    let dir = repository(|root| fs::write(root.join("carts.ml"), READINGS).unwrap());
    for profile in PROFILES {
        let arguments = [&MAP[..], &["--profile", profile]].concat();
        let map: Map = read(&within_cpu(2 * A_BOMB, dir.path(), &[], &arguments, "").stdout.bytes);
        assert_honest(&map.text, profile);
        assert!(map.reason("carts.ml").contains("too many steps"), "{:?}", map.skipped);
    }
    let found = within_cpu(2 * A_BOMB, dir.path(), &[], &["explore", "--json", "carts.ml"], "");
    let found = String::from_utf8_lossy(&found.stdout.bytes);
    assert!(found.contains("too many steps"), "{found}");
}

#[test]
fn there_is_a_bomb_for_each_language() {
    let bombs = bombs();
    let ours: BTreeSet<&str> = bombs.iter().map(|bomb| bomb.language.as_str()).collect();
    let languages = map::language::registry().languages();
    assert_eq!(ours, languages.iter().map(|language| language.key).collect());
    for (name, text) in bombs.iter().flat_map(Bomb::files) {
        assert!((SIZE - 100..=SIZE).contains(&text.len()), "{name}: {}", text.len());
    }
}

#[test]
fn each_bomb_takes_at_most_two_seconds() {
    for bomb in bombs() {
        let mut names = Vec::new();
        let dir = repository(|root| names.extend(bomb.write(root)));
        println!("{}", bomb.language);
        // One second more for the program itself and its honest files.
        let map = read(&within_cpu(2 * A_BOMB + 1, dir.path(), &[], &MAP, "").stdout.bytes);
        assert_honest(&map.text, "parity");
        let arguments = [&["explore", "--json"][..], &[&names[0], &names[1]]].concat();
        let found = within_cpu(2 * A_BOMB + 1, dir.path(), &[], &arguments, "");
        let lines = found.stdout.bytes.split(|byte| *byte == b'\n');
        assert_eq!(lines.filter(|line| !line.is_empty()).count(), 2);
    }
}

#[test]
fn a_repository_full_of_bombs_costs_only_the_bombs() {
    let mut names = Vec::new();
    let dir = repository(|root| names.extend(bombs().iter().flat_map(|bomb| bomb.write(root))));
    assert!(names.len() >= 70);
    for profile in PROFILES {
        let flags = ["--profile", profile];
        let arguments = [&MAP[..], &flags].concat();
        let told = within_cpu(ALL_BOMBS, dir.path(), &[], &arguments, "");
        let map: Map = read(&told.stdout.bytes);
        assert_honest(&map.text, profile);
        // A file that is left out is named with the reason.
        assert!(map.skipped.keys().all(|file| names.contains(file)), "{:?}", map.skipped);
        for (file, why) in [
            ("rust_whole.rs", "nests too deep for a tag query"),
            ("c_endless.c", "nests too deep for a tag query"),
            ("elm_endless.elm", "reads it again and again"),
            ("csharp_endless.cs", "brackets nest too deep"),
            ("r_whole.r", "brackets nest too deep"),
        ] {
            assert!(map.reason(file).contains(why), "{file}: {}", map.reason(file));
        }

        let arguments = [&["session", ".", "--map-tokens", "8192"][..], &flags].concat();
        let told =
            within_cpu(ALL_BOMBS, dir.path(), &[], &arguments, "{}\n{\"message\": \"again\"}\n");
        let answers: Vec<Value> = told
            .stdout
            .bytes
            .split(|byte| *byte == b'\n')
            .filter(|line| !line.is_empty())
            .map(|line| serde_json::from_slice(line).unwrap())
            .collect();
        assert_eq!(answers.len(), 2);
        for answer in &answers {
            assert_honest(answer["text"].as_str().unwrap(), profile);
        }

        let files: Vec<&str> = names.iter().map(String::as_str).collect();
        let arguments = [&["explore", "--json"][..], &flags, &files].concat();
        let told = within_cpu(ALL_BOMBS, dir.path(), &[], &arguments, "");
        let lines = told.stdout.bytes.split(|byte| *byte == b'\n');
        assert_eq!(lines.filter(|line| !line.is_empty()).count(), names.len());
    }
}
