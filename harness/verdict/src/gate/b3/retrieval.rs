//! Every way out: who sees what, which explorations are kept once they were asked for, and the answers about
//! an id that does not exist and from a store that cannot be used.

use record::Profile;
use serde_json::json;

use super::{
    matrix::{Retrieval, StoreMatrix, WithoutSession},
    script::{Script, Source, Want},
};

const DESCRIBE: &str = "lcm.describe.readback";
const READ: &str = "lcm.read.readback";
const EXPAND: &str = "lcm.expand.readback";

/// The ways in by which the scenarios store contents: one that keeps explorations in both profiles, and one
/// that does not in the parity profile. Both store a content of any size here.
const KEPT: &str = "volt.map_shared.persist";
const PLAIN: &str = "lcm.tool_output.create";
const ANY_SIZE: [&str; 3] = ["serve", "--large-tool-output-token-threshold", "1"];
/// The asker's session in the lineage matrix, and one that nobody made.
const ASKER: &str = "self";
const NOBODY: &str = "nobody";
const CALLERS: [&str; 2] = ["main", "sub-agent"];

/// The scenarios of the ways out.
pub(super) fn scripts(matrix: &StoreMatrix, profile: Profile) -> Vec<Script> {
    vec![lineage(matrix, profile), states(matrix, profile)]
}

/// How a path is asked for.
fn operation(path: &str) -> Option<&'static str> {
    [(DESCRIBE, "describe"), (READ, "read"), (EXPAND, "expand")]
        .into_iter()
        .find_map(|(known, operation)| (known == path).then_some(operation))
}

/// Contents of every relation, asked for by both callers, in a session and without one.
fn lineage(matrix: &StoreMatrix, profile: Profile) -> Script {
    let mut script = Script::new("lineage".to_owned());
    script.process(&ANY_SIZE);
    for session in &matrix.lineage.sessions {
        let id = session.id.as_str();
        let made = json!({ "op": "session", "session": id, "parent": session.parent });
        script.ask(&format!("session/{id}"), made);
        for (name, path) in [("kept", KEPT), ("plain", PLAIN)] {
            let fields = json!({ "session": id, "path": path, "name": "content.txt" });
            script.put(&format!("{name}/{id}"), fields, None, text(name, id));
        }
        let message = json!({ "op": "message", "session": id, "role": "user", "text": said(id) });
        script.ask(&format!("message/{id}"), message);
        let summary = json!({ "op": "summary", "session": id, "messages": [1], "text": "summed" });
        script.ask(&format!("summary/{id}"), summary);
    }
    script.process(&["serve"]);
    for (entry, row) in matrix.ways_out(profile) {
        let Some(operation) = operation(&entry.id) else { continue };
        for caller in CALLERS {
            let fields = json!({
                "op": operation, "session": ASKER, "caller": caller, "id": "file_0000000000000000",
            });
            let name = format!("{operation}/unknown/{caller}");
            let unknown = script.ask(&name, fields);
            script.expect(
                &entry.id,
                &format!("unknown_id_{}", word(caller)),
                &unknown,
                [
                    ("/code", Want::Is(25.into())),
                    ("/answer", Want::Nothing),
                    ("/error", Want::Text),
                ],
            );
            for owner in matrix.lineage.sessions.iter().map(|session| session.id.as_str()) {
                for asker in [ASKER, NOBODY] {
                    let sees = if asker == NOBODY {
                        row.without_session == WithoutSession::Everything
                    } else {
                        matrix.lineage.visible.contains(owner)
                    };
                    let may = !row.sub_agents_only || caller == "sub-agent";
                    let ask = Ask { path: &entry.id, operation, owner, caller, asker };
                    ask.all(&mut script, profile, &row, sees && may);
                }
            }
        }
    }
    script
}

/// One session asks for what another has.
struct Ask<'a> {
    path: &'a str,
    operation: &'static str,
    owner: &'a str,
    caller: &'a str,
    asker: &'a str,
}

