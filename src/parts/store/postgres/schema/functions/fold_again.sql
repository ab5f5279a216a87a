-- Replaces the values of a row of usage by a fold that leaves the events of `p_voids` out. Answers
-- false, and changes nothing, unless the row has as many events as the caller folded (`expected`)
-- and still waits for all of `p_voids`. The number alone would not do: it is the same again when
-- another process has folded the row and one more event has come.
create or replace function fold_again(p_fold jsonb, p_voids jsonb)
returns boolean language plpgsql as $$
declare
  f record;
begin
  select * into f from jsonb_to_record(p_fold) read (business_id text, mode text, customer_id text,
    route_id text, entitlement_id text, meter_id text, segment_at timestamptz, log_hour integer,
    expected bigint, events bigint, value numeric, last_at timestamptz, last_received timestamptz,
    last_event_id text);

  perform 1 from usage u
  where (u.customer_id, u.route_id, u.meter_id, u.entitlement_id, u.segment_at, u.log_hour,
      u.business_id, u.mode)
    = (f.customer_id, f.route_id, f.meter_id, f.entitlement_id, f.segment_at, f.log_hour,
      f.business_id, f.mode)
    and u.events = f.expected
  for update;
  if not found then return false; end if;

  if jsonb_array_length(p_voids) <> (
    select count(*) from void_folds w
    join jsonb_to_recordset(p_voids) k (event_id text, event_at timestamptz)
    using (event_id, event_at)
    where (w.customer_id, w.route_id, w.meter_id, w.entitlement_id, w.segment_at, w.log_hour,
        w.business_id, w.mode)
      = (f.customer_id, f.route_id, f.meter_id, f.entitlement_id, f.segment_at, f.log_hour,
        f.business_id, f.mode))
  then return false; end if;

  update usage u set events = f.events, value = f.value, last_at = f.last_at,
    last_received = f.last_received, last_event_id = f.last_event_id
  where (u.customer_id, u.route_id, u.meter_id, u.entitlement_id, u.segment_at, u.log_hour,
      u.business_id, u.mode)
    = (f.customer_id, f.route_id, f.meter_id, f.entitlement_id, f.segment_at, f.log_hour,
      f.business_id, f.mode);

  delete from void_folds w
  using jsonb_to_recordset(p_voids) k (event_id text, event_at timestamptz)
  where (w.customer_id, w.route_id, w.meter_id, w.entitlement_id, w.segment_at, w.log_hour,
      w.business_id, w.mode, w.event_id, w.event_at)
    = (f.customer_id, f.route_id, f.meter_id, f.entitlement_id, f.segment_at, f.log_hour,
      f.business_id, f.mode, k.event_id, k.event_at);

  -- One event may wait for several rows, which several processes may fold at once: they take these
  -- locks in one order.
  perform 1 from voids v
  join jsonb_to_recordset(p_voids) k (event_id text, event_at timestamptz)
  using (event_id, event_at)
  where (v.business_id, v.mode) = (f.business_id, f.mode)
  order by event_id, event_at for update of v;

  update voids v set pending = v.pending - 1
  from jsonb_to_recordset(p_voids) k (event_id text, event_at timestamptz)
  where (v.business_id, v.mode, v.event_id, v.event_at)
    = (f.business_id, f.mode, k.event_id, k.event_at);

  insert into unsettled (business_id, mode, customer_id, entitlement_id)
  select f.business_id, f.mode, f.customer_id, f.entitlement_id where f.entitlement_id <> '';

  return true;
end $$;
