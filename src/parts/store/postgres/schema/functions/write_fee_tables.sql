-- Alone writes rates of fees: a business's whole table in place of the one before it.
create or replace function write_fee_tables(p_rows jsonb) returns void language plpgsql as $$
begin
  -- Of two imports at once the second waits, and replaces what the first has written.
  perform 1 from businesses b
  where b.business_id in (
    select n.business_id from jsonb_to_recordset(p_rows) n (business_id text))
  order by b.business_id for no key update;

  delete from fee_rates f
  using jsonb_to_recordset(p_rows) n (business_id text)
  where f.business_id = n.business_id;

  insert into fee_rates (business_id, kind, currency, basis_points, fixed)
  select n.business_id, r.kind, r.currency, r.basis_points, r.fixed
  from jsonb_to_recordset(p_rows) n (business_id text, rates jsonb),
    jsonb_to_recordset(n.rates) r (kind text, currency text, basis_points integer, fixed bigint);
end $$;
