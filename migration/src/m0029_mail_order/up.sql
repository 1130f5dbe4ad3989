-- Each tenant has one mail in a turn, so that no tenant delays the mail of others. The mails that people cause are counted.

-- Mails that are not routine are sent first: resets of passwords, setup links and security notices. Servers of the version
-- before insert routine mails with turn 0.
alter table mail_outbox
    add column is_routine boolean not null default true,
    -- The tenant of the mail; the account, if the mail belongs to no tenant; absent for a password reset.
    add column turn_of    uuid,
    add column turn       bigint not null default 0;
update mail_outbox set is_routine = false
    where letter not like '{"invitation"%' and letter not like '{"mention"%';
create index mail_outbox_by_turn on mail_outbox (is_routine, turn, due_at);
create index mail_outbox_by_turn_of on mail_outbox (turn_of, is_routine, turn) where turn_of is not null;

-- The mails of one kind that a person or an API key has caused, or that an account has received, in the hour that begins
-- with `started_at`.
create table mail_counts (
    tenant_id  uuid not null,
    kind       text not null,
    subject    uuid not null,
    started_at timestamptz not null,
    mails      integer not null,
    primary key (tenant_id, kind, subject)
);
grant select, insert, update (started_at, mails) on mail_counts to govern_app;

call enforce_tenant_isolation('mail_counts');
