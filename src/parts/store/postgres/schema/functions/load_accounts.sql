-- Everything that a decision about accounts needs. It is one statement, and so one snapshot. With
-- `p_whole` it includes sealed usage. Quantities are text: JSON numbers would lose digits. PL/pgSQL
-- plans it once for each connection: to plan it costs more than to read an account. It plans for a
-- hundred keys, mostly there is one, and each is to be looked up in indexes: not by a scan of all
-- accounts, and not by bitmaps, which visit what was deleted again and again until it is vacuumed.
create or replace function load_accounts(p_keys jsonb, p_whole boolean)
returns setof json language plpgsql stable
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off
as $$ begin
  return query select json_build_object(
    'business_id', k.business_id, 'mode', k.mode, 'customer_id', k.customer_id,
    'entitlement_id', k.entitlement_id,
    'measured', (
      select coalesce(json_object_agg(c.partition, c.next_offset), '{}') from checkpoints c),
    'clock_ahead_us', (
      select b.clock_ahead_us from business_modes b
      where (b.business_id, b.mode) = (k.business_id, k.mode)),
    'customer', (
      select json_build_object('routes_version', c.routes_version) from customers c
      where (c.business_id, c.mode, c.customer_id) = (k.business_id, k.mode, k.customer_id)),
    'account', x.document,
    'entitlement', (
      select entitlement_json(e, case when jsonb_array_length(e.stretches) < 2 then '[]'
        else old_links_of(k.business_id, k.mode, k.customer_id, k.entitlement_id, p_whole) end)
      from credit_entitlements e
      where (e.business_id, e.mode, e.credit_entitlement_id)
        = (k.business_id, k.mode, k.entitlement_id)),
    'grants', to_json(array(
      select grant_json(g) from grants g
      where g.account_id = x.account_id and g.ended_at is null order by g.number)),
    'charged', coalesce((
      select json_agg(json_build_object(
        'route_id', c.route_id, 'meter_id', c.meter_id, 'cycle_at', c.cycle_at,
        'charged', c.charged::text, 'base', c.base::text))
      from (
        select c.* from open_cycles(k.business_id, k.mode, k.customer_id, k.entitlement_id) o
        join charged c on (c.account_id, c.route_id, c.meter_id, c.cycle_at)
          = (x.account_id, o.route_id, o.meter_id, o.cycle_at)
        where not p_whole
        union all
        select c.* from charged c where p_whole and c.account_id = x.account_id) c), '[]'),
    'usage', coalesce((
      select json_agg(json_build_object(
        'route_id', u.route_id, 'meter_id', u.meter_id, 'cycle_at', u.cycle_at,
        'segment_at', u.segment_at, 'aggregation', u.aggregation, 'events', u.events,
        'value', u.value::text, 'last_at', u.last_at, 'last_received', u.last_received,
        'last_event_id', u.last_event_id))
      from (
        select u.* from open_cycles(k.business_id, k.mode, k.customer_id, k.entitlement_id) o
        -- No segment begins before its cycle: with that the index on the key skips earlier ones.
        join usage u on (u.customer_id, u.route_id, u.meter_id, u.entitlement_id, u.cycle_at)
            = (k.customer_id, o.route_id, o.meter_id, k.entitlement_id, o.cycle_at)
          and (u.business_id, u.mode) = (k.business_id, k.mode) and u.segment_at >= o.cycle_at
        where not p_whole
        union all
        select u.* from usage u
        where p_whole and (u.customer_id, u.entitlement_id, u.business_id, u.mode)
          = (k.customer_id, k.entitlement_id, k.business_id, k.mode)) u), '[]'),
    'subscriptions', to_json(array(
      select json_build_object(
        'subscription_id', s.subscription_id, 'brand_id', s.brand_id, 'status', s.status,
        'activated_at', s.activated_at, 'ended', s.ended, 'stretches', s.stretches,
        'old_stretches', case when jsonb_array_length(s.stretches) < 2 then '[]'
          else old_stretches_of(k.business_id, k.mode, k.customer_id, k.entitlement_id,
            s.subscription_id, p_whole) end,
        'next_billing_date', s.next_billing_date, 'expires_at', s.expires_at,
        'credit_cart', s.credit_cart, 'metadata', s.metadata)
      from subscriptions s
      where (s.business_id, s.mode, s.customer_id) = (k.business_id, k.mode, k.customer_id)
        and s.activated_at is not null
        and (p_whole or s.ended is null or s.subscription_id in (
          select o.route_id
          from open_cycles(k.business_id, k.mode, k.customer_id, k.entitlement_id) o)))),
    'unsettled', coalesce((
      select json_agg(n.id) from unsettled n
      where (n.customer_id, n.entitlement_id, n.business_id, n.mode)
        = (k.customer_id, k.entitlement_id, k.business_id, k.mode)), '[]'))
  from jsonb_to_recordset(p_keys)
    k (business_id text, mode text, customer_id text, entitlement_id text)
  left join lateral (
    select a.account_id, account_json(a) as document from accounts a
    where (a.business_id, a.mode, a.entitlement_id, a.customer_id)
      = (k.business_id, k.mode, k.entitlement_id, k.customer_id) limit 1) x on true;
end $$;
