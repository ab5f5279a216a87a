-- Reads the next `p_most` words of `unsettled` behind `p_behind`, oldest first: the last of them and
-- how many there were, the accounts of the share that are due, and of those that were set aside how
-- many words each has. Rows are found by indexes, however small the tables were when the plan was
-- made: both grow by many at once.
create or replace function due_accounts(
  p_behind bigint, p_most integer, p_quiet_ms integer, p_slots integer[], p_of integer
) returns table (last bigint, words bigint, due jsonb, aside jsonb) language plpgsql stable
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off
as $$ begin
  return query with words as materialized (
    select u.id, u.business_id, u.mode, u.customer_id, u.entitlement_id
    from unsettled u where u.id > p_behind order by u.id limit p_most
  ),
  of_accounts as (
    select w.business_id, w.mode, w.customer_id, w.entitlement_id, min(w.id) as first,
      count(*) as words
    from words w
    where p_slots is null or (hashtext(w.customer_id) & 2147483647) % p_of = any(p_slots)
    group by 1, 2, 3, 4
  )
  select (select max(w.id) from words w), (select count(*) from words),
    coalesce(jsonb_agg(jsonb_build_object(
      'business_id', o.business_id, 'mode', o.mode, 'customer_id', o.customer_id,
      'entitlement_id', o.entitlement_id) order by o.first)
      filter (where s.state = 'due'), '[]'),
    coalesce(jsonb_agg(jsonb_build_object(
      'business_id', o.business_id, 'mode', o.mode, 'customer_id', o.customer_id,
      'entitlement_id', o.entitlement_id, 'words', o.words))
      filter (where s.state = 'aside'), '[]')
  from of_accounts o cross join lateral
    settling_state(o.business_id, o.mode, o.customer_id, o.entitlement_id, p_quiet_ms) s;
end $$;
