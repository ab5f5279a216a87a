-- Drops a day whole. False when somebody reads it just now, or when it is a day of batches with
-- verdicts that the archive has not taken yet, or with ids that dedupe may still heal from:
-- p_running, in microseconds of running time, is not over since; or one of the archive, with what
-- was kept since p_before. The day is one of log time, which may have been wrong.
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
