#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use crate::{Exploration, Input, Options, Profile, Project, explore};

fn look(name: &str, bytes: &[u8]) -> Exploration {
    // The texts are shorter than their summaries, so the short form would show the files
    // themselves.
    let options = Options { short: false, ..Options::from(Profile::Enhancement) };
    explore(&Input::memory(name, bytes), &Project::default(), options)
}

#[test]
fn colours_and_the_ways_of_tools_hide_no_level() {
    for (line, level, error, warning) in [
        (
            "\u{1b}[2m2024-01-02T03:04:05Z\u{1b}[0m \u{1b}[33m WARN\u{1b}[0m a: b",
            Some("WARN"),
            0,
            1,
        ),
        ("2024-01-02 03:04:05 warn disk is full", Some("WARN"), 0, 1),
        ("2024-01-02 03:04:05 info ready", Some("INFO"), 0, 0),
        ("npm ERR! code ENOENT", Some("ERROR"), 1, 0),
        ("npm warn deprecated a@1", Some("WARN"), 0, 1),
        ("npm install", None, 0, 0),
        ("thread 'main' panicked at src/main.rs:2:5:", Some("PANIC"), 1, 0),
        ("Stack trace: ", None, 0, 0),
        ("2024-01-02 03:04:05 [ERROR] Stack trace: a", Some("ERROR"), 1, 0),
        ("Call Trace:", None, 0, 0),
        ("2024-01-02 03:04:05 trace: a", Some("TRACE"), 0, 0),
    ] {
        let found = look("a.log", format!("{line}\n").as_bytes());
        let fields = found.json();
        let found_level = fields["level_lines"].as_array().unwrap().first().cloned();
        assert_eq!(found_level.as_ref().map(|one| one["level"].as_str().unwrap()), level, "{line}");
        let counts = (&fields["error_count"], &fields["warning_count"]);
        assert_eq!(counts, (&error.into(), &warning.into()), "{line}");
        assert!(!found.summary.contains("[33m"), "{}", found.summary);
    }
}

#[test]
fn each_dialect_has_its_time_and_its_level() {
    for (line, class, level, error) in [
        ("2024-01-02T03:04:05.678Z ERROR boom", Some("iso"), Some("ERROR"), true),
        (
            "2024-01-02 03:04:05,678 - app.db - WARNING - slow info",
            Some("iso"),
            Some("WARN"),
            false,
        ),
        ("Jan  2 03:04:05 host sshd[12]: Failed password", Some("syslog"), None, true),
        (
            "1.2.3.4 - - [10/Oct/2000:13:55:36 +0000] \"GET / HTTP/1.0\" 200 5",
            Some("clf"),
            None,
            false,
        ),
        (
            "1.2.3.4 - - [10/Oct/2000:13:55:36 +0000] \"GET /INFO HTTP/1.0\" 404 5",
            Some("clf"),
            None,
            true,
        ),
        (
            "[Wed Oct 11 14:32:52.123 2000] [core:error] [pid 1] no",
            Some("ctime"),
            Some("ERROR"),
            true,
        ),
        ("2020/01/02 03:04:05 [crit] 12#0: bad", Some("slash"), Some("CRITICAL"), true),
        ("2020/01/02 03:04:05 listening on :80", Some("slash"), None, false),
        ("1386543323.000      4 91.188.124.227 TCP_HIT/200", Some("epoch"), None, false),
        (
            "{\"level\":\"warn\",\"ts\":1700000000.5,\"msg\":\"m\"}",
            Some("epoch"),
            Some("WARN"),
            false,
        ),
        ("{\"time\":\"2024-01-02T03:04:05Z\",\"msg\":\"it failed\"}", Some("iso"), None, true),
        (
            "03-17 16:13:38.811  1702  2395 D WindowManager: go",
            Some("android"),
            Some("DEBUG"),
            false,
        ),
        ("E0102 15:04:05.123456   7 a.cc:9] bad", Some("glog"), Some("ERROR"), true),
        ("2020-01-02 03:04:05 UTC [7] LOG:  checkpoint", Some("iso"), Some("LOG"), false),
        ("2020-01-02 03:04:05 UTC [7] FATAL:  gone", Some("iso"), Some("FATAL"), true),
        ("apr 15, 2013 8:34:08 PM org.x.Y warn", Some("java"), None, false),
        ("130324  0:04:00 [Warning] denied", Some("compact"), Some("WARN"), false),
        (
            "@400000004c91b044077a9e94 imap-login: Info: Aborted",
            Some("tai64n"),
            Some("INFO"),
            false,
        ),
        ("<W>2015-11-29 16:38:01.818 1 => x", Some("iso"), Some("WARN"), false),
        ("t=2020-10-19T17:44:33+0200 lvl=eror msg=\"no\"", Some("iso"), Some("ERROR"), true),
        ("# 2020-01-02 03:04:05 ERROR is how a line looks", None, None, false),
        ("2014:07:02-00:17:45: '1.2.3.4' 2 failed attempts", Some("year_first"), None, true),
        ("Dez 31 11:59:59 h sshd: error: PAM: no", Some("syslog"), Some("ERROR"), true),
        ("Mar 24 08:58:32 h p[1]: <a> bind failed INFO:{a = 1}", Some("syslog"), None, true),
        ("08-03 07:56:53.026292 [WARN] [SOFIA] failed", Some("android"), Some("WARN"), false),
        ("1386543323.000      4 1.2.3.4 TCP_DENIED/403 9 GET x", Some("epoch"), None, true),
        (
            "1.2.3.4 - - [10/Oct/2000:13:55:36 +0000] \"GET / HTTP/1.0\" 404 5 \"-\" \"-\"",
            Some("clf"),
            None,
            true,
        ),
        ("2021-01-22 10:03:22 CET,\"a\",1,0,LOG,00000,\"error\"", Some("iso"), Some("LOG"), false),
        (
            "pre | {\"level\":\"20\",\"time\":\"1716292213381\"}",
            Some("epoch"),
            Some("DEBUG"),
            false,
        ),
        ("{\"log\":{\"level\":\"info\"},\"message\":\"failed\"}", None, Some("INFO"), false),
        ("! Undefined control sequence.", None, None, true),
        ("just words without anything", None, None, false),
        ("    at com.x.Y.main(Y.java:3)", None, None, false),
        ("ratio 12:34 and 3.14.15", None, None, false),
    ] {
        let found = look("a.log", line.as_bytes());
        let fields = &found.json();
        let timestamp = &fields["timestamp_lines"][0]["pattern"];
        assert_eq!(*timestamp, serde_json::to_value(class).unwrap(), "{line}");
        let found = &fields["level_lines"][0]["level"];
        assert_eq!(*found, serde_json::to_value(level).unwrap(), "{line}");
        assert_eq!(fields["error_lines"][0] == 1, error, "{line}");
    }
}

