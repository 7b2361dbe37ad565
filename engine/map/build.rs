//! Embeds the languages that have a tag query, with their queries.

use std::{
    env,
    error::Error,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use languages::{Embedded, Profile, Table, Tags};

fn main() -> Result<(), Box<dyn Error>> {
    let queries = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("../../queries");
    let queries = queries
        .canonicalize()
        .map_err(|error| format!("the queries folder {} is missing: {error}", queries.display()))?;
    println!("cargo:rerun-if-changed={}", queries.display());
    let texts = Table::texts(&queries)?;
    let table = Table::parse(&texts)?;
    let mut code = format!("static LANGUAGES: [Language; {}] = [\n", table.tagged().count());
    for (key, tags) in table.tagged() {
        code.push_str(&row(&queries, key, tags)?);
    }
    code.push_str("];\n");
    writeln!(code, "static PARTED: [Parted; {}] = [", table.parted().count())?;
    for (key, parts) in table.parted() {
        writeln!(
            code,
            "    Parted {{ key: {key:?}, extensions: &{:?}, stems: &{:?}, words: &{:?} }},",
            parts.extensions, parts.stems, parts.words
        )?;
    }
    code.push_str("];\n");
    writeln!(
        code,
        "static SHADOWED_FILE_NAMES: &[&str] = &{:?};",
        table.comparator.shadowed_file_names
    )?;
    code.push_str("static SOURCES: &[(&str, &str)] = &[\n");
    for file in texts.keys() {
        let path = queries.join(file).display().to_string();
        writeln!(code, "    ({file:?}, include_str!({path:?})),")?;
    }
    code.push_str("];\n");
    fs::write(PathBuf::from(env::var("OUT_DIR")?).join("languages.rs"), code)?;
    Ok(())
}

/// One language as a Rust value.
fn row(queries: &Path, key: &str, tags: &Tags) -> Result<String, Box<dyn Error>> {
    let query = queries.join(tags.query_file(key));
    if !query.is_file() {
        return Err(format!(
            "{} is missing: queries/{key}/language.toml has [tags]",
            query.display()
        )
        .into());
    }
    let query = query.display().to_string();
    let profile = match tags.profile {
        Profile::Parity => "Parity",
        Profile::Enhancement => "Enhancement",
    };
    let embedded = match tags.embedded {
        None => "None",
        Some(Embedded::Scripts) => "Some(Embedded::Scripts)",
        Some(Embedded::FrontMatter) => "Some(Embedded::FrontMatter)",
    };
    Ok(format!(
        "    Language {{
        key: {key:?},
        query: include_str!({query:?}),
        query_file: {:?},
        grammar: {:?},
        extensions: &{:?},
        file_names: &{:?},
        enhancement_extensions: &{:?},
        enhancement_file_names: &{:?},
        embedded: {embedded},
        profile: Profile::{profile},
        compiled: QueryCell::new(),
    }},\n",
        tags.query_file(key),
        tags.grammar_of(key),
        tags.extensions,
        tags.file_names,
        tags.enhancement_extensions,
        tags.enhancement_file_names,
    ))
}
