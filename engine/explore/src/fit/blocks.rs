//! A summary cut to a budget: every block of it keeps its beginning, and the longest lose most.

use base::tokens::Counter;

/// What is left of a summary.
pub struct Cut {
    /// The text; it has no more tokens than the budget.
    pub text: String,
    /// Its lines that are the summary's own, and how many the summary has.
    pub shown: usize,
    pub total: usize,
    /// Of each line of the summary, blank ones included, whether it is left as it was.
    pub left: Vec<bool>,
}

/// Cuts a summary, whose blocks are separated by blank lines. All blocks are cut at the same number of
/// lines, the largest that the budget has room for; a line in the place of what is left out counts it.
pub fn cut(summary: &str, budget: usize) -> Cut {
    let blocks: Vec<Vec<&str>> =
        summary.split("\n\n").map(|block| block.lines().collect()).collect();
    let total = blocks.iter().map(Vec::len).sum();
    let longest = blocks.iter().map(Vec::len).max().unwrap_or(0);
    let fits = |text: &str| Counter.count(text) <= budget;
    // The number of tokens grows with the number of lines, nearly always; what is taken is counted.
    let (mut least, mut most) = (0, longest);
    while least < most {
        let middle = (least + most).div_ceil(2);
        if fits(&shown(&blocks, middle).0) {
            least = middle;
        } else {
            most = middle - 1;
        }
    }
    if least > 0 {
        // What is left of the budget goes to the blocks in their order.
        let filled = filled(&blocks, least, budget);
        let (text, kept) = filled.unwrap_or_else(|| shown(&blocks, least));
        let mut left = vec![false; summary.lines().count()];
        let mut start = 0;
        for (block, kept) in blocks.iter().zip(&kept) {
            left.iter_mut().skip(start).take(*kept).for_each(|line| *line = true);
            start += block.len().max(1) + 1;
        }
        return Cut { text, shown: kept.iter().sum(), total, left };
    }
    // Not even the titles: as many first lines as there is room for, then a part of the first.
    let lines: Vec<&str> = summary.lines().filter(|line| !line.is_empty()).collect();
    for kept in (1..=lines.len().min(budget)).rev() {
        let text = lines.get(..kept).unwrap_or_default().join("\n");
        if fits(&text) {
            let mut before = 0;
            let is_left = |line: &str| {
                before += usize::from(!line.is_empty());
                !line.is_empty() && before <= kept
            };
            let left = summary.lines().map(is_left).collect();
            return Cut { text, shown: kept, total, left };
        }
    }
    let mut text = lines.first().copied().unwrap_or_default().to_owned();
    while !fits(&text) {
        text.pop();
    }
    Cut { text, shown: 0, total, left: Vec::new() }
}

/// The blocks at so many lines each, and how many lines of each these are.
fn shown(blocks: &[Vec<&str>], most: usize) -> (String, Vec<usize>) {
    limited(blocks, |_| most)
}

/// The first blocks with one line more, as many of them as the budget has room for.
fn filled(blocks: &[Vec<&str>], most: usize, budget: usize) -> Option<(String, Vec<usize>)> {
    let with = |count: usize| limited(blocks, |index| most + usize::from(index < count));
    let (mut least, mut above) = (0, blocks.len());
    while least < above {
        let middle = (least + above).div_ceil(2);
        if Counter.count(&with(middle).0) <= budget {
            least = middle;
        } else {
            above = middle - 1;
        }
    }
    let found = with(least);
    (Counter.count(&found.0) <= budget).then_some(found)
}

fn limited(blocks: &[Vec<&str>], most: impl Fn(usize) -> usize) -> (String, Vec<usize>) {
    let mut text = String::new();
    let mut kept = Vec::with_capacity(blocks.len());
    for (index, block) in blocks.iter().enumerate() {
        if index > 0 {
            text.push_str("\n\n");
        }
        let most = most(index);
        // A line that counts one line more would stand in its place.
        let shown =
            if block.len() <= most + 1 && most > 1 { block.len().min(most + 1) } else { most };
        let shown = shown.min(block.len());
        text.push_str(&block.get(..shown).unwrap_or_default().join("\n"));
        kept.push(shown);
        let left = block.len() - shown;
        if left > 0 {
            text.push_str(&format!("\n  ({left} lines left out)"));
        }
    }
    (text, kept)
}

#[cfg(test)]
mod tests {
    use base::tokens::Counter;

    use super::cut;

    #[test]
    fn no_budget_is_exceeded_and_every_block_keeps_its_title() {
        let block = |title: &str, lines: usize| {
            let lines: Vec<String> = (0..lines).map(|line| format!("  entry {line}")).collect();
            format!("{title}:\n{}", lines.join("\n"))
        };
        let summary = [block("One", 3), block("Two", 200), block("Three", 5)].join("\n\n");
        for budget in [1, 2, 5, 10, 30, 60, 100, 300, 600, 1000] {
            let cut = cut(&summary, budget);
            assert!(Counter.count(&cut.text) <= budget, "{budget}: {}", cut.text);
            assert!(cut.shown <= cut.total);
            if budget >= 60 {
                for title in ["One:", "Two:", "Three:"] {
                    assert!(cut.text.contains(title), "{budget}: {}", cut.text);
                }
            }
            if budget >= 100 {
                assert!(Counter.count(&cut.text) + 20 > budget, "{budget}: {}", cut.text);
            }
        }
    }
}
