-- Closes changes that a key may make to keys, records makers that are not known people, and keeps the
-- lineage of a draft that was set aside.

alter table settings add column human_changes_only boolean not null default false;
grant update (human_changes_only) on settings to govern_app;

-- `has_unknown_maker`: a key without an owner created, edited, submitted or sealed the version.
-- `lineage_set_aside`: the draft that `lineage_previous` names was set aside, not replaced. Several
-- drafts can be based on one draft that was set aside; a replaced draft has one successor.
alter table policy_versions
    add column has_unknown_maker boolean not null default false,
    add column lineage_set_aside boolean not null default false,
    add constraint policy_versions_lineage_named
        check (lineage_previous is not null or not lineage_set_aside);
grant update (has_unknown_maker) on policy_versions to govern_app;
drop index policy_versions_one_successor;
create unique index policy_versions_one_successor
    on policy_versions (tenant_id, policy_id, lineage_previous)
    where lineage_previous is not null and not lineage_set_aside;

-- Open versions that such a key had a part in. The log knows who edited and sealed a version.
do $$
declare
    tenant uuid;
begin
    for tenant in select tenant_id from tenant_heads loop
        perform set_config('app.tenant', tenant::text, true);
        with ownerless as (
            select api_key_id::text as id from key_digests
            where tenant_id = tenant and owner is null
        )
        update policy_versions v set has_unknown_maker = true
        where v.tenant_id = tenant and v.status in ('draft', 'submitted')
            and (cardinality(v.makers) = 0
                or v.created_by in (select id from ownerless)
                or v.submitted_by in (select id from ownerless)
                or v.id::text in (
                    select e.object_id from audit_events e
                    where e.tenant_id = tenant and e.actor_type = 'api_key'
                        and e.actor_id in (select id from ownerless)
                        and e.action in ('policy_version.create', 'policy_version.edit',
                            'policy_version.submit', 'policy_version.seal')));
    end loop;
    perform set_config('app.tenant', '', true);
end
$$;
