-- 0002: The writes of the core, a function each: one trip, one transaction, nothing in between.

-- Takes a partition: from here on only the new epoch may commit. (design 3, rule 1)
create function take_partition(p_partition integer, p_identity text, p_namespace text)
returns checkpoints language sql as $$
  insert into checkpoints as c (partition, log_identity, namespace, epoch)
  values (p_partition, p_identity, p_namespace, 1)
  on conflict (partition) do update set epoch = c.epoch + 1
  returning *
$$;

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
  from jsonb_to_recordset(p_routes) u (
    business_id text, mode text, customer_id text, version bigint)
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

-- The order of `last`: by timestamp, then receipt, then id (then value, so that it is total).
create function is_later(known usage, candidate usage) returns boolean
language sql immutable as $$
  select candidate.last_at is not null and (known.last_at is null or
    (candidate.last_at, candidate.last_received, candidate.last_event_id, candidate.value)
    > (known.last_at, known.last_received, known.last_event_id, known.value))
$$;

-- Explanations say what measuring did with an event, not what it would do today. Triggers, since
-- whoever changes a stretch must not be able to forget it.
create function remember_routing() returns trigger language plpgsql as $$
declare
  v_row jsonb := to_jsonb(new);
begin
  insert into routing_history (business_id, mode, kind, subject_id, customer_id, measured, state)
  values (
    new.business_id, new.mode, tg_argv[0], v_row ->> tg_argv[1], v_row ->> 'customer_id',
    coalesce((select jsonb_object_agg(c.partition, c.next_offset) from checkpoints c), '{}'),
    jsonb_build_object(
      'stretches', case when v_row ->> 'deleted_at' is null then v_row -> 'stretches' end,
      'activated_at', v_row -> 'activated_at', 'ended', v_row -> 'ended',
      'pauses', v_row -> 'pauses'));
  return null;
end $$;

create trigger remember_meter after insert on meters
  for each row execute function remember_routing('meter', 'meter_id');

create trigger remember_links after insert on credit_entitlements
  for each row when (new.stretches <> '[]')
  execute function remember_routing('links', 'credit_entitlement_id');
create trigger remember_links_changed after update on credit_entitlements
  for each row when (
    (new.stretches, new.deleted_at) is distinct from (old.stretches, old.deleted_at))
  execute function remember_routing('links', 'credit_entitlement_id');

create trigger remember_subscription after insert on subscriptions
  for each row when (new.activated_at is not null)
  execute function remember_routing('subscription', 'subscription_id');
create trigger remember_subscription_changed after update on subscriptions
  for each row when (
    (new.stretches, new.activated_at, new.ended, new.pauses)
    is distinct from (old.stretches, old.activated_at, old.ended, old.pauses))
  execute function remember_routing('subscription', 'subscription_id');

create function account_json(a accounts) returns jsonb language sql immutable as $$
  select to_jsonb(a) || jsonb_build_object(
    'balance', a.balance::text, 'overage', a.overage::text, 'dropped', a.dropped::text,
    'unreturned', a.unreturned::text, 'base_overage', a.base_overage::text,
    'base_dropped', a.base_dropped::text, 'base_unreturned', a.base_unreturned::text,
    'dropped_closed', a.dropped_closed::text, 'unreturned_closed', a.unreturned_closed::text,
    'charged_sealed', a.charged_sealed::text)
$$;

create function grant_json(g grants) returns jsonb language sql immutable as $$
  select to_jsonb(g) || jsonb_build_object(
    'initial', g.initial::text, 'remaining', g.remaining::text, 'drawn', g.drawn::text,
    'base_remaining', g.base_remaining::text, 'base_drawn', g.base_drawn::text)
$$;

create function entitlement_json(e credit_entitlements) returns jsonb language sql immutable as $$
  select to_jsonb(e) || jsonb_build_object(
    'price_per_unit', e.price_per_unit::text, 'overage_limit', e.overage_limit::text,
    'low_balance_threshold', e.low_balance_threshold::text)
$$;

