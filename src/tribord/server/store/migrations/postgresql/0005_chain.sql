-- Every row has a hash of itself and of the row before it. Rows of earlier releases have none: the first row with one
-- covers them. A later migration that changes rows empties their hashes, and so begins the chain again. Without a
-- default, a worker of an earlier release that still runs can't add a row without a hash.
ALTER TABLE journal ADD COLUMN hash bytea NOT NULL DEFAULT '';
ALTER TABLE journal ALTER COLUMN hash DROP DEFAULT;
