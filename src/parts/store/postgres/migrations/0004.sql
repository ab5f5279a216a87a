-- 0004: Several processes: which log the books belong to, who does what only one should do, and the
-- topic that facts are told on.

-- 'embedded:IDENTITY' or 'kafka:IDENTITY'; null until a process with a log has started.
alter table installation add column event_log text;
update installation set event_log = 'embedded:' || (select min(log_identity) from checkpoints)
where exists (select from checkpoints);

-- Work that one process at a time does. A holder that vanishes is succeeded when its time is up.
create table leases (
  name text primary key,
  holder text not null,
  held_until timestamptz not null
);

-- Envelopes on their way to the topic credit.events. Rows are deleted once the log has them.
create table announcements (
  id bigint generated always as identity primary key,
  message_id text not null,
  mode text not null,
  customer_id text not null,
  body text not null
);
