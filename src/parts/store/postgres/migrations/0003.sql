-- 0003: Voids: a measured event taken back out of usage, under the catalogue that it was measured
-- under, not under today's.

-- ------------------------------------------------------------------- what measuring worked from

-- Two bytes an event: which routes version its customer's usage went by (rules/meter/route-mark.ts).
-- The catalogue's version is in `catalog` already.
alter table batches add column route_marks bytea not null default '';
alter table archive_blocks add column route_marks bytea not null default '';

-- What measuring reads of a meter, of an entitlement's default links and of a subscription, as it
-- came with a version: what was there at version v is the last row up to v. Meters change in nothing
-- but `archived`; the stretches of a deleted entitlement are '[]'.
create table meter_versions (
  business_id text not null,
  mode text not null,
  meter_id text not null,
  version bigint not null,
  archived jsonb not null,
  primary key (business_id, mode, meter_id, version)
);

create table link_versions (
  business_id text not null,
  mode text not null,
  credit_entitlement_id text not null,
  version bigint not null,
  stretches jsonb not null,
  primary key (business_id, mode, credit_entitlement_id, version)
);

create table route_versions (
  business_id text not null,
  mode text not null,
  customer_id text not null,
  subscription_id text not null,
  version bigint not null,
  activated_at timestamptz,
  ended timestamptz,
  stretches jsonb not null,
  primary key (business_id, mode, customer_id, subscription_id, version)
);

insert into meter_versions select business_id, mode, meter_id, 0, archived from meters;
insert into link_versions
select business_id, mode, credit_entitlement_id, 0,
  case when deleted_at is null then stretches else '[]' end
from credit_entitlements;
insert into route_versions
select business_id, mode, customer_id, subscription_id, 0, activated_at, ended, stretches
from subscriptions;

-- Triggers, so that whatever changes a row leaves its version behind; at the end of the transaction,
-- when the version has moved, whichever of the two statements came first.
create function keep_meter_version() returns trigger language plpgsql as $$
begin
  insert into meter_versions as v (business_id, mode, meter_id, version, archived)
  select new.business_id, new.mode, new.meter_id, b.catalog_version, new.archived
  from business_modes b where (b.business_id, b.mode) = (new.business_id, new.mode)
  on conflict (business_id, mode, meter_id, version) do update set archived = excluded.archived;
  return null;
end $$;

create constraint trigger keep_version after insert or update of archived on meters
  deferrable initially deferred for each row execute function keep_meter_version();

create function keep_link_version() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.stretches = new.stretches
    and (old.deleted_at is null) = (new.deleted_at is null) then return null;
  end if;
  insert into link_versions as v (business_id, mode, credit_entitlement_id, version, stretches)
  select new.business_id, new.mode, new.credit_entitlement_id, b.catalog_version,
    case when new.deleted_at is null then new.stretches else '[]' end
  from business_modes b where (b.business_id, b.mode) = (new.business_id, new.mode)
  on conflict (business_id, mode, credit_entitlement_id, version)
    do update set stretches = excluded.stretches;
  return null;
end $$;

create constraint trigger keep_version
  after insert or update of stretches, deleted_at on credit_entitlements
  deferrable initially deferred for each row execute function keep_link_version();

create function keep_route_version() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and (old.activated_at, old.ended, old.stretches)
    is not distinct from (new.activated_at, new.ended, new.stretches) then return null;
  end if;
  insert into route_versions as v (business_id, mode, customer_id, subscription_id, version,
    activated_at, ended, stretches)
  select new.business_id, new.mode, new.customer_id, new.subscription_id, c.routes_version,
    new.activated_at, new.ended, new.stretches
  from customers c
  where (c.business_id, c.mode, c.customer_id) = (new.business_id, new.mode, new.customer_id)
  on conflict (business_id, mode, customer_id, subscription_id, version) do update set
    activated_at = excluded.activated_at, ended = excluded.ended, stretches = excluded.stretches;
  return null;
end $$;

create constraint trigger keep_version
  after insert or update of activated_at, ended, stretches on subscriptions
  deferrable initially deferred for each row execute function keep_route_version();

drop function commit_measured(jsonb, bytea[], bytea[], jsonb, jsonb, jsonb, jsonb, jsonb);

-- Commits what was measured of several partitions, or nothing:
--   {"lost": [{"partition", "epoch", "next_offset"}]}    a compare failed: take those out, try again
--   {"catalogs": [...], "routes": [...]}                 a version moved: reload and measure again
--   {}                                                   done
-- Locks in the order of design 3.9: checkpoints, then usage by its key.
create function commit_measured(
  p_slices jsonb, p_fingerprints bytea[], p_verdicts bytea[], p_route_marks bytea[], p_usage jsonb,
  p_accounts jsonb, p_catalogs jsonb, p_routes jsonb, p_quarantine jsonb
) returns jsonb language plpgsql as $$
declare
  v_lost jsonb;
  v_catalogs jsonb;
  v_routes jsonb;
