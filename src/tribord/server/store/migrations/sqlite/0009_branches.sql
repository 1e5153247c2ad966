-- Tables that go on from a match of another ("what if"). The original may be deleted before them.
CREATE TABLE branch (
  table_id TEXT PRIMARY KEY REFERENCES entry (table_id) ON DELETE CASCADE,
  original TEXT NOT NULL
);

CREATE INDEX branch_original ON branch (original);
