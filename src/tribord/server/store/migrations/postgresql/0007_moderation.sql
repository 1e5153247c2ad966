-- Who may not come here, and until when: an address (of IPv6 a network, /64) or a table.
CREATE TABLE ban (target text PRIMARY KEY, at double precision NOT NULL, until double precision, reason text NOT NULL);

-- What hosts and operators did with their powers, and what people reported. Only ever appended to; old entries are
-- deleted. What has a key is noted once.
CREATE TABLE audit (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at double precision NOT NULL,
  what text NOT NULL,
  actor text NOT NULL,
  table_id text NOT NULL,
  address text NOT NULL,
  details text NOT NULL,
  key text UNIQUE
);

CREATE INDEX audit_at ON audit (at);
