-- Alone writes businesses, which standing_rows() has locked and compared. A new business gets both
-- of its modes with it.
create or replace function write_businesses(p_rows jsonb) returns void language plpgsql as $$
begin
  insert into businesses (business_id, name, rate_tier, created_at)
  select n.business_id, n.name, n.rate_tier, n.created_at
  from jsonb_populate_recordset(null::businesses, p_rows) n
  order by n.business_id
  on conflict (business_id) do update set rate_tier = excluded.rate_tier;

  insert into business_modes (business_id, mode)
  select n.business_id, m.mode
  from jsonb_to_recordset(p_rows) n (business_id text, expected jsonb),
    unnest(array['test', 'live']) m (mode)
  where n.expected is null;
end $$;
