//! Shortens a list while a condition holds.

/// The shortest list found for which `holds` is still true. Pieces are removed, halves first and single
/// items last, as long as `holds` stays true without them. `holds` can end the work by always returning
/// false.
pub fn reduce<T: Clone, E>(
    items: Vec<T>,
    holds: &mut dyn FnMut(&[T]) -> Result<bool, E>,
) -> Result<Vec<T>, E> {
    let mut kept = items;
    if kept.len() > 1 && holds(&[])? {
        return Ok(Vec::new());
    }
    let mut piece = kept.len().div_ceil(2);
    while piece > 0 && !kept.is_empty() {
        let mut from = 0;
        let mut shorter = false;
        while from < kept.len() {
            let to = (from + piece).min(kept.len());
            let less: Vec<T> = [kept.get(..from), kept.get(to..)]
                .into_iter()
                .flatten()
                .flatten()
                .cloned()
                .collect();
            if holds(&less)? {
                kept = less;
                shorter = true;
            } else {
                from = to;
            }
        }
        if piece == 1 && !shorter {
            break;
        }
        piece = if piece == 1 { 1 } else { piece.div_ceil(2).min(piece - 1).max(1) };
    }
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::reduce;

    #[test]
    fn what_matters_stays_and_nothing_else() {
        let mut asked = 0;
        let kept = reduce((0..1000).collect(), &mut |items: &[i32]| {
            asked += 1;
            Ok::<_, ()>(items.contains(&17) && items.contains(&800))
        });
        assert_eq!(kept, Ok(vec![17, 800]));
        assert!(asked < 120, "{asked}");
    }

    #[test]
    fn a_list_of_which_nothing_matters_becomes_empty_and_one_of_which_all_does_stays() {
        assert_eq!(reduce(vec![1, 2, 3], &mut |_: &[i32]| Ok::<_, ()>(true)), Ok(vec![]));
        let all = |items: &[i32]| Ok::<_, ()>(items.len() == 3);
        assert_eq!(reduce(vec![1, 2, 3], &mut |items: &[i32]| all(items)), Ok(vec![1, 2, 3]));
        assert_eq!(reduce(Vec::<i32>::new(), &mut |_: &[i32]| Ok::<_, ()>(true)), Ok(vec![]));
    }
}
