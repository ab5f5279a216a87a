-- 0016: Subscriptions that charge: saved payment methods, and what is to be paid of a subscription.

-- document: the processor's token, and what may be shown of the card.
create table payment_methods (
  business_id text not null,
  mode text not null,
  payment_method_id text not null,
  customer_id text not null,
  document jsonb not null,
  last_used_at timestamptz not null,
  deleted_at timestamptz,
  version bigint not null,
  created_at timestamptz not null,
  primary key (payment_method_id)
);
create index payment_methods_of_customer
  on payment_methods (business_id, mode, customer_id, created_at desc);

-- payment_method_id: what a renewal charges. retry_at: when a failed renewal is tried again.
alter table subscriptions add column payment_method_id text;
alter table subscriptions add column retry_at timestamptz;
create index subscriptions_of_payment_method on subscriptions (payment_method_id)
  where payment_method_id is not null;
create index subscriptions_on_hold on subscriptions (least(next_billing_date, expires_at))
  where status = 'on_hold';
create index subscriptions_to_retry on subscriptions (retry_at) where retry_at is not null;
