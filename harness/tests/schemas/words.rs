//! The names in schemas are those of the program's types: all fields of what it reads, all values of its enums.

use std::collections::BTreeSet;

use agents::Code;
use base::{
    profile::{Profile, TokenCounterMode},
    text::standing::Standing,
};
use explore::{ImportCategory, SymbolKind, Visibility};
use harness::{comparator::ComparatorTuple, report::RunReport};
use index::nav::NavError;
use map::{Multiplier, RefreshMode, repo::FileSource};
use record::{Set, Verdict};
use serde::Serialize;
use serde_json::{Value, json};
use verdict::gate::PlotKind;

use super::{made, place::Place, reported, schema};

/// The words between backticks behind `expected`, as serde lists them.
fn expected(said: &str) -> BTreeSet<String> {
    let (_, list) = said.split_once("expected ").unwrap_or_else(|| panic!("{said}"));
    list.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The names of the properties at a place in a schema.
fn properties(schema: &Value, pointer: &str) -> BTreeSet<String> {
    let found = schema.pointer(&format!("{pointer}/properties"));
    found.unwrap_or_else(|| panic!("{pointer}")).as_object().unwrap().keys().cloned().collect()
}

/// The words of an enum at a place in a schema, null left out.
fn listed(schema: &str, pointer: &str) -> BTreeSet<String> {
    let whole = super::schema(schema);
    let words = whole.pointer(pointer).unwrap_or_else(|| panic!("{schema}{pointer}"));
    words.as_array().unwrap().iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

fn written<T: Serialize>(values: &[T]) -> BTreeSet<String> {
    values.iter().map(|value| json!(value).as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_fields_of_requests_and_calls_are_those_that_the_program_reads() {
    let place = Place::small();
    for (name, arguments) in
        [("map_request", &["map", "--requests", "-"][..]), ("session_call", &["session"])]
    {
        let said = place.parity(arguments, r#"{"no_such_field": 1}"#).stderr;
        let said = String::from_utf8(said).unwrap();
        assert_eq!(expected(&said), properties(&schema(name), ""), "{name}");
    }
    let said = place.parity(&["map", "--requests", "-"], r#"{"trace": "no_such_trace"}"#).stderr;
    let said = expected(&String::from_utf8(said).unwrap());
    assert_eq!(said, listed("map_request", "/properties/trace/enum"));
}

#[test]
fn the_fields_of_a_report_are_those_of_its_types() {
    let (schema, report) = (schema("report"), json!(reported::report()));
    for (place, definition) in [
        ("", ""),
        ("/environment/0", "/$defs/entry"),
        ("/commands", "/$defs/commands"),
        ("/gates/0", "/$defs/gate"),
        ("/gates/0/cells/1", "/$defs/cell"),
        ("/gates/0/cells/1/noise_floor", "/$defs/spread"),
        ("/gates/0/cells/1/seeds", "/$defs/seeds"),
        ("/gates/0/plots/0", "/$defs/plot"),
        ("/deviations/0", "/$defs/deviation"),
    ] {
        let mut altered = report.clone();
        altered.pointer_mut(place).unwrap()["no_such_field"] = json!(1);
        let said = serde_json::from_value::<RunReport>(altered).unwrap_err().to_string();
        assert_eq!(expected(&said), properties(&schema, definition), "{place}");
    }
    let tuple = &report["run_profile"]["comparator_tuple"];
    for (place, definition) in [
        ("", "/$defs/measured_tuple"),
        ("/aider_release", "/$defs/map.json/$defs/package"),
        ("/relation", "/$defs/relation"),
        ("/relation/file/0", "/$defs/relation_file"),
    ] {
        let mut altered = tuple.clone();
        altered.pointer_mut(place).unwrap()["no_such_field"] = json!(1);
        let said = serde_json::from_value::<ComparatorTuple>(altered).unwrap_err().to_string();
        assert_eq!(expected(&said), properties(&schema, definition), "{place}");
    }
    // What is compared names a field that is there, and none that is not.
    assert_eq!(
        expected("unknown field `x`, expected `a` or `b`"),
        ["a", "b"].map(str::to_owned).into()
    );
}

#[test]
fn the_enums_of_the_schemas_are_whole() {
    // A further value of one of these types is an error of the compiler in `next`, or is in `ALL`.
    let compare = |values: BTreeSet<String>, schema: &str, pointer: &str| {
        assert_eq!(values, listed(schema, pointer), "{schema}{pointer}");
    };
    let verdicts = all(Verdict::Pass, |verdict| match verdict {
        Verdict::Pass => Some(Verdict::Fail),
        Verdict::Fail => Some(Verdict::Insufficient),
        Verdict::Insufficient => Some(Verdict::Unstable),
        Verdict::Unstable => Some(Verdict::NotRun),
        Verdict::NotRun => None,
    });
    compare(written(&verdicts), "report", "/$defs/verdict/enum");
    let kinds = all(PlotKind::Strip, |kind| match kind {
        PlotKind::Strip => Some(PlotKind::Bar),
        PlotKind::Bar => None,
    });
    compare(written(&kinds), "report", "/$defs/plot/properties/kind/enum");
    let sets = all(Set::Smoke, |set| match set {
        Set::Smoke => Some(Set::Full),
        Set::Full => None,
    });
    compare(written(&sets), "report", "/properties/set/enum");
    let profiles = all(Profile::Parity, |profile| match profile {
        Profile::Parity => Some(Profile::Enhancement),
        Profile::Enhancement => None,
    });
    compare(written(&profiles), "map", "/$defs/profile/properties/profile/enum");
    let counts = all(TokenCounterMode::ComparatorEstimate, |count| match count {
        TokenCounterMode::ComparatorEstimate => Some(TokenCounterMode::SafetyCount),
        TokenCounterMode::SafetyCount => None,
    });
    compare(written(&counts), "map", "/$defs/profile/properties/token_counter_mode/enum");
    let sources = all(FileSource::GitTrackedFiltered, |source| match source {
        FileSource::GitTrackedFiltered => Some(FileSource::InchatFallback),
        FileSource::InchatFallback => Some(FileSource::WalkerFallback),
        FileSource::WalkerFallback => None,
    });
    compare(written(&sources), "map", "/$defs/file_universe_source/enum");
    let multipliers = all(Multiplier::Mentioned, |multiplier| match multiplier {
        Multiplier::Mentioned => Some(Multiplier::Compound),
        Multiplier::Compound => Some(Multiplier::Private),
        Multiplier::Private => Some(Multiplier::Common),
        Multiplier::Common => None,
    });
    compare(written(&multipliers), "map", "/$defs/multiplier/properties/name/enum");
    let modes = all(RefreshMode::Auto, |mode| match mode {
        RefreshMode::Auto => Some(RefreshMode::Files),
        RefreshMode::Files => Some(RefreshMode::Manual),
        RefreshMode::Manual => Some(RefreshMode::Always),
        RefreshMode::Always => None,
    });
    let modes: BTreeSet<String> = modes.iter().map(|mode| mode.as_str().to_owned()).collect();
    compare(modes.clone(), "session_answer", "/$defs/reply/properties/refresh/enum");
    compare(modes, "map", "/properties/refresh/enum");
    let standings = all(Standing::Source, |standing| match standing {
        Standing::Source => Some(Standing::Test),
        Standing::Test => Some(Standing::Example),
        Standing::Example => Some(Standing::Documentation),
        Standing::Documentation => Some(Standing::Generated),
        Standing::Generated => Some(Standing::Vendored),
        Standing::Vendored => None,
    });
    let standings = standings.iter().map(|standing| standing.as_str().to_owned()).collect();
    compare(standings, "map", "/$defs/file_worth/properties/standing/enum");
    compare(written(SymbolKind::ALL), "explore", "/$defs/symbol/properties/kind/enum");
    compare(written(Visibility::ALL), "explore", "/$defs/symbol/properties/visibility/enum");
    compare(written(ImportCategory::ALL), "explore", "/$defs/import/properties/category/enum");
}

#[test]
fn the_codes_of_problems_are_whole() {
    let codes = all(Code::DepsMissing, |code| match code {
        Code::DepsMissing => Some(Code::Timeout),
        Code::Timeout => Some(Code::ScanFailed),
        Code::ScanFailed => Some(Code::ParseFailed),
        Code::ParseFailed => Some(Code::RankingFailed),
        Code::RankingFailed => Some(Code::RenderFailed),
        Code::RenderFailed => Some(Code::WriteFailed),
        Code::WriteFailed => Some(Code::InternalError),
        Code::InternalError => None,
    });
    let artifact = listed("repomap_artifact_v1", "/$defs/error/properties/code/enum");
    assert_eq!(written(&codes), artifact);
    let mut tool: BTreeSet<String> = artifact.iter().map(|code| code.to_uppercase()).collect();
    let path = String::new;
    let first = NavError::UnsupportedLanguage {
        file_path: path(),
        extension: path(),
        supported_extensions: Vec::new(),
    };
    let navigation = all(first, |error| match error {
        NavError::UnsupportedLanguage { .. } => {
            Some(NavError::ParseTimeout { file_path: path(), file_size_bytes: 0, timeout_ms: 0 })
        }
        NavError::ParseTimeout { .. } => {
            Some(NavError::TooLarge { file_path: path(), file_size_bytes: 0, max_file_size: 0 })
        }
        NavError::TooLarge { .. } => Some(NavError::SymbolNotFound {
            file_path: path(),
            line: 0,
            column: 0,
            node_type: path(),
        }),
        NavError::SymbolNotFound { .. } => {
            Some(NavError::Unreadable { file_path: path(), why: path() })
        }
        NavError::Unreadable { .. } => Some(NavError::Invalid(path())),
        NavError::Invalid(_) => Some(NavError::Root(path())),
        NavError::Root(_) => None,
    });
    tool.extend(navigation.iter().map(|error| error.code().to_owned()));
    // Those of the server are not public; two of them are among the outputs.
    let server = ["NO_SUCH_TOOL", "INVALID_ARGUMENTS", "FILE_NOT_READABLE"];
    tool.extend(server.map(str::to_owned));
    assert_eq!(tool, listed("problem", "/$defs/tool_error/properties/code/enum"));
    let told: BTreeSet<String> = made::documents()["problem"]
        .iter()
        .filter_map(|problem| problem.pointer("/error/code"))
        .map(|code| code.as_str().unwrap().to_owned())
        .collect();
    assert!(told.len() >= 5 && told.is_subset(&tool), "{told:?}");
}

/// A value and all that follow it.
fn all<T>(first: T, next: impl Fn(&T) -> Option<T>) -> Vec<T> {
    let mut found = vec![first];
    while let Some(value) = next(&found[found.len() - 1]) {
        found.push(value);
    }
    found
}
