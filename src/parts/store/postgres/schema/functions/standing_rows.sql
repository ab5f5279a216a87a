-- Whether the rows that a change replaces are still as the operation loaded them, and those that it
-- makes do not exist. Locks all of them before any is written: the nouns in the order of this text,
-- each noun's rows in the order of their ids [machines#writers]. `expected` says how a row was
-- loaded. Null: the row is new. Else it is the row's version, or its `updated_at` where each change
-- moves that, or else the row itself, without such columns as others count in: columns that
-- `expected` does not name are not compared.
create or replace function standing_rows(p_rows jsonb) returns boolean language plpgsql as $$
begin
  if p_rows ?| array['business', 'webhook_endpoint'] then
    -- The number of a business's endpoints is bounded: two changes that counted them at once would
    -- both find room. So each new endpoint locks its business, too.
    perform 1 from businesses b
    where b.business_id in (
      select n.business_id
      from jsonb_to_recordset(p_rows -> 'business') n (business_id text)
      union all
      select n.business_id
      from jsonb_to_recordset(p_rows -> 'webhook_endpoint') n (business_id text, expected jsonb)
      where n.expected is null)
    order by b.business_id for no key update;
  end if;

  if p_rows ? 'business' and exists (
    select from jsonb_to_recordset(p_rows -> 'business') n (business_id text, expected jsonb)
    left join businesses b using (business_id)
    where case when n.expected is null then b.business_id is not null
      else b is distinct from jsonb_populate_record(b, n.expected) end
  ) then return false; end if;

  if p_rows ? 'api_key' then
    perform 1 from api_keys k
    where k.key_id in (
      select n.key_id from jsonb_to_recordset(p_rows -> 'api_key') n (key_id text))
    order by k.key_id for no key update;
    if exists (
      select from jsonb_to_recordset(p_rows -> 'api_key') n (key_id text, expected jsonb)
      left join api_keys k using (key_id)
      where case when n.expected is null then k.key_id is not null
        else k is distinct from jsonb_populate_record(k, n.expected) end
    ) then return false; end if;
  end if;

  if p_rows ? 'webhook_endpoint' then
    perform 1 from webhook_endpoints w
    where (w.business_id, w.mode, w.webhook_id) in (
      select n.business_id, n.mode, n.webhook_id
      from jsonb_populate_recordset(null::webhook_endpoints, p_rows -> 'webhook_endpoint') n)
    order by w.business_id, w.mode, w.webhook_id for no key update;
    if exists (
      select from jsonb_to_recordset(p_rows -> 'webhook_endpoint')
        n (business_id text, mode text, webhook_id text, expected jsonb, among bigint)
      left join webhook_endpoints w using (business_id, mode, webhook_id)
      where case when n.expected is null
        then w.webhook_id is not null or n.among <> (
          select count(*) from webhook_endpoints other
          where other.business_id = n.business_id and other.deleted_at is null)
        else w is distinct from jsonb_populate_record(w, n.expected) end
    ) then return false; end if;
  end if;

  if p_rows ? 'credit_entitlement' then
    perform 1 from credit_entitlements e
    where (e.business_id, e.mode, e.credit_entitlement_id) in (
      select n.business_id, n.mode, n.credit_entitlement_id
      from jsonb_populate_recordset(null::credit_entitlements, p_rows -> 'credit_entitlement') n)
    order by e.business_id, e.mode, e.credit_entitlement_id for update;
    if exists (
      select from jsonb_to_recordset(p_rows -> 'credit_entitlement')
        n (business_id text, mode text, credit_entitlement_id text, expected timestamptz)
      left join credit_entitlements e using (business_id, mode, credit_entitlement_id)
      where e.updated_at is distinct from n.expected
    ) then return false; end if;
  end if;

  if p_rows ? 'meter' then
    perform 1 from meters m
    where (m.business_id, m.mode, m.meter_id) in (
      select n.business_id, n.mode, n.meter_id
      from jsonb_populate_recordset(null::meters, p_rows -> 'meter') n)
    order by m.business_id, m.mode, m.meter_id for no key update;
    if exists (
      select from jsonb_to_recordset(p_rows -> 'meter')
        n (business_id text, mode text, meter_id text, expected jsonb)
      left join meters m using (business_id, mode, meter_id)
      where case when n.expected is null then m.meter_id is not null
        else m is distinct from jsonb_populate_record(m, n.expected) end
    ) then return false; end if;
  end if;

  if p_rows ? 'brand' then
    perform 1 from brands b
    where (b.business_id, b.mode, b.brand_id) in (
      select n.business_id, n.mode, n.brand_id
      from jsonb_populate_recordset(null::brands, p_rows -> 'brand') n)
    order by b.business_id, b.mode, b.brand_id for no key update;
    if exists (
      select from jsonb_to_recordset(p_rows -> 'brand')
        n (business_id text, mode text, brand_id text, expected timestamptz)
      left join brands b using (business_id, mode, brand_id)
      where b.updated_at is distinct from n.expected
    ) then return false; end if;
  end if;

  if p_rows ? 'addon' then
    perform 1 from addons a
    where (a.business_id, a.mode, a.addon_id) in (
      select n.business_id, n.mode, n.addon_id
      from jsonb_populate_recordset(null::addons, p_rows -> 'addon') n)
    order by a.business_id, a.mode, a.addon_id for no key update;
    if exists (
      select from jsonb_to_recordset(p_rows -> 'addon')
        n (business_id text, mode text, addon_id text, expected timestamptz)
      left join addons a using (business_id, mode, addon_id)
      where a.updated_at is distinct from n.expected
    ) then return false; end if;
  end if;

  if p_rows ? 'product' then
    perform 1 from products p
    where (p.business_id, p.mode, p.product_id) in (
      select n.business_id, n.mode, n.product_id
      from jsonb_populate_recordset(null::products, p_rows -> 'product') n)
    order by p.business_id, p.mode, p.product_id for no key update;
    if exists (
      select from jsonb_to_recordset(p_rows -> 'product')
        n (business_id text, mode text, product_id text, expected timestamptz)
      left join products p using (business_id, mode, product_id)
      where p.updated_at is distinct from n.expected
    ) then return false; end if;
  end if;

  -- A collection is of one brand with its products.
  if p_rows ? 'product' and exists (
    select from jsonb_to_recordset(p_rows -> 'product')
      n (business_id text, mode text, product_id text, brand_id text)
    join collection_products c using (business_id, mode, product_id)
    join product_collections g using (business_id, mode, collection_id)
    where g.brand_id <> n.brand_id
  ) then return false; end if;

  if p_rows ?| array['discount', 'discount_use'] then
    perform 1 from discounts d
    where (d.business_id, d.mode, d.discount_id) in (
      select n.business_id, n.mode, n.discount_id
      from jsonb_populate_recordset(null::discounts, p_rows -> 'discount') n
      union all
      select n.business_id, n.mode, n.discount_id
      from jsonb_populate_recordset(null::discount_uses, p_rows -> 'discount_use') n)
    order by d.business_id, d.mode, d.discount_id for no key update;
    if exists (
      select from jsonb_to_recordset(p_rows -> 'discount')
        n (business_id text, mode text, discount_id text, expected timestamptz)
      left join discounts d using (business_id, mode, discount_id)
      where d.updated_at is distinct from n.expected
    ) then return false; end if;
  end if;

  -- A second buyer of the last use waits for the lock above, and finds the use gone. What buyers
  -- have loaded of the count decides nothing, so that a thousand buyers of a code without limits do
  -- not disturb each other.
  if p_rows ? 'discount_use' and exists (
    select from (
      select n.business_id, n.mode, n.discount_id, n.customer_id, n.discount_as_of,
        count(*) over by_discount as uses, count(*) over by_customer as own_uses
      from jsonb_to_recordset(p_rows -> 'discount_use') n (business_id text, mode text,
        discount_id text, customer_id text, discount_as_of timestamptz)
      window by_discount as (partition by n.business_id, n.mode, n.discount_id),
        by_customer as (partition by n.business_id, n.mode, n.discount_id, n.customer_id)) n
    left join discounts d using (business_id, mode, discount_id)
    where d.updated_at is distinct from n.discount_as_of or d.deleted_at is not null
      or d.times_used + n.uses > d.usage_limit
      or n.own_uses + (
        select count(*) from discount_uses u
        where (u.business_id, u.mode, u.customer_id, u.discount_id)
          = (n.business_id, n.mode, n.customer_id, n.discount_id)) > d.per_customer_usage_limit
  ) then return false; end if;

  -- A change that writes a localized price writes its product, too, which is locked by now.
  if p_rows ? 'localized_price' and exists (
    select from jsonb_to_recordset(p_rows -> 'localized_price')
      n (business_id text, mode text, localized_price_id text, expected timestamptz)
    left join localized_prices l using (business_id, mode, localized_price_id)
    where l.updated_at is distinct from n.expected
  ) then return false; end if;

  if p_rows ? 'collection' then
    perform 1 from products p
    where (p.business_id, p.mode, p.product_id) in (
      select n.business_id, n.mode, named.product_id
      from jsonb_to_recordset(p_rows -> 'collection')
          n (business_id text, mode text, product_ids jsonb),
        jsonb_array_elements_text(n.product_ids) named (product_id))
    order by p.business_id, p.mode, p.product_id for share;
    perform 1 from product_collections g
    where (g.business_id, g.mode, g.collection_id) in (
      select n.business_id, n.mode, n.collection_id
      from jsonb_populate_recordset(null::product_collections, p_rows -> 'collection') n)
    order by g.business_id, g.mode, g.collection_id for no key update;
    if exists (
      select from jsonb_to_recordset(p_rows -> 'collection')
        n (business_id text, mode text, collection_id text, expected timestamptz)
      left join product_collections g using (business_id, mode, collection_id)
      where g.updated_at is distinct from n.expected
    ) or exists (
      select from jsonb_to_recordset(p_rows -> 'collection')
          n (business_id text, mode text, brand_id text, product_ids jsonb),
        jsonb_array_elements_text(n.product_ids) named (product_id)
      join products p using (product_id)
      where (p.business_id, p.mode) = (n.business_id, n.mode) and p.brand_id <> n.brand_id
    ) then return false; end if;
  end if;

  if p_rows ? 'subscription' then
    -- A new one is of its product's brand: so the product must not leave it in this moment.
    perform 1 from products p
    where (p.business_id, p.mode, p.product_id) in (
      select n.business_id, n.mode, n.product_id
      from jsonb_to_recordset(p_rows -> 'subscription')
        n (business_id text, mode text, product_id text, expected bigint)
      where n.expected is null)
    order by p.business_id, p.mode, p.product_id for share;
    perform 1 from subscriptions s
    where (s.business_id, s.mode, s.subscription_id) in (
      select n.business_id, n.mode, n.subscription_id
      from jsonb_populate_recordset(null::subscriptions, p_rows -> 'subscription') n)
    order by s.business_id, s.mode, s.subscription_id for update;
    if exists (
      select from jsonb_to_recordset(p_rows -> 'subscription')
        n (business_id text, mode text, subscription_id text, expected bigint)
      left join subscriptions s using (business_id, mode, subscription_id)
      where s.version is distinct from n.expected
    ) then return false; end if;
  end if;

  if p_rows ? 'customer' then
    perform 1 from customers c
    where (c.business_id, c.mode, c.customer_id) in (
      select n.business_id, n.mode, n.customer_id
      from jsonb_populate_recordset(null::customers, p_rows -> 'customer') n)
    order by c.business_id, c.mode, c.customer_id for no key update;
    if exists (
      select from jsonb_to_recordset(p_rows -> 'customer')
        n (business_id text, mode text, customer_id text, expected jsonb)
      left join customers c using (business_id, mode, customer_id)
      where case when n.expected is null then c.customer_id is not null
        else c is distinct from jsonb_populate_record(c, n.expected) end
    ) then return false; end if;
  end if;

  if p_rows ? 'wallet' then
    perform 1 from wallets w
    where (w.business_id, w.mode, w.customer_id, w.currency) in (
      select n.business_id, n.mode, n.customer_id, n.currency
      from jsonb_populate_recordset(null::wallets, p_rows -> 'wallet') n)
    order by w.business_id, w.mode, w.customer_id, w.currency for no key update;
    if exists (
      select from jsonb_to_recordset(p_rows -> 'wallet')
        n (business_id text, mode text, customer_id text, currency text, expected bigint)
      left join wallets w using (business_id, mode, customer_id, currency)
      where w.entries is distinct from n.expected
    ) then return false; end if;
  end if;

  if p_rows ? 'checkout_session' then
    perform 1 from checkout_sessions c
    where c.session_id in (
      select n.session_id
      from jsonb_to_recordset(p_rows -> 'checkout_session') n (session_id text))
    order by c.session_id for no key update;
    if exists (
      select from jsonb_to_recordset(p_rows -> 'checkout_session')
        n (session_id text, expected bigint)
      left join checkout_sessions c using (session_id)
      where c.version is distinct from n.expected
    ) then return false; end if;
  end if;

  if p_rows ? 'payment' then
    perform 1 from payments p
    where p.payment_id in (
      select n.payment_id from jsonb_to_recordset(p_rows -> 'payment') n (payment_id text))
    order by p.payment_id for no key update;
    if exists (
      select from jsonb_to_recordset(p_rows -> 'payment') n (payment_id text, expected bigint)
      left join payments p using (payment_id)
      where p.version is distinct from n.expected
    ) then return false; end if;
  end if;

  if p_rows ? 'processor_news' then
    perform 1 from processor_news w
    where w.news_id in (
      select n.news_id from jsonb_to_recordset(p_rows -> 'processor_news') n (news_id text))
    order by w.news_id for update;
    if exists (
      select from jsonb_to_recordset(p_rows -> 'processor_news') n (news_id text, heard boolean)
      left join processor_news w using (news_id)
      where (w.news_id is not null) <> n.heard
    ) then return false; end if;
  end if;
  return true;
end $$;
