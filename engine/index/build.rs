//! Takes the digest of the code that extracts, so that the results of other code are never mistaken for
//! results of this code, and embeds the queries of names and scopes.

use std::{
    env,
    error::Error,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use sha2::{Digest as _, Sha256};

/// The code that makes tags and facts: folders and files relative to `engine/`.
const TAGS: [&str; 8] = [
    "base/src/guard",
    "base/src/text/read.rs",
    "index/src/codec.rs",
    "map/src/enhancement/statements.rs",
    "map/src/facts.rs",
    "map/src/language",
    "map/src/syntax",
    "pygments/src",
];
/// The code that makes symbols.
const SYMBOLS: [&str; 5] = [
    "base/src/guard",
    "base/src/text/read.rs",
    "index/src/codec.rs",
    "index/src/symbols",
    "map/src/language/embedded.rs",
];
/// The code that makes maps, and the versions of the libraries that it uses.
const MAPS: [&str; 15] = [
    "../Cargo.lock",
    "../protocols/current",
    "../queries",
    "base/build.rs",
    "base/src",
    "explore/build.rs",
    "explore/src",
    "languages/src",
    "map/build.rs",
    "map/src",
    "pygments/src",
    "tokenizer/build.rs",
    "tokenizer/src",
    "vocabulary/build.rs",
    "vocabulary/src",
];
/// The code that makes chunks and their terms.
const CHUNKS: [&str; 8] = [
    "base/src",
    "explore/src",
    "index/src/codec.rs",
    "../queries",
    "semantic/src",
    "search/src/level.rs",
    "search/src/row",
    "search/src/terms.rs",
];

fn main() -> Result<(), Box<dyn Error>> {
    let engine = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("..").canonicalize()?;
    let mut code = String::new();
    writeln!(code, "const TAGS_CODE: &str = \"{}\";", digest(&engine, &TAGS)?)?;
    writeln!(code, "const SYMBOLS_CODE: &str = \"{}\";", digest(&engine, &SYMBOLS)?)?;
    writeln!(code, "const MAPS_CODE: &str = \"{}\";", digest(&engine, &MAPS)?)?;
    writeln!(code, "const CHUNKS_CODE: &str = \"{}\";", digest(&engine, &CHUNKS)?)?;
    fs::write(PathBuf::from(env::var("OUT_DIR")?).join("code.rs"), code)?;
    let queries = engine.join("../queries").canonicalize()?;
    println!("cargo:rerun-if-changed={}", queries.display());
    let mut rows = String::from("static LOCALS: &[(&str, &str)] = &[\n");
    for key in names(&queries)? {
        let query = queries.join(&key).join("locals.scm");
        if query.is_file() {
            writeln!(rows, "    ({key:?}, {:?}),", inherited(&queries, &query)?)?;
        }
    }
    rows.push_str("];\n");
    fs::write(PathBuf::from(env::var("OUT_DIR")?).join("locals.rs"), rows)?;
    Ok(())
}

/// The text of a query, after that of the query that its first line says it inherits.
fn inherited(queries: &Path, query: &Path) -> Result<String, Box<dyn Error>> {
    #[expect(clippy::disallowed_methods, reason = "a build script reads the checkout")]
    let mut text = fs::read_to_string(query)?;
    let other = text.lines().next().and_then(|line| line.strip_prefix("; inherits: "));
    if let Some(other) = other.map(|other| queries.join(other)) {
        text.insert_str(0, &inherited(queries, &other)?);
    }
    Ok(text)
}

/// The digest of all files below some places, in order of their paths.
fn digest(engine: &Path, places: &[&str]) -> Result<String, Box<dyn Error>> {
    let mut hasher = Sha256::new();
    for place in places {
        println!("cargo:rerun-if-changed={}", engine.join(place).display());
        let mut open = vec![(*place).to_owned()];
        let mut files = Vec::new();
        while let Some(path) = open.pop() {
            if engine.join(&path).is_dir() {
                open.extend(
                    names(&engine.join(&path))?.iter().map(|name| format!("{path}/{name}")),
                );
            } else {
                files.push(path);
            }
        }
        files.sort_unstable();
        for file in files {
            #[expect(clippy::disallowed_methods, reason = "a build script reads the checkout")]
            let bytes = fs::read(engine.join(&file))?;
            hasher.update(format!("{file} {}\n", bytes.len()));
            hasher.update(bytes);
        }
    }
    Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// What is in a folder, sorted.
fn names(folder: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort_unstable();
    Ok(names)
}
