-- The stretches of a subscription that are over, as far as they decide what the usage is worth that
-- load_accounts() answers for the account. These are two for each segment of usage: the stretch
-- that it lies in, and the last one up to there that links its meter, or was to. The second counts
-- where a change of the plan has replaced what was still to come.
create or replace function old_stretches_of(
  p_business_id text, p_mode text, p_customer_id text, p_entitlement_id text,
  p_subscription_id text, p_whole boolean
) returns jsonb language sql stable as $$
  select to_jsonb(array(
    select distinct o.stretch
    from (
      select u.segment_at, u.meter_id
      from open_cycles(p_business_id, p_mode, p_customer_id, p_entitlement_id) c
      join usage u on (u.customer_id, u.route_id, u.meter_id, u.entitlement_id, u.cycle_at)
          = (p_customer_id, c.route_id, c.meter_id, p_entitlement_id, c.cycle_at)
        and (u.business_id, u.mode) = (p_business_id, p_mode) and u.segment_at >= c.cycle_at
      where not p_whole and c.route_id = p_subscription_id
      union
      select u.segment_at, u.meter_id from usage u
      where p_whole and (u.customer_id, u.route_id, u.entitlement_id, u.business_id, u.mode)
        = (p_customer_id, p_subscription_id, p_entitlement_id, p_business_id, p_mode)
    ) s
    cross join lateral (
      (select o.stretch from old_stretches o
        where (o.business_id, o.mode, o.subscription_id)
            = (p_business_id, p_mode, p_subscription_id)
          and o.from_at <= s.segment_at
        order by o.from_at desc limit 1)
      union all
      (select o.stretch from old_stretches o
        where (o.business_id, o.mode, o.subscription_id)
            = (p_business_id, p_mode, p_subscription_id)
          and o.from_at <= s.segment_at
          and (o.stretch -> 'links') || coalesce(o.stretch -> 'withdrawn', '[]')
            @> jsonb_build_array(jsonb_build_object(
              'meter_id', s.meter_id, 'entitlement_id', p_entitlement_id))
        order by o.from_at desc limit 1)) o))
$$;
