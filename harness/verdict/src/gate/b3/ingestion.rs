//! Every way in: it succeeds, it fails in each way that it can, its settings are on and off, and another
//! process describes and reads what it stored.

use record::Profile;
use serde_json::{Value, json};

use super::{
    matrix::{Entry, Ingestion, Storage, StoreMatrix, Unit, Unstored},
    script::{Script, Source, Want},
};

/// The session of the scenarios, and one that nobody made.
const SESSION: &str = "s";
const NOBODY: &str = "nobody";
/// The number of tokens above which the output of a tool is large, for the process that sets it.
const LOW: usize = 20;

/// The scenario of each way in.
pub(super) fn scripts(matrix: &StoreMatrix, profile: Profile) -> Vec<Script> {
    let script = |(entry, row)| Way { matrix, profile, entry, row }.script();
    matrix.ways_in(profile).map(script).collect()
}

/// A way in, in one profile.
struct Way<'a> {
    matrix: &'a StoreMatrix,
    profile: Profile,
    entry: &'a Entry,
    row: Ingestion,
}

impl Way<'_> {
    fn script(&self) -> Script {
        let mut script = Script::new(self.entry.id.clone());
        self.success_and_refusals(&mut script);
        self.explorer_fails(&mut script);
        self.store_fails(&mut script);
        self.settings(&mut script);
        self.file_changes(&mut script);
        let check = script.process(&["check", "--json"]);
        self.expect(
            &mut script,
            "store_intact",
            &Source::Printed(check),
            [("/intact", Want::Is(true.into()))],
        );
        script
    }

    /// A large content is stored, a small one is left alone; and a content whose session or file does not
    /// exist is handled as the matrix says.
    fn success_and_refusals(&self, script: &mut Script) {
        script.process(&["serve"]);
        script.ask("session", json!({ "op": "session", "session": SESSION }));
        let success = self.put(script, "success", SESSION, 1);
        self.stored(script, "success", &success, self.row.explores);
        if let Some(above) = &self.row.above {
            let small = (above.unit.text().to_owned(), above.limit);
            let file = self.file().then_some("small.txt");
            let put = script.put("small", self.fields(SESSION), file, small.clone());
            self.left_alone(script, "below_limit", &put, "below_threshold", &small);
        }
        let orphan = self.put(script, "no_session", NOBODY, 2);
        if self.row.makes_session {
            self.stored(script, "no_session", &orphan, self.row.explores);
        } else {
            self.unstored(script, "no_session", &orphan, 0, &self.text(2));
        }
        let mut absent = self.fields(SESSION);
        absent["op"] = "put".into();
        absent["file"] = "absent.txt".into();
        let absent = script.ask("absent", absent);
        let wants =
            [("/code", Want::Is(74.into())), ("/answer", Want::Nothing), ("/error", Want::Text)];
        self.expect(script, "unreadable_file", &absent, wants);

        let export = script.process(&["export"]);
        self.row(script, "success", export, "success", &self.kept());
        if self.row.makes_session {
            self.row(script, "no_session", export, "no_session", &self.kept());
            let source = Source::Row(export, "no_session".to_owned());
            self.expect(script, "no_session", &source, [("/session", Want::Is(NOBODY.into()))]);
        }
        self.read_back(script, "success", 1, &self.kept());
    }

    /// No explorer can work: the content is still stored.
    fn explorer_fails(&self, script: &mut Script) {
        script.without_explorers(&["serve"]);
        let put = self.put(script, "explorer_failure", SESSION, 3);
        self.stored(script, "explorer_failure", &put, false);
        let noted = if self.row.persists_exploration {
            self.row.failed_explorer.clone().map_or(Kept::Nothing, Kept::Explorer)
        } else {
            Kept::Nothing
        };
        let export = script.process(&["export"]);
        self.row(script, "explorer_failure", export, "explorer_failure", &noted);
        // If the way out keeps explorations, a missing one is made when it is asked for.
        let described = match noted {
            Kept::Nothing if !self.profile.is_parity() => Kept::Exploration,
            noted => noted,
        };
        self.read_back(script, "explorer_failure", 3, &described);
    }

    /// The store cannot be used: the agent still gets a text.
    fn store_fails(&self, script: &mut Script) {
        script.without_store();
        let long = match self.row.unstored {
            Unstored::Whole => self.text(4),
            Unstored::Truncated => (" a".to_owned(), self.matrix.truncated_characters),
        };
        let file = self.file().then_some("unstored.txt");
        let put = script.put("store_failure", self.fields(SESSION), file, long.clone());
        self.unstored(script, "store_failure", &put, 74, &long);
    }

    /// The settings: a path obeys those that the inventory lists for it, and no others.
    fn settings(&self, script: &mut Script) {
        script.process(&["serve", "--disable-large-tool-output"]);
        let disabled = self.put(script, "disabled", SESSION, 5);
        if self.entry.obeys("disable_large_tool_output") {
            self.left_alone(script, "disabled", &disabled, "disabled", &self.text(5));
        } else {
            self.stored(script, "disabled", &disabled, self.row.explores);
        }
        let Some(above) = &self.row.above else { return };
        script.process(&["serve", "--large-tool-output-token-threshold", &LOW.to_string()]);
        for (name, times) in [("at_threshold", LOW), ("above_threshold", LOW + 1)] {
            let text = (above.unit.text().to_owned(), times);
            let file = format!("{name}.txt");
            let file = self.file().then_some(file.as_str());
            let put = script.put(name, self.fields(SESSION), file, text.clone());
            if times > LOW && self.entry.obeys("large_tool_output_token_threshold") {
                self.stored(script, "threshold", &put, self.row.explores);
            } else {
                self.left_alone(script, "threshold", &put, "below_threshold", &text);
            }
        }
    }

    /// A file that was stored is changed: a content that is kept by its path is gone, and the answer says so.
    fn file_changes(&self, script: &mut Script) {
        if !self.file() {
            return;
        }
        script.process(&["serve"]);
        let (name, _) = self.matrix.large(&self.row, 1);
        script.write(&name, &("Something else.\n".to_owned(), 1));
        let asked = json!({ "op": "read", "session": SESSION, "caller": "sub-agent" });
        let read = script.ask_about("changed", "success", asked);
        let wants = match self.row.storage {
            Storage::Path => [("/code", Want::Is(74.into())), ("/answer", Want::Nothing)],
            Storage::Inline => {
                [("/code", Want::Is(0.into())), ("/answer/text", Want::Is(repeat(&self.text(1))))]
            }
        };
        self.expect(script, "file_changed", &read, wants);
    }

    /// Another process describes what was stored, and reads it.
    fn read_back(&self, script: &mut Script, about: &str, number: usize, kept: &Kept) {
        script.process(&["serve"]);
        let metric = format!("{about}_readback");
        let text = repeat(&self.text(number));
        let bytes = text.as_str().unwrap_or_default().len();
        for caller in ["main", "sub-agent"] {
            let asked = json!({ "op": "describe", "session": SESSION, "caller": caller });
            let described = script.ask_about(&format!("{metric}/{caller}"), about, asked);
            let persisted = !matches!(kept, Kept::Nothing);
            let wants = [
                ("/code", Want::Is(0.into())),
                ("/answer/kind", Want::Is("file".into())),
                ("/answer/bytes", Want::Is(bytes.into())),
                ("/answer/persisted", Want::Is(persisted.into())),
                ("/answer/exploration_summary", kept.summary()),
                ("/answer/explorer_used", kept.explorer()),
            ];
            self.expect(script, &metric, &described, wants);
        }
        let asked = json!({ "op": "read", "session": SESSION, "caller": "sub-agent" });
        let read = script.ask_about(&format!("{metric}/read"), about, asked);
        let wants = [("/code", Want::Is(0.into())), ("/answer/text", Want::Is(text))];
        self.expect(script, &metric, &read, wants);
    }

    /// The answer about a content that was stored.
    fn stored(&self, script: &mut Script, metric: &str, put: &Source, explored: bool) {
        let failed = !explored && self.row.explores;
        let noted = self.row.failed_explorer.is_some();
        let persisted = self.row.persists_exploration && (!failed || noted);
        let kind = match self.row.storage {
            Storage::Path => "path",
            Storage::Inline => "inline_text",
        };
        let wants = [
            ("/code", Want::Is(0.into())),
            ("/error", Want::Nothing),
            ("/answer/stored", Want::Is(true.into())),
            ("/answer/reason", Want::Nothing),
            ("/answer/storage_kind", Want::Is(kind.into())),
            ("/answer/exploration_persisted", Want::Is(persisted.into())),
            ("/answer/explorer_used", if explored { Want::Explorer } else { Want::Nothing }),
            ("/answer/text", Want::HoldsId),
        ];
        self.expect(script, metric, put, wants);
        // Only the outputs of tools have a preview. Their limit is in tokens.
        let large = self.row.above.as_ref().filter(|above| above.unit == Unit::Tokens);
        if let (Some(above), "success") = (large, metric) {
            let shown = self.matrix.preview_characters;
            let text = above.unit.text();
            let preview = text.repeat(shown / text.len());
            let more = format!("{preview}{text}");
            let wants =
                [("/answer/text", Want::Holds(preview)), ("/answer/text", Want::Lacks(more))];
            self.expect(script, metric, put, wants);
        }
    }

    /// The answer about a content that was not to be stored: the content.
    fn left_alone(
        &self,
        script: &mut Script,
        metric: &str,
        put: &Source,
        reason: &str,
        text: &(String, usize),
    ) {
        let wants = [
            ("/code", Want::Is(0.into())),
            ("/answer/id", Want::Nothing),
            ("/answer/stored", Want::Is(false.into())),
            ("/answer/reason", Want::Is(reason.into())),
            ("/answer/explorer_used", Want::Nothing),
            ("/answer/text", Want::Is(repeat(text))),
        ];
        self.expect(script, metric, put, wants);
    }

    /// The answer about a content that could not be stored: its beginning, or all of it.
    fn unstored(
        &self,
        script: &mut Script,
        metric: &str,
        put: &Source,
        code: u8,
        text: &(String, usize),
    ) {
        let most = self.matrix.truncated_characters;
        let all = text.0.repeat(text.1);
        let cut = self.row.unstored == Unstored::Truncated && all.chars().count() > most;
        let shown: String = all.chars().take(most).collect();
        let wants = [
            ("/code", Want::Is(code.into())),
            ("/error", Want::Text),
            ("/answer/id", Want::Nothing),
            ("/answer/stored", Want::Is(false.into())),
            ("/answer/reason", Want::Is("failed".into())),
            ("/answer/text", if cut { Want::Begins(shown.clone()) } else { Want::Is(all.into()) }),
        ];
        self.expect(script, metric, put, wants);
        if cut {
            let more = format!("{shown}{}", text.0);
            self.expect(script, metric, put, [("/answer/text", Want::Lacks(more))]);
        }
    }

    /// The row in the database, as another process exported it.
    fn row(&self, script: &mut Script, metric: &str, export: usize, name: &str, kept: &Kept) {
        let source = Source::Row(export, name.to_owned());
        let wants = [
            ("/kind", Want::Is("file".into())),
            ("/exploration_summary", kept.summary()),
            ("/explorer_used", kept.explorer()),
        ];
        self.expect(script, metric, &source, wants);
    }

    /// What the database keeps of the exploration of a content.
    const fn kept(&self) -> Kept {
        if self.row.persists_exploration { Kept::Exploration } else { Kept::Nothing }
    }

    fn put(&self, script: &mut Script, name: &str, session: &str, number: usize) -> Source {
        let (file, text) = self.matrix.large(&self.row, number);
        let mut fields = self.fields(session);
        if !self.file() {
            fields["name"] = file.as_str().into();
        }
        script.put(name, fields, self.file().then_some(file.as_str()), text)
    }

    fn fields(&self, session: &str) -> Value {
        json!({ "session": session, "path": self.entry.id, "tool": "tool" })
    }

    fn text(&self, number: usize) -> (String, usize) {
        self.matrix.large(&self.row, number).1
    }

    /// Whether it stores files.
    fn file(&self) -> bool {
        self.matrix.takes_files(&self.entry.id)
    }

    fn expect<const N: usize>(
        &self,
        script: &mut Script,
        metric: &str,
        source: &Source,
        wants: [(&'static str, Want); N],
    ) {
        script.expect(&self.entry.id, metric, source, wants);
    }
}

/// What the database keeps of an exploration.
#[derive(Debug, Clone)]
enum Kept {
    Nothing,
    Exploration,
    /// A note that there is none, of this explorer.
    Explorer(String),
}

impl Kept {
    const fn summary(&self) -> Want {
        match self {
            Self::Nothing => Want::Nothing,
            Self::Exploration | Self::Explorer(_) => Want::Text,
        }
    }

    fn explorer(&self) -> Want {
        match self {
            Self::Nothing => Want::Nothing,
            Self::Exploration => Want::Explorer,
            Self::Explorer(name) => Want::Is(name.as_str().into()),
        }
    }
}

fn repeat((text, times): &(String, usize)) -> Value {
    text.repeat(*times).into()
}
