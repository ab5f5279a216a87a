-- 0018: The money of businesses: its ledger, chained in each currency.

-- balance: what the ledger ends at. entries: how many it has.
create table business_balances (
  business_id text not null,
  mode text not null,
  currency text not null,
  balance bigint not null,
  entries bigint not null,
  updated_at timestamptz not null,
  primary key (business_id, mode, currency)
);

-- number: 1, 2, 3 … in each ledger. reference_id: the payment, refund, dispute or payout behind it.
create table balance_entries (
  business_id text not null,
  mode text not null,
  currency text not null,
  number bigint not null,
  entry_id text not null,
  event_type text not null,
  is_credit boolean not null,
  amount bigint not null check (amount > 0),
  balance_before bigint not null,
  balance_after bigint not null,
  reference_id text not null,
  description text,
  created_at timestamptz not null,
  primary key (business_id, mode, currency, number),
  unique (entry_id)
);
create index balance_entries_in_order
  on balance_entries (business_id, mode, created_at desc, currency desc, number desc);
create index balance_entries_of on balance_entries (reference_id);

-- What was paid and given back before there was a ledger.
insert into balance_entries (business_id, mode, currency, number, entry_id, event_type, is_credit,
  amount, balance_before, balance_after, reference_id, created_at)
select business_id, mode, currency, row_number() over chain,
  'ble_' || left(translate(encode(sha256(convert_to(id, 'UTF8')), 'base64'), '+/', '-_'), 21),
  event_type, moved > 0, abs(moved), sum(moved) over chain - moved, sum(moved) over chain, id,
  max(at) over chain
from (
  select business_id, mode, currency, payment_id as id, 'payment' as event_type,
    total_amount as moved, coalesce(paid_at, updated_at) as at
  from payments where status = 'succeeded' and total_amount > 0
  union all
  select business_id, mode, currency, refund_id, 'refund', -amount, updated_at
  from refunds where status = 'succeeded') made
window chain as (partition by business_id, mode, currency order by at, moved desc, id
  rows unbounded preceding);

insert into business_balances (business_id, mode, currency, balance, entries, updated_at)
select distinct on (business_id, mode, currency) business_id, mode, currency, balance_after, number,
  created_at
from balance_entries
order by business_id, mode, currency, number desc;
