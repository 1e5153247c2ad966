-- The key with which this server signs match files: one, whichever worker starts first.
CREATE TABLE signing_key (id INTEGER PRIMARY KEY CHECK (id = 1), secret BYTEA NOT NULL);
