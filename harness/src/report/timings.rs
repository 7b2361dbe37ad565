//! How long the units of a run took, in formats that benchmark trackers read. No verdict depends on it.
//!
//! The formats are in `protocols/exports/`. Repeats and seeded runs of one question are one benchmark
//! with many times.

use std::collections::BTreeMap;

use record::Cell;
use serde::Serialize;
use serde_json::{Map, Value, json};
use verdict::bundle::Environment;

use super::{RunReport, escape::visible};

/// Parts of unit keys that are followed by the number of a repeat of the same question.
const REPEATED: [&str; 2] = ["repeat", "raw"];
/// Nanoseconds in a second.
const NANOSECONDS: f64 = 1e9;

/// Wall times of one benchmark in seconds, in the format of hyperfine's export. Processor time is not
/// measured.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct Timed {
    command: String,
    mean: f64,
    stddev: Option<f64>,
    median: f64,
    min: f64,
    max: f64,
    times: Vec<f64>,
}

/// The format of hyperfine's `--export-json`: one result for each benchmark, by name, and also the
/// profile object of the run, which readers of that format ignore.
pub fn hyperfine(report: &RunReport, made: &Environment) -> Value {
    let results = by_benchmark(made).into_iter().map(|(name, times)| Timed::of(name, &times));
    json!({ "results": results.collect::<Vec<_>>(), "run_profile": report.run_profile })
}

/// Bencher's metric format: the mean `latency` of each benchmark in nanoseconds, with the minimum and
/// the maximum of repeats as its bounds, and the value of every cell under the name of its metric.
pub fn bencher(report: &RunReport, made: Option<&Environment>) -> Value {
    let mut benchmarks = Map::new();
    for (name, times) in made.map(by_benchmark).unwrap_or_default() {
        let Timed { mean, min, max, .. } = Timed::of(name.clone(), &times);
        let [value, lower, upper] = [mean, min, max].map(|seconds| seconds * NANOSECONDS);
        let latency = if times.len() > 1 {
            json!({ "value": value, "lower_value": lower, "upper_value": upper })
        } else {
            json!({ "value": value })
        };
        benchmarks.insert(name, json!({ "latency": latency }));
    }
    for cell in report.gates.iter().flat_map(|gate| &gate.cells) {
        let Some(value) = cell.value.filter(|value| value.is_finite()) else { continue };
        let measures = benchmarks.entry(name_of(cell)).or_insert_with(|| json!({}));
        measures[&*visible(&cell.metric)] = json!({ "value": value });
    }
    Value::Object(benchmarks)
}

/// The times of each benchmark in milliseconds, by name.
fn by_benchmark(made: &Environment) -> BTreeMap<String, Vec<u64>> {
    let mut benchmarks: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for (unit, took) in &made.units {
        let repeated = unit.rsplit_once('/').filter(|(of, number)| {
            number.bytes().all(|byte| byte.is_ascii_digit())
                && REPEATED.iter().any(|word| of.rsplit('/').next() == Some(*word))
        });
        let name = visible(repeated.map_or(unit.as_str(), |(of, _)| of)).into_owned();
        benchmarks.entry(name).or_default().push(*took);
    }
    benchmarks
}

impl Timed {
    /// The statistics of at least one time in milliseconds.
    fn of(command: String, milliseconds: &[u64]) -> Self {
        let times: Vec<f64> = milliseconds.iter().map(|took| *took as f64 / 1e3).collect();
        let mut sorted = times.clone();
        sorted.sort_by(f64::total_cmp);
        let at = |index: usize| sorted.get(index).copied().unwrap_or_default();
        let (n, middle) = (times.len() as f64, times.len() / 2);
        let mean = milliseconds.iter().sum::<u64>() as f64 / n / 1e3;
        let squares = times.iter().map(|time| (time - mean).powi(2)).sum::<f64>();
        let even = times.len().is_multiple_of(2);
        Self {
            command,
            mean,
            stddev: (times.len() > 1).then(|| (squares / (n - 1.0)).sqrt()),
            median: if even {
                f64::midpoint(at(middle.saturating_sub(1)), at(middle))
            } else {
                at(middle)
            },
            min: at(0),
            max: at(times.len().saturating_sub(1)),
            times,
        }
    }
}

