//! The tools: their arguments and their answers.

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::LazyLock,
};

use base::text::folder::Folder;
use serde_json::{Value, json};

use super::{
    MOST_UNITS, Setup,
    arguments::Arguments,
    navigation::{self, Question},
    search,
};
use crate::{
    Age, Artifact, Code, Job, Measure, Problem, Refresh, Worker, fenced,
    files::work_tree,
    map_context, masked,
    process::{Process, Unanswered},
};

/// Names, descriptions and schemas, as `tools/list` gives them.
pub static TOOLS: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("tools.json")).unwrap_or_default());

/// The answer of a tool: a text, and the same data in structured form.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The text, for people and models.
    pub text: String,
    /// The data, as described by the tool's output schema.
    pub structured: Value,
}

/// Why a tool gives no answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Refusal {
    /// There is no such tool.
    NoSuchTool,
    /// The arguments are wrong; the model can correct them.
    Arguments(String),
    /// The file does not exist, or lies outside the root.
    File(String),
    /// The work failed.
    Problem(Problem),
    /// The error envelope that the working process printed, passed on as it is.
    Told(Value),
}

impl Refusal {
    /// The error envelope of a tool.
    pub fn envelope(&self) -> Value {
        let error = |code: &str, message: &str, suggestion: &str| json!({"error": {"code": code, "message": message, "details": {"suggestion": suggestion}}});
        match self {
            Self::NoSuchTool => error("NO_SUCH_TOOL", "there is no such tool", "see tools/list"),
            Self::Arguments(why) => error("INVALID_ARGUMENTS", why, "see the tool's input schema"),
            Self::File(why) => error("FILE_NOT_READABLE", why, "name a file within the root"),
            Self::Problem(problem) => problem.in_tool(),
            Self::Told(envelope) => envelope.clone(),
        }
    }
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

impl From<String> for Refusal {
    fn from(why: String) -> Self {
        Self::Arguments(why)
    }
}

/// Calls a tool. The call is stopped once its answer is no longer wanted.
///
/// # Errors
/// There is no answer.
pub fn call(
    setup: &Setup,
    name: &str,
    arguments: Option<Value>,
    is_wanted: &dyn Fn() -> bool,
) -> Result<Answer, Refusal> {
    let mut arguments = Arguments::of(arguments)?;
    match name {
        "repo_map" => {
            let chat = arguments.texts("focus")?;
            let message = arguments.text("message")?;
            let tokens = arguments.number("map_tokens", 64, 16_384)?;
            arguments.end()?;
            let job = Job { chat, message, ..job(setup) };
            let job = Job { max_tokens: tokens.unwrap_or(job.max_tokens), ..job };
            Ok(map(setup, &job, is_wanted)?)
        }
        "map_refresh" => {
            arguments.end()?;
            let job = Job { refresh: Refresh::Always, ..job(setup) };
            let artifact = made(setup, &job, is_wanted)?;
            let structured = json!({
                "files_parsed": artifact.stats.files_parsed,
                "symbols_found": artifact.stats.symbols_found,
                "graph_edges": artifact.stats.graph_edges,
                "duration_ms": artifact.provenance.duration_ms.unwrap_or_default(),
            });
            Ok(Answer { text: structured.to_string(), structured })
        }
        "explore" => {
            let file = arguments.text("file_path")?;
            arguments.end()?;
            if file.is_empty() {
                return Err(Refusal::Arguments("file_path is missing".to_owned()));
            }
            explore(setup, &file, is_wanted)
        }
        "codebase_search" => search::answer(setup, &search::Question::of(arguments)?, is_wanted),
        "treesitter" => navigation::answer(setup, &Question::of(arguments)?, is_wanted),
        _ => Err(Refusal::NoSuchTool),
    }
}

/// The map for a job.
///
/// # Errors
/// There is no map.
pub fn map(setup: &Setup, job: &Job, is_wanted: &dyn Fn() -> bool) -> Result<Answer, Problem> {
    let artifact = made(setup, job, is_wanted)?;
    let mut structured = json!({
        "text": masked(&artifact.text),
        "source_root": artifact.provenance.source_root,
        "generated_at": artifact.generated_at,
        "token_count": artifact.stats.token_count,
        "files_parsed": artifact.stats.files_parsed,
    });
    if let (Some(error), Some(fields)) = (&artifact.error, structured.as_object_mut()) {
        fields.insert("incomplete".to_owned(), error.clone());
    }
    Ok(Answer { text: map_context(&artifact, Age::Fresh, MOST_UNITS, Measure::Units), structured })
}

/// The part of a job that is the same for all calls of this server.
pub fn job(setup: &Setup) -> Job {
    Job {
        max_tokens: setup.max_tokens,
        configured: setup.configured.clone(),
        refresh: setup.refresh,
        cache: setup.cache.clone(),
        ..Job::new(&setup.root)
    }
}

fn made(setup: &Setup, job: &Job, is_wanted: &dyn Fn() -> bool) -> Result<Artifact, Problem> {
    let artifact = Worker::start(&setup.program, job)?.wait(None, is_wanted)?;
    if artifact.ok { Ok(artifact) } else { Err(Problem::of_artifact(&artifact)) }
}

/// The exploration of a file in the root.
///
/// # Errors
/// The file does not exist, leads out of the root, or cannot be explored.
pub fn explore(setup: &Setup, file: &str, is_wanted: &dyn Fn() -> bool) -> Result<Answer, Refusal> {
    let (root, below) = within(&setup.root, file)?;
    let mut command = Command::new(&setup.program);
    command
        .args(["explore", "--profile", "enhancement", "--json"])
        .args(setup.without_files)
        .arg("--root")
        .arg(&root)
        .arg("--")
        .arg(root.join(&below))
        .stdin(Stdio::null());
    let found = told(&mut command, "explores files", is_wanted)?;
    if let Some(why) = found["error"].as_str() {
        return Err(Refusal::File(why.to_owned()));
    }
    let name = below.to_string_lossy();
    let summary = masked(found["summary"].as_str().unwrap_or_default()).into_owned();
    let structured = json!({
        "file": name,
        "language": found["language"],
        "explorer_used": found["explorer_used"],
        "summary": summary,
        "token_count": found["token_count"],
    });
    let head = format!("What is in {}.", base::text::visible::visible(&name));
    Ok(Answer {
        text: fenced("exploration", &head, &summary, MOST_UNITS, Measure::Units),
        structured,
    })
}

/// The JSON that a process prints. `does` says in words what the process does, for error messages.
///
/// # Errors
/// The process cannot be started, its answer is no longer wanted, or it ended without one.
pub fn told(
    command: &mut Command,
    does: &str,
    is_wanted: &dyn Fn() -> bool,
) -> Result<Value, Refusal> {
    let failed = |why: String| Refusal::Problem(Problem::new(Code::InternalError, why));
    let mut process = Process::start(command)
        .map_err(|error| failed(format!("no process can be started: {error}")))?;
    let output = process.wait(None, is_wanted);
    process.kill();
    let output = output.map_err(|why| match why {
        Unanswered::Late | Unanswered::Unwanted => failed("the call was cancelled".to_owned()),
    })?;
    serde_json::from_slice(&output)
        .map_err(|_| failed(format!("the process that {does} ended without an answer")))
}

/// The root, and the path of a file within it. Links are followed, but may not lead out.
pub fn within(root: &Path, file: &str) -> Result<(PathBuf, PathBuf), Refusal> {
    let refused = |error: std::io::Error| {
        Refusal::File(base::text::visible::lines(&error.to_string()).into_owned())
    };
    let folder = work_tree(root).and_then(|root| Folder::open(&root)).map_err(refused)?;
    let path = Path::new(file);
    let below = path.strip_prefix(folder.path()).unwrap_or(path);
    let below = folder.find(below).map_err(refused)?;
    Ok((folder.path().to_owned(), below))
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::symlink};

