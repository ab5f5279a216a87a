-- The one place that writes and counts uses of discounts, behind standing_rows(), which has locked
-- the discounts and found room for these uses. An error with SQLSTATE SL001 where one is counted
-- already.
create or replace function write_discount_uses(p_rows jsonb) returns void language plpgsql as $$
begin
  insert into discount_uses (business_id, mode, discount_id, used_for, customer_id, used_at)
  select n.business_id, n.mode, n.discount_id, n.used_for, n.customer_id, n.used_at
  from jsonb_populate_recordset(null::discount_uses, p_rows) n
  order by n.business_id, n.mode, n.discount_id, n.used_for;

  update discounts d set times_used = d.times_used + counted.uses
  from (
    select n.business_id, n.mode, n.discount_id, count(*) as uses
    from jsonb_populate_recordset(null::discount_uses, p_rows) n
    group by n.business_id, n.mode, n.discount_id) counted
  where (d.business_id, d.mode, d.discount_id)
    = (counted.business_id, counted.mode, counted.discount_id);
exception when unique_violation then
  raise exception 'the use is counted' using errcode = 'SL001';
end $$;