-- Everything that deciding about accounts needs, in one snapshot (it is one statement). Quantities
-- are text: JSON numbers would lose digits.
create function load_accounts(p_keys jsonb) returns setof jsonb language sql stable as $$
  select jsonb_build_object(
    'business_id', k.business_id, 'mode', k.mode, 'customer_id', k.customer_id,
    'entitlement_id', k.entitlement_id,
    'measured', (
      select coalesce(jsonb_object_agg(c.partition, c.next_offset), '{}') from checkpoints c),
    'clock_ahead_us', (
      select b.clock_ahead_us from business_modes b
      where (b.business_id, b.mode) = (k.business_id, k.mode)),
    'customer', (
      select jsonb_build_object('routes_version', c.routes_version) from customers c
      where (c.business_id, c.mode, c.customer_id) = (k.business_id, k.mode, k.customer_id)),
    'account', (select account_json(a) from accounts a where a.account_id = x.account_id),
    'entitlement', (
      select entitlement_json(e) from credit_entitlements e
      where (e.business_id, e.mode, e.credit_entitlement_id)
        = (k.business_id, k.mode, k.entitlement_id)),
    'grants', coalesce((
      select jsonb_agg(grant_json(g) order by g.number) from grants g
      where g.account_id = x.account_id and g.ended_at is null), '[]'),
    'charged', coalesce((
      select jsonb_agg(jsonb_build_object(
        'route_id', c.route_id, 'meter_id', c.meter_id, 'cycle_at', c.cycle_at,
        'charged', c.charged::text, 'base', c.base::text))
      from charged c where c.account_id = x.account_id), '[]'),
    'usage', coalesce((
      select jsonb_agg(jsonb_build_object(
        'route_id', u.route_id, 'meter_id', u.meter_id, 'cycle_at', u.cycle_at,
        'segment_at', u.segment_at, 'aggregation', u.aggregation, 'events', u.events,
        'value', u.value::text, 'last_at', u.last_at, 'last_received', u.last_received,
        'last_event_id', u.last_event_id))
      from usage u
      where (u.customer_id, u.entitlement_id, u.business_id, u.mode)
        = (k.customer_id, k.entitlement_id, k.business_id, k.mode)), '[]'),
    'subscriptions', coalesce((
      select jsonb_agg(jsonb_build_object(
        'subscription_id', s.subscription_id, 'brand_id', s.brand_id, 'status', s.status,
        'activated_at', s.activated_at, 'ended', s.ended, 'stretches', s.stretches,
        'next_billing_date', s.next_billing_date, 'credit_cart', s.credit_cart, 'metadata', s.metadata))
      from subscriptions s
      where (s.business_id, s.mode, s.customer_id) = (k.business_id, k.mode, k.customer_id)
        and s.activated_at is not null), '[]'),
    'unsettled', coalesce((
      select jsonb_agg(n.id) from unsettled n
      where (n.customer_id, n.entitlement_id, n.business_id, n.mode)
        = (k.customer_id, k.entitlement_id, k.business_id, k.mode)), '[]'))
  from jsonb_to_recordset(p_keys)
    k (business_id text, mode text, customer_id text, entitlement_id text)
  left join accounts x on (x.business_id, x.mode, x.entitlement_id, x.customer_id)
    = (k.business_id, k.mode, k.entitlement_id, k.customer_id)
$$;

-- Writes decided accounts, each whole or not at all: those whose version still is `expected` (null:
-- that do not exist yet). Answers the ids of the saved ones; the others lost a race, load them
-- again.
create function save_accounts(p_changes jsonb) returns setof text language plpgsql as $$
declare
  v_saved text[];
  v_made text[];
