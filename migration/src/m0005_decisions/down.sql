drop table public_ids;
drop table decisions;
