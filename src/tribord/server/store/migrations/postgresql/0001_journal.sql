-- The index of tables: one line per table, rewritten with every append. `seq` is the last row of the journal: an
-- append moves it from seq - 1 to seq or not at all, which is what keeps a journal contiguous. `worker` and `wrote`
-- (the database's own clock) say who moved it last and when, for a worker that could not listen for a while.
CREATE TABLE entry (
  table_id text PRIMARY KEY,
  seq bigint NOT NULL,
  code text NOT NULL CONSTRAINT entry_code UNIQUE,
  game text NOT NULL,
  public boolean NOT NULL,
  status text NOT NULL CHECK (status IN ('open', 'playing', 'over')),
  due double precision,
  touched double precision NOT NULL,
  summary bytea NOT NULL,
  worker text NOT NULL,
  wrote timestamptz NOT NULL
);

CREATE INDEX entry_open ON entry (touched) WHERE public AND status = 'open';
CREATE INDEX entry_due ON entry (due) WHERE due IS NOT NULL;
CREATE INDEX entry_idle ON entry (touched) WHERE status <> 'playing';

-- What happened, append-only. `stamp` is drawn for every append, so that one whose connection broke during the commit
-- can recognise its own row.
CREATE TABLE journal (
  table_id text NOT NULL REFERENCES entry (table_id) ON DELETE CASCADE,
  seq bigint NOT NULL,
  kind text NOT NULL,
  body bytea NOT NULL,
  at double precision NOT NULL,
  stamp bigint NOT NULL,
  PRIMARY KEY (table_id, seq)
);
