//! Generates the rows of languages from `queries/<key>/language.toml`: which explorer looks at a file,
//! which visitor and grammar it has, and the modules that the visitors are in.

use std::{
    collections::BTreeSet,
    env,
    error::Error,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use languages::Table;

fn main() -> Result<(), Box<dyn Error>> {
    let home = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let queries = home.join("../../queries");
    println!("cargo:rerun-if-changed={}", queries.display());
    let table = Table::read(&queries)?;
    let (mut dispatch, mut languages) = (String::new(), String::from("&[\n"));
    let mut modules = BTreeSet::new();
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
        let (borrow, path) =
            row.visitor.strip_prefix('&').map_or(("", &*row.visitor), |of| ("&", of));
        let module = path.split("::").next().unwrap_or(path);
        modules.insert(module);
        let name = &row.name;
        let visitor = format!("{borrow}super::{path}");
        writeln!(languages, "    row({key:?}, {name:?}, {key:?}, || Box::new({visitor})),")?;
    }
    languages.push_str("]\n");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out.join("explorers.toml"), dispatch)?;
    fs::write(out.join("languages.rs"), languages)?;
    fs::write(out.join("visitors.rs"), declared(&home.join("src/code"), &modules)?)?;
    Ok(())
}

/// A declaration of each module, with the file that it is in.
fn declared(code: &Path, modules: &BTreeSet<&str>) -> Result<String, Box<dyn Error>> {
    let mut declared = String::new();
    for module in modules {
        let files = [code.join(format!("{module}.rs")), code.join(module).join("mod.rs")];
        let file = files.iter().find(|file| file.is_file());
        let file = file.ok_or_else(|| {
            format!(
                "{} is missing: a language.toml names the visitor of `{module}`",
                files[0].display()
            )
        })?;
        writeln!(declared, "#[path = {:?}]\nmod {module};", file.display().to_string())?;
    }
    Ok(declared)
}
