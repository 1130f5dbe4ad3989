-- The person for whom a key acts, and the key that made it. Keys are revoked, or transferred to another
-- admin, together with their person's membership.
alter table api_keys
    add column owner uuid references users,
    add column parent_key_id uuid,
    add constraint api_keys_parent foreign key (tenant_id, parent_key_id) references api_keys;

-- Row-level security would hide every row from this step: it runs in no tenant.
alter table api_keys no force row level security;
alter table members no force row level security;
update api_keys set owner = key_digests.owner from key_digests
    where key_digests.tenant_id = api_keys.tenant_id and key_digests.api_key_id = api_keys.id;
update api_keys set parent_key_id = parent.id from api_keys parent
    where parent.tenant_id = api_keys.tenant_id and parent.id::text = api_keys.created_by;
-- Keys of people who were removed before this step are revoked now, as a removal does from here on.
update api_keys set is_active = false, revoked_at = now()
    where revoked_at is null and owner is not null and not exists (
        select from members
        where members.tenant_id = api_keys.tenant_id and members.user_id = api_keys.owner);
update key_digests set revoked_at = api_keys.revoked_at from api_keys
    where key_digests.tenant_id = api_keys.tenant_id and key_digests.api_key_id = api_keys.id
        and key_digests.revoked_at is null and api_keys.revoked_at is not null;
alter table members force row level security;
alter table api_keys force row level security;

create index api_keys_of_owner on api_keys (tenant_id, owner) where revoked_at is null;
grant update (owner, created_by) on api_keys to govern_app;
grant update (owner) on key_digests to govern_app;
