//! Mutations of the seeds: the same thousands of inputs in every run, on a stable compiler. With
//! `PARITY_FUZZ_SECONDS` the search goes on for so long, with inputs made from the number in
//! `PARITY_FUZZ_START`. The fuzz target beside this crate searches on from the same seeds, guided by
//! coverage.

#![allow(clippy::disallowed_methods, reason = "a test reads its own files")]

#[path = "../fuzz/src/lib.rs"]
mod invariants;

use std::{
    collections::BTreeSet,
    fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use crate::support::seeds;

/// Inputs made of each seed, unless `PARITY_FUZZ_ROUNDS` says otherwise.
const ROUNDS: u64 = 100;
/// No input of a few hundred bytes may take longer.
const SLOWEST: Duration = Duration::from_secs(20);
/// A mutated input grows no longer than this, in bytes.
const LONGEST: usize = 16 * 1024;

/// Pieces that mean something in many formats.
const PIECES: &[&[u8]] = &[
    b"(",
    b")",
    b"[",
    b"]",
    b"{",
    b"}",
    b"<",
    b">",
    b"\"",
    b"'",
    b"`",
    b"/*",
    b"*/",
    b"//",
    b"#",
    b"--",
    b"\n",
    b"\r\n",
    b"\r",
    b"\t",
    b"\0",
    b"\\",
    b"\\\n",
    b"${",
    b"<?",
    b"<![CDATA[",
    b"&a;",
    b"end\n",
    b"if ",
    b"class ",
    b"=",
    b":",
    b",",
    b";",
    b"\xff",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\xe2\x80\xa8",
    b"\xf0\x9f\x98\x80",
    b"0",
    b"-1",
    b"1e999",
    b"99999999999999999999",
    b"\x7f\xff\xff\xff",
    b"\xff\xff\xff\xff",
    b"... and 3 more",
    b"[SAMPLED",
    b"---\n",
    b"|\n",
];

/// A small generator of numbers (splitmix64, after Steele, Lea and Flood, 2014).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below a limit, or zero.
    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}

/// Changes a text at a few places.
fn mutate(numbers: &mut Numbers, seed: &[u8]) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..=numbers.below(6) {
        let at = numbers.below(bytes.len() + 1);
        let end = (at + numbers.below(40)).min(bytes.len());
        match numbers.below(8) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..end)),
            2 => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << numbers.below(8);
                }
            }
            3 => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = numbers.next() as u8;
                }
            }
            4 => {
                let piece = bytes[at..end].repeat(1 + numbers.below(60));
                drop(bytes.splice(at..at, piece));
            }
            5 => {
                let from = numbers.below(seed.len() + 1);
                let to = (from + numbers.below(80)).min(seed.len());
                drop(bytes.splice(at..end, seed[from..to].iter().copied()));
            }
            _ => {
                let piece = PIECES[numbers.below(PIECES.len())].repeat(1 + numbers.below(4));
                drop(bytes.splice(at..at, piece));
            }
        }
        bytes.truncate(LONGEST);
    }
    bytes
}

/// Ends the process if it is not dropped in time: a parser that hangs would never return, and nobody
/// would know on which input.
struct Late {
    _done: mpsc::Sender<()>,
}

impl Late {
    fn watch(name: &str, bytes: &[u8]) -> Self {
        let (sender, receiver) = mpsc::channel();
        let (name, bytes) = (name.to_owned(), bytes.to_owned());
        thread::spawn(move || {
            if receiver.recv_timeout(SLOWEST) == Err(mpsc::RecvTimeoutError::Timeout) {
                let text = String::from_utf8_lossy(&bytes);
                eprintln!("{name}: not done after {SLOWEST:?}: {text:?}");
                std::process::exit(1);
            }
        });
        Self { _done: sender }
    }
}

#[test]
fn every_explorer_has_a_seed() {
    let used: BTreeSet<String> = seeds()
        .iter()
        .map(|seed| {
            let input = explore::Input::memory(&seed.name, &seed.bytes);
            let profile = explore::Profile::Parity;
            explore::explore(&input, &explore::Project::default(), profile).explorer_used
        })
        .collect();
    let all = explore::dispatch::explorers().iter().map(|one| one.id.clone()).collect();
    assert_eq!(used, all);
}

#[test]
fn every_variety_has_seeds_and_all_seeds_a_variety() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds");
    let folders: BTreeSet<String> = fs::read_dir(&root)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let varieties = invariants::varieties();
    assert_eq!(folders, varieties.keys().map(|&name| name.to_owned()).collect());
    let mut files = 0;
    for folder in folders {
        let own = fs::read_dir(root.join(&folder)).unwrap().count();
        assert!(own > 0, "{folder} has no seed");
        files += own;
    }
    assert_eq!(seeds().len(), files);
    for seed in seeds().iter().filter(|seed| !varieties.values().any(|name| *name == seed.name)) {
        let bytes = [seed.name.as_bytes(), b"\n", &seed.bytes].concat();
        let (name, text) = invariants::named("", &bytes).unwrap();
        assert_eq!((&name, text), (&seed.name, &seed.bytes[..]));
    }
}

#[test]
fn seeds_that_are_mutated_break_nothing() {
    let number = |name| std::env::var(name).ok().map(|number| number.parse::<u64>().unwrap());
    let rounds = number("PARITY_FUZZ_ROUNDS").unwrap_or(ROUNDS);
    let base = number("PARITY_FUZZ_START").unwrap_or(0).rotate_left(20);
    let seeds = seeds();
    // Each seed has the same share of the time that is given.
    let seconds = number("PARITY_FUZZ_SECONDS").unwrap_or(0);
    let share = Duration::from_secs(seconds) / seeds.len().max(1) as u32;
    let mut inputs = 0;
    let mut slowest = (Duration::ZERO, String::new());
    let mut failures = Vec::new();
    for (index, seed) in seeds.iter().enumerate() {
        let begin = Instant::now();
        for round in (0..).take_while(|round| *round < rounds || begin.elapsed() < share) {
            inputs += 1;
            let mut numbers = Numbers(base ^ ((index as u64) << 32 | round));
            let bytes =
                if round == 0 { seed.bytes.clone() } else { mutate(&mut numbers, &seed.bytes) };
            let start = Instant::now();
            let _late = Late::watch(&seed.name, &bytes);
            let look = || invariants::explore_as(&seed.name, &bytes);
            if catch_unwind(AssertUnwindSafe(look)).is_err() {
                let text = String::from_utf8_lossy(&bytes).into_owned();
                failures.push(format!("{} {base} {index} {round}: {text:?}", seed.name));
                break;
            }
            let took = start.elapsed();
            if took > slowest.0 {
                slowest = (took, format!("{} {index} {round}", seed.name));
            }
        }
    }
    println!("{inputs} inputs, slowest: {slowest:?}");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(slowest.0 < SLOWEST, "{slowest:?}");
}
