//! A process that is killed leaves all of a transaction or nothing, wherever it is killed.

use std::{
    env,
    os::unix::process::ExitStatusExt,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use lcm::{
    Profile,
    fault::{Stage, VARIABLE, Write, name},
    store::{NewSummary, Role},
};

use crate::support::{agent, at, put};

/// Names the folder that a process of these tests writes to.
const FOLDER: &str = "LCM_TEST_FOLDER";
/// SIGKILL.
const KILLED: i32 = 9;

/// Starts this program again, as the writer below.
fn writer(folder: &Path, test: &str) -> Command {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--exact", test, "--ignored", "--nocapture"]).env(FOLDER, folder);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn content(number: u32) -> Vec<u8> {
    format!("content {number} \u{1f980}\n").repeat(500).into_bytes()
}

/// Writes one of everything. Not a test: other tests start it as a process and kill it.
#[test]
#[ignore = "a process that other tests start"]
fn write_once() {
    let Ok(folder) = env::var(FOLDER) else { return };
    let mut lcm = at(folder.as_ref(), Profile::Enhancement);
    lcm.store().unwrap().make_session("s", Some("p")).unwrap();
    let seq = lcm.store().unwrap().append("s", Role::User, &content(1)).unwrap();
    let new = NewSummary { session: "s", content: b"short", messages: &[seq], parents: &[] };
    lcm.store().unwrap().summarise(&new).unwrap();
    put(&mut lcm, "s", &content(2));
    lcm.store().unwrap().make_session("gone", None).unwrap();
    put(&mut lcm, "gone", &content(3));
    lcm.store().unwrap().remove(&["gone".to_owned()]).unwrap();
}

#[test]
fn killed_at_every_write_nothing_half_is_left_and_the_work_can_be_done_again() {
    for write in Write::ALL {
        for stage in Stage::ALL {
            let point = name(write, stage);
            let folder = tempfile::tempdir().unwrap();
            let killed = writer(folder.path(), "kill::write_once").env(VARIABLE, &point).status();
            assert_eq!(killed.unwrap().signal(), Some(KILLED), "{point} was not reached");

            let mut lcm = at(folder.path(), Profile::Parity);
            let report = lcm.store().unwrap().check();
            assert!(report.intact, "{point}: {report:?}");
            // What was committed before is there, what was not is not.
            let committed = |of: Write| {
                (of as u8, 2) < (write as u8, 0) || (of == write && stage == Stage::Committed)
            };
            let session = lcm.store().unwrap().session("s").unwrap();
            assert_eq!(session.is_some(), committed(Write::Session), "{point}");
            assert_eq!(report.messages.intact > 0, committed(Write::Message), "{point}");
            assert_eq!(report.summaries.intact > 0, committed(Write::Summary), "{point}");
            assert_eq!(report.files.intact > 0, committed(Write::File), "{point}");

            let again = writer(folder.path(), "kill::write_once").status();
            assert!(again.unwrap().success(), "{point}");
            let id = put(&mut lcm, "s", &content(2));
            assert_eq!(lcm.read(&id, &agent("s")).unwrap(), content(2));
            assert!(lcm.store().unwrap().check().intact);
        }
    }
}

/// Writes contents one after the other, and says of each when it is stored.
#[test]
#[ignore = "a process that other tests start"]
fn write_on() {
    let Ok(folder) = env::var(FOLDER) else { return };
    let mut lcm = at(folder.as_ref(), Profile::Parity);
    for number in 0..100_000 {
        put(&mut lcm, "s", &content(number));
        std::fs::write(Path::new(&folder).join("acknowledged"), number.to_string()).unwrap();
    }
}

#[test]
fn killed_at_any_moment_what_was_acknowledged_is_there() {
    let mut random = fastrand::Rng::with_seed(3);
    let mut seen = 0;
    for _ in 0..12 {
        let folder = tempfile::tempdir().unwrap();
        let mut child = writer(folder.path(), "kill::write_on").spawn().unwrap();
        thread::sleep(Duration::from_millis(random.u64(20..300)));
        child.kill().unwrap();
        child.wait().unwrap();
        let last = std::fs::read_to_string(folder.path().join("acknowledged")).unwrap_or_default();
        let mut lcm = at(folder.path(), Profile::Parity);
        assert!(lcm.store().unwrap().check().intact);
        // The note may be cut off by the kill; then the one before is not known.
        let Ok(last) = last.parse::<u32>() else { continue };
        for number in 0..=last {
            let id = lcm::Kind::File;
            assert_eq!(Some(id), lcm::Kind::of(&put_again(&mut lcm, number)));
            seen += 1;
        }
    }
    assert!(seen > 0, "no process came to write anything");
}

/// The id of a content that must be in the store already.
fn put_again(lcm: &mut lcm::Lcm, number: u32) -> String {
    let before = files(lcm);
    let id = put(lcm, "s", &content(number));
    assert_eq!(files(lcm), before, "content {number} was lost");
    assert_eq!(lcm.read(&id, &agent("s")).unwrap(), content(number));
    id
}

fn files(lcm: &mut lcm::Lcm) -> usize {
    let mut count = 0;
    let counted = lcm.store().unwrap().export(|line| {
        count += usize::from(line["kind"] == "file");
        Ok(())
    });
    counted.unwrap();
    count
}
