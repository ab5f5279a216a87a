-- Hands on what a brand holds that has just been archived, and counts it: its products, its
-- collections, then its live subscriptions, each in the order of their ids, as standing_rows()
-- locks them. Nothing new comes to the brand meanwhile: a change that makes or moves a product or a
-- collection has locked the brand, and one that makes a subscription has locked its product.
-- Answers false where the brand holds something, and no other brand is to take it.
create or replace function move_brand(p_business text, p_mode text, p_brand text) returns boolean
language plpgsql as $$
declare
  v_live text[] := array['pending', 'active', 'on_hold', 'paused'];
  v_brand brands;
  v_products bigint;
  v_collections bigint;
  v_subscriptions bigint;
begin
  select b.* into strict v_brand from brands b
  where (b.business_id, b.mode, b.brand_id) = (p_business, p_mode, p_brand);
  if v_brand.moved_to is null then
    return not exists (
        select from products p
        where (p.business_id, p.mode, p.brand_id) = (p_business, p_mode, p_brand))
      and not exists (
        select from subscriptions s
        where (s.business_id, s.mode, s.brand_id) = (p_business, p_mode, p_brand)
          and s.status = any(v_live));
  end if;

  perform 1 from products p
  where (p.business_id, p.mode, p.brand_id) = (p_business, p_mode, p_brand)
  order by p.product_id for no key update;
  update products p set brand_id = v_brand.moved_to,
    updated_at = greatest(p.updated_at + interval '1 microsecond', v_brand.archived_at)
  where (p.business_id, p.mode, p.brand_id) = (p_business, p_mode, p_brand);
  get diagnostics v_products = row_count;

  perform 1 from product_collections g
  where (g.business_id, g.mode, g.brand_id) = (p_business, p_mode, p_brand)
  order by g.collection_id for no key update;
  update product_collections g set brand_id = v_brand.moved_to,
    updated_at = greatest(g.updated_at + interval '1 microsecond', v_brand.archived_at)
  where (g.business_id, g.mode, g.brand_id) = (p_business, p_mode, p_brand);
  get diagnostics v_collections = row_count;

  perform 1 from subscriptions s
  where (s.business_id, s.mode, s.brand_id) = (p_business, p_mode, p_brand)
    and s.status = any(v_live)
  order by s.subscription_id for update;
  update subscriptions s set brand_id = v_brand.moved_to,
    version = drawn_version(s.version + 1),
    updated_at = greatest(s.updated_at, v_brand.archived_at)
  where (s.business_id, s.mode, s.brand_id) = (p_business, p_mode, p_brand)
    and s.status = any(v_live);
  get diagnostics v_subscriptions = row_count;

  -- What waits to be paid is paid for the brand that sells it then.
  update payments p set brand_id = v_brand.moved_to,
    version = drawn_version(p.version + 1),
    updated_at = greatest(p.updated_at, v_brand.archived_at)
  from subscriptions s
  where (s.business_id, s.mode, s.subscription_id) = (p.business_id, p.mode, p.subscription_id)
    and (p.business_id, p.mode, p.brand_id) = (p_business, p_mode, p_brand)
    and s.status = 'pending' and p.status = 'requires_payment_method';

  update brands b set products_moved = v_products,
    collections_moved = v_collections, subscriptions_moved = v_subscriptions
  where (b.business_id, b.mode, b.brand_id) = (p_business, p_mode, p_brand);
  return true;
end $$;
