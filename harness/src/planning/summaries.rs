//! Plans the summaries of gate U1: the files that questions are about.

use record::{Digest, exit};
use verdict::gate::Questions;

use crate::{Failure, corpus::Materialised};

/// The files of a corpus that questions are about, sorted. Each must be the one that was asked about.
///
/// # Errors
/// A file is missing or another one.
pub(super) fn of(questions: &Questions, corpus: &Materialised) -> Result<Vec<String>, Failure> {
    let files = questions.files();
    let Some(files) = files.get(corpus.name.as_str()) else { return Ok(Vec::new()) };
    let checked = files.iter().map(|(file, sha256)| {
        let path = corpus.path.join(file);
        let found = Digest::of_file(&path)
            .map_err(|error| Failure::new(exit::IO, format!("{}: {error}", path.display())))?;
        if found != **sha256 {
            let why =
                format!("{} is not the file that questions were written about", path.display());
            return Err(Failure::new(exit::DIGEST, why));
        }
        Ok((*file).to_owned())
    });
    checked.collect()
}
