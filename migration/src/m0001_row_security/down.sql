revoke select on seaql_migrations from govern_app, govern_verify;
drop procedure enforce_append_only, enforce_tenant_isolation;
drop function reject_change, current_user_id, current_tenant;
