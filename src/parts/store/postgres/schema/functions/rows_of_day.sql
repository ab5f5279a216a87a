-- How many rows the partition of one day holds; 0 where there is none.
create or replace function rows_of_day(parent text, day date) returns bigint language plpgsql as $$
declare
  child text := parent || '_' || to_char(day, 'YYYYMMDD');
  found_rows bigint := 0;
begin
  if to_regclass(child) is not null then
    execute format('select count(*) from %I', child) into found_rows;
  end if;
  return found_rows;
end $$;
