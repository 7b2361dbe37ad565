//! Lists of different lengths, one after the other in memory.

use std::mem;

/// A list for each row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table<T> {
    /// Where the items of each row start, and their number.
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self { starts: vec![0], items: Vec::new() }
    }
}

impl<T: Copy + Default> Table<T> {
    /// The table of some items, each with its row below `rows`. Items of a row keep their order. The items are
    /// asked for twice, so that no list of them is needed.
    pub fn of(rows: usize, items: impl Iterator<Item = (u32, T)> + Clone) -> Self {
        let mut starts = vec![0; rows + 1];
        for (row, _) in items.clone() {
            starts[row as usize + 1] += 1;
        }
        for row in 0..rows {
            starts[row + 1] += starts[row];
        }
        let mut next = starts.clone();
        let mut sorted = vec![T::default(); starts[rows] as usize];
        for (row, item) in items {
            let slot = &mut next[row as usize];
            sorted[*slot as usize] = item;
            *slot += 1;
        }
        Self { starts, items: sorted }
    }
}

impl<T> Table<T> {
    /// A table without rows, with room for so many rows and items.
    pub fn with_capacity(rows: usize, items: usize) -> Self {
        let mut starts = Vec::with_capacity(rows + 1);
        starts.push(0);
        Self { starts, items: Vec::with_capacity(items) }
    }

    /// The table with these parts; `None` if they do not fit each other.
    pub fn of_parts(starts: Vec<u32>, items: Vec<T>) -> Option<Self> {
        let fits = starts.first() == Some(&0)
            && starts.last().copied() == u32::try_from(items.len()).ok()
            && starts.is_sorted();
        fits.then_some(Self { starts, items })
    }

    /// Adds a row.
    pub fn push(&mut self, row: impl IntoIterator<Item = T>) {
        self.items.extend(row);
        self.starts.push(self.items.len() as u32);
    }

    /// The items of a row; none of a row that is not there.
    #[inline]
    pub fn row(&self, row: usize) -> &[T] {
        match self.starts.get(row..) {
            Some([start, end, ..]) => &self.items[*start as usize..*end as usize],
            _ => &[],
        }
    }

    /// The items of each row.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[T]> {
        self.starts.windows(2).map(|ends| &self.items[ends[0] as usize..ends[1] as usize])
    }

    /// The rows, to change their items.
    pub fn rows_mut(&mut self) -> impl Iterator<Item = &mut [T]> {
        let mut rest = self.items.as_mut_slice();
        self.starts.windows(2).map(move |ends| {
            let (row, behind) = mem::take(&mut rest).split_at_mut((ends[1] - ends[0]) as usize);
            rest = behind;
            row
        })
    }

    /// Adds the rows of another table.
    pub fn append(&mut self, mut other: Self) {
        let before = self.items.len() as u32;
        self.items.append(&mut other.items);
        self.starts.extend(other.starts.iter().skip(1).map(|start| before + start));
    }

    /// Number of rows.
    pub const fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Where the items of each row start, and their number.
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// The items of all rows.
    pub fn items(&self) -> &[T] {
        &self.items
    }
}

#[cfg(test)]
mod tests {
    use super::Table;

    #[test]
    fn items_of_a_row_keep_their_order() {
        let table = Table::of(4, [(2, 'a'), (0, 'b'), (2, 'c'), (3, 'd')].into_iter());
        let rows: Vec<&[char]> = table.rows().collect();
        assert_eq!(rows, [&['b'][..], &[], &['a', 'c'], &['d']]);
        let mut pushed = Table::default();
        for row in &rows {
            pushed.push(row.iter().copied());
        }
        assert_eq!(pushed, table);
        let mut appended = Table::default();
        for rows in rows.chunks(3) {
            let mut some = Table::default();
            for row in rows {
                some.push(row.iter().copied());
            }
            appended.append(some);
        }
        assert_eq!(appended, table);
        assert!(appended.rows_mut().eq(rows));
        assert_eq!(Table::of_parts(table.starts().to_vec(), table.items().to_vec()), Some(table));
    }

    #[test]
    fn parts_that_do_not_fit_each_other_are_no_table() {
        for starts in [vec![], vec![0], vec![0, 3], vec![1, 2], vec![0, 2, 1, 2]] {
            assert_eq!(Table::of_parts(starts, vec!['a', 'b']), None);
        }
    }
}
