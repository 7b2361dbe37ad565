//! Large contents.

use std::{
    ffi::OsString,
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::{Path, PathBuf},
};

use rusqlite::{OptionalExtension, Row, Transaction};
use serde::Serialize;

use super::{
    Scope, Store, Write,
    number::count,
    scope::VISIBLE,
    session::{ensure, is_there},
};
use crate::{Error, Explored, Source, content::sha256, id::Kind, path::Passage};

/// How a large content is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StorageKind {
    /// By the path of a file, with the digest of its bytes.
    Path,
    /// With its bytes, which are valid UTF-8.
    InlineText,
    /// With its bytes, which are not valid UTF-8.
    InlineBinary,
}

impl StorageKind {
    /// Its name in the database and in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::InlineText => "inline_text",
            Self::InlineBinary => "inline_binary",
        }
    }

    fn named(word: &str) -> Result<Self, Error> {
        [Self::Path, Self::InlineText, Self::InlineBinary]
            .into_iter()
            .find(|kind| kind.as_str() == word)
            .ok_or_else(|| Error::Damaged(format!("there is no storage kind {word}")))
    }
}

/// What is stored of a content.
#[derive(Debug, Clone, Copy)]
pub enum Payload<'a> {
    /// Its bytes.
    Bytes(&'a [u8]),
    /// The path of its file.
    Path(&'a Path),
}

/// A large content to be stored.
#[derive(Debug, Clone, Copy)]
pub struct NewFile<'a> {
    /// The session that it belongs to.
    pub session: &'a str,
    /// The name that explorers see.
    pub name: &'a str,
    /// What is stored of it.
    pub payload: Payload<'a>,
    /// The bytes of the content.
    pub content: &'a [u8],
    /// Tokens of the content.
    pub tokens: u64,
}

/// A stored large content, without its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LargeFile {
    /// Its id.
    pub id: String,
    /// The session that it belongs to.
    pub session: String,
    /// How it is stored.
    pub storage_kind: StorageKind,
    /// The name that explorers see.
    pub name: String,
    /// Its file, if it is kept by its path.
    pub path: Option<PathBuf>,
    /// Bytes of the content.
    pub bytes: u64,
    /// Tokens of the content.
    pub tokens: u64,
    /// sha256 of the content in hexadecimal digits.
    pub sha256: String,
    /// Its exploration, if the store has one.
    pub exploration: Option<Explored>,
}

const COLUMNS: &str = "id, session, storage_kind, name, path, bytes, tokens, sha256,
    exploration_summary, explorer_used";

impl LargeFile {
    /// Reads a row of [`COLUMNS`].
    fn read(row: &Row) -> Result<Self, Error> {
        let summary: Option<String> = row.get(8)?;
        let explorer: Option<String> = row.get(9)?;
        let path: Option<Vec<u8>> = row.get(4)?;
        Ok(Self {
            id: row.get(0)?,
            session: row.get(1)?,
            storage_kind: StorageKind::named(&row.get::<_, String>(2)?)?,
            name: row.get(3)?,
            path: path.map(|path| OsString::from_vec(path).into()),
            bytes: count(row, 5)?,
            tokens: count(row, 6)?,
            sha256: row.get(7)?,
            exploration: summary
                .zip(explorer)
                .map(|(summary, explorer_used)| Explored { summary, explorer_used }),
        })
    }
}

impl Store {
    /// Stores a large content that came in by a path, and returns its id. Storing the same content
    /// in the same session again returns the same id.
    ///
    /// # Errors
    /// The session does not exist and the path does not create one, or the store cannot be written.
    pub fn insert_file(&mut self, by: &Passage, new: &NewFile) -> Result<String, Error> {
        let makes_session = *by.ingestion()?.makes_session.of(by.profile());
        let (kind, path, content) = match new.payload {
            Payload::Path(path) => (StorageKind::Path, Some(path.as_os_str().as_bytes()), None),
            Payload::Bytes(bytes) if std::str::from_utf8(bytes).is_ok() => {
                (StorageKind::InlineText, None, Some(bytes))
            }
            Payload::Bytes(bytes) => (StorageKind::InlineBinary, None, Some(bytes)),
        };
        let sha256 = sha256(new.content);
        self.write(Write::File, |transaction| {
            if makes_session {
                ensure(transaction, new.session)?;
            } else if !is_there(transaction, new.session)? {
                return Err(Error::NoSession(new.session.to_owned()));
            }
            let (id, is_new) = free_id(transaction, new, kind, path, &sha256)?;
            if is_new {
                transaction.execute(
                    "INSERT INTO large_file
                    (id, session, storage_kind, name, path, content, bytes, tokens, sha256)
                    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
                    (
                        &id,
                        new.session,
                        kind.as_str(),
                        new.name,
                        path,
                        content,
                        new.content.len() as i64,
                        new.tokens as i64,
                        &sha256,
                    ),
                )?;
            }
            Ok(id)
        })
    }

