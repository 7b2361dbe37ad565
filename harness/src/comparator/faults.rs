//! Fault tests: every way in which a third-party program can fail, through the real runner.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use record::{Capture, Origin, Places, Recording, Side, Stop, Store};
use verdict::response::{Failure, Response, ResponseError, classify};

use super::run::replay;
use crate::process::{self, Invocation};

const DEADLINE: Duration = Duration::from_millis(1500);
const GRACE: Duration = Duration::from_millis(300);
/// Deadline, grace and draining together, with a margin for a busy machine.
const BOUND: Duration = Duration::from_secs(12);
/// A deadline for modes that end by themselves: far longer than they need, and shorter than the bound.
const PATIENT: Duration = Duration::from_secs(10);

/// Tells a copy of this test program to interrupt itself.
const INTERRUPTED: &str = "PARITY_TEST_INTERRUPTED";

fn invocation(mode: &str) -> Invocation {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fake_comparator.py");
    let mut invocation =
        Invocation::new("python3", "/").inherit_env().args(["-I", "-S", script, mode]);
    let hangs = mode.starts_with("hang");
    invocation.deadline = if hangs { DEADLINE } else { PATIENT };
    invocation.grace = GRACE;
    invocation
}

/// Runs a mode and checks what must hold for all of them: the time is bounded, and the recording, read
/// back from disk, is judged like the run itself.
fn run(mode: &str) -> (Capture, Result<Response, Failure>) {
    let started = Instant::now();
    let capture = process::run(&invocation(mode)).unwrap();
    assert!(started.elapsed() < BOUND, "{mode} took {:?}", started.elapsed());
    let outcome = classify(&capture);

    let folder = tempfile::tempdir().unwrap();
    let store = Store::at(folder.path());
    let origin = Origin { side: Side::Comparator, corpus: "none", unit: "none/comparator" };
    let (recording, name) = Recording::write(&store, origin, &capture, &Places::default()).unwrap();
    assert_eq!(store.recording(&name).unwrap(), recording);
    let replayed = replay(&recording, &store).unwrap();
    assert_eq!(
        replayed.err().map(|failure| failure.name()),
        outcome.as_ref().err().map(Failure::name)
    );
    (capture, outcome)
}

/// The process ids that the fake comparator wrote to standard error.
fn grandchildren(capture: &Capture) -> Vec<u32> {
    let text = String::from_utf8_lossy(&capture.stderr.bytes).into_owned();
    text.lines().filter_map(|line| line.trim().parse().ok()).collect()
}

fn alive(id: u32) -> bool {
    // A zombie has ended; only its parent has not reaped it yet.
    std::fs::read_to_string(format!("/proc/{id}/stat"))
        .is_ok_and(|stat| !stat.rsplit(')').next().is_some_and(|rest| rest.starts_with(" Z")))
}

/// Waits until none of the processes is alive, which takes the kernel a moment.
fn assert_gone(ids: &[u32]) {
    assert!(!ids.is_empty());
    let deadline = Instant::now() + Duration::from_secs(5);
    while ids.iter().any(|&id| alive(id)) {
        assert!(Instant::now() < deadline, "still alive: {ids:?}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn each_fault_has_its_own_outcome() {
    for (mode, expected) in [
        ("hang", "timeout"),
        ("flood-stdout", "flooded"),
        ("flood-stderr", "flooded"),
        ("flood-and-exit", "flooded"),
        ("garbage", "garbage"),
        ("nan", "garbage"),
        ("infinity", "garbage"),
        ("huge-number", "garbage"),
        ("half-json", "garbage"),
        ("two-answers", "garbage"),
        ("deep-json", "garbage"),
        ("invalid-utf8", "garbage"),
        ("wrong-schema", "garbage"),
        ("duplicate-case", "garbage"),
        ("network", "comparator_error"),
        ("empty", "empty"),
        ("stderr-only", "empty"),
        ("exit-3", "crashed"),
        ("answer-exit-3", "crashed"),
        ("answer-exit-1", "crashed"),
        ("error", "comparator_error"),
        ("error-exit-0", "comparator_error"),
        ("killed", "crashed"),
        ("answer-killed", "crashed"),
    ] {
        let (_, outcome) = run(mode);
        assert_eq!(outcome.err().map(|failure| failure.name()), Some(expected), "{mode}");
    }
}

#[test]
fn a_good_answer_is_taken() {
    let (capture, outcome) = run("answer");
    assert_eq!(outcome.unwrap().case_ids().collect::<Vec<_>>(), ["only"]);
    assert!(capture.succeeded() && !capture.pipe_held);
}

#[test]
fn a_failed_case_is_an_error_where_it_is_used_and_costs_no_other() {
    let response = run("case-failed").1.unwrap();
    assert!(response.case("only").is_ok());
    assert!(matches!(response.case("bad"), Err(ResponseError::CaseFailed { .. })));
    assert!(matches!(response.case("none"), Err(ResponseError::NoSuchCase(_))));
}

#[test]
fn a_deaf_child_and_its_deaf_grandchild_are_killed_in_time() {
    let (capture, outcome) = run("hang-deaf");
    assert_eq!(outcome.unwrap_err().name(), "timeout");
    assert_eq!((capture.signal, capture.stopped), (Some(9), Some(Stop::Deadline)));
    assert!(capture.duration >= DEADLINE + GRACE);
    assert_gone(&grandchildren(&capture));
}

#[test]
fn what_a_finished_child_leaves_in_its_group_is_killed() {
    let (capture, outcome) = run("orphan");
    assert!(outcome.is_ok() && !capture.pipe_held);
    assert!(capture.duration < PATIENT);
    assert_gone(&grandchildren(&capture));
}

#[test]
fn a_grandchild_outside_the_group_is_not_waited_for() {
    let (capture, outcome) = run("escape");
    assert!(outcome.is_ok() && capture.pipe_held);
    assert!(capture.duration < PATIENT);
    let ids = grandchildren(&capture);
    // The process left its group, so the test must end it.
    for &id in &ids {
        let pid = rustix::process::Pid::from_raw(i32::try_from(id).unwrap()).unwrap();
        rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
    }
    assert_gone(&ids);
}

/// Interrupts itself while a child that ignores signals runs. It needs a process of its own, because
/// the flag that it sets would stop the children of all other tests.
#[test]
#[ignore = "runs only as a program of the test below"]
fn interrupts_itself() {
    if std::env::var_os(INTERRUPTED).is_none() {
        return;
    }
    process::watch_for_interrupts().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let hangs = folder.path().join("hangs");
    let mut invocation = invocation("hang-deaf");
    invocation.args.push(hangs.to_str().unwrap().to_owned());
    invocation.deadline = Duration::from_mins(2);
    std::thread::spawn(move || {
        while !hangs.exists() {
            std::thread::sleep(Duration::from_millis(5));
        }
        let own = rustix::process::getpid();
        rustix::process::kill_process(own, rustix::process::Signal::INT).unwrap();
    });
    let capture = process::run(&invocation).unwrap();
    assert_eq!((capture.stopped, process::interrupted()), (Some(Stop::Interrupt), true));
    assert_eq!(classify(&capture).unwrap_err().name(), "interrupted");
    assert_gone(&grandchildren(&capture));
}

#[test]
fn an_interrupt_ends_the_children_and_is_no_result() {
    let test = concat!(module_path!(), "::interrupts_itself").split_once("::").unwrap().1;
    let ended = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--ignored"])
        .env(INTERRUPTED, "1")
        .output()
        .unwrap();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stdout));
}

