//! The tokenizer support matrix against the comparator itself: for every model that either of them
//! knows, the library in the comparator's environment picks the tokenizer that the matrix states.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::Write,
    process::{Command, Stdio},
};

use harness::{
    audit::{ModelFacts, recorded},
    comparator::{ComparatorSpec, Environments, PinnedTuple},
};
use verdict::{gate::TokenizerSupport, metrics::recount};

use crate::support::root;

/// Names of models that are in no list but belong to a family by their form.
const SAMPLES: [&str; 9] = [
    "gpt-4o",
    "gpt-5",
    "o1",
    "deepseek/deepseek-chat",
    "openrouter/anthropic/claude-sonnet-4-5",
    "meta-llama/Llama-2-7b",
    "meta-llama/Llama-3-8b",
    "replicate/meta/llama-3",
    "no-such-model",
];

fn matrix() -> TokenizerSupport {
    let path = root().join(record::protocol::TOKENIZERS);
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// Every model of the matrix, of the table of windows, and of the samples.
fn models(matrix: &TokenizerSupport) -> BTreeSet<String> {
    let table = fs::read(root().join(recorded::MODELS)).unwrap();
    let ModelFacts { aliases, windows } = serde_json::from_slice(&table).unwrap();
    let listed = matrix.families.iter().flat_map(|family| family.names.clone());
    listed
        .chain(aliases.into_keys())
        .chain(windows.into_keys())
        .chain(SAMPLES.map(str::to_owned))
        .collect()
}

#[test]
fn the_comparator_picks_the_tokenizers_of_the_matrix() {
    let spec = ComparatorSpec::open(&root().join("comparators/aider")).unwrap();
    let cache = harness::cache_dir().unwrap();
    let Some(environment) = Environments::new(&spec, &cache).ready() else {
        assert!(std::env::var("CI").is_err(), "the comparator is not installed");
        eprintln!("skipped: the comparator is not installed; `cargo parity run` installs it");
        return;
    };
    let matrix = matrix();
    let models = models(&matrix);
    let home = tempfile::tempdir().unwrap();
    let mut child = Command::new(&environment.python)
        .arg(root().join("harness/tests/picked_tokenizers.py"))
        .env_clear()
        .envs(&spec.definition.environment)
        .env("HOME", home.path())
        .current_dir(home.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let input = serde_json::to_vec(&models).unwrap();
    child.stdin.take().unwrap().write_all(&input).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let picked: BTreeMap<String, String> = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(picked.len(), models.len());
    for (model, tokenizer) in &picked {
        assert_eq!(&matrix.family(model).unwrap().tokenizer_id, tokenizer, "{model}");
    }
}

#[test]
fn runs_are_scored_for_the_pinned_tokenizer_and_engine_and_verifier_have_the_same_ones() {
    let (matrix, pinned) = (matrix(), PinnedTuple::embedded().unwrap());
    for family in matrix.families.iter().filter(|family| family.supported) {
        assert_eq!(family.tokenizer_id, pinned.tokenizer_id);
        assert_eq!(family.tokenizer_version, pinned.tokenizer_version);
    }
    for model in models(&matrix) {
        let family = matrix.family(&model).unwrap();
        let built_in = base::tokens::Tokenizer::of(&model).map(base::tokens::Tokenizer::id);
        let recounted = recount::Tokenizer::with_id(&family.tokenizer_id).is_some();
        assert_eq!(built_in, recounted.then_some(family.tokenizer_id.as_str()), "{model}");
        // A map can be made for more models than a run is scored for, but not for fewer.
        assert!(recounted || !family.supported, "{model}");
    }
}
