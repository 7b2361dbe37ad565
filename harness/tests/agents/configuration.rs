//! `parity.toml`, variables and flags; a repository's file cannot harm anybody.

use std::fs;

use serde_json::{Value, json};

use super::{
    client::Client,
    place::{Place, answer, context, told},
};

/// The outputs of a command and its exit code.
fn said(place: &Place, arguments: &[&str], variables: &[(&str, &str)]) -> (String, i32, String) {
    let mut command = place.parity(arguments);
    command.envs(variables.iter().copied());
    let output = told(command, b"");
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), output.status.code().unwrap(), text(output.stderr))
}

fn json_of(place: &Place, arguments: &[&str], variables: &[(&str, &str)]) -> Value {
    let (out, code, errors) = said(place, arguments, variables);
    assert_eq!(code, 0, "{errors}");
    serde_json::from_str(&out).unwrap()
}

const MAP: [&str; 5] = ["map", ".", "--profile", "enhancement", "--json"];

#[test]
fn a_flag_comes_before_a_variable_before_a_file() {
    let place = Place::new();
    let target = |flags: &[&str], variables: &[(&str, &str)]| {
        json_of(&place, &[&MAP, flags].concat(), variables)["target_tokens"].as_f64().unwrap()
    };
    let default = target(&[], &[]);
    place.configure("[repo_map]\nmax_tokens = 500\n");
    assert_eq!(target(&[], &[]), 500.0);
    assert_eq!(target(&["--no-config"], &[]), default);
    place.write("parity.toml", "[repo_map]\nmax_tokens = 400\n");
    assert_eq!(target(&[], &[]), 400.0);
    assert_eq!(target(&["--no-config=repository"], &[]), 500.0);
    let variable = [("REPO_MAP_MAX_TOKENS", "300")];
    assert_eq!(target(&[], &variable), 300.0);
    assert_eq!(target(&["--map-tokens", "200"], &variable), 200.0);
}

#[test]
fn the_parity_profile_reads_no_configuration() {
    let place = Place::new();
    let maps = |variables: &[(&str, &str)]| {
        [
            said(&place, &["map", ".", "--map-tokens", "900"], variables),
            said(&place, &["map", ".", "--json", "--trace-graph"], variables),
            said(&place, &["explore", "shapes.py"], variables),
        ]
    };
    let before = maps(&[]);
    let wrong = "[repo_map]\nmax_tokens = 1\nexcluded_patterns = [\"*\"]\nno_key = 1\n";
    place.configure(wrong);
    place.write("parity.toml", wrong);
    let set = [("REPO_MAP_MAX_TOKENS", "none"), ("REPO_MAP_VERBOSE", "true")];
    assert_eq!(maps(&set), before);
    assert!(
        before.iter().all(|(out, code, errors)| *code == 0 && !out.is_empty() && errors.is_empty())
    );
    for flag in ["--no-config", "--verbose"] {
        assert_eq!(said(&place, &["map", ".", flag], &[]).1, 2, "{flag}");
        assert_eq!(said(&place, &["explore", "shapes.py", flag], &[]).1, 2, "{flag}");
    }
}

#[test]
fn excluded_files_are_in_no_map_and_no_answer() {
    let place = Place::new();
    place.write("dist.py", "def area_of(shape):\n    return 0\n");
    place.git(&["add", "-A"]);
    let asked = ["nav", "definition", "--symbol", "area_of", "--json"];
    let found = |variables| {
        let map = json_of(&place, &MAP, variables)["text"].as_str().unwrap().contains("dist.py");
        let definitions = json_of(&place, &asked, variables)["total_count"].as_u64().unwrap();
        let session = told(place.parity(&["session", ".", "--profile", "enhancement"]), b"{}\n");
        let session = String::from_utf8(session.stdout).unwrap().contains("dist.py");
        let hook = context(&place.claude("SessionStart", &json!({"source": "startup"})))
            .contains("dist.py");
        (map, definitions, session, hook)
    };
    assert_eq!(found(&[]), (true, 2, true, true));
    place.write("parity.toml", "[repo_map]\nexcluded_patterns = [\"dist.*\"]\n");
    assert_eq!(found(&[]), (false, 1, false, false));
}

