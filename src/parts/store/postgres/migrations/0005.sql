-- 0005: Usage of closed cycles is sealed and leaves what settling loads, so that an account does
-- not get slower to read and to change as it grows old.

-- A row is sealed when its cycle is closed and charged for, and nothing is likely to come any more.
-- That is no promise: whatever touches a sealed row opens it again, and its cycle with it. So seals
-- cost time at the most; all of them may be broken, and nothing that is read or charged changes.
alter table usage add column sealed boolean not null default false;
create index usage_open on usage (customer_id, entitlement_id) where not sealed;

-- A trigger, since whoever writes usage must not be able to forget it.
create function break_seal() returns trigger language plpgsql as $$
begin
  new.sealed := false;
  return new;
end $$;
create trigger break_seal before update on usage
  for each row when (old.sealed and new.sealed) execute function break_seal();

-- The cycles of an account's usage that settling looks at: those with a row that is not sealed.
create function open_cycles(
  p_business_id text, p_mode text, p_customer_id text, p_entitlement_id text
) returns table (route_id text, meter_id text, cycle_at timestamptz) language sql stable as $$
  select distinct u.route_id, u.meter_id, u.cycle_at from usage u
  where (u.customer_id, u.entitlement_id) = (p_customer_id, p_entitlement_id) and not u.sealed
    and (u.business_id, u.mode) = (p_business_id, p_mode)
$$;

-- Everything that deciding about accounts needs, in one snapshot (it is one statement); with
-- `p_whole` what is sealed, too. Quantities are text: JSON numbers would lose digits. In plpgsql,
-- which plans it once a connection: planning it costs more than reading an account does.
drop function load_accounts(jsonb);
create function load_accounts(p_keys jsonb, p_whole boolean)
returns setof jsonb language plpgsql stable
set plan_cache_mode = force_generic_plan as $$ begin
  return query select jsonb_build_object(
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
      from (
        select c.* from open_cycles(k.business_id, k.mode, k.customer_id, k.entitlement_id) o
        join charged c on (c.account_id, c.route_id, c.meter_id, c.cycle_at)
          = (x.account_id, o.route_id, o.meter_id, o.cycle_at)
        where not p_whole
        union all
        select c.* from charged c where p_whole and c.account_id = x.account_id) c), '[]'),
    'usage', coalesce((
      select jsonb_agg(jsonb_build_object(
        'route_id', u.route_id, 'meter_id', u.meter_id, 'cycle_at', u.cycle_at,
        'segment_at', u.segment_at, 'aggregation', u.aggregation, 'events', u.events,
        'value', u.value::text, 'last_at', u.last_at, 'last_received', u.last_received,
        'last_event_id', u.last_event_id))
      from (
        select u.* from open_cycles(k.business_id, k.mode, k.customer_id, k.entitlement_id) o
        -- No segment begins before its cycle: so the key's index leads past all earlier ones.
        join usage u on (u.customer_id, u.route_id, u.meter_id, u.entitlement_id, u.cycle_at)
            = (k.customer_id, o.route_id, o.meter_id, k.entitlement_id, o.cycle_at)
          and (u.business_id, u.mode) = (k.business_id, k.mode) and u.segment_at >= o.cycle_at
        where not p_whole
        union all
        select u.* from usage u
        where p_whole and (u.customer_id, u.entitlement_id, u.business_id, u.mode)
          = (k.customer_id, k.entitlement_id, k.business_id, k.mode)) u), '[]'),
    'subscriptions', coalesce((
      select jsonb_agg(jsonb_build_object(
        'subscription_id', s.subscription_id, 'brand_id', s.brand_id, 'status', s.status,
        'activated_at', s.activated_at, 'ended', s.ended, 'stretches', s.stretches,
        'next_billing_date', s.next_billing_date, 'credit_cart', s.credit_cart, 'metadata', s.metadata))
      from subscriptions s
      where (s.business_id, s.mode, s.customer_id) = (k.business_id, k.mode, k.customer_id)
        and s.activated_at is not null
        and (p_whole or s.ended is null or s.subscription_id in (
          select o.route_id
          from open_cycles(k.business_id, k.mode, k.customer_id, k.entitlement_id) o))), '[]'),
    'unsettled', coalesce((
      select jsonb_agg(n.id) from unsettled n
      where (n.customer_id, n.entitlement_id, n.business_id, n.mode)
        = (k.customer_id, k.entitlement_id, k.business_id, k.mode)), '[]'))
  from jsonb_to_recordset(p_keys)
    k (business_id text, mode text, customer_id text, entitlement_id text)
  left join accounts x on (x.business_id, x.mode, x.entitlement_id, x.customer_id)
    = (k.business_id, k.mode, k.entitlement_id, k.customer_id);
