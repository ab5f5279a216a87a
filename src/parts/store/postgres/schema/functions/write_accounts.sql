-- Alone writes accounts, with their grants, charges, ledger entries and facts. Writes the accounts
-- of `p_ids`, which standing_accounts() has locked and compared, and answers the ids of those that
-- it has written: of all of them, but for a new account that another transaction has made since.
-- Each row is found by an index, however small a table was when the plan was made.
create or replace function write_accounts(p_changes jsonb, p_ids text[]) returns text[]
language plpgsql set enable_seqscan = off as $$
declare
  v_accounts integer := jsonb_array_length(p_changes -> 'accounts');
  v_ids text[];
  -- Whether all accounts stand, or were written, as nearly always: then no row needs a look. Else
  -- ids are looked for in a table, since to look through an array for each row is quadratic.
  v_all boolean := cardinality(p_ids) = v_accounts;
begin
  with written as (
    insert into accounts as a (account_id, business_id, mode, customer_id, entitlement_id, version,
      stamp, entries, balance, overage, dropped, unreturned, base_overage, base_dropped,
      base_unreturned, dropped_closed, unreturned_closed, grants, overage_terms, own_cycle_at,
      settled_at, last_transaction_at, created_at, updated_at)
    select n.account_id, n.business_id, n.mode, n.customer_id, n.entitlement_id, n.version,
      floor(random() * 2 ^ 52), n.entries, n.balance, n.overage, n.dropped, n.unreturned,
      n.base_overage, n.base_dropped, n.base_unreturned, n.dropped_closed, n.unreturned_closed,
      n.grants, n.overage_terms, n.own_cycle_at, now(), n.last_transaction_at, n.updated_at,
      n.updated_at
    from jsonb_populate_recordset(null::accounts, p_changes -> 'accounts') n
    where v_all or n.account_id in (select unnest(p_ids))
    order by n.account_id
    on conflict (account_id) do update set
      version = excluded.version, stamp = excluded.stamp, entries = excluded.entries,
      balance = excluded.balance, overage = excluded.overage, dropped = excluded.dropped,
      unreturned = excluded.unreturned, base_overage = excluded.base_overage,
      base_dropped = excluded.base_dropped, base_unreturned = excluded.base_unreturned,
      dropped_closed = excluded.dropped_closed, unreturned_closed = excluded.unreturned_closed,
      grants = excluded.grants, overage_terms = excluded.overage_terms,
      own_cycle_at = excluded.own_cycle_at, settled_at = excluded.settled_at,
      last_transaction_at = coalesce(excluded.last_transaction_at, a.last_transaction_at),
      updated_at = excluded.updated_at
    where a.version = excluded.version - 1
    returning a.account_id)
  select coalesce(array_agg(w.account_id), '{}') into v_ids from written w;
  v_all := cardinality(v_ids) = v_accounts;

  insert into grants (account_id, number, grant_id, source_type, source_id, parent_grant_id,
    rollover_count, rolled_over, cycle_at, initial, remaining, drawn, base_remaining, base_drawn,
    expires_at, ended_at, metadata, created_at, updated_at)
  select n.account_id, n.number, n.grant_id, n.source_type, n.source_id, n.parent_grant_id,
    n.rollover_count, n.rolled_over, n.cycle_at, n.initial, n.remaining, n.drawn, n.base_remaining,
    n.base_drawn, n.expires_at, n.ended_at, n.metadata, n.created_at, n.updated_at
  from jsonb_populate_recordset(null::grants, p_changes -> 'grants') n
  where v_all or n.account_id in (select unnest(v_ids))
  on conflict (account_id, number) do update set
    remaining = excluded.remaining, drawn = excluded.drawn,
    base_remaining = excluded.base_remaining, base_drawn = excluded.base_drawn,
    rolled_over = excluded.rolled_over, cycle_at = excluded.cycle_at,
    expires_at = excluded.expires_at, ended_at = excluded.ended_at,
    updated_at = excluded.updated_at;

  insert into charged (account_id, route_id, meter_id, cycle_at, charged, base)
  select n.account_id, n.route_id, n.meter_id, n.cycle_at, n.charged, n.base
  from jsonb_populate_recordset(null::charged, p_changes -> 'charged') n
  where v_all or n.account_id in (select unnest(v_ids))
  on conflict (account_id, route_id, meter_id, cycle_at) do update set
    charged = excluded.charged, base = excluded.base;

  insert into ledger_entries (account_id, number, entry_id, transaction_type, is_credit, amount,
    balance_before, balance_after, overage_before, overage_after, grant_id, reference_type,
    reference_id, description, metadata, brand_id, inputs, created_at)
  select n.account_id, n.number, n.entry_id, n.transaction_type, n.is_credit, n.amount,
    n.balance_before, n.balance_after, n.overage_before, n.overage_after, n.grant_id,
    n.reference_type, n.reference_id, n.description, n.metadata, n.brand_id, n.inputs, n.created_at
  from jsonb_populate_recordset(null::ledger_entries, p_changes -> 'ledger_entries') n
  where v_all or n.account_id in (select unnest(v_ids));

  insert into adjustments (account_id, idempotency_key, entry_id)
  select n.account_id, n.idempotency_key, n.entry_id
  from jsonb_populate_recordset(null::adjustments, p_changes -> 'adjustments') n
  where v_all or n.account_id in (select unnest(v_ids));

  insert into outbox (message_id, business_id, mode, type, account_id, entry_number, data, at)
  select n.message_id, n.business_id, n.mode, n.type, n.account_id, n.entry_number, n.data, n.at
  from jsonb_populate_recordset(null::outbox, p_changes -> 'facts') n
  -- Facts that belong to no account are written by commit_change().
  where n.account_id is not null and (v_all or n.account_id in (select unnest(v_ids)));

  -- A standby that was promoted gives numbers again that the lost commits had: under one of them
  -- now stands a word of another account. Words are found by their numbers alone (no index serves
  -- `is not distinct from`): by its account each would be looked for among all words of it.
  delete from unsettled u
  using jsonb_to_recordset(p_changes -> 'settled') s (account_id text, id bigint)
  join accounts a using (account_id)
  where u.id = s.id and (v_all or s.account_id in (select unnest(v_ids)))
    and (u.business_id, u.mode, u.customer_id, u.entitlement_id)
      is not distinct from (a.business_id, a.mode, a.customer_id, a.entitlement_id);

  insert into unsettled (business_id, mode, customer_id, entitlement_id)
  select n.business_id, n.mode, n.customer_id, n.entitlement_id
  from jsonb_to_recordset(p_changes -> 'accounts') n (
    account_id text, business_id text, mode text, customer_id text, entitlement_id text,
    announce boolean)
  where n.announce and (v_all or n.account_id in (select unnest(v_ids)));

  return v_ids;
end $$;
