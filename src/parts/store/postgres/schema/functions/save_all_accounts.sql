-- A command that spans several accounts or other rows: all of it or, when an account lost a race,
-- nothing (an error with SQLSTATE SL001).
create or replace function save_all_accounts(p_changes jsonb) returns void language plpgsql as $$
begin
  if (select count(*) from save_accounts(p_changes)) <> jsonb_array_length(p_changes) then
    raise exception 'an account or the clock changed meanwhile' using errcode = 'SL001';
  end if;
end $$;
