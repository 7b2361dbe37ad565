//! Embeds the tag queries and the language manifest into the crate.

use std::{env, fmt::Write as _, fs, path::PathBuf};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let queries = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("../../queries");
    let queries = queries
        .canonicalize()
        .map_err(|error| format!("the queries folder {} is missing: {error}", queries.display()))?;
    println!("cargo:rerun-if-changed={}", queries.display());
    let mut files: Vec<_> = fs::read_dir(&queries)?.collect::<Result<_, _>>()?;
    files.sort_by_key(fs::DirEntry::file_name);
    let mut table = String::from(
        "/// Query texts by file name, sorted.\npub static QUERIES: &[(&str, &str)] = &[\n",
    );
    for file in files {
        let name = file.file_name().into_string().map_err(|_| "a query name is not UTF-8")?;
        if file.path().extension().is_some_and(|extension| extension == "scm") {
            println!("cargo:rerun-if-changed={}", file.path().display());
            let path = file.path().display().to_string();
            writeln!(table, "    ({name:?}, include_str!({path:?})),")?;
        }
    }
    table.push_str("];\n");
    let manifest = queries.join("languages.json");
    println!("cargo:rerun-if-changed={}", manifest.display());
    let manifest = manifest.display().to_string();
    writeln!(
        table,
        "/// The language manifest.
pub static MANIFEST: &str = include_str!({manifest:?});"
    )?;
    fs::write(PathBuf::from(env::var("OUT_DIR")?).join("queries.rs"), table)?;
    Ok(())
}
