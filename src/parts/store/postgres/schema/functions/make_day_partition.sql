-- Makes the partition of one day (UTC, by log time) of batches, archive_blocks or archive_index,
-- and answers true when there is one. Rows of that day that lie in the default partition move into
-- it. Where they are more than `rows_max`, which would take too long, they stay, and the day gets
-- none.
--
-- The partition is made as a table of its own and then attached: so readers and writers of the
-- parent go on meanwhile. Only the default partition is locked, and given up where that takes more
-- than a second. Where rows move, the parent is locked first: a reader that had planned without the
-- new partition, and then waited for the default one, would find the rows in neither.
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
  -- One process at a time: to look takes a weak lock on the default partition, and two processes
  -- that hold it would wait for each other to make it stronger.
  perform pg_advisory_xact_lock(hashtext('make_day_partition'), hashtext(parent));
  execute format('select exists (select from %I where log_at >= $1 and log_at < $2)', rest)
  into moves using since, upto;
  if moves then
    execute format('lock table only %I in access exclusive mode', parent);
  end if;
  execute format('lock table %I in access exclusive mode', rest);
  -- The process that had the locks before may have made it.
  if to_regclass(child) is not null then
    return true;
  end if;
  execute format(
    'select count(*) from (select from %I where log_at >= $1 and log_at < $2 limit $3 + 1) as found',
    rest) into found_rows using since, upto, rows_max;
  -- Too many rows; or some have come since `moves` was read, and the next call will see them.
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
