-- Takes an event out of usage, once, or changes nothing:
--   voided   counts and sums are without it now; max and last wait to be folded again
--   known    the event was voided before
--   sealed   a row of its usage does not exist any more
--   moved    the business's clock is not the one that the void was decided under
-- Locks in this order [machines#writers]: usage by its key, then the rest.
create or replace function void_event(p_void jsonb, p_usage jsonb, p_accounts jsonb)
returns text language plpgsql as $$
declare
  v_found integer;
begin
  if (p_void ->> 'clock_ahead')::bigint is distinct from clock_ahead(
      p_void ->> 'business_id', p_void ->> 'mode') then
    return 'moved';
  end if;

  perform 1 from voids v, jsonb_to_record(p_void)
    k (business_id text, mode text, event_id text, event_at timestamptz)
  where (v.business_id, v.mode, v.event_id, v.event_at)
    = (k.business_id, k.mode, k.event_id, k.event_at);
  if found then return 'known'; end if;

  select count(*) into v_found from (
    select from usage u
    join jsonb_to_recordset(p_usage) k (business_id text, mode text, customer_id text,
      route_id text, entitlement_id text, meter_id text, segment_at timestamptz, log_hour integer)
    using (customer_id, route_id, meter_id, entitlement_id, segment_at, log_hour, business_id, mode)
    where u.events > 0
    order by customer_id, route_id, meter_id, entitlement_id, segment_at, log_hour
    for update of u) locked;
  if v_found <> jsonb_array_length(p_usage) then return 'sealed'; end if;

  insert into voids (business_id, mode, event_id, event_at, customer_id, reason, received_at,
    undone, pending, voided_at)
  select v.business_id, v.mode, v.event_id, v.event_at, v.customer_id, v.reason, v.received_at,
    p_usage, (
      select count(*) from jsonb_to_recordset(p_usage) k (aggregation text)
      where k.aggregation in ('max', 'last')),
    v.voided_at
  from jsonb_to_record(p_void) v (business_id text, mode text, event_id text,
    event_at timestamptz, customer_id text, reason text, received_at timestamptz,
    voided_at timestamptz)
  on conflict do nothing;
  -- Another transaction has voided it while this one waited for the locks.
  if not found then return 'known'; end if;

  update usage u set events = u.events - 1, value = u.value - k.value
  from jsonb_to_recordset(p_usage) k (business_id text, mode text, customer_id text,
    route_id text, entitlement_id text, meter_id text, segment_at timestamptz, log_hour integer,
    aggregation text, value numeric)
  where (u.customer_id, u.route_id, u.meter_id, u.entitlement_id, u.segment_at, u.log_hour,
      u.business_id, u.mode)
    = (k.customer_id, k.route_id, k.meter_id, k.entitlement_id, k.segment_at, k.log_hour,
      k.business_id, k.mode)
    and k.aggregation in ('count', 'sum');

  insert into void_folds (business_id, mode, customer_id, route_id, entitlement_id, meter_id,
    segment_at, log_hour, event_id, event_at)
  select k.business_id, k.mode, k.customer_id, k.route_id, k.entitlement_id, k.meter_id,
    k.segment_at, k.log_hour, p_void ->> 'event_id', (p_void ->> 'event_at')::timestamptz
  from jsonb_to_recordset(p_usage) k (business_id text, mode text, customer_id text,
    route_id text, entitlement_id text, meter_id text, segment_at timestamptz, log_hour integer,
    aggregation text)
  where k.aggregation in ('max', 'last');

  insert into unsettled (business_id, mode, customer_id, entitlement_id)
  select a.business_id, a.mode, a.customer_id, a.entitlement_id
  from jsonb_to_recordset(p_accounts)
    a (business_id text, mode text, customer_id text, entitlement_id text);

  return 'voided';
end $$;
