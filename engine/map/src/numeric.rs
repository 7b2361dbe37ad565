//! Floating-point sums in the comparator's order.
//!
//! Aider ranks through networkx, SciPy and NumPy. Where ranks are nearly equal, rounding decides
//! their order, so sums are computed in the same order here: NumPy's pairwise summation, and the
//! order in which SciPy leaves duplicate matrix entries, which is that of an unstable introsort.

/// NumPy's pairwise summation: blocks of up to 128 values with eight running sums.
pub fn pairwise_sum(values: &[f64]) -> f64 {
    let count = values.len();
    if count < 8 {
        return values.iter().fold(0.0, |sum, value| sum + value);
    }
    if count <= 128 {
        let mut running = [0.0; 8];
        let (head, rest) = values.split_at(8);
        running.copy_from_slice(head);
        let mut blocks = rest.chunks_exact(8);
        for block in &mut blocks {
            for (sum, value) in running.iter_mut().zip(block) {
                *sum += value;
            }
        }
        let [a, b, c, d, e, f, g, h] = running;
        let sum = ((a + b) + (c + d)) + ((e + f) + (g + h));
        return blocks.remainder().iter().fold(sum, |sum, value| sum + value);
    }
    let half = count / 2;
    let (left, right) = values.split_at(half - half % 8);
    pairwise_sum(left) + pairwise_sum(right)
}

/// NumPy's reduction of one segment: the first value, then the pairwise sum of the rest.
pub fn segment_sum(values: &[f64]) -> f64 {
    match values.split_first() {
        Some((first, rest)) => first + pairwise_sum(rest),
        None => 0.0,
    }
}

/// Ranges up to this length are left to the insertion sort.
const SMALL: usize = 16;

/// Sorts by key in exactly the order of the usual C++ standard library's `std::sort`: an introsort
/// with median of three, finished by an insertion sort. It is not stable, and equal keys must
/// change places in the same way as there.
pub fn introsort<K: Ord + Copy, V: Copy>(items: &mut [(K, V)]) {
    let depth = items.len().checked_ilog2().unwrap_or(0) * 2;
    let mut pending = vec![(0, items.len(), depth)];
    while let Some((first, mut last, mut depth)) = pending.pop() {
        while last - first > SMALL {
            if depth == 0 {
                // Only inputs made to defeat the median of three get here. The values of their
                // equal keys are mathematically equal, so their sums agree within rounding.
                if let Some(range) = items.get_mut(first..last) {
                    range.sort_by_key(|item| item.0);
                }
                break;
            }
            depth -= 1;
            let cut = partition(items, first, last);
            pending.push((cut, last, depth));
            last = cut;
        }
    }
    insertion_sort(items);
}

/// Moves the median of three to the front and partitions the rest around it.
fn partition<K: Ord + Copy, V: Copy>(items: &mut [(K, V)], first: usize, last: usize) -> usize {
    let (a, b, c) = (first + 1, first + (last - first) / 2, last - 1);
    let key = |items: &[(K, V)], at: usize| items[at].0;
    let (ka, kb, kc) = (key(items, a), key(items, b), key(items, c));
    let median = if ka < kb {
        if kb < kc {
            b
        } else if ka < kc {
            c
        } else {
            a
        }
    } else if ka < kc {
        a
    } else if kb < kc {
        c
    } else {
        b
    };
    items.swap(first, median);
    let pivot = key(items, first);
    let (mut left, mut right) = (first + 1, last);
    loop {
        while key(items, left) < pivot {
            left += 1;
        }
        right -= 1;
        while pivot < key(items, right) {
            right -= 1;
        }
        if left >= right {
            return left;
        }
        items.swap(left, right);
        left += 1;
    }
}

/// A stable insertion sort for a sequence whose items are all near their final positions.
fn insertion_sort<K: Ord + Copy, V: Copy>(items: &mut [(K, V)]) {
    for at in 1..items.len() {
        let item = items[at];
        let mut to = at;
        while to > 0 && item.0 < items[to - 1].0 {
            items[to] = items[to - 1];
            to -= 1;
        }
        items[to] = item;
    }
}

#[cfg(test)]
mod tests {
    use super::{introsort, pairwise_sum, segment_sum};

    /// A small deterministic generator (an LCG with Knuth's constants).
    fn numbers(count: usize, modulus: u64) -> Vec<u64> {
        let mut state = 42_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % modulus
        };
        (0..count).map(|_| next()).collect()
    }

    #[test]
    fn sums_agree_with_exact_ones() {
        for count in [0, 1, 7, 8, 9, 128, 129, 1000, 4097] {
            let values: Vec<f64> = numbers(count, 1000).iter().map(|n| *n as f64).collect();
            let exact: f64 = values.iter().sum();
            assert_eq!(pairwise_sum(&values), exact);
            assert_eq!(segment_sum(&values), exact);
        }
    }

    #[test]
    fn introsort_sorts_and_keeps_every_item() {
        for (count, modulus) in [(0, 1), (1, 1), (16, 3), (17, 3), (500, 4), (5000, 100), (300, 1)]
        {
            let mut items: Vec<_> = numbers(count, modulus).into_iter().zip(0..).collect();
            introsort(&mut items);
            assert!(items.is_sorted_by_key(|item| item.0));
            let mut kept: Vec<i32> = items.iter().map(|item| item.1).collect();
            kept.sort_unstable();
            assert!(kept.into_iter().eq(0..count as i32));
        }
    }

    #[test]
    fn short_ranges_are_stable() {
        let mut items = [(1, 'a'), (0, 'b'), (1, 'c'), (0, 'd')];
        introsort(&mut items);
        assert_eq!(items, [(0, 'b'), (0, 'd'), (1, 'a'), (1, 'c')]);
    }
}