begin
  perform 1 from accounts a
  where a.account_id in (select c ->> 'account_id' from jsonb_array_elements(p_changes) c)
  order by a.account_id for update;

  with written as (
    update accounts a
    set version = c.expected + 1, entries = c.entries_made, balance = c.balance,
      overage = c.overage, dropped = c.dropped, unreturned = c.unreturned,
      base_overage = c.base_overage, base_dropped = c.base_dropped,
      base_unreturned = c.base_unreturned, dropped_closed = c.dropped_closed,
      unreturned_closed = c.unreturned_closed, charged_sealed = c.charged_sealed,
      grants = c.grants_made, overage_terms = c.overage_terms, own_cycle_at = c.own_cycle_at,
      settled_at = now(),
      last_transaction_at = coalesce(c.last_transaction_at, a.last_transaction_at),
      updated_at = c.updated_at
    from jsonb_to_recordset(p_changes) c (
      account_id text, expected bigint, entries_made bigint, balance numeric, overage numeric,
      dropped numeric, unreturned numeric, base_overage numeric, base_dropped numeric,
      base_unreturned numeric, dropped_closed numeric, unreturned_closed numeric,
      charged_sealed numeric, grants_made integer, overage_terms jsonb,
      own_cycle_at timestamptz, last_transaction_at timestamptz, updated_at timestamptz)
    where a.account_id = c.account_id and a.version = c.expected
    returning a.account_id)
  select array_agg(account_id) into v_saved from written;

  with made as (
    insert into accounts (account_id, business_id, mode, customer_id, entitlement_id, version,
      entries, balance, overage, dropped, unreturned, base_overage, base_dropped, base_unreturned,
      dropped_closed, unreturned_closed, charged_sealed, grants, overage_terms, own_cycle_at,
      settled_at, last_transaction_at, created_at, updated_at)
    select c.account_id, c.business_id, c.mode, c.customer_id, c.entitlement_id, 1,
      c.entries_made, c.balance, c.overage, c.dropped, c.unreturned, c.base_overage,
      c.base_dropped, c.base_unreturned, c.dropped_closed, c.unreturned_closed, c.charged_sealed,
      c.grants_made, c.overage_terms, c.own_cycle_at, now(), c.last_transaction_at, c.updated_at,
      c.updated_at
    from jsonb_to_recordset(p_changes) c (
      account_id text, business_id text, mode text, customer_id text, entitlement_id text,
      expected bigint, entries_made bigint, balance numeric, overage numeric, dropped numeric,
      unreturned numeric, base_overage numeric, base_dropped numeric, base_unreturned numeric,
      dropped_closed numeric, unreturned_closed numeric, charged_sealed numeric,
      grants_made integer, overage_terms jsonb, own_cycle_at timestamptz,
      last_transaction_at timestamptz, updated_at timestamptz)
    where c.expected is null
    order by c.account_id
    on conflict do nothing
    returning account_id)
  select array_agg(account_id) into v_made from made;

  v_saved := coalesce(v_saved, '{}') || coalesce(v_made, '{}');

  insert into grants as g (account_id, number, grant_id, source_type, source_id, parent_grant_id,
    rollover_count, rolled_over, cycle_at, initial, remaining, drawn, base_remaining, base_drawn,
    expires_at, ended_at, metadata, created_at, updated_at)
  select n.* from jsonb_array_elements(p_changes) c,
    jsonb_to_recordset(c -> 'grants') n (
      account_id text, number integer, grant_id text, source_type text, source_id text,
      parent_grant_id text, rollover_count integer, rolled_over boolean, cycle_at timestamptz,
      initial numeric, remaining numeric, drawn numeric, base_remaining numeric,
      base_drawn numeric, expires_at timestamptz, ended_at timestamptz, metadata jsonb,
      created_at timestamptz, updated_at timestamptz)
  where c ->> 'account_id' = any (v_saved)
  on conflict (account_id, number) do update set
    remaining = excluded.remaining, drawn = excluded.drawn,
    base_remaining = excluded.base_remaining, base_drawn = excluded.base_drawn,
    rolled_over = excluded.rolled_over, cycle_at = excluded.cycle_at,
    expires_at = excluded.expires_at, ended_at = excluded.ended_at,
    updated_at = excluded.updated_at;

  insert into charged as h (account_id, route_id, meter_id, cycle_at, charged, base)
  select n.* from jsonb_array_elements(p_changes) c,
    jsonb_to_recordset(c -> 'charged') n (
      account_id text, route_id text, meter_id text, cycle_at timestamptz, charged numeric,
      base numeric)
  where c ->> 'account_id' = any (v_saved)
  on conflict (account_id, route_id, meter_id, cycle_at) do update set
    charged = excluded.charged, base = excluded.base;

  insert into ledger_entries (account_id, number, entry_id, transaction_type, is_credit, amount,
    balance_before, balance_after, overage_before, overage_after, grant_id, reference_type,
    reference_id, description, metadata, brand_id, inputs, created_at)
  select n.* from jsonb_array_elements(p_changes) c,
    jsonb_to_recordset(c -> 'entries') n (
      account_id text, number bigint, entry_id text, transaction_type text, is_credit boolean,
      amount numeric, balance_before numeric, balance_after numeric, overage_before numeric,
      overage_after numeric, grant_id text, reference_type text, reference_id text,
      description text, metadata jsonb, brand_id text, inputs jsonb, created_at timestamptz)
  where c ->> 'account_id' = any (v_saved);

  insert into outbox (message_id, business_id, mode, type, account_id, entry_number, data, at)
  select n.* from jsonb_array_elements(p_changes) c,
    jsonb_to_recordset(c -> 'facts') n (
      message_id text, business_id text, mode text, type text, account_id text,
      entry_number bigint, data jsonb, at timestamptz)
  where c ->> 'account_id' = any (v_saved);

  insert into adjustments (account_id, idempotency_key, entry_id)
  select c ->> 'account_id', c -> 'adjustment' ->> 'idempotency_key',
    c -> 'adjustment' ->> 'entry_id'
  from jsonb_array_elements(p_changes) c
  where c ->> 'account_id' = any (v_saved) and c -> 'adjustment' ->> 'idempotency_key' is not null;

  delete from unsettled n
  using jsonb_array_elements(p_changes) c, jsonb_array_elements_text(c -> 'unsettled') i
  where c ->> 'account_id' = any (v_saved) and n.id = i::bigint;

  insert into unsettled (business_id, mode, customer_id, entitlement_id)
  select c ->> 'business_id', c ->> 'mode', c ->> 'customer_id', c ->> 'entitlement_id'
  from jsonb_array_elements(p_changes) c
  where c ->> 'account_id' = any (v_saved) and (c ->> 'announce')::boolean;

  return query select unnest(v_saved);
