-- 0012: Being paid: checkout sessions, payments, and what processors are still going to say.

-- request: what was asked for, as the rules have it. completed_at: set once, when it was paid.
create table checkout_sessions (
  business_id text not null,
  mode text not null,
  session_id text not null,
  request jsonb not null,
  payment_id text,
  completed_at timestamptz,
  expires_at timestamptz not null,
  version bigint not null,
  created_at timestamptz not null,
  primary key (session_id)
);

-- document: what no statement looks into. product_ids: for the filter of lists.
create table payments (
  business_id text not null,
  mode text not null,
  payment_id text not null,
  brand_id text not null,
  customer_id text not null,
  subscription_id text,
  session_id text,
  status text not null,
  currency text not null,
  total_amount bigint not null,
  tax bigint not null,
  product_ids text[] not null,
  billing jsonb not null,
  metadata jsonb not null,
  document jsonb not null,
  version bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (payment_id)
);
create index payments_in_order on payments (business_id, mode, created_at desc, payment_id desc);
create index payments_of_customer
  on payments (business_id, mode, customer_id, created_at desc, payment_id desc);
create index payments_of_subscription on payments (subscription_id, created_at desc)
  where subscription_id is not null;

-- due_at: in the business's time. outcome: null where the processor is to be asked again.
create table processor_news (
  business_id text not null,
  mode text not null,
  news_id text not null,
  customer_id text not null,
  payment_id text not null,
  due_at timestamptz not null,
  outcome jsonb,
  primary key (news_id)
);
create index processor_news_due on processor_news (business_id, mode, due_at);
