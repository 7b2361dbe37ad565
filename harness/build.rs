//! Tells the compiler which protocol is in force, because the schemas of its formats are part of the program, and the
//! linker how to write the addresses that are set at each start.

fn main() {
    println!("cargo::rerun-if-changed=../protocols/current");
    // The grammars hold 293,000 pointers. As a bit map they take 65 KB instead of 7 MB, and each start reads them.
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux") {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
    println!("cargo::rustc-env=PROTOCOL={}", include_str!("../protocols/current").trim());
}
