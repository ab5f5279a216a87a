-- Commits what an operation has decided: rows of its nouns, accounts, and the facts that belong to
-- no account. It commits nothing of it where something that the operation read has moved since: a
-- row, an account, the business's clock. Then it answers false; or it raises SQLSTATE SL001, which
-- rolls back, where it had begun to write. Every change takes its locks in this order
-- [machines#writers]: the rows, in the order of standing_rows(); what writing them moves, in the
-- order of write_rows(); the accounts.
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
    -- Read when all locks are held: a transaction that held them before may have moved the clock.
    -- A change that names no clock does not depend on it: the comparison is null.
    exit comparing when (p_change ->> 'clock_ahead')::bigint
      <> clock_ahead(p_change ->> 'business_id', p_change ->> 'mode');

    v_writes := true;
    -- write_invoices() has given an invoice its number: who decided the fact could not know it.
    insert into outbox (message_id, business_id, mode, type, data, at)
    select n.message_id, n.business_id, n.mode, n.type,
      n.data || coalesce((
        select jsonb_build_object('invoiceNumber', i.number) from invoices i
        where n.type = 'payment.succeeded' and i.kind = 'payment'
        and i.subject_id = n.data #>> '{payment,paymentId}'), '{}'),
      n.at
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
