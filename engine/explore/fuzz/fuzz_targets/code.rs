#![no_main]

// The first line is the name of the file, which chooses the language.
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some(end) = bytes.iter().position(|byte| *byte == b'\n') else { return };
    let (name, text) = bytes.split_at(end);
    explore_fuzz::explore_as(&String::from_utf8_lossy(name), &text[1..]);
});
