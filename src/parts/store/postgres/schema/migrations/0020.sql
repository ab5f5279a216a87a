-- 0020: License keys, and where they are in use. What the release before writes brings none.

-- license: {"enabled", "activation_message", "activations_limit", "duration"}; null: none.
alter table products add column license jsonb;

-- Whether a key is active, its subscription and the time say, too. grant_id: the grant of a product
-- entitlement that brought it. instances_count: the rows of license_key_instances.
create table license_keys (
  business_id text not null,
  mode text not null,
  license_key_id text not null,
  key text not null,
  customer_id text not null,
  product_id text not null,
  brand_id text not null,
  payment_id text,
  subscription_id text,
  grant_id text,
  source text not null,
  activations_limit bigint,
  instances_count bigint not null check (
    instances_count >= 0 and instances_count <= coalesce(activations_limit, instances_count)),
  expires_at timestamptz,
  disabled boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (license_key_id),
  foreign key (business_id, mode) references business_modes
);
create unique index license_keys_key on license_keys (mode, key);
create index license_keys_newest
  on license_keys (business_id, mode, created_at desc, license_key_id desc);
create index license_keys_of_customer on license_keys (business_id, mode, customer_id);
create index license_keys_of_payment on license_keys (payment_id) where payment_id is not null;
create index license_keys_of_subscription on license_keys (subscription_id)
  where subscription_id is not null;
create index license_keys_of_grant on license_keys (grant_id) where grant_id is not null;

create table license_key_instances (
  business_id text not null,
  mode text not null,
  instance_id text not null,
  license_key_id text not null,
  name text not null,
  created_at timestamptz not null,
  primary key (instance_id),
  foreign key (license_key_id) references license_keys
);
create index license_key_instances_of_key on license_key_instances (license_key_id);
create index license_key_instances_newest
  on license_key_instances (business_id, mode, created_at desc, instance_id desc);
