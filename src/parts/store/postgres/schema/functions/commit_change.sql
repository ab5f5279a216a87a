-- Commits what an operation has decided, whole or not at all: rows of its nouns, accounts, and
-- facts that are no account's. Not at all where anything that it was decided on has moved: a row,
-- an account, the business's clock. Then it answers false, or ends with an error of SQLSTATE SL001
-- where something was written that has to be taken back.
-- Locks in this order, whoever commits [machines#writers]: rows as standing_rows() has them, what
-- writing them moves as write_rows() has it, accounts.
create or replace function commit_change(p_change jsonb) returns boolean language plpgsql as $$
declare
  v_rows jsonb := p_change -> 'rows';
  v_accounts integer := jsonb_array_length(p_change -> 'accounts');
  v_standing text[] := '{}';
  v_writes boolean := false;
begin
  <<comparing>>
  begin
    if v_rows <> '{}' then
      exit comparing when not standing_rows(v_rows);
      v_writes := true;
      exit comparing when not write_rows(v_rows);
    end if;
    if v_accounts > 0 then
      v_standing := standing_accounts(p_change);
      exit comparing when cardinality(v_standing) < v_accounts;
    end if;
    -- Behind all locks: whoever was waited for may have moved it. Null: it decides nothing.
    exit comparing when (p_change ->> 'clock_ahead')::bigint
      <> clock_ahead(p_change ->> 'business_id', p_change ->> 'mode');

    v_writes := true;
    insert into outbox (message_id, business_id, mode, type, data, at)
    select n.message_id, n.business_id, n.mode, n.type, n.data, n.at
    from jsonb_populate_recordset(null::outbox, p_change -> 'facts') n
    where n.account_id is null;
    if v_accounts > 0 then
      exit comparing when cardinality(write_accounts(p_change, v_standing)) < v_accounts;
    end if;
    return true;
  end comparing;

  if v_writes then
    raise exception 'what it was decided on has moved' using errcode = 'SL001';
  end if;
  return false;
end $$;