#[test]
fn a_flood_is_kept_only_within_its_limit() {
    let (capture, _) = run("flood-stdout");
    assert!(capture.stdout.truncated && capture.stdout.total > 1 << 20);
    assert_eq!(capture.stdout.bytes.len(), 1 << 20);
    assert_eq!(capture.stopped, Some(Stop::Flood));
}

#[test]
fn input_larger_than_any_pipe_arrives_whole() {
    let mut invocation = invocation("read-input");
    invocation.stdin = vec![b'x'; 5 << 20];
    let capture = process::run(&invocation).unwrap();
    assert!(classify(&capture).is_ok());
    assert_eq!(grandchildren(&capture), [5 << 20]);
}

#[test]
fn input_that_nobody_reads_is_no_fault() {
    let mut invocation = invocation("answer");
    invocation.stdin = vec![b'x'; 5 << 20];
    assert!(classify(&process::run(&invocation).unwrap()).is_ok());
}

#[test]
fn the_environment_is_exactly_the_given_one() {
    let mut invocation = Invocation::new("/usr/bin/env", "/");
    invocation.env.insert("ONLY".to_owned(), "this".to_owned());
    let capture = process::run(&invocation).unwrap();
    assert_eq!(capture.stdout.bytes, b"ONLY=this\n");
}

#[test]
fn a_program_that_does_not_exist_is_an_error_with_its_name() {
    let error = process::run(&Invocation::new("no-such-program", "/")).unwrap_err().to_string();
    assert!(error.contains("no-such-program"), "{error}");
    let error = process::run(&Invocation::new("true", "/no-such-folder")).unwrap_err().to_string();
    assert!(error.contains("/no-such-folder"), "{error}");
}

#[test]
fn many_children_at_once_do_not_hold_each_others_pipes() {
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let capture = process::run(&invocation("answer")).unwrap();
                assert!(classify(&capture).is_ok() && !capture.pipe_held);
            });
        }
    });
}

#[test]
fn folders_of_this_machine_become_names() {
    let mut invocation = Invocation::new("/bin/sh", "/");
    invocation.args = ["-c", "printf '%s' \"$0 /srv/repo/a /srv/repo/inner/b\"", "/srv"]
        .map(str::to_owned)
        .into();
    let capture = process::run(&invocation).unwrap();
    let places = Places::default()
        .with("$REPO", Path::new("/srv/repo"))
        .with("$INNER", Path::new("/srv/repo/inner"))
        .with("$ROOT", Path::new("/"));
    let named = places.apply(&capture);
    assert_eq!(named.stdout.bytes, b"/srv $REPO/a $INNER/b");
    assert!(named.argv.iter().any(|part| part.contains("$REPO/a $INNER/b")));
}

#[test]
fn random_names_below_a_folder_become_one_name() {
    let mut invocation = Invocation::new("/bin/sh", "/");
    let printed = "/tmp/x/driver-k3_9x2ab/a /tmp/x/driver-0a/b /tmp/x/driver /srv/driver-k3/c";
    invocation.args = vec!["-c".to_owned(), format!("printf '%s' '{printed}'")];
    let capture = process::run(&invocation).unwrap();
    let places = Places::default().with("$TMP", Path::new("/tmp/x")).with_random("$TMP/driver-");
    let named = String::from_utf8(places.apply(&capture).stdout.bytes).unwrap();
    assert_eq!(named, "$TMP/driver-*/a $TMP/driver-*/b $TMP/driver /srv/driver-k3/c");
}
