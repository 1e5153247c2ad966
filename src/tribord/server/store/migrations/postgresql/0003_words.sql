-- Rows use the words of protocol 2: a seat is reclaimed from a bot, a guest goes on at another device by a transfer,
-- and a table has seats.
UPDATE journal SET kind = 'reclaim' WHERE kind = 'take-back';
UPDATE journal SET kind = 'transfer' WHERE kind = 'moving';
UPDATE journal SET kind = 'secret' WHERE kind = 'moved';

UPDATE journal SET body = convert_to((
    (convert_from(body, 'UTF8')::jsonb - 'chairs') || jsonb_build_object('seats', convert_from(body, 'UTF8')::jsonb -> 'chairs')
  )::text, 'UTF8')
  WHERE kind = 'create';

UPDATE journal SET body = convert_to((
    (convert_from(body, 'UTF8')::jsonb - 'chair') || jsonb_build_object('occupant', convert_from(body, 'UTF8')::jsonb -> 'chair')
  )::text, 'UTF8')
  WHERE kind = 'arrange';
