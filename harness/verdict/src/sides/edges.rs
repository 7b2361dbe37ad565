//! The edges of a graph. Both sides print their number and a digest over all of them; the edges of a small
//! graph are listed as well, so that a difference can be examined.

use record::digest::Hasher;

use super::lists::{first_difference, share_of_lists};

/// One edge: from, to, identifier, weight.
pub type Edge = (String, String, String, f64);

/// All edges of a graph, in its order: nodes as they were added, targets of a node by their first
/// appearance, parallel edges as they were added.
#[derive(Debug, Clone, PartialEq)]
pub struct Edges {
    /// How many.
    pub count: u64,
    /// Digest over all of them, as in [`digest`].
    pub sha256: String,
    /// The edges themselves, where they were recorded.
    pub listed: Option<Vec<Edge>>,
}

/// sha256 over all edges. Each one gives its source, target and identifier in UTF-8, each followed by a zero
/// byte, and its weight as eight bytes (IEEE 754, most significant first).
pub fn digest(edges: &[Edge]) -> String {
    let mut hasher = Hasher::default();
    for (from, to, ident, weight) in edges {
        for field in [from, to, ident] {
            hasher.update(field.as_bytes());
            hasher.update(&[0]);
        }
        hasher.update(&weight.to_bits().to_be_bytes());
    }
    hasher.finish().into()
}

impl Edges {
    /// Whether the list, if there is one, has the stated number and digest.
    fn is_consistent(&self) -> bool {
        self.listed
            .as_deref()
            .is_none_or(|listed| listed.len() as u64 == self.count && digest(listed) == self.sha256)
    }
}

/// How many edges are equal, of how many, and a description of the difference if not all are. If a side's
/// edges are not listed and the digests differ, no edge counts as equal.
pub fn compare(ours: &Edges, theirs: &Edges) -> ((usize, usize), String) {
    let total = usize::try_from(ours.count.max(theirs.count).max(1)).unwrap_or(usize::MAX);
    for (side, edges) in [("our", ours), ("the comparator's", theirs)] {
        if !edges.is_consistent() {
            return ((0, total), format!("{side} list is not what its number and digest say"));
        }
    }
    if (ours.count, &ours.sha256) == (theirs.count, &theirs.sha256) {
        return ((total, total), String::new());
    }
    if let (Some(ours), Some(theirs)) = (&ours.listed, &theirs.listed) {
        let (equal, _) = share_of_lists(ours, theirs);
        return ((equal.min(total - 1), total), first_difference(ours, theirs));
    }
    let note = format!(
        "ours are {} with digest {}, the comparator's {} with {}; parity map --trace-edges lists ours",
        ours.count, ours.sha256, theirs.count, theirs.sha256
    );
    ((0, total), note)
}

#[cfg(test)]
mod tests {
    use super::{Edge, Edges, compare, digest};

    fn edge(from: &str, weight: f64) -> Edge {
        (from.to_owned(), "b.py".to_owned(), "f".to_owned(), weight)
    }

    fn listed(edges: Vec<Edge>) -> Edges {
        Edges { count: edges.len() as u64, sha256: digest(&edges), listed: Some(edges) }
    }

    #[test]
    fn the_digest_is_over_the_documented_bytes() {
        let bytes = b"a.py\0b.py\0f\0\x3f\xf8\0\0\0\0\0\0";
        assert_eq!(digest(&[edge("a.py", 1.5)]), record::digest::sha256(bytes));
        assert_eq!(digest(&[]), record::digest::sha256(""));
    }

    #[test]
    fn equal_digests_are_equal_edges_with_or_without_a_list() {
        let full = listed(vec![edge("a.py", 1.0), edge("c.py", 0.1)]);
        let bare = Edges { listed: None, ..full.clone() };
        for (ours, theirs) in [(&full, &full), (&full, &bare), (&bare, &full), (&bare, &bare)] {
            assert_eq!(compare(ours, theirs), ((2, 2), String::new()));
        }
    }

    #[test]
    fn one_bit_of_a_weight_one_name_the_order_or_the_number_makes_a_difference() {
        let edges = vec![edge("a.py", 1.0), edge("c.py", 0.1)];
        let full = listed(edges.clone());
        let next = f64::from_bits(0.1_f64.to_bits() + 1);
        for other in [
            vec![edges[0].clone(), edge("c.py", next)],
            vec![edges[0].clone(), edge("d.py", 0.1)],
            vec![edges[1].clone(), edges[0].clone()],
            vec![edges[0].clone()],
        ] {
            let other = listed(other);
            let ((equal, total), note) = compare(&other, &full);
            assert!(equal < total && total == 2 && !note.is_empty(), "{note}");
            let bare = Edges { listed: None, ..other };
            let ((equal, total), note) = compare(&full, &bare);
            assert_eq!((equal, total), (0, 2));
            assert!(note.contains("--trace-edges"), "{note}");
        }
    }

    #[test]
    fn a_list_that_its_digest_or_number_does_not_cover_is_refused() {
        let good = listed(vec![edge("a.py", 1.0)]);
        let altered = Edges { listed: Some(vec![edge("a.py", 2.0)]), ..good.clone() };
        let short = Edges { listed: Some(Vec::new()), ..good.clone() };
        let counted = Edges { count: 2, ..good.clone() };
        for bad in [altered, short, counted] {
            assert_eq!(compare(&bad, &good).0.0, 0);
            assert_eq!(compare(&good, &bad).0.0, 0);
        }
    }

    #[test]
    fn no_edge_on_both_sides_is_one_finding() {
        assert_eq!(compare(&listed(Vec::new()), &listed(Vec::new())).0, (1, 1));
    }
}
