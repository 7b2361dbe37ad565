//! Many at once on one database: no error, no lost row.

use std::{
    path::Path,
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use lcm::Profile;

use crate::support::{agent, at, put};

const WRITERS: usize = 8;
const READERS: usize = 32;

/// What was measured.
struct Measured {
    writes: Vec<Duration>,
    reads: Vec<Duration>,
}

/// Writes and reads for a while. Every read must give exactly what was written, and in the end
/// everything that was written must be there.
fn run(folder: &Path, time: Duration) -> Measured {
    drop(at(folder, Profile::Parity).store().map(|_| ()));
    let stored: Mutex<Vec<(String, Vec<u8>)>> = Mutex::default();
    let (writes, reads) = (Mutex::default(), Mutex::default());
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        for writer in 0..WRITERS {
            let (stored, writes, is_over) = (&stored, &writes, &is_over);
            scope.spawn(move || {
                let mut lcm = at(folder, Profile::Parity);
                let mut times = Vec::new();
                for number in 0.. {
                    if is_over.load(Ordering::Relaxed) {
                        break;
                    }
                    let content = format!("{writer} {number} \0 ").repeat(300).into_bytes();
                    let started = Instant::now();
                    let id = put(&mut lcm, "s", &content);
                    times.push(started.elapsed());
                    stored.lock().unwrap().push((id, content));
                }
                writes
                    .lock()
                    .map(|mut all: std::sync::MutexGuard<Vec<_>>| all.extend(times))
                    .unwrap();
            });
        }
        for reader in 0..READERS {
            let (stored, reads, is_over) = (&stored, &reads, &is_over);
            scope.spawn(move || {
                let mut lcm = at(folder, Profile::Parity);
                let mut random = fastrand::Rng::with_seed(reader as u64);
                let mut times = Vec::new();
                while !is_over.load(Ordering::Relaxed) {
                    let chosen = {
                        let stored = stored.lock().unwrap();
                        let one = random.usize(..stored.len().max(1));
                        stored.get(one).cloned()
                    };
                    let Some((id, content)) = chosen else { continue };
                    let started = Instant::now();
                    let read = lcm.read(&id, &agent("s")).unwrap();
                    times.push(started.elapsed());
                    assert_eq!(read, content);
                    thread::sleep(Duration::from_millis(1));
                }
                reads
                    .lock()
                    .map(|mut all: std::sync::MutexGuard<Vec<_>>| all.extend(times))
                    .unwrap();
            });
        }
        thread::sleep(time);
        is_over.store(true, Ordering::Relaxed);
    });
    let mut lcm = at(folder, Profile::Parity);
    for (id, content) in stored.into_inner().unwrap() {
        assert_eq!(lcm.read(&id, &agent("s")).unwrap(), content);
    }
    let report = lcm.store().unwrap().check();
    assert!(report.intact);
    let measured =
        Measured { writes: writes.into_inner().unwrap(), reads: reads.into_inner().unwrap() };
    assert_eq!(report.files.intact, measured.writes.len() as u64);
    measured
}

#[test]
fn eight_writers_and_thirty_two_readers_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let measured = run(folder.path(), Duration::from_secs(2));
    assert!(measured.writes.len() > WRITERS && measured.reads.len() > READERS);
}

#[test]
#[ignore = "takes a minute; prints latencies"]
fn for_a_minute() {
    let folder = tempfile::tempdir().unwrap();
    let Measured { writes, reads } = run(folder.path(), Duration::from_mins(1));
    for (what, mut times) in [("put", writes), ("read", reads)] {
        times.sort_unstable();
        let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
        println!(
            "{what}: {} in 60 s, p50 {:?}, p99 {:?}, largest {:?}",
            times.len(),
            at(0.5),
            at(0.99),
            at(1.0)
        );
    }
}

#[test]
fn many_make_one_store_at_the_same_time() {
    for _ in 0..5 {
        let folder = tempfile::tempdir().unwrap();
        thread::scope(|scope| {
            for number in 0..16 {
                let folder = folder.path();
                scope.spawn(move || {
                    let content = format!("content {number}").into_bytes();
                    put(&mut at(folder, Profile::Parity), "s", &content);
                });
            }
        });
        let report = at(folder.path(), Profile::Parity).store().unwrap().check();
        assert_eq!((report.intact, report.files.intact), (true, 16));
    }
}
