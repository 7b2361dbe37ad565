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
        && jobs.inside().any(|job| job.get("steps").is_some() || job.get("uses").is_some())
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
    let is_pipeline = name.contains("gitlab-ci") || document.get("stages").is_some();
    if !is_pipeline {
        return Vec::new();
    }
    let jobs = document.inside().filter(|at| !RESERVED.contains(&at.name()));
    let jobs = jobs.filter(|at| at.get("script").is_some() || at.get("stage").is_some());
    vec![("Jobs", jobs.flat_map(pipeline_job).collect())]
}

/// A job, and its steps below it.
fn job(at: At) -> Vec<Entry> {
    let mut text = at.name().to_owned();
    for (title, key) in [("on", "runs-on"), ("uses", "uses"), ("after", "needs")] {
        let texts = at.texts(key);
        if !texts.is_empty() {
            text.push_str(&format!(", {title} {}", texts.join(" ")));
        }
    }
    let mut entries = vec![entry(at, &text)];
    entries.extend(at.all("steps").map(|step| {
        let name = step.text_of("name");
        let action = step.text_of("uses").or_else(|| step.text_of("run"));
        let action = action.and_then(|text| text.lines().next());
        let text = match (name, action) {
            (Some(name), Some(action)) => format!("- {name}: {action}"),
            (one, other) => format!("- {}", one.or(other).unwrap_or("?")),
        };
        entry(step, &text)
    }));
    entries
}

fn pipeline_job(at: At) -> Vec<Entry> {
    let stage = at.text_of("stage").map_or_else(String::new, |stage| format!(", stage {stage}"));
    let mut entries = vec![entry(at, &format!("{}{stage}", at.name()))];
    entries.extend(at.all("script").map(|line| entry(line, &format!("- {}", line.text()))));
    entries
}
