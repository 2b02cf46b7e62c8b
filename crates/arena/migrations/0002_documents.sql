-- Documents of the server: what must survive it and is read as a whole, such as games in progress.

CREATE TABLE documents (
    kind       TEXT NOT NULL, -- such as table
    id         TEXT NOT NULL,
    summary    TEXT NOT NULL, -- JSON, for lists
    document   TEXT NOT NULL, -- JSON
    finished   BIGINT NOT NULL, -- 1 if nothing will change any more
    updated_at BIGINT NOT NULL, -- milliseconds since 1970
    PRIMARY KEY (kind, id)
);

CREATE INDEX documents_updated ON documents (kind, updated_at);
