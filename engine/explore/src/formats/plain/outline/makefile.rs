//! Makefiles: targets with their prerequisites, variables and included files.

use super::{Part, entry, joined};

/// The rules of a Makefile.
pub fn rules(lines: &[&str]) -> Vec<Part> {
    let (mut targets, mut variables, mut included) = (Vec::new(), Vec::new(), Vec::new());
    let mut defined = false;
    for (index, line) in joined(lines) {
        let text = line.split(" #").next().unwrap_or_default().trim_end();
        let word = text.split_whitespace().next().unwrap_or_default();
        if defined || word == "define" {
            if word == "define" {
                variables.push(entry(index, text));
            }
            defined = word != "endef";
            continue;
        }
        // Recipes begin with a tab.
        if line.starts_with('\t') || word.starts_with('#') || word.is_empty() {
            continue;
        }
        if matches!(word, "include" | "-include" | "sinclude") {
            included.push(entry(index, text.trim_start_matches(word)));
            continue;
        }
        let assigned = text.find('=');
        let colon = text.find(':');
        let assigns = assigned.is_some_and(|at| {
            colon.is_none_or(|colon| {
                at < colon
                    || text
                        .get(colon..at)
                        .is_some_and(|between| between.trim_matches(':').is_empty())
            })
        });
        if assigns {
            variables.push(entry(index, text));
        } else if let Some((names, needed)) = text.split_once(':') {
            // Special targets only change the meaning of other targets.
            if names.starts_with('.')
                && names.chars().all(|sign| sign == '.' || sign.is_ascii_uppercase() || sign == '_')
            {
                continue;
            }
            let needed =
                needed.trim_start_matches(':').split(';').next().unwrap_or_default().trim();
            let colon = if needed.is_empty() { "" } else { ": " };
            targets.push(entry(index, &format!("{}{colon}{needed}", names.trim())));
        }
    }
    vec![("Targets", targets), ("Variables", variables), ("Included", included)]
}