#[test]
fn counts_are_of_the_whole_file_and_errors_that_repeat_are_one() {
    let text: String = (0..3_000)
        .map(|index| {
            format!("2024-01-02 03:04:{:02} ERROR job {index} of 'x{index}' lost\n", index % 60)
        })
        .collect();
    let found = look("a.log", text.as_bytes());
    assert_eq!(
        (&found.json()["line_count"], &found.json()["error_count"]),
        (&3_000.into(), &3_000.into())
    );
    assert_eq!(found.json()["repeated_errors"][0]["count"], 3_000);
    assert_eq!(found.json()["repeated_errors"][0]["signature"], "ERROR job # of # lost");
    assert_eq!(found.json()["earliest_timestamp"], "2024-01-02 03:04:00");
    assert_eq!(found.json()["latest_timestamp"], "2024-01-02 03:04:59");
    assert_eq!(found.json()["level_stats"][0]["percentage"], 100.0);
}

#[test]
fn errors_repeat_when_only_their_values_differ() {
    for (one, other, same) in [
        ("[error] [client 1.2.3.4] no file: /a/b", "[:error] [pid 7] [client x] no file: /c", true),
        ("login failed for user adam - 1.2.3.4", "login failed for user eve - ::1", true),
        ("error,relay=::1,from=<a b>: 550 No", "error,relay=1.2.3.4,from=<>: 550 No", true),
        ("failed to lock the file", "failed to read the file", false),
    ] {
        let text = format!("{one}\n{other}\n");
        let found = look("a.log", text.as_bytes());
        let lines = found.json()["repeated_errors"][0]["lines"].clone();
        assert_eq!(lines == serde_json::json!([1, 2]), same, "{one} / {other}: {lines}");
    }
}

#[test]
fn a_line_without_end_and_a_file_of_ten_gibibytes_are_bounded() {
    let found = look("a.log", &b"x".repeat(40 << 20));
    assert_eq!(
        (&found.json()["line_count"], &found.json()["cut_line_count"]),
        (&1.into(), &1.into())
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.log");
    std::fs::write(&path, "2024-01-02 03:04:05 INFO a line\n".repeat(1_000)).unwrap();
    #[expect(clippy::disallowed_methods, reason = "a test makes its own file")]
    let file = std::fs::File::options().write(true).open(&path).unwrap();
    file.set_len(10 << 30).unwrap();
    let found =
        explore(&Input::open("a.log", &path).unwrap(), &Project::default(), Profile::Parity);
    assert_eq!((found.success, &found.json()["sampled"]), (true, &true.into()));
    assert!(found.summary.contains("[SAMPLED - Large Log File]"));
}

#[test]
fn a_log_in_utf16_is_named_as_such_and_read_like_any_other() {
    let text = "2024-01-02 03:04:05 ERROR der Schlüssel fehlt\n2024-01-02 03:04:06 INFO gut\n";
    let plain = look("a.log", text.as_bytes());
    let units: Vec<u16> = std::iter::once(0xfeff).chain(text.encode_utf16()).collect();
    let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
    for (bytes, name) in [(&little, "UTF-16 LE"), (&big, "UTF-16 BE")] {
        let found = look("a.log", bytes);
        assert!(found.summary.contains(&format!("\nEncoding: {name}\n")), "{}", found.summary);
        assert_eq!((found.malformed.clone(), &found.json()["encoding"]), (None, &name.into()));
        for field in ["level_lines", "timestamp_lines", "error_samples", "line_count"] {
            assert_eq!(found.json()[field], plain.json()[field], "{field}");
        }
    }
    assert_eq!(plain.json()["encoding"], "UTF-8");
    // Half a character at the end counts as damage, but the rest is still read.
    let found = look("a.log", &little[..little.len() - 1]);
    assert_eq!(found.malformed.as_ref().unwrap().what, "parts of it are not valid UTF-16 LE");
    assert_eq!(found.json()["error_lines"], plain.json()["error_lines"]);
}
