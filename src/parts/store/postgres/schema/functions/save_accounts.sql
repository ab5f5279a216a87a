-- Writes decided accounts, each whole or not at all: those whose version still is `expected` (null:
-- that do not exist yet), while the business's clock is the one that they were decided under.
-- Answers the ids of the saved ones; the others lost a race, load them again.
create or replace function save_accounts(p_changes jsonb) returns setof text language plpgsql as $$
declare
  v_saved text[];
  v_made text[];
begin
  perform 1 from accounts a
  where a.account_id in (select c ->> 'account_id' from jsonb_array_elements(p_changes) c)
  order by a.account_id for update;

  with written as (
    update accounts a
    set version = c.expected + 1, entries = c.entries_made, balance = c.balance,
      overage = c.overage, dropped = c.dropped, unreturned = c.unreturned,
      base_overage = c.base_overage, base_dropped = c.base_dropped,
      base_unreturned = c.base_unreturned, dropped_closed = c.dropped_closed,
      unreturned_closed = c.unreturned_closed, grants = c.grants_made,
      overage_terms = c.overage_terms, own_cycle_at = c.own_cycle_at, settled_at = now(),
      last_transaction_at = coalesce(c.last_transaction_at, a.last_transaction_at),
      updated_at = c.updated_at
    from jsonb_to_recordset(p_changes) c (
      account_id text, business_id text, mode text, expected bigint, clock_ahead bigint,
      entries_made bigint, balance numeric, overage numeric,
      dropped numeric, unreturned numeric, base_overage numeric, base_dropped numeric,
      base_unreturned numeric, dropped_closed numeric, unreturned_closed numeric,
      grants_made integer, overage_terms jsonb, own_cycle_at timestamptz,
      last_transaction_at timestamptz, updated_at timestamptz)
    where a.account_id = c.account_id and a.version = c.expected
      and c.clock_ahead = clock_ahead(c.business_id, c.mode)
    returning a.account_id)
  select array_agg(account_id) into v_saved from written;

  with made as (
    insert into accounts (account_id, business_id, mode, customer_id, entitlement_id, version,
      entries, balance, overage, dropped, unreturned, base_overage, base_dropped, base_unreturned,
      dropped_closed, unreturned_closed, grants, overage_terms, own_cycle_at, settled_at,
      last_transaction_at, created_at, updated_at)
    select c.account_id, c.business_id, c.mode, c.customer_id, c.entitlement_id, 1,
      c.entries_made, c.balance, c.overage, c.dropped, c.unreturned, c.base_overage,
      c.base_dropped, c.base_unreturned, c.dropped_closed, c.unreturned_closed, c.grants_made,
      c.overage_terms, c.own_cycle_at, now(), c.last_transaction_at, c.updated_at, c.updated_at
    from jsonb_to_recordset(p_changes) c (
      account_id text, business_id text, mode text, customer_id text, entitlement_id text,
      expected bigint, clock_ahead bigint, entries_made bigint, balance numeric, overage numeric,
      dropped numeric, unreturned numeric, base_overage numeric, base_dropped numeric,
      base_unreturned numeric, dropped_closed numeric, unreturned_closed numeric,
      grants_made integer, overage_terms jsonb,
      own_cycle_at timestamptz, last_transaction_at timestamptz, updated_at timestamptz)
    where c.expected is null and c.clock_ahead = clock_ahead(c.business_id, c.mode)
    order by c.account_id
    on conflict do nothing
    returning account_id)
  select array_agg(account_id) into v_made from made;

  v_saved := coalesce(v_saved, '{}') || coalesce(v_made, '{}');

  insert into grants as g (account_id, number, grant_id, source_type, source_id, parent_grant_id,
    rollover_count, rolled_over, cycle_at, initial, remaining, drawn, base_remaining, base_drawn,
    expires_at, ended_at, metadata, created_at, updated_at)
  select n.* from jsonb_array_elements(p_changes) c,
    jsonb_to_recordset(c -> 'grants') n (
      account_id text, number integer, grant_id text, source_type text, source_id text,
      parent_grant_id text, rollover_count integer, rolled_over boolean, cycle_at timestamptz,
      initial numeric, remaining numeric, drawn numeric, base_remaining numeric,
      base_drawn numeric, expires_at timestamptz, ended_at timestamptz, metadata jsonb,
      created_at timestamptz, updated_at timestamptz)
  where c ->> 'account_id' = any (v_saved)
  on conflict (account_id, number) do update set
    remaining = excluded.remaining, drawn = excluded.drawn,
    base_remaining = excluded.base_remaining, base_drawn = excluded.base_drawn,
    rolled_over = excluded.rolled_over, cycle_at = excluded.cycle_at,
    expires_at = excluded.expires_at, ended_at = excluded.ended_at,
    updated_at = excluded.updated_at;

  insert into charged as h (account_id, route_id, meter_id, cycle_at, charged, base)
  select n.* from jsonb_array_elements(p_changes) c,
    jsonb_to_recordset(c -> 'charged') n (
      account_id text, route_id text, meter_id text, cycle_at timestamptz, charged numeric,
      base numeric)
  where c ->> 'account_id' = any (v_saved)
  on conflict (account_id, route_id, meter_id, cycle_at) do update set
    charged = excluded.charged, base = excluded.base;

  insert into ledger_entries (account_id, number, entry_id, transaction_type, is_credit, amount,
    balance_before, balance_after, overage_before, overage_after, grant_id, reference_type,
    reference_id, description, metadata, brand_id, inputs, created_at)
  select n.* from jsonb_array_elements(p_changes) c,
    jsonb_to_recordset(c -> 'entries') n (
      account_id text, number bigint, entry_id text, transaction_type text, is_credit boolean,
      amount numeric, balance_before numeric, balance_after numeric, overage_before numeric,
      overage_after numeric, grant_id text, reference_type text, reference_id text,
      description text, metadata jsonb, brand_id text, inputs jsonb, created_at timestamptz)
  where c ->> 'account_id' = any (v_saved);

  insert into outbox (message_id, business_id, mode, type, account_id, entry_number, data, at)
  select n.* from jsonb_array_elements(p_changes) c,
    jsonb_to_recordset(c -> 'facts') n (
      message_id text, business_id text, mode text, type text, account_id text,
      entry_number bigint, data jsonb, at timestamptz)
  where c ->> 'account_id' = any (v_saved);

  insert into adjustments (account_id, idempotency_key, entry_id)
  select c ->> 'account_id', c -> 'adjustment' ->> 'idempotency_key',
    c -> 'adjustment' ->> 'entry_id'
  from jsonb_array_elements(p_changes) c
  where c ->> 'account_id' = any (v_saved) and c -> 'adjustment' ->> 'idempotency_key' is not null;

  delete from unsettled n
  using jsonb_array_elements(p_changes) c, jsonb_array_elements_text(c -> 'unsettled') i
  where c ->> 'account_id' = any (v_saved) and n.id = i::bigint;

  insert into unsettled (business_id, mode, customer_id, entitlement_id)
  select c ->> 'business_id', c ->> 'mode', c ->> 'customer_id', c ->> 'entitlement_id'
  from jsonb_array_elements(p_changes) c
  where c ->> 'account_id' = any (v_saved) and (c ->> 'announce')::boolean;

  return query select unnest(v_saved);
end $$;
