#![no_main]

use explore::dispatch::{Family, explorers};

// The first byte chooses the language.
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((first, rest)) = bytes.split_first() else { return };
    let names: Vec<_> = explorers()
        .iter()
        .filter(|explorer| explorer.family == Family::Code)
        .filter_map(|explorer| explorer.extensions.first())
        .collect();
    if let Some(extension) = names.get(usize::from(*first) % names.len()) {
        explore_fuzz::explore_as(&format!("a.{extension}"), rest);
    }
});
