//! CUDA: the comparator's sections.

use super::{
    Layout, Section, Sheet,
    entry::{number, text},
    parts::{inline, lines, section},
};
use crate::{disclosure::Marker, findings::cut, selector::Item};

/// CUDA's layout.
pub const LAYOUT: Layout = Layout {
    sections: &[
        Section::Lines(head),
        section(
            "Includes:",
            &[
                inline("  CUDA: ", "/fields/cuda_includes/cuda", 5, Marker::Plus),
                inline("  Libraries: ", "/fields/cuda_includes/libraries", 5, Marker::Plus),
                inline("  C++: ", "/fields/cuda_includes/cpp", 5, Marker::Plus),
                inline("  Local: ", "/fields/cuda_includes/local", 5, Marker::Plus),
            ],
        ),
        section(
            "Kernels ({n}):",
            &[lines("/symbols?kind=function,method&idioms=kernel", 20, Marker::Counted, function)],
        ),
        section(
            "Device Functions ({n}):",
            &[lines("/symbols?kind=function,method&idioms=device", 20, Marker::Counted, function)],
        ),
        section(
            "Host Functions ({n}):",
            &[lines("/symbols?kind=function,method&idioms=host", 20, Marker::Counted, function)],
        ),
        section(
            "Shared Memory ({n}):",
            &[lines("/fields/shared_memory", 20, Marker::Counted, memory)],
        ),
        section(
            "Constant Memory ({n}):",
            &[lines("/symbols?idioms=constant_memory", 20, Marker::Counted, memory)],
        ),
        section(
            "Kernel Launches ({n}):",
            &[lines("/fields/kernel_launches", 20, Marker::Counted, launch)],
        ),
        section(
            "Structs/Classes ({n}):",
            &[lines("/symbols?kind=struct,class", 20, Marker::Counted, structure)],
        ),
        section("CUDA API Calls:", &[lines("/fields/cuda_api_calls", 15, Marker::Counted, call)]),
        Section::Lines(main),
    ],
    inner: &[],
    facts: &[],
};

/// Longest parameter list shown, in characters.
const PARAMETERS: usize = 100;

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
            format!("{} {} (line {})", text(item, "type"), text(item, "name"), number(item, "line"))
        }
    }]
}

fn launch(_: &mut Sheet, item: Item) -> Vec<String> {
    let (kernel, grid) = (text(item, "kernel_name"), text(item, "grid_config"));
    vec![format!("{kernel}<<<{grid}>>> (line {})", number(item, "line"))]
}

fn structure(_: &mut Sheet, item: Item) -> Vec<String> {
    let Some(symbol) = item.symbol() else { return Vec::new() };
    vec![format!("{} {} (line {})", symbol.kind.as_str(), symbol.name, symbol.line)]
}

fn call(_: &mut Sheet, item: Item) -> Vec<String> {
    vec![format!("{}: {}x", text(item, "function"), number(item, "count"))]
}

fn main(sheet: &Sheet) -> Vec<String> {
    if sheet.flag("has_main") { vec!["Has main() function: Yes".to_owned()] } else { Vec::new() }
}
