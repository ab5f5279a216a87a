-- Seals the closed cycles of the `p_max` accounts that follow `p_behind`, `p_rows` rows at most.
-- Answers {"last": behind which account to go on, or null where none follows, "sealed": how many
-- rows}. Where these accounts may have more rows, the caller goes on behind `p_behind` again. A
-- cycle is closed when the next one has begun or its subscription has ended, by `p_up_to`, which is
-- real time, plus what the business's test clock is ahead. Usage is locked before it is asked
-- whether everything is settled, so that an event that is measured in between finds the rows
-- sealed, and opens them again. What cannot be sealed is left out before, too, or its rows would
-- stand before those that can.
create or replace function seal_usage(
  p_behind text, p_max integer, p_up_to timestamptz, p_rows integer
) returns jsonb language plpgsql as $$
declare
  v_last text;
  v_rows tid[];
  v_sealed integer;
begin
  select max(page.account_id) into v_last from (
    select a.account_id from accounts a
    where a.account_id > p_behind order by a.account_id limit p_max) page;
  if v_last is null then return jsonb_build_object('last', null, 'sealed', 0); end if;

  select array_agg(locked.ctid) into v_rows from (
    select u.ctid from accounts a
    join business_modes b on (b.business_id, b.mode) = (a.business_id, a.mode)
    join lateral (
      select a.entitlement_id as route_id, a.own_cycle_at as closed_to
      union all
      select s.subscription_id,
        case when s.ended is null then s.previous_billing_date else s.next_billing_date end
      from subscriptions s
      where (s.business_id, s.mode, s.customer_id) = (a.business_id, a.mode, a.customer_id)
        and s.activated_at is not null
    ) r on r.closed_to <= p_up_to + b.clock_ahead_us * interval '1 microsecond'
    join usage u on (u.customer_id, u.entitlement_id, u.business_id, u.mode)
        = (a.customer_id, a.entitlement_id, a.business_id, a.mode)
      and u.route_id = r.route_id and u.cycle_at < r.closed_to and not u.sealed
    where a.account_id > p_behind and a.account_id <= v_last and a.set_aside is null
      and not exists (
        select from unsettled n
        where (n.customer_id, n.entitlement_id, n.business_id, n.mode)
          = (a.customer_id, a.entitlement_id, a.business_id, a.mode))
      and not exists (
        select from charged c
        where (c.account_id, c.route_id, c.meter_id, c.cycle_at)
            = (a.account_id, u.route_id, u.meter_id, u.cycle_at)
          and c.charged <> c.base)
    limit p_rows
    for update of u skip locked) locked;

  update usage u set sealed = true
  from accounts a
  where u.ctid = any (v_rows)
    and (a.business_id, a.mode, a.entitlement_id, a.customer_id)
      = (u.business_id, u.mode, u.entitlement_id, u.customer_id)
    and not exists (
      select from unsettled n
      where (n.customer_id, n.entitlement_id, n.business_id, n.mode)
        = (u.customer_id, u.entitlement_id, u.business_id, u.mode))
    -- Settling places anew all that was charged since the account's base: it needs these rows.
    and not exists (
      select from charged c
      where (c.account_id, c.route_id, c.meter_id, c.cycle_at)
          = (a.account_id, u.route_id, u.meter_id, u.cycle_at)
        and c.charged <> c.base);
  get diagnostics v_sealed = row_count;
  if v_sealed > 0 and cardinality(v_rows) = p_rows then v_last := p_behind; end if;
  return jsonb_build_object('last', v_last, 'sealed', v_sealed);
end $$;
