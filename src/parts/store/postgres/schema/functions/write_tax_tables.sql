-- Alone writes rates of taxes: a business's whole table in place of the one before it.
create or replace function write_tax_tables(p_rows jsonb) returns void language plpgsql as $$
begin
  -- Of two imports at once the second waits, and replaces what the first has written.
  perform 1 from businesses b
  where b.business_id in (
    select n.business_id from jsonb_to_recordset(p_rows) n (business_id text))
  order by b.business_id for no key update;

  delete from tax_rates t
  using jsonb_to_recordset(p_rows) n (business_id text)
  where t.business_id = n.business_id;

  insert into tax_rates (business_id, country, region, category, rate)
  select n.business_id, r.country, r.region, r.category, r.rate
  from jsonb_to_recordset(p_rows) n (business_id text, rates jsonb),
    jsonb_to_recordset(n.rates) r (country text, region text, category text, rate integer);
end $$;
