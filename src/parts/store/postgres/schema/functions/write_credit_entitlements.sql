-- Alone writes credit entitlements, which standing_rows() has locked and compared. Every change
-- gives one a later `updated_at`. Raises SQLSTATE SL002 where another one has the name. Stretches
-- of default links that are `over` are kept in old_links where usage was measured under them.
create or replace function write_credit_entitlements(p_rows jsonb) returns void
language plpgsql as $$
begin
  -- Measuring reloads the catalog when default links change, or begin or cease to count.
  update business_modes b set catalog_version = drawn_version(b.catalog_version + 1)
  from (
    select l.business_id, l.mode from business_modes l
    where (l.business_id, l.mode) in (
      select n.business_id, n.mode
      from jsonb_populate_recordset(null::credit_entitlements, p_rows) n
      left join credit_entitlements e using (business_id, mode, credit_entitlement_id)
      where n.meter_links <> coalesce(e.meter_links, '[]')
        or n.deleted_at is distinct from e.deleted_at)
    order by l.business_id, l.mode for no key update) moved
  where (b.business_id, b.mode) = (moved.business_id, moved.mode);

  insert into credit_entitlements as e (business_id, mode, credit_entitlement_id, name, description,
    unit, precision, expires_after_days, rollover_enabled, rollover_percentage,
    rollover_timeframe_count, rollover_timeframe_interval, max_rollover_count, overage_enabled,
    overage_behavior, overage_limit, price_per_unit, currency, low_balance_threshold, meter_links,
    stretches, deleted_at, created_at, updated_at)
  select n.business_id, n.mode, n.credit_entitlement_id, n.name, n.description,
    n.unit, n.precision, n.expires_after_days, n.rollover_enabled, n.rollover_percentage,
    n.rollover_timeframe_count, n.rollover_timeframe_interval, n.max_rollover_count,
    n.overage_enabled, n.overage_behavior, n.overage_limit, n.price_per_unit, n.currency,
    n.low_balance_threshold, n.meter_links, n.stretches, n.deleted_at, n.created_at, n.updated_at
  from jsonb_populate_recordset(null::credit_entitlements, p_rows) n
  order by n.business_id, n.mode, n.credit_entitlement_id
  on conflict (business_id, mode, credit_entitlement_id) do update set
    name = excluded.name, description = excluded.description, unit = excluded.unit,
    expires_after_days = excluded.expires_after_days,
    rollover_enabled = excluded.rollover_enabled,
    rollover_percentage = excluded.rollover_percentage,
    rollover_timeframe_count = excluded.rollover_timeframe_count,
    rollover_timeframe_interval = excluded.rollover_timeframe_interval,
    max_rollover_count = excluded.max_rollover_count,
    overage_enabled = excluded.overage_enabled, overage_behavior = excluded.overage_behavior,
    overage_limit = excluded.overage_limit, price_per_unit = excluded.price_per_unit,
    currency = excluded.currency, low_balance_threshold = excluded.low_balance_threshold,
    meter_links = excluded.meter_links, stretches = excluded.stretches,
    deleted_at = excluded.deleted_at, updated_at = excluded.updated_at;

  insert into old_links (business_id, mode, credit_entitlement_id, from_at, stretch)
  select n.business_id, n.mode, n.credit_entitlement_id, o.from_at, o.stretch
  from jsonb_to_recordset(p_rows)
      n (business_id text, mode text, credit_entitlement_id text, over jsonb),
    jsonb_to_recordset(n.over) o (from_at timestamptz, end_at timestamptz, stretch jsonb)
  where exists (
    select from usage u
    where u.entitlement_id = n.credit_entitlement_id and u.route_id = u.entitlement_id
      and (u.business_id, u.mode) = (n.business_id, n.mode)
      and u.segment_at >= o.from_at and u.segment_at < o.end_at)
  on conflict do nothing;
exception when unique_violation then
  raise exception 'the name is taken' using errcode = 'SL002';
end $$;
