//! Compiles the unpacked grammars into the static archive `grammars`.

use std::{
    env, fs,
    path::{Path, PathBuf},
    sync::Mutex,
    thread,
};

use crate::unpack::Unpacked;

/// Why the archive cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    #[error("compiling the {key} grammar failed: {error}")]
    Grammar { key: String, error: cc::Error },
    #[error(
        "compiling engine/grammars/shim failed: {error}\nif no C compiler was found, install one: on Debian and Ubuntu `apt-get install gcc libc6-dev`, on macOS `xcode-select --install`"
    )]
    Shim { error: cc::Error },
    #[error("writing the archive of all grammars failed: {error}; is there room for 150 MB?")]
    Library { error: cc::Error },
    #[error("a compiling thread stopped early; build again")]
    Interrupted,
}

/// Compiles the shim and returns its object.
///
/// This comes before the first download: it takes no time and shows whether there is a C
/// compiler that works.
pub fn compile_shim(shim: &Path, out: &Path) -> Result<Vec<PathBuf>, CompileError> {
    let mut build = settings(shim, out);
    build.file(shim.join("wide_char.c"));
    build.try_compile_intermediates().map_err(|error| CompileError::Shim { error })
}

/// Compiles all grammars, `NUM_JOBS` at a time, and links them with the `objects` of the shim.
pub fn compile(
    grammars: &[Unpacked],
    mut objects: Vec<PathBuf>,
    shim: &Path,
    out: &Path,
) -> Result<(), CompileError> {
    // The largest first: a large one that starts last would leave the other processors idle.
    let mut queue: Vec<_> = grammars.iter().collect();
    queue.sort_by_key(|unpacked| (unpacked.parser_length, &unpacked.key));
    let queue = Mutex::new(queue);
    let work = || {
        let mut objects = Vec::new();
        // The lock is free again before a compilation starts.
        let next = || queue.lock().ok().and_then(|mut queue| queue.pop());
        while let Some(grammar) = next() {
            objects.extend(compile_grammar(grammar, shim, out)?);
        }
        Ok(objects)
    };
    let workers: usize = env::var("NUM_JOBS").ok().and_then(|jobs| jobs.parse().ok()).unwrap_or(1);
    thread::scope(|scope| {
        let handles: Vec<_> = (0..workers.max(1)).map(|_| scope.spawn(work)).collect();
        for handle in handles {
            objects.extend(handle.join().map_err(|_| CompileError::Interrupted)??);
        }
        Ok::<_, CompileError>(())
    })?;

    let mut library = settings(shim, out);
    library.objects(&objects);
    library.try_compile("grammars").map_err(|error| CompileError::Library { error })?;
    for object in objects {
        // The archive holds a copy; a leftover only takes space.
        let _ = fs::remove_file(object);
    }
    Ok(())
}

/// Tells cargo to link what was compiled. It is left out of the crate's own archive, which would be
/// a second copy of all parse tables.
pub fn link(out: &Path) {
    println!("cargo::rustc-link-search=native={}", out.display());
    println!("cargo::rustc-link-lib=static:-bundle=grammars");
}

fn compile_grammar(
    grammar: &Unpacked,
    shim: &Path,
    out: &Path,
) -> Result<Vec<PathBuf>, CompileError> {
    let source = grammar.folder.join("src");
    let mut build = settings(shim, out);
    build.include(&source).file(source.join("parser.c"));
    // A scanner that is unsafe as it is gets compiled as part of a file of ours that includes it.
    let around = shim.join(format!("{}_scanner.c", grammar.key));
    let scanner = source.join("scanner.c");
    if around.exists() {
        build.file(around);
    } else if scanner.exists() {
        build.file(scanner);
    }
    for name in &grammar.grammar.defines {
        build.define(name, None);
    }
    // Every source gets the shim. A parser calls nothing that it replaces.
    build.flag("-include").flag(shim.join("wide_char.h"));
    let key = grammar.key.clone();
    build.try_compile_intermediates().map_err(|error| CompileError::Grammar { key, error })
}

/// The settings of all sources. The Python wheels that the comparator loads are built with `NDEBUG`
/// too: without it, a failed assertion of a scanner ends the process; with it, there is a tree. Parse
/// tables are data, so more optimisation would only take longer.
fn settings(shim: &Path, out: &Path) -> cc::Build {
    let mut build = cc::Build::new();
    build
        .std("c11")
        .opt_level(1)
        .debug(false)
        .warnings(false)
        .flag_if_supported("-w")
        .flag("-fvisibility=hidden")
        .define("NDEBUG", None)
        .include(shim)
        .out_dir(out)
        .cargo_metadata(false);
    build
}
