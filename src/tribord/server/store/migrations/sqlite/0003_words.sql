-- Rows use the words of protocol 2: a seat is reclaimed from a bot, a guest goes on at another device by a transfer,
-- and a table has seats.
UPDATE journal SET kind = 'reclaim' WHERE kind = 'take-back';
UPDATE journal SET kind = 'transfer' WHERE kind = 'moving';
UPDATE journal SET kind = 'secret' WHERE kind = 'moved';

UPDATE journal SET body = CAST(json_set(
    json_remove(CAST(body AS TEXT), '$.chairs'), '$.seats', json(json_extract(CAST(body AS TEXT), '$.chairs'))
  ) AS BLOB)
  WHERE kind = 'create';

UPDATE journal SET body = CAST(json_set(
    json_remove(CAST(body AS TEXT), '$.chair'), '$.occupant', json_extract(CAST(body AS TEXT), '$.chair')
  ) AS BLOB)
  WHERE kind = 'arrange';