impl Ask<'_> {
    fn all(&self, script: &mut Script, profile: Profile, row: &Retrieval, allowed: bool) {
        let Self { path, operation, owner, caller, asker } = self;
        let without = if *asker == NOBODY { "_without_session" } else { "" };
        let metric = format!("{owner}_{}{without}", word(caller));
        for target in ["kept", "plain", "summary"] {
            // A summary is described and expanded, not read.
            if target == "summary" && *operation == "read" {
                continue;
            }
            let name = format!("{operation}/{target}/{owner}/{caller}/{asker}");
            let fields = json!({ "op": operation, "session": asker, "caller": caller });
            let answer = script.ask_about(&name, &format!("{target}/{owner}"), fields);
            if !allowed {
                // An answer does not distinguish what may not be seen from what does not exist.
                let unknown = format!("{operation}/unknown/{caller}");
                script.expect(
                    path,
                    &metric,
                    &answer,
                    [
                        ("/code", Want::Is(25.into())),
                        ("/answer", Want::Nothing),
                        ("/error", Want::As(unknown)),
                    ],
                );
                continue;
            }
            script.expect(path, &metric, &answer, [("/code", Want::Is(0.into()))]);
            let content = text(target, owner).0;
            match (*operation, target) {
                ("describe", "summary") => script.expect(
                    path,
                    &metric,
                    &answer,
                    [
                        ("/answer/kind", Want::Is("summary".into())),
                        ("/answer/content/text", Want::Is("summed".into())),
                    ],
                ),
                ("describe", _) => {
                    let persisted = target == "kept" || !profile.is_parity();
                    let explorer = if persisted { Want::Explorer } else { Want::Nothing };
                    let summary = if persisted { Want::Text } else { Want::Nothing };
                    script.expect(
                        path,
                        &metric,
                        &answer,
                        [
                            ("/answer/kind", Want::Is("file".into())),
                            ("/answer/persisted", Want::Is(persisted.into())),
                            ("/answer/explorer_used", explorer),
                            ("/answer/exploration_summary", summary),
                        ],
                    );
                }
                ("expand", "summary") => script.expect(
                    path,
                    &metric,
                    &answer,
                    [
                        ("/answer/messages/0/text", Want::Is(said(owner).into())),
                        ("/answer/messages/0/session", Want::Is((*owner).into())),
                        ("/answer/messages/1", Want::Nothing),
                    ],
                ),
                ("expand", _) if !row.gives_files => script.expect(
                    path,
                    &metric,
                    &answer,
                    [("/answer/message", Want::Text), ("/answer/text", Want::Nothing)],
                ),
                _ => script.expect(
                    path,
                    &metric,
                    &answer,
                    [("/answer/text", Want::Is(content.into()))],
                ),
            }
        }
    }
}

/// A content without an exploration is asked for, and a store that cannot be used is asked.
fn states(matrix: &StoreMatrix, profile: Profile) -> Script {
    let mut script = Script::new("states".to_owned());
    let ways: Vec<_> = matrix
        .ways_out(profile)
        .filter_map(|(entry, _)| Some((entry, operation(&entry.id)?)))
        .collect();
    script.without_explorers(&ANY_SIZE);
    for (_, operation) in &ways {
        let fields = json!({ "session": ASKER, "path": PLAIN, "name": "content.txt" });
        script.put(operation, fields, None, text("plain", operation));
    }
    let before = script.process(&["export"]);
    script.process(&["serve"]);
    for (_, operation) in &ways {
        let fields = json!({ "op": operation, "session": ASKER, "caller": "sub-agent" });
        script.ask_about(&format!("ask/{operation}"), operation, fields);
    }
    let after = script.process(&["export"]);
    for (entry, operation) in &ways {
        let row = |process| Source::Row(process, (*operation).to_owned());
        let metric = "missing_exploration";
        script.expect(&entry.id, metric, &row(before), [("/explorer_used", Want::Nothing)]);
        let explorer = if entry.persists(profile) { Want::Explorer } else { Want::Nothing };
        let answer = Source::Answer(format!("ask/{operation}"));
        script.expect(&entry.id, metric, &answer, [("/code", Want::Is(0.into()))]);
        script.expect(&entry.id, metric, &row(after), [("/explorer_used", explorer)]);
    }
    script.without_store();
    for (entry, operation) in &ways {
        let fields = json!({ "op": operation, "session": ASKER, "caller": "sub-agent" });
        let answer = script.ask_about(&format!("damaged/{operation}"), operation, fields);
        script.expect(
            &entry.id,
            "store_failure",
            &answer,
            [("/code", Want::Is(74.into())), ("/answer", Want::Nothing), ("/error", Want::Text)],
        );
    }
    script
}

/// A content of a few tokens. No two of a session are equal, or the store would keep them as one.
fn text(target: &str, owner: &str) -> (String, usize) {
    (format!("alpha beta gamma, {target} of {owner}\n"), 1)
}

/// A message.
fn said(owner: &str) -> String {
    format!("{owner} was asked")
}

/// A caller as a part of a name.
fn word(caller: &str) -> &str {
    if caller == "main" { "main" } else { "sub_agent" }
}
