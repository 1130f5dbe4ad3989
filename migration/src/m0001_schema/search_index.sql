-- The index of searches. Under row-level security no index answers which texts contain a part, because the operators
-- are not leakproof. So the folded texts that a search finds are also in this table, which functions read as its owner.

-- Returns a hash of each piece of `value` with `shortest` to 3 characters. The tenant and the kind are part of the hash,
-- so that a search reads only the entries of one kind and tenant. Texts of rules may be long, and `substr` counts
-- characters from the start, so `value` is divided before each U+0001.
create function search_grams(tenant uuid, kind text, value text, shortest integer) returns integer[]
    language plpgsql immutable parallel safe cost 1000
    set search_path = pg_catalog
as $$
declare
    scope text := tenant || kind;
    divider text := '';
    chunk text;
    grams integer[];
begin
    foreach chunk in array string_to_array(value, chr(1)) loop
        chunk := divider || chunk;
        divider := chr(1);
        for size in shortest..3 loop
            for start in 1..char_length(chunk) - size + 1 loop
                grams := grams || hashtext(scope || substr(chunk, start, size));
            end loop;
        end loop;
    end loop;
    return grams;
end
$$;

-- `kind` is `policy`, `form` or `rule`. All rules of an active version have one row, with the ID of the policy.
-- `name` is the order of results: the folded name of the policy or title of the form.
-- `parts` are the folded texts. Names and codes whose equality places a result first are between U+0001 and a line break.
create table search_texts (
    tenant_id uuid not null,
    kind      text not null check (kind in ('policy', 'form', 'rule')),
    id        uuid not null,
    name      text not null,
    parts     text not null,
    primary key (tenant_id, kind, id)
);

-- Returns the texts of a policy for `search_texts.parts`.
create function policy_search_parts(name text, code text) returns text
    language sql immutable parallel safe
    return chr(1) || name || chr(10) || chr(1) || code || chr(10);

-- Returns the texts of the rules of a version for `search_texts.parts`.
create function rule_search_parts(rule_texts text[]) returns text
    language sql immutable parallel safe
    return chr(1) || array_to_string(rule_texts, chr(10) || chr(1)) || chr(10);

create function index_policy_text() returns trigger
    language plpgsql
    set search_path = pg_catalog, public
as $$
begin
    if tg_op = 'INSERT' then
        insert into search_texts values (new.tenant_id, 'policy', new.id, new.name_folded,
            policy_search_parts(new.name_folded, new.code_key));
    elsif tg_op = 'UPDATE' then
        update search_texts
            set name = new.name_folded,
                parts = case when kind = 'policy' then policy_search_parts(new.name_folded, new.code_key)
                    else parts end
            where tenant_id = new.tenant_id and kind in ('policy', 'rule') and id = new.id;
    else
        delete from search_texts
            where tenant_id = old.tenant_id and kind in ('policy', 'rule') and id = old.id;
    end if;
    return null;
end
$$;
create trigger index_policy_text after insert or delete on policies
    for each row execute function index_policy_text();
create trigger index_changed_policy_text after update on policies
    for each row when ((old.name_folded, old.code_key) is distinct from (new.name_folded, new.code_key))
    execute function index_policy_text();

create function index_form_text() returns trigger
    language plpgsql
    set search_path = pg_catalog, public
as $$
begin
    if tg_op = 'INSERT' then
        insert into search_texts values (new.tenant_id, 'form', new.id, new.title_folded, new.title_folded);
    elsif tg_op = 'UPDATE' then
        update search_texts set name = new.title_folded, parts = new.title_folded
            where tenant_id = new.tenant_id and kind = 'form' and id = new.id;
    else
        delete from search_texts where tenant_id = old.tenant_id and kind = 'form' and id = old.id;
    end if;
    return null;
end
$$;
create trigger index_form_text after insert or delete on forms
    for each row execute function index_form_text();
create trigger index_changed_form_text after update on forms
    for each row when (old.title_folded is distinct from new.title_folded)
    execute function index_form_text();

-- The texts of rules are null unless the version is active. A policy has at most one active version.
create function index_rule_texts() returns trigger
    language plpgsql
    set search_path = pg_catalog, public
as $$
begin
    if tg_op <> 'INSERT' then
        delete from search_texts where tenant_id = old.tenant_id and kind = 'rule' and id = old.policy_id
            and old.rule_texts_folded is not null;
    end if;
    if tg_op <> 'DELETE' then
        insert into search_texts
            select tenant_id, 'rule', id, name_folded, rule_search_parts(new.rule_texts_folded) from policies
            where tenant_id = new.tenant_id and id = new.policy_id and new.rule_texts_folded is not null;
    end if;
    return null;
end
$$;
create trigger index_rule_texts after insert or delete on policy_versions
    for each row execute function index_rule_texts();
create trigger index_changed_rule_texts after update on policy_versions
    for each row when (old.rule_texts_folded is distinct from new.rule_texts_folded)
    execute function index_rule_texts();

create index search_texts_by_name on search_texts (tenant_id, kind, name, id);
-- A pending list would be read by every search.
create index search_texts_by_gram on search_texts using gin (search_grams(tenant_id, kind, parts, 1))
    with (fastupdate = off);
-- `analyze` would compute the pieces of many texts, and no plan depends on them.
alter index search_texts_by_gram alter 1 set statistics 0;

-- Returns the rows of the tenant that contain a folded text. `offset 0` keeps other indexes out of the plan, which would
-- compute the pieces of every text.
create function search_matches(kind text, part text) returns setof search_texts
    language sql stable parallel safe
begin atomic
    select * from (
        select * from search_texts t
        where search_grams(t.tenant_id, t.kind, t.parts, 1)
            @> search_grams(current_tenant(), $1, $2, least(char_length($2), 3))
        offset 0) as candidates
    where tenant_id = current_tenant() and candidates.kind = $1 and strpos(parts, $2) > 0;
end;

-- The next two functions read `search_texts` as its owner, whom the policy `owner_access` permits all rows. They take the
-- tenant from the transaction, as every policy does, and return only IDs. Few rows are read, so compilation and workers
-- would take longer than the search.

-- Returns the IDs of the first `maximum` objects, by name, that contain a folded text. A frequent text is in the first
-- rows; otherwise the index finds few rows to sort.
create function search_first(kind text, part text, maximum bigint) returns setof uuid
    language sql stable parallel safe security definer rows 10
    set search_path = pg_catalog, public, pg_temp set jit = off set max_parallel_workers_per_gather = 0
begin atomic
    with head as materialized (
        select id from (
            select t.name, t.id, t.parts from search_texts t
            where t.tenant_id = current_tenant() and t.kind = $1
            order by t.name, t.id limit 1000) as first_rows
        where strpos(parts, $2) > 0 order by name, id limit $3)
    select id from head where (select count(*) from head) = $3
    union all
    select id from (
        select m.id from search_matches($1, $2) as m
        where (select count(*) from head) < $3
        order by m.name, m.id limit $3) as found;
end;

-- Returns the IDs of up to `maximum` objects that contain a folded text, in no order.
create function search_any(kind text, part text, maximum bigint) returns setof uuid
    language sql stable parallel safe security definer rows 10
    set search_path = pg_catalog, public, pg_temp set jit = off set max_parallel_workers_per_gather = 0
begin atomic
    select id from search_matches($1, $2) limit $3;
end;
revoke execute on function search_first, search_any from public;
grant execute on function search_first, search_any to govern_app;

grant select, insert, update (name, parts), delete on search_texts to govern_app;
call enforce_tenant_isolation('search_texts');
create policy owner_access on search_texts to govern_owner using (true) with check (true);
