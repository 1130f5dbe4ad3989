-- A token of a form can be revoked, for good. Its row stays, and says when.
alter table form_tokens add column revoked_at timestamptz;
grant update (revoked_at) on form_tokens to govern_app;
