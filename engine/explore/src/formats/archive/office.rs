//! What is in a workbook (xlsx) or a document (docx): its sheets with their columns, its headings.
//! Both are zips of XML (ECMA-376).

use std::{collections::BTreeMap, io};

use quick_xml::{Reader, events::Event};

use super::{Archive, zip};
use crate::{
    exploration::Entry,
    findings::{cut, grouped},
    input::Input,
};

/// Maximum number of bytes that are decompressed of one part, and of all sheets together.
const READ: u64 = 16 << 20;
const SHEETS: u64 = 64 << 20;
/// Number of columns whose names are shown, and longest name or heading, in characters.
const COLUMNS: usize = 20;
const TEXT: usize = 60;

/// The parts of a workbook or a document; empty for other archives.
pub fn parts(input: &Input, archive: &Archive) -> io::Result<Vec<(&'static str, Vec<Entry>)>> {
    let has = |path: &str| archive.entries.iter().any(|entry| entry.path == path);
    if has("xl/workbook.xml") {
        return Ok(vec![("Sheets", sheets(input)?)]);
    }
    if has("word/document.xml") {
        let Some((text, _)) = part(input, "word/document.xml")? else { return Ok(Vec::new()) };
        return Ok(vec![("Headings", headings(&text))]);
    }
    Ok(Vec::new())
}

/// The text of a part, and whether it is whole.
fn part(input: &Input, path: &str) -> io::Result<Option<(String, bool)>> {
    let Some(bytes) = zip::content(input, path, READ)? else { return Ok(None) };
    let is_whole = (bytes.len() as u64) < READ;
    Ok(Some((String::from_utf8_lossy(&bytes).into_owned(), is_whole)))
}

/// The events of an XML text up to its end or its first defect.
fn events(text: &str) -> impl Iterator<Item = Event<'_>> {
    let mut reader = Reader::from_str(text);
    std::iter::from_fn(move || {
        reader.read_event().ok().filter(|event| !matches!(event, Event::Eof))
    })
}

/// The name of an element or attribute without its prefix.
fn local(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}

/// An attribute of an element.
fn attribute(start: &quick_xml::events::BytesStart, name: &str) -> Option<String> {
    let mut attributes = start.attributes().flatten();
    let found = attributes.find(|one| local(one.key.into_inner()) == name)?;
    let value = found.value.into_owned();
    Some(
        quick_xml::escape::unescape(&value)
            .map_or_else(|_| value.clone(), std::borrow::Cow::into_owned),
    )
}

/// The text that an event adds.
fn text_of(event: &Event) -> String {
    match event {
        Event::Text(text) => text.to_string(),
        Event::GeneralRef(reference) => {
            let written = format!("&{};", &**reference);
            quick_xml::escape::unescape(&written)
                .map_or_else(|_| String::new(), std::borrow::Cow::into_owned)
        }
        _ => String::new(),
    }
}

/// Each sheet with its numbers of rows and columns, and the cells of its first row.
fn sheets(input: &Input) -> io::Result<Vec<Entry>> {
    let Some((workbook, _)) = part(input, "xl/workbook.xml")? else { return Ok(Vec::new()) };
    let relations = part(input, "xl/_rels/workbook.xml.rels")?.unwrap_or_default().0;
    let mut targets = BTreeMap::new();
    for event in events(&relations) {
        if let Event::Start(start) | Event::Empty(start) = &event
            && let (Some(id), Some(target)) = (attribute(start, "Id"), attribute(start, "Target"))
        {
            targets.insert(id, target);
        }
    }
    let mut named = Vec::new();
    for event in events(&workbook) {
        if let Event::Start(start) | Event::Empty(start) = &event
            && local(start.name().into_inner()) == "sheet"
            && let (Some(name), Some(id)) = (attribute(start, "name"), attribute(start, "id"))
        {
            named.push((name, targets.get(&id).cloned().unwrap_or_default()));
        }
    }
    let mut shared: Option<Vec<String>> = None;
    let mut left = SHEETS;
    let mut entries = Vec::new();
    for (index, (name, target)) in named.into_iter().enumerate() {
        let path = match target.strip_prefix('/') {
            Some(whole) => whole.to_owned(),
            None => format!("xl/{target}"),
        };
        let mut shown = cut(&name, TEXT);
        if left > 0
            && let Some((text, is_whole)) = part(input, &path)?
        {
            left = left.saturating_sub(text.len() as u64);
            let sheet = Sheet::read(&text);
            let at_least = if is_whole { "" } else { "at least " };
            let (rows, columns) = (grouped(sheet.rows), grouped(sheet.columns));
            shown.push_str(&format!(", {at_least}{rows} rows × {columns} columns"));
            if sheet.first.iter().any(|cell| matches!(cell, Cell::Shared(_))) && shared.is_none() {
                let text = part(input, "xl/sharedStrings.xml")?.unwrap_or_default().0;
                shared = Some(shared_texts(&text));
            }
            let texts = shared.as_deref().unwrap_or_default();
            let names: Vec<String> = sheet.first.iter().map(|cell| cell.shown(texts)).collect();
            let more = sheet.columns.saturating_sub(names.len() as u64);
            if !names.is_empty() {
                shown.push_str(&format!(": {}", names.join(", ")));
                if more > 0 {
                    shown.push_str(&format!(", ... and {} more", grouped(more)));
                }
            }
        }
        entries.push(Entry { line: index as u64 + 1, text: shown });
    }
    Ok(entries)
}

