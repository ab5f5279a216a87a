-- Commits what was measured of several partitions, or nothing of it:
--   {"lost": [{"partition", "epoch", "next_offset"}]}    these checkpoints are not where the caller
--                                                        read them: it retries without them
--   {"catalogs": [...], "routes": [...]}                 these versions have moved: it reloads them
--                                                        and measures again
--   {}                                                   committed
-- Locks in this order [machines#writers]: checkpoints, then usage by its key.
--
-- Of what there are hundreds, each field is an array, and row n is all their nth elements: to read
-- the same as JSON takes some three times as long. Times are microseconds since 1970.
create or replace function commit_measured(
  p_slices jsonb, p_fingerprints bytea[], p_verdicts bytea[], p_route_marks bytea[],
  p_catalogs jsonb, p_quarantine jsonb,
  p_usage_business_ids text[], p_usage_modes text[], p_usage_customer_ids text[],
  p_usage_route_ids text[], p_usage_entitlement_ids text[], p_usage_meter_ids text[],
  p_usage_cycles_at bigint[], p_usage_segments_at bigint[], p_usage_log_hours integer[],
  p_usage_aggregations text[], p_usage_events bigint[], p_usage_values numeric[],
  p_usage_last_at bigint[], p_usage_last_received bigint[], p_usage_last_event_ids text[],
  p_account_business_ids text[], p_account_modes text[], p_account_customer_ids text[],
  p_account_entitlement_ids text[],
  p_route_business_ids text[], p_route_modes text[], p_route_customer_ids text[],
  p_route_versions bigint[], p_route_stamps bigint[]
) returns jsonb language plpgsql as $$
declare
  c_epoch constant timestamptz := 'epoch';
  c_micro constant interval := '1 microsecond';
  v_lost jsonb;
  v_catalogs jsonb;
  v_routes jsonb;
begin
  perform 1 from checkpoints
  where partition in (select (s ->> 'partition')::integer from jsonb_array_elements(p_slices) s)
  order by partition for update;

  select jsonb_agg(jsonb_build_object(
    'partition', c.partition, 'epoch', c.epoch, 'next_offset', c.next_offset,
    'halted', c.halted is not null))
  into v_lost
  from jsonb_to_recordset(p_slices) s (partition integer, epoch bigint, start_offset bigint)
  join checkpoints c using (partition)
  where c.epoch <> s.epoch or c.next_offset <> s.start_offset or c.halted is not null;
  if v_lost is not null then return jsonb_build_object('lost', v_lost); end if;

  select jsonb_agg(jsonb_build_array(u.business_id, u.mode)) into v_catalogs
  from jsonb_to_recordset(p_catalogs) u (business_id text, mode text, version bigint)
  left join business_modes b using (business_id, mode)
  where b.catalog_version is distinct from u.version;

  select jsonb_agg(jsonb_build_array(u.business_id, u.mode, u.customer_id)) into v_routes
  from unnest(p_route_business_ids, p_route_modes, p_route_customer_ids, p_route_versions,
    p_route_stamps) u (business_id, mode, customer_id, version, stamp)
  left join customers c using (business_id, mode, customer_id)
  where c.routes_version is distinct from u.version
    or c.routes_stamp <> coalesce(u.stamp, c.routes_stamp);

  if v_catalogs is not null or v_routes is not null then
    return jsonb_build_object(
      'catalogs', coalesce(v_catalogs, '[]'), 'routes', coalesce(v_routes, '[]'));
  end if;

  update checkpoints c
  set next_offset = s.end_offset,
    -- Log time may step back a little. Where log_at is more than an hour ahead of the new one, a
    -- wrong clock has written it.
    log_at = case when c.log_at > s.log_at + interval '1 hour' then s.log_at
      else greatest(c.log_at, s.log_at) end,
    ran = greatest(c.ran, s.ran),
    digest = coalesce(decode(s.digest, 'hex'), c.digest), events = c.events + s.events,
    billed = c.billed + s.billed, unmatched = c.unmatched + s.unmatched,
    duplicates = c.duplicates + s.duplicates, quarantined = c.quarantined + s.quarantined
  from jsonb_to_recordset(p_slices) s (
    partition integer, end_offset bigint, log_at timestamptz, ran bigint, digest text,
    events bigint, billed bigint, unmatched bigint, duplicates bigint, quarantined bigint)
  where c.partition = s.partition;

  insert into batches (partition, start_offset, end_offset, log_at, ran, fingerprints, verdicts,
    route_marks, catalog)
  select (s.slice ->> 'partition')::integer, (s.slice ->> 'start_offset')::bigint,
    (s.slice ->> 'end_offset')::bigint, (s.slice ->> 'log_at')::timestamptz,
    (s.slice ->> 'ran')::bigint,
    p_fingerprints[s.number], p_verdicts[s.number], p_route_marks[s.number], p_catalogs
  from jsonb_array_elements(p_slices) with ordinality s (slice, number);

  insert into quarantine (partition, record_offset, reason, value, events)
  select q.partition, q.record_offset, q.reason, decode(q.value, 'base64'), q.events
  from jsonb_to_recordset(p_quarantine)
    q (partition integer, record_offset bigint, reason text, value text, events bigint);

  insert into usage as u (business_id, mode, customer_id, route_id, entitlement_id, meter_id,
    cycle_at, segment_at, log_hour, aggregation, events, value,
    last_at, last_received, last_event_id)
  select n.business_id, n.mode, n.customer_id, n.route_id, n.entitlement_id, n.meter_id,
    c_epoch + n.cycle_at * c_micro, c_epoch + n.segment_at * c_micro, n.log_hour, n.aggregation,
    n.events, n.value, c_epoch + n.last_at * c_micro, c_epoch + n.last_received * c_micro,
    n.last_event_id
  from unnest(p_usage_business_ids, p_usage_modes, p_usage_customer_ids, p_usage_route_ids,
    p_usage_entitlement_ids, p_usage_meter_ids, p_usage_cycles_at, p_usage_segments_at,
    p_usage_log_hours, p_usage_aggregations, p_usage_events, p_usage_values, p_usage_last_at,
    p_usage_last_received, p_usage_last_event_ids) n (business_id, mode, customer_id, route_id,
    entitlement_id, meter_id, cycle_at, segment_at, log_hour, aggregation, events, value, last_at,
    last_received, last_event_id)
  order by n.customer_id, n.route_id, n.meter_id, n.entitlement_id, n.segment_at, n.log_hour
  on conflict (customer_id, route_id, meter_id, entitlement_id, segment_at, log_hour, business_id,
    mode)
  do update set
    events = u.events + excluded.events,
    value = case u.aggregation
      when 'count' then u.value + excluded.value
      when 'sum' then u.value + excluded.value
      -- A row whose events are all voided has the value 0, which is no event's.
      when 'max' then
        case when u.events = 0 then excluded.value else greatest(u.value, excluded.value) end
      else case when is_later(u, excluded) then excluded.value else u.value end end,
    last_at = case when is_later(u, excluded) then excluded.last_at else u.last_at end,
    last_received =
      case when is_later(u, excluded) then excluded.last_received else u.last_received end,
    last_event_id =
      case when is_later(u, excluded) then excluded.last_event_id else u.last_event_id end;

  insert into unsettled (business_id, mode, customer_id, entitlement_id)
  select a.business_id, a.mode, a.customer_id, a.entitlement_id
  from unnest(p_account_business_ids, p_account_modes, p_account_customer_ids,
    p_account_entitlement_ids) a (business_id, mode, customer_id, entitlement_id);

  return '{}';
end $$;
