//! The alterations: what is altered, for which gate, and the metric that must show it.

use std::cell::RefCell;

use record::protocol::PATHS;
use serde_json::{Value, json};
use verdict::gate::GateId;

use super::Folder;

/// One way to alter recordings.
pub struct Alteration {
    /// The gate that must not pass.
    pub gate: GateId,
    /// What is altered.
    pub what: &'static str,
    /// The metric that shows it.
    pub metric: &'static str,
    /// Makes the alteration.
    pub alter: fn(&mut Folder),
}

const fn alteration(
    gate: GateId,
    what: &'static str,
    metric: &'static str,
    alter: fn(&mut Folder),
) -> Alteration {
    Alteration { gate, what, metric, alter }
}

/// Every alteration, at least two for each gate.
pub const ALL: &[Alteration] = &[
    alteration(GateId::VerticalSlice, "one repeat ends otherwise", "repeats_identical", |folder| {
        folder.lines("slice/repeat/9", |_, map| append(map, "x"));
    }),
    alteration(
        GateId::VerticalSlice,
        "no bare files among the candidates",
        "stage_invariants",
        |folder| {
            folder.lines("slice/maps", |_, map| {
                candidates(map).retain(|entry| entry[0] != 3);
            });
        },
    ),
    alteration(GateId::VerticalSlice, "another probe is kept", "budget_acceptance", |folder| {
        folder.lines("slice/maps", |_, map| alter_probe(map));
    }),
    alteration(GateId::A1, "candidates in reverse order", "spearman_top", |folder| {
        folder.lines("flask/maps", |_, map| candidates(map).reverse());
    }),
    alteration(GateId::A1, "candidates of other files", "jaccard_top", |folder| {
        folder.lines("flask/maps", |_, map| {
            for entry in candidates(map) {
                entry[1] = json!(format!("other/{}", entry[1].as_str().unwrap()));
            }
        });
    }),
    alteration(GateId::A2, "a definition in a later stage", "stage_membership", |folder| {
        folder.lines("requests/maps", |_, map| candidates(map)[0][0] = json!(2));
    }),
    alteration(GateId::A2, "a map without its last line", "rendered_text", |folder| {
        folder.lines("requests/maps", |_, map| {
            let text = map["text"].as_str().unwrap().trim_end();
            map["text"] = json!(text.rsplit_once('\n').map_or("", |(head, _)| head));
        });
    }),
    alteration(
        GateId::A3,
        "a conservative count that is lower",
        "safety_count_recounted",
        |folder| {
            folder.lines("flask/maps", |_, map| {
                map["safety_token_count"] =
                    json!(map["safety_token_count"].as_f64().unwrap() - 1.0);
            });
        },
    ),
    alteration(GateId::A3, "an estimate that is higher", "probes_equal", |folder| {
        folder.lines("flask/maps", |_, map| alter_probe(map));
    }),
    alteration(GateId::A3, "a model with another window", "model_window", |folder| {
        folder.lines("slice/models/maps", |number, map| {
            if number < 2 {
                map["model"]["max_input_tokens"] = json!(9_000);
            }
        });
    }),
    alteration(GateId::A3, "a comparator with another window", "model_window", |folder| {
        folder.lines("slice/models/comparator", |number, answer| {
            if number == 0 {
                answer["cases"][0]["repo_map"]["max_context_window"] = json!(9_000);
            }
        });
    }),
    alteration(GateId::A3, "another default budget", "model_default_budget", |folder| {
        folder.lines("slice/models/maps", |number, map| {
            if number < 2 {
                map["model"]["default_map_tokens"] = json!(1024.5);
            }
        });
    }),
    alteration(GateId::A3, "a target that is higher", "model_target", |folder| {
        folder.lines("slice/models/maps", |number, map| {
            if number == 1 {
                let target = &mut last_attempt(map)["target_tokens"];
                *target = json!(target.as_f64().unwrap() + 1.0);
            }
        });
    }),
    alteration(GateId::A3, "a model that is counted otherwise", "model_tokenizer", |folder| {
        folder.lines("slice/models/comparator", |number, answer| {
            if number == 0 {
                let count = &mut last_attempt(&mut answer["cases"][0])["exact_token_count"];
                *count = json!(count.as_u64().unwrap() + 1);
            }
        });
    }),
    alteration(GateId::A3, "a model that is refused", "model_tokenizer", |folder| {
        folder.lines("slice/models/maps", |number, map| {
            if number < 12 {
                *map = json!({"schema_version": 1, "error": "no tokenizer", "model": map["model"]});
            }
        });
    }),
    // Lines 40 and 41 are the maps for `sonnet`, 0 and 1 those for `gpt-4o`, whose default budget is the same.
    alteration(GateId::A3, "Claude counted by cl100k_base", "model_tokenizer", |folder| {
        let others = RefCell::new(Vec::new());
        folder.lines("slice/models/maps", |number, map| match number {
            0 | 1 => others.borrow_mut().push(map.clone()),
            40 | 41 => {
                assert_eq!(map["model"]["name"], "claude-sonnet-4-5");
                let model = map["model"].take();
                *map = others.borrow()[number - 40].clone();
                map["model"] = model;
            }
            _ => {}
        });
    }),
    alteration(GateId::A3, "no answer about a model", "model_target", |folder| {
        folder.lines("slice/models/comparator", |number, answer| {
            if number == 0 {
                answer["error"] = json!({"kind": "child_died", "message": "it died"});
            }
        });
    }),
    alteration(GateId::A3, "answers that are in another order", "model_target", |folder| {
        folder.lines("slice/models/comparator", |number, answer| {
            if number < 2 {
                answer["model"] = json!(["gpt-4o-mini", "gpt-4o"][number]);
            }
        });
    }),
    alteration(GateId::A3, "no models at all", "model_target", |folder| {
        folder.remove("slice/models/maps");
    }),
    alteration(
        GateId::A6,
        "a model that is mapped with a setting of ours",
        "models_clean",
        |folder| {
            folder.lines("slice/models/maps", |number, map| {
                if number == 1 {
                    map["map_mul_no_files_effective"] = json!(1.0);
                }
            });
        },
    ),
    alteration(GateId::A4, "a kept map that is called new", "cached_equal", |folder| {
        folder.lines("slice/refresh/manual", |_, map| {
            map["cached"] = json!(!map["cached"].as_bool().unwrap_or_default());
        });
    }),
    alteration(GateId::A4, "a map of another time", "text_equal", |folder| {
        folder.lines("slice/refresh/always", |_, map| append(map, "x"));
    }),
    alteration(GateId::A5, "another map in another locale", "locale_identical", |folder| {
        folder.lines("requests/trial/locale/tr_TR.UTF-8", |_, map| append(map, "x"));
    }),
    alteration(
        GateId::A5,
        "another map with another number of threads",
        "threads_identical",
        |folder| {
            folder.lines("flask/trial/threads/16", |_, map| append(map, "x"));
        },
    ),
    alteration(GateId::A5, "a trial that failed", "creation_order_identical", |folder| {
        folder.capture("stages/trial/order", |capture| capture.exit_code = Some(1));
    }),
    alteration(GateId::A6, "a tier of the enhancement profile", "profile_object", |folder| {
        folder.lines("slice/maps", |_, map| {
            map["profile"]["enhancement_tiers_enabled"] = json!(["strict_budget"]);
        });
    }),
    alteration(GateId::A6, "a language of the enhancement profile", "parity_languages", |folder| {
        folder.lines("requests/maps", |_, map| map["languages"]["julia"] = json!(1));
    }),
    alteration(GateId::A6, "a repeat with another multiplier", "repeats_clean", |folder| {
        folder.lines("slice/repeat/3", |_, map| map["map_mul_no_files_effective"] = json!(8.0));
    }),
    alteration(GateId::B1, "every third symbol is missing", "symbol_recall", |folder| {
        folder.explorations(|found| {
            let mut number = 0;
            list(found, "symbols").retain(|_| {
                number += 1;
                number % 3 != 0
            });
        });
    }),
    alteration(GateId::B1, "as many symbols are invented", "symbol_precision", |folder| {
        folder.explorations(|found| {
            let symbols = list(found, "symbols");
            let mut invented = symbols.clone();
            for symbol in &mut invented {
                symbol["name"] = json!(format!("{}_x", symbol["name"].as_str().unwrap()));
            }
            symbols.append(&mut invented);
        });
    }),
    alteration(GateId::B1, "every import is local", "import_category_accuracy", |folder| {
        folder.explorations(|found| {
            for import in list(found, "imports") {
                import["category"] = json!("local");
            }
        });
    }),
    alteration(GateId::B1, "every symbol ends a line later", "end_line_accuracy", |folder| {
        folder.explorations(|found| {
            for symbol in list(found, "symbols") {
                symbol["end_line"] = json!(symbol["end_line"].as_u64().unwrap() + 1);
            }
        });
    }),
    alteration(
        GateId::B1,
        "every import takes the names of the next",
        "imported_names_accuracy",
        |folder| {
            folder.explorations(|found| {
                let imports = list(found, "imports");
                let mut names: Vec<_> =
                    imports.iter().map(|import| import["names"].clone()).collect();
                names.rotate_left(1.min(imports.len()));
                for (import, names) in imports.iter_mut().zip(names) {
                    import["names"] = names;
                }
            });
        },
    ),
    alteration(GateId::B2, "lists that are cut in silence", "lists_marked", |folder| {
        folder.explorations(|found| {
            let summary = found["summary"].as_str().unwrap_or_default().replace("...", "");
            found["summary"] = json!(summary);
        });
    }),
    alteration(GateId::B2, "totals that are one too high", "totals_true", |folder| {
        folder.explorations(|found| {
            for cut in list(found, "truncated") {
                cut["total"] = json!(cut["total"].as_u64().unwrap() + 1);
            }
        });
    }),
    alteration(GateId::B3, "an exploration that is said to be kept", "success", |folder| {
        folder.lines("slice/store/lcm.tool_output.create", |_, found| {
            if let Some(kept) = found.pointer_mut("/answer/exploration_persisted") {
                *kept = json!(true);
            }
        });
    }),
    alteration(GateId::B3, "an exploration that is in the database", "success", |folder| {
        folder.lines("slice/store/volt.tool.read.nonpersist/1", |_, row| {
            if row["kind"] == "file" {
                row["explorer_used"] = json!("text");
            }
        });
    }),
    alteration(GateId::B3, "an exploration that is not kept", "success_readback", |folder| {
        folder.lines("slice/store/volt.prompt.file.persist/2", |_, found| {
            found["answer"]["exploration_summary"] = json!(null);
        });
    }),
    alteration(GateId::B3, "a main agent that reads", "self_main", |folder| {
        folder.lines("slice/store/lineage/1", |_, found| {
            if found["code"] == 25 {
                found["code"] = json!(0);
                found["answer"] = json!({ "text": "what was stored" });
            }
        });
    }),
    alteration(GateId::B3, "a refusal that tells what there is", "unrelated_main", |folder| {
        folder.lines("slice/store/lineage/1", |number, found| {
            if found["code"] == 25 && number % 2 == 1 {
                found["error"] = json!("it belongs to another session");
            }
        });
    }),
    alteration(GateId::B3, "a path that is not registered", "registered", |folder| {
        folder.lines("slice/store/inventory", |_, found| {
            list(found, "paths").remove(0);
        });
    }),
    alteration(GateId::B3, "a path that nobody has seen taken", "traced", |folder| {
        folder.lines("slice/store/inventory", |_, found| {
            found["paths"][0]["traced"] = json!(["parity"]);
        });
    }),
    alteration(GateId::B3, "paths that keep all", "persistence_by_contract", |folder| {
        folder.lines("slice/store/inventory", |_, found| {
            for path in list(found, "paths") {
                path["persists_exploration_parity"] = json!(true);
            }
        });
    }),
    alteration(GateId::B3, "a path that keeps nothing", "enhancement_persists_all", |folder| {
        folder.lines("slice/store/inventory", |_, found| {
            found["paths"][0]["persists_exploration_enhanced"] = json!(false);
        });
    }),
    alteration(GateId::B3, "a path that is not in the inventory", "no_other_path", |folder| {
        folder.lines("slice/store/inventory", |_, found| {
            let mut another = found["paths"][0].clone();
            another["id"] = json!("lcm.another.path");
            list(found, "paths").push(another);
        });
    }),
    alteration(GateId::B3, "a path that is listed twice", "no_other_path", |folder| {
        folder.lines("slice/store/inventory", |_, found| {
            let mut again = found["paths"][0].clone();
            again["persists_exploration_parity"] = json!(true);
            list(found, "paths").push(again);
        });
    }),
    alteration(
        GateId::B3,
        "an inventory that keeps less than Volt",
        "persistence_by_contract",
        |folder| {
            folder.rules(PATHS, |inventory| {
                path(inventory, "volt.prompt.file.persist")["persists_exploration_parity"] =
                    json!(false);
            });
        },
    ),
    alteration(
        GateId::B3,
        "an inventory that keeps more of our own path",
        "registered",
        |folder| {
            folder.rules(PATHS, |inventory| {
                let own = path(inventory, "lcm.tool_output.create");
                own["persists_exploration_parity"] = json!(true);
            });
        },
    ),
    alteration(
        GateId::B3,
        "an inventory that lets enhancement forget",
        "enhancement_persists_all",
        |folder| {
            folder.rules(PATHS, |inventory| {
                let own = path(inventory, "lcm.tool_output.create");
                own["persists_exploration_enhanced"] = json!(false);
            });
        },
    ),
    alteration(GateId::B3, "an inventory that takes a path out of scope", "registered", |folder| {
        folder.rules(PATHS, |inventory| {
            path(inventory, "volt.prompt.file.persist")["in_scope"] = json!(false);
        });
    }),
    alteration(GateId::B5, "a map that differs", "gate_passes", |folder| {
        folder.lines("flask/maps", |_, map| append(map, "x"));
    }),
    alteration(GateId::B5, "a way in that does not succeed", "exploration_by_matrix", |folder| {
        folder.lines("slice/store/lcm.tool_output.create", |_, found| {
            found["answer"]["stored"] = json!(false);
        });
    }),
    alteration(GateId::B5, "a recording that is missing", "units_recorded", |folder| {
        folder.remove("slice/repeat/9");
    }),
    alteration(GateId::B5, "a recording that stands for two", "units_recorded", |folder| {
        folder.copy("slice/repeat/8", "slice/repeat/9");
    }),
    alteration(GateId::B5, "a program that was called otherwise", "called_as_planned", |folder| {
        folder.capture("slice/repeat/9", |capture| capture.argv.push("--cache-prompts".to_owned()));
    }),
    alteration(GateId::B5, "an explorer with a model", "deterministic_mode", |folder| {
        folder.explorations(|found| {
            let explorer = found["explorer_used"].as_str().unwrap_or_default();
            found["explorer_used"] = json!(format!("{explorer}+llm"));
        });
    }),
    alteration(GateId::B4, "fields that are missing", "required_fields", |folder| {
        folder.explorations(|found| found["fields"] = json!({}));
    }),
    alteration(GateId::B4, "lists that are empty", "entity_micro_f1", |folder| {
        folder.explorations(|found| empty_lists(&mut found["fields"]));
    }),
    alteration(GateId::Exact, "one more byte", "text", |folder| {
        folder.lines("flask/maps", |_, map| append(map, "\n"));
    }),
    alteration(GateId::Exact, "a rank in its tenth digit", "ranks", |folder| {
        folder.lines("flask/maps", |_, map| {
            for ranked in last_attempt(map)["file_ranks"].as_array_mut().unwrap() {
                ranked[1] = json!(ranked[1].as_f64().unwrap() * (1.0 + 1e-9));
            }
        });
    }),
    alteration(
        GateId::Exact,
        "another weight of a personalised file",
        "personalization",
        |folder| {
            folder.lines("flask/maps", |_, map| {
                let weights = last_attempt(map)["personalization"].as_object_mut().unwrap();
                for weight in weights.values_mut() {
                    *weight = json!(weight.as_f64().unwrap() * 2.0);
                }
            });
        },
    ),
    alteration(GateId::Exact, "an attempt that another one preceded", "attempts", |folder| {
        folder.lines("flask/maps", |_, map| {
            let attempts = map["attempts"].as_array_mut().unwrap();
            attempts.insert(0, attempts[0].clone());
        });
    }),
    alteration(GateId::Languages, "a file without tags", "real_files", |folder| {
        folder.answer("requests/comparator", |answer| {
            let tags = answer["tags"].as_object_mut().unwrap();
            let tagged =
                tags.values_mut().find(|tags| tags.as_array().is_some_and(|tags| !tags.is_empty()));
            *tagged.unwrap() = json!([]);
        });
    }),
    alteration(GateId::Languages, "references instead of definitions", "definitions", |folder| {
        folder.answer("flask/comparator", |answer| {
            for tag in answer["tags"]
                .as_object_mut()
                .unwrap()
                .values_mut()
                .flat_map(|tags| tags.as_array_mut().unwrap())
            {
                tag[2] = json!("ref");
            }
        });
    }),
];

