-- A store of large content, version 1. Contents are blobs: any byte may be in them.
PRAGMA application_id = 0x4c434d31;

CREATE TABLE session (
    id TEXT PRIMARY KEY,
    -- The session that started it.
    parent TEXT REFERENCES session (id),
    CHECK (parent <> id)
) STRICT, WITHOUT ROWID;

CREATE INDEX session_parent ON session (parent);

CREATE TABLE message (
    -- The order of all messages of the store.
    number INTEGER PRIMARY KEY,
    session TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    -- The order within the session, from 1.
    seq INTEGER NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('system', 'user', 'assistant', 'tool')),
    content BLOB NOT NULL,
    tokens INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    UNIQUE (session, seq)
) STRICT;

CREATE TABLE summary (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    session TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    content BLOB NOT NULL,
    tokens INTEGER NOT NULL,
    sha256 TEXT NOT NULL
) STRICT;

CREATE INDEX summary_session ON summary (session);

-- The messages that a summary stands for, in order.
CREATE TABLE summary_message (
    summary TEXT NOT NULL REFERENCES summary (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    message INTEGER NOT NULL REFERENCES message (number) ON DELETE CASCADE,
    PRIMARY KEY (summary, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX summary_message_message ON summary_message (message);

-- The summaries that a summary stands for, in order.
CREATE TABLE summary_parent (
    summary TEXT NOT NULL REFERENCES summary (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    parent TEXT NOT NULL REFERENCES summary (id) ON DELETE CASCADE,
    PRIMARY KEY (summary, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX summary_parent_parent ON summary_parent (parent);

CREATE TABLE large_file (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    session TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    storage_kind TEXT NOT NULL CHECK (storage_kind IN ('path', 'inline_text', 'inline_binary')),
    -- The name that explorers see.
    name TEXT NOT NULL,
    -- Where a content is that is stored by its path: the bytes of the path.
    path BLOB,
    content BLOB,
    bytes INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    exploration_summary TEXT,
    explorer_used TEXT,
    CHECK ((storage_kind = 'path') = (path IS NOT NULL)),
    CHECK ((storage_kind = 'path') = (content IS NULL)),
    CHECK ((exploration_summary IS NULL) = (explorer_used IS NULL))
) STRICT;

CREATE INDEX large_file_session ON large_file (session);
