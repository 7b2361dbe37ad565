//! Sets a client up, and undoes that: changes of its settings files.

mod change;
mod difference;
mod document;
mod hooks;
mod plugin;
mod server;
mod skill;
mod table;

use std::{
    io,
    path::{Path, PathBuf},
};

use base::text::visible;

use crate::hook::{Client, Form, OwnFile, Server};
pub use change::Change;
use change::Changes;
use table::TableError;

/// Why settings cannot be changed. In that case nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    /// This program does not know where the client's settings are.
    #[error("{0} has no settings that this program could change")]
    NoSettings(String),
    /// The file cannot be read.
    #[error("{} cannot be read: {error}", visible::path(path))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The file is not plain JSON. A file with comments cannot be rewritten without losing them.
    #[error("{} is not one JSON object, so it was not changed: {error}", visible::path(path))]
    NotJson {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: serde_json::Error,
    },
    /// The file is not TOML that this program can change.
    #[error("{} was not changed: {why}", visible::path(path))]
    NotToml {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// An entry of another program is in the place of ours.
    #[error("{} was not changed: another program uses the name parity there", visible::path(path))]
    Taken {
        /// The file.
        path: PathBuf,
    },
    /// The file cannot be written or removed.
    #[error("{} cannot be written: {error}", visible::path(path))]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
}

impl InstallError {
    fn of_table(path: &Path, error: TableError) -> Self {
        let path = path.to_owned();
        match error {
            TableError::NotToml(why) => Self::NotToml { path, why },
            TableError::Taken(_) => Self::Taken { path },
        }
    }
}

/// Where a client's settings are.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    /// The folder of the project, or the user's home.
    pub folder: &'a Path,
    /// Whether it is the user's home.
    pub is_user: bool,
}

impl Place<'_> {
    fn server(&self, server: &Server) -> PathBuf {
        let of_user = server.user_file.as_ref().filter(|_| self.is_user);
        self.folder.join(of_user.unwrap_or(&server.file))
    }

    fn own(&self, own: &OwnFile) -> PathBuf {
        self.folder.join(if self.is_user { &own.user_file } else { &own.file })
    }
}

/// How a client calls this program.
#[derive(Debug, Clone, Copy)]
pub struct Call<'a> {
    /// The program: its name or its path.
    pub program: &'a str,
    /// The program as it is quoted for a shell.
    pub quoted: &'a str,
    /// The arguments of the program at an event; no argument contains a space.
    pub event: &'a str,
    /// Whether the client also starts our MCP server.
    pub with_server: bool,
    /// Whether the client also gets our skill, if it reads skills.
    pub with_skill: bool,
}

/// Our entries in a client's settings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Installed {
    /// Commands by event; for a plugin, its file.
    pub events: Vec<(String, String)>,
    /// How many events there should be.
    pub wanted: usize,
    /// The program that the client starts as our server.
    pub server: Option<String>,
    /// The file of the skill.
    pub skill: Option<String>,
}

/// The changes that make a client call this program at its events, and start its server.
///
/// # Errors
/// The settings cannot be read or understood, or the client has none.
pub fn install(client: &Client, at: Place, call: &Call) -> Result<Vec<Change>, InstallError> {
    let mut changes = Changes::default();
    if let Some(how) = &client.settings {
        let words = [call.quoted, call.event].into_iter().chain(how.guard.as_deref());
        let command = words.collect::<Vec<_>>().join(" ");
        changes.json(&at.folder.join(&how.file), |fields| {
            hooks::add(fields, client, how, &command);
            true
        })?;
    }
    if let Some(plugin) = &client.plugin {
        let text = plugin::text(call.program, call.event);
        changes.own(&at.own(plugin), plugin::is_ours, Some(text))?;
    }
    if let Some(skill) = client.skill.as_ref().filter(|_| call.with_skill) {
        changes.own(&at.own(skill), skill::is_ours, Some(skill::text()))?;
    }
    if let Some(server) = client.server.as_ref().filter(|_| call.with_server) {
        let path = at.server(server);
        match server.form {
            Form::Toml => changes.toml(&path, |text| {
                table::add(text, &server.field, server::NAME, call.program, &server::WORDS)
            })?,
            _ => changes.json(&path, |fields| server::add(fields, server, call.program))?,
        }
    }
    named(client, changes)
}

