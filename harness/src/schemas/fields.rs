//! Tables of the fields of a schema, for people.
//!
//! In a description, the sentence that begins with `Unit:` says what a number counts, and the one that begins
//! with `Only` when a field is there; they fill two columns. The rest is the meaning.

use std::{collections::BTreeMap, fs, io, path::Path};

use serde_json::Value;

use super::{
    Schema,
    schema::{Branch, Kind},
};

const HEAD: &str = "| field | type | unit | present | meaning |\n|---|---|---|---|---|\n";

/// Why there are no tables of a schema.
#[derive(Debug, thiserror::Error)]
pub enum FieldsError {
    /// A schema cannot be read.
    #[error("{0} cannot be read: {1}")]
    Read(String, io::Error),
    /// A schema is not written as the tables need it.
    #[error("{0}: {1}")]
    Wrong(String, String),
}

/// The schemas of a folder, read when a reference needs them.
struct Tables<'a> {
    folder: &'a Path,
    schemas: BTreeMap<String, Schema>,
}

/// The tables of a schema in a file: its fields, and those of every object that it defines.
pub fn tables(file: &Path) -> Result<String, FieldsError> {
    let wrong = |why: &str| FieldsError::Wrong(file.display().to_string(), why.to_owned());
    let folder = file.parent().ok_or_else(|| wrong("there is no folder"))?;
    let name = file.file_name().and_then(|name| name.to_str()).ok_or_else(|| wrong("no name"))?;
    let mut tables = Tables { folder, schemas: BTreeMap::new() };
    tables.read(name)?;
    let schema = &tables.schemas[name];
    let mut out = format!("{}\n", schema.description);
    if schema.has_fields() {
        out += &format!("\n{}", tables.table(name, schema)?);
    } else {
        let branches = schema.one_of.iter().map(|branch| tables.kind(name, branch));
        out += &format!("\nIt is {}.\n", branches.collect::<Result<Vec<_>, _>>()?.join(" or "));
    }
    let definitions = schema.definitions.iter().map(|(_, definition)| definition);
    for definition in definitions.filter(|definition| definition.has_fields()) {
        out += &format!("\n*{}*\n\n{}", definition.title, tables.table(name, definition)?);
    }
    Ok(out)
}

