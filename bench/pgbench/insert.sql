-- The smallest durable write: one small row.
INSERT INTO bench_rows (id, at, body) VALUES (gen_random_uuid(), now(), 'one row, nothing else, no index beside its key');
