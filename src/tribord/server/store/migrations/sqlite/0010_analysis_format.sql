-- Which form a stored analysis has: one of an earlier form is made again.
ALTER TABLE analysis ADD COLUMN format INTEGER NOT NULL DEFAULT 0;
