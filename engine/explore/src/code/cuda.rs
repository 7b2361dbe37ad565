//! CUDA: C++ with functions that run on the GPU.

use std::{collections::BTreeMap, sync::LazyLock};

use serde_json::{Value, json};
use tree_sitter::{Node, TreeCursor};

use super::{
    c::{C, declarator::declared},
    walk::{Landmarks, Signs, Step, Visitor, Walk, children, distinct, folded, line},
};
use crate::{findings::cut, import::ImportCategory, symbol::SymbolKind};

/// CUDA.
#[derive(Debug)]
pub struct Cuda(C);

impl Default for Cuda {
    fn default() -> Self {
        Self(C::new(true))
    }
}

/// Longest launch configuration shown, in characters, as in the comparator.
const CONFIGURATION: usize = 50;

/// Beginnings of launches, library calls and shared memory in the source.
static BODIES: LazyLock<Signs> = LazyLock::new(|| Signs::new(&["<<<", "cuda", "atomic", "__"]));

/// Functions of CUDA itself other than `cuda…` and `atomic…`.
const INTRINSICS: &[&str] = &["__syncthreads", "__threadfence", "__threadfence_block"];

impl Visitor for Cuda {
    fn enter(&mut self, walk: &mut Walk, node: Node) -> Step {
        let before = walk.symbols.len();
        let step = self.0.enter(walk, node);
        // The qualifiers that say where a declaration runs or is stored.
        if matches!(node.kind(), "function_definition" | "declaration" | "field_declaration") {
            let words = qualifiers(walk, node);
            for symbol in walk.symbols.get_mut(before..).unwrap_or_default() {
                let idiom = if words.iter().any(|word| word == "__global__") {
                    Some("kernel")
                } else if words.iter().any(|word| word == "__host__") {
                    Some("host")
                } else if words.iter().any(|word| word == "__device__") {
                    Some("device")
                } else if words.iter().any(|word| word == "__constant__") {
                    Some("constant_memory")
                } else {
                    None
                };
                symbol.idioms.extend(idiom.map(str::to_owned));
                let callable = matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method);
                if callable && !matches!(idiom, Some("kernel" | "device" | "host")) {
                    symbol.idioms.push("host".to_owned());
                }
                symbol.modifiers.extend(words.clone());
            }
        }
        step
    }

    fn prepare(&self, file: &str, text: &str) -> Option<String> {
        self.0.prepare(file, text)
    }

    fn finish(&mut self, walk: &mut Walk, root: Node) {
        self.0.finish(walk, root);
        includes(walk);
        bodies(walk, root);
    }
}

/// Beginnings of the header and folder names of the libraries that come with CUDA.
const LIBRARIES: &[&str] = &[
    "cublas", "cudnn", "cufft", "curand", "cusparse", "cusolver", "nccl", "nvjpeg", "npp",
    "thrust/", "cub/", "cutlass/", "nvtx",
];

/// Includes by the library that they belong to.
fn includes(walk: &mut Walk) {
    let mut lists: [Vec<&str>; 4] = Default::default();
    for import in &walk.imports {
        let path = import.path.as_str();
        let list = if LIBRARIES.iter().any(|library| path.starts_with(library)) {
            1
        } else if path.starts_with("cuda")
            || path == "cooperative_groups.h"
            || path == "device_launch_parameters.h"
        {
            0
        } else if import.category == ImportCategory::Stdlib {
            2
        } else {
            3
        };
        if let Some(list) = lists.get_mut(list) {
            list.push(path);
        }
    }
    let [cuda, libraries, cpp, local] = lists.map(distinct);
    let value = json!({ "cuda": cuda, "libraries": libraries, "cpp": cpp, "local": local });
    walk.facts.set("cuda_includes", value);
}

/// Qualifiers such as `__device__`, wherever the grammar places them before the name.
fn qualifiers(walk: &Walk, node: Node) -> Vec<String> {
    let end = node
        .child_by_field_name("declarator")
        .map_or(node.end_byte(), |declarator| declarator.start_byte());
    let head = walk.text.get(node.start_byte()..end).unwrap_or_default();
    head.split(|sign: char| !(sign.is_alphanumeric() || sign == '_'))
        .filter(|word| word.len() > 4 && word.starts_with("__") && word.ends_with("__"))
        .map(str::to_owned)
        .collect()
}

/// Facts from function bodies: launches, library calls, and shared memory.
fn bodies(walk: &mut Walk, root: Node) {
    let mut launches: Vec<Value> = Vec::new();
    let mut shared: Vec<Value> = Vec::new();
    let mut calls: BTreeMap<String, u64> = BTreeMap::new();
    let mut cursor: TreeCursor = root.walk();
    let mut landmarks = Landmarks::new(walk.text, &BODIES);
    loop {
        let node = cursor.node();
        let is_empty = !landmarks.between(node.start_byte(), node.end_byte());
        match node.kind() {
            _ if is_empty => {}
            "call_expression" => {
                let name = walk.field_text(node, "function").unwrap_or_default();
                let configuration = children(node).find(|part| part.kind() == "kernel_call_syntax");
                if let Some(configuration) = configuration {
                    let text = folded(walk.node_text(configuration));
                    let inner = text.trim_start_matches('<').trim_end_matches('>');
                    launches.push(json!({
                        "kernel_name": folded(name),
                        "grid_config": cut(inner.trim(), CONFIGURATION),
                        "line": line(node),
                    }));
                } else if name.starts_with("cuda")
                    || name.starts_with("atomic")
                    || INTRINSICS.contains(&name)
                {
                    *calls.entry(folded(name)).or_default() += 1;
                }
            }
            "declaration" => {
                let words = qualifiers(walk, node);
                if words.iter().any(|word| word == "__shared__")
                    && let Some(found) = walk.field(node, "declarator").and_then(declared)
                {
                    shared.push(json!({
                        "name": walk.node_text(found.name),
                        "type": walk.field_text(node, "type").map(folded),
                        "line": line(node),
                    }));
                }
            }
            _ => {}
        }
        if !is_empty && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                let mut calls: Vec<(String, u64)> = calls.into_iter().collect();
                calls.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
                let calls: Vec<Value> = calls
                    .into_iter()
                    .map(|(function, count)| json!({ "function": function, "count": count }))
                    .collect();
                walk.facts.set("kernel_launches", launches);
                walk.facts.set("shared_memory", shared);
                walk.facts.set("cuda_api_calls", calls);
                return;
            }
        }
    }
}