end $$;

-- Seals closed cycles of the next `p_max` accounts behind `p_behind`: {"last": the last of them, or
-- null behind the end, "sealed": rows}. A cycle is closed when the next one has begun, or its
-- subscription is over; `p_up_to` is real time, moved ahead by test clocks. Locks usage before it
-- looks whether everything is settled: what is measured after that opens the rows again.
create function seal_usage(p_behind text, p_max integer, p_up_to timestamptz)
returns jsonb language plpgsql as $$
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
    -- What was charged since the base is a part of how the account stands.
    and not exists (
      select from charged c
      where (c.account_id, c.route_id, c.meter_id, c.cycle_at)
          = (a.account_id, u.route_id, u.meter_id, u.cycle_at)
        and c.charged <> c.base);
  get diagnostics v_sealed = row_count;
  return jsonb_build_object('last', v_last, 'sealed', v_sealed);
end $$;

-- What sealed usage was charged stays where it stands, in `charged`.
alter table accounts drop column charged_sealed;

create or replace function account_json(a accounts) returns jsonb language sql immutable as $$
  select to_jsonb(a) || jsonb_build_object(
    'balance', a.balance::text, 'overage', a.overage::text, 'dropped', a.dropped::text,
    'unreturned', a.unreturned::text, 'base_overage', a.base_overage::text,
    'base_dropped', a.base_dropped::text, 'base_unreturned', a.base_unreturned::text,
    'dropped_closed', a.dropped_closed::text, 'unreturned_closed', a.unreturned_closed::text)
$$;

-- Writes decided accounts, each whole or not at all: those whose version still is `expected` (null:
-- that do not exist yet). Answers the ids of the saved ones; the others lost a race, load them
-- again.
create or replace function save_accounts(p_changes jsonb) returns setof text language plpgsql as $$
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
      unreturned_closed = c.unreturned_closed, grants = c.grants_made,
      overage_terms = c.overage_terms, own_cycle_at = c.own_cycle_at, settled_at = now(),
      last_transaction_at = coalesce(c.last_transaction_at, a.last_transaction_at),
      updated_at = c.updated_at
    from jsonb_to_recordset(p_changes) c (
      account_id text, expected bigint, entries_made bigint, balance numeric, overage numeric,
      dropped numeric, unreturned numeric, base_overage numeric, base_dropped numeric,
      base_unreturned numeric, dropped_closed numeric, unreturned_closed numeric,
      grants_made integer, overage_terms jsonb, own_cycle_at timestamptz,
      last_transaction_at timestamptz, updated_at timestamptz)
    where a.account_id = c.account_id and a.version = c.expected
    returning a.account_id)
  select array_agg(account_id) into v_saved from written;

  with made as (
    insert into accounts (account_id, business_id, mode, customer_id, entitlement_id, version,
      entries, balance, overage, dropped, unreturned, base_overage, base_dropped, base_unreturned,
      dropped_closed, unreturned_closed, grants, overage_terms, own_cycle_at, settled_at,
      last_transaction_at, created_at, updated_at)
    select c.account_id, c.business_id, c.mode, c.customer_id, c.entitlement_id, 1,
      c.entries_made, c.balance, c.overage, c.dropped, c.unreturned, c.base_overage,
      c.base_dropped, c.base_unreturned, c.dropped_closed, c.unreturned_closed, c.grants_made,
      c.overage_terms, c.own_cycle_at, now(), c.last_transaction_at, c.updated_at, c.updated_at
    from jsonb_to_recordset(p_changes) c (
      account_id text, business_id text, mode text, customer_id text, entitlement_id text,
      expected bigint, entries_made bigint, balance numeric, overage numeric, dropped numeric,
      unreturned numeric, base_overage numeric, base_dropped numeric, base_unreturned numeric,
      dropped_closed numeric, unreturned_closed numeric, grants_made integer, overage_terms jsonb,
      own_cycle_at timestamptz, last_transaction_at timestamptz, updated_at timestamptz)
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