/// The entry of a path in the inventory.
fn path<'a>(inventory: &'a mut Value, id: &str) -> &'a mut Value {
    list(inventory, "paths").iter_mut().find(|path| path["id"] == id).unwrap()
}

/// The list in a field.
fn list<'a>(found: &'a mut Value, name: &str) -> &'a mut Vec<Value> {
    found[name].as_array_mut().unwrap()
}

/// Appends text to a map.
fn append(map: &mut Value, end: &str) {
    map["text"] = json!(format!("{}{end}", map["text"].as_str().unwrap_or_default()));
}

/// The last attempt of the fallback chain.
fn last_attempt(map: &mut Value) -> &mut Value {
    map["attempts"].as_array_mut().unwrap().last_mut().unwrap()
}

/// All candidates: stage, file, line, name and kind.
fn candidates(map: &mut Value) -> &mut Vec<Value> {
    last_attempt(map)["prefit"].as_array_mut().unwrap()
}

/// Raises the estimate of every probe of the budget search.
fn alter_probe(map: &mut Value) {
    for probe in last_attempt(map)["search"].as_array_mut().unwrap() {
        probe["tokens"] = json!(probe["tokens"].as_f64().unwrap() + 1.0);
    }
}

/// Empties every list of a value, without recursion: fields may be nested as deep as a file is.
fn empty_lists(fields: &mut Value) {
    let mut pending = vec![fields];
    while let Some(value) = pending.pop() {
        match value {
            Value::Array(list) => list.clear(),
            Value::Object(object) => pending.extend(object.values_mut()),
            _ => {}
        }
    }
}
