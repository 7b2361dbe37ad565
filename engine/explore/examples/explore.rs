//! Prints what is in files: `cargo run -p explore --example explore -- [--parity] [--json] [--budget=TOKENS] FILE...`
//!
//! It does what `parity explore` does, without starting anew after a parser that crashes.

use std::{error::Error, path::Path};

use explore::{Input, Options, Profile, Project, explore, unreadable};

fn main() -> Result<(), Box<dyn Error>> {
    let (mut profile, mut json, mut root, mut first) = (Profile::Enhancement, false, None, true);
    let mut budget = None;
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--parity" => profile = Profile::Parity,
            "--json" => json = true,
            _ if argument.starts_with("--budget=") => {
                budget = argument.strip_prefix("--budget=").map(str::parse).transpose()?;
            }
            _ if argument.starts_with("--root=") => {
                root = argument.strip_prefix("--root=").map(|root| Project::at(Path::new(root)));
            }
            file => {
                let around;
                let project = if let Some(project) = &root {
                    project
                } else {
                    around = Project::around(Path::new(file));
                    &around
                };
                let found = match Input::open(file, Path::new(file)) {
                    Ok(input) => {
                        explore(&input, project, Options { budget, ..Options::from(profile) })
                    }
                    Err(error) => unreadable(file, &error),
                };
                if json {
                    println!("{}", serde_json::to_string(&found)?);
                } else {
                    if !first {
                        println!();
                    }
                    println!("{}", found.summary);
                }
                first = false;
            }
        }
    }
    Ok(())
}
