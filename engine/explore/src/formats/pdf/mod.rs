//! PDF: pages and document information, from the file's own tables of objects.
//!
//! The reader is small on purpose. It reads only the objects that are needed, limits the length of
//! every chain and tree and detects cycles in them, and unpacks at most [`file::UNPACKED`] bytes.
//! If the tables of a file are broken, the file is searched for its objects instead.

pub mod fields;
mod file;
mod object;
mod outline;

use std::{collections::BTreeMap, io};

use crate::{Findings, Task, input::WHOLE_LIMIT};
use fields::{Bookmark, PdfFields};
use file::File;
use object::Object;

/// Maximum number of pages, and of entries of the table of contents, that are visited.
const PAGES: usize = 100_000;
const CONTENTS: usize = 2_000;
/// Maximum number of entries of the table of contents that are visited for their count.
const VISITED: usize = 1 << 20;

/// The contents of a PDF.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own, not a state")]
struct Document {
    version: Option<String>,
    pages: Option<u64>,
    encrypted: bool,
    /// Document information such as title and author, by the names of the format in snake_case.
    info: BTreeMap<&'static str, String>,
    bookmarks: Vec<Bookmark>,
    bookmark_count: usize,
    /// Whether there may be more bookmarks.
    bookmarks_at_least: bool,
    /// Width and height of the first page in points.
    page_size: Option<(f64, f64)>,
    forms: bool,
    tagged: bool,
    objects: usize,
    errors: Vec<String>,
}

/// Explores a PDF. If it is larger than 50 MiB, only its beginning is read.
pub fn explore(task: &Task) -> io::Result<Findings> {
    let size = task.input.size();
    let mut findings = Findings::new(task);
    let bytes = task.input.piece(0, WHOLE_LIMIT)?;
    let sampled = size > WHOLE_LIMIT;
    let document = read(&bytes);
    for error in document.errors.iter().filter(|_| !sampled) {
        findings.malformed(error.clone(), None, None);
    }
    outline::write(&mut findings, &document, size, sampled);
    if document.pages.is_none() {
        super::binary::rows(&mut findings, &bytes);
    }
    findings.facts = facts(document, size, sampled).into();
    Ok(findings)
}

/// Reads the contents of a file.
fn read(bytes: &[u8]) -> Document {
    let mut document = Document { version: version(bytes), ..Document::default() };
    if document.version.is_none() {
        document.errors.push("it does not begin as a PDF does".to_owned());
    }
    let mut file = File::open(bytes);
    document.errors.extend(file.error.take());
    document.objects = file.count();
    document.encrypted = file.trailer.contains_key("Encrypt");
    let root = file.trailer.get("Root").cloned().unwrap_or(Object::Null);
    let root = file.resolve(&root);
    if let Some(version) = root.get("Version").and_then(Object::name) {
        document.version = Some(version.to_owned());
    }
    document.forms = root.get("AcroForm").is_some();
    document.tagged = root.get("MarkInfo").is_some() || root.get("StructTreeRoot").is_some();
    pages(&mut file, &root, &mut document);
    if !document.encrypted {
        info(&mut file, &mut document);
        bookmarks(&mut file, &root, &mut document, VISITED);
    }
    document
}

/// The version in the header; some programs write something before it.
fn version(bytes: &[u8]) -> Option<String> {
    let head = bytes.get(..bytes.len().min(1024))?;
    let at = memchr::memmem::find(head, b"%PDF-")?;
    let text = head.get(at + 5..at + 8)?;
    text.first()?.is_ascii_digit().then(|| String::from_utf8_lossy(text).trim().to_owned())
}

