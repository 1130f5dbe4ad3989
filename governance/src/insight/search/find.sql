-- Finds all objects that match a text, each kind as JSON in its order. `$2` is the text, `$3` the folded text,
-- `$4` the ID that the text is or null, `$5` whether members are included, and `$6` the maximum number of results
-- of a kind. SQL, because all results take one round trip.
--
-- The function `search_first` returns the IDs of the first objects by name whose texts contain a part. Between
-- these characters, the text is a whole name or code. The rows are read under row-level security, and the JSON of
-- rules only for the results.
WITH found_decisions AS (
  SELECT id, decision_type, decision, recorded_at, sequence FROM (
    (SELECT id, decision_type, decision, recorded_at, sequence FROM decisions
      WHERE tenant_id = $1 AND id = $4)
    UNION
    (SELECT id, decision_type, decision, recorded_at, sequence FROM decisions
      WHERE tenant_id = $1 AND correlation_id = $2 ORDER BY sequence DESC LIMIT $6)
  ) AS found ORDER BY sequence DESC LIMIT $6),
found_policies AS (
  SELECT id, name, name_folded, code, code_key FROM policies WHERE tenant_id = $1 AND id IN (
    SELECT $4::uuid
    UNION SELECT search_first('policy', chr(1) || $3 || chr(10), $6)
    UNION SELECT search_first('policy', $3, $6))
  AND (id = $4 OR strpos(name_folded, $3) > 0 OR strpos(code_key, $3) > 0)
  ORDER BY $3 NOT IN (code_key, name_folded), name_folded, id LIMIT $6),
found_rules AS (
  SELECT p.id, p.name, p.name_folded, v.version, v.rules, r.position,
    split_part(r.text, chr(10), 1) <> $3 AS is_part FROM policy_versions v
  JOIN policies p ON p.tenant_id = v.tenant_id AND p.id = v.policy_id
  CROSS JOIN LATERAL unnest(v.rule_texts_folded) WITH ORDINALITY AS r(text, position)
  WHERE v.tenant_id = $1 AND v.is_active AND v.policy_id IN (
    SELECT search_first('rule', chr(1) || $3 || chr(10), $6)
    UNION SELECT search_first('rule', $3, $6))
  AND strpos(r.text, $3) > 0
  ORDER BY is_part, p.name_folded, p.id, r.position LIMIT $6),
found_members AS (
  SELECT u.user_id, u.display_name, u.display_name_folded, u.email
  FROM members m JOIN users u ON u.user_id = m.user_id
  WHERE $5 AND m.tenant_id = $1
    AND (strpos(u.display_name_folded, $3) > 0 OR strpos(fold_text(u.email), $3) > 0)
  ORDER BY u.display_name_folded, u.user_id LIMIT $6),
found_forms AS (
  SELECT id, title, title_folded FROM forms WHERE tenant_id = $1 AND id IN (
    SELECT $4::uuid UNION SELECT search_first('form', $3, $6))
  ORDER BY title_folded, id LIMIT $6)
SELECT (SELECT coalesce(json_agg(json_build_array(id, decision_type, decision,
    (extract(epoch FROM recorded_at) * 1000)::bigint) ORDER BY sequence DESC), '[]')::text
  FROM found_decisions),
(SELECT coalesce(json_agg(json_build_array(id, name, code)
    ORDER BY $3 NOT IN (code_key, name_folded), name_folded, id), '[]')::text
  FROM found_policies),
(SELECT coalesce(json_agg(json_build_array(id, name, version, rule ->> 'code', rule ->> 'name')
    ORDER BY is_part, name_folded, id, position), '[]')::text
  FROM found_rules CROSS JOIN LATERAL (SELECT rules::json -> (position - 1)::integer) AS r(rule)),
(SELECT coalesce(json_agg(json_build_array(user_id, display_name, email)
    ORDER BY display_name_folded, user_id), '[]')::text FROM found_members),
(SELECT coalesce(json_agg(json_build_array(id, title) ORDER BY title_folded, id), '[]')::text
  FROM found_forms)
