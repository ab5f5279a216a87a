-- The one place that writes brands, behind standing_rows(): new ones, those that change, and those
-- that are archived, whose holdings move with them. A row that stands in a change as it is was only
-- to be locked and compared. False where a brand is archived without a target for what it holds.
create or replace function write_brands(p_rows jsonb) returns boolean language plpgsql as $$
declare
  v_archived text[] := array(
    select n.brand_id from jsonb_populate_recordset(null::brands, p_rows) n
    join brands b using (business_id, mode, brand_id)
    where n.archived_at is not null and b.archived_at is null);
begin
  insert into brands as b (business_id, mode, brand_id, name, description, url, support_email,
    statement_descriptor, image_id, archived_at, moved_to, created_at, updated_at)
  select n.business_id, n.mode, n.brand_id, n.name, n.description, n.url, n.support_email,
    n.statement_descriptor, n.image_id, n.archived_at, n.moved_to, n.created_at, n.updated_at
  from jsonb_populate_recordset(null::brands, p_rows) n
  order by n.business_id, n.mode, n.brand_id
  on conflict (business_id, mode, brand_id) do update set
    name = excluded.name, description = excluded.description, url = excluded.url,
    support_email = excluded.support_email, statement_descriptor = excluded.statement_descriptor,
    image_id = excluded.image_id, archived_at = excluded.archived_at,
    moved_to = excluded.moved_to, updated_at = excluded.updated_at
  where b.updated_at < excluded.updated_at;

  return coalesce((
    select bool_and(move_brand(b.business_id, b.mode, b.brand_id)) from brands b
    where (b.business_id, b.mode, b.brand_id) in (
      select n.business_id, n.mode, n.brand_id
      from jsonb_populate_recordset(null::brands, p_rows) n
      where n.brand_id = any(v_archived))), true);
end $$;
