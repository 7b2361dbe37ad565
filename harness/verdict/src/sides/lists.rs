//! Comparisons of lists of both sides.

/// Counts equal positions, of as many as the longer list has. Two empty lists count as one equal item: that
/// both sides have nothing is a finding.
pub fn share_of_lists<T: PartialEq>(ours: &[T], theirs: &[T]) -> (usize, usize) {
    let total = ours.len().max(theirs.len());
    if total == 0 {
        return (1, 1);
    }
    (ours.iter().zip(theirs).filter(|(a, b)| a == b).count(), total)
}

/// The first position at which two lists differ, in words; empty if none does.
pub fn first_difference<T: PartialEq + std::fmt::Debug>(ours: &[T], theirs: &[T]) -> String {
    let longer = ours.len().max(theirs.len());
    let at = (0..longer).find(|&at| ours.get(at) != theirs.get(at));
    at.map_or_else(String::new, |at| {
        let show = |item: Option<&T>| item.map_or("nothing".to_owned(), |item| format!("{item:?}"));
        format!("at {at}: ours {}, comparator {}", show(ours.get(at)), show(theirs.get(at)))
    })
}
