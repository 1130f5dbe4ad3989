drop policy user_access on settings;
alter table settings drop column sign_in;
alter table session_digests
    drop column confined_tenant_id,
    drop column provider_id,
    drop column provider_session;
drop table logout_tokens;
drop table identities;
drop table identity_providers;
