-- An account as JSON with its quantities as text: JSON numbers would lose digits.
create or replace function account_json(a accounts) returns jsonb language sql immutable as $$
  select to_jsonb(a) || jsonb_build_object(
    'balance', a.balance::text, 'overage', a.overage::text, 'dropped', a.dropped::text,
    'unreturned', a.unreturned::text, 'base_overage', a.base_overage::text,
    'base_dropped', a.base_dropped::text, 'base_unreturned', a.base_unreturned::text,
    'dropped_closed', a.dropped_closed::text, 'unreturned_closed', a.unreturned_closed::text)
$$;
