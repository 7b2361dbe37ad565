//! Secrets in the rows of a table.

use base::secrets::{Certainty, Secrets, certainty};

/// Names of columns whose values belong to the name in another cell of the row.
const VALUES: &[&str] =
    &["value", "val", "values", "content", "setting", "data", "default", "secret"];

/// A row as it may be shown, given the names of its columns (none for a table without a header).
/// The name that makes a value a secret may be that of the column, or another cell of the row:
/// `db_password` beside `hunter2`.
pub fn masked(secrets: Secrets, names: &[String], row: &[String]) -> Vec<String> {
    let named =
        row.iter().position(|cell| cell.len() < 80 && certainty(cell.trim()) >= Certainty::Certain);
    let is_value = |index: usize| match names.get(index) {
        Some(name) => {
            let name = name.to_lowercase();
            VALUES.iter().any(|word| name == *word || name.ends_with(&format!("_{word}")))
        }
        None => names.is_empty() && row.len() <= 3,
    };
    let shown = |(index, cell): (usize, &String)| {
        let column = names.get(index).map_or("", String::as_str);
        let beside = named.filter(|named| index > *named && is_value(index));
        let beside = beside.and_then(|named| row.get(named)).map(String::as_str);
        secrets.below(beside.into_iter().chain([column]), cell).into_owned()
    };
    row.iter().enumerate().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use base::secrets::Secrets;

    use super::masked;

    #[test]
    fn a_column_or_a_cell_names_the_secret() {
        let row = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
        for (names, cells, shown) in [
            (&["user", "password"][..], &["me", "hunter2"][..], &["me", "****"][..]),
            (&["name", "value"], &["db_password", "hunter2"], &["db_password", "****"]),
            (
                &["option_id", "option_name", "option_value"],
                &["1", "api_key", "x9K"],
                &["1", "api_key", "****"],
            ),
            (&["name", "size"], &["db_password", "big"], &["db_password", "big"]),
            (&[], &["DBPASS", "hunter2"], &["DBPASS", "****"]),
            (&["name", "value"], &["colour", "red"], &["colour", "red"]),
        ] {
            assert_eq!(masked(Secrets::Masked, &row(names), &row(cells)), row(shown));
        }
    }
}
