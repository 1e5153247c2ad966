-- Every row has a hash of itself and of the row before it. Rows of earlier releases have none: the first row with one
-- covers them. A later migration that changes rows empties their hashes, and so begins the chain again.
ALTER TABLE journal ADD COLUMN hash BLOB NOT NULL DEFAULT x'';
