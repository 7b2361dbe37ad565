//! The definitions of a file by their names.

use std::sync::OnceLock;

use super::{Definition, Symbols};

/// The positions of the definitions in the order of their names, made when it is first asked for. It
/// follows from the symbols, so it makes no difference between two of them.
#[derive(Debug, Clone, Default)]
pub struct ByName(OnceLock<Vec<u32>>);

impl PartialEq for ByName {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for ByName {}

impl Symbols {
    /// The definitions of a name with their positions, in their order.
    pub fn named<'a>(
        &'a self,
        name: &str,
    ) -> impl Iterator<Item = (u32, &'a Definition)> + use<'a> {
        let name_of = |number: &u32| self.definition(*number).map_or("", |one| self.defined(one));
        let all = self.by_name.0.get_or_init(|| {
            let mut all: Vec<u32> = (0..self.definitions.len() as u32).collect();
            all.sort_by(|a, b| (name_of(a), a).cmp(&(name_of(b), b)));
            all
        });
        let first = all.partition_point(|number| name_of(number) < name);
        let behind = all.partition_point(|number| name_of(number) <= name);
        let same = all.get(first..behind).unwrap_or_default();
        same.iter().filter_map(|number| Some((*number, self.definition(*number)?)))
    }
}