/// A cell of the first row.
enum Cell {
    /// Its number among the texts that all sheets share.
    Shared(usize),
    Text(String),
}

impl Cell {
    fn shown(&self, shared: &[String]) -> String {
        match self {
            Self::Shared(index) => shared.get(*index).cloned().unwrap_or_default(),
            Self::Text(text) => cut(text.trim(), TEXT),
        }
    }
}

/// What is read of a sheet.
#[derive(Default)]
struct Sheet {
    rows: u64,
    columns: u64,
    first: Vec<Cell>,
}

impl Sheet {
    fn read(text: &str) -> Self {
        let mut sheet = Self::default();
        let (mut cells, mut value, mut is_shared, mut in_value) = (0, String::new(), false, false);
        for event in events(text) {
            match &event {
                Event::Start(start) | Event::Empty(start) => match local(start.name().into_inner())
                {
                    "row" => (sheet.rows, cells) = (sheet.rows + 1, 0),
                    "c" => {
                        cells += 1;
                        sheet.columns = sheet.columns.max(cells);
                        is_shared = attribute(start, "t").as_deref() == Some("s");
                        value.clear();
                        if sheet.rows == 1 && matches!(event, Event::Empty(_)) {
                            sheet.add(String::new(), false);
                        }
                    }
                    "v" | "t" => in_value = matches!(event, Event::Start(_)),
                    _ => {}
                },
                Event::End(end) => match local(end.name().into_inner()) {
                    "c" if sheet.rows == 1 => sheet.add(std::mem::take(&mut value), is_shared),
                    "v" | "t" => in_value = false,
                    _ => {}
                },
                _ if in_value && sheet.rows == 1 => value.push_str(&text_of(&event)),
                _ => {}
            }
        }
        sheet
    }

    fn add(&mut self, value: String, is_shared: bool) {
        if self.first.len() < COLUMNS {
            self.first.push(match value.trim().parse() {
                Ok(index) if is_shared => Cell::Shared(index),
                _ => Cell::Text(value),
            });
        }
    }
}

/// The texts that all sheets share, in their order.
fn shared_texts(text: &str) -> Vec<String> {
    let mut texts = Vec::new();
    let (mut one, mut in_text) = (String::new(), false);
    for event in events(text) {
        match &event {
            Event::Start(start) if local(start.name().into_inner()) == "t" => in_text = true,
            Event::End(end) => match local(end.name().into_inner()) {
                "t" => in_text = false,
                "si" => texts.push(cut(std::mem::take(&mut one).trim(), TEXT)),
                _ => {}
            },
            _ if in_text && one.len() < 1_000 => one.push_str(&text_of(&event)),
            _ => {}
        }
    }
    texts
}

