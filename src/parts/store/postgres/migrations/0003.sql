-- 0003: Voids: a measured event taken back out of usage, under the catalogue that it was measured
-- under, not under today's.

-- ------------------------------------------------------------------- what measuring worked from

-- What measuring reads of a meter, of an entitlement's default links and of a subscription, as it
-- came with a version: what was there at version v is the last row up to v. Meters change in
-- nothing but `archived`; the stretches of a deleted entitlement are '[]'.
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
  route jsonb not null,
  primary key (business_id, mode, customer_id, subscription_id, version)
);

-- All of a subscription that decides which usage it takes.
create function route_of(s subscriptions) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'activated_at', s.activated_at, 'ended', s.ended, 'pauses', s.pauses,
    'stretches', s.stretches)
$$;

insert into meter_versions select business_id, mode, meter_id, 0, archived from meters;
insert into link_versions
select business_id, mode, credit_entitlement_id, 0,
  case when deleted_at is null then stretches else '[]' end
from credit_entitlements;
insert into route_versions
select business_id, mode, customer_id, subscription_id, 0, route_of(s) from subscriptions s;

-- Triggers, so that whatever changes a row leaves its version behind; at the end of the
-- transaction, when the version has moved, whichever of the two statements came first.
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
  if tg_op = 'UPDATE' and route_of(old) = route_of(new) then return null; end if;
  insert into route_versions as v (business_id, mode, customer_id, subscription_id, version, route)
  select new.business_id, new.mode, new.customer_id, new.subscription_id, c.routes_version,
    route_of(new)
  from customers c
  where (c.business_id, c.mode, c.customer_id) = (new.business_id, new.mode, new.customer_id)
  on conflict (business_id, mode, customer_id, subscription_id, version)
    do update set route = excluded.route;
  return null;
end $$;

create constraint trigger keep_version after insert or update on subscriptions
  deferrable initially deferred for each row execute function keep_route_version();

-- ----------------------------------------------------------------------------------------- voids

-- An event and the reason why it counts no more. event_id as rules/meter/void.ts writes it;
-- event_at is the event's own timestamp: an id that is used again after the dedupe window has
-- another one. undone: the rows of usage that it is taken out of. pending: how many of them are
-- still to be folded again. received_at: log time.
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
-- changes, unless the row has the events that the fold was made from (`expected` of them) and still
-- waits for all of `p_voids`: an equal number alone might be a fold of somebody else and an event
-- since.
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
