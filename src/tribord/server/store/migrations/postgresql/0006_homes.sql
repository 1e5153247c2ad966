-- Every table has a home: the worker that folds it and serves its sockets, for as long as that worker's lease runs.
-- A worker renews one lease for all its tables; when it has run out, any other worker may become their home.
CREATE TABLE worker (
  id text PRIMARY KEY,
  address text NOT NULL,    -- where the other workers reach it
  reference text NOT NULL,  -- where clients reach it
  until timestamptz NOT NULL
);

ALTER TABLE entry ADD COLUMN home text NOT NULL DEFAULT '';
