//! Tells the compiler which protocol is in force: the schemas of its formats are part of the program.

fn main() {
    println!("cargo::rerun-if-changed=../protocols/current");
    println!("cargo::rustc-env=PROTOCOL={}", include_str!("../protocols/current").trim());
}
