-- 0015: Refunds, and what payments say of them.

-- paid_at: when it succeeded. refund_status: of refunds that succeeded; null: there is none.
alter table payments
  add column paid_at timestamptz,
  add column refund_status text;
update payments set paid_at = updated_at where status = 'succeeded';

-- lines: what goes back of each line of the payment.
create table refunds (
  business_id text not null,
  mode text not null,
  refund_id text not null,
  payment_id text not null,
  brand_id text not null,
  customer_id text not null,
  subscription_id text,
  status text not null,
  currency text not null,
  amount bigint not null,
  tax bigint not null,
  lines jsonb not null,
  is_partial boolean not null,
  reason text,
  metadata jsonb not null,
  version bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (refund_id)
);
create index refunds_in_order on refunds (business_id, mode, created_at desc, refund_id desc);
create index refunds_of_payment on refunds (payment_id);
create index refunds_of_customer
  on refunds (business_id, mode, customer_id, created_at desc, refund_id desc);
create index refunds_of_subscription on refunds (subscription_id, created_at desc)
  where subscription_id is not null;
