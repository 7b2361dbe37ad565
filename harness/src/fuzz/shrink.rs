//! Shrinks a repository on which both sides differ: to one question first, then its files, the rest of
//! the question, its lines, and its characters.

use std::collections::BTreeSet;

use record::{Case, View};

use super::{Difference, Drawn, edit, reduce::reduce};
use crate::corpus::GitState;

/// A file up to this size is also shrunk character by character.
const SHORT: usize = 240;

/// The smallest repository found for which `differs` is still true. `first` is the difference found on
/// `drawn`. To limit the work, `differs` may return false from some point on.
///
/// # Errors
/// An error of `differs`.
pub fn shrink<E>(
    drawn: &Drawn,
    first: &Difference,
    differs: &mut dyn FnMut(&Drawn) -> Result<bool, E>,
) -> Result<Drawn, E> {
    let mut small = drawn.clone();
    let case = drawn.cases().iter().find(|case| case.id == first.case).cloned();
    let one = drawn.asked(case.into_iter().collect(), vec![first.budget]);
    if differs(&one)? {
        small = one;
    }
    small = files(&small, differs)?;
    small = question(small, differs)?;
    small = texts(small, differs)?;
    // Shorter files may need fewer other files.
    files(&small, differs)
}

type Differs<'a, E> = dyn FnMut(&Drawn) -> Result<bool, E> + 'a;

fn files<E>(drawn: &Drawn, differs: &mut Differs<'_, E>) -> Result<Drawn, E> {
    let paths: Vec<String> = drawn.files.keys().cloned().collect();
    let kept = reduce(paths, &mut |paths: &[String]| {
        differs(&drawn.with_files(&paths.iter().cloned().collect()))
    })?;
    Ok(drawn.with_files(&kept.into_iter().collect::<BTreeSet<_>>()))
}

/// Removes state of the repository, parts of the view, and parts of the question.
fn question<E>(drawn: Drawn, differs: &mut Differs<'_, E>) -> Result<Drawn, E> {
    let mut small = drawn;
    let mut plain = small.clone();
    plain.description.git = GitState::default();
    plain.description.view = View::default();
    small = kept(small, plain, differs)?;
    let mut plain = small.clone();
    plain.description.view = View::default();
    small = kept(small, plain, differs)?;
    let mut plain = small.clone();
    plain.description.git = GitState::default();
    small = kept(small, plain, differs)?;
    for at in 0..small.cases().len() {
        let Some(case) = small.cases().get(at).cloned() else { continue };
        let with = |small: &Drawn, case: Case| {
            let mut other = small.clone();
            if let Some(place) = other.description.cases.get_mut(at) {
                *place = case;
            }
            other
        };
        let words = case.message.split_inclusive(char::is_whitespace).map(str::to_owned).collect();
        let message = reduce(words, &mut |words: &[String]| {
            differs(&with(&small, Case { message: words.concat(), ..case.clone() }))
        })?
        .concat();
        let case = Case { message, ..case };
        let chat_files = reduce(case.chat_files.clone(), &mut |files: &[String]| {
            differs(&with(&small, Case { chat_files: files.to_vec(), ..case.clone() }))
        })?;
        let case = Case { chat_files, ..case };
        let read_only_files = reduce(case.read_only_files.clone(), &mut |files: &[String]| {
            differs(&with(&small, Case { read_only_files: files.to_vec(), ..case.clone() }))
        })?;
        let other = with(&small, Case { read_only_files, ..case });
        small = kept(small, other, differs)?;
    }
    Ok(small)
}

/// Removes lines of each file, then characters.
fn texts<E>(drawn: Drawn, differs: &mut Differs<'_, E>) -> Result<Drawn, E> {
    let mut small = drawn;
    let paths: Vec<String> = small.files.keys().cloned().collect();
    for path in &paths {
        let text = small.files.get(path).cloned().unwrap_or_default();
        let lines: Vec<Vec<u8>> = edit::lines(&text).into_iter().map(<[u8]>::to_vec).collect();
        let lines = reduce(lines, &mut |lines: &[Vec<u8>]| {
            differs(&small.with_text(path, lines.concat()))
        })?;
        small = small.with_text(path, lines.concat());
    }
    for path in &paths {
        let text = small.files.get(path).cloned().unwrap_or_default();
        let Ok(text) = String::from_utf8(text) else { continue };
        if text.len() > SHORT {
            continue;
        }
        let kept = reduce(text.chars().collect(), &mut |chars: &[char]| {
            differs(&small.with_text(path, chars.iter().collect::<String>().into_bytes()))
        })?;
        small = small.with_text(path, kept.into_iter().collect::<String>().into_bytes());
    }
    Ok(small)
}

fn kept<E>(small: Drawn, other: Drawn, differs: &mut Differs<'_, E>) -> Result<Drawn, E> {
    Ok(if differs(&other)? { other } else { small })
}
