-- 0001: Everything the first release keeps: who may call, what they sell, what was measured,
-- who owes what, and what has to be told. Functions and triggers stand in ../functions.
--
-- Times are timestamptz in UTC with microseconds; quantities are numeric; a business's data of the
-- two modes never meets: (business_id, mode) begins every key.

-- Pinned once. The key makes fingerprints unguessable; partitions and hash_version place event ids.
-- event_log: 'embedded:IDENTITY' or 'kafka:IDENTITY'; null until a process with a log has started.
create table installation (
  one boolean primary key default true check (one),
  installation_id text not null,
  fingerprint_key bytea not null check (length(fingerprint_key) = 16),
  hash_version integer not null,
  partitions integer,
  event_log text,
  created_at timestamptz not null default now()
);

-- Work that one process at a time does. A holder that vanishes is succeeded when its time is up.
create table leases (
  name text primary key,
  holder text not null,
  held_until timestamptz not null
);

-- The time that the processes believed last, and what the database's own clock said then.
-- monotonic_us: microseconds since the machine was started. [guarantees#clocks]
create table believed_time (
  one boolean primary key default true check (one),
  at timestamptz not null,
  told_at timestamptz not null,
  machine text,
  monotonic_us bigint not null
);

create table businesses (
  business_id text primary key,
  name text not null,
  rate_tier text not null,
  created_at timestamptz not null
);

-- catalog_version moves with every change of meters and default links, in the same transaction.
create table business_modes (
  business_id text not null references businesses,
  mode text not null check (mode in ('test', 'live')),
  catalog_version bigint not null default 1,
  clock_ahead_us bigint not null default 0,
  primary key (business_id, mode)
);

create table api_keys (
  key_id text primary key,
  business_id text not null,
  mode text not null,
  access text not null check (access in ('read', 'write')),
  name text,
  hash bytea not null unique,
  created_at timestamptz not null,
  revoked_at timestamptz,
  foreign key (business_id, mode) references business_modes
);

-- routes_version moves with every change of the subscriptions that take this customer's usage.
create table customers (
  business_id text not null,
  mode text not null,
  customer_id text not null,
  email text not null,
  name text not null,
  phone_number text,
  metadata jsonb not null default '{}',
  routes_version bigint not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (business_id, mode, customer_id),
  foreign key (business_id, mode) references business_modes
);
create index customers_newest on customers (business_id, mode, created_at desc, customer_id desc);

-- archived: [{"from": …, "to": … | null}] in log time: usage received inside counts nothing.
create table meters (
  business_id text not null,
  mode text not null,
  meter_id text not null,
  name text not null,
  event_name text not null,
  aggregation text not null check (aggregation in ('count', 'sum', 'max', 'last')),
  aggregation_key text,
  filter jsonb,
  measurement_unit text not null,
  description text,
  archived jsonb not null default '[]',
  archived_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (business_id, mode, meter_id),
  foreign key (business_id, mode) references business_modes
);
create index meters_newest on meters (business_id, mode, created_at desc, meter_id desc);

-- meter_links: [{"meter_id", "meter_units_per_credit", "free_threshold"}], for customers without a
-- subscription; stretches: the same through time, as measuring reads it (rules/meter/route.ts), as
-- far as events may still be measured with them: earlier ones are in old_links.
create table credit_entitlements (
  business_id text not null,
  mode text not null,
  credit_entitlement_id text not null,
  name text not null,
  description text,
  unit text not null,
  precision integer not null check (precision between 0 and 10),
  expires_after_days integer,
  rollover_enabled boolean not null,
  rollover_percentage integer,
  rollover_timeframe_count integer,
  rollover_timeframe_interval text,
  max_rollover_count integer,
  overage_enabled boolean not null,
  overage_behavior text not null,
  overage_limit bigint,
  price_per_unit numeric,
  currency text,
  low_balance_threshold numeric,
  meter_links jsonb not null default '[]',
  stretches jsonb not null default '[]',
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (business_id, mode, credit_entitlement_id),
  -- A deleted entitlement keeps its name. [credits#ledger]
  unique (business_id, mode, name),
  foreign key (business_id, mode) references business_modes
);
create index credit_entitlements_newest
  on credit_entitlements (business_id, mode, created_at desc, credit_entitlement_id desc);

-- price and credit_entitlements are documents in the API's own shape: a product is read whole.
create table products (
  business_id text not null,
  mode text not null,
  product_id text not null,
  brand_id text not null,
  name text not null,
  description text,
  tax_category text not null,
  price jsonb not null,
  credit_entitlements jsonb not null default '[]',
  metadata jsonb not null default '{}',
  archived_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (business_id, mode, product_id),
  foreign key (business_id, mode) references business_modes
);
create index products_newest on products (business_id, mode, created_at desc, product_id desc);

-- stretches: how usage is cut and worth, from when on (rules/meter/route.ts). credit_cart: the
-- effective credit settings of this subscription (rules/accounts/terms.ts). ended: log time after
-- which nothing received counts into it; pauses: ranges of log time like those of archived meters.
-- version moves with every change. details: what nobody looks for by itself.
create table subscriptions (
  business_id text not null,
  mode text not null,
  subscription_id text not null,
  customer_id text not null,
  product_id text not null,
  brand_id text not null,
  status text not null,
  quantity integer not null,
  currency text not null,
  recurring_pre_tax_amount bigint not null,
  payment_id text,
  billing jsonb not null,
  metadata jsonb not null default '{}',
  details jsonb not null default '{}',
  stretches jsonb not null,
  credit_cart jsonb not null default '[]',
  trial_period_days integer not null default 0,
  activated_at timestamptz,
  ended timestamptz,
  pauses jsonb not null default '[]',
  previous_billing_date timestamptz not null,
  next_billing_date timestamptz not null,
  expires_at timestamptz,
  cancelled_at timestamptz,
  version bigint not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (business_id, mode, subscription_id),
  foreign key (business_id, mode, customer_id) references customers
);
create index subscriptions_newest
  on subscriptions (business_id, mode, created_at desc, subscription_id desc);
create index subscriptions_of_customer on subscriptions (business_id, mode, customer_id);
create index subscriptions_ending on subscriptions (least(next_billing_date, expires_at))
  where status = 'active';

-- ---------------------------------------------------------------------------------- measuring

-- What the store knows of each partition: the truth about what was measured. [machines#measuring]
create table checkpoints (
  partition integer primary key,
  next_offset bigint not null default 0,
  epoch bigint not null default 0,
  log_identity text not null,
  log_at timestamptz not null default 'epoch',
  idle_at timestamptz not null default 'epoch',
  -- Microseconds that the partition has been held for: how old its ids are goes by it, and by no
  -- clock that can be set.
  ran bigint not null default 0,
  digest bytea,
  namespace text not null,
  halted text,
  halted_at timestamptz,
  events bigint not null default 0,
  billed bigint not null default 0,
  unmatched bigint not null default 0,
  duplicates bigint not null default 0,
  quarantined bigint not null default 0
) with (fillfactor = 20);

-- One row per partition and measuring transaction. Dedupe heals from it, the archive takes its
-- verdicts from it. fingerprints: 12 bytes an event, in order; verdicts: a byte an event;
-- ran: the partition's running time when the last of it came in;
-- route_marks: two bytes an event, the routes that its usage went by (rules/meter/route-mark.ts).
create table batches (
  partition integer not null,
  start_offset bigint not null,
  end_offset bigint not null,
  log_at timestamptz not null,
  ran bigint not null,
  fingerprints bytea not null,
  verdicts bytea not null,
  route_marks bytea not null default '',
  catalog jsonb not null default '{}'
) partition by range (log_at);
alter table batches alter column fingerprints set storage external;
create index batches_of_partition on batches (partition, start_offset);
create table batches_default partition of batches default;

create table quarantine (
  partition integer not null,
  record_offset bigint not null,
  reason text not null,
  value bytea not null,
  events bigint not null,
  recorded_at timestamptz not null default now(),
  primary key (partition, record_offset)
);

-- A meter's folded value for one route and segment. log_hour is 0 for count and sum; max and last
-- keep a fold per hour of log time, so that a void folds one hour again, not a life.
--
-- sealed: its cycle is closed and charged for, and nothing is likely to come any more. That is no
-- promise: whatever touches a sealed row opens it again, and its cycle with it. So seals cost time
-- at the most; all of them may be broken, and nothing that is read or charged changes.
create table usage (
  business_id text not null,
  mode text not null,
  customer_id text not null,
  route_id text not null,
  entitlement_id text not null,
  meter_id text not null,
  cycle_at timestamptz not null,
  segment_at timestamptz not null,
  log_hour integer not null,
  aggregation text not null,
  events bigint not null,
  value numeric not null,
  last_at timestamptz,
  last_received timestamptz,
  last_event_id text collate "C",
  sealed boolean not null default false,
  primary key
    (customer_id, route_id, meter_id, entitlement_id, segment_at, log_hour, business_id, mode)
) with (fillfactor = 60);
create index usage_open on usage (customer_id, entitlement_id) where not sealed;
-- Of default links: which of their stretches have usage.
create index usage_by_link on usage (entitlement_id, segment_at) where route_id = entitlement_id;

-- Stretches of default links that are over and have usage, for as long as the books have it.
create table old_links (
  business_id text not null,
  mode text not null,
  credit_entitlement_id text not null,
  from_at timestamptz not null,
  stretch jsonb not null,
  primary key (business_id, mode, credit_entitlement_id, from_at)
);

-- A word to settling: this account's usage changed. Inserted, never updated: no lost wake-up.
create table unsettled (
  id bigint generated always as identity primary key,
  business_id text not null,
  mode text not null,
  customer_id text not null,
  entitlement_id text not null
);
create index unsettled_of_account on unsettled (customer_id, entitlement_id, business_id, mode);

-- What measuring worked with, through time: a row for each meter, and for each change of default
-- links and of a subscription's stretches. measured: {"partition": next_offset} when it was made,
-- so what lies below was measured without it. Written by remember_routing(), read by explanations
-- alone.
create table routing_history (
  id bigint generated always as identity primary key,
  business_id text not null,
  mode text not null,
  kind text not null check (kind in ('meter', 'links', 'subscription')),
  subject_id text not null,
  customer_id text,
  measured jsonb not null,
  state jsonb not null
);
create index routing_history_of_business on routing_history (business_id, mode, kind, subject_id);
create index routing_history_of_customer on routing_history (business_id, mode, customer_id)
  where customer_id is not null;

-- What measuring reads of a meter, of an entitlement's default links and of a subscription, as it
-- came with a version: what was there at version v is the last row up to v. Meters change in
-- nothing but `archived`; the stretches of a deleted entitlement are '[]'.
-- replaced_at: by the next version; measured: {"partition": next_offset} some time after that.
-- When no event from below is kept any more, nothing asks for the version any more
-- (engine/sweeps/forgetting.ts).
create table meter_versions (
  business_id text not null,
  mode text not null,
  meter_id text not null,
  version bigint not null,
  archived jsonb not null,
  replaced_at timestamptz,
  measured jsonb,
  primary key (business_id, mode, meter_id, version)
);
create index meter_versions_replaced on meter_versions (replaced_at) where replaced_at is not null;

create table link_versions (
  business_id text not null,
  mode text not null,
  credit_entitlement_id text not null,
  version bigint not null,
  stretches jsonb not null,
  replaced_at timestamptz,
  measured jsonb,
  primary key (business_id, mode, credit_entitlement_id, version)
);
create index link_versions_replaced on link_versions (replaced_at) where replaced_at is not null;

create table route_versions (
  business_id text not null,
  mode text not null,
  customer_id text not null,
  subscription_id text not null,
  version bigint not null,
  route jsonb not null,
  replaced_at timestamptz,
  measured jsonb,
  primary key (business_id, mode, customer_id, subscription_id, version)
);
create index route_versions_replaced on route_versions (replaced_at) where replaced_at is not null;

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

-- ------------------------------------------------------------------------------------ credits

-- base_*: the state after the last command or boundary; without base: after the last settling.
-- *_closed: what earlier cycles add to the books.
-- own_cycle_at: start of the calendar month that the account is in by itself.
-- [meters#who-takes-the-usage] overage_terms: those that the base was placed under; a change of
-- them is a rebase.
create table accounts (
  account_id text primary key,
  business_id text not null,
  mode text not null,
  customer_id text not null,
  entitlement_id text not null,
  version bigint not null,
  entries bigint not null default 0,
  balance numeric not null default 0,
  overage numeric not null default 0,
  dropped numeric not null default 0,
  unreturned numeric not null default 0,
  base_overage numeric not null default 0,
  base_dropped numeric not null default 0,
  base_unreturned numeric not null default 0,
  dropped_closed numeric not null default 0,
  unreturned_closed numeric not null default 0,
  grants integer not null default 0,
  overage_terms jsonb,
  own_cycle_at timestamptz not null default date_trunc('month', now(), 'UTC'),
  set_aside text,
  settled_at timestamptz not null default 'epoch',
  last_transaction_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (business_id, mode, entitlement_id, customer_id),
  foreign key (business_id, mode, customer_id) references customers
) with (fillfactor = 60);
create index accounts_of_customer on accounts (business_id, mode, customer_id);

-- number: order of creation within the account, which is the order of consumption.
-- drawn: how much of it usage holds (net), the most that falling usage can give back to it.
create table grants (
  account_id text not null references accounts,
  number integer not null,
  grant_id text not null unique,
  source_type text not null,
  source_id text,
  parent_grant_id text,
  rollover_count integer not null default 0,
  rolled_over boolean not null default false,
  cycle_at timestamptz,
  initial numeric not null,
  remaining numeric not null,
  drawn numeric not null,
  base_remaining numeric not null,
  base_drawn numeric not null,
  expires_at timestamptz,
  ended_at timestamptz,
  metadata jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, number)
) with (fillfactor = 60);
create index grants_live on grants (account_id) where ended_at is null;
create index grants_expiring on grants (expires_at) where ended_at is null;

-- The worth of a cycle's usage of a meter: placed by the last settling, and at the base.
create table charged (
  account_id text not null references accounts,
  route_id text not null,
  meter_id text not null,
  cycle_at timestamptz not null,
  charged numeric not null,
  base numeric not null,
  primary key (account_id, route_id, meter_id, cycle_at)
) with (fillfactor = 60);

-- Append-only. reference_*, rule and inputs say why, for whoever asks.
create table ledger_entries (
  account_id text not null references accounts,
  number bigint not null,
  entry_id text not null unique,
  transaction_type text not null,
  is_credit boolean not null,
  amount numeric not null,
  balance_before numeric not null,
  balance_after numeric not null,
  overage_before numeric not null,
  overage_after numeric not null,
  grant_id text,
  reference_type text,
  reference_id text,
  description text,
  metadata jsonb not null default '{}',
  brand_id text not null,
  inputs jsonb not null default '{}',
  created_at timestamptz not null,
  recorded_at timestamptz not null default now(),
  primary key (account_id, number)
);

create table adjustments (
  account_id text not null references accounts,
  idempotency_key text not null,
  entry_id text not null,
  primary key (account_id, idempotency_key)
);

-- ------------------------------------------------------------------------------------- telling

-- A committed fact, to be told. data is whole (low balance), or null: then it is the ledger entry.
create table outbox (
  id bigint generated always as identity primary key,
  message_id text not null,
  business_id text not null,
  mode text not null,
  type text not null,
  account_id text,
  entry_number bigint,
  data jsonb,
  at timestamptz not null
);

-- paced_until: the rate limit is used up until then, by whichever process.
create table webhook_endpoints (
  business_id text not null,
  mode text not null,
  webhook_id text not null,
  url text not null,
  description text not null default '',
  disabled boolean not null default false,
  filter_types jsonb not null default '[]',
  rate_limit integer,
  metadata jsonb not null default '{}',
  headers jsonb not null default '{}',
  secret bytea not null,
  paced_until timestamptz not null default 'epoch',
  idempotency_key text,
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (business_id, mode, webhook_id),
  unique (business_id, mode, idempotency_key),
  foreign key (business_id, mode) references business_modes
);

-- The frozen body of one fact, the same for every endpoint and attempt.
create table messages (
  message_id text primary key,
  business_id text not null,
  mode text not null,
  type text not null,
  account_id text,
  entry_number bigint,
  body text not null,
  created_at timestamptz not null default now()
);
create index messages_of_entry on messages (account_id, entry_number);
create index messages_by_age on messages (created_at);

-- next_at null: over, and outcome says how (delivered, given_up, stopped). since: what the clock
-- said that next_at was reckoned by. claimed_until: somebody is trying just now.
create table deliveries (
  message_id text not null references messages on delete cascade,
  webhook_id text not null,
  business_id text not null,
  mode text not null,
  attempts integer not null default 0,
  next_at timestamptz,
  since timestamptz,
  claimed_until timestamptz,
  outcome text,
  primary key (message_id, webhook_id)
);
-- By endpoint first: a claim steps from endpoint to endpoint, however long the backlog of one is.
create index deliveries_due on deliveries (webhook_id, next_at) where next_at is not null;

create table attempts (
  message_id text not null,
  webhook_id text not null,
  number integer not null,
  at timestamptz not null,
  duration_ms integer not null,
  status integer,
  error text,
  primary key (message_id, webhook_id, number),
  foreign key (message_id, webhook_id) references deliveries on delete cascade
);

-- Envelopes on their way to the topic credit.events. Rows are deleted once the log has them.
create table announcements (
  id bigint generated always as identity primary key,
  message_id text not null,
  mode text not null,
  customer_id text not null,
  body text not null
);

-- ------------------------------------------------------------------------------------- archive

-- The usage events themselves, compressed, a few thousand to a block.
-- ids: a Bloom filter over the block's fingerprints, 2 bytes an event. verdicts: a byte an event.
-- places: offset, log time and events of each record (rules/archive/places.ts), so that an event's
-- receipt can be told. catalogs: what the events were measured under, [{"events", "catalog"}] in
-- order. kept_at: believed time when it was archived, since the log's clock may have been wrong.
create table archive_blocks (
  block_id bigint generated always as identity,
  partition integer not null,
  start_offset bigint not null,
  end_offset bigint not null,
  log_from timestamptz not null,
  log_at timestamptz not null,
  events integer not null,
  ids bytea not null,
  verdicts bytea not null,
  route_marks bytea not null default '',
  places bytea not null,
  catalogs jsonb not null,
  body bytea not null,
  kept_at timestamptz not null,
  primary key (log_at, block_id)
) partition by range (log_at);
alter table archive_blocks alter column ids set storage external;
alter table archive_blocks alter column body set storage external;
create index archive_blocks_of_partition on archive_blocks (partition, log_at);
create table archive_blocks_default partition of archive_blocks default;

-- Which blocks hold events of a business, when, and of whom. customers: a Bloom filter.
create table archive_index (
  business_id text not null,
  mode text not null,
  block_id bigint not null,
  log_at timestamptz not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  events integer not null,
  customers bytea not null,
  names text[] not null,
  kept_at timestamptz not null
) partition by range (log_at);
create index archive_index_newest on archive_index (business_id, mode, last_at desc);
create index archive_index_of_block on archive_index (block_id);
create table archive_index_default partition of archive_index default;

create table archive_checkpoints (
  partition integer primary key,
  next_offset bigint not null default 0,
  log_at timestamptz not null default 'epoch'
);
