//! A scenario together with the answers that are expected.

use std::collections::BTreeMap;

use record::{Capture, Edit, Scenario, StoreIds, StoreProcess, StoreRequest};
use serde_json::{Map, Value, json};

/// Where the store is.
const STORE: &str = "lcm.sqlite";
/// A file that is no store.
const NO_STORE: &str = "no-store.txt";
/// A folder for temporary files that does not exist, so that no explorer can work.
const NOWHERE: &str = "/nonexistent";
/// Endings of the names of explorers in which a model had a part.
const MODELS: [&str; 2] = ["+llm", "+agent"];

/// A scenario with the checks on its answers.
#[derive(Debug)]
pub(super) struct Script {
    pub scenario: Scenario,
    checks: Vec<Check>,
}

/// One value in what was recorded, and what it must be.
#[derive(Debug)]
struct Check {
    case: String,
    metric: String,
    source: Source,
    pointer: &'static str,
    want: Want,
}

/// Where a value is.
#[derive(Debug, Clone)]
pub(super) enum Source {
    /// The answer to a request, with its code.
    Answer(String),
    /// The row of the database that a request has made, in the export of a process.
    Row(usize, String),
    /// The JSON that a process printed.
    Printed(usize),
}

/// What a value must be.
#[derive(Debug, Clone)]
pub(super) enum Want {
    /// Exactly this.
    Is(Value),
    /// Null or absent.
    Nothing,
    /// A text that is not empty.
    Text,
    /// The name of an explorer in which no model had a part.
    Explorer,
    /// A text that holds the id in the same answer.
    HoldsId,
    /// A text that holds this.
    Holds(String),
    /// A text that does not hold this.
    Lacks(String),
    /// A text that begins with this.
    Begins(String),
    /// The same as in the answer to another request.
    As(String),
}

/// The result of one check: its case and metric, and what is wrong.
pub(super) type Finding<'a> = (&'a str, &'a str, Result<(), String>);

impl Script {
    pub(super) const fn new(id: String) -> Self {
        Self { scenario: Scenario { id, processes: Vec::new() }, checks: Vec::new() }
    }

    /// Adds a process on the store of the scenario. It gets the requests that follow. Returns its number.
    pub(super) fn process(&mut self, args: &[&str]) -> usize {
        self.process_on(STORE, args)
    }

    /// Adds a process on a file that is no store. Returns its number.
    pub(super) fn without_store(&mut self) -> usize {
        let number = self.process_on(NO_STORE, &["serve"]);
        self.write(NO_STORE, &("This is no store.\n".to_owned(), 100));
        number
    }

    /// Adds a process whose explorers cannot work. Returns its number.
    pub(super) fn without_explorers(&mut self, args: &[&str]) -> usize {
        let number = self.process(args);
        if let Some(process) = self.scenario.processes.last_mut() {
            process.env.insert("TMPDIR".to_owned(), NOWHERE.to_owned());
        }
        number
    }

    fn process_on(&mut self, store: &str, args: &[&str]) -> usize {
        let mut all: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
        all.extend(["--store", store].map(str::to_owned));
        self.scenario.processes.push(StoreProcess { args: all, ..StoreProcess::default() });
        self.scenario.processes.len() - 1
    }

    /// Writes a file before the last process starts.
    pub(super) fn write(&mut self, path: &str, text: &(String, usize)) {
        let edit = json!({ "path": path, "parts": [text] });
        if let (Some(process), Ok(edit)) =
            (self.scenario.processes.last_mut(), serde_json::from_value::<Edit>(edit))
        {
            process.edits.push(edit);
        }
    }

    /// Asks the last process.
    pub(super) fn ask(&mut self, name: &str, fields: Value) -> Source {
        self.ask_of(name, fields, None, None)
    }

    /// Asks the last process about the id that an earlier process gave.
    pub(super) fn ask_about(&mut self, name: &str, about: &str, fields: Value) -> Source {
        self.ask_of(name, fields, None, Some(about))
    }

    /// Gives a content to the last process: its text, or the file that it is written to.
    pub(super) fn put(
        &mut self,
        name: &str,
        mut fields: Value,
        file: Option<&str>,
        text: (String, usize),
    ) -> Source {
        fields["op"] = "put".into();
        if let Some(file) = file {
            self.write(file, &text);
            fields["file"] = file.into();
            return self.ask(name, fields);
        }
        self.ask_of(name, fields, Some(text), None)
    }

    fn ask_of(
        &mut self,
        name: &str,
        fields: Value,
        text: Option<(String, usize)>,
        about: Option<&str>,
    ) -> Source {
        let fields: Map<String, Value> = match fields {
            Value::Object(fields) => fields,
            _ => Map::new(),
        };
        if let Some(process) = self.scenario.processes.last_mut() {
            let about = about.map(str::to_owned);
            process.requests.push(StoreRequest { name: name.to_owned(), fields, text, about });
        }
        Source::Answer(name.to_owned())
    }

