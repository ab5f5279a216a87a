-- 0006: Wallets: money that customers have with a business, with the ledger of each.
--
-- entries: how many entries it has, which is the number of the last one.
create table wallets (
  business_id text not null,
  mode text not null,
  customer_id text not null,
  currency text not null,
  balance bigint not null check (balance >= 0),
  entries bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (business_id, mode, customer_id, currency),
  foreign key (business_id, mode, customer_id) references customers
);

-- reference_id: the payment, refund or dispute behind it.
create table wallet_entries (
  business_id text not null,
  mode text not null,
  customer_id text not null,
  currency text not null,
  number bigint not null,
  entry_id text not null,
  event_type text not null,
  is_credit boolean not null,
  amount bigint not null,
  balance_before bigint not null,
  balance_after bigint not null,
  reason text,
  reference_id text,
  idempotency_key text,
  created_at timestamptz not null,
  primary key (business_id, mode, customer_id, currency, number),
  foreign key (business_id, mode, customer_id, currency) references wallets
);
create index wallet_entries_newest on wallet_entries
  (business_id, mode, customer_id, created_at desc, number desc);
create unique index wallet_entries_keyed on wallet_entries
  (business_id, mode, customer_id, idempotency_key) where idempotency_key is not null;
