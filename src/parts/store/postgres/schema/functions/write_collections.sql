-- Alone writes product collections, which standing_rows() has locked and compared, and which
-- products each of them holds. Answers false where one of the products is in another collection.
create or replace function write_collections(p_rows jsonb) returns boolean language plpgsql as $$
begin
  insert into product_collections (business_id, mode, collection_id, brand_id, name, description,
    groups, plan_changes, image_id, archived_at, created_at, updated_at)
  select n.business_id, n.mode, n.collection_id, n.brand_id, n.name, n.description, n.groups,
    n.plan_changes, n.image_id, n.archived_at, n.created_at, n.updated_at
  from jsonb_populate_recordset(null::product_collections, p_rows) n
  order by n.business_id, n.mode, n.collection_id
  on conflict (business_id, mode, collection_id) do update set
    brand_id = excluded.brand_id, name = excluded.name, description = excluded.description,
    groups = excluded.groups, plan_changes = excluded.plan_changes,
    image_id = excluded.image_id, archived_at = excluded.archived_at,
    updated_at = excluded.updated_at;

  delete from collection_products c
  using jsonb_to_recordset(p_rows)
    n (business_id text, mode text, collection_id text, product_ids jsonb)
  where (c.business_id, c.mode, c.collection_id) = (n.business_id, n.mode, n.collection_id)
    and not n.product_ids ? c.product_id;

  insert into collection_products (business_id, mode, product_id, collection_id)
  select n.business_id, n.mode, p.product_id, n.collection_id
  from jsonb_to_recordset(p_rows)
      n (business_id text, mode text, collection_id text, product_ids jsonb),
    jsonb_array_elements_text(n.product_ids) p (product_id)
  order by n.business_id, n.mode, p.product_id
  on conflict (business_id, mode, product_id) do nothing;

  return not exists (
    select from jsonb_to_recordset(p_rows)
        n (business_id text, mode text, collection_id text, product_ids jsonb),
      jsonb_array_elements_text(n.product_ids) p (product_id)
    join collection_products c using (product_id)
    where (c.business_id, c.mode) = (n.business_id, n.mode) and c.collection_id <> n.collection_id);
end $$;
