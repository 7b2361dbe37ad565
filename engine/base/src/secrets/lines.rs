//! The lines of a file that is shown as it is.

use std::borrow::Cow;

use super::{
    MASK, names,
    text::{self, Values},
    values,
};

/// The lines of a file with the secrets in them masked: one for each line, in order.
pub fn masked<'a>(file: &str, text: &'a str, values: Values) -> Vec<Cow<'a, str>> {
    let kind = Kind::of(file);
    let shown = match text::masked(text, values) {
        Cow::Borrowed(text) => text.lines().map(Cow::Borrowed).collect::<Vec<_>>(),
        Cow::Owned(text) => text.lines().map(|line| Cow::Owned(line.to_owned())).collect(),
    };
    shown.into_iter().map(|line| kind.masked(line)).collect()
}

/// Files whose layout says which part of a line is secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Settings, as names and values: the value of a secret's name is masked, whatever it looks
    /// like.
    Settings,
    /// `.netrc`: what follows the word `password`.
    Netrc,
    /// `.pgpass`: the fifth field.
    Pgpass,
    /// `.htpasswd` and `shadow`: the second field.
    Htpasswd,
    /// Any other file.
    Other,
}

impl Kind {
    fn of(file: &str) -> Self {
        let name = file.rsplit('/').next().unwrap_or(file).to_lowercase();
        let folder = |name: &str| file.split('/').rev().skip(1).any(|part| part == name);
        match name.as_str() {
            ".netrc" | "_netrc" | ".authinfo" | "netrc" => Self::Netrc,
            ".pgpass" | "pgpass.conf" => Self::Pgpass,
            ".htpasswd" | "htpasswd" | "shadow" => Self::Htpasswd,
            "credentials" | ".npmrc" | ".pypirc" | ".s3cfg" | ".boto" | ".my.cnf" | ".envrc" => {
                Self::Settings
            }
            _ if folder(".aws") || name == ".env" || name.starts_with(".env.") => Self::Settings,
            _ if name.ends_with(".env") || name.ends_with(".properties") => Self::Settings,
            _ => Self::Other,
        }
    }

    fn masked(self, line: Cow<'_, str>) -> Cow<'_, str> {
        let part = |count: usize| {
            let mut parts: Vec<&str> = line.splitn(count + 1, ':').collect();
            let secret = parts.get_mut(count)?;
            *secret = MASK;
            Some(parts.join(":"))
        };
        let shown = match self {
            Self::Other => None,
            Self::Settings => line.split_once('=').and_then(|(name, value)| {
                let certainty = names::certainty(name.trim().trim_start_matches("export "));
                values::is_secret(certainty, name, value, false).then(|| format!("{name}={MASK}"))
            }),
            Self::Netrc => line.split_once("password").and_then(|(before, rest)| {
                rest.starts_with(char::is_whitespace).then(|| format!("{before}password {MASK}"))
            }),
            Self::Pgpass => part(4),
            Self::Htpasswd => part(1),
        };
        shown.map_or(line, Cow::Owned)
    }
}

#[cfg(test)]
mod tests {
    use crate::secrets::Secrets;

    #[test]
    fn the_name_of_a_file_says_what_is_secret_in_it() {
        for (file, line, shown) in [
            ("a/.netrc", "password hunter", "password ****"),
            (".pgpass", "h:5432:d:me:hunter", "h:5432:d:me:****"),
            (".htpasswd", "me:hunter", "me:****"),
            (
                "x/.aws/credentials",
                "aws_secret_access_key = abc def",
                "aws_secret_access_key =****",
            ),
            (".env.local", "DBPASS=correct", "DBPASS=****"),
            ("notes.txt", "me:hunter", "me:hunter"),
        ] {
            assert_eq!(Secrets::Masked.lines(file, line, false), [shown]);
            assert_eq!(Secrets::Shown.lines(file, line, false), [line]);
        }
    }
}
