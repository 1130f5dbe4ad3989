-- Outgoing mail, and counts of the mails that people cause.

-- Mail to be sent. Each tenant has one mail in a turn, so that no tenant delays the mail of others.
--
-- A row is inserted in the transaction of the change it reports, and deleted when the mail
-- server has accepted the message. It contains no link: the worker creates one when it sends. A password
-- reset names an address, not an account.
create table mail_outbox (
    id         uuid primary key,
    user_id    uuid references users,
    email      text not null,
    letter     text not null,
    attempts   integer not null default 0,
    created_at timestamptz not null,
    due_at     timestamptz not null,
    -- Mails that are not routine are sent first: resets of passwords, setup links and security notices.
    is_routine boolean not null default true,
    -- The tenant of the mail; the account, if the mail belongs to no tenant; absent for a password reset.
    turn_of    uuid,
    turn       bigint not null default 0
);
create index mail_outbox_by_time on mail_outbox (due_at);
create index mail_outbox_by_turn on mail_outbox (is_routine, turn, due_at);
create index mail_outbox_by_turn_of on mail_outbox (turn_of, is_routine, turn) where turn_of is not null;
-- Each address has at most one pending reset.
create unique index mail_outbox_one_reset on mail_outbox (email) where user_id is null;
grant select, insert, update (attempts, due_at), delete on mail_outbox to govern_app;

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