#[test]
fn extensions_can_be_of_another_language() {
    let place = Place::new();
    place.write("more.inc", "def width_of_shape(shape):\n    return area_of(shape)\n");
    place.git(&["add", "-A"]);
    let found = || {
        let map = json_of(&place, &MAP, &[])["text"].as_str().unwrap().contains("width_of_shape");
        let asked = ["nav", "definition", "--symbol", "width_of_shape", "--json"];
        let nav = said(&place, &asked, &[]).1 == 0;
        let explore = ["explore", "more.inc", "--profile", "enhancement", "--json"];
        (map, nav, json_of(&place, &explore, &[])["explorer_used"].as_str().unwrap().to_owned())
    };
    let (map, nav, explorer) = found();
    assert!(!map && !nav && !explorer.contains("python"), "{explorer}");
    place.write("parity.toml", "[repo_map]\nlanguage_overrides = { \".inc\" = \"python\" }\n");
    let (map, nav, explorer) = found();
    assert!(map && nav && explorer.contains("python"), "{explorer}");
}

#[test]
fn navigation_and_index_take_their_limits() {
    let place = Place::new();
    place.configure("[treesitter]\ndisabled_languages = [\"python\"]\n");
    assert_eq!(json_of(&place, &["index", "sync", "--json"], &[])["files"], 0);
    place.configure("[treesitter]\nmax_file_size = 50\n");
    let synced = json_of(&place, &["index", "sync", "--json"], &[]);
    assert_eq!(synced["files"], 1, "{synced}");
    assert_eq!(synced["pending"][0]["file"], "shapes.py", "{synced}");
    place.configure("[treesitter]\ndefault_scope = \"file\"\n");
    let asked = ["nav", "references", "shapes.py", "--line", "1", "--column", "5", "--json"];
    let count =
        |flags: &[&str]| json_of(&place, &[&asked, flags].concat(), &[])["total_count"].clone();
    assert_eq!(count(&[]), 1);
    assert_ne!(count(&["--scope", "project"]), 1);
}

#[test]
fn an_error_is_told_with_its_line_and_the_nearest_name() {
    let place = Place::new();
    place.write("parity.toml", "[repo_map]\nmax_token = 5\n");
    for arguments in [
        &MAP[..],
        &["explore", "shapes.py", "--profile", "enhancement"],
        &["index", "sync"],
        &["nav", "parse", "shapes.py"],
        &["session", ".", "--profile", "enhancement"],
    ] {
        let (out, code, errors) = said(&place, arguments, &[]);
        assert_eq!((code, out.as_str()), (2, ""), "{errors}");
        assert!(
            errors.contains("parity.toml:2:") && errors.contains("repo_map.max_tokens?"),
            "{errors}"
        );
        let (_, code, errors) =
            said(&place, &[arguments, &["--no-config=repository"]].concat(), &[]);
        assert_eq!(code, 0, "{errors}");
    }
}

#[test]
fn nothing_in_a_repositorys_file_stops_a_client() {
    let place = Place::new();
    let start = || place.claude("SessionStart", &json!({"source": "startup"}));
    place.write("parity.toml", "no toml\n");
    assert!(context(&start()).contains("area_of"));
    let mut client = Client::start(&place);
    for (tool, arguments) in [
        ("treesitter", json!({"operation": "definition", "symbol": "area_of"})),
        ("explore", json!({"file_path": "shapes.py"})),
        ("repo_map", json!({})),
    ] {
        let answer = client.call(tool, &arguments);
        assert_eq!(answer["isError"], false, "{tool}: {answer}");
    }
    // The user's settings are still in force.
    place.configure("[hook]\nenabled = false\n");
    assert_eq!(start(), Value::Null);
}

#[test]
fn a_wrong_variable_leaves_the_files_in_force() {
    let place = Place::new();
    let start = place.event("SessionStart", &json!({"source": "startup"}));
    let answered = || {
        let mut command = place.parity(&["hook", "--client", "claude", "--timeout", "25000"]);
        command.env("REPO_MAP_MAX_TOKENS", "many");
        answer(&told(command, start.as_bytes()))
    };
    assert!(context(&answered()).contains("area_of"));
    place.configure("[hook]\nenabled = false\n");
    assert_eq!(answered(), Value::Null);
}