    use base::tokens::Counter;
    use serde_json::Value;

    use super::{Refusal, TOOLS, within};

    #[test]
    fn the_tools_cost_an_agent_little() {
        let tokens = Counter.count(&TOOLS.to_string());
        assert!((200..=1_500).contains(&tokens), "{tokens}");
        for tool in TOOLS.as_array().unwrap() {
            assert_eq!(tool["annotations"]["readOnlyHint"], true);
            assert_eq!(tool["annotations"]["openWorldHint"], false);
            assert_eq!(tool["inputSchema"]["additionalProperties"], false);
            // The schema of a tool whose operations have different answers lists the fields of
            // each.
            let schema = &tool["outputSchema"];
            let answers = schema["anyOf"].as_array().cloned().unwrap_or(vec![schema.clone()]);
            for answer in answers {
                assert!(answer["required"].as_array().is_some_and(|names| !names.is_empty()));
            }
            let described = tool["inputSchema"]["properties"].as_object().unwrap();
            assert!(described.values().all(|property| property["description"] != Value::Null));
        }
    }

    #[test]
    fn no_file_outside_of_the_root_is_explored() {
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("secret"), "").unwrap();
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("a"), "").unwrap();
        symlink(outside.path().join("secret"), dir.path().join("link")).unwrap();
        let inside = dir.path().canonicalize().unwrap().join("a");
        for file in ["a", "./a", inside.to_str().unwrap()] {
            assert!(within(dir.path(), file).is_ok(), "{file}");
        }
        let secret = outside.path().join("secret");
        for file in ["link", "../x", "/etc/passwd", "nothing", "", secret.to_str().unwrap()] {
            let found = within(dir.path(), file);
            assert!(matches!(found, Err(Refusal::File(_))) || file.is_empty(), "{file}");
        }
    }
}
