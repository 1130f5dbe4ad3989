alter table form_tokens drop column revoked_at;
