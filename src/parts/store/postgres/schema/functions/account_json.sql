-- An account as load_accounts() answers it, with its quantities as text: JSON numbers would lose
-- digits. Field by field, and json: to sort and index a document that is only read out again costs
-- more than to write it. Stable as what it calls, or it would be called rather than inlined.
create or replace function account_json(a accounts) returns json language sql stable as $$
  select json_build_object(
    'account_id', a.account_id, 'version', a.version, 'stamp', a.stamp, 'entries', a.entries,
    'overage', a.overage::text, 'dropped', a.dropped::text, 'unreturned', a.unreturned::text,
    'base_overage', a.base_overage::text, 'base_dropped', a.base_dropped::text,
    'base_unreturned', a.base_unreturned::text, 'dropped_closed', a.dropped_closed::text,
    'unreturned_closed', a.unreturned_closed::text, 'grants', a.grants,
    'overage_terms', a.overage_terms, 'set_aside', a.set_aside, 'own_cycle_at', a.own_cycle_at,
    'last_transaction_at', a.last_transaction_at, 'created_at', a.created_at,
    'updated_at', a.updated_at)
$$;
