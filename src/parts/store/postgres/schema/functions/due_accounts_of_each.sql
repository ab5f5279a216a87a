-- The accounts of the share that are due of the next `p_scopes` businesses and modes behind the
-- given one, but for the one that is excepted, among the oldest `p_words` words of each: the oldest
-- account of each, then the second of each, and so on, up to `p_limit`. Answers the last of these
-- businesses and modes, too, and how many they were.
create or replace function due_accounts_of_each(
  p_business_id text, p_mode text, p_scopes integer, p_words integer, p_limit integer,
  p_quiet_ms integer, p_slots integer[], p_of integer, p_except_business_id text, p_except_mode text
) returns table (last_business_id text, last_mode text, scopes bigint, due jsonb)
language plpgsql stable
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off
as $$ begin
  return query with recursive next_scopes as (
    (select u.business_id, u.mode, 1 as number from unsettled u
      where (u.business_id, u.mode) > (p_business_id, p_mode)
      order by u.business_id, u.mode limit 1)
    union all
    select n.business_id, n.mode, f.number + 1
    from next_scopes f cross join lateral (
      select u.business_id, u.mode from unsettled u
      where (u.business_id, u.mode) > (f.business_id, f.mode)
      order by u.business_id, u.mode limit 1) n
    where f.number < p_scopes
  ),
  words as (
    select w.* from next_scopes f cross join lateral (
      select u.id, u.business_id, u.mode, u.customer_id, u.entitlement_id from unsettled u
      where (u.business_id, u.mode) = (f.business_id, f.mode) order by u.id limit p_words) w
    where (f.business_id, f.mode) <> (p_except_business_id, p_except_mode)
      and (p_slots is null or (hashtext(w.customer_id) & 2147483647) % p_of = any(p_slots))
  ),
  of_accounts as (
    select w.business_id, w.mode, w.customer_id, w.entitlement_id, min(w.id) as first
    from words w group by 1, 2, 3, 4
  ),
  placed as (
    select o.*, row_number() over (partition by o.business_id, o.mode order by o.first) as place
    from of_accounts o cross join lateral
      settling_state(o.business_id, o.mode, o.customer_id, o.entitlement_id, p_quiet_ms) s
    where s.state = 'due'
  ),
  taken as (select p.* from placed p order by p.place, p.first limit p_limit),
  final as (select f.* from next_scopes f order by f.number desc limit 1)
  select (select f.business_id from final f), (select f.mode from final f),
    (select count(*) from next_scopes),
    coalesce(jsonb_agg(jsonb_build_object(
      'business_id', t.business_id, 'mode', t.mode, 'customer_id', t.customer_id,
      'entitlement_id', t.entitlement_id) order by t.place, t.first), '[]')
  from taken t;
end $$;
