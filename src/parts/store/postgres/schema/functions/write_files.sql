-- Alone writes files, behind standing_rows(). What a file holds stays; it can only be deleted.
create or replace function write_files(p_rows jsonb) returns void language plpgsql as $$
begin
  insert into files (business_id, mode, file_id, kind, owner_id, digest, bytes, media_type,
    file_name, created_at, deleted_at)
  select n.business_id, n.mode, n.file_id, n.kind, n.owner_id, n.digest, n.bytes, n.media_type,
    n.file_name, n.created_at, n.deleted_at
  from jsonb_populate_recordset(null::files, p_rows) n
  order by n.file_id
  on conflict (file_id) do update set deleted_at = excluded.deleted_at;
end $$;
