//! Our entries among a client's hooks.

use super::document::{Json, Object};
use crate::hook::{Client, Settings};

/// The field of the settings that holds the hooks.
const HOOKS: &str = "hooks";
/// What follows the program's name in our commands.
const CALL: &str = " hook --client ";
/// Possible endings of the program's name, quoted or not.
const PROGRAM_ENDS: [&str; 3] = ["parity", "parity'", "parity\""];

/// Puts our hooks into settings, replacing earlier hooks of ours. The hooks of others stay as they
/// are.
pub fn add(settings: &mut Object, client: &Client, how: &Settings, command: &str) {
    remove(settings);
    let hooks = settings.entry(HOOKS.to_owned()).or_insert_with(|| Json::Object(Object::new()));
    let Json::Object(hooks) = hooks else { return };
    for event in &client.events {
        let groups = hooks.entry(event.name.clone()).or_insert_with(|| Json::List(Vec::new()));
        let Json::List(groups) = groups else { continue };
        let mut group = Object::new();
        group
            .extend(event.matcher.as_deref().map(|matcher| ("matcher".to_owned(), matcher.into())));
        let ours = [
            ("type".to_owned(), "command".into()),
            ("command".to_owned(), command.into()),
            ("timeout".to_owned(), Json::Number(how.timeout.into())),
        ];
        group.insert(HOOKS.to_owned(), Json::List(vec![Json::Object(ours.into_iter().collect())]));
        groups.push(Json::Object(group));
    }
}

/// Removes our hooks from settings, and everything that becomes empty without them.
pub fn remove(settings: &mut Object) {
    let Some(Json::Object(events)) = settings.get_mut(HOOKS) else { return };
    for groups in events.values_mut() {
        let Json::List(groups) = groups else { continue };
        groups.retain_mut(|group| {
            let Json::Object(fields) = group else { return true };
            let Some(Json::List(hooks)) = fields.get_mut(HOOKS) else { return true };
            let before = hooks.len();
            hooks.retain(|hook| command_of(hook).is_none());
            hooks.len() == before || !hooks.is_empty()
        });
    }
    events.retain(|_, groups| groups.list().is_none_or(|groups| !groups.is_empty()));
    if events.is_empty() {
        settings.shift_remove(HOOKS);
    }
}

/// Our commands in settings, each with its event.
pub fn installed(settings: &Object) -> Vec<(&str, &str)> {
    let events = settings.get(HOOKS).and_then(Json::object).into_iter().flatten();
    let hooks = events.flat_map(|(event, groups)| {
        let groups = groups.list().into_iter().flatten().filter_map(Json::object);
        let hooks = groups.filter_map(|group| group.get(HOOKS)?.list()).flatten();
        hooks.map(move |hook| (event.as_str(), hook))
    });
    hooks.filter_map(|(event, hook)| Some((event, command_of(hook)?))).collect()
}

/// The command of a hook, if it is ours.
fn command_of(hook: &Json) -> Option<&str> {
    let command = hook.object()?.get("command")?.text()?;
    let (program, _) = command.split_once(CALL)?;
    PROGRAM_ENDS.iter().any(|end| program.ends_with(end)).then_some(command)
}

#[cfg(test)]
mod tests {
    use super::{add, installed, remove};
    use crate::{
        hook::{Client, TABLES},
        install::document::read,
    };

    const COMMAND: &str = "parity hook --client claude --mode inject";
    /// Settings of a user who has a hook at the same event, and a hook with a name that looks like
    /// ours.
    const USED: &str = r#"{"model": "x", "hooks": {"SessionStart": [{"matcher": "startup",
        "hooks": [{"type": "command", "command": "echo parity hook"}]}], "Stop": []}}"#;

    #[test]
    fn installing_twice_is_installing_once() {
        let client = Client::read(TABLES[0].1).unwrap();
        let how = client.settings.clone().unwrap();
        for text in ["", USED] {
            let mut settings = read(text).unwrap();
            add(&mut settings, &client, &how, "'/old place/parity' hook --client claude");
            add(&mut settings, &client, &how, COMMAND);
            let once = settings.clone();
            add(&mut settings, &client, &how, COMMAND);
            assert_eq!(settings, once);
            let events = [
                ("SessionStart", COMMAND),
                ("UserPromptSubmit", COMMAND),
                ("PostToolUse", COMMAND),
            ];
            let mut found = installed(&settings);
            found.sort_unstable();
            let mut expected = events.to_vec();
            expected.sort_unstable();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn what_is_not_ours_stays() {
        let client = Client::read(TABLES[0].1).unwrap();
        let how = client.settings.clone().unwrap();
        let mut settings = read(USED).unwrap();
        add(&mut settings, &client, &how, COMMAND);
        remove(&mut settings);
        let expected = USED.replace(", \"Stop\": []", "");
        assert_eq!(settings, read(&expected).unwrap());
        let mut odd =
            read(r#"{"hooks": {"SessionStart": "x", "Stop": [1, {"hooks": 2}]}}"#).unwrap();
        let before = odd.clone();
        remove(&mut odd);
        assert_eq!(odd, before);
    }
}