/// Gate, corpus, case and budget of a cell, as one name.
fn name_of(cell: &Cell) -> String {
    let budget = cell.budget.map(|budget| budget.to_string()).unwrap_or_default();
    let parts = [cell.gate.as_str(), &*cell.corpus, &*cell.case, &*budget];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    visible(&parts.join("/")).into_owned()
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use serde_json::Value;

    use super::{bencher, hyperfine};
    use crate::report::{example, measurements};

    /// The names of the properties that a committed schema has at a JSON pointer.
    fn names(file: &str, place: &str) -> Vec<String> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../protocols/exports").join(file);
        let schema: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
        match schema.pointer(place).unwrap() {
            Value::Array(names) => {
                names.iter().map(|name| name.as_str().unwrap().to_owned()).collect()
            }
            members => members.as_object().unwrap().keys().cloned().collect(),
        }
    }

    #[test]
    fn every_export_has_the_names_of_its_schema() {
        let made = example::environment(&[("slice/repeat/0", 100), ("slice/repeat/1", 300)]);
        let members =
            |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        let report = example::failing();
        let timed = names("hyperfine.json", "/properties/results/items/properties");
        assert_eq!(members(&hyperfine(&report, &made)["results"][0]), timed);
        let measure =
            names("bencher.json", "/additionalProperties/additionalProperties/properties");
        let found = bencher(&report, Some(&made));
        assert_eq!(members(&found["slice/repeat"]["latency"]).len(), measure.len());
        for of in
            found.as_object().unwrap().values().flat_map(|of| of.as_object().unwrap().values())
        {
            assert!(members(of).iter().all(|name| measure.contains(name)), "{of}");
        }
        assert_eq!(members(&hyperfine(&report, &made)), names("hyperfine.json", "/required"));
        let provenance = report.provenance().unwrap();
        let table = measurements(&report).unwrap().to_csv(&provenance).unwrap();
        let columns: Vec<&str> = table.lines().next().unwrap().split(',').collect();
        assert_eq!(columns, names("cells.json", "/required"));
    }

    #[test]
    fn repeats_are_one_benchmark_and_batches_are_many() {
        let made = example::environment(&[
            ("slice/repeat/0", 100),
            ("slice/repeat/1", 300),
            ("slice/repeat/2", 200),
            ("slice/repeat/3", 600),
            ("slice/explore/0", 50),
            ("slice/explore/1", 70),
        ]);
        let found = hyperfine(&example::failing(), &made);
        let results = found["results"].as_array().unwrap();
        let names: Vec<_> = results.iter().map(|one| one["command"].as_str().unwrap()).collect();
        assert_eq!(names, ["slice/explore/0", "slice/explore/1", "slice/repeat"]);
        let repeat = &results[2];
        assert_eq!((&repeat["mean"], &repeat["median"]), (&0.3.into(), &0.25.into()));
        assert_eq!((&repeat["min"], &repeat["max"]), (&0.1.into(), &0.6.into()));
        // The sample standard deviation of .1 .3 .2 .6 is the square root of .14/3.
        assert!((repeat["stddev"].as_f64().unwrap() - (0.14_f64 / 3.0).sqrt()).abs() < 1e-12);
        assert!(results[0]["stddev"].is_null());
    }

    #[test]
    fn a_tracker_gets_nanoseconds_with_bounds_and_every_value() {
        let made = example::environment(&[
            ("slice/repeat/0", 100),
            ("slice/repeat/1", 300),
            ("flask/maps", 7),
        ]);
        let report = example::failing();
        let found = bencher(&report, Some(&made));
        let latency = &found["slice/repeat"]["latency"];
        assert_eq!((&latency["value"], &latency["lower_value"]), (&2e8.into(), &1e8.into()));
        assert_eq!(found["flask/maps"]["latency"], serde_json::json!({ "value": 7e6 }));
        let cells = report.gates.iter().flat_map(|gate| &gate.cells);
        let measured = cells.filter(|cell| cell.value.is_some()).count();
        let names = found.as_object().unwrap().values();
        let measures: usize = names.map(|of| of.as_object().unwrap().len()).sum();
        assert_eq!(measures, measured + 2, "{found}");
    }
}
