//! Which of several methods of one name a call means: those with as many parameters as it has arguments.

use super::{library::Files, meaning::Place};
use crate::symbols::{Definition, Occurrence, Role};

/// Bytes behind a name in which the end of its arguments is looked for.
const FARTHEST: usize = 4096;

impl Files<'_> {
    /// Of the places of a call, those whose number of parameters is that of the arguments; all, if there
    /// is none.
    pub fn by_arguments(
        &mut self,
        file: &str,
        one: &Occurrence,
        mut places: Vec<Place>,
    ) -> Vec<Place> {
        if one.role != Role::Call || places.len() < 2 {
            return places;
        }
        let count = self.text(file).and_then(|text| arguments(text.get(one.start as usize..)?));
        let Some(count) = count else { return places };
        let fits: Vec<bool> = places.iter().map(|place| self.parameters(place) == count).collect();
        if fits.contains(&true) {
            let mut fits = fits.into_iter();
            places.retain(|_| fits.next() == Some(true));
        }
        places
    }

    /// The number of a function's parameters.
    pub fn parameters(&mut self, place: &Place) -> usize {
        let Some(symbols) = self.symbols(&place.file) else { return 0 };
        let is_own =
            |one: &&Definition| one.kind() == "parameter" && one.parent == place.definition;
        symbols.definitions.iter().filter(is_own).count()
    }
}

/// The number of arguments behind the name that a text begins with; `None` if no call follows it, or if
/// its end is not near. Commas between angle brackets count as well, which is rare in arguments.
fn arguments(text: &str) -> Option<usize> {
    let name = text.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '$'))?;
    let rest = text.get(name..)?.trim_start().strip_prefix('(')?;
    let (mut depth, mut commas, mut is_empty, mut quote) = (0_usize, 0, true, None);
    let mut characters = rest.char_indices().take_while(|(at, _)| *at < FARTHEST);
    while let Some((_, c)) = characters.next() {
        match (quote, c) {
            (Some(_), '\\') => drop(characters.next()),
            (Some(open), close) if open == close => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => (quote, is_empty) = (Some(c), false),
            (None, '(' | '[' | '{') => (depth, is_empty) = (depth + 1, false),
            (None, ')') if depth == 0 => return Some(if is_empty { 0 } else { commas + 1 }),
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => commas += 1,
            (None, c) => is_empty &= c.is_whitespace(),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::arguments;

    #[test]
    fn arguments_are_counted_up_to_their_end() {
        assert_eq!(arguments("f()"), Some(0));
        assert_eq!(arguments("f ( a )"), Some(1));
        assert_eq!(arguments("f(a, g(b, c), \"),(\", '\\'', new int[] {1, 2})"), Some(5));
        assert_eq!(arguments("f = (a, b)"), None);
        assert_eq!(arguments("f(a"), None);
    }
}
