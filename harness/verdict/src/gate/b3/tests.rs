use std::{collections::BTreeSet, fs, path::Path};

use record::{
    Profile,
    protocol::{CONTRACTS, GATES, PATHS, RUNTIME},
};

use super::{StoreMatrix, scenarios, scripts};
use crate::protocol::Protocol;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn matrix() -> StoreMatrix {
    StoreMatrix::open(&Protocol::open(root()).unwrap()).unwrap()
}

#[test]
fn every_path_of_the_inventory_has_its_scenario_and_no_two_are_called_alike() {
    let matrix = matrix();
    for profile in Profile::ALL {
        let all = scenarios(&matrix, profile);
        let ids: BTreeSet<&str> = all.iter().map(|scenario| scenario.id.as_str()).collect();
        assert_eq!(ids.len(), all.len());
        for way in matrix.ways_in(profile) {
            assert!(ids.contains(way.0.id.as_str()), "{}", way.0.id);
        }
        let ways = matrix.ways_in(profile).count() + matrix.ways_out(profile).count();
        assert_eq!(ways, matrix.paths.len());
    }
}

#[test]
fn a_request_has_a_name_of_its_own_and_asks_about_what_an_earlier_process_stored() {
    for profile in Profile::ALL {
        for scenario in scenarios(&matrix(), profile) {
            let mut earlier = BTreeSet::new();
            for process in &scenario.processes {
                for about in process.requests.iter().filter_map(|request| request.about.as_ref()) {
                    assert!(earlier.contains(about), "{}: {about}", scenario.id);
                }
                for request in &process.requests {
                    let name = request.name.clone();
                    assert!(earlier.insert(name), "{}: {}", scenario.id, request.name);
                }
            }
        }
    }
}

#[test]
fn nothing_holds_of_processes_that_said_nothing() {
    for profile in Profile::ALL {
        for script in scripts(&matrix(), profile) {
            let findings = script.findings(&[]);
            assert!(!findings.is_empty());
            assert!(findings.iter().all(|(.., held)| held.is_err()), "{}", script.scenario.id);
        }
    }
}

#[test]
fn a_path_that_nothing_is_said_of_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for name in [GATES, PATHS, CONTRACTS, RUNTIME] {
        fs::create_dir_all(folder.path().join(name).parent().unwrap()).unwrap();
        fs::copy(root().join(name), folder.path().join(name)).unwrap();
    }
    let open = || StoreMatrix::open(&Protocol::open(folder.path()).unwrap());
    open().unwrap();
    let inventory = fs::read_to_string(root().join(PATHS)).unwrap();
    let more = inventory.replacen("lcm.tool_output.create", "lcm.another.path", 1);
    fs::write(folder.path().join(PATHS), more).unwrap();
    assert!(open().unwrap_err().to_string().contains("lcm.another.path"));
}
