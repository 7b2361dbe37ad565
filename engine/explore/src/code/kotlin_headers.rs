//! Rewrites Kotlin that the grammar misparses. The new text has the same length and the same lines,
//! so every position in the tree is a position in the file.

use tree_sitter::{Node, Tree};

use super::walk::children;

/// The text to parse instead; `None` if nothing has to be changed.
pub fn reread(text: &str, tree: &Tree) -> Option<String> {
    let mut bytes = text.as_bytes().to_vec();
    if memchr::memmem::find(&bytes, b" by ").is_some() {
        delegations(tree.root_node(), &mut bytes);
    }
    if tree.root_node().has_error() {
        constructors(&mut bytes);
        one_liners(&mut bytes);
    }
    if bytes == text.as_bytes() { None } else { String::from_utf8(bytes).ok() }
}

/// `class A : B by b { … }`: the grammar takes the body of the class for a lambda passed to `b`.
/// Without `by b` it is parsed as a body.
fn delegations(root: Node, bytes: &mut [u8]) {
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        for inner in children(node) {
            match inner.kind() {
                "class_declaration"
                | "object_declaration"
                | "companion_object"
                | "class_body"
                | "enum_class_body"
                | "delegation_specifier" => open.push(inner),
                "explicit_delegation" => {
                    let lambda = last(inner).filter(|part| part.kind() == "lambda_literal");
                    let by = by(inner);
                    if let (Some(lambda), Some(by)) = (lambda, by) {
                        blank(bytes, by.start_byte(), lambda.start_byte());
                    }
                }
                _ => {}
            }
        }
    }
}

fn by(delegation: Node) -> Option<Node> {
    let mut cursor = delegation.walk();
    delegation.children(&mut cursor).find(|part| part.kind() == "by")
}

/// The lambda at the end of calls, if there is one.
fn last(node: Node) -> Option<Node> {
    let mut node = node;
    loop {
        let inner = children(node).filter(|part| !part.is_extra()).last()?;
        match inner.kind() {
            "lambda_literal" => return Some(inner),
            "call_expression" | "call_suffix" | "annotated_lambda" => node = inner,
            _ => return None,
        }
    }
}

/// A primary constructor on a line of its own: the text between the name of the class and the
/// parameters becomes a comment, which begins in the last two letters of the name.
fn constructors(bytes: &mut [u8]) {
    const WORD: &[u8] = b"constructor";
    let places: Vec<usize> = memchr::memmem::find_iter(bytes, WORD).collect();
    for place in places {
        let Some(header) = header(bytes, place) else { continue };
        let end = place + WORD.len();
        if !bytes.get(header..place).is_some_and(|gap| gap.contains(&b'\n')) {
            continue;
        }
        // Type parameters move left together with the end of the name.
        let (mut name, generic) = match bytes.get(header - 1) {
            Some(b'>') => (matching(bytes, header - 1, b'<', b'>').unwrap_or(header), true),
            _ => (header, false),
        };
        while generic && name > 0 && bytes.get(name - 1) == Some(&b' ') {
            name -= 1;
        }
        let letters = bytes
            .get(..name)
            .map_or(0, |before| before.iter().rev().take_while(|byte| is_word(**byte)).count());
        if letters < 3 {
            continue;
        }
        bytes.copy_within(name..header, name - 2);
        blank(bytes, header - 2, end);
        bytes[header - 2..header].copy_from_slice(b"/*");
        bytes[end - 2..end].copy_from_slice(b"*/");
    }
}

/// The position where the name of a class, including type parameters, ends before the modifiers and
/// annotations of its constructor.
fn header(bytes: &[u8], place: usize) -> Option<usize> {
    let mut at = place;
    loop {
        at = before_space(bytes, at);
        let end = at;
        let mut called = false;
        if bytes.get(at.checked_sub(1)?) == Some(&b')') {
            at = matching(bytes, at - 1, b'(', b')')?;
            called = true;
        }
        if bytes.get(at.checked_sub(1)?) == Some(&b'>') {
            at = before_space(bytes, matching(bytes, at - 1, b'<', b'>')?);
        }
        while at > 0 && (is_word(bytes[at - 1]) || matches!(bytes[at - 1], b'.' | b':')) {
            at -= 1;
        }
        let word = bytes.get(at..end)?;
        if bytes.get(at.checked_sub(1)?) == Some(&b'@') {
            at -= 1;
        } else if called || !matches!(word, b"private" | b"protected" | b"internal" | b"public") {
            let before = bytes.get(..before_space(bytes, at))?;
            return (!called && before.ends_with(b"class")).then_some(end);
        }
    }
}

fn before_space(bytes: &[u8], mut at: usize) -> usize {
    while at > 0 && bytes[at - 1].is_ascii_whitespace() {
        at -= 1;
    }
    at
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The opening bracket for a closing one; `None` if it is too far away.
fn matching(bytes: &[u8], close: usize, open: u8, closed: u8) -> Option<usize> {
    const FAR: usize = 4096;
    let mut depth = 0_usize;
    for (at, byte) in bytes.get(..=close)?.iter().enumerate().rev().take(FAR) {
        if *byte == closed {
            depth += 1;
        } else if *byte == open {
            depth -= 1;
            if depth == 0 {
                return Some(at);
            }
        }
    }
    None
}

/// `{ fun f() }`: the grammar requires a line break or a semicolon after a member.
fn one_liners(bytes: &mut [u8]) {
    for at in 2..bytes.len() {
        let ends = bytes[at] == b'}' && bytes[at - 1] == b' ';
        if ends && !bytes[at - 2].is_ascii_whitespace() && !matches!(bytes[at - 2], b'{' | b';') {
            bytes[at - 1] = b';';
        }
    }
}

/// Replaces everything but line breaks with spaces. Only whole characters are replaced.
fn blank(bytes: &mut [u8], start: usize, end: usize) {
    for byte in bytes.get_mut(start..end).into_iter().flatten() {
        if !matches!(*byte, b'\n' | b'\r') {
            *byte = b' ';
        }
    }
}
