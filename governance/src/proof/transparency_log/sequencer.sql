-- Writes a batch completely or not at all: every part depends on `moved`, which is empty if the lease was lost or
-- the tree has changed. SQL, because one statement writes the whole batch if the lease is still held.
WITH moved AS (UPDATE log_trees SET size = $3, root = $5, planned_ids = NULL,
    held_until = $6 WHERE number = $1 AND epoch = $2 AND size = $4
    AND frozen_at IS NULL AND NOT is_halted RETURNING number),
entries AS (INSERT INTO log_entries (tree, index, data, leaf_hash)
    SELECT m.number, $4 + e.ordinal - 1, e.data, decode(e.hash, 'hex')
    FROM moved m, unnest($7::text[], $8::text[]) WITH ORDINALITY AS e (data, hash, ordinal)),
nodes AS (INSERT INTO log_nodes (tree, level, index, hash)
    SELECT m.number, n.level, n.index, decode(n.hash, 'hex')
    FROM moved m, unnest($9::int[], $10::bigint[], $11::text[]) AS n (level, index, hash)),
signed AS (INSERT INTO log_checkpoints (tree, size, epoch, note, signed_at)
    SELECT number, $3, $2, $12, $13 FROM moved WHERE $3 > $4),
logged AS (DELETE FROM log_pending p USING moved WHERE p.id = ANY($14::bigint[]))
SELECT number FROM moved
