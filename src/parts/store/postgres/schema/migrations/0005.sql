-- 0005: Discounts: codes that take something off a cart, whom those for specific customers are open
-- to, and what each was used for.
--
-- times_used: how many uses there are. A code belongs to one discount that is not deleted.
-- currency_options: [{"currency", "is_default", "minimum_subtotal", "max_amount_possible"}].
create table discounts (
  business_id text not null,
  mode text not null,
  discount_id text not null,
  code text not null,
  name text,
  type text not null,
  amount bigint not null,
  currency_options jsonb not null default '[]',
  customer_eligibility text not null default 'any',
  restricted_to text[] not null default '{}',
  usage_limit bigint,
  per_customer_usage_limit bigint,
  starts_at timestamptz,
  expires_at timestamptz,
  subscription_cycles bigint,
  preserve_on_plan_change boolean not null default false,
  metadata jsonb not null default '{}',
  times_used bigint not null default 0,
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (business_id, mode, discount_id),
  foreign key (business_id, mode) references business_modes
);
create unique index discounts_of_code on discounts (business_id, mode, code)
  where deleted_at is null;
create index discounts_newest on discounts (business_id, mode, created_at desc, discount_id desc)
  where deleted_at is null;

create table discount_customers (
  business_id text not null,
  mode text not null,
  discount_id text not null,
  customer_id text not null,
  attached_at timestamptz not null,
  primary key (business_id, mode, discount_id, customer_id),
  foreign key (business_id, mode, discount_id) references discounts,
  foreign key (business_id, mode, customer_id) references customers
);

-- used_for: the payment or the subscription.
create table discount_uses (
  business_id text not null,
  mode text not null,
  discount_id text not null,
  used_for text not null,
  customer_id text not null,
  used_at timestamptz not null,
  primary key (business_id, mode, discount_id, used_for),
  foreign key (business_id, mode, discount_id) references discounts
);
create index discount_uses_of_customer on discount_uses
  (business_id, mode, customer_id, discount_id);
