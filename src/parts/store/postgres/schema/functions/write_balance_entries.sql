-- Alone writes the ledgers of businesses' money: entries come, and none is ever changed. What the
-- change has loaded of a balance decides nothing, so each entry gets its place here, behind the
-- lock of its balance: a number, and the balance that the entry before it has left.
create or replace function write_balance_entries(p_rows jsonb) returns void language plpgsql as $$
begin
  insert into business_balances (business_id, mode, currency, balance, entries, updated_at)
  select n.business_id, n.mode, n.currency, 0, 0, min(n.created_at)
  from jsonb_populate_recordset(null::balance_entries, p_rows) n
  group by n.business_id, n.mode, n.currency
  order by n.business_id, n.mode, n.currency
  on conflict do nothing;

  perform 1 from business_balances b
  where (b.business_id, b.mode, b.currency) in (
    select n.business_id, n.mode, n.currency
    from jsonb_populate_recordset(null::balance_entries, p_rows) n)
  order by b.business_id, b.mode, b.currency for no key update;

  insert into balance_entries (business_id, mode, currency, number, entry_id, event_type, is_credit,
    amount, balance_before, balance_after, reference_id, description, created_at)
  select n.business_id, n.mode, n.currency, b.entries + n.place, n.entry_id, n.event_type,
    n.is_credit, n.amount, b.balance + n.moved - n.own, b.balance + n.moved, n.reference_id,
    n.description, greatest(n.created_at, b.updated_at)
  from (
    select own.*, count(*) over chain as place, sum(own.own) over chain as moved
    from (
      select r.*, given.position, case when r.is_credit then r.amount else -r.amount end as own
      from jsonb_array_elements(p_rows) with ordinality given (row, position),
        jsonb_populate_record(null::balance_entries, given.row) r) own
    window chain as (
      partition by own.business_id, own.mode, own.currency order by own.position)) n
  join business_balances b using (business_id, mode, currency);

  update business_balances b set balance = last.balance_after, entries = last.number,
    updated_at = last.created_at
  from (
    select distinct on (e.business_id, e.mode, e.currency) e.business_id, e.mode, e.currency,
      e.balance_after, e.number, e.created_at
    from balance_entries e
    join jsonb_populate_recordset(null::balance_entries, p_rows) n using (entry_id)
    order by e.business_id, e.mode, e.currency, e.number desc) last
  where (b.business_id, b.mode, b.currency) = (last.business_id, last.mode, last.currency);
end $$;
