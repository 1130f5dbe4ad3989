revoke select on seaql_migrations from govern_app, govern_verify;
drop function refuse_change();
drop function current_person();
drop function current_tenant();