    /// Adds the values that must be found somewhere, for the cell of a case and metric.
    pub(super) fn expect<const N: usize>(
        &mut self,
        case: &str,
        metric: &str,
        source: &Source,
        wants: [(&'static str, Want); N],
    ) {
        self.checks.extend(wants.into_iter().map(|(pointer, want)| Check {
            case: case.to_owned(),
            metric: metric.to_owned(),
            source: source.clone(),
            pointer,
            want,
        }));
    }

    /// Checks the recordings of the processes against the expected values.
    pub(super) fn findings(&self, captures: &[Capture]) -> Vec<Finding<'_>> {
        let recorded = Recorded::of(&self.scenario, captures);
        let find = |check: &Check| {
            let found = recorded.value(&check.source, check.pointer);
            let held = recorded.holds(check, found.as_ref());
            let what = || {
                let (Check { source, pointer, want, .. }, found) = (check, shortened(&found));
                format!(
                    "{source:?} {pointer} is {found}, wanted {}",
                    shortened(&json!(format!("{want:?}")))
                )
            };
            held.then_some(()).ok_or_else(what)
        };
        let mut findings: Vec<Finding<'_>> = self
            .checks
            .iter()
            .map(|check| (check.case.as_str(), check.metric.as_str(), find(check)))
            .collect();
        // A process that did not end well counts as having answered nothing, whatever it printed.
        let id = self.scenario.id.as_str();
        for (number, _) in self.scenario.processes.iter().enumerate() {
            let ended = captures.get(number).is_some_and(Capture::succeeded);
            let why = || format!("process {number} did not end well");
            findings.push((id, "processes_ended", ended.then_some(()).ok_or_else(why)));
        }
        findings
    }
}

/// The answers and rows of a scenario.
struct Recorded {
    answers: BTreeMap<String, Value>,
    ids: StoreIds,
    printed: Vec<Vec<Value>>,
}

impl Recorded {
    fn of(scenario: &Scenario, captures: &[Capture]) -> Self {
        let mut recorded =
            Self { answers: BTreeMap::new(), ids: StoreIds::new(), printed: Vec::new() };
        for (process, capture) in scenario.processes.iter().zip(captures) {
            let stdout = &capture.stdout.bytes;
            process.learn(stdout, &mut recorded.ids);
            let names = process.requests.iter().map(|request| request.name.clone());
            recorded.answers.extend(names.zip(process.answers(stdout)));
            let lines = stdout.split(|byte| *byte == b'\n');
            recorded
                .printed
                .push(lines.filter_map(|line| serde_json::from_slice(line).ok()).collect());
        }
        recorded
    }

    fn object(&self, source: &Source) -> Option<&Value> {
        match source {
            Source::Answer(name) => self.answers.get(name),
            Source::Printed(process) => self.printed.get(*process)?.first(),
            Source::Row(process, name) => {
                let id = self.ids.get(name)?;
                let is_row = |line: &&Value| line.get("id").and_then(Value::as_str) == Some(id);
                self.printed.get(*process)?.iter().find(is_row)
            }
        }
    }

    /// A value; absent if the object that it should be in does not exist.
    fn value(&self, source: &Source, pointer: &str) -> Option<Value> {
        let object = self.object(source).filter(|object| object.is_object())?;
        Some(object.pointer(pointer).cloned().unwrap_or_default())
    }

    fn holds(&self, check: &Check, found: Option<&Value>) -> bool {
        let Some(found) = found else { return false };
        let text = found.as_str();
        match &check.want {
            Want::Is(value) => found == value,
            Want::Nothing => found.is_null(),
            Want::Text => text.is_some_and(|text| !text.is_empty()),
            Want::Explorer => text.is_some_and(|text| {
                !text.is_empty() && !MODELS.iter().any(|model| text.contains(model))
            }),
            Want::HoldsId => {
                let id = self.value(&check.source, "/answer/id");
                let id = id.as_ref().and_then(Value::as_str).filter(|id| !id.is_empty());
                text.zip(id).is_some_and(|(text, id)| text.contains(id))
            }
            Want::Holds(part) => text.is_some_and(|text| text.contains(part)),
            Want::Lacks(part) => text.is_some_and(|text| !text.contains(part)),
            Want::Begins(start) => text.is_some_and(|text| text.starts_with(start)),
            Want::As(name) => {
                let other = self.value(&Source::Answer(name.clone()), check.pointer);
                !found.is_null() && other.as_ref() == Some(found)
            }
        }
    }
}

/// Characters of a value in a note.
const SHOWN: usize = 80;

fn shortened(value: &impl serde::Serialize) -> String {
    let text = serde_json::to_string(value).unwrap_or_default();
    let end = text.char_indices().nth(SHOWN).map_or(text.len(), |(end, _)| end);
    let shown = text.get(..end).unwrap_or_default();
    if end < text.len() { format!("{shown} and more") } else { shown.to_owned() }
}
