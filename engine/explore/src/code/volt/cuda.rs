//! CUDA: the comparator's sections.

use serde_json::Value;

use super::{Form, Layout, Part, Section, Sheet};
use crate::{disclosure::Marker, findings::cut, selector::Item};

/// CUDA's layout.
pub const LAYOUT: Layout = Layout {
    sections: &[
        Section::Lines(head),
        Section::Lists {
            title: "Includes:",
            lists: &[
                includes("  CUDA: ", "/fields/cuda_includes/cuda"),
                includes("  Libraries: ", "/fields/cuda_includes/libraries"),
                includes("  C++: ", "/fields/cuda_includes/cpp"),
                includes("  Local: ", "/fields/cuda_includes/local"),
            ],
        },
        Section::Lists {
            title: "Kernels ({n}):",
            lists: &[listed("/symbols?kind=function,method&idioms=kernel", 20, function)],
        },
        Section::Lists {
            title: "Device Functions ({n}):",
            lists: &[listed("/symbols?kind=function,method&idioms=device", 20, function)],
        },
        Section::Lists {
            title: "Host Functions ({n}):",
            lists: &[listed("/symbols?kind=function,method&idioms=host", 20, function)],
        },
        Section::Lists {
            title: "Shared Memory ({n}):",
            lists: &[listed("/fields/shared_memory", 20, memory)],
        },
        Section::Lists {
            title: "Constant Memory ({n}):",
            lists: &[listed("/symbols?idioms=constant_memory", 20, memory)],
        },
        Section::Lists {
            title: "Kernel Launches ({n}):",
            lists: &[listed("/fields/kernel_launches", 20, launch)],
        },
        Section::Lists {
            title: "Structs/Classes ({n}):",
            lists: &[listed("/symbols?kind=struct,class", 20, structure)],
        },
        Section::Lists {
            title: "CUDA API Calls:",
            lists: &[listed("/fields/cuda_api_calls", 15, call)],
        },
        Section::Lines(main),
    ],
    inner: &[],
    facts: &[],
};

/// Longest parameter list shown, in characters.
const PARAMETERS: usize = 100;

const fn includes(title: &'static str, list: &'static str) -> Part {
    Part { title, list, cap: 5, marker: Marker::Plus, form: Form::Line(word) }
}

const fn listed(list: &'static str, cap: usize, show: fn(&mut Sheet, Item) -> Vec<String>) -> Part {
    Part { title: "", list, cap, marker: Marker::Counted, form: Form::Lines("  ", show) }
}

fn word(item: Item) -> String {
    item.value().and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn key<'a>(item: Item<'a>, key: &str) -> &'a str {
    item.value().and_then(|value| value.get(key)).and_then(Value::as_str).unwrap_or_default()
}

fn number(item: Item, key: &str) -> u64 {
    item.value().and_then(|value| value.get(key)).and_then(Value::as_u64).unwrap_or_default()
}

fn head(sheet: &Sheet) -> Vec<String> {
    let kind = if sheet.flag("is_header") { "CUDA Header (.cuh)" } else { "CUDA Source (.cu)" };
    vec![format!("Format: {kind}"), sheet.lines()]
}

fn function(_: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    let returned = symbol.return_type.as_deref().unwrap_or("void");
    let params = cut(&symbol.params.join(", "), PARAMETERS);
    vec![format!("{returned} {}({params}) (line {})", symbol.name, symbol.line)]
}

fn memory(_: &mut Sheet, item: Item) -> Vec<String> {
    vec![match item.symbol() {
        Some(symbol) => format!(
            "{} {} (line {})",
            symbol.return_type.as_deref().unwrap_or_default(),
            symbol.name,
            symbol.line
        ),
        None => {
            format!("{} {} (line {})", key(item, "type"), key(item, "name"), number(item, "line"))
        }
    }]
}

fn launch(_: &mut Sheet, item: Item) -> Vec<String> {
    let (kernel, grid) = (key(item, "kernel_name"), key(item, "grid_config"));
    vec![format!("{kernel}<<<{grid}>>> (line {})", number(item, "line"))]
}

fn structure(_: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    vec![format!("{} {} (line {})", symbol.kind.as_str(), symbol.name, symbol.line)]
}

fn call(_: &mut Sheet, item: Item) -> Vec<String> {
    vec![format!("{}: {}x", key(item, "function"), number(item, "count"))]
}

fn main(sheet: &Sheet) -> Vec<String> {
    if sheet.flag("has_main") { vec!["Has main() function: Yes".to_owned()] } else { Vec::new() }
}