begin
  perform 1 from checkpoints
  where partition in (select (s ->> 'partition')::integer from jsonb_array_elements(p_slices) s)
  order by partition for update;

  select jsonb_agg(jsonb_build_object(
    'partition', c.partition, 'epoch', c.epoch, 'next_offset', c.next_offset))
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
  from jsonb_to_recordset(p_routes) u (business_id text, mode text, customer_id text, version bigint)
  left join customers c using (business_id, mode, customer_id)
  where c.routes_version is distinct from u.version;

  if v_catalogs is not null or v_routes is not null then
    return jsonb_build_object(
      'catalogs', coalesce(v_catalogs, '[]'), 'routes', coalesce(v_routes, '[]'));
  end if;

  update checkpoints c
  set next_offset = s.end_offset, log_at = greatest(c.log_at, s.log_at),
    digest = coalesce(decode(s.digest, 'hex'), c.digest), events = c.events + s.events,
    billed = c.billed + s.billed, unmatched = c.unmatched + s.unmatched,
    duplicates = c.duplicates + s.duplicates, quarantined = c.quarantined + s.quarantined
  from jsonb_to_recordset(p_slices) s (
    partition integer, end_offset bigint, log_at timestamptz, digest text, events bigint,
    billed bigint, unmatched bigint, duplicates bigint, quarantined bigint)
  where c.partition = s.partition;

  insert into batches (partition, start_offset, end_offset, log_at, fingerprints, verdicts,
    route_marks, catalog)
  select (s.slice ->> 'partition')::integer, (s.slice ->> 'start_offset')::bigint,
    (s.slice ->> 'end_offset')::bigint, (s.slice ->> 'log_at')::timestamptz,
    p_fingerprints[s.number], p_verdicts[s.number], p_route_marks[s.number], p_catalogs
  from jsonb_array_elements(p_slices) with ordinality s (slice, number);

  insert into quarantine (partition, record_offset, reason, value, events)
  select q.partition, q.record_offset, q.reason, decode(q.value, 'base64'), q.events
  from jsonb_to_recordset(p_quarantine)
    q (partition integer, record_offset bigint, reason text, value text, events bigint);

  insert into usage as u (business_id, mode, customer_id, route_id, entitlement_id, meter_id,
    cycle_at, segment_at, log_hour, aggregation, events, value,
    last_at, last_received, last_event_id)
  select n.* from jsonb_to_recordset(p_usage) n (
    business_id text, mode text, customer_id text, route_id text, entitlement_id text,
    meter_id text, cycle_at timestamptz, segment_at timestamptz, log_hour integer,
    aggregation text, events bigint, value numeric,
    last_at timestamptz, last_received timestamptz, last_event_id text)
  order by customer_id, route_id, meter_id, entitlement_id, segment_at, log_hour
  on conflict (customer_id, route_id, meter_id, entitlement_id, segment_at, log_hour, business_id,
    mode)
  do update set
    events = u.events + excluded.events,
    value = case u.aggregation
      when 'count' then u.value + excluded.value
      when 'sum' then u.value + excluded.value
      -- A row that a void emptied holds no maximum: its 0 is nobody's.
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
  from jsonb_to_recordset(p_accounts)
    a (business_id text, mode text, customer_id text, entitlement_id text);

  return '{}';
end $$;

-- ----------------------------------------------------------------------------------------- voids

-- An event and the reason why it counts no more. event_id as rules/meter/void.ts writes it; event_at is
-- the event's own timestamp: an id that is used again after the dedupe window has another one.
-- undone: the rows of usage that it is taken out of. pending: how many of them are still to be folded
-- again. received_at: log time.
create table voids (
  business_id text not null,
  mode text not null,
  event_id text not null,
  event_at timestamptz not null,
  customer_id text not null,
  reason text not null,
  received_at timestamptz not null,
  undone jsonb not null,
  pending integer not null,
  voided_at timestamptz not null,
  primary key (business_id, mode, event_id, event_at),
  foreign key (business_id, mode) references business_modes
);
create index voids_of_customer on voids (business_id, mode, customer_id, received_at);

-- A row of usage (max or last) that still holds a voided event.
create table void_folds (
  business_id text not null,
  mode text not null,
  customer_id text not null,
  route_id text not null,
  entitlement_id text not null,
  meter_id text not null,
  segment_at timestamptz not null,
  log_hour integer not null,
  event_id text not null,
  event_at timestamptz not null,
  tries integer not null default 0,
  due_at timestamptz not null default now(),
  primary key (customer_id, route_id, meter_id, entitlement_id, segment_at, log_hour, business_id,
    mode, event_id, event_at)
);
create index void_folds_due on void_folds (due_at);

-- Takes an event out of usage, once, or changes nothing:
--   voided   count and sum are less it; max and last are to be folded again
--   known    it was voided before
--   sealed   a row of its usage is not there any more
-- Locks in the order of design 3.9: usage by its key, then the rest.
create function void_event(p_void jsonb, p_usage jsonb, p_accounts jsonb)
returns text language plpgsql as $$
declare
  v_found integer;
begin
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
  -- Somebody else voided it while we waited for the locks.
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

-- Puts a fold without the events of `p_voids` in the place of a row of usage. False, and nothing
-- changes, unless the row has the events that the fold was made from (`expected` of them) and still waits
-- for all of `p_voids`: an equal number alone might be a fold of somebody else and an event since.
create function fold_again(p_fold jsonb, p_voids jsonb) returns boolean language plpgsql as $$
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

  -- One event may wait for several rows, and they may be folded at once.
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
