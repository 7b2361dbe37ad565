//! What both sides are asked about models: a map for each model, with the budget that the model itself decides.

use serde_json::{Value, json};

use crate::{Asked, Case, Plan, PlannedCorpus};

/// The cases that each model of a corpus is asked for.
#[derive(Debug, Clone, Copy)]
pub struct ModelCases<'a> {
    /// With a file in the chat: the search aims at the model's default budget.
    pub chat: &'a Case,
    /// Without a chat: the search aims at a multiple of it, as far as the model's window has room.
    pub plain: &'a Case,
}

impl<'a> ModelCases<'a> {
    /// The first case of each kind; `None` if the corpus has no models or lacks such a case.
    pub fn of(corpus: &'a PlannedCorpus) -> Option<Self> {
        let first = |chat| corpus.cases.iter().find(|case| case.chat_files.is_empty() != chat);
        let cases = Self { chat: first(true)?, plain: first(false)? };
        (!corpus.models.is_empty()).then_some(cases)
    }

    /// Both, in the order in which they are asked.
    pub const fn both(self) -> [&'a Case; 2] {
        [self.chat, self.plain]
    }
}

impl Plan {
    /// The call of the process that makes our maps for all models of a corpus: two for each, in the order of
    /// [`ModelCases::both`]. No budget and no multiplier is given, so both are those that the program chooses.
    pub(crate) fn model_maps(&self, corpus: &PlannedCorpus) -> Option<Asked> {
        let cases = ModelCases::of(corpus)?.both();
        let mut args = corpus.view.map_arguments();
        args.extend(["--refresh", "files", "--profile", self.profile.as_str()].map(str::to_owned));
        args.extend(["--requests", "-"].map(str::to_owned));
        let request = |model: &String, case: &Case| {
            let request = json!({
                "model": model,
                "chat_files": case.chat_files,
                "read_only_files": case.read_only_files,
                "message": case.message,
                "trace": "ranking",
            });
            format!("{request}\n")
        };
        let lines = corpus
            .models
            .iter()
            .flat_map(|model| cases.map(|case| request(model, case)))
            .collect::<String>();
        Some(Asked { stdin: lines.into_bytes(), ..Asked::new(args) })
    }
}

/// The driver's requests for the canonical maps of a corpus, one for each of its models. The sizes are left to the
/// comparator.
pub fn models_request(corpus: &PlannedCorpus) -> Option<Value> {
    let cases = ModelCases::of(corpus)?.both().map(|case| {
        json!({
            "id": case.id,
            "map_tokens": null,
            "chat_files": case.chat_files,
            "read_only_files": case.read_only_files,
            "message": case.message,
        })
    });
    let request = |model: &String| {
        let mut request = json!({
            "schema_version": 1,
            "mode": "canonical",
            "model": model,
            "refresh": "auto",
            "cases": cases,
        });
        corpus.view.ask(&mut request);
        request
    };
    Some(corpus.models.iter().map(request).collect())
}
