-- Who may not come here, and until when: an address (of IPv6 a network, /64) or a table.
CREATE TABLE ban (target TEXT PRIMARY KEY, at REAL NOT NULL, until REAL, reason TEXT NOT NULL) WITHOUT ROWID;

-- What hosts and operators did with their powers, and what people reported. Only ever appended to; old entries are
-- deleted. What has a key is noted once.
CREATE TABLE audit (
  id INTEGER PRIMARY KEY,
  at REAL NOT NULL,
  what TEXT NOT NULL,
  actor TEXT NOT NULL,
  table_id TEXT NOT NULL,
  address TEXT NOT NULL,
  details TEXT NOT NULL,
  key TEXT UNIQUE
);

CREATE INDEX audit_at ON audit (at);
