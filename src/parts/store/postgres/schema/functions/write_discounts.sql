-- The one place that writes discounts, behind standing_rows(): new ones, and what is changed of
-- them; write_discount_uses() counts their uses. An error with SQLSTATE SL002 where another
-- discount has the code.
create or replace function write_discounts(p_rows jsonb) returns void language plpgsql as $$
begin
  insert into discounts (business_id, mode, discount_id, code, name, type, amount,
    currency_options, customer_eligibility, restricted_to, usage_limit, per_customer_usage_limit,
    starts_at, expires_at, subscription_cycles, preserve_on_plan_change, metadata, deleted_at,
    created_at, updated_at)
  select n.business_id, n.mode, n.discount_id, n.code, n.name, n.type, n.amount,
    n.currency_options, n.customer_eligibility, n.restricted_to, n.usage_limit,
    n.per_customer_usage_limit, n.starts_at, n.expires_at, n.subscription_cycles,
    n.preserve_on_plan_change, n.metadata, n.deleted_at, n.created_at, n.updated_at
  from jsonb_populate_recordset(null::discounts, p_rows) n
  order by n.business_id, n.mode, n.discount_id
  on conflict (business_id, mode, discount_id) do update set
    code = excluded.code, name = excluded.name, type = excluded.type, amount = excluded.amount,
    currency_options = excluded.currency_options,
    customer_eligibility = excluded.customer_eligibility,
    restricted_to = excluded.restricted_to, usage_limit = excluded.usage_limit,
    per_customer_usage_limit = excluded.per_customer_usage_limit,
    starts_at = excluded.starts_at, expires_at = excluded.expires_at,
    subscription_cycles = excluded.subscription_cycles,
    preserve_on_plan_change = excluded.preserve_on_plan_change, metadata = excluded.metadata,
    deleted_at = excluded.deleted_at, updated_at = excluded.updated_at;
exception when unique_violation then
  raise exception 'the code is taken' using errcode = 'SL002';
end $$;
