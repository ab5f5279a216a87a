-- 0002: Webhooks that people work with: each endpoint numbers what it is sent, keeps a bounded
-- backlog and its former secrets; a delivery can begin its schedule anew; attempts keep the
-- beginning of the answer.
--
-- What the release before writes meanwhile has no sequence, and keeps no answer.

-- last_sequence: the number of the newest delivery. last_due: of the newest that the endpoint must
-- get, as every one but tests. former_secrets: [{"secret" (sealed, base64), "until"}], oldest first.
alter table webhook_endpoints
  add column last_sequence bigint not null default 0,
  add column last_due bigint not null default 0,
  add column backlog_full boolean not null default false,
  add column former_secrets jsonb not null default '[]';

-- Somebody asked for it, to try an endpoint: nothing of it happened.
alter table messages add column test boolean not null default false;

-- previous: the sequence before it that its endpoint must get, 0 for none.
-- schedule_start: attempts that were made before its present schedule began; null: it has none, and
-- one attempt is all there is.
alter table deliveries
  add column sequence bigint,
  add column previous bigint,
  add column schedule_start integer default 0;
create index deliveries_in_order
  on deliveries (webhook_id, sequence desc nulls last, message_id desc);
create index deliveries_not_made on deliveries (webhook_id)
  where outcome in ('given_up', 'stopped', 'held_back');

-- The first 1 KiB as text; null: there was none, or nobody kept it.
alter table attempts add column answer text;
