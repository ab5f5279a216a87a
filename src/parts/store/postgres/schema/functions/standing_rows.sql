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

  if p_rows ? 'user' then
    perform 1 from users u
    where u.user_id in (
      select n.user_id from jsonb_to_recordset(p_rows -> 'user') n (user_id text))
    order by u.user_id for no key update;
    if exists (
      select from jsonb_to_recordset(p_rows -> 'user') n (user_id text, expected jsonb)
      left join users u using (user_id)
      where case when n.expected is null then u.user_id is not null
        else u is distinct from jsonb_populate_record(u, n.expected) end
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
        discount_id text, customer_id text, discount_as_of timestamptz, becomes text)
      where n.becomes is null
      window by_discount as (partition by n.business_id, n.mode, n.discount_id),
        by_customer as (partition by n.business_id, n.mode, n.discount_id, n.customer_id)) n
    left join discounts d using (business_id, mode, discount_id)
    where d.updated_at is distinct from n.discount_as_of or d.deleted_at is not null
      or d.times_used + d.held + n.uses > d.usage_limit
      or n.own_uses + (
        select count(*) from discount_uses u
        where (u.business_id, u.mode, u.customer_id, u.discount_id)
          = (n.business_id, n.mode, n.customer_id, n.discount_id)) > d.per_customer_usage_limit
  ) then return false; end if;

  -- A use that is held stands whatever becomes of its discount.
  if p_rows ? 'discount_use' and exists (
    select from jsonb_to_recordset(p_rows -> 'discount_use') n (business_id text, mode text,
      discount_id text, used_for text, becomes text)
    left join discount_uses u using (business_id, mode, discount_id, used_for)
    where n.becomes is not null and u.held is not true
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
        n (business_id text, mode text, customer_id text, currency text, expected jsonb)
      left join wallets w using (business_id, mode, customer_id, currency)
      where case when n.expected is null then w.customer_id is not null
        else w is distinct from jsonb_populate_record(w, n.expected) end
    ) then return false; end if;
  end if;

  if p_rows ? 'file' then
    perform 1 from files f
    where f.file_id in (
      select n.file_id from jsonb_to_recordset(p_rows -> 'file') n (file_id text))
    order by f.file_id for no key update;
    if exists (
      select from jsonb_to_recordset(p_rows -> 'file') n (file_id text, expected jsonb)
      left join files f using (file_id)
      where case when n.expected is null then f.file_id is not null
        else f is distinct from jsonb_populate_record(f, n.expected) end
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

  -- A change that writes a refund writes its payment, too, which is locked by now.
  if p_rows ? 'refund' and exists (
    select from jsonb_to_recordset(p_rows -> 'refund') n (refund_id text, expected bigint)
    left join refunds r using (refund_id)
    where r.version is distinct from n.expected
  ) then return false; end if;

  if p_rows ? 'payment_method' then
    perform 1 from payment_methods p
    where p.payment_method_id in (
      select n.payment_method_id
      from jsonb_to_recordset(p_rows -> 'payment_method') n (payment_method_id text))
    order by p.payment_method_id for no key update;
    if exists (
      select from jsonb_to_recordset(p_rows -> 'payment_method')
        n (payment_method_id text, expected bigint)
      left join payment_methods p using (payment_method_id)
      where p.version is distinct from n.expected
    ) then return false; end if;
  end if;

  if p_rows ? 'product_entitlement' then
    perform 1 from product_entitlements e
    where e.entitlement_id in (
      select n.entitlement_id
      from jsonb_to_recordset(p_rows -> 'product_entitlement') n (entitlement_id text))
    order by e.entitlement_id for no key update;
    if exists (
      select from jsonb_to_recordset(p_rows -> 'product_entitlement')
        n (entitlement_id text, expected timestamptz)
      left join product_entitlements e using (entitlement_id)
      where e.updated_at is distinct from n.expected
    ) then return false; end if;
  end if;

  if p_rows ? 'entitlement_grant' then
    perform 1 from entitlement_grants g
    where g.grant_id in (
      select n.grant_id
      from jsonb_to_recordset(p_rows -> 'entitlement_grant') n (grant_id text))
    order by g.grant_id for no key update;
    if exists (
      select from jsonb_to_recordset(p_rows -> 'entitlement_grant')
        n (grant_id text, expected timestamptz)
      left join entitlement_grants g using (grant_id)
      where g.updated_at is distinct from n.expected
    ) then return false; end if;
  end if;

  if p_rows ? 'license_key' then
    perform 1 from license_keys k
    where k.license_key_id in (
      select n.license_key_id
      from jsonb_to_recordset(p_rows -> 'license_key') n (license_key_id text))
    order by k.license_key_id for no key update;
    if exists (
      select from jsonb_to_recordset(p_rows -> 'license_key')
        n (license_key_id text, expected timestamptz)
      left join license_keys k using (license_key_id)
      where k.updated_at is distinct from n.expected
    ) then return false; end if;
  end if;

  if p_rows ? 'license_key_instance' then
    perform 1 from license_key_instances i
    where i.instance_id in (
      select n.instance_id
      from jsonb_to_recordset(p_rows -> 'license_key_instance') n (instance_id text))
    order by i.instance_id for update;
    if exists (
      select from jsonb_to_recordset(p_rows -> 'license_key_instance')
        n (instance_id text, expected jsonb)
      left join license_key_instances i using (instance_id)
      where case when n.expected is null then i.instance_id is not null
        else i is distinct from jsonb_populate_record(i, n.expected) end
    ) then return false; end if;
  end if;

  if p_rows ? 'dispute' then
    perform 1 from disputes d
    where d.dispute_id in (
      select n.dispute_id from jsonb_to_recordset(p_rows -> 'dispute') n (dispute_id text))
    order by d.dispute_id for no key update;
    if exists (
      select from jsonb_to_recordset(p_rows -> 'dispute') n (dispute_id text, expected bigint)
      left join disputes d using (dispute_id)
      where d.version is distinct from n.expected
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

  -- A new payout pays all that its ledger holds: another entry would be paid twice, or never. The
  -- ledger is locked last, as by all that books.
  if p_rows ? 'payout' then
    perform 1 from payouts p
    where p.payout_id in (
      select n.payout_id from jsonb_to_recordset(p_rows -> 'payout') n (payout_id text))
    order by p.payout_id for no key update;
    perform 1 from business_balances b
    where (b.business_id, b.mode, b.currency) in (
      select n.business_id, n.mode, n.currency
      from jsonb_to_recordset(p_rows -> 'payout')
        n (business_id text, mode text, currency text, expected bigint)
      where n.expected is null)
    order by b.business_id, b.mode, b.currency for no key update;
    if exists (
      select from jsonb_to_recordset(p_rows -> 'payout') n (business_id text, mode text,
        payout_id text, currency text, expected bigint, newest_entry text)
      left join payouts p using (payout_id)
      left join business_balances b on (b.business_id, b.mode, b.currency)
        = (n.business_id, n.mode, n.currency)
      left join balance_entries e on (e.business_id, e.mode, e.currency, e.number)
        = (b.business_id, b.mode, b.currency, b.entries)
      where p.version is distinct from n.expected
        or n.expected is null and e.entry_id is distinct from n.newest_entry
    ) then return false; end if;
  end if;
  return true;
end $$;
