-- The stretches of an entitlement's default links that are over, as far as they cover usage that
-- load_accounts() answers for the account. A stretch too many would do no harm.
create or replace function old_links_of(
  p_business_id text, p_mode text, p_customer_id text, p_entitlement_id text, p_whole boolean
) returns jsonb language sql stable as $$
  select to_jsonb(array(
    select distinct l.stretch
    from (
      select u.segment_at
      from open_cycles(p_business_id, p_mode, p_customer_id, p_entitlement_id) o
      join usage u on (u.customer_id, u.route_id, u.meter_id, u.entitlement_id, u.cycle_at)
          = (p_customer_id, o.route_id, o.meter_id, p_entitlement_id, o.cycle_at)
        and (u.business_id, u.mode) = (p_business_id, p_mode) and u.segment_at >= o.cycle_at
      where not p_whole and o.route_id = p_entitlement_id
      union
      select u.segment_at from usage u
      where p_whole and (u.customer_id, u.route_id, u.entitlement_id, u.business_id, u.mode)
        = (p_customer_id, p_entitlement_id, p_entitlement_id, p_business_id, p_mode)
    ) s
    cross join lateral (
      select l.stretch from old_links l
      where (l.business_id, l.mode, l.credit_entitlement_id)
          = (p_business_id, p_mode, p_entitlement_id)
        and l.from_at <= s.segment_at
      order by l.from_at desc limit 1) l))
$$;
