//! Tells the compiler which protocol is in force: the paths of its files are constants.

fn main() {
    println!("cargo::rerun-if-changed=../../protocols/current");
    println!("cargo::rustc-env=PROTOCOL={}", include_str!("../../protocols/current").trim());
}
