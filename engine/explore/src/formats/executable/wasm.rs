//! WebAssembly modules, read as their specification lays them out: a list of sections, each with
//! an id and a size.

use super::{
    Program,
    fields::{Linked, Machine, Section},
    name,
};

/// Names of the sections by their id.
const SECTIONS: [&str; 14] = [
    "custom",
    "type",
    "import",
    "function",
    "table",
    "memory",
    "global",
    "export",
    "start",
    "element",
    "code",
    "data",
    "data count",
    "tag",
];
const KINDS: [&str; 5] = ["function", "table", "memory", "global", "tag"];

/// A position in the module.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    /// Reads a number of at most 64 bits in LEB128.
    fn number(&mut self) -> Option<u64> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    fn take(&mut self, count: u64) -> Option<&'a [u8]> {
        let end = self.at.checked_add(usize::try_from(count).ok()?)?;
        let taken = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(taken)
    }

    fn text(&mut self) -> Option<String> {
        let length = self.number()?;
        self.take(length).map(name)
    }

    fn limits(&mut self) -> Option<()> {
        let flags = self.byte()?;
        self.number()?;
        if flags & 1 == 1 {
            self.number()?;
        }
        Some(())
    }
}

/// Reads a module.
pub fn read(bytes: &[u8], program: &mut Program) {
    (program.format, program.kind) = ("wasm", "module");
    program.arch = Some(Machine { arch: "wasm".to_owned(), bits: 32, endian: "little" });
    let mut reader = Reader { bytes, at: 8 };
    let version = bytes.get(4..6);
    if version == Some(&[0x0d, 0x00]) {
        program.kind = "component";
    } else if version != Some(&[1, 0]) {
        program.errors.push("its version is not 1".to_owned());
        return;
    }
    let mut names = false;
    while reader.at < bytes.len() {
        let start = reader.at;
        let section = (|| {
            let id = reader.byte()?;
            let size = reader.number()?;
            let offset = reader.at;
            Some((id, size, offset, reader.take(size)))
        })();
        let Some((id, size, offset, content)) = section else {
            program.errors.push(format!("a section is cut off at byte {start}"));
            break;
        };
        let mut inside = Reader { bytes: content.unwrap_or_default(), at: 0 };
        let title = SECTIONS.get(usize::from(id)).copied().unwrap_or("unknown");
        let title = if id == 0 {
            let custom = inside.text().unwrap_or_default();
            names |= custom == "name";
            format!("custom: {custom}")
        } else {
            title.to_owned()
        };
        program.sections.push(|| Section { name: title, size, offset: Some(offset as u64) });
        if content.is_none() {
            program.errors.push(format!("the section at byte {start} is longer than the file"));
            break;
        }
        let broken = match id {
            _ if program.kind == "component" => None,
            2 => imports(&mut inside, program).is_none().then_some("imports"),
            7 => exports(&mut inside, program).is_none().then_some("exports"),
            3 => count(&mut inside, program, "functions"),
            1 => count(&mut inside, program, "types"),
            6 => count(&mut inside, program, "globals"),
            11 => count(&mut inside, program, "data segments"),
            _ => None,
        };
        if let Some(what) = broken {
            program.errors.push(format!("the list of {what} cannot be read to its end"));
        }
    }
    program.stripped = Some(!names);
    for linked in &program.imported.kept {
        if let Some(from) = &linked.from
            && !program.dependencies.contains(from)
            && program.dependencies.len() < 1_000
        {
            program.dependencies.push(from.clone());
        }
    }
}

fn count(reader: &mut Reader, program: &mut Program, what: &'static str) -> Option<&'static str> {
    match reader.number() {
        Some(number) => {
            program.counts.insert(what, number);
            None
        }
        None => Some(what),
    }
}

fn imports(reader: &mut Reader, program: &mut Program) -> Option<()> {
    let count = reader.number()?;
    for _ in 0..count {
        let from = reader.text()?;
        let name = reader.text()?;
        let kind = reader.byte()?;
        match kind {
            0 => {
                reader.number()?;
            }
            1 => {
                reader.byte()?;
                reader.limits()?;
            }
            2 => reader.limits()?,
            3 => {
                reader.byte()?;
                reader.byte()?;
            }
            4 => {
                reader.byte()?;
                reader.number()?;
            }
            _ => return None,
        }
        let kind = KINDS.get(usize::from(kind)).copied();
        program.imported.push(|| Linked { name, kind, from: Some(from) });
    }
    Some(())
}

fn exports(reader: &mut Reader, program: &mut Program) -> Option<()> {
    let count = reader.number()?;
    for _ in 0..count {
        let name = reader.text()?;
        let kind = KINDS.get(usize::from(reader.byte()?)).copied();
        reader.number()?;
        program.exported.push(|| Linked { name, kind, from: None });
    }
    Some(())
}