end $$;

-- A command that spans several accounts or other rows: all of it or, when an account lost a race,
-- nothing (an error with SQLSTATE SL001).
create function save_all_accounts(p_changes jsonb) returns void language plpgsql as $$
begin
  if (select count(*) from save_accounts(p_changes)) <> jsonb_array_length(p_changes) then
    raise exception 'an account changed meanwhile' using errcode = 'SL001';
  end if;
end $$;

-- A subscription begins: its row, the routes of its customer, and the first credits of its
-- accounts. Subscriptions (by their customer's row) before accounts: the lock order of design 3.9.
create function activate_subscription(p_subscription jsonb, p_changes jsonb)
returns void language plpgsql as $$
begin
  update customers
  set routes_version = routes_version + 1
  where (business_id, mode, customer_id) = (
    p_subscription ->> 'business_id', p_subscription ->> 'mode', p_subscription ->> 'customer_id');

  insert into subscriptions
  select * from jsonb_populate_record(null::subscriptions, p_subscription);

  perform save_all_accounts(p_changes);
end $$;

-- A subscription changes (a cycle ends and the next one begins, a plan, a pause, an end): the whole
-- row, if its version still is the one before, and all of its accounts. Measuring reloads its
-- routes when what decides them moved.
create function change_subscription(p_subscription jsonb, p_changes jsonb)
returns void language plpgsql as $$
declare
  v_new subscriptions := jsonb_populate_record(null::subscriptions, p_subscription);
  v_old subscriptions;
begin
  select * into v_old from subscriptions s
  where (s.business_id, s.mode, s.subscription_id)
      = (v_new.business_id, v_new.mode, v_new.subscription_id)
    and s.version = v_new.version - 1
  for update;
  if not found then
    raise exception 'the subscription changed meanwhile' using errcode = 'SL001';
  end if;

  update subscriptions s
  set product_id = v_new.product_id, brand_id = v_new.brand_id, status = v_new.status,
    quantity = v_new.quantity, currency = v_new.currency,
    recurring_pre_tax_amount = v_new.recurring_pre_tax_amount, billing = v_new.billing,
    metadata = v_new.metadata, details = v_new.details, stretches = v_new.stretches,
    credit_cart = v_new.credit_cart, ended = v_new.ended, pauses = v_new.pauses,
    previous_billing_date = v_new.previous_billing_date,
    next_billing_date = v_new.next_billing_date, expires_at = v_new.expires_at,
    cancelled_at = v_new.cancelled_at, version = v_new.version, updated_at = v_new.updated_at
  where (s.business_id, s.mode, s.subscription_id)
    = (v_new.business_id, v_new.mode, v_new.subscription_id);

  if (v_new.stretches, v_new.ended, v_new.pauses)
      is distinct from (v_old.stretches, v_old.ended, v_old.pauses) then
    update customers set routes_version = routes_version + 1
    where (business_id, mode, customer_id)
      = (v_old.business_id, v_old.mode, v_old.customer_id);
  end if;

  perform save_all_accounts(p_changes);
end $$;

-- Nothing is unmeasured in these partitions as of these moments, if their epochs and offsets hold.
create function heartbeat(p_partitions jsonb) returns void language sql as $$
  update checkpoints c
  set idle_at = greatest(c.idle_at, h.at)
  from jsonb_to_recordset(p_partitions)
    h (partition integer, epoch bigint, next_offset bigint, at timestamptz)
  where (c.partition, c.epoch, c.next_offset) = (h.partition, h.epoch, h.next_offset)
$$;
