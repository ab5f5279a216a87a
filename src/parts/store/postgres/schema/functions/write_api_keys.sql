-- Alone writes API keys, which standing_rows() has locked and compared. A key that exists already
-- can only be revoked.
create or replace function write_api_keys(p_rows jsonb) returns void language plpgsql as $$
begin
  update api_keys k set revoked_at = n.revoked_at
  from jsonb_populate_recordset(null::api_keys, p_rows) n
  where k.key_id = n.key_id;

  insert into api_keys (key_id, business_id, mode, access, name, hash, backfill_us, created_at,
    revoked_at)
  select n.key_id, n.business_id, n.mode, n.access, n.name, n.hash, n.backfill_us, n.created_at,
    n.revoked_at
  from jsonb_populate_recordset(null::api_keys, p_rows) n
  where not exists (select from api_keys k where k.key_id = n.key_id)
  order by n.key_id;
end $$;
