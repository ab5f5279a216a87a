-- 0023: Payouts: what a business was paid of its money.

-- from_entry, to_entry: numbers of the entries that it pays, both ends included.
create table payouts (
  business_id text not null,
  mode text not null,
  payout_id text not null,
  status text not null,
  name text not null,
  currency text not null,
  amount bigint not null check (amount > 0),
  fee bigint not null,
  refunds bigint not null,
  chargebacks bigint not null,
  from_entry bigint not null,
  to_entry bigint not null,
  remarks text,
  version bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (payout_id)
);
create index payouts_in_order on payouts (business_id, mode, created_at desc, payout_id desc);
create unique index payouts_by_entry on payouts (business_id, mode, currency, to_entry);
