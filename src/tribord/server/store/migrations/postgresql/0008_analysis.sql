-- What was found out about a match that is over, so that a second look is instant.
CREATE TABLE analysis (
  table_id TEXT PRIMARY KEY REFERENCES entry (table_id) ON DELETE CASCADE,
  body bytea NOT NULL  -- compressed JSON
);
