-- 0011: What a business sells: brands besides the primary one, which is the business itself;
-- add-ons; products that change, and prices of theirs for single markets; collections; short links.
-- What the release before writes meanwhile is of the primary brand.

-- moved_to and the counts say what became of that which an archived brand held.
create table brands (
  business_id text not null,
  mode text not null,
  brand_id text not null,
  name text,
  description text,
  url text,
  support_email text,
  statement_descriptor text,
  archived_at timestamptz,
  moved_to text,
  products_moved bigint not null default 0,
  subscriptions_moved bigint not null default 0,
  collections_moved bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (business_id, mode, brand_id),
  foreign key (business_id, mode) references business_modes
);

create index products_of_brand on products (business_id, mode, brand_id);
create index subscriptions_of_brand on subscriptions (business_id, mode, brand_id);

create table addons (
  business_id text not null,
  mode text not null,
  addon_id text not null,
  name text not null,
  description text,
  price bigint not null,
  currency text not null,
  tax_category text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (business_id, mode, addon_id),
  foreign key (business_id, mode) references business_modes
);
create index addons_newest on addons (business_id, mode, created_at desc, addon_id desc);

-- addons: ids. pricing_mode: what chooses among the localized prices; null: they have none.
alter table products
  add column addons jsonb not null default '[]',
  add column pricing_mode text;

-- pricing: by_currency or by_country, as the product's pricing_mode was when it was made.
create table localized_prices (
  business_id text not null,
  mode text not null,
  localized_price_id text not null,
  product_id text not null,
  pricing text not null,
  currency text not null,
  country_code text,
  amount bigint not null check (amount > 0),
  archived_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (business_id, mode, localized_price_id),
  foreign key (business_id, mode, product_id) references products
);
create unique index localized_prices_of_currency
  on localized_prices (business_id, mode, product_id, currency)
  where archived_at is null and pricing = 'by_currency';
create unique index localized_prices_of_country
  on localized_prices (business_id, mode, product_id, country_code)
  where archived_at is null and pricing = 'by_country';
create index localized_prices_of_product
  on localized_prices (business_id, mode, product_id);

-- groups: [{"group_id", "name", "status", "items": [{"item_id", "product_id", "status"}]}], in their
-- order: a collection is read and written whole. plan_changes: defaults for plan changes within it.
create table product_collections (
  business_id text not null,
  mode text not null,
  collection_id text not null,
  brand_id text not null,
  name text not null,
  description text,
  groups jsonb not null,
  plan_changes jsonb not null,
  archived_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (business_id, mode, collection_id),
  foreign key (business_id, mode) references business_modes
);
create index product_collections_newest
  on product_collections (business_id, mode, created_at desc, collection_id desc);
create index product_collections_of_brand on product_collections (business_id, mode, brand_id);

-- Which collection holds a product: one at the most.
create table collection_products (
  business_id text not null,
  mode text not null,
  product_id text not null,
  collection_id text not null,
  primary key (business_id, mode, product_id),
  foreign key (business_id, mode, collection_id) references product_collections,
  foreign key (business_id, mode, product_id) references products
);
create index collection_products_of_collection
  on collection_products (business_id, mode, collection_id);

-- params: [[name, value]], the query of the address that the slug stands for. A slug is unique over
-- all businesses of a mode, because its address names none.
create table short_links (
  business_id text not null,
  mode text not null,
  slug text not null,
  product_id text not null,
  params jsonb not null,
  created_at timestamptz not null,
  foreign key (business_id, mode, product_id) references products
);
create unique index short_links_slug on short_links (mode, lower(slug));
create index short_links_newest on short_links (business_id, mode, created_at desc, slug desc);
create index short_links_of_product on short_links (business_id, mode, product_id);

