-- 0003: Stretches of a subscription's terms that are over. Nothing is measured under them any more,
-- but usage was, and is worth what they say. As many as there were changes of its plan.
create table old_stretches (
  business_id text not null,
  mode text not null,
  subscription_id text not null,
  from_at timestamptz not null,
  stretch jsonb not null,
  primary key (business_id, mode, subscription_id, from_at)
);