    /// Sets the exploration of a large content.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn set_exploration(
        &mut self,
        _by: &Passage,
        id: &str,
        explored: &Explored,
    ) -> Result<(), Error> {
        self.write(Write::Exploration, |transaction| {
            transaction.execute(
                "UPDATE large_file SET exploration_summary = ?2, explorer_used = ?3 WHERE id = ?1",
                (id, &explored.summary, &explored.explorer_used),
            )?;
            Ok(())
        })
    }

    /// A large content without its bytes; `None` if it does not exist or is outside the scope.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn file(&self, _by: &Passage, id: &str, scope: &Scope) -> Result<Option<LargeFile>, Error> {
        let select = format!("SELECT {COLUMNS} FROM large_file WHERE id = ?1 AND {VISIBLE}");
        let mut statement = self.connection.prepare(&select)?;
        let mut rows = statement.query((id, scope.parameter()))?;
        rows.next()?.map(LargeFile::read).transpose()
    }

    /// The bytes of a large content, checked against its digest.
    ///
    /// # Errors
    /// The bytes have changed: [`Error::Damaged`] if they are in the store, [`Error::Changed`] if
    /// they are in a file.
    pub fn content(&self, _by: &Passage, file: &LargeFile) -> Result<Vec<u8>, Error> {
        self.bytes_of(file)
    }

    /// As [`Store::content`], without a path, for maintenance of the store.
    pub(super) fn bytes_of(&self, file: &LargeFile) -> Result<Vec<u8>, Error> {
        if let Some(path) = &file.path {
            let changed = || Error::Changed { path: path.clone() };
            let bytes = Source::File(path).bytes().map_err(|_| changed())?.into_owned();
            return (sha256(&bytes) == file.sha256).then_some(bytes).ok_or_else(changed);
        }
        let select = "SELECT content FROM large_file WHERE id = ?1";
        let bytes: Option<Vec<u8>> =
            self.connection.query_row(select, [&file.id], |row| row.get(0)).optional()?.flatten();
        bytes
            .filter(|bytes| sha256(bytes) == file.sha256)
            .ok_or_else(|| Error::Damaged(format!("{} is not what was stored", file.id)))
    }

    /// A large content in any session, for maintenance of the store.
    pub(super) fn any_file(&self, id: &str) -> Result<Option<LargeFile>, Error> {
        let select = format!("SELECT {COLUMNS} FROM large_file WHERE id = ?1");
        let mut statement = self.connection.prepare(&select)?;
        let mut rows = statement.query([id])?;
        rows.next()?.map(LargeFile::read).transpose()
    }
}

/// The id for a content, and whether it is new: false if the same content already has it.
fn free_id(
    transaction: &Transaction,
    new: &NewFile,
    kind: StorageKind,
    path: Option<&[u8]>,
    sha256: &str,
) -> Result<(String, bool), Error> {
    let taken_by = "SELECT session = ?2 AND storage_kind = ?3 AND path IS ?4 AND sha256 = ?5
        FROM large_file WHERE id = ?1";
    let mut attempt = 0;
    loop {
        let id = match path {
            // The path is no part of it, so that the same calls give the same ids in any folder. Another path
            // with the same content gets the id of the next attempt.
            Some(_) => Kind::File.id(new.session, &[b"path", sha256.as_bytes()], attempt),
            None => Kind::File.id(new.session, &[new.content], attempt),
        };
        let values = (&id, new.session, kind.as_str(), path, sha256);
        let is_same: Option<bool> =
            transaction.query_row(taken_by, values, |row| row.get(0)).optional()?;
        match is_same {
            None => return Ok((id, true)),
            Some(true) => return Ok((id, false)),
            Some(false) => attempt += 1,
        }
    }
}
