//! The environment's interpreter: a script that starts the user's Python with the packages of the
//! locked wheels and nothing else.

use std::{io, path::Path};

/// What follows the line that names the user's Python.
const SCRIPT: &str = include_str!("launcher.py");
/// The longest first line of a script that every common kernel reads completely, in bytes.
const LONGEST_LINE: usize = 127;

/// The text of the launcher for the Python at `interpreter`.
///
/// `-I` is not among the flags because it would ignore `PYTHONHASHSEED`, which the driver sets. Its
/// other effects are not needed: the variables are ours, and the launcher sets the path.
///
/// # Errors
/// The path of the interpreter cannot be used in the first line of a script.
pub(super) fn text(interpreter: &Path) -> io::Result<String> {
    let line = format!("#!{} -S", interpreter.display());
    let path = interpreter.to_str().filter(|path| !path.contains(char::is_whitespace));
    if path.is_none() || !interpreter.is_absolute() || line.len() > LONGEST_LINE {
        let why = "its path has spaces, is relative or too long to start a script with";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    }
    Ok(format!("{line}\n{SCRIPT}"))
}
