-- An entitlement as load_accounts() answers it, with its quantities as text: JSON numbers would
-- lose digits. `p_old_links` are the stretches of its links that are over. Json, and stable, as
-- account_json() is.
create or replace function entitlement_json(e credit_entitlements, p_old_links jsonb)
returns json language sql stable as $$
  select json_build_object(
    'name', e.name, 'description', e.description, 'unit', e.unit, 'precision', e.precision,
    'expires_after_days', e.expires_after_days, 'rollover_enabled', e.rollover_enabled,
    'rollover_percentage', e.rollover_percentage,
    'rollover_timeframe_count', e.rollover_timeframe_count,
    'rollover_timeframe_interval', e.rollover_timeframe_interval,
    'max_rollover_count', e.max_rollover_count, 'overage_enabled', e.overage_enabled,
    'overage_behavior', e.overage_behavior, 'overage_limit', e.overage_limit::text,
    'price_per_unit', e.price_per_unit::text, 'currency', e.currency,
    'low_balance_threshold', e.low_balance_threshold::text, 'deleted_at', e.deleted_at,
    'stretches', e.stretches, 'old_links', p_old_links)
$$;
