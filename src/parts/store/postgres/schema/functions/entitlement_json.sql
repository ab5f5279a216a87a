-- An entitlement as JSON with its quantities as text: JSON numbers would lose digits.
create or replace function entitlement_json(e credit_entitlements)
returns jsonb language sql immutable as $$
  select to_jsonb(e) || jsonb_build_object(
    'price_per_unit', e.price_per_unit::text, 'overage_limit', e.overage_limit::text,
    'low_balance_threshold', e.low_balance_threshold::text)
$$;
