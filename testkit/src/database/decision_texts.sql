-- Functions that read and change a text of a decision that is stored without compression.
create or replace function decision_text(texts bytea, part integer) returns text
    language sql immutable
    return split_part(convert_from(texts, 'UTF8'), E'\n', part);

create or replace function change_text(texts bytea, part integer, search text, replacement text) returns bytea
    language sql immutable
    return (
        select convert_to(string_agg(case number when part then replace(line, search, replacement) else line end,
            E'\n' order by number), 'UTF8')
        from string_to_table(convert_from(texts, 'UTF8'), E'\n') with ordinality as lines(line, number)
    );

alter table decisions disable trigger prevent_row_changes;
