#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| explore_fuzz::explore_file("a.sqlite", bytes));
