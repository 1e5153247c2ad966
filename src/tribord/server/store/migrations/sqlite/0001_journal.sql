-- The index of tables: one line per table, rewritten with every append. `seq` is the last row of the journal: an
-- append moves it from seq - 1 to seq or not at all, which is what keeps a journal contiguous.
CREATE TABLE entry (
  table_id TEXT PRIMARY KEY,
  seq INTEGER NOT NULL,
  code TEXT NOT NULL UNIQUE,
  game TEXT NOT NULL,
  public INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'playing', 'over')),
  due REAL,
  touched REAL NOT NULL,
  summary BLOB NOT NULL
) WITHOUT ROWID;

CREATE INDEX entry_open ON entry (touched) WHERE public = 1 AND status = 'open';
CREATE INDEX entry_due ON entry (due) WHERE due IS NOT NULL;
CREATE INDEX entry_idle ON entry (touched) WHERE status <> 'playing';

-- What happened, append-only, in the order of arrival: a commit for many tables then writes few pages (with the rows
-- of a table side by side it would write one page per table, at half the speed).
CREATE TABLE journal (
  table_id TEXT NOT NULL REFERENCES entry (table_id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  kind TEXT NOT NULL,
  body BLOB NOT NULL,
  at REAL NOT NULL,
  PRIMARY KEY (table_id, seq)
);
