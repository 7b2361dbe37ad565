//! The schema of a database and a few rows of each table. An error in one place is recorded, and
//! the rest is still read.

use base::secrets::Secrets;
use rusqlite::{Connection, ErrorCode, Row, types::ValueRef};

use super::{
    Budget, ddl,
    fields::{Column, Constraint, Index, Table, Trigger, View},
};
use crate::{findings::cut, formats::shared::rows, masked::shortened};

/// Number of rows of each table that are shown, and longest value in characters.
const ROWS: usize = 5;
const VALUE: usize = 100;
/// Longest part of a value that is decoded, in bytes.
const DECODED: usize = 16 * 1024;
/// Maximum number of tables whose rows are counted and shown; a schema with more was not written by
/// people.
const LOOKED_AT: usize = 5_000;

/// The contents of a database.
#[derive(Debug, Default)]
pub struct Database {
    pub tables: Vec<Table>,
    pub indexes: Vec<Index>,
    pub views: Vec<View>,
    pub triggers: Vec<Trigger>,
    pub constraints: Vec<Constraint>,
    pub automatic_indexes: usize,
    /// True if the rows of some tables were not counted, because that would take too long.
    pub uncounted: bool,
    pub errors: Vec<String>,
}

/// Reads a database.
pub fn read(connection: &Connection, budget: &Budget, secrets: Secrets, database: &mut Database) {
    let query = Query { connection, budget, secrets };
    let objects = query.all(
        "SELECT type, name, tbl_name, coalesce(substr(sql, 1, 65536), ''), name LIKE 'sqlite_%' \
         FROM sqlite_schema ORDER BY rowid",
        &[],
        |row| {
            Ok((text(row, 0)?, text(row, 1)?, text(row, 2)?, text(row, 3)?, row.get::<_, bool>(4)?))
        },
    );
    let objects = database.kept(objects, "the schema");
    for (kind, name, table_name, sql, internal) in objects {
        match kind.as_str() {
            "table" if !internal => {
                let looked_at = database.tables.len() < LOOKED_AT;
                database.uncounted |= !looked_at;
                table(&query, database, name, &sql, looked_at);
            }
            "index" if internal => database.automatic_indexes += 1,
            "index" => index(&query, database, name, table_name, &sql),
            "view" => {
                database.views.push(View { name, sql: shortened(query.secrets, &sql, 2_000) });
            }
            "trigger" => {
                let (timing, event) = ddl::trigger(&sql);
                database.triggers.push(Trigger { name, table_name, timing, event });
            }
            _ => {}
        }
    }
}

impl Database {
    /// The rows of a query; its error, if there was one, is recorded.
    fn kept<T>(&mut self, (rows, error): (Vec<T>, Option<rusqlite::Error>), of: &str) -> Vec<T> {
        if let Some(error) = error {
            self.errors.push(format!("{of} cannot be read: {error}"));
        }
        rows
    }
}

struct Query<'a> {
    connection: &'a Connection,
    budget: &'a Budget,
    secrets: Secrets,
}

impl Query<'_> {
    /// The rows of a query, up to its end or its first error.
    fn all<T>(
        &self,
        sql: &str,
        parameters: &[&str],
        read: impl Fn(&Row) -> rusqlite::Result<T>,
    ) -> (Vec<T>, Option<rusqlite::Error>) {
        self.budget.refill();
        let mut found = Vec::new();
        let mut run = || -> rusqlite::Result<()> {
            let mut statement = self.connection.prepare(sql)?;
            let mut rows = statement.query(rusqlite::params_from_iter(parameters))?;
            while let Some(row) = rows.next()? {
                found.push(read(row)?);
            }
            Ok(())
        };
        let error = run().err();
        (found, error)
    }
}

fn table(query: &Query, database: &mut Database, name: String, sql: &str, look: bool) {
    let columns = query.all(
        "SELECT name, type, \"notnull\", dflt_value, pk, hidden FROM pragma_table_xinfo(?1) \
         WHERE hidden <> 1 ORDER BY cid",
        &[&name],
        |row| {
            let declared = text(row, 1)?;
            let (name, default) = (text(row, 0)?, text(row, 3)?);
            Ok(Column {
                declared: if declared.is_empty() { "BLOB".to_owned() } else { declared },
                not_null: row.get(2)?,
                default: (!default.is_empty())
                    .then(|| query.secrets.value(&name, &default).into_owned()),
                name,
                primary_key: row.get(4)?,
                generated: row.get::<_, i64>(5)? > 1,
            })
        },
    );
    let columns = database.kept(columns, &format!("table {name}"));
    let kinds = query.all(
        "SELECT type, wr, strict FROM pragma_table_list(?1) WHERE schema = 'main'",
        &[&name],
        |row| Ok((text(row, 0)?, row.get::<_, bool>(1)?, row.get::<_, bool>(2)?)),
    );
    let kind = kinds.0.into_iter().next();
    let (kind, without_rowid, strict) = kind.unwrap_or_else(|| ("table".to_owned(), false, false));
    constraints(query, database, &name, &columns, sql);
    let quoted = name.replace('"', "\"\"");
    let mut row_count = None;
    let mut sample_rows = Vec::new();
    if look {
        let errors = database.errors.len();
        // `count(*)` is not used: it visits pages without checking its budget, and in a damaged
        // file it may never end.
        let (rows, error) = query
            .all(&format!("SELECT count(1) FROM \"{quoted}\""), &[], |row| row.get::<_, i64>(0));
        let error = error.filter(|error| {
            let too_many = error.sqlite_error_code() == Some(ErrorCode::OperationInterrupted);
            database.uncounted |= too_many;
            !too_many
        });
        row_count = database
            .kept((rows, error), &format!("the rows of table {name}"))
            .first()
            .map(|count| u64::try_from(*count).unwrap_or(0));
        // The names are those of the pragma: SQLite's own accessor of names insists on UTF-8, which
        // a damaged schema is not. Without a name for each cell nothing could be masked.
        let names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
        let rows = query.all(&format!("SELECT * FROM \"{quoted}\" LIMIT {ROWS}"), &[], |row| {
            let cells: Vec<String> = (0..names.len())
                .map(|index| Ok(shown(row.get_ref(index)?)))
                .collect::<rusqlite::Result<_>>()?;
            let cells = rows::masked(query.secrets, &names, &cells);
            Ok(cells.iter().map(|cell| cut(cell, VALUE)).collect::<Vec<_>>())
        });
        sample_rows = database.kept(rows, &format!("the rows of table {name}"));
        // SQLite reads some bytes beyond the end of a damaged page: an apparent row may consist of
        // unrelated memory.
        if database.errors.len() > errors {
            sample_rows.clear();
        }
    }
    database.tables.push(Table {
        name,
        kind,
        columns,
        row_count,
        without_rowid,
        strict,
        sample_rows,
    });
}

