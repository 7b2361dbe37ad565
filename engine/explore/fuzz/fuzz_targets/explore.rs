#![no_main]

use std::sync::LazyLock;

use explore_fuzz::{explore_as, named, varieties};

/// The name of the files that are explored: `PARITY_FUZZ_VARIETY` says of which variety they are.
static NAME: LazyLock<&str> = LazyLock::new(|| {
    let variety = std::env::var("PARITY_FUZZ_VARIETY").unwrap_or_default();
    let varieties = varieties();
    varieties.get(variety.as_str()).copied().unwrap_or_else(|| {
        let known: Vec<&str> = varieties.keys().copied().collect();
        panic!("PARITY_FUZZ_VARIETY is {variety:?}, none of {}", known.join(", "))
    })
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Some((name, bytes)) = named(*NAME, bytes) {
        explore_as(&name, bytes);
    }
});
