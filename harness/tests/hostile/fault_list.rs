//! `docs/FAULTS.md` names existing tests for every fault.

use std::{fs, path::Path};

#[test]
fn every_fault_names_tests_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let page = fs::read_to_string(root.join("docs/FAULTS.md")).unwrap();
    let rows: Vec<Vec<&str>> = page
        .lines()
        .filter_map(|line| line.strip_prefix("| "))
        .map(|line| line.trim_end_matches(" |").split(" | ").collect())
        .filter(|cells: &Vec<&str>| cells[0].parse::<usize>().is_ok())
        .collect();
    let numbers: Vec<usize> = rows.iter().map(|row| row[0].parse().unwrap()).collect();
    assert_eq!(numbers, (1..=39).collect::<Vec<_>>());
    for row in &rows {
        assert_eq!(row.len(), 4, "{row:?}");
        let (what, tests) = (row[2], row[3]);
        assert_eq!(what.starts_with("not applicable: "), tests == "–", "{row:?}");
        for test in tests.split(", ").filter(|test| *test != "–") {
            let test = test.strip_prefix('`').and_then(|test| test.strip_suffix('`'));
            let (file, name) = test.unwrap_or_else(|| panic!("{row:?}")).split_once("::").unwrap();
            let text = fs::read_to_string(root.join(file)).unwrap_or_else(|_| panic!("no {file}"));
            let lines: Vec<&str> = text.lines().map(str::trim).collect();
            let found = lines.iter().position(|line| line.starts_with(&format!("fn {name}()")));
            let at = found.unwrap_or_else(|| panic!("row {}: {file} has no {name}", row[0]));
            let above = &lines[at.saturating_sub(4)..at];
            assert!(above.contains(&"#[test]"), "row {}: {name} is no test", row[0]);
            assert!(!above.iter().any(|line| line.starts_with("#[ignore")), "{name} is not run");
        }
    }
}
