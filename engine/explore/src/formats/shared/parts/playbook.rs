//! Ansible: the plays of a playbook with their tasks, or the tasks of a task file.

use super::{Part, entry};
use crate::{
    exploration::Entry,
    formats::shared::tree::{
        Kind,
        record::{At, Record},
    },
};

/// Keys of the task lists in a play or block.
const TASKS: &[&str] =
    &["pre_tasks", "tasks", "post_tasks", "handlers", "block", "rescue", "always"];
/// Keys of a task that are not its module.
const MODIFIERS: &[&str] = &[
    "name",
    "when",
    "register",
    "become",
    "become_user",
    "tags",
    "notify",
    "vars",
    "loop",
    "with_items",
    "until",
    "retries",
    "delay",
    "args",
    "environment",
    "changed_when",
    "failed_when",
    "ignore_errors",
    "delegate_to",
    "no_log",
    "run_once",
];
/// Maximum depth of nested blocks.
const DEEPEST: usize = 8;

/// The tasks of a playbook.
pub fn parts(_: &str, record: &Record) -> Vec<Part> {
    let Some(document) = record.documents().next() else { return Vec::new() };
    if document.kind() != Kind::Array {
        return Vec::new();
    }
    let plays = document.inside().filter(|at| at.get("hosts").is_some()).count();
    let is_task = |at: &At| at.get("name").is_some() && module(*at).is_some_and(is_module);
    if plays == 0 && !document.inside().any(|at| is_task(&at)) {
        return Vec::new();
    }
    let mut entries = Vec::new();
    for at in document.inside() {
        if let Some(hosts) = at.text_of("hosts") {
            let name = at.text_of("name").map_or_else(String::new, |name| format!("{name}, "));
            entries.push(entry(at, &format!("{name}hosts {hosts}")));
            tasks(at, 1, &mut entries);
        } else {
            task(at, 0, &mut entries);
        }
    }
    vec![(if plays > 0 { "Plays" } else { "Tasks" }, entries)]
}

fn tasks(at: At, level: usize, entries: &mut Vec<Entry>) {
    if level > DEEPEST {
        return;
    }
    for task_at in TASKS.iter().flat_map(|key| at.all(key)) {
        task(task_at, level, entries);
    }
}

fn task(at: At, level: usize, entries: &mut Vec<Entry>) {
    let module = module(at).map(At::name).unwrap_or_default();
    let text = match at.text_of("name") {
        Some(name) => format!("{name} ({module})"),
        None => module.to_owned(),
    };
    let line = entry(at, &text);
    entries.push(Entry {
        text: format!("{}- {}", "  ".repeat(level.saturating_sub(1)), line.text),
        ..line
    });
    tasks(at, level + 1, entries);
}

/// The key of a task that names its module.
fn module(at: At) -> Option<At> {
    at.inside().find(|inner| !MODIFIERS.contains(&inner.name()))
}

/// Whether a key is a module of Ansible: it has the name of its collection, or is one of the old
/// modules.
fn is_module(at: At) -> bool {
    at.name().starts_with("ansible.")
        || at.name().matches('.').count() == 2
        || [
            "apt",
            "yum",
            "copy",
            "template",
            "command",
            "shell",
            "service",
            "file",
            "user",
            "package",
            "systemd",
            "debug",
            "include_tasks",
            "import_tasks",
            "set_fact",
            "lineinfile",
            "git",
            "pip",
            "block",
            "stat",
            "fail",
            "assert",
        ]
        .contains(&at.name())
}
