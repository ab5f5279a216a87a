-- The one place that writes and counts uses of discounts, behind standing_rows(), which has locked
-- the discounts and found room for these uses. A use that only waits for its payment is `held`; it
-- counts, or goes, once it is known what becomes of that. An error with SQLSTATE SL001 where one is
-- there already.
create or replace function write_discount_uses(p_rows jsonb) returns void language plpgsql as $$
begin
  insert into discount_uses (business_id, mode, discount_id, used_for, customer_id, used_at, held)
  select n.business_id, n.mode, n.discount_id, n.used_for, n.customer_id, n.used_at, n.held
  from jsonb_to_recordset(p_rows) n (business_id text, mode text, discount_id text,
    used_for text, customer_id text, used_at timestamptz, held boolean, becomes text)
  where n.becomes is null
  order by n.business_id, n.mode, n.discount_id, n.used_for;

  update discount_uses u set held = false
  from jsonb_to_recordset(p_rows) n (business_id text, mode text, discount_id text,
    used_for text, becomes text)
  where n.becomes = 'counted' and (u.business_id, u.mode, u.discount_id, u.used_for)
    = (n.business_id, n.mode, n.discount_id, n.used_for);

  delete from discount_uses u
  using jsonb_to_recordset(p_rows) n (business_id text, mode text, discount_id text,
    used_for text, becomes text)
  where n.becomes = 'released' and (u.business_id, u.mode, u.discount_id, u.used_for)
    = (n.business_id, n.mode, n.discount_id, n.used_for);

  update discounts d
  set times_used = d.times_used + counted.uses, held = d.held + counted.held
  from (
    select n.business_id, n.mode, n.discount_id,
      count(*) filter (where n.becomes = 'counted' or (n.becomes is null and not n.held)) as uses,
      count(*) filter (where n.becomes is null and n.held)
        - count(*) filter (where n.becomes is not null) as held
    from jsonb_to_recordset(p_rows) n (business_id text, mode text, discount_id text,
      held boolean, becomes text)
    group by n.business_id, n.mode, n.discount_id) counted
  where (d.business_id, d.mode, d.discount_id)
    = (counted.business_id, counted.mode, counted.discount_id);
exception when unique_violation then
  raise exception 'the use is there' using errcode = 'SL001';
end $$;
