//! Continuous integration: triggers, jobs and their steps.

use super::{Part, entry};
use crate::{
    exploration::Entry,
    formats::shared::tree::record::{At, Record},
};

/// Keys of a pipeline that are not jobs.
const RESERVED: &[&str] =
    &["stages", "variables", "default", "include", "workflow", "image", "services", "cache"];

/// The jobs of a workflow.
pub fn parts(name: &str, record: &Record) -> Vec<Part> {
    let Some(document) = record.documents().next() else { return Vec::new() };
    if let Some(jobs) = document.get("jobs")
        && jobs.inside().any(is_job)
    {
        let on = document.inside().find(|at| matches!(at.name(), "on" | "true"));
        let triggers = on.map(|on| {
            let texts = document.texts(on.name());
            entry(on, &texts.join(", "))
        });
        return vec![
            ("Runs on", triggers.into_iter().collect()),
            ("Jobs", jobs.inside().flat_map(job).collect()),
        ];
    }
    // Azure Pipelines: jobs in stages, or steps alone.
    if let Some(stages) = document.get("stages")
        && stages.inside().any(|stage| stage.get("jobs").is_some())
    {
        let jobs = |stage: At| stage.all("jobs").flat_map(job).collect::<Vec<_>>();
        let stage =
            |at: At| [vec![entry(at, &format!("stage {}", own_name(at)))], jobs(at)].concat();
        return vec![("Jobs", stages.inside().flat_map(stage).collect())];
    }
    if name.contains("azure-pipelines") && document.get("steps").is_some() {
        return vec![("Steps", document.all("steps").map(step).collect())];
    }
    let is_pipeline = name.contains("gitlab-ci") || document.get("stages").is_some();
    if !is_pipeline {
        return Vec::new();
    }
    let jobs = document.inside().filter(|at| !RESERVED.contains(&at.name()));
    let jobs = jobs.filter(|at| at.get("script").is_some() || at.get("stage").is_some());
    vec![("Jobs", jobs.flat_map(pipeline_job).collect())]
}

fn is_job(at: At) -> bool {
    at.get("steps").is_some() || at.get("uses").is_some()
}

/// What a job or stage is called: its key or, in a list, the value of its first key.
fn own_name(at: At<'_>) -> &str {
    let keys = ["job", "deployment", "stage", "template"];
    let own = || keys.iter().find_map(|key| at.text_of(key)).unwrap_or("?");
    if at.name().is_empty() { own() } else { at.name() }
}

/// A job, and its steps below it.
fn job(at: At) -> Vec<Entry> {
    let mut text = own_name(at).to_owned();
    for (title, key) in
        [("on", "runs-on"), ("uses", "uses"), ("after", "needs"), ("after", "dependsOn")]
    {
        let texts = at.texts(key);
        if !texts.is_empty() {
            text.push_str(&format!(", {title} {}", texts.join(" ")));
        }
    }
    let mut entries = vec![entry(at, &text)];
    entries.extend(at.all("steps").map(step));
    entries
}

/// A step: its name and what it runs.
fn step(at: At) -> Entry {
    /// Keys of what a step runs: of GitHub, CircleCI and Azure.
    const ACTIONS: &[&str] =
        &["uses", "run", "script", "bash", "pwsh", "powershell", "task", "checkout", "template"];
    let action = ACTIONS.iter().find_map(|key| at.get(key));
    let name = at.text_of("name").or_else(|| at.text_of("displayName"));
    // In CircleCI the step is a text, or an object under the name of what it runs.
    let inner = action.filter(|action| action.get("command").is_some());
    let name = name.or_else(|| inner.and_then(|inner| inner.text_of("name")));
    let action = match (inner, action) {
        (Some(inner), _) => inner.text_of("command"),
        (None, Some(action)) => Some(action.text()),
        (None, None) => Some(at.text()).filter(|text| !text.is_empty()),
    };
    let action = action.and_then(|text| text.lines().next());
    let other = || at.inside().next().map(At::name);
    let text = match (name, action) {
        (Some(name), Some(action)) => format!("- {name}: {action}"),
        (one, action) => format!("- {}", one.or(action).or_else(other).unwrap_or("?")),
    };
    entry(at, &text)
}

fn pipeline_job(at: At) -> Vec<Entry> {
    let stage = at.text_of("stage").map_or_else(String::new, |stage| format!(", stage {stage}"));
    let mut entries = vec![entry(at, &format!("{}{stage}", at.name()))];
    entries.extend(at.all("script").map(|line| entry(line, &format!("- {}", line.text()))));
    entries
}
