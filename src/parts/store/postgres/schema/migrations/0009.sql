-- 0009: What the operator has imported for a business: rates of taxes and fees.
--
-- rate: millionths. An empty region, category or currency stands for all that no other row names.
create table tax_rates (
  business_id text not null references businesses,
  country text not null,
  region text not null,
  category text not null,
  rate integer not null,
  primary key (business_id, country, region, category)
);

create table fee_rates (
  business_id text not null references businesses,
  kind text not null,
  currency text not null,
  basis_points integer not null,
  fixed bigint not null,
  primary key (business_id, kind, currency)
);
