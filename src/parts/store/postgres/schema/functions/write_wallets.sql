-- Alone writes wallets, which standing_rows() has locked and compared, each with the entry that a
-- change adds to its ledger. An error with SQLSTATE SL001 where another transaction has made one of
-- the new wallets since, or has used the idempotency key.
create or replace function write_wallets(p_rows jsonb) returns void language plpgsql as $$
begin
  insert into wallets (business_id, mode, customer_id, currency, balance, entries, created_at,
    updated_at)
  select n.business_id, n.mode, n.customer_id, n.currency, n.balance, n.entries, n.created_at,
    n.updated_at
  from jsonb_populate_recordset(null::wallets, p_rows) n
  order by n.business_id, n.mode, n.customer_id, n.currency
  on conflict (business_id, mode, customer_id, currency) do update set
    balance = excluded.balance, entries = excluded.entries, updated_at = excluded.updated_at
  where wallets.entries = excluded.entries - 1;

  -- The number of an entry that somebody else was first to write is taken.
  insert into wallet_entries (business_id, mode, customer_id, currency, number, entry_id,
    event_type, is_credit, amount, balance_before, balance_after, reason, reference_id,
    idempotency_key, created_at)
  select n.business_id, n.mode, n.customer_id, n.currency, n.entries, n.entry_id,
    n.event_type, n.is_credit, n.amount, n.balance_before, n.balance, n.reason, n.reference_id,
    n.idempotency_key, n.updated_at
  from jsonb_to_recordset(p_rows) n (business_id text, mode text, customer_id text,
    currency text, entries bigint, entry_id text, event_type text, is_credit boolean,
    amount bigint, balance_before bigint, balance bigint, reason text, reference_id text,
    idempotency_key text, updated_at timestamptz)
  order by n.business_id, n.mode, n.customer_id, n.currency;
exception when unique_violation then
  raise exception 'the wallet has moved' using errcode = 'SL001';
end $$;
