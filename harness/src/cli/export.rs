//! `parity index export`: the index in a format that other programs read.

use std::{
    io::{self, BufWriter, Write as _},
    path::{Path, PathBuf},
};

use clap::Args;
use export::Exported;
use index::{Settings, nav::Navigator};
use record::exit;

use crate::{
    Failure,
    console::{Bar, talk},
};

/// Which file to write, and in which format.
#[derive(Debug, Args)]
pub struct Export {
    /// Write a SCIP index, which code browsers and editors load.
    #[arg(long, required = true)]
    scip: bool,
    /// The file to write; it is replaced once all is written.
    #[arg(long, short, value_name = "FILE", default_value = "index.scip")]
    output: PathBuf,
    /// The address of the project that the file names [default: file:// and its folder].
    #[arg(long, value_name = "URI")]
    project_root: Option<String>,
}

impl Export {
    /// Writes the file. Returns what is in it, also in words.
    pub fn write(self, settings: Settings, repo: &Path) -> Result<(Exported, String), Failure> {
        let mut navigator = Navigator::open(repo, settings)
            .map_err(|error| Failure::new(exit::SETUP, error.to_string()))?;
        let project_root = self.project_root.unwrap_or_else(|| address(navigator.root()));
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let settings = export::Settings { project_root, version };
        let bar = Bar::spinner().named("export");
        let tell = |done, all| bar.say(&format!("{done} of {all} files written"));
        let mut exported = Exported::default();
        record::atomic::stream(&self.output, &mut |file| {
            let mut out = BufWriter::new(file);
            exported = export::scip(&mut navigator, &settings, &mut out, &tell)
                .map_err(io::Error::other)?;
            out.flush()
        })
        .map_err(|error| {
            let why = format!("{} cannot be written: {error}", self.output.display());
            Failure::new(exit::IO, why)
        })?;
        bar.clear();
        navigator.notice().into_iter().for_each(talk);
        Ok((exported, said(&exported, &self.output)))
    }
}

fn said(exported: &Exported, output: &Path) -> String {
    let Exported { documents, occurrences, symbols, external, unresolved, left_out } = exported;
    format!(
        "{}: {documents} files, {occurrences} occurrences, {symbols} symbols\n\
         left out: {external} names from outside, {unresolved} names of unknown meaning, {left_out} files",
        output.display()
    )
}

/// The address of a folder. Bytes other than plain characters of a path are escaped.
fn address(folder: &Path) -> String {
    let escape = |byte: &u8| match byte {
        b'/' | b'-' | b'.' | b'_' | b'~' => char::from(*byte).to_string(),
        byte if byte.is_ascii_alphanumeric() => char::from(*byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    let path: String = folder.as_os_str().as_encoded_bytes().iter().map(escape).collect();
    format!("file://{path}")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::address;

    #[test]
    fn addresses_escape_what_a_path_may_hold() {
        assert_eq!(address(Path::new("/a b/é.c")), "file:///a%20b/%C3%A9.c");
    }
}
