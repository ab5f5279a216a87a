-- Makes the partition of one day (UTC, by log time) of batches, archive_blocks or archive_index.
-- Rows that already lie in the default partition move along; where they are too many to move in a
-- moment they stay there, and the day has no partition of its own. True when it has one at the end.
--
-- Attached rather than created in place: that leaves readers and writers of the parent alone. The
-- default partition is locked first, and only for as long as nobody has to wait more than a second.
-- Where rows move, the parent is locked before it: a reader that knew of the default partition only
-- and waited for it would find the rows in neither place.
create or replace function make_day_partition(parent text, day date, rows_max integer default 1000)
  returns boolean language plpgsql set lock_timeout = '1s' as $$
declare
  child text := parent || '_' || to_char(day, 'YYYYMMDD');
  rest text := parent || '_default';
  since timestamptz := day::timestamp at time zone 'UTC';
  upto timestamptz := (day + 1)::timestamp at time zone 'UTC';
  found_rows bigint;
  columns text;
  moves boolean;
begin
  if to_regclass(child) is not null then
    return true;
  end if;
  -- One at a time: to look takes a lock that two could not both raise.
  perform pg_advisory_xact_lock(hashtext('make_day_partition'), hashtext(parent));
  execute format('select exists (select from %I where log_at >= $1 and log_at < $2)', rest)
  into moves using since, upto;
  if moves then
    execute format('lock table only %I in access exclusive mode', parent);
  end if;
  execute format('lock table %I in access exclusive mode', rest);
  -- Whoever had the locks before us may have made it.
  if to_regclass(child) is not null then
    return true;
  end if;
  execute format(
    'select count(*) from (select from %I where log_at >= $1 and log_at < $2 limit $3 + 1) as found',
    rest) into found_rows using since, upto, rows_max;
  -- Too many, or come in since we looked: the next round knows.
  if found_rows > rows_max or (found_rows > 0 and not moves) then
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
