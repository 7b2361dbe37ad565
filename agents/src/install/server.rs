//! Our entry among the MCP servers of a client.

use super::document::{Json, Object};
use crate::hook::{Form, Server};

/// The name of our server.
pub const NAME: &str = "parity";
/// The arguments that start it.
pub const WORDS: [&str; 1] = ["mcp"];
/// The fields of an entry.
const COMMAND: &str = "command";
const ARGS: &str = "args";

/// Puts our server into JSON settings. Other fields that the user added to our entry stay. Returns
/// false if another program uses its name.
#[must_use]
pub fn add(settings: &mut Object, server: &Server, program: &str) -> bool {
    let servers = settings.entry(server.field.clone());
    let Json::Object(servers) = servers.or_insert_with(|| Json::Object(Object::new())) else {
        return false;
    };
    let entry = servers.entry(NAME.to_owned()).or_insert_with(|| Json::Object(Object::new()));
    let Json::Object(entry) = entry else { return false };
    if !entry.is_empty() && program_of(entry).is_none() {
        return false;
    }
    let words = WORDS.map(Json::from);
    match server.form {
        Form::CommandList => {
            let command = [Json::from(program)].into_iter().chain(words).collect();
            entry.entry("type".to_owned()).or_insert_with(|| "local".into());
            entry.insert(COMMAND.to_owned(), Json::List(command));
            entry.entry("enabled".to_owned()).or_insert(Json::Bool(true));
        }
        Form::CommandAndArgs | Form::Toml => {
            entry.insert(COMMAND.to_owned(), program.into());
            entry.entry(ARGS.to_owned()).or_insert_with(|| Json::List(words.to_vec()));
        }
    }
    true
}

/// Removes our server from settings, and everything that becomes empty without it.
pub fn remove(settings: &mut Object, server: &Server) {
    let Some(Json::Object(servers)) = settings.get_mut(&server.field) else { return };
    let is_ours = |entry: &Json| entry.object().is_some_and(|entry| program_of(entry).is_some());
    if servers.get(NAME).is_some_and(is_ours) {
        servers.shift_remove(NAME);
        if servers.is_empty() {
            settings.shift_remove(&server.field);
        }
    }
}

/// The program of our server in settings, if it is set up.
pub fn program<'a>(settings: &'a Object, server: &Server) -> Option<&'a str> {
    program_of(settings.get(&server.field)?.object()?.get(NAME)?.object()?)
}

/// The program of an entry, if the entry is ours.
fn program_of(entry: &Object) -> Option<&str> {
    let texts = |list: &'_ Json| -> Option<Vec<String>> {
        list.list()?.iter().map(|word| word.text().map(str::to_owned)).collect()
    };
    let command = entry.get(COMMAND)?;
    let (program, words) = match command.list() {
        Some(list) => (list.first()?.text()?, texts(command)?.split_off(1)),
        None => (command.text()?, texts(entry.get(ARGS)?)?),
    };
    let is_ours = is_program(program) && words.iter().take(WORDS.len()).eq(WORDS.iter());
    is_ours.then_some(program)
}

/// Whether a path is that of this program.
pub fn is_program(path: &str) -> bool {
    path.rsplit('/').next() == Some("parity")
}

#[cfg(test)]
mod tests {
    use super::{add, program, remove};
    use crate::{
        hook::{Client, Server, TABLES},
        install::document::read,
    };

    fn servers() -> Vec<Server> {
        let clients = TABLES.iter().map(|(_, table)| Client::read(table).unwrap());
        clients.filter_map(|client| client.server).collect()
    }

    #[test]
    fn a_server_comes_and_goes_and_others_stay() {
        for server in servers() {
            for text in ["{}", r#"{"model": "x", "FIELD": {"other": {"command": "y"}}, "z": 1}"#] {
                let before = read(&text.replace("FIELD", &server.field)).unwrap();
                let mut settings = before.clone();
                assert!(add(&mut settings, &server, "/old/parity"));
                assert!(add(&mut settings, &server, "/new/parity"));
                let once = settings.clone();
                assert!(add(&mut settings, &server, "/new/parity"));
                assert_eq!(settings, once);
                assert_eq!(program(&settings, &server), Some("/new/parity"));
                remove(&mut settings, &server);
                assert_eq!(settings, before);
            }
        }
    }

    #[test]
    fn an_entry_of_another_program_is_left_alone() {
        for server in servers() {
            for entry in [
                r#"{"command": "other", "args": ["mcp"]}"#,
                r#"{"command": ["other", "mcp"]}"#,
                r#"{"url": "http://127.0.0.1"}"#,
                "1",
            ] {
                let text = format!(r#"{{"{}": {{"parity": {entry}}}}}"#, server.field);
                let mut settings = read(&text).unwrap();
                assert!(!add(&mut settings, &server, "parity"), "{text}");
                remove(&mut settings, &server);
                assert_eq!(settings, read(&text).unwrap());
            }
        }
    }

    #[test]
    fn what_the_user_added_to_our_entry_stays() {
        let claude = servers().swap_remove(0);
        let text = r#"{"mcpServers": {"parity": {"command": "parity", "args": ["mcp", "--map-tokens",
            "2000"], "env": {"A": "b"}}}}"#;
        let mut settings = read(text).unwrap();
        let before = settings.clone();
        assert!(add(&mut settings, &claude, "parity"));
        assert_eq!(settings, before);
    }
}