#[test]
fn a_repositorys_file_opens_and_writes_nothing_outside() {
    let place = Place::new();
    let theirs = place.outside().join("theirs");
    let cache = format!("[repo_map]\ncache_dir = {:?}\n", theirs.to_str().unwrap());
    place.write("parity.toml", &cache);
    assert_eq!(said(&place, &MAP, &[]).1, 2);
    let (_, code, errors) = said(&place, &["index", "sync"], &[]);
    assert!(code == 2 && errors.contains("may not set repo_map.cache_dir"), "{errors}");
    place.claude("SessionStart", &json!({"source": "startup"}));
    assert!(!theirs.exists());
    // The same setting in the user's file takes effect.
    place.write("parity.toml", "");
    place.configure(&cache);
    assert_eq!(said(&place, &["index", "sync"], &[]).1, 0);
    assert!(theirs.join("index").is_dir());
    // If the file is a link, it is not followed out of the repository.
    let secret = place.outside().join("secret");
    fs::write(&secret, "[repo_map]\nsecret_of_mine = 5\n").unwrap();
    fs::remove_file(place.root().join("parity.toml")).unwrap();
    std::os::unix::fs::symlink(&secret, place.root().join("parity.toml")).unwrap();
    let (_, code, errors) = said(&place, &MAP, &[]);
    assert!(code == 2 && !errors.contains("secret_of_mine"), "{errors}");
}

#[test]
fn the_doctor_says_where_each_value_comes_from() {
    let place = Place::new();
    place.configure("[hook]\nsession_tokens = 9\n");
    place.write("parity.toml", "\n[repo_map]\nexcluded_patterns = [\"x\"]\nmax_tokens = 99999\n");
    let variables = [("REPO_MAP_REFRESH_MODE", "files")];
    let found = json_of(&place, &["doctor", "--json"], &variables);
    let setting = |name: &str| {
        let all = found["settings"].as_array().unwrap();
        let one = all.iter().find(|one| one["name"] == name).unwrap();
        (one["value"].clone(), one["sources"][0].as_str().unwrap().to_owned())
    };
    let (value, source) = setting("hook.session_tokens");
    assert!(value == 9 && source.ends_with(".config/parity/parity.toml:2"), "{source}");
    let (value, source) = setting("repo_map.max_tokens");
    assert!(value == 8192 && source.ends_with("parity.toml:4"), "{source}");
    assert_eq!(setting("repo_map.refresh_mode"), (json!("files"), "REPO_MAP_REFRESH_MODE".into()));
    assert_eq!(setting("repo_map.verbose"), (json!(false), "default".into()));
    let (out, _, _) = said(&place, &["doctor"], &[]);
    assert!(
        out.contains("repo_map.max_tokens = 8192 (") && out.contains("99999 was asked for"),
        "{out}"
    );
    place.write("parity.toml", "[repo_map]\nverbos = true\n");
    let found = json_of(&place, &["doctor", "--json"], &[]);
    let check = found["checks"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((&check["name"], &check["ok"]), (&json!("configuration"), &json!(false)), "{check}");
    assert!(check["said"].as_str().unwrap().contains("hook"), "{check}");
}

#[test]
fn verbose_says_what_is_set_and_leaves_the_answer_alone() {
    let place = Place::new();
    place.configure("[repo_map]\nmax_tokens = 700\n");
    let (quiet, _, _) = said(&place, &MAP, &[]);
    let (loud, _, errors) = said(&place, &MAP, &[("REPO_MAP_VERBOSE", "1")]);
    assert_eq!(quiet, loud);
    assert!(
        errors.contains("repo_map.max_tokens = 700 (") && errors.contains("REPO_MAP_VERBOSE"),
        "{errors}"
    );
    assert_eq!(said(&place, &[&MAP[..], &["--verbose"]].concat(), &[]).2.lines().count(), 2);
}