fn constraints(query: &Query, database: &mut Database, table: &str, columns: &[Column], sql: &str) {
    let of = |kind, columns| Constraint {
        table: table.to_owned(),
        kind,
        columns,
        references: None,
        expression: None,
    };
    let mut key: Vec<&Column> = columns.iter().filter(|column| column.primary_key > 0).collect();
    key.sort_by_key(|column| column.primary_key);
    if !key.is_empty() {
        let key = key.into_iter().map(|column| column.name.clone()).collect();
        database.constraints.push(of("primary_key", key));
    }
    for column in columns.iter().filter(|column| column.not_null) {
        database.constraints.push(of("not_null", vec![column.name.clone()]));
    }
    let unique = query.all(
        "SELECT name FROM pragma_index_list(?1) WHERE origin = 'u' ORDER BY seq DESC",
        &[table],
        |row| text(row, 0),
    );
    for index in database.kept(unique, &format!("the indexes of table {table}")) {
        let columns = indexed(query, database, &index);
        database.constraints.push(of("unique", columns));
    }
    let keys = query.all(
        "SELECT id, \"table\", \"from\", \"to\" FROM pragma_foreign_key_list(?1) \
         ORDER BY id DESC, seq",
        &[table],
        |row| Ok((row.get::<_, i64>(0)?, text(row, 1)?, text(row, 2)?, text(row, 3)?)),
    );
    let mut last = None;
    let mut targets: Vec<(String, Vec<String>)> = Vec::new();
    let first = database.constraints.len();
    for (id, target, from, to) in database.kept(keys, &format!("the keys of table {table}")) {
        if last != Some(id) {
            last = Some(id);
            database.constraints.push(of("foreign_key", Vec::new()));
            targets.push((target, Vec::new()));
        }
        if let (Some(constraint), Some((_, columns))) =
            (database.constraints.last_mut(), targets.last_mut())
        {
            constraint.columns.push(from);
            columns.extend((!to.is_empty()).then_some(to));
        }
    }
    for (constraint, (target, columns)) in database.constraints.iter_mut().skip(first).zip(targets)
    {
        let columns = columns.join(", ");
        constraint.references =
            Some(if columns.is_empty() { target } else { format!("{target}({columns})") });
    }
    for expression in ddl::checks(sql) {
        let mut check = of("check", Vec::new());
        check.expression = Some(shortened(query.secrets, &expression, 500));
        database.constraints.push(check);
    }
}

fn index(query: &Query, database: &mut Database, name: String, table_name: String, sql: &str) {
    let columns = indexed(query, database, &name);
    let (unique, partial) = ddl::index(sql);
    database.indexes.push(Index { name, table_name, columns, unique, partial });
}

fn indexed(query: &Query, database: &mut Database, index: &str) -> Vec<String> {
    let columns =
        query.all("SELECT name FROM pragma_index_info(?1) ORDER BY seqno", &[index], |row| {
            Ok(match row.get_ref(0)? {
                ValueRef::Null => "<expression>".to_owned(),
                _ => text(row, 0)?,
            })
        });
    database.kept(columns, &format!("index {index}"))
}

/// A column of a row as text, whatever its type.
fn text(row: &Row, index: usize) -> rusqlite::Result<String> {
    Ok(match row.get_ref(index)? {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => {
            String::from_utf8_lossy(bytes).into_owned()
        }
        ValueRef::Integer(value) => value.to_string(),
        ValueRef::Real(value) => value.to_string(),
        ValueRef::Null => String::new(),
    })
}

/// A value as shown in a sample row.
fn shown(value: ValueRef) -> String {
    match value {
        ValueRef::Null => "NULL".to_owned(),
        ValueRef::Blob(bytes) => format!("<blob {} bytes>", bytes.len()),
        ValueRef::Integer(value) => value.to_string(),
        ValueRef::Real(value) => value.to_string(),
        ValueRef::Text(bytes) => {
            // Only the part that has to be masked before it is cut is decoded.
            let start = bytes.get(..bytes.len().min(DECODED)).unwrap_or_default();
            String::from_utf8_lossy(start).into_owned()
        }
    }
}