impl Tables<'_> {
    /// Reads a schema and all that it refers to.
    fn read(&mut self, file: &str) -> Result<(), FieldsError> {
        let mut pending = vec![file.to_owned()];
        while let Some(file) = pending.pop() {
            if self.schemas.contains_key(&file) {
                continue;
            }
            let read = |error| FieldsError::Read(file.clone(), error);
            let text = fs::read_to_string(self.folder.join(&file)).map_err(read)?;
            let schema = serde_json::from_str(&text)
                .map_err(|error| FieldsError::Wrong(file.clone(), error.to_string()))?;
            pending.extend(super::needed(&file, &text).into_iter().map(|name| name + ".json"));
            self.schemas.insert(file, schema);
        }
        Ok(())
    }

    fn table(&self, file: &str, schema: &Schema) -> Result<String, FieldsError> {
        let mut out = HEAD.to_owned();
        for (name, field) in schema.properties.iter() {
            let wrong = |why: &str| FieldsError::Wrong(file.to_owned(), format!("{name} {why}"));
            let (unit, rest) = taken(&field.description, "Unit: ");
            let (when, mut meaning) = taken(&rest, "Only ");
            if meaning.is_empty() {
                return Err(wrong("has no meaning"));
            }
            let (_, target) = self.target(file, field)?;
            if field.reference.is_some() && !target.has_fields() && !target.description.is_empty() {
                meaning = format!("{meaning} {}", target.description);
            }
            let is_required = schema.required.iter().any(|one| one == name);
            let present = match (&field.default, when) {
                (None, None) if is_required => "always".to_owned(),
                (None, Some(when)) if !is_required => format!("only {when}"),
                (Some(default), None) => format!("optional, {} if left out", code(default)),
                _ => return Err(wrong("does not say when it is there, or says it twice")),
            };
            if unit.is_none() && is_measured(field) {
                return Err(wrong("is a number without a unit"));
            }
            let (unit, kind) = (unit.unwrap_or_default(), self.kind(file, field)?);
            out += &format!("| `{name}` | {kind} | {unit} | {present} | {meaning} |\n");
        }
        Ok(out)
    }

    /// The schema that a reference leads to and its file, or the schema itself.
    fn target<'a>(
        &'a self,
        file: &'a str,
        schema: &'a Schema,
    ) -> Result<(&'a str, &'a Schema), FieldsError> {
        let Some(reference) = &schema.reference else { return Ok((file, schema)) };
        let (other, name) = reference.split_once("#/$defs/").unwrap_or((reference, ""));
        let other = if other.is_empty() { file } else { other };
        let found = self.schemas.get(other).and_then(|whole| match name {
            "" => Some(whole),
            name => whole.definitions.get(name),
        });
        let lost = || FieldsError::Wrong(file.to_owned(), format!("{reference} leads nowhere"));
        Ok((other, found.ok_or_else(lost)?))
    }

    /// The type of a value in words.
    fn kind(&self, file: &str, schema: &Schema) -> Result<String, FieldsError> {
        let (file, schema) = self.target(file, schema)?;
        if schema.has_fields() {
            return Ok(format!("*{}*", schema.title));
        }
        let branches = if schema.one_of.is_empty() { &schema.any_of } else { &schema.one_of };
        if !branches.is_empty() {
            let kinds = branches.iter().map(|branch| self.kind(file, branch));
            return Ok(kinds.collect::<Result<Vec<_>, _>>()?.join(" or "));
        }
        if let Some(only) = &schema.only {
            return Ok(code(only));
        }
        if !schema.words.is_empty() {
            return Ok(schema.words.iter().map(code).collect::<Vec<_>>().join(", "));
        }
        if !schema.prefix_items.is_empty() {
            let titles: Vec<&str> = schema.prefix_items.iter().map(|item| &*item.title).collect();
            return Ok(format!("`[{}]`", titles.join(", ")));
        }
        let mut kinds = Vec::new();
        for name in schema.kind.names() {
            kinds.push(match (name.as_str(), &schema.items, &schema.additional_properties) {
                ("array", Some(Branch::Schema(items)), _) => {
                    let most = schema.max_items.map_or(String::new(), |most| format!("{most} "));
                    let most = if most.is_empty() { most } else { format!("at most {most}") };
                    format!("list of {most}{}", self.kind(file, items)?)
                }
                ("object", _, Some(Branch::Schema(values))) => {
                    format!("object of {}", self.kind(file, values)?)
                }
                ("integer" | "number", ..) => format!("{name}{}", bounds(schema)),
                _ => name.clone(),
            });
        }
        Ok(kinds.join(" or "))
    }
}

/// The rest of the sentence in a text that begins with a word, and the text without it.
fn taken(text: &str, begin: &str) -> (Option<String>, String) {
    let at = text.match_indices(begin).map(|(at, _)| at);
    let Some(at) = at.into_iter().find(|at| *at == 0 || text[..*at].ends_with(". ")) else {
        return (None, text.to_owned());
    };
    let (before, rest) = (text[..at].trim_end(), &text[at + begin.len()..]);
    let (sentence, after) = rest.split_once(". ").unwrap_or((rest.trim_end_matches('.'), ""));
    let between = if before.is_empty() || after.is_empty() { "" } else { " " };
    (Some(sentence.to_owned()), format!("{before}{between}{after}"))
}

/// Whether a field is a number that counts or measures something.
fn is_measured(field: &Schema) -> bool {
    let numbers =
        |kind: &Kind| kind.names().iter().any(|name| matches!(name.as_str(), "integer" | "number"));
    numbers(&field.kind)
}

fn bounds(schema: &Schema) -> String {
    match (&schema.minimum, &schema.maximum) {
        (Some(least), Some(most)) => format!(" from {least} to {most}"),
        (Some(least), None) => format!(" ≥ {least}"),
        (None, Some(most)) => format!(" ≤ {most}"),
        (None, None) => String::new(),
    }
}

/// A value as code; a text without its quotes unless it is empty.
fn code(value: &Value) -> String {
    match value {
        Value::String(text) if !text.is_empty() => format!("`{text}`"),
        value => format!("`{value}`"),
    }
}
