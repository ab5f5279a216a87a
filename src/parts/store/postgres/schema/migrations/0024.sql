-- 0024: Product entitlements, and what customers are granted of them. What the release before
-- writes names none.

-- entitlements: ids. delivery_entitlement_id: the one that the product's own files are.
alter table products
  add column entitlements jsonb not null default '[]',
  add column delivery_entitlement_id text;

-- config: what the integration needs to know, by its type.
create table product_entitlements (
  business_id text not null,
  mode text not null,
  entitlement_id text not null,
  name text not null,
  description text,
  integration_type text not null,
  config jsonb not null,
  metadata jsonb not null,
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (entitlement_id),
  foreign key (business_id, mode) references business_modes
);
create index product_entitlements_newest
  on product_entitlements (business_id, mode, created_at desc, entitlement_id desc);

-- One for each entitlement and purchase. payment_id: the payment that brought it.
create table entitlement_grants (
  business_id text not null,
  mode text not null,
  grant_id text not null,
  entitlement_id text not null,
  integration_type text not null,
  customer_id text not null,
  brand_id text not null,
  product_id text not null,
  payment_id text,
  subscription_id text,
  status text not null,
  revocation_reason text,
  error_code text,
  error_message text,
  oauth_url text,
  oauth_expires_at timestamptz,
  metadata jsonb not null,
  delivered_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (grant_id),
  foreign key (entitlement_id) references product_entitlements,
  check ((status = 'Revoked') = (revocation_reason is not null)),
  check (coalesce(subscription_id, payment_id) is not null)
);
create unique index entitlement_grants_once
  on entitlement_grants (entitlement_id, coalesce(subscription_id, payment_id));
create index entitlement_grants_newest
  on entitlement_grants (entitlement_id, created_at desc, grant_id desc);
create index entitlement_grants_of_customer
  on entitlement_grants (business_id, mode, customer_id, created_at desc, grant_id desc);
create index entitlement_grants_of_payment on entitlement_grants (payment_id)
  where payment_id is not null;
create index entitlement_grants_of_subscription on entitlement_grants (subscription_id)
  where subscription_id is not null;
