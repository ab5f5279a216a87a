-- Alone writes webhook endpoints, which standing_rows() has locked and compared. Raises SQLSTATE
-- SL001 where a new one's idempotency key is used already. A deleted endpoint gives its key back,
-- so that a create that is repeated later makes a new endpoint instead of answering with the
-- deleted one.
create or replace function write_webhook_endpoints(p_rows jsonb) returns void
language plpgsql as $$
begin
  insert into webhook_endpoints as w (business_id, mode, webhook_id, url, description, disabled,
    filter_types, rate_limit, metadata, headers, secret, former_secrets, idempotency_key,
    deleted_at, created_at, updated_at)
  select n.business_id, n.mode, n.webhook_id, n.url, n.description, n.disabled,
    n.filter_types, n.rate_limit, n.metadata, n.headers, n.secret, n.former_secrets,
    n.idempotency_key, n.deleted_at, n.created_at, n.updated_at
  from jsonb_populate_recordset(null::webhook_endpoints, p_rows) n
  order by n.business_id, n.mode, n.webhook_id
  on conflict (business_id, mode, webhook_id) do update set
    url = excluded.url, description = excluded.description, disabled = excluded.disabled,
    filter_types = excluded.filter_types, rate_limit = excluded.rate_limit,
    metadata = excluded.metadata, headers = excluded.headers, secret = excluded.secret,
    former_secrets = excluded.former_secrets,
    idempotency_key = case when excluded.deleted_at is null then w.idempotency_key end,
    deleted_at = excluded.deleted_at, updated_at = excluded.updated_at;

  -- Ends the pending deliveries of disabled and deleted endpoints. Rows that another transaction is
  -- writing are skipped, so that nobody waits or deadlocks; `tidy` of the deliveries ends those.
  with doomed as (
    select d.message_id, d.webhook_id from deliveries d
    where d.next_at is not null and d.webhook_id in (
      select n.webhook_id from jsonb_populate_recordset(null::webhook_endpoints, p_rows) n
      where n.disabled or n.deleted_at is not null)
    for update skip locked)
  update deliveries d set next_at = null, outcome = 'stopped' from doomed
  where (d.message_id, d.webhook_id) = (doomed.message_id, doomed.webhook_id);
exception when unique_violation then
  raise exception 'the key is used' using errcode = 'SL001';
end $$;
