//! Generates the rows of languages from `queries/<key>/language.toml`: which explorer looks at a file,
//! and which visitor and grammar it has.

use std::{env, error::Error, fmt::Write as _, fs, path::PathBuf};

use languages::Table;

fn main() -> Result<(), Box<dyn Error>> {
    let queries = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("../../queries");
    println!("cargo:rerun-if-changed={}", queries.display());
    let table = Table::read(&queries)?;
    let (mut dispatch, mut languages) = (String::new(), String::from("&[\n"));
    for (key, row) in table.explored() {
        writeln!(dispatch, "[[explorers]]\nid = {key:?}\nfamily = \"code\"")?;
        for (field, values) in [
            ("extensions", &row.extensions),
            ("file_names", &row.file_names),
            ("interpreters", &row.interpreters),
            ("mime", &row.mime),
        ] {
            writeln!(dispatch, "{field} = {values:?}")?;
        }
        let (name, visitor) = (&row.name, &row.visitor);
        writeln!(languages, "    row({key:?}, {name:?}, {key:?}, || Box::new({visitor})),")?;
    }
    languages.push_str("]\n");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out.join("explorers.toml"), dispatch)?;
    fs::write(out.join("languages.rs"), languages)?;
    Ok(())
}
