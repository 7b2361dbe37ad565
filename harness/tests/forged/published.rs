//! The report of a sealed bundle: it fits its published schema, and `docs/json.md` shows it.

use std::process::Command;

use serde_json::Value;
use verdict::bundle::keys::SigningKey;

use super::{
    examples::{examples, page, printed},
    genuine,
    json_schema::{judge, schema},
};

#[test]
fn the_report_of_a_bundle_is_as_its_schema_and_its_example_say() {
    let place = tempfile::tempdir().unwrap();
    let key = SigningKey::open_or_create(&place.path().join("config")).unwrap();
    let bundle = genuine::bundle().seal(place.path(), &key).unwrap();
    let shell = || Command::new("sh");
    let bundle = bundle.to_str().unwrap();
    let report = printed(shell(), &format!("parity report {bundle} --json"));
    let report: Value = serde_json::from_str(&report).unwrap();
    let mut altered = report.clone();
    altered["gates"][0]["cells"][0]["gait"] = altered["gates"][0]["cells"][0]["gate"].take();
    let judged = &judge(&[(schema("report"), vec![report, altered])])[0];
    assert_eq!((&judged.wrong[0], judged.wrong[1].is_some()), (&None, true));
    let page = page();
    let examples = examples(&page).into_iter().filter(|(command, _)| command.contains("BUNDLE"));
    let mut tried = 0;
    for (command, expected) in examples {
        let made = printed(shell(), &command.replace("BUNDLE", bundle));
        assert_eq!(made, expected, "{command}");
        tried += 1;
    }
    assert!(tried > 0, "no example of a report");
}