/// The changes that remove our entries from a client's settings.
///
/// # Errors
/// As [`install`].
pub fn uninstall(client: &Client, at: Place) -> Result<Vec<Change>, InstallError> {
    let mut changes = Changes::default();
    if let Some(how) = &client.settings {
        changes.json(&at.folder.join(&how.file), |fields| {
            hooks::remove(fields);
            true
        })?;
    }
    if let Some(plugin) = &client.plugin {
        changes.own(&at.own(plugin), plugin::is_ours, None)?;
    }
    if let Some(skill) = &client.skill {
        changes.own(&at.own(skill), skill::is_ours, None)?;
    }
    if let Some(server) = &client.server {
        let path = at.server(server);
        match server.form {
            Form::Toml => changes.toml(&path, |text| {
                table::remove(text, &server.field, server::NAME, &server::WORDS)
            })?,
            _ => changes.json(&path, |fields| {
                server::remove(fields, server);
                true
            })?,
        }
    }
    named(client, changes)
}

fn named(client: &Client, changes: Changes) -> Result<Vec<Change>, InstallError> {
    let changes = changes.done();
    if changes.is_empty() {
        Err(InstallError::NoSettings(client.title.clone()))
    } else {
        Ok(changes)
    }
}

/// Our entries in a client's settings; `None` if this program does not know where its settings are.
///
/// # Errors
/// As [`install`].
pub fn installed(client: &Client, at: Place) -> Result<Option<Installed>, InstallError> {
    let mut found = Installed::default();
    if let Some(how) = &client.settings {
        found.wanted = client.events.len();
        let fields = change::fields(&at.folder.join(&how.file))?;
        let events = hooks::installed(&fields).into_iter();
        found.events = events.map(|(event, command)| (event.into(), command.into())).collect();
    }
    if let Some(plugin) = &client.plugin {
        found.wanted = 1;
        let path = at.own(plugin);
        let text = change::read(&path)?.filter(|text| plugin::is_ours(text));
        found.events.extend(text.map(|_| ("plugin".to_owned(), visible::path(&path))));
    }
    if let Some(skill) = &client.skill {
        let path = at.own(skill);
        let text = change::read(&path)?.filter(|text| skill::is_ours(text));
        found.skill = text.map(|_| visible::path(&path));
    }
    let Some(server) = &client.server else { return Ok((found.wanted > 0).then_some(found)) };
    let path = at.server(server);
    found.server = match server.form {
        Form::Toml => {
            let text = change::read(&path)?.unwrap_or_default();
            table::program(&text, &server.field, server::NAME, &server::WORDS)
                .map_err(|error| InstallError::of_table(&path, error))?
        }
        _ => server::program(&change::fields(&path)?, server).map(str::to_owned),
    };
    Ok(Some(found))
}

#[cfg(test)]
mod tests {
    use std::{
        fs,
        os::unix::fs::{PermissionsExt, symlink},
        path::Path,
    };

    use super::{Call, Change, InstallError, Installed, Place, install, installed, uninstall};
    use crate::hook::{Client, TABLES};

    const CALL: Call = Call {
        program: "/a b/parity",
        quoted: "'/a b/parity'",
        event: "hook --client claude",
        with_server: true,
        with_skill: true,
    };

    fn client(name: &str) -> Client {
        Client::read(TABLES.iter().find(|(client, _)| *client == name).unwrap().1).unwrap()
    }

