-- Makes the partition of one day (UTC, by log time) of batches, archive_blocks or archive_index.
-- Rows that already lie in the default partition move along; where they are too many to move in a
-- moment they stay there, and the day has no partition of its own. True when it has one at the end.
--
-- Attached rather than created in place: that leaves readers and writers of the parent alone. The
-- default partition is locked first, and only for as long as nobody has to wait more than a second.
create or replace function make_day_partition(parent text, day date, rows_max integer default 1000)
  returns boolean language plpgsql set lock_timeout = '1s' as $$
declare
  child text := parent || '_' || to_char(day, 'YYYYMMDD');
  rest text := parent || '_default';
  since timestamptz := day::timestamp at time zone 'UTC';
  upto timestamptz := (day + 1)::timestamp at time zone 'UTC';
  found_rows bigint;
  columns text;
begin
  if to_regclass(child) is not null then
    return true;
  end if;
  execute format('lock table %I in access exclusive mode', rest);
  -- Whoever had the lock before us may have made it.
  if to_regclass(child) is not null then
    return true;
  end if;
  execute format(
    'select count(*) from (select from %I where log_at >= $1 and log_at < $2 limit $3 + 1) as found',
    rest) into found_rows using since, upto, rows_max;
  if found_rows > rows_max then
    return false;
  end if;
  execute format(
    'create table %I (like %I including defaults including constraints including indexes including storage)',
    child, parent);
  select string_agg(quote_ident(attname), ', ' order by attnum) into columns from pg_attribute
  where attrelid = parent::regclass and attnum > 0 and not attisdropped;
  execute format(
    'with moved as (delete from %I where log_at >= $1 and log_at < $2 returning *)
     insert into %I (%s) select %3$s from moved', rest, child, columns) using since, upto;
  execute format(
    'alter table %I attach partition %I for values from (%L) to (%L)', parent, child, since, upto);
  return true;
exception when lock_not_available then
  return false;
end $$;
