//! Texts in which a line alone does not show whether it holds a secret: the values in a table,
//! below a name, or in a Kubernetes secret. Only the explorer of the format can tell, so the lines
//! of such texts must not be shown.

use base::secrets::{Certainty, Secrets, certainty};

use crate::findings::Task;

/// Whether the lines of a text must not be shown.
pub fn is_hidden(task: &Task, text: &str) -> bool {
    task.secrets == Secrets::Masked
        && match task.language {
            "csv" => names_secrets(text),
            "json" | "yaml" => holds_secrets(text) || is_secret_object(text),
            "toml" | "ini" => holds_secrets(text),
            "xml" => nests_secrets(text),
            _ => false,
        }
}

/// Whether a cell of a table is the name of a secret. Then other cells of its column or row may be
/// secrets, which a line does not show.
fn names_secrets(table: &str) -> bool {
    let mut cells = table.split([',', ';', '\t', '|', '\n']);
    cells.any(|cell| certainty(cell.trim().trim_matches('"')) >= Certainty::Certain)
}

/// Whether the name of a secret comes before nested values, as in `credentials: {value: x}` or
/// `[db.password]`. The explorer knows what encloses a value, but a line does not show it.
fn holds_secrets(text: &str) -> bool {
    let is_section = |line: &str| {
        let name = line.trim().strip_prefix('[').and_then(|name| name.strip_suffix(']'));
        name.is_some_and(|name| is_secret_name(name.trim_matches(['[', ']', '"', ' '])))
    };
    let opens = |(at, sign): (usize, &str)| {
        let behind = text.get(at + 1..).unwrap_or_default().trim_start_matches([' ', '\t']);
        let brackets = behind.starts_with(['{', '[']);
        // In YAML the values may be in the lines below.
        let below = behind.is_empty() || behind.starts_with(['\r', '\n', '&', '!', '|', '>']);
        let before = text.get(..at).unwrap_or_default();
        let before = before.trim_end_matches(['"', '\'', '\n', '\r', ' ', '\t']);
        let name = before.rsplit(['"', '\'', '\n', ' ', '\t', '{', '[', ',', ':', '=']).next();
        (brackets || sign == ":" && below) && name.is_some_and(is_secret_name)
    };
    text.lines().any(is_section) || text.match_indices([':', '=']).any(opens)
}

/// Whether an element with the name of a secret contains anything but plain text, as in
/// `<credentials><value>x</value></credentials>`. The line of the inner element does not show what
/// encloses it.
fn nests_secrets(text: &str) -> bool {
    let mut tags = text.split('<').skip(1).peekable();
    while let Some(tag) = tags.next() {
        let ends = |sign: char| sign.is_whitespace() || matches!(sign, '>' | '/');
        let name = tag.split(ends).next().unwrap_or_default();
        let holds_more = tags.peek().is_some_and(|next| !next.starts_with('/'));
        if holds_more && !tag.trim_end().ends_with("/>") && is_secret_name(name) {
            return true;
        }
    }
    false
}

fn is_secret_name(name: &str) -> bool {
    certainty(name) >= Certainty::Certain
}

/// Whether a text contains a Kubernetes object of the kind `Secret`, under any name.
fn is_secret_object(text: &str) -> bool {
    text.match_indices("Secret").any(|(at, word)| {
        let behind = text.get(at + word.len()..).unwrap_or_default();
        let behind = behind.strip_prefix("List").unwrap_or(behind);
        let signs = ['"', '\'', ' ', '\t', '\r', '\n'];
        let before = text.get(..at).unwrap_or_default().trim_end_matches(signs);
        let name = before.strip_suffix(':').map(|name| name.trim_end_matches(signs));
        !behind.starts_with(char::is_alphanumeric)
            && name.is_some_and(|name| name.ends_with("kind"))
    })
}

#[cfg(test)]
mod tests {
    use super::{holds_secrets, is_secret_object, names_secrets, nests_secrets};

    #[test]
    fn what_hides_secrets_from_a_line_is_found() {
        for text in [
            "a: 1\nkind: Secret\n",
            "{\"kind\" : \"Secret\",",
            "kind: 'SecretList'",
            "\"kind\":\t\"Secret\"",
            "kind:\r\n  Secret\r\n",
        ] {
            assert!(is_secret_object(text), "{text}");
        }
        for text in
            ["kind: SecretStore", "kind: ConfigMap\nname: Secret", "Secret", "a kind of Secret"]
        {
            assert!(!is_secret_object(text), "{text}");
        }
        assert!(holds_secrets("credentials: {user: x}") && holds_secrets("[db.password]\na = 1"));
        assert!(!holds_secrets("colours: {red: x}"));
        for text in [
            "<a><credentials>\n<value>x</value>",
            "<b:password c='/>'> x <d/>",
            "<password><![CDATA[x]]></password>",
        ] {
            assert!(nests_secrets(text), "{text}");
        }
        for text in [
            "<a><password>x</password><b>y</b></a>",
            "<a><password/>\n<b>y</b></a>",
            "<colours><red>x</red></colours>",
            "",
            "<",
        ] {
            assert!(!nests_secrets(text), "{text}");
        }
        assert!(names_secrets("user,password\nme,x\n") && !names_secrets("user,size\nme,x\n"));
    }
}
