//! Front matter: the block of keys before the text. A small reader of its own knows flat keys,
//! lists, and quoted or folded values, which are all that front matter usually contains.

use super::fields::FrontMatter;

/// The front matter of a text, and the offset of the text after it. If no later line closes a first
/// line `---`, or there are no keys before the closing line, the first line is a horizontal rule.
pub fn read(text: &str) -> (Option<FrontMatter>, usize) {
    let mut lines = text.split_inclusive('\n');
    let Some(first) = lines.next() else { return (None, 0) };
    let (assignment, ends): (char, &[&str]) = match first.trim_end() {
        "---" => (':', &["---", "..."]),
        "+++" => ('=', &["+++"]),
        _ => return (None, 0),
    };
    let mut end = first.len();
    let mut inside = Vec::new();
    for line in lines {
        end += line.len();
        if ends.contains(&line.trim_end()) {
            let front = keys(&inside, assignment);
            let empty = inside.iter().all(|line| line.trim().is_empty());
            return if empty || !front.keys.is_empty() { (Some(front), end) } else { (None, 0) };
        }
        inside.push(line.trim_end_matches(['\n', '\r']));
    }
    (None, 0)
}

fn keys(lines: &[&str], assignment: char) -> FrontMatter {
    let mut front = FrontMatter::default();
    let mut index = 0;
    while let Some(line) = lines.get(index) {
        index += 1;
        let outer = !line.starts_with([' ', '\t', '-', '#', '[']);
        let Some((key, value)) = line.split_once(assignment).filter(|_| outer) else { continue };
        let key = unquote(key.trim()).to_owned();
        if key.is_empty() {
            continue;
        }
        // Indented lines, or a list at the key's own indentation, belong to the key.
        let below: Vec<&str> = lines
            .iter()
            .skip(index)
            .take_while(|line| line.trim().is_empty() || line.starts_with([' ', '\t', '-', ']']))
            .copied()
            .collect();
        index += below.len();
        let value = value.trim();
        let whole = || match value {
            "" | "|" | ">" | "|-" | ">-" | "|+" | ">+" => {
                let text: Vec<&str> =
                    below.iter().map(|line| line.trim()).filter(|line| !line.is_empty()).collect();
                text.join(" ")
            }
            _ => unquote(value).to_owned(),
        };
        front.keys.push(key.clone());
        match key.to_lowercase().as_str() {
            "title" => front.title = Some(whole()),
            "author" | "authors" => front.author = Some(items(value, &below).join(", ")),
            "date" => front.date = Some(whole()),
            "description" => front.description = Some(whole()),
            "tags" => front.tags = items(value, &below),
            _ => front.other_keys.push(key),
        }
    }
    front
}

/// The items of a list in brackets or on the lines below, or a value as the only item.
fn items(value: &str, below: &[&str]) -> Vec<String> {
    let clean = |item: &str| unquote(item.trim()).to_owned();
    let whole = std::iter::once(value).chain(below.iter().copied()).collect::<Vec<_>>().join(" ");
    let items: Vec<String> = if let Some(inside) = whole.trim().strip_prefix('[') {
        inside.trim_end().trim_end_matches(']').split(',').map(clean).collect()
    } else if value.is_empty() {
        below.iter().filter_map(|line| line.trim().strip_prefix('-')).map(clean).collect()
    } else {
        vec![clean(value)]
    };
    items.into_iter().filter(|item| !item.is_empty()).collect()
}

fn unquote(value: &str) -> &str {
    for quote in ['"', '\''] {
        if let Some(inside) = value.strip_prefix(quote).and_then(|value| value.strip_suffix(quote))
        {
            return inside;
        }
    }
    value
}
