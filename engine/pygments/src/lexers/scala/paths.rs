//! The paths after `import`, `export` and `package`.

use super::{Scala, State};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Path {
    Import,
    Export,
    Package,
    /// Inside the braces of an import or an export.
    ImportBraces,
    ExportBraces,
}

impl Scala<'_, '_> {
    /// One step in a path, where keywords are names. A line break, a semicolon
    /// or a colon ends it.
    pub(super) fn path(&mut self, path: Path) {
        let (cursor, at) = (self.cursor, self.at);
        let braces = matches!(path, Path::ImportBraces | Path::ExportBraces);
        let before = if at > 0 { cursor.byte(at - 1) } else { 0 };
        let ended = matches!(before, b'\n' | b';') || before == b':' && path != Path::Package;
        if ended && !braces {
            return self.leave(at);
        }
        let byte = cursor.byte(at);
        if byte == b':' && path == Path::Package {
            return self.leave(at + 1);
        }
        let space = if braces { cursor.space_end(at) } else { cursor.blank_end(at) };
        if space > at {
            self.at = space;
            return;
        }
        if self.comment() {
            return;
        }
        let given = matches!(path, Path::Import | Path::ImportBraces)
            && !cursor.inside_word(at)
            && cursor.slice(at..cursor.word_end(at)) == "given";
        match byte {
            b'g' if given => self.at = cursor.word_end(at),
            b'=' if braces && cursor.byte(at + 1) == b'>' => self.at += 2,
            b'}' if braces => self.leave(at + 1),
            b'{' if path == Path::Import => self.enter(at + 1, State::Path(Path::ImportBraces)),
            b'{' if path == Path::Export => self.enter(at + 1, State::Path(Path::ExportBraces)),
            b'\n' => self.skip(),
            _ => match self.identifier_end(at) {
                Some(end) => self.name(at..end),
                None => self.at = cursor.after(at),
            },
        }
    }
}
