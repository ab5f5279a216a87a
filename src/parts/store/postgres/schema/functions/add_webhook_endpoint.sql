-- A new endpoint; the earlier one where its key has been seen before; none where the business has
-- p_most of them already, in both modes together.
create or replace function add_webhook_endpoint(p_endpoint jsonb, p_most integer)
  returns setof webhook_endpoints language plpgsql as $$
declare
  given webhook_endpoints := jsonb_populate_record(null::webhook_endpoints, p_endpoint);
begin
  -- One at a time: two that counted at once would both find room.
  perform from businesses where business_id = given.business_id for no key update;
  return query
    select * from webhook_endpoints w
    where w.business_id = given.business_id and w.mode = given.mode
    and w.idempotency_key = given.idempotency_key;
  if found then
    return;
  end if;
  if p_most <= (
    select count(*) from webhook_endpoints w
    where w.business_id = given.business_id and w.deleted_at is null
  ) then
    return;
  end if;
  return query
    insert into webhook_endpoints (business_id, mode, webhook_id, url, description, disabled,
      filter_types, rate_limit, metadata, headers, secret, idempotency_key, created_at, updated_at)
    values (given.business_id, given.mode, given.webhook_id, given.url, given.description,
      given.disabled, given.filter_types, given.rate_limit, given.metadata, given.headers,
      given.secret, given.idempotency_key, given.created_at, given.updated_at)
    returning *;
end $$;