    const fn at(folder: &Path) -> Place<'_> {
        Place { folder, is_user: false }
    }

    fn apply(changes: &[Change]) {
        for change in changes {
            change.apply().unwrap();
        }
    }

    fn found(client: &Client, folder: &Path) -> Installed {
        installed(client, at(folder)).unwrap().unwrap()
    }

    #[test]
    fn a_client_is_set_up_and_left_as_it_was() {
        let dir = tempfile::tempdir().unwrap();
        for (name, events) in [("claude", 3), ("codex", 3), ("gemini", 3), ("opencode", 1)] {
            let client = client(name);
            for is_user in [false, true] {
                let place = Place { folder: dir.path(), is_user };
                let changes = install(&client, place, &CALL).unwrap();
                assert!(changes.iter().all(|change| change.difference().contains("+ ")), "{name}");
                apply(&changes);
                let again = install(&client, place, &CALL).unwrap();
                assert!(again.iter().all(Change::is_none), "{name}: {again:?}");
                let found = installed(&client, place).unwrap().unwrap();
                assert_eq!((found.events.len(), found.wanted), (events, events), "{name}");
                assert_eq!(found.server.as_deref(), Some("/a b/parity"), "{name}");
                let skill = found.skill.as_deref().unwrap();
                assert!(skill.ends_with("/skills/parity/SKILL.md"), "{name}: {skill}");
                apply(&uninstall(&client, place).unwrap());
                assert!(uninstall(&client, place).unwrap().iter().all(Change::is_none));
                assert!(changes.iter().all(|change| !change.path.exists()));
                let folder = Path::new(skill).parent().unwrap();
                assert!(!folder.exists() && folder.parent().unwrap().exists(), "{name}");
            }
        }
        let error = install(&client("plain"), at(dir.path()), &CALL).unwrap_err();
        assert!(matches!(error, InstallError::NoSettings(_)));
        assert_eq!(installed(&client("plain"), at(dir.path())).unwrap(), None);
    }

    #[test]
    fn events_and_server_in_one_file_are_one_change() {
        let dir = tempfile::tempdir().unwrap();
        let changes = install(&client("gemini"), at(dir.path()), &CALL).unwrap();
        let [change, skill] = changes.as_slice() else { panic!("{changes:?}") };
        assert!(skill.path.ends_with("skills/parity/SKILL.md"));
        let after = change.after.as_deref().unwrap();
        assert!(after.contains("BeforeAgent") && after.contains("mcpServers"), "{after}");
        let without = Call { with_server: false, with_skill: false, ..CALL };
        let changes = install(&client("gemini"), at(dir.path()), &without).unwrap();
        assert_eq!(changes.len(), 1);
        assert!(!changes[0].after.as_deref().unwrap().contains("mcpServers"));
    }

    #[test]
    fn settings_that_are_not_understood_stay() {
        let dir = tempfile::tempdir().unwrap();
        for (name, file, text) in [
            ("claude", ".claude/settings.json", "{ // mine\n}"),
            ("claude", ".mcp.json", "{\"mcpServers\": {\"parity\": {\"url\": \"x\"}}}"),
            ("codex", ".codex/config.toml", "mcp_servers = ["),
            ("opencode", ".opencode/plugins/parity.js", "// mine"),
            ("claude", ".claude/skills/parity/SKILL.md", "---\nname: parity\n---\nmine\n"),
        ] {
            let path = dir.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            let error = install(&client(name), at(dir.path()), &CALL).unwrap_err();
            assert!(error.to_string().contains("was not changed"), "{error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
            fs::remove_file(&path).unwrap();
        }
    }

    #[test]
    fn linked_settings_stay_linked() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join(".claude")).unwrap();
        let path = dir.path().join(".claude/settings.json");
        let target = dir.path().join("elsewhere.json");
        fs::write(&target, "{}").unwrap();
        fs::set_permissions(&target, fs::Permissions::from_mode(0o600)).unwrap();
        symlink(&target, &path).unwrap();
        apply(&install(&client("claude"), at(dir.path()), &CALL).unwrap());
        assert!(path.is_symlink());
        assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(found(&client("claude"), dir.path()).events.len(), 3);
    }
}