/// The headings of a document, each with the number of its paragraph.
fn headings(text: &str) -> Vec<Entry> {
    let mut entries = Vec::new();
    let (mut paragraph, mut level, mut title, mut in_text) = (0_u64, None, String::new(), false);
    for event in events(text) {
        match &event {
            Event::Start(start) | Event::Empty(start) => match local(start.name().into_inner()) {
                "p" => {
                    paragraph += 1;
                    (level, title) = (None, String::new());
                }
                "pStyle" => {
                    let style = attribute(start, "val").unwrap_or_default().to_lowercase();
                    let digits =
                        style.strip_prefix("heading").and_then(|rest| rest.trim().parse().ok());
                    level =
                        if style == "title" { Some(0) } else { digits.filter(|level| *level < 10) };
                }
                "t" => in_text = matches!(event, Event::Start(_)),
                _ => {}
            },
            Event::End(end) => match local(end.name().into_inner()) {
                "t" => in_text = false,
                "p" => {
                    let shown = cut(title.trim(), TEXT);
                    if let Some(level) = level.take().filter(|_: &usize| !shown.is_empty()) {
                        let text = format!("{}{shown}", "  ".repeat(level));
                        entries.push(Entry { line: paragraph, text });
                    }
                }
                _ => {}
            },
            _ if in_text && level.is_some() && title.len() < 1_000 => {
                title.push_str(&text_of(&event));
            }
            _ => {}
        }
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::{
        super::{Archive, zip},
        Cell, Sheet, headings, parts, shared_texts,
    };
    use crate::input::Input;

    /// A zip of stored files.
    fn stored(files: &[(&str, &str)]) -> Vec<u8> {
        let (mut bytes, mut directory) = (Vec::new(), Vec::new());
        for (name, text) in files {
            let (offset, size) = (bytes.len() as u32, (text.len() as u32).to_le_bytes());
            let length = (name.len() as u16).to_le_bytes();
            let sizes = [[0; 4], size, size].concat();
            bytes.extend(
                [&b"PK\x03\x04\x14\0\0\0\0\0\0\0\0\0"[..], &sizes, &length, &[0, 0]].concat(),
            );
            bytes.extend([name.as_bytes(), text.as_bytes()].concat());
            directory.extend(
                [&b"PK\x01\x02\x14\0\x14\0\0\0\0\0\0\0\0\0"[..], &sizes, &length, &[0; 12]]
                    .concat(),
            );
            directory.extend([&offset.to_le_bytes()[..], name.as_bytes()].concat());
        }
        let (offset, size) = (bytes.len() as u32, directory.len() as u32);
        let count = (files.len() as u16).to_le_bytes();
        bytes.extend(directory);
        bytes.extend([&b"PK\x05\x06\0\0\0\0"[..], &count, &count].concat());
        bytes.extend([&size.to_le_bytes()[..], &offset.to_le_bytes(), &[0, 0]].concat());
        bytes
    }

    #[test]
    fn a_workbook_has_its_sheets_with_their_columns() {
        let bytes = stored(&[
            (
                "xl/workbook.xml",
                "<workbook><sheets><sheet name=\"Sales &amp; more\" r:id=\"r2\"/><sheet name=\"Gone\" r:id=\"r9\"/></sheets></workbook>",
            ),
            (
                "xl/_rels/workbook.xml.rels",
                "<Relationships><Relationship Id=\"r2\" Target=\"worksheets/one.xml\"/></Relationships>",
            ),
            (
                "xl/worksheets/one.xml",
                "<worksheet><row><c t=\"s\"><v>0</v></c><c><v>7</v></c></row><row/></worksheet>",
            ),
            ("xl/sharedStrings.xml", "<sst><si><t>region</t></si></sst>"),
        ]);
        let input = Input::memory("a.xlsx", &bytes);
        let mut archive = Archive::default();
        zip::read(&input, &mut archive).unwrap();
        let found = parts(&input, &archive).unwrap();
        let shown: Vec<&str> = found[0].1.iter().map(|entry| entry.text.as_str()).collect();
        assert_eq!(
            (found[0].0, shown),
            ("Sheets", vec!["Sales & more, 2 rows × 2 columns: region, 7", "Gone"])
        );
    }

    #[test]
    fn a_sheet_has_rows_columns_and_a_first_row() {
        let text = "<worksheet><sheetData><row r=\"1\"><c r=\"A1\" t=\"s\"><v>1</v></c><c r=\"B1\" t=\"inlineStr\"><is><t>a &amp; b</t></is></c><c/></row>\
                    <row><c><v>7</v></c></row></sheetData></worksheet>";
        let sheet = Sheet::read(text);
        assert_eq!((sheet.rows, sheet.columns), (2, 3));
        let shared =
            shared_texts("<sst><si><t>x</t></si><si><r><t>re</t></r><r><t>gion</t></r></si></sst>");
        let shown: Vec<String> =
            sheet.first.iter().map(|cell: &Cell| cell.shown(&shared)).collect();
        assert_eq!(shown, ["region", "a & b", ""]);
    }

    #[test]
    fn a_document_has_its_headings() {
        let text = "<w:document><w:p><w:pPr><w:pStyle w:val=\"Title\"/></w:pPr><w:r><w:t>Plan</w:t></w:r></w:p><w:p><w:r><w:t>words</w:t></w:r></w:p>\
                    <w:p><w:pPr><w:pStyle w:val=\"Heading1\"/></w:pPr><w:r><w:t>A &lt;</w:t></w:r><w:r><w:t> B</w:t></w:r></w:p></w:document>";
        let found: Vec<(u64, String)> =
            headings(text).into_iter().map(|entry| (entry.line, entry.text)).collect();
        assert_eq!(found, [(1, "Plan".to_owned()), (3, "  A < B".to_owned())]);
        assert!(headings("<w:p><w:pPr>").is_empty());
    }
}
