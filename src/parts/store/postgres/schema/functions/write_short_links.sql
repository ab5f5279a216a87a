-- Alone writes short links, which never change. An error with SQLSTATE SL002 where the slug is
-- another's.
create or replace function write_short_links(p_rows jsonb) returns void language plpgsql as $$
begin
  insert into short_links (business_id, mode, slug, product_id, params, created_at)
  select n.business_id, n.mode, n.slug, n.product_id, n.params, n.created_at
  from jsonb_populate_recordset(null::short_links, p_rows) n
  order by n.mode, lower(n.slug);
exception when unique_violation then
  raise exception 'the slug is taken' using errcode = 'SL002';
end $$;
