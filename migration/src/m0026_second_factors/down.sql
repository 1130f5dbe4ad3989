-- Without the force, the owner changes the rows of all tenants.
alter table settings no force row level security;
update settings set sign_in = 'any' where sign_in = 'passkey';
alter table settings force row level security;
alter table settings
    drop column second_factor_required,
    drop constraint settings_sign_in_check,
    add constraint settings_sign_in_check check (sign_in in ('any', 'password', 'oidc'));
drop table used_challenges;
drop table recovery_codes;
drop table totp_secrets;
drop table passkeys;
