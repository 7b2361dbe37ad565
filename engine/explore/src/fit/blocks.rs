//! Cuts a summary to a budget: every block keeps its beginning, and the longest blocks lose most.

use base::tokens::Counter;

/// The rest of a summary after a cut.
pub struct Cut {
    /// The text; it has at most as many tokens as the budget.
    pub text: String,
    /// Number of its lines that come from the summary, and number of lines of the whole summary.
    pub shown: usize,
    pub total: usize,
    /// For each line of the summary, including blank ones, whether it was kept unchanged.
    pub left: Vec<bool>,
}

/// Cuts a summary whose blocks are separated by blank lines. All blocks are cut at the same number
/// of lines, the largest that fits the budget. A line in place of the missing ones gives their
/// number.
pub fn cut(summary: &str, budget: usize) -> Cut {
    let blocks: Vec<Vec<&str>> =
        summary.split("\n\n").map(|block| block.lines().collect()).collect();
    let total = blocks.iter().map(Vec::len).sum();
    let longest = blocks.iter().map(Vec::len).max().unwrap_or(0);
    let fits = |text: &str| Counter.count(text) <= budget;
    // More lines nearly always mean more tokens, which the search relies on; the result is counted
    // exactly.
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
        // The rest of the budget goes to the blocks in their order.
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
    // Not even the titles fit: show as many first lines as fit, or else a part of the first one.
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

/// The blocks cut at `most` lines each, and how many lines of each these are.
fn shown(blocks: &[Vec<&str>], most: usize) -> (String, Vec<usize>) {
    limited(blocks, |_| most)
}

/// The blocks with one more line each for the first ones, as many of them as fit the budget.
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
        // If only one more line is missing, the line that says so would take its place.
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
