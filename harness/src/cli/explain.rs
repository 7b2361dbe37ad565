//! `parity map --explain`: why each entry of a map is where it is, in words.

use ::map::{EntryReason, FileReason, Multiplier, Referrer};
use base::text::visible::visible;

/// The explanation as text: one line for each file and one for each of its entries, with the reasons
/// below. Places are written as `file:line`.
pub fn text(files: &[FileReason]) -> String {
    files.iter().map(file).collect()
}

fn file(reason: &FileReason) -> String {
    let mut facts = Vec::new();
    match (reason.rank, reason.place) {
        (Some(rank), Some(place)) => {
            facts.push(format!("file {place} of {} by rank", reason.of));
            facts.push(format!("rank {}", share(rank)));
        }
        _ => facts.push("defines and refers to nothing that is ranked".to_owned()),
    }
    if reason.seed > 0.0 {
        facts.push(format!("the ranking starts from it with {}", number(reason.seed)));
    }
    if reason.edited {
        facts.push("differs from HEAD".to_owned());
    }
    if let Some(worth) = &reason.worth {
        let weight = match worth.weight {
            1.0 => String::new(),
            weight => format!(", times {} ({})", number(weight), worth.standing),
        };
        let parts = format!("graph {} + words {}", number(worth.graph), number(worth.words));
        facts.push(format!("value {} = {parts}{weight}", number(worth.value())));
    }
    let name = visible(&reason.file);
    let entries: String = reason.entries.iter().map(|one| entry(&name, one)).collect();
    format!("{name}: {}\n{entries}", facts.join("; "))
}

fn entry(file: &str, reason: &EntryReason) -> String {
    let mut facts = vec![format!("candidate {}", reason.candidate)];
    facts.extend(reason.rank.map(|rank| format!("rank {}", share(rank))));
    if let Some(worth) = &reason.worth {
        facts.push(format!("value {}", number(worth.value)));
        let own = worth.own.map_or(String::new(), |own| {
            let beside = match own.neighbours {
                0.0 => String::new(),
                part => format!(" + neighbours {}", number(part)),
            };
            format!(": graph {} + words {}{beside}", number(own.graph), number(own.words))
        });
        facts.push(format!("{} in its file{own}", worth.nth));
    }
    let (Some(line), Some(name)) = (reason.line, &reason.name) else {
        let why = if reason.stage == 2 {
            "refers to others, shows no definition"
        } else {
            "nothing is known of it but its name"
        };
        return format!("  {file}: by its name: {why}; {}\n", facts.join("; "));
    };
    let mut text = format!("  {file}:{line}: {}: {}\n", visible(name), facts.join("; "));
    for applied in &reason.multipliers {
        text +=
            &format!("    times {}: {}\n", number(applied.factor), meaning(applied.name, reason));
    }
    for one in &reason.referrers {
        text += &format!("    {}\n", referrer(one, reason));
    }
    if reason.more_referrers > 0 {
        text += &format!("    and {} more\n", reason.more_referrers);
    }
    text
}

fn meaning(multiplier: Multiplier, reason: &EntryReason) -> String {
    match multiplier {
        Multiplier::Mentioned => "the message mentions it".to_owned(),
        Multiplier::Compound => "a long name of several words".to_owned(),
        Multiplier::Private => "a private name".to_owned(),
        Multiplier::Common => format!("{} files define it", reason.definers),
    }
}

fn referrer(one: &Referrer, reason: &EntryReason) -> String {
    let part = reason.rank.filter(|rank| *rank > 0.0).map_or(0.0, |rank| one.adds / rank);
    let weight = number(one.weight);
    if !one.refers {
        return format!("nothing refers to it: {} by its own file, weight {weight}", share(part));
    }
    let line = one.line.map_or(String::new(), |line| format!(":{line}"));
    let chat =
        one.chat.map_or(String::new(), |factor| format!(", times {} for the chat", number(factor)));
    format!("{}{line}: {} of it, weight {weight}{chat}", visible(&one.file), share(part))
}

/// A share between 0 and 1, in percent.
fn share(value: f64) -> String {
    format!("{} %", number(value * 100.0))
}

/// A number with three significant digits.
fn number(value: f64) -> String {
    let places = match value.abs() {
        large if large >= 100.0 => 0,
        large if large >= 10.0 => 1,
        large if large >= 1.0 => 2,
        large if large >= 0.1 => 3,
        _ => 4,
    };
    let text = format!("{value:.places$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_are_short() {
        for (value, text) in [
            (0.0, "0"),
            (10.0, "10"),
            (0.1, "0.1"),
            (141.42, "141"),
            (0.123_456, "0.123"),
            (1.5, "1.5"),
        ] {
            assert_eq!(number(value), text);
        }
    }
}