/// Counts the pages by visiting the page tree.
fn pages(file: &mut File, root: &Object, document: &mut Document) {
    let Some(top) = root.get("Pages").cloned() else {
        document.errors.push("it has no tree of pages".to_owned());
        return;
    };
    let claimed = file.resolve(&top).get("Count").and_then(Object::integer);
    let mut seen = std::collections::BTreeSet::new();
    let (mut pages, mut visited) = (0_u64, 0);
    let mut whole = true;
    let mut waiting = vec![(top, None)];
    while let Some((node, inherited)) = waiting.pop() {
        visited += 1;
        if visited > PAGES {
            whole = false;
            break;
        }
        // A page may occur in the tree more than once, but a repeated inner node would be a cycle.
        let again = matches!(node, Object::Reference(number) if !seen.insert(number));
        let node = file.resolve(&node);
        let bounds = node.get("MediaBox").cloned().or(inherited);
        let children = node.get("Kids").cloned();
        if let Some(children) = children {
            if again {
                whole = false;
                continue;
            }
            let children = file.resolve(&children);
            // The last child is pushed first, so that the first one is popped first.
            for child in children.items().iter().rev() {
                waiting.push((child.clone(), bounds.clone()));
            }
        } else if matches!(node, Object::Dictionary(_)) {
            pages += 1;
            if document.page_size.is_none()
                && let Some(bounds) = bounds
            {
                document.page_size = area(file, &bounds);
            }
        } else {
            whole = false;
        }
    }
    let claimed = claimed.and_then(|count| u64::try_from(count).ok());
    if pages > 0 && whole {
        document.pages = Some(pages);
    } else {
        document.pages = claimed.filter(|_| document.encrypted).or((pages > 0).then_some(pages));
        document.errors.push("its tree of pages cannot be read to its end".to_owned());
    }
}

fn area(file: &mut File, bounds: &Object) -> Option<(f64, f64)> {
    let bounds = file.resolve(bounds);
    let numbers: Vec<f64> = bounds
        .items()
        .iter()
        .filter_map(|item| match file.resolve(item) {
            Object::Number(number) => Some(number),
            _ => None,
        })
        .collect();
    let [left, bottom, right, top] = numbers.as_slice() else { return None };
    let size = ((right - left).abs(), (top - bottom).abs());
    // A number with hundreds of digits overflows to infinity.
    (size.0.is_finite() && size.1.is_finite()).then_some(size)
}

fn info(file: &mut File, document: &mut Document) {
    let info = file.trailer.get("Info").cloned().unwrap_or(Object::Null);
    let info = file.resolve(&info);
    for (key, name) in [
        ("Title", "title"),
        ("Author", "author"),
        ("Subject", "subject"),
        ("Keywords", "keywords"),
        ("Creator", "creator"),
        ("Producer", "producer"),
        ("CreationDate", "creation_date"),
        ("ModDate", "modification_date"),
    ] {
        let Some(value) = info.get(key).cloned() else { continue };
        if let Some(text) = file.resolve(&value).text() {
            let text = text.trim();
            if !text.is_empty() {
                document.info.insert(name, crate::cut(text, 500));
            }
        }
    }
}

fn bookmarks(file: &mut File, root: &Object, document: &mut Document, visited: usize) {
    let Some(outlines) = root.get("Outlines").cloned() else { return };
    let first = file.resolve(&outlines).get("First").cloned();
    let mut seen = std::collections::BTreeSet::new();
    let mut waiting: Vec<(Object, usize)> = first.map(|first| (first, 1)).into_iter().collect();
    while let Some((place, level)) = waiting.pop() {
        if seen.len() >= visited {
            document.bookmarks_at_least = true;
            return;
        }
        if let Object::Reference(number) = place
            && !seen.insert(number)
        {
            continue;
        }
        let item = file.resolve(&place);
        let title = item.get("Title").cloned().unwrap_or(Object::Null);
        if let Some(title) = file.resolve(&title).text() {
            document.bookmark_count += 1;
            if document.bookmarks.len() < CONTENTS {
                document.bookmarks.push(Bookmark { title: crate::cut(title.trim(), 300), level });
            }
        }
        waiting.extend(item.get("Next").map(|next| (next.clone(), level)));
        waiting.extend(item.get("First").map(|child| (child.clone(), level + 1)));
    }
}

fn facts(document: Document, size_bytes: u64, sampled: bool) -> PdfFields {
    PdfFields {
        version: document.version,
        page_count: document.pages,
        encrypted: document.encrypted,
        title: document.info.get("title").cloned(),
        author: document.info.get("author").cloned(),
        info: document.info,
        bookmark_count: document.bookmark_count,
        bookmarks: document.bookmarks,
        page_size: document.page_size.map(|(width, height)| [width, height]),
        has_forms: document.forms,
        tagged: document.tagged,
        object_count: document.objects,
        size_bytes,
        sampled,
    }
}

#[cfg(test)]
mod tests;
