//! Our entry in a TOML settings file. The text is edited in place, so that order and comments stay.
//! The result is parsed again to make sure that only our entry has changed.

use toml::{Table, Value};

/// Why the text of a settings file cannot be changed.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// It is not TOML, or the entry is not written as a table of its own.
    #[error("{0}")]
    NotToml(String),
    /// An entry of another program has our name.
    #[error("{0} is taken by another program")]
    Taken(String),
}

/// The text with an entry `[field.name]` that starts `program` with the arguments `words`. An
/// existing entry that does so stays as it is, with everything that the user added to it.
pub fn add(
    text: &str,
    field: &str,
    name: &str,
    program: &str,
    words: &[&str],
) -> Result<String, TableError> {
    let before = read(text)?;
    if let Some(entry) = entry(&before, field, name) {
        if !is_ours(entry, words) {
            return Err(TableError::Taken(format!("{field}.{name}")));
        }
        if entry.get("command").and_then(Value::as_str) == Some(program) {
            return Ok(text.to_owned());
        }
    }
    let rest = without(text, field, name);
    let gap = if rest.trim().is_empty() { "" } else { "\n" };
    let program = Value::from(program);
    let words = Value::from(words.to_vec());
    let rest = rest.trim_end();
    let end = if rest.is_empty() { "" } else { "\n" };
    let after = format!("{rest}{end}{gap}[{field}.{name}]\ncommand = {program}\nargs = {words}\n");
    checked(before, after, field, name)
}

/// The text without the entry `[field.name]`, if the entry is ours.
pub fn remove(text: &str, field: &str, name: &str, words: &[&str]) -> Result<String, TableError> {
    let before = read(text)?;
    if !entry(&before, field, name).is_some_and(|entry| is_ours(entry, words)) {
        return Ok(text.to_owned());
    }
    checked(before, without(text, field, name), field, name)
}

/// The program of the entry `[field.name]`, if the entry is ours.
pub fn program(
    text: &str,
    field: &str,
    name: &str,
    words: &[&str],
) -> Result<Option<String>, TableError> {
    let table = read(text)?;
    let ours = entry(&table, field, name).filter(|entry| is_ours(entry, words));
    Ok(ours.and_then(|entry| entry.get("command")?.as_str()).map(str::to_owned))
}

fn read(text: &str) -> Result<Table, TableError> {
    text.parse().map_err(|error: toml::de::Error| TableError::NotToml(error.message().to_owned()))
}

fn entry<'a>(table: &'a Table, field: &str, name: &str) -> Option<&'a Table> {
    table.get(field)?.as_table()?.get(name)?.as_table()
}

fn is_ours(entry: &Table, words: &[&str]) -> bool {
    let args = entry.get("args").and_then(Value::as_array).into_iter().flatten();
    let first: Vec<_> = args.filter_map(Value::as_str).take(words.len()).collect();
    let command = entry.get("command").and_then(Value::as_str);
    command.is_some_and(super::server::is_program) && first == words
}

/// The lines outside the table of the entry and its subtables. Comments and empty lines after its
/// last key belong to what follows.
fn without(text: &str, field: &str, name: &str) -> String {
    let own = format!("[{field}.{name}]");
    let within = format!("[{field}.{name}.");
    let mut is_inside = false;
    let mut kept: Vec<&str> = Vec::new();
    let mut behind: Vec<&str> = Vec::new();
    for line in text.split_inclusive('\n') {
        let start = line.trim_start();
        if start.starts_with('[') {
            let was_inside = is_inside;
            is_inside = start.starts_with(&own) || start.starts_with(&within);
            if is_inside && !was_inside && kept.last().is_some_and(|line| line.trim().is_empty()) {
                kept.pop();
            }
            if !is_inside {
                kept.append(&mut behind);
            }
            behind.clear();
        }
        if !is_inside {
            kept.push(line);
        } else if start.starts_with('#') || start.is_empty() {
            behind.push(line);
        } else {
            behind.clear();
        }
    }
    kept.append(&mut behind);
    kept.concat()
}

/// The new text, if it differs from the old one only in the entry.
fn checked(
    mut before: Table,
    after: String,
    field: &str,
    name: &str,
) -> Result<String, TableError> {
    let mut read_again = read(&after)?;
    for table in [&mut before, &mut read_again] {
        let entries = table.get_mut(field).and_then(Value::as_table_mut);
        if entries.is_some_and(|entries| {
            entries.remove(name);
            entries.is_empty()
        }) {
            table.remove(field);
        }
    }
    if before != read_again {
        return Err(TableError::NotToml(format!("{field}.{name} has no table of its own")));
    }
    Ok(after)
}

#[cfg(test)]
mod tests {
    use super::{TableError, add, program, remove};

    const USED: &str = "# mine\nmodel = \"x\"\n\n[mcp_servers.other]\ncommand = \"parity\" # not ours\nargs = [\"x\"]\n";

    fn added(text: &str, program: &str) -> Result<String, TableError> {
        add(text, "mcp_servers", "parity", program, &["mcp"])
    }

    fn removed(text: &str) -> Result<String, TableError> {
        remove(text, "mcp_servers", "parity", &["mcp"])
    }

    #[test]
    fn an_entry_comes_and_goes_and_the_rest_stays() {
        let own = "[mcp_servers.parity]\ncommand = \"/bin/parity\"\nargs = [\"mcp\"]\n";
        assert_eq!(added("", "/bin/parity").unwrap(), own);
        let with = added(USED, "/bin/parity").unwrap();
        assert_eq!(with, format!("{USED}\n{own}"));
        assert_eq!(added(&with, "/bin/parity").unwrap(), with);
        assert_eq!(removed(&with).unwrap(), USED);
        assert_eq!(removed(USED).unwrap(), USED);
        let moved = added(&with, "parity").unwrap();
        assert_eq!(moved, with.replace("/bin/parity", "parity"));
        let found = program(&moved, "mcp_servers", "parity", &["mcp"]).unwrap();
        assert_eq!(found.as_deref(), Some("parity"));
        let (top, other) = USED.split_once("\n[").unwrap();
        let (top, other) = (format!("{top}\n"), format!("# other\n[{other}"));
        let between = format!("{top}{own}# in it\n[mcp_servers.parity.env]\nA = \"b\"\n\n{other}");
        assert_eq!(removed(&between).unwrap(), format!("{top}{other}"));
        assert_eq!(added(&between, "/bin/parity").unwrap(), between, "what the user added stays");
    }

    #[test]
    fn what_is_not_ours_or_not_understood_stays() {
        let taken = "[mcp_servers.parity]\ncommand = \"/bin/other\"\n";
        assert!(matches!(added(taken, "parity"), Err(TableError::Taken(_))));
        assert_eq!(removed(taken).unwrap(), taken);
        for odd in [
            "mcp_servers = { parity = { command = \"parity\", args = [\"mcp\"] } }\n",
            "x = \"\"\"\n[mcp_servers.parity]\n\"\"\"\n[mcp_servers]\nparity.command = \"parity\"\nparity.args = [\"mcp\"]\n",
            "mcp_servers = [",
        ] {
            assert!(matches!(added(odd, "/new/parity"), Err(TableError::NotToml(_))), "{odd}");
        }
    }
}
