-- Drops one day's partition of batches, archive_blocks or archive_index with all its rows. Answers
-- false, and keeps it, where somebody is reading it just now, or where it is still needed:
--   batches   the archive has not taken all verdicts of it, or the partition has not been held for
--             p_running microseconds since, so that dedupe may have to be healed from its ids
--   archive   it holds something that was kept at p_before or later
-- The day itself decides nothing: it is of log time, which a wrong clock may have written.
create or replace function drop_day_partition(
  parent text, day date, p_running bigint, p_before timestamptz
) returns boolean language plpgsql set lock_timeout = '1s' as $$
declare
  child text := parent || '_' || to_char(day, 'YYYYMMDD');
  needed boolean := false;
begin
  if to_regclass(child) is null then
    return true;
  end if;
  if parent = 'batches' then
    execute format(
      'select exists (
         select from %I as batch
         left join archive_checkpoints as archived using (partition)
         left join checkpoints as measured using (partition)
         where batch.end_offset > coalesce(archived.next_offset, 0)
           or batch.ran >= measured.ran - $1)', child) into needed using p_running;
  else
    execute format('select exists (select from %I where kept_at >= $1)', child)
    into needed using p_before;
  end if;
  if needed then
    return false;
  end if;
  execute format('drop table %I', child);
  return true;
exception when lock_not_available then
  return false;
end $$;
